#include "daemon/registry/copy_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "daemon/registry/load_error.h"

namespace astrolabe::registry {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "daemon-";
constexpr char kNoexecHint[] = "choose a state folder on a file system that is not mounted noexec";

Error Unusable(const std::string& folder, const std::string& why, const std::string& hint) {
  return MakeError(ErrorCode::kFailedPrecondition, "COPY_DIR",
                   "the folder for plugin copies, " + folder + ", cannot be used: " + why + "; " + hint);
}

Status CheckFolder(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0)
    return Unusable(folder, std::strerror(errno), "make it by hand or choose another");
  if (!S_ISDIR(status.st_mode)) return Unusable(folder, "it is no folder", "choose another");
  if (status.st_uid != ::geteuid()) return Unusable(folder, "it belongs to another user", "choose another");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return Unusable(folder, "others can write to it", "chmod 700 it");
  return {};
}

// Holds an exclusive flock on the file, made if missing. Invalid when it cannot be had.
Fd Lock(const std::string& path, int how) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return fd;
  int result = 0;
  do {
    result = ::flock(fd.get(), how);
  } while (result != 0 && errno == EINTR);
  if (result != 0) fd.Reset();
  return fd;
}

void RemoveDead(const std::string& folder) {
  std::error_code ignored;
  std::vector<fs::path> others;
  for (fs::directory_iterator entry(folder, ignored); !ignored && entry != fs::directory_iterator();
       entry.increment(ignored)) {
    if (entry->path().filename().string().starts_with(kPrefix)) others.push_back(entry->path());
  }
  for (const fs::path& other : others) {
    const Fd lock = Lock(other / "lock", LOCK_EX | LOCK_NB);
    if (lock.valid()) fs::remove_all(other, ignored);
  }
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Empty, or what went wrong. Not synced: no copy is used after its daemon's death, so no crash of the machine can leave
// half a one that counts.
std::string WriteCopy(const std::string& folder, const std::string& path, std::string_view bytes) {
  std::string temp = folder + "/new-XXXXXX";
  const Fd fd(::mkostemp(temp.data(), O_CLOEXEC));
  if (!fd.valid()) return std::strerror(errno);
  std::string error;
  if (!WriteAll(fd.get(), bytes) || ::fchmod(fd.get(), 0555) != 0 || ::rename(temp.c_str(), path.c_str()) != 0) {
    error = std::strerror(errno);
    ::unlink(temp.c_str());
  }
  return error;
}

}  // namespace

bool CanExecute(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return false;
  void* page = ::mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd.get(), 0);
  if (page == MAP_FAILED) return false;
  ::munmap(page, 1);
  return true;
}

PrivateCopy::PrivateCopy(std::shared_ptr<CopyStore> store, std::string sha256, std::string path)
    : store_(std::move(store)), sha256_(std::move(sha256)), path_(std::move(path)) {}

PrivateCopy::~PrivateCopy() { store_->Drop(sha256_, path_); }

CopyStore::CopyStore(std::string folder, Fd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

CopyStore::~CopyStore() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Result<std::shared_ptr<CopyStore>> CopyStore::Open(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    const fs::path parent = fs::path(folder).parent_path();
    if (!parent.empty()) fs::create_directories(parent, error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
      return Unusable(folder, std::string("it cannot be made: ") + std::strerror(errno),
                      "make it by hand or choose another");
    }
  }
  if (Status usable = CheckFolder(folder); !usable.ok()) return usable.error();
  // Held during Open only: nobody may take a folder for dead before its lock is held.
  const Fd gate = Lock(folder + "/lock", LOCK_EX);
  if (!gate.valid())
    return Unusable(folder, std::string("it cannot be locked: ") + std::strerror(errno), "choose another");
  RemoveDead(folder);
  std::string own = folder + "/" + kPrefix + "XXXXXX";
  if (::mkdtemp(own.data()) == nullptr) {
    return Unusable(folder, std::string("it cannot be written: ") + std::strerror(errno),
                    "check its mode and the free space");
  }
  Fd lock = Lock(own + "/lock", LOCK_EX | LOCK_NB);
  if (!lock.valid()) return Unusable(folder, "its lock cannot be held", "choose another");
  std::shared_ptr<CopyStore> store(new CopyStore(own, std::move(lock)));
  const std::string test = own + "/exec-test";
  if (std::string why = WriteCopy(own, test, "x"); !why.empty()) return Unusable(folder, why, "check the free space");
  const bool executable = CanExecute(test);
  ::unlink(test.c_str());
  if (!executable) {
    Error refused = Unusable(folder, "code in it cannot be run (noexec)", kNoexecHint);
    refused.reason = "NOEXEC";
    return refused;
  }
  return store;
}

std::variant<std::shared_ptr<const PrivateCopy>, LoadError> CopyStore::Put(const std::string& sha256,
                                                                           std::string_view bytes) {
  const std::string path = folder_ + "/" + sha256 + ".so";
  MutexLock lock(&mu_);
  std::weak_ptr<const PrivateCopy>& known = copies_[sha256];
  if (std::shared_ptr<const PrivateCopy> copy = known.lock()) return copy;
  if (const std::string why = WriteCopy(folder_, path, bytes); !why.empty()) {
    copies_.erase(sha256);
    return MakeLoadError(LoadCode::kPermission, "copy", "its private copy cannot be written",
                         "a writable folder " + folder_, why, "check the free space and the mode of the state folder");
  }
  if (!CanExecute(path)) {
    ::unlink(path.c_str());
    copies_.erase(sha256);
    return MakeLoadError(LoadCode::kNoexec, "copy", "code in the folder for plugin copies cannot be run",
                         "a file system that is not mounted noexec", folder_, kNoexecHint);
  }
  auto copy = std::make_shared<const PrivateCopy>(shared_from_this(), sha256, path);
  known = copy;
  return copy;
}

void CopyStore::Drop(const std::string& sha256, const std::string& path) {
  MutexLock lock(&mu_);
  const auto known = copies_.find(sha256);
  // Not expired: the same content was put again meanwhile, under the same name.
  if (known == copies_.end() || !known->second.expired()) return;
  ::unlink(path.c_str());
  copies_.erase(known);
}

}  // namespace astrolabe::registry
