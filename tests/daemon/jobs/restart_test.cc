// Jobs across restarts: the journal of one service, read by the next. A service that is destroyed ends its jobs
// properly; what a killed one leaves is a copy of its folder, taken before.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "daemon/jobs/journal.h"
#include "daemon/jobs/record_file.h"
#include "tests/daemon/jobs/service_fixture.h"
#include "tests/support/process.h"

namespace astrolabe::jobs {
namespace {

namespace fs = std::filesystem;

class RestartTest : public ServiceFixture {
 protected:
  RestartTest() { options.journal = Open(folder()); }
  ~RestartTest() override { DestroyService(); }

  std::shared_ptr<Journal> Open(const std::string& folder) {
    Result<std::unique_ptr<Journal>> journal =
        Journal::Open(folder, [this](std::string_view level, std::string_view text) {
          log.push_back(std::string(level) + ": " + std::string(text));
        });
    EXPECT_TRUE(journal.ok()) << journal.error().message;
    return journal.ok() ? std::shared_ptr<Journal>(*std::move(journal)) : nullptr;
  }
  // The next daemon, when this one was killed now.
  void KillAndRestart() {
    const std::string left = temporary_ / ("killed" + std::to_string(++kills_));
    fs::copy(folder(), left, fs::copy_options::recursive);
    folder_ = left;
    Reopen();
  }
  // The next daemon, when this one has ended.
  void Restart() { Reopen(); }
  // This one ends, and all is written.
  void End() {
    DestroyService();
    options.journal.reset();
  }

  std::string folder() const { return folder_; }
  std::string journal_file() const { return folder_ + "/jobs.journal"; }

  // A detached job that has ended with a path.
  std::string Solved(const CreateOptions& create = {}) {
    const std::string name = Create(SmallSpec(), create);
    const FakeWorkerPtr worker = pool.WaitWorker(workers_++);
    internal::v1::ToDaemon content;
    content.mutable_content()->set_path_ops(std::string("\1\0\0\0\2\0\0\0", 8));
    content.mutable_content()->set_path_bytes(8);
    content.mutable_content()->set_final_state("1 2 3");
    worker->Say(content);
    worker->SaySolved();
    return name;
  }
  std::string Running(const CreateOptions& create = {}) {
    const std::string name = Create(SmallSpec(), create);
    pool.WaitWorker(workers_++)->SayState(v1::JOB_STATE_SEARCHING);
    return name;
  }

  std::vector<std::string> log;

 private:
  void Reopen() {
    End();
    time = FakeTime();  // those of the service that is gone have stopped
    options.journal = Open(folder_);
  }

  testing::TempFolder temporary_;
  std::string folder_ = temporary_ / "journal";
  int kills_ = 0;
  size_t workers_ = 0;
};

TEST_F(RestartTest, AJobThatHadEndedIsThereWithAllOfIt) {
  CreateOptions create;
  create.request_id = "mine";
  const std::string name = Solved(create);
  const v1::Job before = Get(name);
  Restart();
  const v1::Job after = Get(name);
  EXPECT_EQ(after.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(after.result().SerializeAsString(), before.result().SerializeAsString());
  EXPECT_EQ(after.spec().SerializeAsString(), before.spec().SerializeAsString());
  EXPECT_EQ(after.create_time().SerializeAsString(), before.create_time().SerializeAsString());
  EXPECT_EQ(after.start_time().SerializeAsString(), before.start_time().SerializeAsString());
  EXPECT_EQ(after.end_time().SerializeAsString(), before.end_time().SerializeAsString());
  EXPECT_EQ(after.last_sequence(), before.last_sequence());
  EXPECT_EQ(after.request_id(), "mine");
  const auto path = service().ReadContent(name, v1::CONTENT_PART_PATH);
  ASSERT_TRUE(path.ok()) << path.error().message;
  EXPECT_EQ((*path)->size(), 8u);
  EXPECT_EQ(Create(SmallSpec(), create), name) << "the same request is the same job";
}

TEST_F(RestartTest, WatchersGetTheResultUnderItsSequence) {
  const std::string name = Solved();
  const int64_t last = Get(name).last_sequence();
  Restart();
  for (const int64_t from : {int64_t{0}, int64_t{1}, last, last + 100}) {
    const std::vector<v1::Event> events = TakeAll(Attach(name, from).get());
    EXPECT_EQ(ResultOf(events).outcome(), v1::OUTCOME_SOLVED) << from;
    EXPECT_EQ(events.back().sequence(), last);
  }
}

TEST_F(RestartTest, AJobThatRanWhenTheDaemonDiedIsInterrupted) {
  const std::string running = Running();
  const std::string waiting = Create(SmallSpec());
  KillAndRestart();
  for (const std::string& name : {running, waiting}) {
    const v1::Job job = Get(name);
    EXPECT_EQ(job.state(), v1::JOB_STATE_DONE) << name;
    EXPECT_EQ(job.result().outcome(), v1::OUTCOME_INTERRUPTED);
    EXPECT_EQ(job.result().explanation(), "The server ended before the job did.");
    EXPECT_EQ(job.result().provenance().server_version(), "0.1.0-test");
    EXPECT_EQ(ResultOf(TakeAll(Attach(name).get())).outcome(), v1::OUTCOME_INTERRUPTED);
  }
  const v1::Job job = Get(running);
  KillAndRestart();
  EXPECT_EQ(Get(running).end_time().SerializeAsString(), job.end_time().SerializeAsString()) << "it ended once";
}

TEST_F(RestartTest, NewJobsComeAfterThoseFromBefore) {
  const std::string first = Solved();
  Restart();
  const std::string second = Solved();
  const auto list = service().ListJobs({});
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->jobs_size(), 2);
  EXPECT_EQ(list->jobs(0).name(), second);
  EXPECT_EQ(list->jobs(1).name(), first);
}

TEST_F(RestartTest, DeletedExpiredAndAttachedJobsDoNotComeBack) {
  const std::string deleted = Solved();
  ASSERT_TRUE(service().DeleteJob(deleted).ok());
  CreateOptions attached;
  attached.attached = true;
  const std::string waited_for = Solved(attached);
  const std::string expired = Solved();
  const std::string kept = Solved();
  Restart();
  EXPECT_FALSE(service().GetJob(deleted).ok());
  EXPECT_FALSE(service().GetJob(waited_for).ok());
  EXPECT_TRUE(service().GetJob(expired).ok());
  options.retention_detached = std::chrono::milliseconds(0);
  Restart();
  EXPECT_FALSE(service().GetJob(expired).ok());
  options.retention_detached = std::chrono::hours(1);
  Restart();
  EXPECT_FALSE(service().GetJob(kept).ok()) << "what has expired is forgotten for good";
}

TEST_F(RestartTest, ARestoredJobExpiresWhenItWouldHave) {
  const std::string name = Solved();
  Restart();
  ASSERT_TRUE(service().GetJob(name).ok());
  time.Advance(options.retention_detached);
  EXPECT_FALSE(service().GetJob(name).ok());
}

TEST_F(RestartTest, ATornLastRecordCostsThatRecordAlone) {
  const std::string name = Solved();
  End();
  const std::string whole = testing::ReadFile(journal_file());
  std::ofstream(journal_file(), std::ios::binary | std::ios::app) << whole.substr(20, 40);
  log.clear();
  Restart();
  EXPECT_EQ(Get(name).result().outcome(), v1::OUTCOME_SOLVED);
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find("warning: the job journal ends in the middle of a record"), std::string::npos) << log[0];
}

TEST_F(RestartTest, ALongPathHasAFileOfItsOwnAsLongAsItsJob) {
  const std::string name = Create(SmallSpec());
  const FakeWorkerPtr worker = pool.WaitWorker(0);
  internal::v1::ToDaemon content;
  content.mutable_content()->set_path_ops(std::string(4 << 20, '\1'));
  content.mutable_content()->set_path_bytes(4 << 20);
  worker->Say(content);
  v1::Result result;
  result.set_outcome(v1::OUTCOME_SOLVED);
  result.set_cost_scale(1);
  result.set_cost(1 << 20);
  result.mutable_path()->set_length(1 << 20);
  result.mutable_path()->set_truncated(true);
  worker->SayResult(result);
  Restart();
  const auto path = service().ReadContent(name, v1::CONTENT_PART_PATH);
  ASSERT_TRUE(path.ok()) << path.error().message;
  EXPECT_EQ(**path, std::string(4 << 20, '\1'));
  const std::string file = folder() + "/" + name.substr(5) + ".content";
  EXPECT_EQ(fs::file_size(file) >> 20, 4u);

  // Damaged: the job is there without it, and the log tells.
  End();
  fs::resize_file(file, 1000);
  log.clear();
  Restart();
  EXPECT_EQ(Get(name).result().outcome(), v1::OUTCOME_SOLVED);
  EXPECT_FALSE(service().ReadContent(name, v1::CONTENT_PART_PATH).ok());
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find("the path of " + name), std::string::npos) << log[0];

  ASSERT_TRUE(service().DeleteJob(name).ok());
  Restart();
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RestartTest, TheFileDoesNotGrowWithJobsThatAreGone) {
  const v1::JobSpec large = SmallSpec("# " + std::string(1 << 20, 'x') + "\n1 2 3/4 5 6/7 0 8");
  std::string last;
  for (int i = 0; i < 30; ++i) {
    if (!last.empty()) {
      ASSERT_TRUE(service().DeleteJob(last).ok());
    }
    last = Create(large);
    pool.WaitWorker(static_cast<size_t>(i))->SaySolved();
  }
  Restart();
  EXPECT_EQ(Get(last).result().outcome(), v1::OUTCOME_SOLVED);
  EXPECT_LT(fs::file_size(journal_file()), 12u << 20) << "60 MiB went through it";
}

TEST_F(RestartTest, JobsGoOnWhenTheJournalCannotBeWritten) {
  const std::string before = Solved();
  service();
  // What is in the way of the long path's file.
  const std::string name = Create(SmallSpec());
  const std::string temporary = folder() + "/" + name.substr(5) + ".content.tmp";
  fs::create_directory(temporary);
  const FakeWorkerPtr worker = pool.WaitWorker(1);
  internal::v1::ToDaemon content;
  content.mutable_content()->set_path_ops(std::string(1 << 20, '\1'));
  content.mutable_content()->set_path_bytes(1 << 20);
  worker->Say(content);
  worker->SaySolved();
  EXPECT_EQ(Get(name).result().outcome(), v1::OUTCOME_SOLVED);
  Create(SmallSpec());  // waits for the journal
  fs::remove(temporary);
  pool.WaitWorker(2)->SaySolved();
  Restart();  // the journal's end tries again
  EXPECT_EQ(Get(name).result().outcome(), v1::OUTCOME_SOLVED);
  EXPECT_TRUE(service().ReadContent(name, v1::CONTENT_PART_PATH).ok());
  int told = 0;
  for (const std::string& line : log) told += line.find("the job journal is not written") != std::string::npos ? 1 : 0;
  EXPECT_EQ(told, 1);
}

TEST_F(RestartTest, RecordsThatAreGivenUpAreCountedInTheLog) {
  constexpr int kKept = 1000;
  const auto entry = [](const std::string& id) {
    JournalEntry out;
    out.facts.set_name("jobs/" + id);
    out.spec = std::make_shared<const v1::JobSpec>();
    return out;
  };
  // What is in the way of the first one's file.
  fs::create_directory(folder() + "/0.content.tmp");
  auto content = std::make_shared<internal::v1::JobContent>();
  content->set_path_ops(std::string(1 << 20, '\1'));
  JournalEntry blocked = entry("0");
  blocked.content = content;
  options.journal->Put(blocked);
  uint64_t last = 0;
  for (int i = 1; i <= kKept + 2; ++i) last = options.journal->Put(entry("0"));  // what follows of it waits too
  options.journal->WaitWritten(last);
  last = options.journal->Put(entry("1"));
  options.journal->WaitWritten(last);
  End();
  const std::string all = std::accumulate(log.begin(), log.end(), std::string());
  EXPECT_NE(all.find("the job journal is written again"), std::string::npos) << all;
  EXPECT_NE(all.find("the job journal lacks "), std::string::npos) << all;
}

TEST_F(RestartTest, ARecordThatCannotBeWrittenHoldsUpNoOther) {
  service();
  fs::create_directory(folder() + "/0.content.tmp");
  JournalEntry blocked;
  blocked.facts.set_name("jobs/0");
  blocked.spec = std::make_shared<const v1::JobSpec>();
  JournalEntry other = blocked;
  other.facts.set_name("jobs/abc");
  auto content = std::make_shared<internal::v1::JobContent>();
  content->set_path_ops(std::string(1 << 20, '\1'));
  blocked.content = content;
  options.journal->Put(blocked);
  options.journal->WaitWritten(options.journal->Put(other));
  std::ifstream in(journal_file(), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_NE(bytes.find("jobs/abc"), std::string::npos);
  EXPECT_EQ(bytes.find("jobs/0"), std::string::npos);
}

// Whole and with the right checksum, but no daemon wrote it: reckoned with, its numbers would overflow.
TEST_F(RestartTest, ARecordThatMakesNoSenseIsLeftOut) {
  const std::string good = Solved();
  End();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  std::vector<internal::v1::JournalRecord> records(4);
  for (size_t i = 0; i < records.size(); ++i) {
    records[i].mutable_job()->set_name("jobs/0" + std::to_string(i));
    records[i].mutable_job()->mutable_result()->set_outcome(v1::OUTCOME_SOLVED);
  }
  records[0].mutable_job()->set_order(kMost);
  records[1].mutable_job()->set_last_sequence(kMost);
  records[2].mutable_job()->mutable_end_time()->set_seconds(kMost);
  records[3].mutable_job()->mutable_create_time()->set_nanos(-1);
  {
    RecordFile::Cut cut;
    Result<RecordFile> file = RecordFile::Open(
        journal_file(), [](std::string_view, RecordPlace) {}, &cut);
    ASSERT_TRUE(file.ok());
    std::vector<std::string> payloads;
    for (const auto& record : records) payloads.push_back(record.SerializeAsString());
    std::vector<RecordPlace> places;
    ASSERT_TRUE(file->Append(payloads, &places).ok());
  }
  Restart();
  EXPECT_EQ(Get(good).result().outcome(), v1::OUTCOME_SOLVED);
  const Result<v1::ListJobsResponse> list = service().ListJobs({});
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->jobs_size(), 1);
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(log.back(), "error: 4 records of the job journal make no sense and are left out");
}

}  // namespace
}  // namespace astrolabe::jobs
