#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/json_list.h"
#include "client/cli/limit_flags.h"
#include "client/cli/show_stream.h"
#include "client/cli/table.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

std::string State(const client::Job& job) {
  if (job.result) return client::Name(job.result->outcome);
  std::string state = client::Name(job.state);
  if (job.queue_position > 0) state += " " + std::to_string(job.queue_position);
  return state;
}

std::string Age(const client::Job& job) {
  if (!job.create_time) return "";
  return FormatDuration(std::chrono::system_clock::now() - *job.create_time);
}

int Ls(const Session& session) {
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  std::vector<client::Job> jobs;
  client::ListJobsRequest request;
  do {
    auto page = client->ListJobs(request);
    if (!page.ok()) return session.Fail(page.status());
    jobs.insert(jobs.end(), page->jobs.begin(), page->jobs.end());
    request.page_token = page->next_page_token;
  } while (!request.page_token.empty());
  if (session.json()) {
    PrintJsonList(session, jobs);
    return kExitSolved;
  }
  std::vector<std::vector<std::string>> rows = {{"JOB", "STATE", "PROBLEM", "ALGORITHM", "AGE"}};
  for (const client::Job& job : jobs) {
    rows.push_back({job.name, State(job), job.spec.problem, job.spec.algorithm.id, Age(job)});
  }
  Print(Table(rows));
  return kExitSolved;
}

// `get` of a job that is done shows its Result, with the exit code of `solve`.
int Get(const Session& session, const std::string& name) {
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  const auto job = client->GetJob(name);
  if (!job.ok()) return session.Fail(job.status());
  if (session.json()) {
    PrintLine(client::ToJson(*job));
    return job->result ? ExitCodeOf(*job->result) : kExitSolved;
  }
  if (job->result) return ShowResult(session, SourceNames(), &*client, name, *job->result);
  Print(job->name + "  " + State(*job) + "\n");
  return kExitSolved;
}

int Cancel(const Session& session, const std::string& name) {
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  const auto job = client->CancelJob(name);
  if (!job.ok()) return session.Fail(job.status());
  if (session.json()) PrintLine(client::ToJson(*job));
  return kExitSolved;
}

int Remove(const Session& session, const std::string& name) {
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  if (const absl::Status status = client->DeleteJob(name); !status.ok()) return session.Fail(status);
  if (session.json()) PrintLine("{}");
  return kExitSolved;
}

struct UpdateCommand {
  std::string job;
  std::optional<int32_t> priority;
  LimitOptions limits;
};

int Update(const Session& session, const UpdateCommand& given) {
  client::JobUpdate update;
  update.priority = given.priority;
  if (const absl::Status status = SetLimits(given.limits, &update.limits); !status.ok()) return session.Fail(status);
  if (!update.priority && update.limits == client::Limits()) {
    return ReportError(absl::InvalidArgumentError("there is nothing to change; expected --priority or a limit"),
                       session.form, kExitUsage);
  }
  auto client = session.ConnectRunning();
  if (!client.ok()) return session.Fail(client.status());
  const auto job = client->UpdateJob(given.job, update);
  if (!job.ok()) return session.Fail(job.status());
  if (session.json()) PrintLine(client::ToJson(*job));
  return kExitSolved;
}

void AddUpdate(CLI::App* jobs, Session* session) {
  auto options = std::make_shared<UpdateCommand>();
  CLI::App* command = jobs->add_subcommand(
      "update", "Change limits and priority of a job that waits, or shorten the time of one that runs");
  command->fallthrough();
  command->add_option("JOB", options->job, "Its name, jobs/ID")->required()->type_name("");
  command->add_option("--priority", options->priority, "From -100 to 100; higher ones run first")
      ->check(CLI::Range(-100, 100))
      ->type_name("N");
  AddLimitFlags(command, "as it is", &options->limits);
  command->callback([=] { session->command = [=] { return Update(*session, *options); }; });
}

}  // namespace

void AddJobs(CLI::App* app, Session* session) {
  CLI::App* command = app->add_subcommand("jobs", "List, show, change, cancel and remove jobs");
  command->fallthrough();
  command->require_subcommand(1);
  CLI::App* ls = command->add_subcommand("ls", "List the jobs the server keeps");
  ls->alias("list")->fallthrough();
  ls->callback([=] { session->command = [=] { return Ls(*session); }; });
  const auto add = [&](const char* name, const char* help, int (*run)(const Session&, const std::string&)) {
    auto job = std::make_shared<std::string>();
    CLI::App* sub = command->add_subcommand(name, help);
    sub->fallthrough();
    sub->add_option("JOB", *job, "Its name, jobs/ID")->required()->type_name("");
    sub->callback([=] { session->command = [=] { return run(*session, *job); }; });
  };
  add("get", "Show a job, or its result when it is done", Get);
  AddUpdate(command, session);
  add("cancel", "Stop a job; its best result so far is kept", Cancel);
  add("rm", "Remove a job and its events", Remove);
}

}  // namespace astrolabe::cli
