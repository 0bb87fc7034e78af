#include "daemon/registry/plugin_source.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

#include "daemon/base/fd.h"
#include "daemon/registry/load_error.h"

namespace astrolabe::registry {
namespace {

constexpr char kSourceStage[] = "discover";
// A file this young may still be in the writing: wait between the two readings.
constexpr std::chrono::seconds kYoung{2};
constexpr std::chrono::milliseconds kSettle{20};

FileStamp Stamp(const struct stat& status) {
  const auto ns = [](const timespec& time) { return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec; };
  return {status.st_dev, status.st_ino, status.st_size, ns(status.st_mtim), ns(status.st_ctim)};
}

LoadError Permission(std::string message, std::string expected, std::string found, std::string hint) {
  return MakeLoadError(LoadCode::kPermission, kSourceStage, std::move(message), std::move(expected), std::move(found),
                       std::move(hint));
}

std::string Octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

std::optional<LoadError> CheckOwnerAndMode(const struct stat& status, const char* what) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    return Permission(std::string("the ") + what + " belongs to another user",
                      "owner root or user " + std::to_string(::geteuid()), "owner " + std::to_string(status.st_uid),
                      "code of other users is not run: chown it or copy it");
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Permission(std::string("the ") + what + " can be written by others", "not writable by group and others",
                      "mode " + Octal(status.st_mode), "chmod go-w it");
  }
  return std::nullopt;
}

std::string KindName(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

LoadError CannotOpen(int error) {
  if (error == ELOOP) {
    return Permission("it is a symbolic link", "a regular file", "a symbolic link",
                      "put the file itself into the plugin folder");
  }
  return Permission("it cannot be opened", "a readable file", std::strerror(error), "check its mode and its folder's");
}

bool ReadAll(int fd, int64_t size, std::string* bytes) {
  bytes->resize(static_cast<size_t>(size));
  size_t done = 0;
  while (done < bytes->size()) {
    const ssize_t n = ::pread(fd, bytes->data() + done, bytes->size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

bool IsYoung(const FileStamp& stamp) {
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch());
  return now.count() - stamp.modified_ns < std::chrono::nanoseconds(kYoung).count();
}

}  // namespace

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return Stamp(status);
}

std::string Sha256Hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (::EVP_Digest(bytes.data(), bytes.size(), digest, &length, ::EVP_sha256(), nullptr) != 1) return {};
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

std::variant<PluginSource, LoadError> ReadPluginSource(const std::string& path) {
  const std::filesystem::path parts(path);
  const Fd folder(::open(parts.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (!folder.valid() || ::fstat(folder.get(), &status) != 0) return CannotOpen(errno);
  if (std::optional<LoadError> error = CheckOwnerAndMode(status, "folder")) return *std::move(error);
  // O_NONBLOCK: a pipe must not hold us up.
  const Fd file(::openat(folder.get(), parts.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return CannotOpen(errno);
  if (!S_ISREG(status.st_mode)) {
    return MakeLoadError(LoadCode::kNotElf, kSourceStage, "it is not a regular file", "an ELF shared library",
                         KindName(status.st_mode), "remove it from the plugin folder");
  }
  if (std::optional<LoadError> error = CheckOwnerAndMode(status, "file")) return *std::move(error);
  if (status.st_size > static_cast<off_t>(kMaxPluginBytes)) {
    return MakeLoadError(LoadCode::kCorrupt, kSourceStage, "it is too large",
                         "at most " + std::to_string(kMaxPluginBytes) + " bytes",
                         std::to_string(status.st_size) + " bytes", "keep tables out of the library");
  }
  PluginSource source;
  source.stamp = Stamp(status);
  bool stable = ReadAll(file.get(), status.st_size, &source.bytes);
  source.sha256 = Sha256Hex(source.bytes);
  if (stable) {
    if (IsYoung(source.stamp)) std::this_thread::sleep_for(kSettle);
    std::string again;
    struct stat later {};
    stable = ::fstat(file.get(), &later) == 0 && Stamp(later) == source.stamp &&
             ReadAll(file.get(), status.st_size, &again) && Sha256Hex(again) == source.sha256;
  }
  if (!stable) {
    return MakeLoadError(LoadCode::kTruncated, kSourceStage, "it changed while it was read", "a complete file",
                         "a file being written", "load it again when it is complete; install plugins by rename");
  }
  return source;
}

std::vector<std::string> DiscoverPlugins(const std::vector<std::string>& folders, std::vector<std::string>* problems) {
  std::vector<std::string> found;
  std::set<std::string> seen;
  for (const std::string& folder : folders) {
    std::error_code error;
    std::vector<std::string> names;
    std::filesystem::directory_iterator entries(folder, error);
    while (!error && entries != std::filesystem::directory_iterator()) {
      const std::filesystem::path& path = entries->path();
      if (path.extension() == ".so") names.push_back(path.filename());
      entries.increment(error);
    }
    if (error && error != std::errc::no_such_file_or_directory) {
      problems->push_back("the plugin folder " + folder + " cannot be read: " + error.message());
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (seen.insert(name).second) found.push_back((std::filesystem::path(folder) / name).lexically_normal());
    }
  }
  return found;
}

}  // namespace astrolabe::registry
