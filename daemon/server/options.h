// astrolabed's options: one table (option_table.cc) feeds flags, environment, configuration file and --help.
// A value is taken from the first of: flag, ASTROLABE_* variable, configuration file, default.
#ifndef ASTROLABE_DAEMON_SERVER_OPTIONS_H_
#define ASTROLABE_DAEMON_SERVER_OPTIONS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "astrolabe/v1/spec.pb.h"
#include "daemon/base/result.h"
#include "daemon/server/address.h"
#include "daemon/server/default_paths.h"

namespace astrolabe::server {

struct Options {
  Address address;
  std::optional<Address> admin_address;  // always kUnix; unset: no admin listener
  bool default_address = false;          // address is the user's own: its folder is made and checked
  mode_t socket_mode = 0600;             // of the user socket; the admin socket is always 0600
  std::string metrics_address;           // "127.0.0.1:9464"; empty: off

  std::vector<std::string> plugin_dirs;  // all of them, in order
  std::string worker_binary;
  std::string cache_dir;
  std::string state_dir;

  int slots = 0;
  int warm_workers = 1;
  int queue_limit = 1000;
  int owner_jobs = 0;                         // 0: no quota
  std::optional<int64_t> queue_bytes;         // unset: as much as fits, at most 256 MiB (memory_limit.h)
  std::optional<int64_t> event_budget_bytes;  // the same
  int64_t event_log_bytes = 16ll << 20;
  int64_t max_request_bytes = 32ll << 20;

  // What unset job limits become; 0: none.
  std::chrono::milliseconds default_wall_time{0};
  std::chrono::milliseconds default_queue_timeout{0};
  int64_t default_max_expansions = 0;
  int64_t default_max_generated = 0;
  int64_t default_memory_bytes = 0;

  std::chrono::milliseconds retention{3600000};
  std::chrono::milliseconds block_timeout{30000};
  std::chrono::milliseconds drain_time{5000};
  std::chrono::milliseconds idle_timeout{0};

  std::string log_level = "info";
  std::string log_format = "text";
  std::string log_file;  // empty: stderr
};

v1::Limits DefaultLimits(const Options& options);

// A row: everything there is to know of one option. Values as people write them.
struct OptionRow {
  const char* name;  // "queue-limit": flag --queue-limit, variable ASTROLABE_QUEUE_LIMIT, key queue-limit
  const char* value_name;
  const char* group;
  const char* help;
  const char* shown_default;
  bool reloadable;
  bool repeatable;
  // Checks and stores one value (of a repeatable option: one more).
  Status (*set)(Options* options, const std::string& value);
};
std::span<const OptionRow> OptionTable();
std::string VariableName(const OptionRow& row);

struct ParsedOptions {
  std::optional<Options> options;  // unset: print `output` and exit with exit_code
  int exit_code = 0;               // 0 (--help, --version: to stdout) or 2 (all faults: to stderr)
  std::string output;
};

// `args` without the program's name. Reads the configuration file, touches nothing else.
ParsedOptions ParseOptions(const std::vector<std::string>& args, const Environment& env);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_OPTIONS_H_
