// Private copies of plugin files: content-addressed, never changed, removed when nobody holds them.
//
// Layout: COPY_DIR/daemon-XXXXXX/<sha256>.so, mode 0555, and a `lock` beside them that this daemon holds
// while it lives. A folder whose lock nobody holds is a dead daemon's and is removed by the next Open.
#ifndef ASTROLABE_DAEMON_REGISTRY_COPY_STORE_H_
#define ASTROLABE_DAEMON_REGISTRY_COPY_STORE_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"
#include "daemon/registry/registry.h"
#include "daemon/workers/mutex.h"

namespace astrolabe::registry {

class CopyStore;

// One file of the store. The last reference removes it.
class PrivateCopy {
 public:
  PrivateCopy(std::shared_ptr<CopyStore> store, std::string sha256, std::string path);
  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::shared_ptr<CopyStore> store_;
  const std::string sha256_;
  const std::string path_;
};

// Thread-safe.
class CopyStore : public std::enable_shared_from_this<CopyStore> {
 public:
  // Makes `folder` (and its parents), removes what dead daemons left, checks that code in it can be
  // mapped. Errors say how to mend it.
  static Result<std::shared_ptr<CopyStore>> Open(const std::string& folder);
  ~CopyStore();

  // The copy of these bytes, shared when there is one already.
  std::variant<std::shared_ptr<const PrivateCopy>, LoadError> Put(const std::string& sha256, std::string_view bytes);

  const std::string& folder() const { return folder_; }

 private:
  friend class PrivateCopy;
  CopyStore(std::string folder, Fd lock);
  void Drop(const std::string& sha256, const std::string& path);

  const std::string folder_;  // of this daemon
  const Fd lock_;
  Mutex mu_;
  std::map<std::string, std::weak_ptr<const PrivateCopy>> copies_ ASTROLABE_GUARDED_BY(mu_);
};

// True when the pages of this file may be mapped executable (no noexec mount).
bool CanExecute(const std::string& path);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_COPY_STORE_H_
