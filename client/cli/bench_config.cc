#include "client/cli/bench_config.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace astrolabe::cli {
namespace {

constexpr char kDefault[] = "default";

// Splits "A+B". After \ a plus belongs to the value of a parameter; the backslash stays, for the parser of parameters.
std::vector<std::string> SplitSet(std::string_view text) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      parts.emplace_back();
      continue;
    }
    if (text[i] == '\\' && i + 1 < text.size()) parts.back() += text[i++];
    parts.back() += text[i];
  }
  return parts;
}

std::string HeuristicLabel(const std::vector<std::string>& heuristics, const std::string& combine) {
  if (heuristics.empty()) return kDefault;
  if (heuristics.size() == 1) return heuristics[0];
  std::string label = (combine.empty() ? "max" : combine) + "(";
  for (const std::string& heuristic : heuristics) label += (&heuristic == &heuristics[0] ? "" : ", ") + heuristic;
  return label + ")";
}

absl::StatusOr<BenchConfig> MakeConfig(const std::string& algorithm, const std::string& set,
                                       const std::string& combine) {
  BenchConfig config;
  config.algorithm = algorithm;
  if (!set.empty()) config.heuristics = SplitSet(set);
  if (std::ranges::any_of(config.heuristics, [](const std::string& part) { return part.empty(); })) {
    return absl::InvalidArgumentError("\"" + set + "\" has an empty part; expected a heuristic or a set such as " +
                                      "manhattan+hamming (a + inside a parameter is written \\+)");
  }
  config.heuristic_label = HeuristicLabel(config.heuristics, combine);
  return config;
}

// "astar manhattan+hamming", "breadth_first"
absl::StatusOr<BenchConfig> ParseConfig(const std::string& text, const std::string& combine) {
  constexpr std::string_view kBlank = " \t";
  std::vector<std::string> words;
  for (size_t at = text.find_first_not_of(kBlank); at != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlank, end);
  }
  if (words.empty() || words.size() > 2) {
    return absl::InvalidArgumentError("\"" + text +
                                      "\" is not a value for --config; expected an algorithm and its "
                                      "heuristics, such as 'astar manhattan' or 'idastar manhattan+hamming'");
  }
  return MakeConfig(words[0], words.size() == 2 ? words[1] : "", combine);
}

bool IsBlind(const std::string& algorithm, const std::vector<client::AlgorithmInfo>& known) {
  const std::string id = algorithm.substr(0, algorithm.find(':'));
  const auto info = std::ranges::find(known, id, &client::AlgorithmInfo::id);
  return info != known.end() && !info->needs_heuristic;
}

// No option is the same as one that says nothing.
std::vector<std::string> OrDefault(std::vector<std::string> values) {
  if (values.empty()) values.emplace_back();
  return values;
}

}  // namespace

std::string BenchConfig::AlgorithmLabel() const { return algorithm.empty() ? kDefault : algorithm; }

std::string BenchConfig::Label() const {
  return AlgorithmLabel() + (heuristic_label.empty() ? "" : " + " + heuristic_label);
}

absl::StatusOr<std::vector<BenchConfig>> BenchConfigs(const BenchConfigOptions& options,
                                                      const std::vector<client::AlgorithmInfo>& known) {
  std::vector<BenchConfig> configs;
  const bool product = options.configs.empty() || !options.algorithms.empty() || !options.heuristics.empty();
  for (const std::string& algorithm : product ? OrDefault(options.algorithms) : std::vector<std::string>()) {
    if (IsBlind(algorithm, known)) {
      configs.push_back({algorithm, {}, ""});
      continue;
    }
    for (const std::string& set : OrDefault(options.heuristics)) {
      auto config = MakeConfig(algorithm, set, options.combine);
      if (!config.ok()) return config.status();
      configs.push_back(*std::move(config));
    }
  }
  for (const std::string& text : options.configs) {
    auto config = ParseConfig(text, options.combine);
    if (!config.ok()) return config.status();
    if (config->heuristics.empty() && IsBlind(config->algorithm, known)) config->heuristic_label.clear();
    configs.push_back(*std::move(config));
  }
  std::set<std::string> labels;
  for (const BenchConfig& config : configs) {
    if (!labels.insert(config.Label()).second) {
      return absl::InvalidArgumentError("the configuration " + config.Label() + " is given twice");
    }
  }
  return configs;
}

}  // namespace astrolabe::cli
