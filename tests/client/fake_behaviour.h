// What a test tells the double of the server to do.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_BEHAVIOUR_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_BEHAVIOUR_H_

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "astrolabe/v1/cache.pb.h"
#include "astrolabe/v1/server.pb.h"
#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::testing {

// What Solve and WatchJob send through. Write returns false when the client is gone.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual bool Write(const v1::Event& event) = 0;
  virtual bool cancelled() const = 0;
};

// All are called on threads of the server. Unset ones answer with something plain.
struct FakeBehaviour {
  std::string version = "0.1.0";
  int64_t max_request_bytes = 32 << 20;
  int running_jobs = 0;
  bool draining = false;
  int pid = 0;
  std::function<grpc::Status(const v1::SolveRequest&, EventSink&)> solve;
  std::function<grpc::Status(const v1::WatchJobRequest&, EventSink&)> watch;
  std::function<grpc::Status(const v1::CreateJobRequest&, v1::CreateJobResponse*)> create;
  std::function<grpc::Status(const v1::UpdateJobRequest&, v1::UpdateJobResponse*)> update;
  std::function<void(const std::string& job)> cancel;
  std::function<grpc::Status(const v1::ValidateInstanceRequest&, v1::ValidateInstanceResponse*)> validate;
  std::function<grpc::Status(const v1::EvaluateStatesRequest&, v1::EvaluateStatesResponse*)> evaluate;
  std::function<grpc::Status(const v1::ListPathStepsRequest&, v1::ListPathStepsResponse*)> path_steps;
  // Called with each message of ValidatePath; false: no more are read.
  std::function<bool(const v1::ValidatePathRequest&)> path_piece;
  v1::ValidatePathResponse checked_path;
  grpc::Status path_status;
  // What ReadContent sends, chunk by chunk; unset: there is no job.
  std::function<std::vector<std::string>(const v1::ReadContentRequest&)> content;
  std::function<grpc::Status(const std::string& call, const std::string& plugin)> plugin_change;
  std::function<void(const v1::DrainRequest&)> drain;
  std::vector<v1::CacheFile> cache_files;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_BEHAVIOUR_H_
