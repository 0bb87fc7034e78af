// One fixed search in one process through the real plugin libraries, for a tool that counts its instructions.
//   instruction_run --list            the names of the searches
//   instruction_run --build           what else the counts depend on, as JSON
//   instruction_run NAME              runs it; prints its counts as JSON
//   instruction_run NAME --prepare    all but the search
#include <gnu/libc-version.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "tests/bench/instructions/fixed_searches.h"
#include "tests/support/plugins_in_process.h"

namespace astrolabe::bench {
namespace {

int Usage() {
  std::fputs("usage: instruction_run --list | --build | NAME [--prepare]\n", stderr);
  return 2;
}

int List() {
  for (const FixedSearch& search : FixedSearches()) std::printf("%s\n", search.name.c_str());
  return 0;
}

// Kernels are chosen by what the processor has.
int Build() {
  std::printf("{\"compiler\": \"%s\", \"build_type\": \"%s\", \"libc\": \"%s\", \"avx2\": %s}\n", COMPILER, BUILD_TYPE,
              ::gnu_get_libc_version(), __builtin_cpu_supports("avx2") ? "true" : "false");
  return 0;
}

std::vector<std::string> Files(const FixedSearch& search) {
  const std::string plugins = PLUGIN_DIR "/";
  const std::string bench = BENCH_PLUGIN_DIR "/";
  if (search.problem == "plain_c") return {bench + "plain_c.so"};
  return {plugins + "sliding_tile.so", (search.heuristic == "manhattan" ? plugins : bench) + search.heuristic + ".so"};
}

std::string Instance(const FixedSearch& search) {
  const std::string board = "4 " + search.board + "\n";
  if (search.problem == "plain_c") return board;
  return board + "goal\n0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n";
}

int Run(const FixedSearch& search, bool prepare_only) {
  testing::PluginsInProcess plugins(Files(search));
  const testing::PreparedSearch prepared = plugins.Prepare(search.problem, Instance(search), search.heuristic);
  engine::SearchRequest request = prepared.Request(search.algorithm);
  request.params = search.params;
  request.tier = search.tier;
  if (search.limited) request.limits.max_generated = int64_t{1} << 40;
  if (prepare_only) return 0;
  engine::SearchObserver nobody;
  const engine::StopToken never;
  const engine::SearchResult result = engine::RunSearch(request, nobody, never);
  const bool optimal = search.algorithm != "weighted_astar";
  const engine::Cost cost = result.cost.value_or(-1);
  if (result.outcome != engine::Outcome::kSolved || !result.verified || result.tier != search.tier_used ||
      (optimal ? cost != search.optimum : cost < search.optimum)) {
    std::fprintf(stderr, "%s: cost %lld, expected %s %lld; tier %d, expected %d; %s\n", search.name.c_str(),
                 static_cast<long long>(cost), optimal ? "exactly" : "at least", static_cast<long long>(search.optimum),
                 static_cast<int>(result.tier), static_cast<int>(search.tier_used), result.explanation.c_str());
    return 1;
  }
  std::printf("{\"generated\": %lld, \"expanded\": %lld}\n", static_cast<long long>(result.statistics.generated),
              static_cast<long long>(result.statistics.expanded));
  return 0;
}

int Main(int argc, char** argv) {
  if (argc < 2 || argc > 3) return Usage();
  const std::string what = argv[1];
  const bool prepare_only = argc == 3;
  if (prepare_only && std::strcmp(argv[2], "--prepare") != 0) return Usage();
  if (what == "--list") return List();
  if (what == "--build") return Build();
  for (const FixedSearch& search : FixedSearches()) {
    if (search.name == what) return Run(search, prepare_only);
  }
  std::fprintf(stderr, "instruction_run: no search '%s'; --list shows them\n", what.c_str());
  return 2;
}

}  // namespace
}  // namespace astrolabe::bench

int main(int argc, char** argv) { return astrolabe::bench::Main(argc, argv); }
