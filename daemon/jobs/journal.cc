#include "daemon/jobs/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "daemon/base/cache_file.h"
#include "daemon/base/fd.h"

namespace astrolabe::jobs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kContentSuffix = ".content";
constexpr std::string_view kTemporarySuffix = ".content.tmp";
// Below that the file may be as long as it likes.
constexpr uint64_t kCompactFrom = uint64_t{8} << 20;
constexpr uint64_t kMostWaste = 4;
constexpr size_t kMostInline = size_t{256} << 10;  // of content
constexpr size_t kMostUnwritten = 1000;
constexpr std::chrono::seconds kRetry{1};
constexpr std::chrono::seconds kSyncEvery{1};

uint64_t ChecksumOf(std::string_view bytes) {
  return CacheChecksum({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// What no daemon writes would be reckoned with: numbers that overflow, times that no clock has.
bool IsPlausible(const google::protobuf::Timestamp& time) {
  constexpr int32_t kNanos = 1'000'000'000;
  constexpr int64_t kMostSeconds = std::numeric_limits<int64_t>::max() / kNanos - 1;  // as clocks count, until 2262
  return time.seconds() >= 0 && time.seconds() < kMostSeconds && time.nanos() >= 0 && time.nanos() < kNanos;
}
bool IsPlausible(const internal::v1::JournalJob& job) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  return job.order() >= 0 && job.order() < kMost && job.last_sequence() >= 0 && job.last_sequence() < kMost &&
         job.content_bytes() >= 0 && IsPlausible(job.create_time()) && IsPlausible(job.start_time()) &&
         IsPlausible(job.end_time());
}

// "<id>" of "jobs/<id>": a file name, since ids are hexadecimal. Empty: it is none of ours.
std::string_view IdOf(std::string_view name) {
  constexpr std::string_view kPrefix = "jobs/";
  if (!name.starts_with(kPrefix)) return {};
  name.remove_prefix(kPrefix.size());
  return name.find_first_not_of("0123456789abcdef") == std::string_view::npos ? name : std::string_view();
}

}  // namespace

std::string Journal::ContentPath(std::string_view name) const {
  return folder_ + "/" + std::string(IdOf(name)) + std::string(kContentSuffix);
}

Result<std::unique_ptr<Journal>> Journal::Open(const std::string& folder, Log log) {
  std::unique_ptr<Journal> journal(new Journal(folder, std::move(log)));
  if (Status status = journal->Recover(); !status.ok()) return std::move(status).error();
  journal->thread_ = std::thread([raw = journal.get()] { raw->Run(); });
  return journal;
}

Journal::~Journal() {
  {
    const std::lock_guard lock(mu_);
    stopped_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Status Journal::Recover() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    return MakeError(ErrorCode::kFailedPrecondition, "JOURNAL",
                     "cannot make the folder " + folder_ + ": " + error.message());
  }
  std::unordered_map<std::string, JournalEntry> jobs;
  int64_t unread = 0;
  RecordFile::Cut cut;
  Result<RecordFile> file = RecordFile::Open(
      folder_ + "/jobs.journal",
      [&](std::string_view payload, RecordPlace place) { unread += Add(&jobs, payload, place) ? 0 : 1; }, &cut);
  if (!file.ok()) return std::move(file).error();
  file_ = *std::move(file);
  if (!cut.kept_as.empty()) {
    log_("error", "the job journal is damaged: " + std::to_string(cut.records) + " records, and its last " +
                      std::to_string(cut.bytes) + " bytes, cannot be read and are left out; all of it is kept as " +
                      cut.kept_as);
  } else if (cut.bytes > 0) {
    log_("warning", "the job journal ends in the middle of a record: its last " + std::to_string(cut.bytes) +
                        " bytes are cut off");
  }
  if (unread > 0) log_("error", std::to_string(unread) + " records of the job journal make no sense and are left out");
  for (auto& [name, entry] : jobs) {
    if (!ReadContent(&entry)) log_("error", "the path of " + name + " cannot be read from " + ContentPath(name));
    recovered_.push_back(std::move(entry));
  }
  std::sort(recovered_.begin(), recovered_.end(),
            [](const JournalEntry& a, const JournalEntry& b) { return a.facts.order() < b.facts.order(); });
  RemoveStrayContent();
  CompactIfWorthIt();
  return {};
}

bool Journal::Add(std::unordered_map<std::string, JournalEntry>* jobs, std::string_view payload, RecordPlace place) {
  internal::v1::JournalRecord record;
  if (!record.ParseFromArray(payload.data(), static_cast<int>(payload.size()))) return false;
  if (record.has_forgotten()) {
    jobs->erase(record.forgotten());
    if (const auto old = live_.find(record.forgotten()); old != live_.end()) {
      live_bytes_ -= old->second.size;
      live_.erase(old);
    }
    return true;
  }
  if (!record.has_job() || IdOf(record.job().name()).empty() || !IsPlausible(record.job())) return false;
  JournalEntry entry;
  entry.facts = std::move(*record.mutable_job());
  entry.spec = std::make_shared<const v1::JobSpec>(std::move(*entry.facts.mutable_spec()));
  if (entry.facts.has_result()) {
    entry.result = std::make_shared<const v1::Result>(std::move(*entry.facts.mutable_result()));
  }
  if (entry.facts.has_content()) {
    entry.content = std::make_shared<const internal::v1::JobContent>(std::move(*entry.facts.mutable_content()));
  }
  entry.facts.clear_spec();
  entry.facts.clear_result();
  entry.facts.clear_content();
  RecordPlace& known = live_[entry.facts.name()];
  live_bytes_ += place.size - known.size;
  known = place;
  const std::string name = entry.facts.name();
  (*jobs)[name] = std::move(entry);
  return true;
}

bool Journal::ReadContent(JournalEntry* entry) const {
  if (entry->facts.content_bytes() == 0) return true;
  std::ifstream in(ContentPath(entry->facts.name()), std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  const std::string text = std::move(bytes).str();
  if (!in || static_cast<int64_t>(text.size()) != entry->facts.content_bytes() ||
      ChecksumOf(text) != entry->facts.content_checksum()) {
    return false;
  }
  auto content = std::make_shared<internal::v1::JobContent>();
  if (!content->ParseFromString(text)) return false;
  entry->content = std::move(content);
  return true;
}

// Of jobs that are forgotten, and what a writer left that was killed.
void Journal::RemoveStrayContent() const {
  std::set<std::string> wanted;
  for (const JournalEntry& entry : recovered_) {
    if (entry.facts.content_bytes() > 0) wanted.insert(ContentPath(entry.facts.name()));
  }
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    const std::string path = file.path().string();
    const bool ours = path.ends_with(kContentSuffix) || path.ends_with(kTemporarySuffix);
    if (ours && !wanted.contains(path)) ::unlink(path.c_str());
  }
}

uint64_t Journal::Put(JournalEntry entry) { return Push(std::move(entry)); }

void Journal::Forget(std::string name) { Push(std::move(name)); }

uint64_t Journal::Push(Task task) {
  uint64_t ticket = 0;
  {
    const std::lock_guard lock(mu_);
    tasks_.push_back(std::move(task));
    ticket = ++pushed_;
  }
  wake_.notify_one();
  return ticket;
}

void Journal::WaitWritten(uint64_t ticket) {
  std::unique_lock lock(mu_);
  written_.wait(lock, [&] { return done_ >= ticket; });
}

void Journal::Run() {
  std::unique_lock lock(mu_);
  while (true) {
    const auto some = [this] { return stopped_ || !tasks_.empty(); };
    if (unwritten_.empty() && !unsynced_) {
      wake_.wait(lock, some);
    } else {
      wake_.wait_for(lock, kRetry, some);
    }
    const bool ends = stopped_ && tasks_.empty();
    std::deque<Task> tasks = std::exchange(tasks_, {});
    const bool idle = tasks.empty();
    const uint64_t upto = pushed_;
    lock.unlock();
    Write(std::move(tasks));
    lock.lock();
    done_ = upto;
    lock.unlock();
    written_.notify_all();
    SyncNowAndThen(idle);
    CompactIfWorthIt();
    if (ends) return;
    lock.lock();
  }
}

// What could not be written before comes first; what cannot be written now stays.
void Journal::Write(std::deque<Task> tasks) {
  for (Task& task : tasks) unwritten_.push_back(std::move(task));
  if (unwritten_.empty()) return;
  std::vector<std::string> payloads;
  std::deque<Task> ready;
  std::deque<Task> waiting;  // and, with the first of a job, what follows of that job
  std::set<std::string> waiting_jobs;
  Status status;
  for (Task& task : unwritten_) {
    if (waiting_jobs.contains(NameOf(task))) {
      waiting.push_back(std::move(task));
      continue;
    }
    Result<internal::v1::JournalRecord> record = RecordOf(task);
    if (!record.ok()) {
      status = std::move(record).error();
      waiting_jobs.insert(NameOf(task));
      waiting.push_back(std::move(task));
      continue;
    }
    std::string payload = record->SerializeAsString();
    if (payload.size() > RecordFile::kMaxPayload) {  // nor would it be written the next time
      log_("error", NameOf(task) + " is too large for the job journal: a restart would not know of it");
      continue;
    }
    payloads.push_back(std::move(payload));
    ready.push_back(std::move(task));
  }
  std::vector<RecordPlace> places;
  if (Status appended = file_.Append(payloads, &places); !appended.ok()) status = std::move(appended);
  for (const RecordPlace& place : places) {
    Note(ready.front(), place);
    ready.pop_front();
  }
  unwritten_ = std::move(ready);
  for (Task& task : waiting) unwritten_.push_back(std::move(task));
  unsynced_ = unsynced_ || !places.empty();
  for (; unwritten_.size() > kMostUnwritten; ++given_up_) unwritten_.pop_front();
  Tell(status);
}

Result<internal::v1::JournalRecord> Journal::RecordOf(const Task& task) const {
  internal::v1::JournalRecord record;
  if (const auto* name = std::get_if<std::string>(&task)) {
    record.set_forgotten(*name);
    return record;
  }
  const JournalEntry& entry = std::get<JournalEntry>(task);
  internal::v1::JournalJob* job = record.mutable_job();
  *job = entry.facts;
  *job->mutable_spec() = *entry.spec;
  if (entry.result) *job->mutable_result() = *entry.result;
  if (entry.content && entry.content->ByteSizeLong() <= kMostInline) {
    *job->mutable_content() = *entry.content;
  } else if (entry.content) {
    if (Status status = WriteContent(*entry.content, job); !status.ok()) return std::move(status).error();
  }
  return record;
}

// Before the record that names it, so that what a record says is there.
Status Journal::WriteContent(const internal::v1::JobContent& content, internal::v1::JournalJob* job) const {
  const std::string path = ContentPath(job->name());
  const std::string temporary = path + ".tmp";
  const std::string bytes = content.SerializeAsString();
  const Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid() || !WriteAll(fd.get(), bytes) || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string why = std::generic_category().message(errno);
    ::unlink(temporary.c_str());
    return MakeError(ErrorCode::kFailedPrecondition, "JOURNAL", "cannot write " + path + ": " + why);
  }
  job->set_content_bytes(static_cast<int64_t>(bytes.size()));
  job->set_content_checksum(ChecksumOf(bytes));
  return {};
}

const std::string& Journal::NameOf(const Task& task) {
  const auto* forgotten = std::get_if<std::string>(&task);
  return forgotten != nullptr ? *forgotten : std::get<JournalEntry>(task).facts.name();
}

// The record of it is in the file.
void Journal::Note(const Task& task, RecordPlace place) {
  const auto* forgotten = std::get_if<std::string>(&task);
  const std::string& name = NameOf(task);
  if (const auto known = live_.find(name); known != live_.end()) {
    live_bytes_ -= known->second.size;
    live_.erase(known);
    if (forgotten != nullptr) ::unlink(ContentPath(name).c_str());  // most have none
  }
  if (forgotten != nullptr) return;
  live_[name] = place;
  live_bytes_ += place.size;
}

// Nobody waits for the disk; but what is some time old is on it.
void Journal::SyncNowAndThen(bool idle) {
  const auto now = std::chrono::steady_clock::now();
  if (!unsynced_ || (!idle && now - synced_at_ < kSyncEvery)) return;
  synced_at_ = now;
  unsynced_ = false;
  if (const Status status = file_.Sync(); !status.ok()) Tell(status);
}

void Journal::CompactIfWorthIt() {
  if (file_.size() < kCompactFrom || file_.size() / kMostWaste < live_bytes_) return;
  std::vector<std::pair<std::string, RecordPlace>> keep(live_.begin(), live_.end());
  std::sort(keep.begin(), keep.end(), [](const auto& a, const auto& b) { return a.second.offset < b.second.offset; });
  std::vector<RecordPlace> places;
  for (const auto& [name, place] : keep) places.push_back(place);
  std::vector<RecordPlace> moved;
  const Status status = file_.Rewrite(places, &moved);
  if (!status.ok()) return Tell(status);
  for (size_t i = 0; i < keep.size(); ++i) live_[keep[i].first] = moved[i];
}

// Once when it begins to fail, once when that is over.
void Journal::Tell(const Status& status) {
  if (std::exchange(failing_, !status.ok()) == !status.ok()) return;
  if (status.ok()) {
    log_("info", "the job journal is written again");
    if (const int64_t lost = std::exchange(given_up_, 0); lost > 0) {
      log_("error", "the job journal lacks " + std::to_string(lost) +
                        " records of the time when it was not written: a restart would not know of those jobs' ends");
    }
  } else {
    log_("error", "the job journal is not written: " + status.error().message +
                      "; jobs go on, but a restart would not know of what happens meanwhile");
  }
}

}  // namespace astrolabe::jobs
