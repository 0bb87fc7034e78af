// The job journal: what is known of detached jobs, on disk, so that a daemon that starts where another one ended still
// has their results, and knows which jobs that one did not finish.
//
// A folder has the records (jobs.journal, see record_file.h) and, of each job that left a path or a long state, one
// file more. A thread of the journal's own writes; what it cannot write (a full disk) is told to the log once, jobs go
// on, and with the next record it is tried again. Of more than a thousand such records the oldest are given up; that is
// told as well.
#ifndef ASTROLABE_DAEMON_JOBS_JOURNAL_H_
#define ASTROLABE_DAEMON_JOBS_JOURNAL_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/internal/v1/journal.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"
#include "daemon/jobs/record_file.h"

namespace astrolabe::jobs {

// A job as the journal has it.
struct JournalEntry {
  internal::v1::JournalJob facts;  // all but spec, result and content
  std::shared_ptr<const v1::JobSpec> spec;
  std::shared_ptr<const v1::Result> result;                 // null: it has not ended
  std::shared_ptr<const internal::v1::JobContent> content;  // null: there is none
};

// Thread-safe.
class Journal {
 public:
  using Log = std::function<void(std::string_view level, std::string_view text)>;

  // Reads what is there, in the order of creation; the folder is made. Damage is told to the log and costs the records
  // that it hit. kFailedPrecondition when it cannot be read or written.
  static Result<std::unique_ptr<Journal>> Open(const std::string& folder, Log log);
  // Writes what was put.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // What the daemon before left. Once.
  std::vector<JournalEntry> TakeRecovered() { return std::move(recovered_); }

  // Neither blocks nor calls out. Of a name the latest counts.
  uint64_t Put(JournalEntry entry);
  void Forget(std::string name);
  // Blocks until the kernel has what that Put gave, so that it outlives this process, or it is known that it cannot be
  // written.
  void WaitWritten(uint64_t ticket);

 private:
  // The name of a job that is no more, or a job.
  using Task = std::variant<std::string, JournalEntry>;

  Journal(std::string folder, Log log) : folder_(std::move(folder)), log_(std::move(log)) {}

  Status Recover();
  bool Add(std::unordered_map<std::string, JournalEntry>* jobs, std::string_view payload, RecordPlace place);
  bool ReadContent(JournalEntry* entry) const;
  void RemoveStrayContent() const;

  uint64_t Push(Task task);
  void Run();
  void Write(std::deque<Task> tasks);
  Result<internal::v1::JournalRecord> RecordOf(const Task& task) const;
  Status WriteContent(const internal::v1::JobContent& content, internal::v1::JournalJob* job) const;
  static const std::string& NameOf(const Task& task);
  void Note(const Task& task, RecordPlace place);
  void SyncNowAndThen(bool idle);
  void CompactIfWorthIt();
  void Tell(const Status& status);
  std::string ContentPath(std::string_view name) const;

  const std::string folder_;
  const Log log_;
  std::vector<JournalEntry> recovered_;

  // The thread's alone once it runs.
  RecordFile file_;
  std::unordered_map<std::string, RecordPlace> live_;  // by name: the records that count
  uint64_t live_bytes_ = 0;
  std::deque<Task> unwritten_;  // while it fails
  bool failing_ = false;
  int64_t given_up_ = 0;  // of those, since it fails
  bool unsynced_ = false;
  std::chrono::steady_clock::time_point synced_at_;

  std::mutex mu_;
  std::condition_variable wake_;
  std::condition_variable written_;
  // Guarded by mu_.
  std::deque<Task> tasks_;
  uint64_t pushed_ = 0;
  uint64_t done_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOURNAL_H_
