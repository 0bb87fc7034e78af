// RecordFile: a file that records are appended to, each with its length and a checksum, so that after any end of the
// process what was written in whole is there, and what was not is known.
//
// A record is: length (u32), checksum of the length (u32), checksum of the payload (u64), payload; numbers
// little-endian. They follow a line that names the format.
#ifndef ASTROLABE_DAEMON_JOBS_RECORD_FILE_H_
#define ASTROLABE_DAEMON_JOBS_RECORD_FILE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::jobs {

// Where a record lies in its file, all of it.
struct RecordPlace {
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Not thread-safe.
class RecordFile {
 public:
  static constexpr uint64_t kMaxPayload = uint64_t{1536} << 20;  // more than a request may have

  // What could not be read.
  struct Cut {
    uint64_t bytes = 0;   // behind the last whole record; they are cut off
    int64_t records = 0;  // damaged ones between others; they are blanked
    // Empty: there was at most the beginning of one more record, as a writer leaves it that was killed. Else what was
    // lost may have been whole records: where all of the file was copied to before.
    std::string kept_as;
  };

  RecordFile() = default;

  // Opens the file or makes it, and calls take(payload, place) for each record in order. kFailedPrecondition: it cannot
  // be read or written, or is of another version, and is left as it was. What is no such file at all is kept aside.
  static Result<RecordFile> Open(const std::string& path,
                                 const std::function<void(std::string_view, RecordPlace)>& take, Cut* cut);

  // All of them, or, with an error, none. The kernel has them then. `places` in the same order.
  Status Append(std::span<const std::string> payloads, std::vector<RecordPlace>* places);
  // The disk has them.
  Status Sync();
  // Keeps these records alone, in this order, and tells where they are now. With an error nothing has changed.
  Status Rewrite(std::span<const RecordPlace> keep, std::vector<RecordPlace>* places);

  uint64_t size() const { return size_; }

 private:
  RecordFile(std::string path, Fd fd, uint64_t size) : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

  std::string path_;
  Fd fd_;
  uint64_t size_ = 0;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_RECORD_FILE_H_
