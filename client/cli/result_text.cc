#include "client/cli/result_text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "client/cli/board_text.h"
#include "client/cli/local_text.h"
#include "client/cli/moves.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

using client::Outcome;
using client::Proof;
using client::Result;

constexpr int64_t kMaxBoardSteps = 200;
constexpr size_t kWidth = 100;

// Every move costs 1: then "moves" and "cost" are the same word.
bool UnitCost(const Result& result) { return result.cost && *result.cost == result.path.length * result.cost_scale; }

std::string Headline(const Result& result) {
  const std::string moves = std::to_string(result.path.length);
  const bool optimal = result.proof == Proof::kOptimal;
  if (!result.cost) return "";
  if (UnitCost(result)) {
    return optimal ? "Minimum number of moves = " + moves : "Number of moves = " + moves + " (not proven minimal)";
  }
  const std::string cost = CostText(*result.cost, result.cost_scale);
  return (optimal ? "Minimum cost = " + cost : "Cost = " + cost + " (not proven minimal)") +
         "\nNumber of moves = " + moves;
}

std::string Steps(const Result& result, const std::vector<std::string>& moves) {
  const auto& path = result.path;
  std::string text;
  if (path.length <= kMaxBoardSteps && path.states.size() == static_cast<size_t>(path.length) + 1) {
    for (size_t i = 0; i < path.states.size(); ++i) {
      if (i > 0) text += i - 1 < moves.size() ? "\n" + moves[i - 1] + "\n" : "\n";
      text += BoardText(path.states[i]);
    }
    return text;
  }
  if (moves.size() == static_cast<size_t>(path.length)) return WrapWords(moves, kWidth);
  if (path.length > kMaxShownMoves) return "(-o moves writes the moves, each on a line)\n";
  if (path.length > 0) return "(the moves are not shown: the server no longer has them)\n";
  return text;
}

// What happened, when it was not simply solved.
std::string Ending(const Result& result) {
  const std::string so_far = IsLocal(result) ? "; the best state found so far is shown"
                             : result.cost   ? "; the best solution found so far is shown"
                                             : "; no solution was found";
  switch (result.outcome) {
    case Outcome::kSolved:
      return "";
    case Outcome::kUnsolvable:
      return "no solution";
    case Outcome::kExhaustedLocal:
      // How many climbs it were, and where they ended.
      return result.explanation.empty() ? "stopped without a solution" : result.explanation;
    case Outcome::kLimitReached:
      return "stopped by the " + LimitWords(result.limit) + so_far;
    case Outcome::kCancelled:
      return "cancelled" + so_far;
    case Outcome::kRejected:
      return "rejected";
    case Outcome::kPluginFailed:
      return "a plugin failed" + so_far;
    case Outcome::kInterrupted:
      return "interrupted by the server" + so_far;
    case Outcome::kUnspecified:
      break;
  }
  return client::Name(result.outcome);
}

// Between the ending and its explanation: the reason itself, or a sentence that says more.
const char* Joint(Outcome outcome) {
  return outcome == Outcome::kUnsolvable || outcome == Outcome::kRejected ? ": " : "\n";
}

// Without what the ending has said already.
std::string Reason(const Result& result) {
  static constexpr std::string_view kSaid = "There is no solution: ";
  const bool said = result.outcome == Outcome::kUnsolvable && result.explanation.starts_with(kSaid);
  return said ? result.explanation.substr(kSaid.size()) : result.explanation;
}

std::string ProofWords(const Result& result) {
  char text[128];
  switch (result.proof) {
    case Proof::kOptimal:
      return "optimal: no cheaper solution exists";
    case Proof::kBounded:
      std::snprintf(text, sizeof text, "at most %.6g times the cost of an optimal solution", result.bound_factor);
      return text;
    case Proof::kFeasible:
      if (IsLocal(result)) return *result.objective == 0 ? "a solution" : "a solution; not proven to be the best";
      return "a solution; not proven to be the cheapest";
    case Proof::kUnsolvableTheory:
      return "unsolvable in theory, without a search";
    case Proof::kUnsolvableExhausted:
      return "unsolvable: all that can be reached was searched";
    default:
      return "";
  }
}

std::string ProofLine(const Result& result) {
  std::string text = ProofWords(result);
  if (result.lower_bound && result.proof != Proof::kOptimal && *result.lower_bound > 0) {
    text += (text.empty() ? "" : "; ") +
            ("no solution costs less than " + CostText(*result.lower_bound, result.cost_scale));
  }
  if (result.verified) {
    text += (text.empty() ? "" : "; ") +
            std::string(IsLocal(result) ? "objective computed anew from the state" : "replayed and verified");
  }
  return text.empty() ? "" : "Proof:   " + text + "\n";
}

// What the algorithm says of a solution behind the first sentence, which the proof line says as well.
std::string NoteLine(const Result& result) {
  if (result.outcome != Outcome::kSolved || IsLocal(result)) return "";
  const size_t end = result.explanation.find(". ");
  return end == std::string::npos ? "" : "Note:    " + result.explanation.substr(end + 2) + "\n";
}

std::string SearchLine(const Result& result) {
  const client::Statistics& stats = result.statistics;
  const auto total = stats.prepare_time + stats.search_time + stats.extract_time;
  std::string text = "Search:  " + (stats.local ? ClimbsWords(*stats.local)
                                                : std::to_string(stats.expanded) + " expanded, " +
                                                      std::to_string(stats.generated) + " generated");
  // A worker that had to be killed could not tell.
  if (total.count() > 0) text += ", " + FormatDuration(total);
  // Tables are built before the search; nobody should take that for slow searching.
  if (stats.prepare_time >= std::chrono::milliseconds(100) && stats.prepare_time > total / 2) {
    text += " with " + FormatDuration(stats.prepare_time) + " of preparation";
  }
  if (stats.search_time.count() > 1'000'000 && stats.generated > 0) {
    text += " (" +
            FormatCount(static_cast<double>(stats.generated) * 1e9 / static_cast<double>(stats.search_time.count())) +
            " generated/s)";
  }
  if (stats.peak_memory_bytes > 0) text += ", " + FormatSize(stats.peak_memory_bytes);
  return text + "\n";
}

std::string SolverLine(const Result& result) {
  const client::Provenance& used = result.provenance;
  if (used.algorithm.empty()) return "";
  std::string text = "Solver:  " + used.algorithm;
  for (const std::string& heuristic : used.heuristics) {
    text += (&heuristic == &used.heuristics[0] ? " with " : ", ") + heuristic;
  }
  if (used.tier != client::EngineTier::kDefault) {
    std::string tier = client::Name(used.tier);
    std::ranges::transform(tier, tier.begin(), [](unsigned char c) { return std::tolower(c); });
    text += "; engine tier " + tier;
  }
  if (used.threads > 1) text += "; " + std::to_string(used.threads) + " threads";
  return text + "\n";
}

}  // namespace

std::string CostText(int64_t cost, int64_t scale) {
  if (scale <= 1) return std::to_string(cost);
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(cost) / static_cast<double>(scale));
  return text;
}

std::string LimitWords(client::LimitKind limit) {
  switch (limit) {
    case client::LimitKind::kWallTime:
      return "time limit";
    case client::LimitKind::kExpansions:
      return "limit on expansions";
    case client::LimitKind::kGenerated:
      return "limit on generated states";
    case client::LimitKind::kMemory:
      return "memory limit";
    case client::LimitKind::kCost:
      return "limit on cost";
    case client::LimitKind::kQueueTimeout:
      return "limit on waiting time";
    case client::LimitKind::kNone:
      break;
  }
  return "limit";
}

std::string WrapWords(const std::vector<std::string>& words, size_t width) {
  std::string text;
  size_t column = 0;
  for (const std::string& word : words) {
    if (column > 0 && column + 1 + word.size() > width) {
      text += '\n';
      column = 0;
    }
    if (column > 0) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  if (column > 0) text += '\n';
  return text;
}

std::string ResultText(const Result& result, const std::vector<std::string>& moves) {
  std::string text;
  if (const std::string ending = Ending(result); !ending.empty()) {
    const std::string why = Reason(result);
    text += ending + (why.empty() || why == ending ? "" : Joint(result.outcome) + why) + "\n";
  }
  if (result.outcome == Outcome::kRejected) return text;
  // As the classic assignment has it.
  if (result.outcome == Outcome::kUnsolvable) text += "Number of moves = -1\n";
  // A count of none is an answer too.
  if (result.solution_count > 0 ||
      (result.outcome == Outcome::kUnsolvable && result.provenance.algorithm == "all_solutions")) {
    text += "Number of solutions = " + std::to_string(result.solution_count) + "\n";
  }
  if (const std::string headline = IsLocal(result) ? "" : Headline(result); !headline.empty()) {
    text += headline + "\n";
    if (const std::string steps = Steps(result, moves); !steps.empty()) text += "\n" + steps;
  } else if (IsLocal(result)) {
    // A target that is reached proves nothing.
    const char* what = result.outcome != Outcome::kSolved ? "best state: "
                       : result.proof == Proof::kNone     ? "target reached: "
                                                          : "solved: ";
    text += what + LocalState(result);
  }
  return text + "\n" + ProofLine(result) + NoteLine(result) + SearchLine(result) + SolverLine(result);
}

std::string ViolationText(const client::Violation& violation, const SourceNames& names) {
  const bool goal = violation.field == "goal" || violation.field == "params.goal";
  std::string text = goal                                                       ? names.goal
                     : violation.field.empty() || violation.field == "instance" ? names.instance
                                                                                : violation.field;
  if (violation.line > 0) text += ":" + std::to_string(violation.line);
  if (violation.line > 0 && violation.column > 0) text += ":" + std::to_string(violation.column);
  text += ": " + violation.message;
  if (!violation.expected.empty()) text += "; expected " + violation.expected;
  if (!violation.hint.empty()) text += "; " + violation.hint;
  return text;
}

std::string ResultWarnings(const Result& result, const SourceNames& names) {
  std::string text;
  for (const client::Violation& violation : result.violations) text += ViolationText(violation, names) + "\n";
  for (const client::ClaimRefuted& refuted : result.refuted_claims) {
    text += "warning: heuristic " + refuted.heuristic + " claims to be " + refuted.claim + " but is not: at state " +
            OneLine(refuted.state) + " it says " + CostText(refuted.h, result.cost_scale) +
            ", and a solution of cost " + CostText(refuted.remaining_cost, result.cost_scale) +
            " exists from there; so the heuristic proves nothing about the cost\n";
  }
  if (result.plugin_failure) {
    const client::PluginFailure& failure = *result.plugin_failure;
    text += "plugin " + failure.plugin + " failed in stage " + failure.stage;
    if (!failure.function.empty()) text += " (" + failure.function + ")";
    if (!failure.code.empty()) text += ": " + failure.code;
    if (failure.signal != 0) {
      text += ", signal " + std::to_string(failure.signal) +
              (failure.signal_name.empty() ? "" : " (" + failure.signal_name + ")");
    }
    if (!failure.message.empty()) text += ": " + failure.message;
    text += "\n";
  }
  for (const std::string& note : result.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace astrolabe::cli
