// Fuzzes what a daemon reads that starts where another one ended: the job journal. The first byte is even: the rest is
// the file. Odd: it is records, each behind two bytes of length, which get heads and checksums here. Whatever it is, it
// is refused with a message, or it is read, every job in it is told with a result, and the next daemon knows the same
// jobs.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/journal.h"
#include "daemon/jobs/record_file.h"
#include "tests/daemon/jobs/fake_pool.h"
#include "tests/daemon/jobs/fake_registry.h"
#include "tests/daemon/jobs/fake_time.h"
#include "tests/fuzz/demand.h"

namespace {

using astrolabe::Result;
using astrolabe::jobs::JobService;
using astrolabe::jobs::Journal;
using astrolabe::jobs::RecordFile;
using fuzz::Demand;
namespace fs = std::filesystem;
namespace jobs = astrolabe::jobs;
namespace v1 = astrolabe::v1;

// In memory where there is such a folder; removed when the process ends in order.
class Folder {
 public:
  Folder() {
    std::string name = (fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/fuzzXXXXXX";
    Demand(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }
  std::string journal() const { return path_ + "/jobs.journal"; }
  void Clear() const {
    for (const auto& file : fs::directory_iterator(path_)) fs::remove(file.path());
  }

 private:
  std::string path_;
};

void WriteRecords(const std::string& path, std::string_view rest) {
  std::vector<std::string> payloads;
  while (rest.size() > 2) {
    const size_t size = static_cast<unsigned char>(rest[0]) | static_cast<size_t>(static_cast<unsigned char>(rest[1]))
                                                                  << 8;
    payloads.emplace_back(rest.substr(2, size));
    rest.remove_prefix(std::min(rest.size(), 2 + size));
  }
  RecordFile::Cut cut;
  Result<RecordFile> file = RecordFile::Open(
      path, [](std::string_view, jobs::RecordPlace) {}, &cut);
  std::vector<jobs::RecordPlace> places;
  Demand(file.ok() && file->Append(payloads, &places).ok());
}

// The names of the jobs that a daemon finds, each looked at as a client would. Null: it cannot be read.
std::unique_ptr<std::set<std::string>> JobsOf(const std::string& folder, int* complaints) {
  Result<std::unique_ptr<Journal>> journal =
      Journal::Open(folder, [&](std::string_view level, std::string_view) { *complaints += level != "info"; });
  if (!journal.ok()) {
    Demand(!journal.error().message.empty());
    return nullptr;
  }
  jobs::FakeTime time;
  jobs::FakePool pool;
  jobs::FakeRegistry registry;
  jobs::JobsOptions options;
  options.journal = *std::move(journal);
  const std::unique_ptr<JobService> service = jobs::CreateJobService(options, &registry, &pool, {time.timers, nullptr});
  auto names = std::make_unique<std::set<std::string>>();
  v1::ListJobsRequest request;
  request.set_page_size(1000);
  const Result<v1::ListJobsResponse> list = service->ListJobs(request);
  Demand(list.ok());
  for (const v1::Job& listed : list->jobs()) {
    const Result<v1::Job> job = service->GetJob(listed.name());
    v1::Job again;
    Demand(job.ok() && job->has_result() && again.ParseFromString(job->SerializeAsString()));
    const auto watch = service->WatchJob(listed.name(), 0, {});
    if (watch.ok()) {
      jobs::EncodedEvent event;
      astrolabe::Error error;
      (void)(*watch)->Poll(&event, &error);
      (*watch)->Close();
    }
    v1::ListPathStepsRequest steps;
    steps.set_name(listed.name());
    (void)service->ListPathSteps(steps);
    for (const auto part : {v1::CONTENT_PART_FINAL_STATE, v1::CONTENT_PART_CANONICAL_INSTANCE, v1::CONTENT_PART_PATH}) {
      (void)service->ReadContent(listed.name(), part);
    }
    names->insert(listed.name());
  }
  return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  folder.Clear();
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    std::ofstream(folder.journal(), std::ios::binary) << rest;
  } else {
    WriteRecords(folder.journal(), rest);
  }
  int complaints = 0;
  const auto first = JobsOf(folder.path(), &complaints);
  int again = 0;
  const auto second = JobsOf(folder.path(), &again);
  Demand((first == nullptr) == (second == nullptr));
  Demand(first == nullptr || *first == *second);
  return 0;
}
