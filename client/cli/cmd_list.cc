#include <CLI/CLI.hpp>
#include <memory>

#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/json_list.h"
#include "client/cli/table.h"

namespace astrolabe::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string Claims(const client::HeuristicInfo& info) {
  return info.consistent ? "consistent" : info.admissible ? "admissible" : "no claim";
}

Rows Describe(const std::vector<client::ProblemInfo>& problems) {
  Rows rows = {{"PROBLEM", "DEFAULT", "SUMMARY"}};
  for (const auto& info : problems) {
    rows.push_back({info.id, info.default_algorithm + " + " + info.default_heuristic, info.summary});
  }
  return rows;
}

Rows Describe(const std::vector<client::HeuristicInfo>& heuristics) {
  Rows rows = {{"HEURISTIC", "PROBLEM", "CLAIMS", "SUMMARY"}};
  for (const auto& info : heuristics) rows.push_back({info.id, info.problem, Claims(info), info.summary});
  return rows;
}

Rows Describe(const std::vector<client::AlgorithmInfo>& algorithms) {
  Rows rows = {{"ALGORITHM", "OPTIMAL", "SUMMARY"}};
  for (const auto& info : algorithms) rows.push_back({info.id, info.optimal ? "yes" : "no", info.summary});
  return rows;
}

template <typename Items>
int Show(const Session& session, const absl::StatusOr<Items>& items) {
  if (!items.ok()) return session.Fail(items.status());
  if (session.json()) {
    PrintJsonList(session, *items);
  } else {
    Print(Table(Describe(*items)));
  }
  return kExitSolved;
}

int List(const Session& session, const std::string& what, const std::string& problem) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  if (what == "problems") return Show(session, client->ListProblems());
  if (what == "heuristics") return Show(session, client->ListHeuristics(problem));
  return Show(session, client->ListAlgorithms());
}

}  // namespace

void AddList(CLI::App* app, Session* session) {
  auto what = std::make_shared<std::string>();
  auto problem = std::make_shared<std::string>();
  CLI::App* command = app->add_subcommand("list", "List problems, heuristics or algorithms");
  command->fallthrough();
  command->add_option("WHAT", *what, "problems, heuristics or algorithms")
      ->required()
      ->check(CLI::IsMember({"problems", "heuristics", "algorithms"}))
      ->type_name("");
  command->add_option("--problem", *problem, "Only the heuristics of this problem")->type_name("ID");
  command->callback([=] { session->command = [=] { return List(*session, *what, *problem); }; });
}

}  // namespace astrolabe::cli
