#include <CLI/CLI.hpp>
#include <memory>

#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/show_stream.h"

namespace astrolabe::cli {
namespace {

struct WatchCommand {
  std::string name;
  int64_t from = 0;
  std::string trace;
  bool no_nodes = false;
};

// Ctrl-C simply ends the watching: the job is not this command's to stop.
int Watch(const Session& session, const WatchCommand& options) {
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  absl::StatusOr<Trace> trace = Trace::Open(options.trace);
  if (!trace.ok()) return session.Fail(trace.status());
  client::WatchOptions watch;
  watch.nodes = !options.no_nodes;
  auto stream = client->WatchJob(options.name, options.from, watch);
  if (!stream.ok()) return session.Fail(stream.status());
  return ShowStream(session, ShowOptions(), &*client, &*stream, &*trace);
}

}  // namespace

void AddWatch(CLI::App* app, Session* session) {
  auto options = std::make_shared<WatchCommand>();
  CLI::App* command = app->add_subcommand("watch", "Watch a job, also one that is done");
  command->fallthrough();
  command->add_option("JOB", options->name, "Its name, jobs/ID")->required()->type_name("");
  command->add_option("--from", options->from, "First event number; default: the oldest kept")->type_name("N");
  command->add_option("--trace", options->trace, "Write every event, one JSON object a line")->type_name("FILE");
  command->add_flag("--no-nodes", options->no_nodes, "Leave out node events");
  command->callback([=] { session->command = [=] { return Watch(*session, *options); }; });
}

}  // namespace astrolabe::cli
