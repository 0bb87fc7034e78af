// Plugin libraries loaded into this process as a worker loads them, and searches run by the engine through them:
// everything but the daemon and the worker's messages.
//
//   PluginsInProcess plugins({dir + "/sliding_tile.so", dir + "/manhattan.so"});
//   PreparedSearch search = plugins.Prepare("sliding_tile", "3\n...", "manhattan");
//   engine::SearchResult result = search.Run("astar");
#ifndef ASTROLABE_TESTS_SUPPORT_PLUGINS_IN_PROCESS_H_
#define ASTROLABE_TESTS_SUPPORT_PLUGINS_IN_PROCESS_H_

#include <memory>
#include <string>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/engine/search.h"
#include "daemon/worker/abi_heuristic.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/plugin_host.h"

namespace astrolabe::testing {

// A parsed instance with one heuristic for it. Lives no longer than the plugins it came from.
class PreparedSearch {
 public:
  PreparedSearch(std::unique_ptr<worker::AbiProblem> problem, std::unique_ptr<worker::AbiHeuristic> heuristic)
      : problem_(std::move(problem)), heuristic_(std::move(heuristic)), evaluator_(heuristic_.get(), 0) {}

  const engine::StateSpace& space() const { return *problem_; }
  const engine::Evaluator& evaluator() const { return evaluator_; }

  // To change before Run. Points into this object.
  engine::SearchRequest Request(const std::string& algorithm) const;
  engine::SearchResult Run(const std::string& algorithm) const;

 private:
  std::unique_ptr<worker::AbiProblem> problem_;
  std::unique_ptr<worker::AbiHeuristic> heuristic_;
  worker::AbiEvaluator evaluator_;
};

// One thread uses it. Faults end the process with a message: these are the libraries of our own build.
class PluginsInProcess {
 public:
  explicit PluginsInProcess(const std::vector<std::string>& files);

  PreparedSearch Prepare(const std::string& problem, const std::string& instance, const std::string& heuristic);

 private:
  Fd socket_, peer_;  // where a worker's messages go; nobody reads them
  std::unique_ptr<worker::FrameWriter> frames_;
  std::unique_ptr<worker::StageTracker> stage_;
  worker::CodeMap code_;
  std::unique_ptr<worker::LogStream> log_;
  worker::PluginCache cache_{""};
  worker::MemoryBudget budget_{0};
  std::unique_ptr<worker::PluginHost> host_;
  std::unique_ptr<worker::HostServices> services_;
  std::vector<worker::ProblemRef> problems_;
  std::vector<worker::HeuristicRef> heuristics_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_SUPPORT_PLUGINS_IN_PROCESS_H_
