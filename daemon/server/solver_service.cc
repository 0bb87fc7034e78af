#include "daemon/server/solver_service.h"

#include <string>
#include <utility>

#include "daemon/server/content_stream.h"
#include "daemon/server/event_stream.h"
#include "daemon/server/parse_request.h"
#include "daemon/server/path_call.h"
#include "daemon/server/spec_defaults.h"
#include "daemon/server/unary.h"
#include "daemon/server/worker_call.h"

namespace astrolabe::server {
namespace {

constexpr size_t kMaxRequestIdBytes = 128;

FailedStream* Failed(const Error& error) { return new FailedStream(ToGrpcStatus(error)); }

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* SolverService::Solve(grpc::CallbackServerContext*,
                                                                 const grpc::ByteBuffer* bytes) {
  const auto start = [&](v1::SolveRequest request, const RequestBudget::Share&) -> Result<EventStream*> {
    if (!v1::DisconnectPolicy_IsValid(request.disconnect_policy())) {
      return InvalidField("disconnect_policy", "is none of DISCONNECT_POLICY_CANCEL and _DETACH");
    }
    jobs::CreateOptions options;
    options.attached = request.disconnect_policy() != v1::DISCONNECT_POLICY_DETACH;
    FillLimits(context_->settings.default_limits(), request.mutable_spec());
    Result<jobs::JobService::Solving> solving = jobs_->Solve(request.spec(), options, request.watch());
    if (!solving.ok()) return std::move(solving).error();
    std::function<void()> on_abandoned;
    if (options.attached) {
      on_abandoned = [jobs = jobs_, name = solving->name] { (void)jobs->CancelJob(name); };
    }
    return EventStream::Start(context_, std::move(solving->watch), std::move(on_abandoned));
  };
  const Result<EventStream*> stream = UseRequest<v1::SolveRequest>(*bytes, &context_->requests, start);
  if (!stream.ok()) return Failed(stream.error());
  return *stream;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* SolverService::WatchJob(grpc::CallbackServerContext*,
                                                                    const grpc::ByteBuffer* bytes) {
  const Result<v1::WatchJobRequest> request = ParseRequest<v1::WatchJobRequest>(*bytes);
  if (!request.ok()) return Failed(request.error());
  Result<std::unique_ptr<jobs::Watch>> watch =
      jobs_->WatchJob(request->name(), request->from_sequence(), request->watch());
  if (!watch.ok()) return Failed(watch.error());
  return EventStream::Start(context_, std::move(*watch), nullptr);
}

Result<v1::CreateJobResponse> SolverService::Create(const grpc::ByteBuffer& bytes) {
  const auto create = [&](v1::CreateJobRequest request, const RequestBudget::Share&) -> Result<v1::CreateJobResponse> {
    if (request.request_id().size() > kMaxRequestIdBytes) {
      return InvalidField("request_id", "is longer than 128 bytes");
    }
    FillLimits(context_->settings.default_limits(), request.mutable_spec());
    v1::CreateJobResponse response;
    if (request.validate_only()) {
      Result<v1::JobSpec> checked = jobs_->CheckSpec(request.spec());
      if (!checked.ok()) return std::move(checked).error();
      *response.mutable_job()->mutable_spec() = *std::move(checked);
      return response;
    }
    jobs::CreateOptions options;
    options.request_id = request.request_id();
    const Result<std::string> name = jobs_->CreateJob(request.spec(), options);
    if (!name.ok()) return name.error();
    Result<v1::Job> job = jobs_->GetJob(*name);
    if (!job.ok()) return std::move(job).error();
    *response.mutable_job() = *std::move(job);
    return response;
  };
  return UseRequest<v1::CreateJobRequest>(bytes, &context_->requests, create);
}

grpc::ServerUnaryReactor* SolverService::CreateJob(grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes,
                                                   grpc::ByteBuffer* response) {
  context_->activity.Touch();
  return Answer(context, Create(*bytes), [&](const v1::CreateJobResponse& created) { *response = ToBytes(created); });
}

grpc::ServerUnaryReactor* SolverService::GetJob(grpc::CallbackServerContext* context, const v1::GetJobRequest* request,
                                                v1::GetJobResponse* response) {
  context_->activity.Touch();
  return Answer(context, jobs_->GetJob(request->name()),
                [&](v1::Job job) { *response->mutable_job() = std::move(job); });
}

grpc::ServerUnaryReactor* SolverService::ListJobs(grpc::CallbackServerContext* context,
                                                  const v1::ListJobsRequest* request, v1::ListJobsResponse* response) {
  context_->activity.Touch();
  return Answer(context, jobs_->ListJobs(*request), [&](v1::ListJobsResponse jobs) { *response = std::move(jobs); });
}

grpc::ServerUnaryReactor* SolverService::CancelJob(grpc::CallbackServerContext* context,
                                                   const v1::CancelJobRequest* request,
                                                   v1::CancelJobResponse* response) {
  context_->activity.Touch();
  return Answer(context, jobs_->CancelJob(request->name()),
                [&](v1::Job job) { *response->mutable_job() = std::move(job); });
}

grpc::ServerUnaryReactor* SolverService::DeleteJob(grpc::CallbackServerContext* context,
                                                   const v1::DeleteJobRequest* request, v1::DeleteJobResponse*) {
  context_->activity.Touch();
  return Answer(context, ToGrpcStatus(jobs_->DeleteJob(request->name())));
}

grpc::ServerUnaryReactor* SolverService::UpdateJob(grpc::CallbackServerContext* context,
                                                   const v1::UpdateJobRequest* request,
                                                   v1::UpdateJobResponse* response) {
  context_->activity.Touch();
  return Answer(context, jobs_->UpdateJob(*request), [&](v1::Job job) { *response->mutable_job() = std::move(job); });
}

grpc::ServerUnaryReactor* SolverService::ListPathSteps(grpc::CallbackServerContext* context,
                                                       const v1::ListPathStepsRequest* request,
                                                       v1::ListPathStepsResponse* response) {
  context_->activity.Touch();
  return Answer(context, jobs_->ListPathSteps(*request),
                [&](v1::ListPathStepsResponse steps) { *response = std::move(steps); });
}

grpc::ServerWriteReactor<v1::ReadContentResponse>* SolverService::ReadContent(grpc::CallbackServerContext*,
                                                                              const v1::ReadContentRequest* request) {
  context_->activity.Touch();
  if (!v1::ContentPart_IsValid(request->part()) || request->part() == v1::CONTENT_PART_UNSPECIFIED) {
    return new FailedContentStream(
        ToGrpcStatus(InvalidField("part", "must be CONTENT_PART_FINAL_STATE, _CANONICAL_INSTANCE or _PATH")));
  }
  Result<std::shared_ptr<const std::string>> content = jobs_->ReadContent(request->name(), request->part());
  if (!content.ok()) return new FailedContentStream(ToGrpcStatus(content.error()));
  return ContentStream::Start(context_, std::move(*content));
}

grpc::ServerUnaryReactor* SolverService::ValidateInstance(grpc::CallbackServerContext* context,
                                                          const grpc::ByteBuffer* bytes, grpc::ByteBuffer* response) {
  context_->activity.Touch();
  using Call = WorkerCall<v1::ValidateInstanceResponse>;
  const auto start = [&](const v1::ValidateInstanceRequest& request, RequestBudget::Share share) -> Result<Call*> {
    return new Call([&](Call::Done done) { return jobs_->ValidateInstance(request.instance(), std::move(done)); },
                    response, std::move(share));
  };
  const Result<Call*> call = UseRequest<v1::ValidateInstanceRequest>(*bytes, &context_->requests, start);
  if (!call.ok()) return Answer(context, ToGrpcStatus(call.error()));
  return *call;
}

grpc::ServerUnaryReactor* SolverService::EvaluateStates(grpc::CallbackServerContext* context,
                                                        const grpc::ByteBuffer* bytes, grpc::ByteBuffer* response) {
  context_->activity.Touch();
  using Call = WorkerCall<v1::EvaluateStatesResponse>;
  const auto start = [&](const v1::EvaluateStatesRequest& request, RequestBudget::Share share) -> Result<Call*> {
    return new Call([&](Call::Done done) { return jobs_->EvaluateStates(request, std::move(done)); }, response,
                    std::move(share));
  };
  const Result<Call*> call = UseRequest<v1::EvaluateStatesRequest>(*bytes, &context_->requests, start);
  if (!call.ok()) return Answer(context, ToGrpcStatus(call.error()));
  return *call;
}

grpc::ServerReadReactor<grpc::ByteBuffer>* SolverService::ValidatePath(grpc::CallbackServerContext*,
                                                                       grpc::ByteBuffer* response) {
  return PathCall::Start(context_, jobs_, response);
}

}  // namespace astrolabe::server
