#include <CLI/CLI.hpp>
#include <memory>

#include "astrolabe/client/json.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/nearest.h"
#include "client/cli/params.h"
#include "client/cli/table.h"

namespace astrolabe::cli {
namespace {

std::string Indented(const std::string& text) {
  std::string out = "  ";
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) out += "  ";
  }
  return out + (text.ends_with('\n') ? "" : "\n");
}

std::string Section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : "\n" + title + "\n" + Indented(text);
}

// `title` says how they are given.
std::string ParamsText(const std::vector<client::ParamSpec>& params, const std::string& title = "Parameters") {
  std::vector<std::vector<std::string>> rows;
  for (const client::ParamSpec& spec : params) {
    std::string value = Expectation(spec);
    if (spec.default_value) value += "; default " + FormatParam(*spec.default_value);
    if (spec.counting_default) value += "; " + FormatParam(*spec.counting_default) + " to count all solutions";
    rows.push_back({spec.name, value, spec.doc});
  }
  return rows.empty() ? "" : Section(title, Table(rows));
}

// Commands take the parameters of a problem as options too.
std::string FlagsTitle(const std::vector<client::ParamSpec>& params) {
  std::string forms;
  for (const client::ParamSpec& spec : params) forms += (forms.empty() ? "" : ", ") + FlagForm(spec);
  return "Parameters, given as " + forms;
}

std::string Describe(const client::ProblemInfo& info) {
  std::string text = "problem " + info.id + ": " + info.summary + "\n";
  if (!info.plugin.empty()) text += "Plugin " + info.plugin + " " + info.version + "\n";
  text += "Default: algorithm " + info.default_algorithm + ", heuristic " + info.default_heuristic + "\n";
  text += Section("About", info.doc) + Section("Instance", info.instance_syntax) +
          ParamsText(info.params, FlagsTitle(info.params));
  for (const client::Example& example : info.examples) text += Section("Example: " + example.title, example.text);
  return text;
}

std::string Describe(const client::HeuristicInfo& info) {
  std::string text = "heuristic " + info.id + ": " + info.summary + "\n";
  if (!info.plugin.empty()) text += "Plugin " + info.plugin + " " + info.version + "\n";
  text += "For problem " + info.problem + "\n";
  text += std::string("Claims: ") + (info.admissible ? "admissible" : "not admissible") +
          (info.consistent ? ", consistent" : "") + "\n";
  if (!info.objective_name.empty()) text += "As an objective: " + info.objective_name + "\n";
  return text + Section("About", info.doc) + ParamsText(info.params);
}

std::string Describe(const client::AlgorithmInfo& info) {
  std::string text = "algorithm " + info.id + ": " + info.summary + "\n";
  if (info.local_search) {
    text += "Local search: finds a state that is good, not a path to it\n";
  } else if (info.optimal) {
    text +=
        info.needs_heuristic ? "Finds optimal solutions (with an admissible heuristic)\n" : "Finds optimal solutions\n";
  } else {
    text += "Solutions need not be optimal\n";
  }
  text += info.needs_heuristic ? "Needs a heuristic\n" : "Needs no heuristic\n";
  if (info.needs_reversed) text += "Searches from the goal too: needs a problem that can be turned round\n";
  if (info.counts_solutions) text += "Counts all solutions\n";
  if (info.needs_construct) text += "Takes a solution that the problem constructs: needs a problem that does\n";
  text += info.uses_threads ? "Works on several threads, if asked\n" : "Works on one thread\n";
  return text + Section("About", info.doc) + ParamsText(info.params);
}

// Adds what the id is, if it is one of that kind. False: a failure other than "not found", in *status.
template <typename Info>
bool Add(const Session& session, const absl::StatusOr<Info>& info, std::string* text, absl::Status* status) {
  if (!info.ok()) {
    if (status->ok() || info.status().code() != absl::StatusCode::kNotFound) *status = info.status();
    return info.status().code() == absl::StatusCode::kNotFound;
  }
  if (session.json()) {
    *text += client::ToJson(*info) + "\n";
  } else {
    *text += (text->empty() ? "" : "\n") + Describe(*info);
  }
  return true;
}

// What exists, as far as the server tells.
std::vector<std::string> AllIds(client::Client* client) {
  std::vector<std::string> ids;
  const auto add = [&](const auto& infos) {
    if (!infos.ok()) return;
    for (const auto& info : *infos) ids.push_back(info.id);
  };
  add(client->ListProblems());
  add(client->ListHeuristics());
  add(client->ListAlgorithms());
  return ids;
}

int DescribeId(const Session& session, const std::string& id) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  std::string text;
  absl::Status status;
  const bool answered = Add(session, client->GetProblem(id), &text, &status) &&
                        Add(session, client->GetHeuristic(id), &text, &status) &&
                        Add(session, client->GetAlgorithm(id), &text, &status);
  if (!answered) return session.Fail(status);
  if (text.empty()) {
    const std::string nearest = Nearest(id, AllIds(&*client));
    return session.Fail(
        absl::NotFoundError("there is no problem, heuristic or algorithm \"" + id + "\"" +
                            (nearest.empty() ? "; see them with: astrolabe list problems|heuristics|algorithms"
                                             : "; did you mean \"" + nearest + "\"?")));
  }
  Print(text);
  return kExitSolved;
}

}  // namespace

void AddDescribe(CLI::App* app, Session* session) {
  auto id = std::make_shared<std::string>();
  CLI::App* command = app->add_subcommand("describe", "Tell all about a problem, heuristic or algorithm");
  command->fallthrough();
  command->add_option("ID", *id, "Its id")->required()->type_name("");
  command->callback([=] { session->command = [=] { return DescribeId(*session, *id); }; });
}

}  // namespace astrolabe::cli
