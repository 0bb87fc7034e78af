// astrolabe.v1.CatalogService over the registry's catalogue and the engine's algorithms.
#ifndef ASTROLABE_DAEMON_SERVER_CATALOG_SERVICE_H_
#define ASTROLABE_DAEMON_SERVER_CATALOG_SERVICE_H_

#include "astrolabe/v1/catalog.grpc.pb.h"
#include "daemon/jobs/job_service.h"
#include "daemon/registry/registry.h"
#include "daemon/server/service_context.h"

namespace astrolabe::server {

class CatalogService final : public v1::CatalogService::CallbackService {
 public:
  // All outlive the server.
  CatalogService(ServiceContext* context, const registry::Registry* registry, const jobs::JobService* jobs)
      : context_(context), registry_(registry), jobs_(jobs) {}

  grpc::ServerUnaryReactor* ListProblems(grpc::CallbackServerContext*, const v1::ListProblemsRequest*,
                                         v1::ListProblemsResponse*) override;
  grpc::ServerUnaryReactor* ListHeuristics(grpc::CallbackServerContext*, const v1::ListHeuristicsRequest*,
                                           v1::ListHeuristicsResponse*) override;
  grpc::ServerUnaryReactor* ListAlgorithms(grpc::CallbackServerContext*, const v1::ListAlgorithmsRequest*,
                                           v1::ListAlgorithmsResponse*) override;
  grpc::ServerUnaryReactor* GetProblem(grpc::CallbackServerContext*, const v1::GetProblemRequest*,
                                       v1::GetProblemResponse*) override;
  grpc::ServerUnaryReactor* GetHeuristic(grpc::CallbackServerContext*, const v1::GetHeuristicRequest*,
                                         v1::GetHeuristicResponse*) override;
  grpc::ServerUnaryReactor* GetAlgorithm(grpc::CallbackServerContext*, const v1::GetAlgorithmRequest*,
                                         v1::GetAlgorithmResponse*) override;

 private:
  ServiceContext* const context_;
  const registry::Registry* const registry_;
  const jobs::JobService* const jobs_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CATALOG_SERVICE_H_
