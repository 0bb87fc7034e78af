// A connection to an Astrolabe server.
//
//   auto client = astrolabe::client::Client::Connect({.address = "unix:/run/user/1000/astrolabe/astrolabed.sock"});
//   SolveRequest request;
//   request.spec.problem = "sliding_tile";
//   request.spec.instance = "0 1 3\n4 2 5\n7 8 6\n";
//   auto stream = client->Solve(request);
//   auto result = stream->Wait();
#ifndef ASTROLABE_CLIENT_CLIENT_H_
#define ASTROLABE_CLIENT_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "astrolabe/client/cache.h"
#include "astrolabe/client/catalog.h"
#include "astrolabe/client/evaluate.h"
#include "astrolabe/client/event.h"
#include "astrolabe/client/export.h"
#include "astrolabe/client/job.h"
#include "astrolabe/client/path.h"
#include "astrolabe/client/server.h"
#include "astrolabe/client/stream.h"

namespace astrolabe::client {

struct ClientOptions {
  // "unix:/path/to/socket" or "host:port".
  std::string address;
  // Of the admin listener, for changing plugins and the cache. Empty: address + ".admin".
  std::string admin_address;
  // To connect, and for the answer of every call that is not a stream.
  std::chrono::milliseconds timeout{30000};
};

struct ListJobsRequest {
  int32_t page_size = 0;  // 0: the server's choice
  std::string page_token;
  std::vector<JobState> states;  // empty: all
  std::map<std::string, std::string> labels;
};

struct JobPage {
  std::vector<Job> jobs;
  std::string next_page_token;  // empty: the last page
};

// A cheap handle: copies share one connection, which closes with the last copy and the last stream. Thread-safe.
// Every failure is an absl::Status; errors.h tells what it carries. Nothing throws.
class ASTROLABE_CLIENT_EXPORT Client {
 public:
  // Connects and asks for the server's limits. UNAVAILABLE with kReasonCannotConnect when nothing listens
  // there (at once) or it does not answer in time.
  static absl::StatusOr<Client> Connect(const ClientOptions& options);

  // Creates a job and streams its events; the last is its Result. Returns when the server has accepted or refused:
  // INVALID_ARGUMENT with all wrong fields, NOT_FOUND, FAILED_PRECONDITION, UNAVAILABLE with a RetryDelay when the
  // queue is full. A request above the server's max_request_bytes is not sent: RESOURCE_EXHAUSTED.
  absl::StatusOr<EventStream> Solve(const SolveRequest& request);

  // Creates a job that goes on without a watcher. With the same request_id: the same job.
  absl::StatusOr<Job> CreateJob(const CreateJobRequest& request);
  // From the event numbered from_sequence on; 0: from the oldest kept. OUT_OF_RANGE when it is no longer kept.
  absl::StatusOr<EventStream> WatchJob(const std::string& name, int64_t from_sequence = 0,
                                       const WatchOptions& options = {});
  absl::StatusOr<Job> GetJob(const std::string& name);
  absl::StatusOr<JobPage> ListJobs(const ListJobsRequest& request = {});
  // Idempotent. Does not wait for the search to stop.
  absl::StatusOr<Job> CancelJob(const std::string& name);
  absl::Status DeleteJob(const std::string& name);
  // Of a job that waits: limits and priority. Of one that has started: a shorter wall_time alone, else
  // FAILED_PRECONDITION, as for one that is done.
  absl::StatusOr<Job> UpdateJob(const std::string& name, const JobUpdate& update);
  // A page of the moves of a found path. page_size 0: the server's choice.
  absl::StatusOr<PathSteps> ListPathSteps(const std::string& name, const std::string& page_token = "",
                                          int32_t page_size = 0, bool with_states = false);

  // A part of a job, in chunks of at most 256 KiB: whatever its size, one chunk is held at a time. NOT_FOUND,
  // FAILED_PRECONDITION when there is none or it was not kept.
  absl::Status ReadContent(const std::string& name, ContentPart part, const ContentSink& take);
  // The moves of a found path, as numbers; much faster than ListPathSteps.
  absl::Status ReadPath(const std::string& name, const OpSink& take);

  // Parses without solving. A bad instance is INVALID_ARGUMENT with all faults.
  absl::StatusOr<CheckedInstance> ValidateInstance(const InstanceRef& instance);

  // h of states under several heuristics, explained, and where their operators lead; without a search. Faults of the
  // instance, the heuristics and the states are INVALID_ARGUMENT with all of them; so is an answer above 1 MiB.
  absl::StatusOr<Evaluations> EvaluateStates(const EvaluateRequest& request);

  // Replays a path from the initial state, without a search, and tells its cost or its first violation: a wrong path is
  // no error. One piece is held at a time; after the first violation `next` is not asked again for long. Faults of the
  // instance are INVALID_ARGUMENT with all of them. The server takes 60 s at most, the time of `next` included.
  absl::StatusOr<CheckedPath> ValidatePath(const InstanceRef& instance, const PathSource& next);

  // The whole catalogue; pages are joined.
  absl::StatusOr<std::vector<ProblemInfo>> ListProblems();
  absl::StatusOr<std::vector<HeuristicInfo>> ListHeuristics(const std::string& problem = "");
  absl::StatusOr<std::vector<AlgorithmInfo>> ListAlgorithms();
  absl::StatusOr<ProblemInfo> GetProblem(const std::string& id);
  absl::StatusOr<HeuristicInfo> GetHeuristic(const std::string& id);
  absl::StatusOr<AlgorithmInfo> GetAlgorithm(const std::string& id);

  absl::StatusOr<std::vector<Plugin>> ListPlugins();
  absl::StatusOr<Plugin> GetPlugin(const std::string& id);
  // These three go to the admin listener. A plugin that cannot be loaded is not an error of the call: see
  // Plugin::error.
  absl::StatusOr<Plugin> LoadPlugin(const std::string& name);
  absl::StatusOr<std::vector<Plugin>> ReloadPlugin(const std::string& name);
  absl::StatusOr<Plugin> UnloadPlugin(const std::string& name);

  // The tables that heuristics keep on disk, ordered by id; pages are joined.
  absl::StatusOr<std::vector<CacheFile>> ListCacheFiles();
  // These two go to the admin listener. Jobs that use a removed file keep it. Returns it as it was; NOT_FOUND.
  absl::StatusOr<CacheFile> DeleteCacheFile(const std::string& id);
  // The server reads the files in full (none named: all) and calls `each`, on this thread, when one is read: its state
  // is kOk, or kRemoved when it was damaged, or kDamaged when that could not be removed. That there are damaged ones is
  // no error of the call. NOT_FOUND for an id that is not there.
  absl::Status VerifyCacheFiles(const std::vector<std::string>& ids, const std::function<void(const CacheFile&)>& each);

  absl::StatusOr<ServerInfo> GetServerInfo();
  // What the server said of itself when Connect was called.
  const ServerInfo& server_info() const;
  // Admin listener. Refuses new jobs, waits for the running ones, then interrupts them; 0: at once, unset: after the
  // server's drain time.
  absl::Status Drain(std::optional<std::chrono::milliseconds> timeout);
  // grpc.health.v1: true when it is SERVING. `service` empty: the server as a whole.
  absl::StatusOr<bool> Healthy(const std::string& service = "");

  const std::string& address() const;

 private:
  friend class EventStream;
  struct ASTROLABE_CLIENT_HIDDEN Connection;
  explicit Client(std::shared_ptr<Connection> connection);
  std::shared_ptr<Connection> connection_;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_CLIENT_H_
