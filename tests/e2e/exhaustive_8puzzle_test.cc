// Every solvable 8-puzzle, solved by the engine through the real plugin libraries as a worker loads them,
// against a breadth-first search that knows nothing of them.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/engine/search.h"
#include "daemon/worker/abi_heuristic.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/diagnostics.h"
#include "daemon/worker/plugin_host.h"

namespace astrolabe {
namespace {

#ifdef ASTROLABE_SANITIZED
constexpr size_t kStride = 97;
#else
constexpr size_t kStride = 1;
#endif

// --- the truth: breadth-first from the goal, written without a line of ours --------------------------------

using Board = std::array<char, 9>;  // tile on each square

uint64_t Key(const Board& board) {
  uint64_t key = 0;
  for (char tile : board) key = key * 9 + static_cast<uint64_t>(tile);
  return key;
}

struct Truth {
  std::vector<Board> boards;  // in order of distance
  std::vector<int> depth;
};

const Truth& BreadthFirst() {
  static const Truth* truth = [] {
    auto* t = new Truth();
    std::unordered_map<uint64_t, bool> seen;
    t->boards.push_back({1, 2, 3, 4, 5, 6, 7, 8, 0});
    t->depth.push_back(0);
    seen[Key(t->boards[0])] = true;
    for (size_t i = 0; i < t->boards.size(); ++i) {
      const Board board = t->boards[i];
      int blank = 0;
      while (board[blank] != 0) ++blank;
      const int row = blank / 3, column = blank % 3;
      for (const auto& [dr, dc] : {std::pair{-1, 0}, {0, -1}, {0, 1}, {1, 0}}) {
        if (row + dr < 0 || row + dr > 2 || column + dc < 0 || column + dc > 2) continue;
        Board next = board;
        std::swap(next[blank], next[(row + dr) * 3 + column + dc]);
        if (!seen.emplace(Key(next), true).second) continue;
        t->boards.push_back(next);
        t->depth.push_back(t->depth[i] + 1);
      }
    }
    return t;
  }();
  return *truth;
}

// --- the real libraries ----------------------------------------------------------------------------------------

class Libraries {
 public:
  Libraries() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) std::abort();
    socket_.Reset(fds[0]);
    peer_.Reset(fds[1]);
    for (const char* name : {"sliding_tile", "manhattan", "hamming"}) {
      internal::v1::PluginFile file;
      file.set_id(std::string("org.astrolabe.") + name);
      file.set_path(std::string(BUILD_ROOT) + "/lib/astrolabe/plugins/" + name + ".so");
      auto loaded = host_.Load(file);
      if (!std::holds_alternative<const worker::LoadedPlugin*>(loaded)) {
        ADD_FAILURE() << "cannot load " << file.path();
        std::abort();
      }
      const auto* plugin = std::get<const worker::LoadedPlugin*>(loaded);
      problems_.insert(problems_.end(), plugin->problems.begin(), plugin->problems.end());
      heuristics_.insert(heuristics_.end(), plugin->heuristics.begin(), plugin->heuristics.end());
    }
  }

  engine::SearchResult Solve(const Board& board, const std::string& heuristic_id, const std::string& algorithm) {
    std::string text = "3";
    for (char tile : board) text += " " + std::to_string(tile);
    const worker::ProblemRef& problem_ref = problems_.at(0);
    worker::DiagnosticCollector diagnostics("instance");
    void* parsed = nullptr;
    const astro_params no_params{nullptr, 0, sizeof(astro_param_v1)};
    EXPECT_EQ(
        problem_ref.vtable->parse(services_.abi(), {text.data(), text.size()}, &no_params, diagnostics.abi(), &parsed),
        ASTRO_OK)
        << diagnostics.Summary();
    worker::AbiProblem problem(problem_ref, "sliding_tile", parsed);

    const worker::HeuristicRef* heuristic_ref = nullptr;
    for (const auto& h : heuristics_) {
      if (h.id == heuristic_id) heuristic_ref = &h;
    }
    void* created = nullptr;
    EXPECT_EQ(heuristic_ref->vtable->create(services_.abi(), problem.vtable(), problem.object(), &no_params,
                                            diagnostics.abi(), &created),
              ASTRO_OK);
    worker::AbiHeuristic heuristic(*heuristic_ref, heuristic_id, created);
    EXPECT_EQ(heuristic.ReadInfo(), "");
    worker::AbiEvaluator evaluator(&heuristic, 0);

    engine::SearchRequest request;
    request.space = &problem;
    request.evaluators.push_back({&evaluator, 1, 1});
    request.algorithm = algorithm;
    engine::SearchObserver observer;
    engine::StopToken stop;
    return engine::RunSearch(request, observer, stop);
  }

 private:
  Fd socket_, peer_;
  worker::FrameWriter frames_{socket_.get()};
  worker::StageTracker stage_{&frames_};
  worker::CodeMap code_;
  worker::LogStream log_{&frames_};
  worker::PluginCache cache_{""};
  worker::MemoryBudget budget_{0};
  worker::JobServices shared_{&frames_, &log_, &cache_, &budget_, nullptr, 0, 1, std::chrono::milliseconds(1000)};
  worker::PluginHost host_{&stage_, &code_, shared_};
  worker::HostServices services_{shared_, "test", ""};
  std::vector<worker::ProblemRef> problems_;
  std::vector<worker::HeuristicRef> heuristics_;
};

struct Sweep {
  std::string algorithm;
  std::string heuristic;
  size_t stride;
  size_t part, parts;  // so that ctest can run parts side by side
};

class Exhaustive : public testing::TestWithParam<Sweep> {};

TEST_P(Exhaustive, EveryBoardGetsItsOptimalLength) {
  const Sweep& sweep = GetParam();
  const Truth& truth = BreadthFirst();
  Libraries libraries;
  size_t wrong = 0;
  for (size_t i = sweep.part * sweep.stride; i < truth.boards.size(); i += sweep.stride * sweep.parts) {
    const engine::SearchResult result = libraries.Solve(truth.boards[i], sweep.heuristic, sweep.algorithm);
    const bool right = result.outcome == engine::Outcome::kSolved && result.proof == engine::Proof::kOptimal &&
                       result.verified && result.cost == truth.depth[i];
    if (!right && ++wrong < 5) {
      ADD_FAILURE() << "board " << i << " of depth " << truth.depth[i] << " got "
                    << (result.cost ? std::to_string(*result.cost) : "no cost") << ": " << result.explanation;
    }
  }
  EXPECT_EQ(wrong, 0u);
}

std::vector<Sweep> Sweeps() {
  std::vector<Sweep> sweeps;
  for (const std::string algorithm : {"astar", "idastar"}) {
    for (const std::string heuristic : {"manhattan", "hamming"}) {
      // IDA* with the weak heuristic visits hundreds of thousands of nodes a board.
      const size_t stride = algorithm == "idastar" && heuristic == "hamming" ? 97 : kStride;
      const size_t parts = algorithm == "astar" && stride == 1 ? 8 : 1;
      for (size_t part = 0; part < parts; ++part) sweeps.push_back({algorithm, heuristic, stride, part, parts});
    }
  }
  return sweeps;
}

INSTANTIATE_TEST_SUITE_P(All, Exhaustive, testing::ValuesIn(Sweeps()), [](const auto& info) {
  return info.param.algorithm + "_" + info.param.heuristic + "_" + std::to_string(info.param.part + 1) + "of" +
         std::to_string(info.param.parts);
});

// Number of states at each optimal depth, goal in a corner (OEIS A089473).
TEST(ExhaustiveTruth, DepthCountsAreThePublishedOnes) {
  const std::vector<int> published = {1,     2,     4,     8,     16,    20,   39,   62,   116,   152,   286,
                                      396,   748,   1024,  1893,  2512,  4485, 5638, 9529, 10878, 16993, 17110,
                                      23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,   2};
  std::vector<int> counts(published.size());
  for (int depth : BreadthFirst().depth) ++counts.at(static_cast<size_t>(depth));
  EXPECT_EQ(counts, published);
  EXPECT_EQ(BreadthFirst().boards.size(), 181440u);
}

}  // namespace
}  // namespace astrolabe
