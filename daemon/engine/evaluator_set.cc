#include "daemon/engine/evaluator_set.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace astrolabe::engine {
namespace {

using Wide = __int128;

// No heuristic: h = 0 everywhere.
class ZeroEvaluator final : public Evaluator {
 public:
  ZeroEvaluator() {
    id_ = "zero";
    info_.admissible = info_.consistent = true;
    calls_.eval = [](const void*, const void*) -> Cost { return 0; };
    calls_.eval_batch = [](const void*, uint64_t n, const void*, uint64_t, Cost* out) { std::fill_n(out, n, 0); };
    calls_.eval_ops = [](const void*, const void*, Cost, const void*, const Op*, uint32_t n, Cost* out, void*) {
      std::fill_n(out, n, 0);
    };
  }
};

// A dead end of one is a dead end of all; a negative h stays negative, for the engine to see.
class Combination {
 public:
  explicit Combination(Combine combine) : combine_(combine) {}

  void Add(Cost h, const EvaluatorUse& use) {
    if (h < 0) bad_ = true;
    if (h == kInfinity) dead_ = true;
    if (bad_ || dead_) return;
    const Wide weighted = static_cast<Wide>(h) * use.weight_numerator / use.weight_denominator;
    total_ = combine_ == Combine::kMax ? std::max(total_, weighted) : std::min(total_ + weighted, kCut);
  }
  Cost value() const {
    if (bad_) return -1;
    if (dead_) return kInfinity;
    return static_cast<Cost>(std::min(total_, kCut));
  }

 private:
  static constexpr Wide kCut = kMaxCombinedH;
  Combine combine_;
  Wide total_ = 0;
  bool bad_ = false;
  bool dead_ = false;
};

// Its aux is, for each part, the part's own h and then the part's aux: with them every part stays
// incremental.
class CombinedEvaluator final : public Evaluator {
 public:
  CombinedEvaluator(const std::vector<EvaluatorUse>& uses, Combine combine) : uses_(uses), combine_(combine) {
    size_t aux_size = 0;
    bool incremental = true;
    for (const EvaluatorUse& use : uses_) {
      id_ += (id_.empty() ? "" : combine == Combine::kMax ? " max " : " + ") + use.evaluator->id();
      aux_size += sizeof(Cost) + PaddedAux(use);
      incremental = incremental && use.evaluator->calls().eval_ops != nullptr;
    }
    calls_.context = this;
    calls_.eval = Eval;
    calls_.eval_batch = EvalBatch;
    if (incremental && aux_size <= kMaxAuxSize) {
      info_.aux_size = aux_size;
      calls_.root_aux = RootAux;
      calls_.eval_ops = EvalOps;
    }
  }

  // Id of a part that gave a negative h; null: none did.
  const std::string* broken() const { return broken_; }

 private:
  static size_t PaddedAux(const EvaluatorUse& use) { return (use.evaluator->info().aux_size + 7) / 8 * 8; }
  static const CombinedEvaluator& Self(const void* context) { return *static_cast<const CombinedEvaluator*>(context); }

  // Remembers who breaks the contract.
  Cost Seen(Cost h, const EvaluatorUse& use) const {
    if (h < 0) [[unlikely]]
      broken_ = &use.evaluator->id();
    return h;
  }

  static Cost Eval(const void* context, const void* state) {
    const CombinedEvaluator& self = Self(context);
    Combination sum(self.combine_);
    for (const EvaluatorUse& use : self.uses_) {
      const EvaluatorCalls& calls = use.evaluator->calls();
      sum.Add(self.Seen(calls.eval(calls.context, state), use), use);
    }
    return sum.value();
  }

  static void EvalBatch(const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
    const auto* state = static_cast<const std::byte*>(states);
    for (uint64_t i = 0; i < n; ++i) out[i] = Eval(context, state + i * stride);
  }

  static void RootAux(const void* context, const void* state, void* out) {
    auto* aux = static_cast<std::byte*>(out);
    for (const EvaluatorUse& use : Self(context).uses_) {
      const EvaluatorCalls& calls = use.evaluator->calls();
      const Cost h = calls.eval(calls.context, state);
      std::memcpy(aux, &h, sizeof h);
      if (use.evaluator->info().aux_size > 0) calls.root_aux(calls.context, state, aux + sizeof h);
      aux += sizeof h + PaddedAux(use);
    }
  }

  static void EvalOps(const void* context, const void* parent, Cost, const void* parent_aux, const Op* ops, uint32_t n,
                      Cost* out_h, void* out_aux) {
    const CombinedEvaluator& self = Self(context);
    std::vector<Combination>& sums = self.sums_;
    sums.assign(n, Combination(self.combine_));
    size_t offset = 0;
    for (const EvaluatorUse& use : self.uses_) {
      self.EvalPart(use, offset, parent, parent_aux, ops, n, static_cast<std::byte*>(out_aux));
      for (uint32_t i = 0; i < n; ++i) sums[i].Add(self.Seen(self.part_h_[i], use), use);
      offset += sizeof(Cost) + PaddedAux(use);
    }
    for (uint32_t i = 0; i < n; ++i) out_h[i] = sums[i].value();
  }

  // One part's h of all children, to part_h_, and its piece of their aux.
  void EvalPart(const EvaluatorUse& use, size_t offset, const void* parent, const void* parent_aux, const Op* ops,
                uint32_t n, std::byte* out_aux) const {
    const EvaluatorCalls& calls = use.evaluator->calls();
    const size_t size = use.evaluator->info().aux_size;
    const auto* from = static_cast<const std::byte*>(parent_aux) + offset;
    Cost h;
    std::memcpy(&h, from, sizeof h);
    part_h_.resize(n);
    part_aux_.resize(n * size);
    calls.eval_ops(calls.context, parent, h, size > 0 ? from + sizeof h : nullptr, ops, n, part_h_.data(),
                   size > 0 ? part_aux_.data() : nullptr);
    for (uint32_t i = 0; i < n && out_aux != nullptr; ++i) {
      std::byte* to = out_aux + i * info_.aux_size + offset;
      std::memcpy(to, &part_h_[i], sizeof(Cost));
      if (size > 0) std::memcpy(to + sizeof(Cost), part_aux_.data() + i * size, size);
    }
  }

  const std::vector<EvaluatorUse>& uses_;
  const Combine combine_;
  mutable const std::string* broken_ = nullptr;
  // An evaluator belongs to one thread.
  mutable std::vector<Combination> sums_;
  mutable std::vector<Cost> part_h_;
  mutable std::vector<std::byte> part_aux_;
};

bool AtMostOne(const EvaluatorUse& use) { return use.weight_numerator <= use.weight_denominator; }

// MAX: every part must promise, its weight at most 1. SUM: the weights of all together at most 1.
bool Promises(const std::vector<EvaluatorUse>& uses, Combine combine) {
  if (!std::ranges::all_of(uses, [](const EvaluatorUse& use) { return use.evaluator->info().admissible; }))
    return false;
  if (combine == Combine::kMax) return std::ranges::all_of(uses, AtMostOne);
  // Rounded up in units of 2^-62: never says yes wrongly, and exactly right when one weight is the whole.
  if (uses.size() == 1) return AtMostOne(uses[0]);
  constexpr Wide kOne = Wide{1} << 62;
  Wide sum = 0;
  Wide exact_numerator = 0;
  const int64_t denominator = uses[0].weight_denominator;
  bool same = true;
  for (const EvaluatorUse& use : uses) {
    if (!AtMostOne(use)) return false;
    same = same && use.weight_denominator == denominator;
    exact_numerator += use.weight_numerator;
    sum += (kOne * use.weight_numerator + use.weight_denominator - 1) / use.weight_denominator;
  }
  return same ? exact_numerator <= denominator : sum <= kOne;
}

}  // namespace

void EvaluatorSet::Check(const SearchRequest& request, std::vector<Violation>& violations) {
  for (size_t i = 0; i < request.evaluators.size(); ++i) {
    const EvaluatorUse& use = request.evaluators[i];
    const std::string field = "heuristics[" + std::to_string(i) + "]";
    if (use.evaluator == nullptr) violations.push_back({field, "is missing", "a heuristic", ""});
    if (use.weight_numerator < 0 || use.weight_denominator <= 0) {
      violations.push_back({field + ".weight",
                            "is " + std::to_string(use.weight_numerator) + "/" + std::to_string(use.weight_denominator),
                            "a rational number, at least 0", ""});
    }
    if (use.evaluator != nullptr && use.evaluator->info().aux_size > kMaxAuxSize) {
      violations.push_back({field, "carries " + std::to_string(use.evaluator->info().aux_size) + " bytes of aux",
                            "at most " + std::to_string(kMaxAuxSize), ""});
    }
  }
}

EvaluatorSet::EvaluatorSet(const std::vector<EvaluatorUse>& uses, Combine combine) {
  if (uses.empty()) {
    owned_ = std::make_unique<ZeroEvaluator>();
    admissible_ = true;
  } else {
    admissible_ = Promises(uses, combine);
    single_ = uses.size() == 1 && uses[0].weight_numerator == uses[0].weight_denominator;
    if (!single_) owned_ = std::make_unique<CombinedEvaluator>(uses, combine);
  }
  evaluator_ = owned_ != nullptr ? owned_.get() : uses[0].evaluator;
}

const std::string* EvaluatorSet::broken() const {
  const auto* combined = dynamic_cast<const CombinedEvaluator*>(owned_.get());
  return combined != nullptr ? combined->broken() : nullptr;
}

EvaluatorSet::~EvaluatorSet() = default;

}  // namespace astrolabe::engine
