// The one table of options. A row's `set` checks and stores; defaults that depend on the machine or on other
// options are filled in by ParseOptions.
#include <cctype>
#include <limits>
#include <string>

#include "daemon/server/option_values.h"
#include "daemon/server/options.h"

namespace astrolabe::server {
namespace {

constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

// Stores the value of a parsed Result through `field`, or passes the error on.
template <typename T, typename Field>
Status Store(Result<T> value, Field* field) {
  if (!value.ok()) return std::move(value).error();
  *field = static_cast<Field>(*value);
  return {};
}

Status Choice(const std::string& value, std::initializer_list<const char*> choices, std::string* field) {
  std::string list;
  for (const char* choice : choices) {
    if (value == choice) {
      *field = value;
      return {};
    }
    list += (list.empty() ? "" : ", ") + std::string(choice);
  }
  return MakeError(ErrorCode::kInvalidArgument, "BAD_OPTION_VALUE", "\"" + value + "\" is none of " + list);
}

Status Path(const std::string& value, std::string* field) {
  if (value.empty()) return MakeError(ErrorCode::kInvalidArgument, "BAD_OPTION_VALUE", "the path is empty");
  *field = value;
  return {};
}

Status SetAddress(Options* o, const std::string& v) { return Store(ParseAddress(v), &o->address); }

Status SetAdminAddress(Options* o, const std::string& v) {
  o->admin_address.reset();
  if (v == "none") return {};
  Result<Address> address = ParseAddress(v);
  if (!address.ok()) return address.error();
  if (address->kind != Address::Kind::kUnix) {
    return MakeError(ErrorCode::kInvalidArgument, "BAD_ADDRESS",
                     "the admin listener is a unix socket (who may open it, may load code), or \"none\"");
  }
  o->admin_address = std::move(*address);
  return {};
}

Status SetSocketMode(Options* o, const std::string& v) {
  size_t end = 0;
  unsigned long mode = 01000;
  if (!v.empty() && v.find_first_not_of("01234567") == std::string::npos && v.size() <= 4)
    mode = std::stoul(v, &end, 8);
  if (mode > 0777) {
    return MakeError(ErrorCode::kInvalidArgument, "BAD_OPTION_VALUE",
                     "\"" + v + "\" is not an octal mode such as 600 or 660");
  }
  o->socket_mode = static_cast<mode_t>(mode);
  return {};
}

Status SetMetricsAddress(Options* o, const std::string& v) {
  const Result<Address> address = ParseAddress(v);
  if (!address.ok()) return address.error();
  if (address->kind != Address::Kind::kTcp) {
    return MakeError(ErrorCode::kInvalidArgument, "BAD_ADDRESS", "metrics are served by HTTP: use 127.0.0.1:PORT");
  }
  o->metrics_address = address->ToString();
  return {};
}

Status SetPluginDir(Options* o, const std::string& v) {
  std::string dir;
  Status status = Path(v, &dir);
  if (status.ok()) o->plugin_dirs.push_back(std::move(dir));
  return status;
}

const OptionRow kTable[] = {
    {"address", "ADDR", "Listeners", "Where clients connect: unix:PATH, 127.0.0.1:PORT or [::1]:PORT",
     "unix:$XDG_RUNTIME_DIR/astrolabe/astrolabed.sock, else unix:/tmp/astrolabe-UID/astrolabed.sock", false, false,
     SetAddress},
    {"admin-address", "ADDR", "Listeners",
     "Where plugins and the cache are changed and the server is drained: unix:PATH (mode 0600), or none",
     "the user's socket with .admin appended; none with TCP", false, false, SetAdminAddress},
    {"socket-mode", "MODE", "Listeners", "Mode of the user's socket, octal", "600", false, false, SetSocketMode},
    {"metrics-address", "ADDR", "Listeners", "Serve Prometheus metrics by HTTP at this loopback HOST:PORT", "off",
     false, false, SetMetricsAddress},
    {"max-request-size", "SIZE", "Listeners", "Largest request", "32MiB", false, false,
     [](Options* o, const std::string& v) -> Status {
       Status status = Store(ParseSize(v), &o->max_request_bytes);
       if (status.ok() && (o->max_request_bytes < 4096 || o->max_request_bytes > (1ll << 30))) {
         return MakeError(ErrorCode::kInvalidArgument, "BAD_OPTION_VALUE", "must be from 4KiB to 1GiB");
       }
       return status;
     }},

    {"plugin-dir", "DIR", "Folders", "Another folder with plugins; may be repeated (variable: separated by colons)",
     "PREFIX/lib/astrolabe/plugins and $XDG_DATA_HOME/astrolabe/plugins come first", false, true, SetPluginDir},
    {"worker-binary", "FILE", "Folders", "The worker program", "astrolabe-worker beside this program", false, false,
     [](Options* o, const std::string& v) { return Path(v, &o->worker_binary); }},
    {"cache-dir", "DIR", "Folders", "Tables that heuristics keep on disk", "$XDG_CACHE_HOME/astrolabe", false, false,
     [](Options* o, const std::string& v) { return Path(v, &o->cache_dir); }},
    {"state-dir", "DIR", "Folders",
     "The journal of detached jobs; private copies of plugins, so it must not be mounted noexec",
     "a folder of this address in $XDG_STATE_HOME/astrolabe", false, false,
     [](Options* o, const std::string& v) { return Path(v, &o->state_dir); }},

    {"slots", "N", "Work", "Search threads that run at once", "CPUs of the machine or container", false, false,
     [](Options* o, const std::string& v) { return Store(ParseInteger(v, 1, 4096), &o->slots); }},
    {"warm-workers", "N", "Work", "Idle worker processes kept ready", "1", false, false,
     [](Options* o, const std::string& v) { return Store(ParseInteger(v, 0, 1024), &o->warm_workers); }},
    {"queue-limit", "N", "Work", "Jobs that may wait", "1000", false, false,
     [](Options* o, const std::string& v) { return Store(ParseInteger(v, 0, 10'000'000), &o->queue_limit); }},
    {"owner-jobs", "N", "Work", "Jobs of one owner that may wait or run; 0: as many as fit", "0", false, false,
     [](Options* o, const std::string& v) { return Store(ParseInteger(v, 0, 10'000'000), &o->owner_jobs); }},
    {"queue-size", "SIZE", "Work", "Bytes of the specs of jobs that wait or run",
     "256MiB, less where memory is limited", false, false,
     [](Options* o, const std::string& v) { return Store(ParseSize(v), &o->queue_bytes.emplace()); }},
    {"event-budget", "SIZE", "Work", "Memory for event logs, specs and paths of all jobs",
     "256MiB, less where memory is limited", false, false,
     [](Options* o, const std::string& v) { return Store(ParseSize(v), &o->event_budget_bytes.emplace()); }},
    {"event-log", "SIZE", "Work", "Node events kept of one job", "16MiB", false, false,
     [](Options* o, const std::string& v) { return Store(ParseSize(v), &o->event_log_bytes); }},
    {"retention", "TIME", "Work", "How long results of detached jobs are kept", "1h", false, false,
     [](Options* o, const std::string& v) { return Store(ParseDuration(v), &o->retention); }},
    {"block-timeout", "TIME", "Work", "How long a search waits for a lossless watcher that does not read", "30s", false,
     false, [](Options* o, const std::string& v) { return Store(ParseDuration(v), &o->block_timeout); }},

    {"default-time-limit", "TIME", "Limits of jobs that set none", "Wall-clock time; 0: none", "0", true, false,
     [](Options* o, const std::string& v) { return Store(ParseDuration(v), &o->default_wall_time); }},
    {"default-memory-limit", "SIZE", "Limits of jobs that set none", "Memory",
     "60 % of the machine's or container's, divided by the slots", true, false,
     [](Options* o, const std::string& v) { return Store(ParseSize(v), &o->default_memory_bytes); }},
    {"default-max-expansions", "N", "Limits of jobs that set none", "States expanded; 0: no limit", "0", true, false,
     [](Options* o, const std::string& v) {
       return Store(ParseInteger(v, 0, kUnbounded), &o->default_max_expansions);
     }},
    {"default-max-generated", "N", "Limits of jobs that set none", "Children generated; 0: no limit", "0", true, false,
     [](Options* o, const std::string& v) { return Store(ParseInteger(v, 0, kUnbounded), &o->default_max_generated); }},
    {"default-queue-timeout", "TIME", "Limits of jobs that set none", "Time in the queue; 0: none", "0", true, false,
     [](Options* o, const std::string& v) { return Store(ParseDuration(v), &o->default_queue_timeout); }},

    {"drain-time", "TIME", "Life", "How long running jobs may go on after SIGTERM", "5s", true, false,
     [](Options* o, const std::string& v) { return Store(ParseDuration(v), &o->drain_time); }},
    {"idle-timeout", "TIME", "Life", "Exit after this long without client, job or retained result; 0: never", "0", true,
     false, [](Options* o, const std::string& v) { return Store(ParseDuration(v), &o->idle_timeout); }},

    {"log-level", "LEVEL", "Log", "debug, info, warning or error", "info", true, false,
     [](Options* o, const std::string& v) {
       return Choice(v, {"debug", "info", "warning", "error"}, &o->log_level);
     }},
    {"log-format", "FORMAT", "Log", "text or json (one object a line)", "text", false, false,
     [](Options* o, const std::string& v) {
       return Choice(v, {"text", "json"}, &o->log_format);
     }},
    {"log-file", "FILE", "Log", "Append to this file, reopened by SIGHUP", "standard error", false, false,
     [](Options* o, const std::string& v) { return Path(v, &o->log_file); }},
};

}  // namespace

std::span<const OptionRow> OptionTable() { return kTable; }

std::string VariableName(const OptionRow& row) {
  std::string out = "ASTROLABE_";
  for (const char* c = row.name; *c != '\0'; ++c) {
    out += *c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
  }
  return out;
}

}  // namespace astrolabe::server
