#include "daemon/worker/abi_heuristic.h"

#include <cstddef>

#include "daemon/worker/abi_text.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

constexpr uint32_t kMaxTableSide = 1 << 14;

// What the extension began with, and what was added to it.
constexpr size_t kWithoutSample = offsetof(astro_heuristic_local_v1, sample);
constexpr size_t kWithSample = kWithoutSample + sizeof(astro_heuristic_local_v1::sample);

class AbiTrail : public engine::Trail {
 public:
  // Takes `trail`, which open_trail of `local` made, and closes it in the end.
  AbiTrail(const astro_heuristic_local_v1* local, const void* heuristic, void* trail)
      : local_(local), heuristic_(heuristic) {
    calls_ = {.trail = trail,
              .bind = local->bind,
              .objective = local->objective,
              .delta = local->delta,
              .deltas = local->deltas,
              .commit = local->commit,
              .in_conflict = local->in_conflict,
              .sample = local->struct_size >= kWithSample ? local->sample : nullptr};
  }
  ~AbiTrail() override {
    CallPlugin("close_trail", [&] { local_->close_trail(heuristic_, calls_.trail); });
  }
  AbiTrail(const AbiTrail&) = delete;
  AbiTrail& operator=(const AbiTrail&) = delete;

 private:
  const astro_heuristic_local_v1* const local_;
  const void* const heuristic_;
};

}  // namespace

AbiHeuristic::AbiHeuristic(const HeuristicRef& ref, std::string plugin, void* heuristic, std::string objective_name)
    : vtable_(ref.vtable),
      id_(ref.id),
      plugin_(std::move(plugin)),
      objective_name_(std::move(objective_name)),
      object_(heuristic) {}

AbiHeuristic::~AbiHeuristic() {
  CallPlugin("destroy", [&] { vtable_->destroy(object_); });
}

std::string AbiHeuristic::ReadInfo() {
  astro_heuristic_info_v1 info{};
  info.struct_size = sizeof info;
  CallPlugin("info", [&] { vtable_->info(object_, &info); });
  if (info.aux_size > ASTRO_MAX_AUX_SIZE) {
    return "aux_size is " + std::to_string(info.aux_size) + ", above " + std::to_string(ASTRO_MAX_AUX_SIZE);
  }
  if (info.aux_size > 0 && (vtable_->root_aux == nullptr || vtable_->eval_ops == nullptr)) {
    return "aux_size is not 0, but root_aux or eval_ops is missing";
  }
  if (info.max_h < 0) return "max_h is " + std::to_string(info.max_h) + ", but must not be negative";
  info_.aux_size = info.aux_size;
  info_.max_h = info.max_h;
  const bool perfect = (info.claims & ASTRO_CLAIM_PERFECT) != 0;
  info_.consistent = perfect || (info.claims & ASTRO_CLAIM_CONSISTENT) != 0;
  info_.admissible = perfect || (info.claims & ASTRO_CLAIM_ADMISSIBLE) != 0;
  info_.parity = perfect || (info.claims & ASTRO_CLAIM_PARITY) != 0;
  memory_bytes_ = info.memory_bytes;
  ReadTable();
  return ReadLocal();
}

void AbiHeuristic::ReadTable() {
  if (vtable_->get_extension == nullptr) return;
  const auto* additive = static_cast<const astro_heuristic_additive_v1*>(
      CallPlugin("get_extension", [&] { return vtable_->get_extension(ToAbi(ASTRO_HEURISTIC_ADDITIVE_V1)); }));
  if (additive == nullptr || additive->struct_size < sizeof *additive || additive->table == nullptr) return;
  astro_additive_table_v1 table{};
  table.struct_size = sizeof table;
  if (CallPlugin("additive.table", [&] { return additive->table(object_, &table); }) == 0) return;
  if (table.delta == nullptr || table.n_tiles == 0 || table.n_squares == 0 || table.n_tiles > kMaxTableSide ||
      table.n_squares > kMaxTableSide) {
    return;  // an optional ability that is not usable
  }
  table_ = table;
}

std::string AbiHeuristic::ReadLocal() {
  if (vtable_->get_extension == nullptr) return "";
  const auto* local = static_cast<const astro_heuristic_local_v1*>(
      CallPlugin("get_extension", [&] { return vtable_->get_extension(ToAbi(ASTRO_HEURISTIC_LOCAL_V1)); }));
  if (local == nullptr) return "";
  const std::string name = ASTRO_HEURISTIC_LOCAL_V1;
  if (local->struct_size < kWithoutSample) {
    return name + " has struct_size " + std::to_string(local->struct_size) + ", but must have at least " +
           std::to_string(kWithoutSample);
  }
  const char* const missing = local->open_trail == nullptr    ? "open_trail"
                              : local->close_trail == nullptr ? "close_trail"
                              : local->bind == nullptr        ? "bind"
                              : local->objective == nullptr   ? "objective"
                              : local->delta == nullptr       ? "delta"
                              : local->deltas == nullptr      ? "deltas"
                              : local->commit == nullptr      ? "commit"
                                                              : nullptr;
  if (missing != nullptr) return name + " leaves out the function " + missing;
  local_ = local;
  return "";
}

std::string AbiHeuristic::Explain(const void* state) const {
  if (vtable_->explain == nullptr) return "";
  TextSink text(16 << 10);
  CallPlugin("explain", [&] { vtable_->explain(object_, state, text.abi()); });
  return text.Take();
}

AbiEvaluator::AbiEvaluator(const AbiHeuristic* heuristic, uint64_t seed) : heuristic_(heuristic) {
  const astro_heuristic_v1& vtable = *heuristic->vtable();
  id_ = heuristic->id();
  if (!heuristic->objective_name().empty()) objective_name_ = heuristic->objective_name();
  info_ = heuristic->info();
  calls_.context = heuristic->object();
  if (vtable.open_context != nullptr) {
    context_ = CallPlugin("open_context", [&] { return vtable.open_context(heuristic->object(), seed); });
    calls_.context = context_;
  }
  calls_.eval = vtable.eval;
  calls_.eval_batch = vtable.eval_batch;
  calls_.root_aux = info_.aux_size > 0 ? vtable.root_aux : nullptr;
  calls_.eval_ops = vtable.eval_ops;
}

AbiEvaluator::~AbiEvaluator() {
  const astro_heuristic_v1& vtable = *heuristic_->vtable();
  if (vtable.open_context == nullptr) return;
  CallPlugin("close_context", [&] { vtable.close_context(heuristic_->object(), context_); });
}

std::unique_ptr<engine::Trail> AbiEvaluator::OpenTrail() const {
  const astro_heuristic_local_v1* const local = heuristic_->local();
  void* const trail = CallPlugin("open_trail", [&] { return local->open_trail(heuristic_->object()); });
  if (trail == nullptr) return nullptr;
  return std::make_unique<AbiTrail>(local, heuristic_->object(), trail);
}

}  // namespace astrolabe::worker
