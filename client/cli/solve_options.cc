#include "client/cli/solve_options.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace astrolabe::cli {
namespace {

constexpr char kDefaultProblem[] = "sliding_tile";
constexpr char kExpanding[] = "expanding";

absl::StatusOr<client::NodeKind> ParseKind(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == '-' ? '_' : std::toupper(c); });
  std::string known;
  for (int i = 1; i <= static_cast<int>(client::NodeKind::kRestart); ++i) {
    const auto kind = static_cast<client::NodeKind>(i);
    std::string candidate = client::Name(kind);
    if (candidate == name) return kind;
    std::ranges::transform(candidate, candidate.begin(), [](unsigned char c) { return std::tolower(c); });
    known += (known.empty() ? "" : ", ") + candidate;
  }
  return absl::InvalidArgumentError("\"" + name + "\" is not a kind of node event; expected some of " + known);
}

absl::Status SetEvents(const SolveOptions& options, client::EventOptions* events) {
  if (options.events != EventsWanted::kNodes) return absl::OkStatus();
  std::string rest = options.node_kinds.empty() ? kExpanding : options.node_kinds;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const auto kind = ParseKind(rest.substr(0, comma));
    if (!kind.ok()) return kind.status();
    events->kinds.push_back(*kind);
    rest.erase(0, comma + 1);
  }
  const std::string details[] = {"", "ids", "costs", "state", "text"};
  const auto detail = std::ranges::find(details, options.node_detail);
  events->detail = static_cast<client::NodeDetail>(detail - details);
  return absl::OkStatus();
}

absl::Status SetAlgorithm(const SolveOptions& options, client::Client* client, client::AlgorithmUse* algorithm) {
  if (options.algorithm.empty()) return absl::OkStatus();
  const auto raw = ParseUse(options.algorithm);
  if (!raw.ok()) return raw.status();
  if (raw->weight) return absl::InvalidArgumentError("an algorithm has no weight: write --algorithm " + raw->id);
  algorithm->id = raw->id;
  if (raw->params.empty()) return absl::OkStatus();
  const auto info = client->GetAlgorithm(raw->id);
  if (!info.ok()) return info.status();
  auto params = TypeParams(raw->params, info->params, "algorithm " + raw->id);
  if (!params.ok()) return params.status();
  algorithm->params = *std::move(params);
  return absl::OkStatus();
}

// The kinds of node events that tell how a search of this algorithm goes. An id that nobody knows is left to the server
// to refuse.
absl::StatusOr<std::string> TellingKinds(std::string algorithm, const std::string& problem, client::Client* client) {
  if (algorithm.empty()) {
    const auto info = client->GetProblem(problem);
    if (absl::IsNotFound(info.status())) return kExpanding;
    if (!info.ok()) return info.status();
    algorithm = info->default_algorithm;
  }
  algorithm = algorithm.substr(0, algorithm.find(':'));
  if (algorithm == kAllSolutions) return "goal";
  const auto info = client->GetAlgorithm(algorithm);
  if (absl::IsNotFound(info.status())) return kExpanding;
  if (!info.ok()) return info.status();
  return info->local_search ? "source,expanding,restart,closing,goal" : kExpanding;
}

}  // namespace

absl::StatusOr<LoadedInstance> LoadInstance(const InstanceOptions& options) {
  absl::StatusOr<Input> input = ReadInput(options.file);
  if (!input.ok()) return input.status();
  return LoadInstance(options, *std::move(input));
}

absl::StatusOr<LoadedInstance> LoadInstance(const InstanceOptions& options, Input input) {
  LoadedInstance loaded;
  loaded.names.instance = std::move(input.name);
  const std::string named = TakeProblemLine(&input.text);
  loaded.ref.problem = !options.problem.empty() ? options.problem : !named.empty() ? named : kDefaultProblem;
  loaded.ref.instance = std::move(input.text);
  loaded.flags = options.flags;
  for (const std::string& text : options.params) {
    auto param = ParseParam(text);
    if (!param.ok()) return param.status();
    loaded.params.push_back(*std::move(param));
  }
  if (!options.goal.empty()) {
    auto goal = ResolveGoal(options.goal, &loaded.names.goal);
    if (!goal.ok()) return goal.status();
    loaded.params.emplace_back("goal", *std::move(goal));
  }
  return loaded;
}

absl::StatusOr<client::Params> ProblemParams(const LoadedInstance& instance, client::Client* client) {
  if (instance.params.empty() && instance.flags.empty()) return client::Params();
  const auto info = client->GetProblem(instance.ref.problem);
  if (!info.ok()) return info.status();
  const std::string owner = "problem " + instance.ref.problem;
  absl::StatusOr<RawParams> params = ResolveFlags(instance.flags, info->params, owner);
  if (!params.ok()) return params.status();
  params->insert(params->begin(), instance.params.begin(), instance.params.end());
  return TypeParams(*params, info->params, owner);
}

absl::StatusOr<std::vector<client::HeuristicUse>> ParseHeuristics(const std::vector<std::string>& texts,
                                                                  client::Client* client) {
  std::vector<client::HeuristicUse> heuristics;
  for (const std::string& text : texts) {
    const auto raw = ParseUse(text);
    if (!raw.ok()) return raw.status();
    client::HeuristicUse use{raw->id, {}, raw->weight};
    if (!raw->params.empty()) {
      const auto info = client->GetHeuristic(raw->id);
      if (!info.ok()) return info.status();
      auto params = TypeParams(raw->params, info->params, "heuristic " + raw->id);
      if (!params.ok()) return params.status();
      use.params = *std::move(params);
    }
    heuristics.push_back(std::move(use));
  }
  return heuristics;
}

absl::StatusOr<client::SolveRequest> BuildSearch(const SolveOptions& options, client::Client* client) {
  client::SolveRequest request;
  client::JobSpec& spec = request.spec;
  auto heuristics = ParseHeuristics(options.heuristics, client);
  if (!heuristics.ok()) return heuristics.status();
  spec.heuristics = *std::move(heuristics);
  if (const auto status = SetAlgorithm(options, client, &spec.algorithm); !status.ok()) return status;
  if (const auto status = SetLimits(options.limits, &spec.limits); !status.ok()) return status;
  if (const auto status = SetEvents(options, &spec.events); !status.ok()) return status;
  if (options.combine == "max") spec.combine = client::Combine::kMax;
  if (options.combine == "sum") spec.combine = client::Combine::kSum;
  if (options.tier == "generic") spec.tier = client::EngineTier::kGeneric;
  if (options.tier == "kernel") spec.tier = client::EngineTier::kKernel;
  if (options.tier == "additive") spec.tier = client::EngineTier::kAdditive;
  spec.seed = options.seed;
  spec.threads = options.threads;
  request.watch.nodes = options.events == EventsWanted::kNodes;
  return request;
}

absl::StatusOr<client::SolveRequest> BuildRequest(const SolveOptions& given, const LoadedInstance& instance,
                                                  client::Client* client) {
  auto params = ProblemParams(instance, client);
  if (!params.ok()) return params.status();
  SolveOptions options = given;
  if (options.events == EventsWanted::kNodes && options.node_kinds.empty()) {
    auto kinds = TellingKinds(options.algorithm, instance.ref.problem, client);
    if (!kinds.ok()) return kinds.status();
    options.node_kinds = *std::move(kinds);
  }
  auto request = BuildSearch(options, client);
  if (!request.ok()) return request.status();
  request->spec.problem = instance.ref.problem;
  request->spec.instance = instance.ref.instance;
  request->spec.params = *std::move(params);
  return request;
}

}  // namespace astrolabe::cli
