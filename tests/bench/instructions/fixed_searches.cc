#include "tests/bench/instructions/fixed_searches.h"

namespace astrolabe::bench {
namespace {

using engine::Tier;

// Korf's instances (Artificial Intelligence 27, 1985).
constexpr char kKorf9[] = "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0";
constexpr char kKorf12[] = "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15";
constexpr char kKorf38[] = "7 15 8 2 13 6 3 12 11 0 4 10 9 5 1 14";

FixedSearch Ida(std::string name, std::string heuristic, std::string board, engine::Cost optimum, Tier tier) {
  return {.name = std::move(name),
          .algorithm = "idastar",
          .params = {},
          .problem = "sliding_tile",
          .heuristic = std::move(heuristic),
          .board = std::move(board),
          .optimum = optimum,
          .tier = tier,
          .tier_used = tier};
}

FixedSearch BestFirst(std::string algorithm, std::map<std::string, engine::ParamValue> params, std::string heuristic,
                      std::string board, engine::Cost optimum) {
  return {.name = algorithm + "_" + heuristic,
          .algorithm = algorithm,
          .params = std::move(params),
          .problem = "sliding_tile",
          .heuristic = heuristic,
          .board = std::move(board),
          .optimum = optimum};
}

}  // namespace

const std::vector<FixedSearch>& FixedSearches() {
  static const auto* const searches = [] {
    auto* all = new std::vector<FixedSearch>{
        BestFirst("astar", {}, "manhattan", kKorf12, 45),
        BestFirst("astar", {}, "sdk_evaluate", kKorf12, 45),
        BestFirst("weighted_astar", {{"weight", 1.2}}, "manhattan", kKorf12, 45),
        Ida("idastar_batched", "manhattan", kKorf38, 53, Tier::kAdditive),
        Ida("idastar_table_in_order", "manhattan", kKorf9, 46, Tier::kAdditive),
        Ida("idastar_eval_ops", "manhattan", kKorf9, 46, Tier::kKernel),
        Ida("idastar_generic", "manhattan", kKorf12, 45, Tier::kGeneric),
        Ida("idastar_sdk_move", "sdk_move", kKorf9, 46, Tier::kKernel),
        Ida("idastar_sdk_evaluate", "sdk_evaluate", kKorf12, 45, Tier::kKernel),
        Ida("idastar_plain_c", "plain_c_manhattan", kKorf12, 45, Tier::kGeneric),
    };
    for (FixedSearch& search : *all) {
      if (search.name == "idastar_table_in_order") search.limited = true;
      if (search.name == "idastar_plain_c") search.problem = "plain_c";
    }
    return all;
  }();
  return *searches;
}

}  // namespace astrolabe::bench
