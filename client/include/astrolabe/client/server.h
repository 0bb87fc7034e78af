// Plugins, the server itself, and checked instances.
#ifndef ASTROLABE_CLIENT_SERVER_H_
#define ASTROLABE_CLIENT_SERVER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/client/export.h"
#include "astrolabe/client/job.h"

namespace astrolabe::client {

enum class PluginState { kUnspecified = 0, kReady = 1, kFailed = 2, kUnloaded = 3 };

// Why a plugin could not be loaded, for people.
struct LoadError {
  std::string code;  // as in astrolabe.v1.LoadCode without the prefix: "ABI_TOO_NEW"
  std::string stage;
  std::string message;
  std::string expected;
  std::string found;
  std::string hint;
  friend bool operator==(const LoadError&, const LoadError&) = default;
};

struct Plugin {
  std::string id;
  std::string version;
  PluginState state = PluginState::kUnspecified;
  // Of the newest attempt. A ready plugin with an error kept its old generation.
  std::optional<LoadError> error;
  std::string sha256;
  int32_t abi_major = 0;
  int32_t abi_minor = 0;
  int64_t generation = 0;
  int32_t active_jobs = 0;
  std::vector<std::string> problems;
  std::vector<std::string> heuristics;
  std::string licence;
  std::string file;  // bare name; the full path on the admin listener only
  std::vector<std::string> warnings;
  friend bool operator==(const Plugin&, const Plugin&) = default;
};

ASTROLABE_CLIENT_EXPORT std::string Name(PluginState state);

struct ServerLoad {
  int32_t running = 0;
  int32_t queued = 0;
  int32_t slots = 0;
  int32_t queue_limit = 0;
  int32_t workers = 0;
  friend bool operator==(const ServerLoad&, const ServerLoad&) = default;
};

struct ServerInfo {
  std::string instance_id;  // new at every start
  std::string version;
  int32_t abi_major = 0;
  int32_t abi_minor = 0;
  int64_t max_request_bytes = 0;
  int64_t max_response_bytes = 0;
  Limits default_limits;
  ServerLoad load;
  std::optional<Timestamp> start_time;
  bool draining = false;
  int32_t pid = 0;
  std::vector<std::string> features;
  friend bool operator==(const ServerInfo&, const ServerInfo&) = default;
};

// What to parse in Client::ValidateInstance.
struct InstanceRef {
  std::string problem;
  std::string instance;
  Params params;
};

enum class Solvable { kUnspecified = 0, kYes = 1, kNo = 2, kUnknown = 3 };

// What the problem says of a state beyond what every problem answers: "twin" of a sliding-tile board.
struct Fact {
  std::string name;
  std::string value;  // may have several lines
  friend bool operator==(const Fact&, const Fact&) = default;
};

struct CheckedInstance {
  std::string canonical_text;  // left out above 256 KiB
  std::string size;            // for people: "3 x 3 board, 8 tiles"
  Solvable solvable = Solvable::kUnspecified;
  std::string reason;
  std::string initial_state;
  std::string goal_state;
  int64_t state_bytes = 0;
  std::string fingerprint;
  std::vector<std::string> notes;
  bool initial_is_goal = false;
  std::vector<Fact> facts;  // of the initial state
  friend bool operator==(const CheckedInstance&, const CheckedInstance&) = default;
};

// One move of a found path.
struct PathStep {
  int64_t index = 0;  // 0-based
  uint32_t op = 0;
  std::string op_name;
  int64_t cost = 0;
  std::string state;  // only when asked for
};

struct PathSteps {
  std::vector<PathStep> steps;
  std::string next_page_token;  // empty: the last page
  int64_t total = 0;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SERVER_H_
