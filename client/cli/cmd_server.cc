#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "astrolabe/client/json.h"
#include "client/cli/autostart.h"
#include "client/cli/commands.h"
#include "client/cli/default_address.h"
#include "client/cli/exit_code.h"
#include "client/cli/table.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

struct StartCommand {
  std::string idle_timeout = "15m";
  std::vector<std::string> plugin_dirs;
};

std::string LimitsText(const client::Limits& limits) {
  std::string text;
  const auto add = [&](const std::string& limit) { text += (text.empty() ? "" : ", ") + limit; };
  if (limits.wall_time.count() > 0) add("time " + FormatDuration(limits.wall_time));
  if (limits.max_memory_bytes > 0) add("memory " + FormatSize(limits.max_memory_bytes));
  if (limits.max_expansions > 0) add(Counted(limits.max_expansions, "expansion"));
  if (limits.max_generated > 0) add(std::to_string(limits.max_generated) + " generated");
  if (limits.queue_timeout.count() > 0) add("queue " + FormatDuration(limits.queue_timeout));
  return text.empty() ? "none" : text;
}

std::string InfoText(const client::ServerInfo& info, const std::string& address) {
  std::vector<std::vector<std::string>> rows = {
      {"address", address},
      {"version", info.version},
      {"process", std::to_string(info.pid)},
      {"instance", info.instance_id},
      {"state", info.draining ? "draining" : "serving"},
      {"jobs", std::to_string(info.load.running) + " running, " + std::to_string(info.load.queued) + " waiting (" +
                   Counted(info.load.slots, "slot") + ", queue of " + std::to_string(info.load.queue_limit) + ")"},
      {"workers", std::to_string(info.load.workers)},
      {"plugin ABI", std::to_string(info.abi_major) + "." + std::to_string(info.abi_minor)},
      {"largest request", FormatSize(info.max_request_bytes)},
      {"default limits", LimitsText(info.default_limits)}};
  if (info.start_time) {
    rows.push_back({"running for", FormatDuration(std::chrono::system_clock::now() - *info.start_time)});
  }
  std::string features;
  for (const std::string& feature : info.features) features += (features.empty() ? "" : ", ") + feature;
  if (!features.empty()) rows.push_back({"features", features});
  return Table(rows);
}

int ShowInfo(const Session& session, client::Client* client) {
  const auto info = client->GetServerInfo();
  if (!info.ok()) return session.Fail(info.status());
  if (session.json()) {
    PrintLine(client::ToJson(*info));
  } else {
    Print(InfoText(*info, client->address()));
  }
  return kExitSolved;
}

int Info(const Session& session) {
  auto client = session.ConnectRunning();
  return client.ok() ? ShowInfo(session, &*client) : session.Fail(client.status());
}

int Health(const Session& session) {
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  const auto healthy = client->Healthy();
  if (!healthy.ok()) return session.Fail(healthy.status());
  const char* const word = *healthy ? "SERVING" : "NOT_SERVING";
  PrintLine(session.json() ? std::string("{\"status\":\"") + word + "\"}" : word);
  return *healthy ? kExitSolved : kExitUnavailable;
}

int Start(const Session& session, const StartCommand& start) {
  AutostartOptions options = session.autostart();
  if (options.socket.empty()) {
    return session.Fail(absl::InvalidArgumentError("only a server at a unix socket can be started here; " +
                                                   session.address() + " is none"));
  }
  options.idle_timeout = start.idle_timeout;
  for (const std::string& folder : start.plugin_dirs) {
    options.arguments.push_back("--plugin-dir");
    options.arguments.push_back(folder);
  }
  auto client = ConnectOrStart(options);
  return client.ok() ? ShowInfo(session, &*client) : session.Fail(client.status());
}

int Stop(const Session& session, const std::string& patience) {
  const std::string socket = SocketPath(session.address());
  const auto timeout = ParseDuration(patience);
  if (!timeout) {
    return session.Fail(absl::InvalidArgumentError("\"" + patience + "\" is not a duration; expected one such as 30s"));
  }
  if (socket.empty()) {
    return session.Fail(absl::InvalidArgumentError("only a server at a unix socket can be stopped here; " +
                                                   session.address() + " is none"));
  }
  const absl::Status status = StopDaemon(socket, std::chrono::ceil<std::chrono::milliseconds>(*timeout));
  if (!status.ok() && status.code() != absl::StatusCode::kNotFound) return session.Fail(status);
  const bool was_running = status.ok();
  if (session.json()) {
    PrintLine(std::string("{\"stopped\":") + (was_running ? "true" : "false") + "}");
  } else if (!session.quiet) {
    PrintLine(was_running ? "stopped" : "no server was running");
  }
  return kExitSolved;
}

// Unlike stop, this works for any server whose admin listener can be reached, and leaves the process alone.
int Drain(const Session& session, const std::string& patience) {
  std::optional<std::chrono::milliseconds> timeout;
  if (!patience.empty()) {
    const auto given = ParseDuration(patience);
    if (!given) {
      return session.Fail(
          absl::InvalidArgumentError("\"" + patience + "\" is not a duration; expected one such as 30s"));
    }
    timeout = std::chrono::ceil<std::chrono::milliseconds>(*given);
  }
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  const absl::Status status = client->Drain(timeout);
  if (!status.ok()) return session.Fail(status);
  if (session.json()) {
    PrintLine("{}");
  } else if (!session.quiet) {
    PrintLine("drained: it takes no new jobs and no job runs");
  }
  return kExitSolved;
}

}  // namespace

void AddServer(CLI::App* app, Session* session) {
  CLI::App* command = app->add_subcommand("server", "Start, stop and ask the server");
  command->fallthrough();
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* help) {
    CLI::App* sub = command->add_subcommand(name, help);
    sub->fallthrough();
    return sub;
  };
  add("info", "Version, limits and load")->callback([=] { session->command = [=] { return Info(*session); }; });
  add("health", "Whether it serves; exit code 7 when not")->callback([=] {
    session->command = [=] { return Health(*session); };
  });
  auto start = std::make_shared<StartCommand>();
  CLI::App* start_command = add("start", "Start your daemon, or the one at --server, if it is not running");
  start_command->add_option("--idle-timeout", start->idle_timeout, "It ends after this time without work; 0: never")
      ->capture_default_str()
      ->type_name("TIME");
  start_command->add_option("--plugin-dir", start->plugin_dirs, "One more folder with plugins; repeatable")
      ->type_name("DIR")
      ->allow_extra_args(false);
  start_command->callback([=] { session->command = [=] { return Start(*session, *start); }; });
  auto patience = std::make_shared<std::string>("30s");
  CLI::App* stop_command = add("stop", "Stop it; running jobs end with what they have found");
  stop_command->add_option("--wait", *patience, "How long to wait for its end")
      ->capture_default_str()
      ->type_name("TIME");
  auto drain_time = std::make_shared<std::string>();
  CLI::App* drain_command = add("drain", "Let it take no new jobs and wait for those that run");
  drain_command
      ->add_option("--time", *drain_time, "How long they may go on; 0s: not at all; default: the server's drain time")
      ->type_name("TIME");
  drain_command->callback([=] { session->command = [=] { return Drain(*session, *drain_time); }; });
  stop_command->callback([=] { session->command = [=] { return Stop(*session, *patience); }; });
}

}  // namespace astrolabe::cli
