// A registry and a worker pool that answer what the test says.
#ifndef ASTROLABE_TESTS_DAEMON_SERVER_FAKE_REGISTRY_H_
#define ASTROLABE_TESTS_DAEMON_SERVER_FAKE_REGISTRY_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/registry/registry.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::server {

class FakeGeneration final : public registry::Generation {
 public:
  registry::Manifest manifest_;
  workers::PluginFile file_;
  std::vector<std::string> warnings_;
  const registry::Manifest& manifest() const override { return manifest_; }
  const workers::PluginFile& file() const override { return file_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
};

// A plugin "org.test.tiles" 1.2.3 with the problem "tiles" and the heuristics "manhattan" and "hamming".
inline std::shared_ptr<FakeGeneration> TilesGeneration() {
  auto out = std::make_shared<FakeGeneration>();
  out->manifest_.id = "org.test.tiles";
  out->manifest_.version = "1.2.3";
  out->manifest_.abi_major = 1;
  out->manifest_.licence = "Apache-2.0";
  registry::ProblemEntry problem;
  problem.id = "tiles";
  problem.summary = "Tiles that slide";
  problem.examples = {{"easy", "1 2 0"}};
  registry::ParamSpec size;
  size.name = "size";
  size.type = registry::ParamType::kInt;
  size.default_value = int64_t{3};
  size.min = int64_t{2};
  problem.params = {size};
  out->manifest_.problems = {problem};
  for (const char* id : {"manhattan", "hamming"}) {
    registry::HeuristicEntry entry;
    entry.id = id;
    entry.problem = "tiles";
    entry.admissible = true;
    out->manifest_.heuristics.push_back(entry);
  }
  out->file_ = {"org.test.tiles", "/state/copies/ab12.so", "1.2.3", "ab12", 7};
  return out;
}

class FakeRegistry final : public registry::Registry {
 public:
  FakeRegistry() {
    const auto generation = TilesGeneration();
    auto catalog = std::make_shared<registry::Catalog>();
    for (const auto& problem : generation->manifest_.problems) catalog->problems[problem.id] = {problem, generation};
    for (const auto& h : generation->manifest_.heuristics) catalog->heuristics[h.id] = {h, generation};
    catalog_ = catalog;
    registry::PluginRecord record;
    record.id = "org.test.tiles";
    record.path = "/opt/secret place/plugins/tiles.so";
    record.state = registry::PluginState::kReady;
    record.generation = generation;
    records = {record};
  }

  std::vector<registry::PluginRecord> records;
  std::function<Result<registry::PluginRecord>(const std::string& call)> on_change;

  std::vector<registry::PluginRecord> Scan() override { return records; }
  Result<registry::PluginRecord> Load(std::string_view name) override { return Change("load " + std::string(name)); }
  Result<registry::PluginRecord> Reload(std::string_view name) override {
    return Change("reload " + std::string(name));
  }
  Result<registry::PluginRecord> Unload(std::string_view name) override {
    return Change("unload " + std::string(name));
  }
  std::vector<registry::PluginRecord> List() const override { return records; }
  Result<registry::PluginRecord> Get(std::string_view id) const override {
    for (const auto& record : records) {
      if (record.id == id) return record;
    }
    return MakeError(ErrorCode::kNotFound, "UNKNOWN_PLUGIN", "no such plugin");
  }
  std::shared_ptr<const registry::Catalog> catalog() const override { return catalog_; }

 private:
  Result<registry::PluginRecord> Change(const std::string& call) {
    if (on_change) return on_change(call);
    return records.front();
  }
  std::shared_ptr<const registry::Catalog> catalog_;
};

class FakePool final : public workers::WorkerPool {
 public:
  FakePool() {
    hello_.set_abi_major(1);
    hello_.set_abi_minor(4);
  }
  Result<std::unique_ptr<workers::Lease>> Acquire(std::span<const workers::PluginFile>,
                                                  workers::WorkerEvents*) override {
    return MakeError(ErrorCode::kUnavailable, "FAKE", "no workers");
  }
  workers::ProbeOutcome Probe(const workers::PluginFile&, std::string_view) override { return {}; }
  void DropIdle(const std::function<bool(const std::string&, int64_t)>&) override {}
  void Warm(std::vector<workers::PluginFile>) override {}
  const internal::v1::Hello& hello() const override { return hello_; }
  workers::PoolLoad load() const override { return {2, 3}; }
  void Shutdown() override {}

 private:
  internal::v1::Hello hello_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_TESTS_DAEMON_SERVER_FAKE_REGISTRY_H_
