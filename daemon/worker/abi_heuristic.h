// AbiHeuristic: one heuristic object of a plugin. AbiEvaluator: its context on one search thread, as the
// engine sees it.
#ifndef ASTROLABE_DAEMON_WORKER_ABI_HEURISTIC_H_
#define ASTROLABE_DAEMON_WORKER_ABI_HEURISTIC_H_

#include <memory>
#include <optional>
#include <string>

#include "astrolabe/abi/heuristic.h"
#include "astrolabe/abi/local.h"
#include "daemon/engine/domain.h"
#include "daemon/worker/plugin_checks.h"

namespace astrolabe::worker {

class AbiHeuristic {
 public:
  // Takes `heuristic`, which create of `ref` made, and destroys it in the end. objective_name empty: none was given.
  AbiHeuristic(const HeuristicRef& ref, std::string plugin, void* heuristic, std::string objective_name = "");
  ~AbiHeuristic();
  AbiHeuristic(const AbiHeuristic&) = delete;
  AbiHeuristic& operator=(const AbiHeuristic&) = delete;

  const std::string& id() const { return id_; }
  const std::string& plugin() const { return plugin_; }
  const std::string& objective_name() const { return objective_name_; }
  const astro_heuristic_v1* vtable() const { return vtable_; }
  void* object() const { return object_; }

  // After build. Empty, or what breaks the contract; no evaluator may be made then.
  std::string ReadInfo();

  const engine::EvaluatorInfo& info() const { return info_; }
  uint64_t memory_bytes() const { return memory_bytes_; }
  // Null: it has none.
  const astro_additive_table_v1* table() const { return table_ ? &*table_ : nullptr; }
  // How it follows a state of local search. Null: it does not.
  const astro_heuristic_local_v1* local() const { return local_; }

  std::string Explain(const void* state) const;

 private:
  void ReadTable();
  // Empty, or what breaks the contract.
  std::string ReadLocal();

  const astro_heuristic_v1* const vtable_;
  const std::string id_;
  const std::string plugin_;
  const std::string objective_name_;
  void* const object_;
  engine::EvaluatorInfo info_;
  uint64_t memory_bytes_ = 0;
  std::optional<astro_additive_table_v1> table_;
  const astro_heuristic_local_v1* local_ = nullptr;
};

class AbiEvaluator : public engine::Evaluator {
 public:
  // `heuristic` is built, its info is fine, and it outlives this.
  AbiEvaluator(const AbiHeuristic* heuristic, uint64_t seed);
  ~AbiEvaluator() override;
  AbiEvaluator(const AbiEvaluator&) = delete;
  AbiEvaluator& operator=(const AbiEvaluator&) = delete;

  const astro_heuristic_v1* vtable() const { return heuristic_->vtable(); }
  const astro_additive_table_v1* table() const { return heuristic_->table(); }

  bool HasTrail() const override { return heuristic_->local() != nullptr; }
  std::unique_ptr<engine::Trail> OpenTrail() const override;

 private:
  const AbiHeuristic* const heuristic_;
  void* context_ = nullptr;  // opened, to be closed
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_ABI_HEURISTIC_H_
