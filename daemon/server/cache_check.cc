#include "daemon/server/cache_check.h"

#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "daemon/base/cache_folder.h"
#include "daemon/base/counted.h"

namespace astrolabe::server {
namespace {

constexpr int kLowestPriority = 19;

}  // namespace

CacheCheck::CacheCheck(CacheStore* store, std::function<void(std::string_view level, std::string_view text)> log)
    : store_(store), log_(std::move(log)), thread_([this] { Run(); }) {}

CacheCheck::~CacheCheck() {
  stop_ = true;
  thread_.join();
}

void CacheCheck::Run() {
  // Of this thread alone. When it is refused the check runs all the same.
  if (::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLowestPriority) != 0) {
    log_("debug", "the check of the cache runs at normal priority");
  }
  if (const size_t swept = SweepCacheFolder(store_->folder()); swept > 0) {
    log_("info", "the cache: removed " + Counted(swept, "unfinished file"));
  }
  const CacheStore::Sum check =
      store_->CheckAll([this] { return stop_.load(); }, [this](const std::string& text) { log_("warning", text); });
  if (check.files > 0 && !stop_) {
    log_("info", "the cache: checked " + Counted(check.files, "file") + " with " + Counted(check.bytes, "byte") +
                     ", found " + Counted(check.damaged, "damaged one"));
  }
}

}  // namespace astrolabe::server
