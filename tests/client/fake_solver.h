// The double's SolverService: what its behaviour says, or something plain.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_SOLVER_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_SOLVER_H_

#include <string>

#include "astrolabe/v1/solver.grpc.pb.h"
#include "tests/client/fake_behaviour.h"
#include "tests/client/fake_events.h"
#include "tests/client/rich_error.h"

namespace astrolabe::testing {

template <typename Response>
class StreamSink : public EventSink {
 public:
  StreamSink(grpc::ServerContext* context, grpc::ServerWriter<Response>* writer) : context_(context), writer_(writer) {}
  bool Write(const v1::Event& event) override {
    Response response;
    *response.mutable_event() = event;
    return writer_->Write(response);
  }
  bool cancelled() const override { return context_->IsCancelled(); }

 private:
  grpc::ServerContext* context_;
  grpc::ServerWriter<Response>* writer_;
};

class FakeSolver : public v1::SolverService::Service {
 public:
  explicit FakeSolver(const FakeBehaviour* behaviour) : behaviour_(behaviour) {}

  grpc::Status Solve(grpc::ServerContext* context, const v1::SolveRequest* request,
                     grpc::ServerWriter<v1::SolveResponse>* writer) override {
    StreamSink<v1::SolveResponse> sink(context, writer);
    if (behaviour_->solve) return behaviour_->solve(*request, sink);
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, SolvedBoard()));
    return grpc::Status::OK;
  }
  grpc::Status WatchJob(grpc::ServerContext* context, const v1::WatchJobRequest* request,
                        grpc::ServerWriter<v1::WatchJobResponse>* writer) override {
    StreamSink<v1::WatchJobResponse> sink(context, writer);
    if (behaviour_->watch) return behaviour_->watch(*request, sink);
    return NoJob(request->name());
  }
  grpc::Status CreateJob(grpc::ServerContext*, const v1::CreateJobRequest* request,
                         v1::CreateJobResponse* response) override {
    if (behaviour_->create) return behaviour_->create(*request, response);
    response->mutable_job()->set_name(kFakeJob);
    return grpc::Status::OK;
  }
  grpc::Status GetJob(grpc::ServerContext*, const v1::GetJobRequest* request, v1::GetJobResponse* response) override {
    if (request->name() != kFakeJob) return NoJob(request->name());
    response->mutable_job()->set_name(kFakeJob);
    response->mutable_job()->set_state(v1::JOB_STATE_DONE);
    *response->mutable_job()->mutable_result() = SolvedBoard();
    return grpc::Status::OK;
  }
  grpc::Status ListJobs(grpc::ServerContext*, const v1::ListJobsRequest* request,
                        v1::ListJobsResponse* response) override {
    // Two pages.
    v1::Job* job = response->add_jobs();
    job->set_name(request->page_token().empty() ? kFakeJob : "jobs/other");
    job->set_state(v1::JOB_STATE_SEARCHING);
    job->mutable_spec()->set_problem("sliding_tile");
    if (request->page_token().empty()) response->set_next_page_token("more");
    return grpc::Status::OK;
  }
  grpc::Status CancelJob(grpc::ServerContext*, const v1::CancelJobRequest* request,
                         v1::CancelJobResponse* response) override {
    if (behaviour_->cancel) behaviour_->cancel(request->name());
    response->mutable_job()->set_name(request->name());
    return grpc::Status::OK;
  }
  grpc::Status UpdateJob(grpc::ServerContext*, const v1::UpdateJobRequest* request,
                         v1::UpdateJobResponse* response) override {
    if (behaviour_->update) return behaviour_->update(*request, response);
    return NoJob(request->name());
  }
  grpc::Status DeleteJob(grpc::ServerContext*, const v1::DeleteJobRequest* request, v1::DeleteJobResponse*) override {
    return request->name() == kFakeJob ? grpc::Status::OK : NoJob(request->name());
  }
  grpc::Status ListPathSteps(grpc::ServerContext*, const v1::ListPathStepsRequest* request,
                             v1::ListPathStepsResponse* response) override {
    if (behaviour_->path_steps) return behaviour_->path_steps(*request, response);
    return NoJob(request->name());
  }
  grpc::Status ReadContent(grpc::ServerContext*, const v1::ReadContentRequest* request,
                           grpc::ServerWriter<v1::ReadContentResponse>* writer) override {
    if (!behaviour_->content) return NoJob(request->name());
    for (const std::string& chunk : behaviour_->content(*request)) {
      v1::ReadContentResponse response;
      response.set_chunk(chunk);
      if (!writer->Write(response)) return grpc::Status::CANCELLED;
    }
    return grpc::Status::OK;
  }
  grpc::Status ValidatePath(grpc::ServerContext*, grpc::ServerReader<v1::ValidatePathRequest>* reader,
                            v1::ValidatePathResponse* response) override {
    v1::ValidatePathRequest request;
    while (reader->Read(&request)) {
      if (behaviour_->path_piece && !behaviour_->path_piece(request)) break;
    }
    *response = behaviour_->checked_path;
    return behaviour_->path_status;
  }
  grpc::Status EvaluateStates(grpc::ServerContext*, const v1::EvaluateStatesRequest* request,
                              v1::EvaluateStatesResponse* response) override {
    if (behaviour_->evaluate) return behaviour_->evaluate(*request, response);
    response->add_evaluations()->set_state("0 1 3\n4 2 5\n7 8 6");
    return grpc::Status::OK;
  }
  grpc::Status ValidateInstance(grpc::ServerContext*, const v1::ValidateInstanceRequest* request,
                                v1::ValidateInstanceResponse* response) override {
    if (behaviour_->validate) return behaviour_->validate(*request, response);
    response->set_size("3 x 3 board, 8 tiles");
    response->set_solvable(v1::SOLVABLE_YES);
    return grpc::Status::OK;
  }

 private:
  static grpc::Status NoJob(const std::string& name) {
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no job " + name, "UNKNOWN_JOB");
  }
  const FakeBehaviour* behaviour_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_SOLVER_H_
