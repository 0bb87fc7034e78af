#include "daemon/engine/local/descriptions.h"

#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "daemon/engine/local/options.h"

namespace astrolabe::engine {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

ParamSpec Int(std::string name, int64_t default_value, int64_t min, int64_t max, std::string doc) {
  return {.name = std::move(name),
          .type = ParamType::kInt,
          .default_value = default_value,
          .min = min,
          .max = max,
          .doc = std::move(doc),
          .choices = {}};
}

ParamSpec Double(std::string name, double default_value, double min, double max, std::string doc) {
  return {.name = std::move(name),
          .type = ParamType::kDouble,
          .default_value = default_value,
          .min = min,
          .max = max,
          .doc = std::move(doc),
          .choices = {}};
}

ParamSpec Choice(std::string name, std::vector<std::string> choices, std::string doc) {
  return {.name = std::move(name),
          .type = ParamType::kString,
          .default_value = choices.front(),
          .min = std::nullopt,
          .max = std::nullopt,
          .doc = std::move(doc),
          .choices = std::move(choices)};
}

AlgorithmDescription Local(std::string id, std::string summary, std::string doc, std::vector<ParamSpec> params) {
  AlgorithmDescription row;
  row.id = std::move(id);
  row.summary = std::move(summary);
  row.doc = std::move(doc);
  row.needs_heuristic = true;
  row.local = true;
  row.params = std::move(params);
  return row;
}

void CheckSchedule(const Params& params, std::vector<Violation>& violations) {
  const auto first = params.Get<double>("initial_temperature");
  const auto last = params.Get<double>("final_temperature");
  if (first >= last) return;
  char range[64];
  std::snprintf(range, sizeof range, "at most the initial temperature, %.6g", first);
  violations.push_back({"algorithm.params.final_temperature",
                        "is above the initial temperature, so that no step would be made", range,
                        "annealing goes from hot to cold"});
}

}  // namespace

AlgorithmDescription HillClimbingDescription() {
  return Local(
      "hill_climbing", "Hill climbing: always to a better neighbour, until there is none; restarts",
      "Russell and Norvig, Artificial Intelligence: A Modern Approach, section 4.1. Makes the objective (the "
      "heuristic) "
      "smaller step by step; the path does not matter. Often ends in a local optimum, which is told as such.",
      LocalParams(
          {Choice("variant", {"steepest", "first_choice", "stochastic"},
                  "steepest takes one of the best neighbours, each as likely as the others; first_choice the "
                  "first better one in a random order; stochastic any that is better."),
           Int("max_sideways", 0, 0, kMost, "Steps in a row to neighbours that are as good, where none is better.")}));
}

AlgorithmDescription AnnealingDescription() {
  AlgorithmDescription row = Local(
      "simulated_annealing", "Simulated annealing: to any neighbour that is no worse, and sometimes to a worse one",
      "Kirkpatrick, Gelatt and Vecchi, 1983. A neighbour drawn at random that is worse by d is taken with the "
      "probability exp(-d / temperature), by a table of fixed-point numbers, so that runs are the same on any machine. "
      "The temperature falls by a factor from stage to stage; a climb ends when it is below the last one.",
      LocalParams(
          {Double("initial_temperature", 1.0, 0.0001, 1e9, "In units of the objective, to the nearest 1/65536."),
           Double("final_temperature", 0.05, 0.0001, 1e9, "Stages are made while the temperature is not below."),
           Double("cooling", 0.95, 0.0, 0.999999, "What the temperature is multiplied by after each stage."),
           Int("steps_per_temperature", 0, 0, kMost,
               "Neighbours drawn in a stage; 0: as many as there are variables, but at least 1000.")}));
  row.check_params = CheckSchedule;
  return row;
}

AlgorithmDescription MinConflictsDescription() {
  AlgorithmDescription row = Local(
      "min_conflicts",
      "Min-conflicts: gives a variable in conflict the value of the fewest conflicts; for huge problems",
      "Minton, Johnston, Philips and Laird, 1992. Takes a variable in conflict at random and gives it one of its best "
      "values. Where variables have many values the start is repaired instead: values that no variable has are tried "
      "first, some drawn at random, then two variables swap theirs where that is better (Sosic and Gu, 1994), so that "
      "a "
      "million queens take about a second; what that leaves is left to the first method.",
      LocalParams(
          {Choice("method", {"auto", "textbook", "repair"},
                  "textbook values all values of a variable at each step; repair begins with repairs by "
                  "samples; auto repairs where variables have more than 1000 values."),
           Double("noise", 0.01, 0.0, 1.0,
                  "Probability of a random value in the place of the best one, to get away from local optima.")},
          10'000'000));
  row.needs_factored = true;
  return row;
}

AlgorithmDescription TabuDescription() {
  return Local(
      "tabu", "Tabu search: to the best neighbour, be it worse, but not back",
      "Glover, 1989. What a step took away, the value of a variable or a state, may not come back for `tenure` steps, "
      "unless that is better than anything this climb has met (aspiration).",
      LocalParams({Int("tenure", 10, 0, 1'000'000, "Steps for which what was left stays forbidden."),
                   Choice("aspiration", {"on", "off"}, "off: what is forbidden is not taken, however good it is.")},
                  100'000));
}

AlgorithmDescription LocalBeamDescription() {
  return Local(
      "local_beam", "Local beam search: keeps several states, and of all their neighbours the best",
      "Russell and Norvig, Artificial Intelligence: A Modern Approach, section 4.1. Begins with `width` states; "
      "each step goes on with the best of all their neighbours, every state once. Ends when neither the best state nor "
      "the mean of all of them gets better.",
      LocalParams({Int("width", 10, 1, 10'000, "States that are kept.")}));
}

}  // namespace astrolabe::engine
