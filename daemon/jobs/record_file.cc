#include "daemon/jobs/record_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "daemon/base/cache_file.h"

namespace astrolabe::jobs {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "astrolabe records 1\n";
constexpr std::string_view kKind = "astrolabe records ";  // of any version
struct Head {
  uint32_t length = 0;
  uint32_t length_checksum = 0;
  uint64_t checksum = 0;
};
constexpr uint64_t kHead = sizeof(Head);
static_assert(kHead == 16);
constexpr uint64_t kCopyPiece = uint64_t{1} << 20;

Error Failed(const std::string& what, const std::string& path) {
  return MakeError(ErrorCode::kFailedPrecondition, "JOURNAL",
                   "cannot " + what + " " + path + ": " + std::generic_category().message(errno));
}

bool ReadAt(int fd, void* out, uint64_t size, uint64_t offset) {
  auto* bytes = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t n = ::pread(fd, bytes, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;  // shorter than it was
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<uint64_t>(n);
    offset += static_cast<uint64_t>(n);
  }
  return true;
}

bool WriteAt(int fd, std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return true;
}

// A new name in its folder is on the disk.
void SyncFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Fd fd(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.valid()) ::fsync(fd.get());
}

uint32_t ChecksumOf(uint32_t length) {
  return static_cast<uint32_t>(CacheChecksum({reinterpret_cast<const uint8_t*>(&length), sizeof length}));
}

Head HeadOf(std::string_view payload) {
  Head head;
  head.length = static_cast<uint32_t>(payload.size());
  head.length_checksum = ChecksumOf(head.length);
  head.checksum = CacheChecksum({reinterpret_cast<const uint8_t*>(payload.data()), payload.size()});
  return head;
}

void Encode(std::string_view payload, std::string* out) {
  const Head head = HeadOf(payload);
  out->append(reinterpret_cast<const char*>(&head), sizeof head);
  out->append(payload);
}

enum class Found { kRecord, kBlank, kEnd, kTorn, kDamagedRecord, kDamaged, kError };

// The record at `offset` of a file of `size` bytes. kBlank, kDamagedRecord: there is one, of the length of `payload`,
// without content or with a wrong one. kDamaged: nor is it known where the next one begins.
Found ReadRecord(int fd, uint64_t offset, uint64_t size, std::string* payload) {
  if (offset == size) return Found::kEnd;
  if (size - offset < kHead) return Found::kTorn;
  Head head;
  if (!ReadAt(fd, &head, kHead, offset)) return Found::kError;
  if (head.length_checksum != ChecksumOf(head.length)) return Found::kDamaged;
  if (head.length > size - offset - kHead) return Found::kTorn;
  payload->resize(head.length);
  if (!ReadAt(fd, payload->data(), head.length, offset + kHead)) return Found::kError;
  if (HeadOf(*payload).checksum != head.checksum) return Found::kDamagedRecord;
  return !payload->empty() && payload->find_first_not_of('\0') == std::string::npos ? Found::kBlank : Found::kRecord;
}

// In the place of a damaged record, so that the next start does not find it again.
bool WriteBlank(int fd, uint64_t offset, size_t length) {
  std::string blank;
  Encode(std::string(length, '\0'), &blank);
  return WriteAt(fd, blank, offset);
}

// What was kept before stays.
std::string FreeName(const std::string& name) {
  std::string free = name;
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(free)); ++i) {
    free = name + "." + std::to_string(i);
  }
  return free;
}

}  // namespace

Result<RecordFile> RecordFile::Open(const std::string& path,
                                    const std::function<void(std::string_view, RecordPlace)>& take, Cut* cut) {
  *cut = {};
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return Failed("open", path);
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return Failed("open", path);
  uint64_t size = static_cast<uint64_t>(facts.st_size);
  std::string magic(std::min<uint64_t>(kMagic.size(), size), '\0');
  if (!ReadAt(fd.get(), magic.data(), magic.size(), 0)) return Failed("read", path);
  if (!kMagic.starts_with(magic) && !magic.starts_with(kKind.substr(0, magic.size()))) {
    cut->bytes = size;
    cut->kept_as = FreeName(path + ".damaged");
    if (::rename(path.c_str(), cut->kept_as.c_str()) != 0) return Failed("keep aside", path);
    Cut none;
    return Open(path, take, &none);
  }
  if (!kMagic.starts_with(magic)) {
    return MakeError(ErrorCode::kFailedPrecondition, "JOURNAL",
                     path + " is no job journal of this version; move it away, and it is made anew");
  }
  if (magic.size() < kMagic.size()) {  // new, or its writer did not get further
    if (!WriteAt(fd.get(), kMagic, 0) || ::fsync(fd.get()) != 0) return Failed("write", path);
    SyncFolderOf(path);
    return RecordFile(path, std::move(fd), kMagic.size());
  }
  uint64_t offset = kMagic.size();
  std::string payload;
  Found found = Found::kRecord;
  const auto keep_a_copy = [&]() -> Status {
    if (!cut->kept_as.empty()) return {};
    std::error_code error;
    const std::string name = FreeName(path + ".damaged");
    std::filesystem::copy_file(path, name, error);
    if (error) {
      errno = error.value();
      return Failed("keep a copy of the damaged", path);
    }
    cut->kept_as = name;
    return {};
  };
  while (true) {
    found = ReadRecord(fd.get(), offset, size, &payload);
    if (found == Found::kDamagedRecord) {
      ++cut->records;
      if (Status kept = keep_a_copy(); !kept.ok()) return std::move(kept).error();
      if (!WriteBlank(fd.get(), offset, payload.size())) return Failed("write", path);
    } else if (found == Found::kRecord) {
      take(payload, {offset, kHead + payload.size()});
    } else if (found != Found::kBlank) {
      break;
    }
    offset += kHead + payload.size();
  }
  if (found == Found::kError) return Failed("read", path);
  if (found != Found::kEnd) {
    cut->bytes = size - offset;
    if (found == Found::kDamaged) {
      if (Status kept = keep_a_copy(); !kept.ok()) return std::move(kept).error();
    }
    if (::ftruncate(fd.get(), static_cast<off_t>(offset)) != 0) return Failed("cut", path);
  }
  return RecordFile(path, std::move(fd), offset);
}

Status RecordFile::Append(std::span<const std::string> payloads, std::vector<RecordPlace>* places) {
  std::string bytes;
  std::vector<RecordPlace> made;
  for (const std::string& payload : payloads) {
    if (payload.size() > kMaxPayload) {
      return MakeError(ErrorCode::kResourceExhausted, "JOURNAL",
                       "a record of " + std::to_string(payload.size()) + " bytes is too large for " + path_);
    }
    made.push_back({size_ + bytes.size(), kHead + payload.size()});
    Encode(payload, &bytes);
  }
  if (!WriteAt(fd_.get(), bytes, size_)) {
    const Error error = Failed("write", path_);
    // What is left of it would be cut at the next start; nobody reads it before.
    (void)::ftruncate(fd_.get(), static_cast<off_t>(size_));
    return error;
  }
  size_ += bytes.size();
  *places = std::move(made);
  return {};
}

Status RecordFile::Sync() {
  if (::fdatasync(fd_.get()) != 0) return Failed("write", path_);
  return {};
}

Status RecordFile::Rewrite(std::span<const RecordPlace> keep, std::vector<RecordPlace>* places) {
  const std::string temporary = path_ + ".new";
  Fd fd(::open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return Failed("write", temporary);
  const auto fail = [&](const char* what) {
    Error error = Failed(what, temporary);
    ::unlink(temporary.c_str());
    return error;
  };
  if (!WriteAt(fd.get(), kMagic, 0)) return fail("write");
  uint64_t size = kMagic.size();
  std::vector<RecordPlace> made;
  std::string piece;
  for (const RecordPlace& place : keep) {
    made.push_back({size, place.size});
    for (uint64_t done = 0; done < place.size; done += piece.size()) {
      piece.resize(std::min(kCopyPiece, place.size - done));
      if (!ReadAt(fd_.get(), piece.data(), piece.size(), place.offset + done)) return fail("copy to");
      if (!WriteAt(fd.get(), piece, size + done)) return fail("write");
    }
    size += place.size;
  }
  if (::fsync(fd.get()) != 0) return fail("write");
  if (::rename(temporary.c_str(), path_.c_str()) != 0) return fail("rename");
  SyncFolderOf(path_);
  fd_ = std::move(fd);
  size_ = size;
  *places = std::move(made);
  return {};
}

}  // namespace astrolabe::jobs
