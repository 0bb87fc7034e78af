// astrolabe.v1.SolverService over jobs::JobService. Holds no logic: it converts, and hands over.
#ifndef ASTROLABE_DAEMON_SERVER_SOLVER_SERVICE_H_
#define ASTROLABE_DAEMON_SERVER_SOLVER_SERVICE_H_

#include "astrolabe/v1/solver.grpc.pb.h"
#include "daemon/jobs/job_service.h"
#include "daemon/server/service_context.h"

namespace astrolabe::server {

// Solve and WatchJob are raw: node batches pass through the daemon unparsed. So is what carries instances: it is parsed
// when there is memory for it (request_budget.h). ValidatePath: see path_call.h.
using SolverServiceBase = v1::SolverService::WithRawCallbackMethod_Solve<
    v1::SolverService::WithRawCallbackMethod_WatchJob<v1::SolverService::WithRawCallbackMethod_CreateJob<
        v1::SolverService::WithCallbackMethod_GetJob<v1::SolverService::WithCallbackMethod_ListJobs<
            v1::SolverService::WithCallbackMethod_CancelJob<v1::SolverService::WithCallbackMethod_DeleteJob<
                v1::SolverService::WithCallbackMethod_UpdateJob<v1::SolverService::WithCallbackMethod_ListPathSteps<
                    v1::SolverService::WithCallbackMethod_ReadContent<
                        v1::SolverService::WithRawCallbackMethod_ValidateInstance<
                            v1::SolverService::WithRawCallbackMethod_EvaluateStates<
                                v1::SolverService::WithRawCallbackMethod_ValidatePath<
                                    v1::SolverService::Service>>>>>>>>>>>>>;

class SolverService final : public SolverServiceBase {
 public:
  // Both outlive the server.
  SolverService(ServiceContext* context, jobs::JobService* jobs) : context_(context), jobs_(jobs) {}

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Solve(grpc::CallbackServerContext*, const grpc::ByteBuffer*) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchJob(grpc::CallbackServerContext*, const grpc::ByteBuffer*) override;
  grpc::ServerUnaryReactor* CreateJob(grpc::CallbackServerContext*, const grpc::ByteBuffer*,
                                      grpc::ByteBuffer*) override;
  grpc::ServerUnaryReactor* GetJob(grpc::CallbackServerContext*, const v1::GetJobRequest*,
                                   v1::GetJobResponse*) override;
  grpc::ServerUnaryReactor* ListJobs(grpc::CallbackServerContext*, const v1::ListJobsRequest*,
                                     v1::ListJobsResponse*) override;
  grpc::ServerUnaryReactor* CancelJob(grpc::CallbackServerContext*, const v1::CancelJobRequest*,
                                      v1::CancelJobResponse*) override;
  grpc::ServerUnaryReactor* DeleteJob(grpc::CallbackServerContext*, const v1::DeleteJobRequest*,
                                      v1::DeleteJobResponse*) override;
  grpc::ServerUnaryReactor* UpdateJob(grpc::CallbackServerContext*, const v1::UpdateJobRequest*,
                                      v1::UpdateJobResponse*) override;
  grpc::ServerUnaryReactor* ListPathSteps(grpc::CallbackServerContext*, const v1::ListPathStepsRequest*,
                                          v1::ListPathStepsResponse*) override;
  grpc::ServerWriteReactor<v1::ReadContentResponse>* ReadContent(grpc::CallbackServerContext*,
                                                                 const v1::ReadContentRequest*) override;
  grpc::ServerUnaryReactor* ValidateInstance(grpc::CallbackServerContext*, const grpc::ByteBuffer*,
                                             grpc::ByteBuffer*) override;
  grpc::ServerUnaryReactor* EvaluateStates(grpc::CallbackServerContext*, const grpc::ByteBuffer*,
                                           grpc::ByteBuffer*) override;
  grpc::ServerReadReactor<grpc::ByteBuffer>* ValidatePath(grpc::CallbackServerContext*, grpc::ByteBuffer*) override;

 private:
  Result<v1::CreateJobResponse> Create(const grpc::ByteBuffer& bytes);

  ServiceContext* const context_;
  jobs::JobService* const jobs_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_SOLVER_SERVICE_H_
