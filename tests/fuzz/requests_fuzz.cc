// Fuzzes what the daemon makes of the bytes of clients: the first byte chooses a call, the rest is its request.
// Whatever it is, it is refused with a reason that gRPC can carry, or taken: then what was filled in passes the checks
// again, unchanged, and the job has one stream of events that ends with its Result.
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/base/utf8.h"
#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/spec_check.h"
#include "daemon/server/error_status.h"
#include "daemon/server/parse_request.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "tests/daemon/jobs/fake_pool.h"
#include "tests/daemon/jobs/fake_registry.h"
#include "tests/daemon/jobs/fake_time.h"
#include "tests/fuzz/demand.h"

namespace {

using astrolabe::Error;
using astrolabe::Result;
using astrolabe::Status;
using astrolabe::jobs::JobService;
using fuzz::Demand;
namespace jobs = astrolabe::jobs;
namespace v1 = astrolabe::v1;

constexpr size_t kPeersAccept = 8192;  // of metadata
constexpr int kCallsOfOne = 5000;      // of one service

template <typename Message>
std::string BytesOf(const Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  return bytes;
}

// A service in which nothing happens by itself: one job has all slots, another waits, workers say nothing, and the
// clock stands still.
class Service {
 public:
  Service() {
    jobs::JobsOptions options;
    options.slots = kSlots;
    service_ = jobs::CreateJobService(options, &registry_, &pool_, {time_.timers, nullptr});
    v1::JobSpec spec;
    spec.set_problem("sliding_tile");
    spec.set_text("1 2 3");
    spec.set_threads(kSlots);
    running_ = NewJob(spec);
    (void)pool_.WaitWorker(0);
    waiting_ = NewJob(spec);
  }
  JobService* operator->() const { return service_.get(); }
  // The job that runs, the one that waits, or whatever the request names.
  std::string NameOf(const std::string& name) const { return name.empty() ? running_ : name == "q" ? waiting_ : name; }

 private:
  static constexpr int kSlots = 4;

  std::string NewJob(const v1::JobSpec& spec) {
    const Result<std::string> name = service_->CreateJob(spec, {});
    Demand(name.ok());
    return *name;
  }

  jobs::FakeTime time_;
  jobs::FakePool pool_;
  jobs::FakeRegistry registry_;
  std::unique_ptr<JobService> service_;
  std::string running_;
  std::string waiting_;
};

// Length of a message as gRPC sends it.
size_t PercentEncoded(std::string_view text) {
  size_t size = 0;
  for (const char c : text) size += c >= ' ' && c <= '~' && c != '%' ? 1 : 3;
  return size;
}

void Refused(const Error& error) {
  const grpc::Status status = astrolabe::server::ToGrpcStatus(error);
  Demand(!status.ok() && !error.reason.empty() && !status.error_message().empty());
  Demand(astrolabe::IsValidUtf8(status.error_message()));
  Demand(PercentEncoded(status.error_message()) + status.error_details().size() * 4 / 3 < kPeersAccept);
}

template <typename T>
bool Taken(const Result<T>& result) {
  if (!result.ok()) Refused(result.error());
  return result.ok();
}

// Of a cancelled job: all of them, the Result last.
void ReadEvents(jobs::Watch& watch) {
  for (;;) {
    jobs::EncodedEvent encoded;
    Error error;
    const auto next = watch.Poll(&encoded, &error);
    if (next == jobs::Watch::Next::kError) return Refused(error);
    Demand(next == jobs::Watch::Next::kEvent);
    v1::Event event;
    Demand(event.ParseFromString(encoded.head + (encoded.body ? *encoded.body : std::string())));
    Demand(event.has_result() == encoded.last);
    if (encoded.last) return;
  }
}

void End(const Service& service, const std::string& name) {
  Demand(service->CancelJob(name).ok());
  const Result<v1::Job> job = service->GetJob(name);
  Demand(job.ok() && job->state() == v1::JOB_STATE_DONE && job->result().outcome() == v1::OUTCOME_CANCELLED);
  const Status deleted = service->DeleteJob(name);
  Demand(deleted.ok());
}

void Solve(const Service& service, const v1::SolveRequest& request) {
  const Result<v1::JobSpec> checked = service->CheckSpec(request.spec());
  if (Taken(checked)) {
    const Result<v1::JobSpec> again = service->CheckSpec(*checked);
    Demand(again.ok() && BytesOf(*again) == BytesOf(*checked));
  }
  Result<JobService::Solving> solving = service->Solve(request.spec(), {}, request.watch());
  if (!Taken(solving)) return;
  Demand(checked.ok());
  Demand(service->CancelJob(solving->name).ok());
  ReadEvents(*solving->watch);
  solving->watch->Close();
  End(service, solving->name);
}

void CreateJob(const Service& service, const v1::CreateJobRequest& request) {
  jobs::CreateOptions options;
  options.request_id = request.request_id();
  const Result<std::string> name = service->CreateJob(request.spec(), options);
  if (!Taken(name)) return;
  const Result<std::string> again = service->CreateJob(request.spec(), options);
  Demand(again.ok() && (*again == *name) == !options.request_id.empty());
  if (*again != *name) End(service, *again);
  const Result<v1::Job> job = service->GetJob(*name);
  Demand(job.ok() && !job->SerializeAsString().empty());
  End(service, *name);
}

void UpdateJob(const Service& service, v1::UpdateJobRequest request) {
  request.set_name(service.NameOf(request.name()));
  const Result<v1::Job> updated = service->UpdateJob(request);
  Taken(updated);
}

void WatchJob(const Service& service, const v1::WatchJobRequest& request) {
  const Result<std::unique_ptr<jobs::Watch>> watch =
      service->WatchJob(service.NameOf(request.name()), request.from_sequence(), request.watch());
  if (!Taken(watch)) return;
  jobs::EncodedEvent encoded;
  Error error;
  for (int i = 0; i < 3; ++i) {
    if ((*watch)->Poll(&encoded, &error) == jobs::Watch::Next::kError) return Refused(error);
  }
  (*watch)->Close();
}

void ListJobs(const Service& service, const v1::ListJobsRequest& request) { Taken(service->ListJobs(request)); }

void ListPathSteps(const Service& service, v1::ListPathStepsRequest request) {
  request.set_name(service.NameOf(request.name()));
  Taken(service->ListPathSteps(request));
}

void ReadContent(const Service& service, const v1::ReadContentRequest& request) {
  if (!v1::ContentPart_IsValid(request.part()) || request.part() == v1::CONTENT_PART_UNSPECIFIED) return;
  Taken(service->ReadContent(service.NameOf(request.name()), request.part()));
}

void ValidateInstance(const Service& service, const v1::ValidateInstanceRequest& request) {
  (void)service->ValidateInstance(request.instance(),
                                  [](const Result<v1::ValidateInstanceResponse>& result) { Demand(!Taken(result)); });
}

void EvaluateStates(const Service& service, const v1::EvaluateStatesRequest& request) {
  (void)service->EvaluateStates(request,
                                [](const Result<v1::EvaluateStatesResponse>& result) { Demand(!Taken(result)); });
}

void ValidatePath(const Service& service, const v1::ValidatePathRequest& request) {
  const std::shared_ptr<jobs::PathFeed> feed = service->ValidatePath(
      request.instance(), [] {}, [](const Result<v1::ValidatePathResponse>& result) { Demand(!Taken(result)); });
  feed->Send(request, true);
}

void Names(const Service& service, const v1::GetJobRequest& request) {
  if (request.name().starts_with("jobs/")) return;  // not that which is kept
  Demand(!Taken(service->GetJob(request.name())) && !Taken(service->CancelJob(request.name())));
  const Status deleted = service->DeleteJob(request.name());
  Demand(!deleted.ok());
  Refused(deleted.error());
}

template <typename Message, void (*Call)(const Service&, const Message&)>
void Parse(const Service& service, const grpc::ByteBuffer& bytes) {
  const Result<Message> request = astrolabe::server::ParseRequest<Message>(bytes);
  if (Taken(request)) Call(service, *request);
}
template <typename Message, void (*Call)(const Service&, Message)>
void Parse(const Service& service, const grpc::ByteBuffer& bytes) {
  const Result<Message> request = astrolabe::server::ParseRequest<Message>(bytes);
  if (Taken(request)) Call(service, *request);
}

constexpr void (*kCalls[])(const Service&, const grpc::ByteBuffer&) = {
    &Parse<v1::SolveRequest, &Solve>,
    &Parse<v1::CreateJobRequest, &CreateJob>,
    &Parse<v1::UpdateJobRequest, &UpdateJob>,
    &Parse<v1::WatchJobRequest, &WatchJob>,
    &Parse<v1::ListJobsRequest, &ListJobs>,
    &Parse<v1::ListPathStepsRequest, &ListPathSteps>,
    &Parse<v1::ReadContentRequest, &ReadContent>,
    &Parse<v1::ValidateInstanceRequest, &ValidateInstance>,
    &Parse<v1::EvaluateStatesRequest, &EvaluateStates>,
    &Parse<v1::ValidatePathRequest, &ValidatePath>,
    &Parse<v1::GetJobRequest, &Names>,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::unique_ptr<Service> service;
  static int calls = 0;
  if (size == 0) return 0;
  if (calls++ % kCallsOfOne == 0) service = std::make_unique<Service>();  // its workers gather
  const grpc::Slice slice(data + 1, size - 1);
  kCalls[data[0] % std::size(kCalls)](*service, grpc::ByteBuffer(&slice, 1));
  return 0;
}
