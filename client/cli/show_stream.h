// Starts a job and shows its events and its Result: what `solve`, `watch` and `pdb build` share.
#ifndef ASTROLABE_CLIENT_CLI_SHOW_STREAM_H_
#define ASTROLABE_CLIENT_CLI_SHOW_STREAM_H_

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/client.h"
#include "client/cli/result_text.h"
#include "client/cli/session.h"

namespace astrolabe::cli {

// A file of events, one JSON object a line.
class Trace {
 public:
  // path empty: no trace. INVALID_ARGUMENT when it cannot be written.
  static absl::StatusOr<Trace> Open(const std::string& path);
  void Write(const std::string& line);
  // INTERNAL when not everything could be written; with the reason of the first failure.
  absl::Status Close();
  bool wanted() const { return file_ != nullptr; }

 private:
  struct Closer {
    void operator()(FILE* file) const { fclose(file); }
  };
  std::string path_;
  std::unique_ptr<FILE, Closer> file_;
  int error_ = 0;  // of the first write that failed
};

struct ShowOptions {
  bool progress = true;     // false: no progress line, no progress events in ndjson
  bool print_nodes = true;  // as text; ndjson has all events in any case
  // Algorithms whose nodes are told as the steps of a local search.
  std::vector<std::string> local_algorithms;
  // What the values of heuristics are called, by the heuristic's id.
  std::map<std::string, std::string> objective_names;
  SourceNames names;
};

// Client::Solve. When the user's own daemon is just leaving, once more with a new one; *client is connected to that
// then.
absl::StatusOr<client::EventStream> StartSolve(const Session& session, client::Client* client,
                                               const client::SolveRequest& request);

// Reads the stream to its end and shows its events as the session says; with ndjson the Result is one of them. Returns
// the Result, or why there is none.
absl::StatusOr<client::Result> ReadStream(const Session& session, const ShowOptions& options,
                                          client::EventStream* stream, Trace* trace);

// The same, closes the trace and prints the Result. Returns the exit code.
int ShowStream(const Session& session, const ShowOptions& options, client::Client* client, client::EventStream* stream,
               Trace* trace);

// Prints a Result alone; for jobs that are done.
int ShowResult(const Session& session, const SourceNames& names, client::Client* client, const std::string& job,
               const client::Result& result);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_SHOW_STREAM_H_
