// A Registry with a fixed catalogue: sliding_tile with manhattan, hamming; graph with octile; one plugin that failed.
#ifndef ASTROLABE_TESTS_DAEMON_JOBS_FAKE_REGISTRY_H_
#define ASTROLABE_TESTS_DAEMON_JOBS_FAKE_REGISTRY_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "daemon/registry/registry.h"

namespace astrolabe::jobs {

class FakeGeneration : public registry::Generation {
 public:
  FakeGeneration(std::string id, int64_t generation) {
    file_.id = std::move(id);
    file_.path = "/copies/" + file_.id;
    file_.version = "1.0." + std::to_string(generation);
    file_.sha256 = std::string(64, static_cast<char>('0' + generation % 10));
    file_.generation = generation;
  }
  const registry::Manifest& manifest() const override { return manifest_; }
  const workers::PluginFile& file() const override { return file_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  registry::Manifest manifest_;
  workers::PluginFile file_;
  std::vector<std::string> warnings_;
};

class FakeRegistry : public registry::Registry {
 public:
  FakeRegistry() {
    registry::Catalog catalog;
    registry::ProblemEntry tile;
    tile.id = "sliding_tile";
    tile.default_algorithm = "astar";
    tile.default_heuristic = "manhattan";
    tile.state_layout = "sliding_tile/1";
    registry::ParamSpec goal;
    goal.name = "goal";
    goal.type = registry::ParamType::kString;
    goal.default_value = std::string("blank-last");
    goal.counting_default = std::string("any");
    tile.params.push_back(goal);
    catalog.problems["sliding_tile"] = {tile, Generation("org.astrolabe.sliding_tile", 1)};
    registry::ProblemEntry graph;
    graph.id = "graph";
    graph.default_heuristic = "octile";
    graph.state_layout = "graph/1";
    catalog.problems["graph"] = {graph, Generation("org.astrolabe.graph", 1)};
    for (const char* id : {"manhattan", "hamming"}) catalog.heuristics[id] = Heuristic(id, "sliding_tile");
    catalog.heuristics["manhattan"].entry.admissible = true;
    registry::ParamSpec depth;
    depth.name = "depth";
    depth.type = registry::ParamType::kInt;
    depth.default_value = int64_t{3};
    depth.min = int64_t{1};
    depth.max = int64_t{9};
    catalog.heuristics["hamming"].entry.params.push_back(depth);
    catalog.heuristics["octile"] = Heuristic("octile", "graph");
    SetCatalog(std::move(catalog));

    registry::PluginRecord failed;
    failed.id = "my_h.so";
    failed.path = "/home/someone/plugins/my_h.so";
    failed.error = registry::LoadError{};
    failed.error->code = registry::LoadCode::kMissingSymbol;
    failed.error->stage = "probe";
    failed.error->message = "/home/someone/plugins/my_h.so: undefined symbol: foo";
    records.push_back(failed);
  }

  static registry::GenerationRef Generation(std::string id, int64_t generation) {
    return std::make_shared<FakeGeneration>(std::move(id), generation);
  }
  static registry::Catalog::Heuristic Heuristic(const std::string& id, const std::string& problem) {
    registry::HeuristicEntry entry;
    entry.id = id;
    entry.problem = problem;
    entry.state_layout = problem + "/1";
    return {entry, Generation("org.astrolabe." + id, 1)};
  }

  void SetCatalog(registry::Catalog catalog) {
    std::lock_guard lock(mu_);
    catalog_ = std::make_shared<const registry::Catalog>(std::move(catalog));
  }

  std::vector<registry::PluginRecord> Scan() override { return {}; }
  Result<registry::PluginRecord> Load(std::string_view) override { return Unused(); }
  Result<registry::PluginRecord> Reload(std::string_view) override { return Unused(); }
  Result<registry::PluginRecord> Unload(std::string_view) override { return Unused(); }
  std::vector<registry::PluginRecord> List() const override { return records; }
  Result<registry::PluginRecord> Get(std::string_view) const override { return Unused(); }
  std::shared_ptr<const registry::Catalog> catalog() const override {
    std::lock_guard lock(mu_);
    return catalog_;
  }

  std::vector<registry::PluginRecord> records;

 private:
  static Error Unused() { return MakeError(ErrorCode::kUnimplemented, "UNUSED", "not of this test"); }

  mutable std::mutex mu_;
  std::shared_ptr<const registry::Catalog> catalog_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_TESTS_DAEMON_JOBS_FAKE_REGISTRY_H_
