#include "tests/daemon/engine/queens_domain.h"

#include <cstring>
#include <utility>

#include "daemon/engine/structures/random.h"

namespace astrolabe::engine::testing {
namespace {

const QueensSpace& Queens(const void* problem) { return *static_cast<const QueensSpace*>(problem); }

// Row and diagonal counts.
class Counts {
 public:
  explicit Counts(uint32_t n, uint32_t row_weight = 1)
      : n_(n), row_weight_(row_weight), row_(n), up_(2 * size_t{n}), down_(2 * size_t{n}) {}

  void Clear() {
    row_.assign(row_.size(), 0);
    up_.assign(up_.size(), 0);
    down_.assign(down_.size(), 0);
  }
  uint32_t On(uint32_t column, uint32_t row) const {
    return row_weight_ * row_[row] + up_[column + row] + down_[column + n_ - 1 - row];
  }
  bool Free(uint32_t column, uint32_t row) const {  // but for the queen that stands there
    return row_[row] <= 1 && up_[column + row] <= 1 && down_[column + n_ - 1 - row] <= 1;
  }
  void Add(uint32_t column, uint32_t row, uint32_t by) {
    row_[row] += by;
    up_[column + row] += by;
    down_[column + n_ - 1 - row] += by;
  }
  const uint32_t* row() const { return row_.data(); }
  const uint32_t* up(uint32_t column) const { return up_.data() + column; }
  const uint32_t* down(uint32_t column) const { return down_.data() + column + n_ - 1; }

 private:
  uint32_t n_;
  uint32_t row_weight_;
  std::vector<uint32_t> row_, up_, down_;
};

class QueensTrail final : public Trail {
 public:
  QueensTrail(uint32_t n, uint32_t row_weight) : n_(n), row_weight_(row_weight), rows_(n), counts_(n, row_weight) {
    calls_.trail = this;
    calls_.bind = [](void* trail, const uint32_t* values) { static_cast<QueensTrail*>(trail)->Bind(values); };
    calls_.objective = [](const void* trail) { return Of(trail).pairs_; };
    calls_.delta = [](const void* trail, uint32_t v, uint32_t w) { return Of(trail).Delta(v, w); };
    calls_.deltas = [](const void* trail, uint32_t first, uint32_t count, Cost* out) {
      const QueensTrail& queens = Of(trail);
      for (uint32_t v = first; v < first + count; ++v, out += queens.n_) queens.Deltas(v, out);
    };
    calls_.commit = [](void* trail, uint32_t v, uint32_t w) { static_cast<QueensTrail*>(trail)->Commit(v, w); };
    calls_.in_conflict = [](const void* trail, uint32_t v) -> int32_t {
      return !Of(trail).counts_.Free(v, Of(trail).rows_[v]);
    };
  }

 private:
  static const QueensTrail& Of(const void* trail) { return *static_cast<const QueensTrail*>(trail); }

  void Bind(const uint32_t* values) {
    counts_.Clear();
    pairs_ = 0;
    for (uint32_t v = 0; v < n_; ++v) {
      rows_[v] = values[v];
      pairs_ += counts_.On(v, values[v]);
      counts_.Add(v, values[v], 1);
    }
  }
  Cost Delta(uint32_t v, uint32_t w) const {
    if (rows_[v] == w) return 0;
    return Cost{counts_.On(v, w)} - (Cost{counts_.On(v, rows_[v])} - Own());
  }
  void Deltas(uint32_t v, Cost* out) const {
    const Cost now = Cost{counts_.On(v, rows_[v])} - Own();
    const uint32_t* row = counts_.row();
    const uint32_t* up = counts_.up(v);
    const uint32_t* down = counts_.down(v);
    for (uint32_t w = 0; w < n_; ++w)
      out[w] = Cost{row_weight_ * row[w] + up[w] + down[-static_cast<int64_t>(w)]} - now;
    out[rows_[v]] = 0;
  }
  void Commit(uint32_t v, uint32_t w) {
    pairs_ += Delta(v, w);
    counts_.Add(v, rows_[v], ~0u);
    counts_.Add(v, w, 1);
    rows_[v] = w;
  }

  // What a queen counts for itself.
  Cost Own() const { return Cost{row_weight_} + 2; }

  uint32_t n_;
  uint32_t row_weight_;
  std::vector<uint32_t> rows_;
  Counts counts_;
  Cost pairs_ = 0;
};

// No two attack each other: bits, not counts, and ends at the first pair.
bool AreSafe(const uint32_t* rows, uint32_t n) {
  std::vector<bool> row(n);
  std::vector<bool> up(2 * size_t{n});
  std::vector<bool> down(2 * size_t{n});
  for (uint32_t v = 0; v < n; ++v) {
    if (row[rows[v]] || up[v + rows[v]] || down[v + n - 1 - rows[v]]) return false;
    row[rows[v]] = up[v + rows[v]] = down[v + n - 1 - rows[v]] = true;
  }
  return true;
}

uint32_t Rows(const void* state, uint32_t column) {
  uint32_t row;
  std::memcpy(&row, static_cast<const std::byte*>(state) + 4 * size_t{column}, 4);
  return row;
}

}  // namespace

FactoredSpace::FactoredSpace(uint32_t variables, uint32_t values) : factored_{variables, values} {
  info_.state_size = 4 * size_t{variables};
  info_.state_align = 4;
  info_.max_ops = 0;
  info_.unit_cost = true;
}

void FactoredSpace::ValuesOf(const void* state, uint32_t* out) const { std::memcpy(out, state, info_.state_size); }
void FactoredSpace::StateOf(const uint32_t* values, void* out) const { std::memcpy(out, values, info_.state_size); }

void FactoredSpace::RandomState(uint64_t seed, void* out) const {
  Random random(seed);
  auto* values = static_cast<uint32_t*>(out);
  for (uint32_t i = 0; i < factored_.variables; ++i) values[i] = random.Below32(factored_.values);
}

Cost AttackingPairs(const uint32_t* rows, uint32_t n, uint32_t row_weight) {
  Counts counts(n, row_weight);
  Cost pairs = 0;
  for (uint32_t v = 0; v < n; ++v) {
    pairs += counts.On(v, rows[v]);
    counts.Add(v, rows[v], 1);
  }
  return pairs;
}

QueensSpace::QueensSpace(uint32_t n, std::vector<uint32_t> rows) : FactoredSpace(n, n), n_(n), rows_(std::move(rows)) {
  info_.no_start = rows_.empty();
  calls_.problem = this;
  calls_.is_goal = [](const void* problem, const void* state) -> int32_t {
    return AreSafe(static_cast<const uint32_t*>(state), Queens(problem).n());
  };
}

SolvableAnswer QueensSpace::IsSolvable() const {
  if (n_ == 2 || n_ == 3) return {Solvable::kNo, "2 and 3 queens always attack each other"};
  return {Solvable::kYes, ""};
}

QueensObjective::QueensObjective(const QueensSpace& space, bool trail, uint32_t row_weight)
    : n_(space.n()), row_weight_(row_weight), trail_(trail) {
  id_ = "attacking_pairs";
  calls_.context = this;
  calls_.eval = [](const void* context, const void* state) { return Of(context).Value(state); };
  calls_.eval_batch = [](const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
    for (uint64_t i = 0; i < n; ++i) {
      out[i] = Of(context).Value(static_cast<const std::byte*>(states) + i * stride);
    }
  };
}

std::unique_ptr<Trail> QueensObjective::OpenTrail() const { return std::make_unique<QueensTrail>(n_, row_weight_); }

namespace {

// Word 0: queens placed; then their rows; words behind them are 0.
uint32_t SafeRows(const void* problem, const void* state, Op* out) {
  const auto n = static_cast<uint32_t>(static_cast<const StateSpace*>(problem)->info().state_size / 4 - 1);
  const uint32_t placed = Rows(state, 0);
  uint32_t count = 0;
  for (uint32_t row = 0; placed < n && row < n; ++row) {
    bool safe = true;
    for (uint32_t column = 0; column < placed; ++column) {
      const uint32_t other = Rows(state, column + 1);
      const uint32_t apart = placed - column;
      if (other == row || other + apart == row || row + apart == other) safe = false;
    }
    if (safe) out[count++] = row;
  }
  return count;
}

void Place(size_t size, const void* state, Op op, void* out) {
  std::memmove(out, state, size);
  auto* words = static_cast<uint32_t*>(out);
  words[++words[0]] = op;
}

}  // namespace

PlacingSpace::PlacingSpace(uint32_t n, bool says_tree) {
  info_.state_size = 4 * (size_t{n} + 1);
  info_.state_align = 4;
  info_.max_ops = n;
  info_.unit_cost = true;
  info_.tree = says_tree;
  calls_.problem = this;
  calls_.ops = [](const void* problem, const void* state, Op, Op* out, Cost* costs) {
    const uint32_t count = SafeRows(problem, state, out);
    for (uint32_t i = 0; costs != nullptr && i < count; ++i) costs[i] = 1;
    return count;
  };
  calls_.apply = [](const void* problem, const void* state, Op op, void* out) {
    Place(static_cast<const StateSpace*>(problem)->info().state_size, state, op, out);
  };
  calls_.expand = [](const void* problem, const void* state, Op, Op* out, Cost* costs, void* states, uint64_t stride) {
    const uint32_t count = SafeRows(problem, state, out);
    for (uint32_t i = 0; i < count; ++i) {
      costs[i] = 1;
      Place(static_cast<const StateSpace*>(problem)->info().state_size, state, out[i],
            static_cast<std::byte*>(states) + i * stride);
    }
    return count;
  };
  calls_.is_goal = [](const void* problem, const void* state) -> int32_t {
    return Rows(state, 0) == static_cast<const StateSpace*>(problem)->info().state_size / 4 - 1;
  };
}

void PlacingSpace::InitialState(void* out) const { std::memset(out, 0, info_.state_size); }

std::optional<Cost> PlacingSpace::ApplyInPlace(void* state, Op op) const {
  std::vector<Op> ops(info_.max_ops);
  const uint32_t count = SafeRows(this, state, ops.data());
  for (uint32_t i = 0; i < count; ++i) {
    if (ops[i] != op) continue;
    Place(info_.state_size, state, op, state);
    return 1;
  }
  return std::nullopt;
}

}  // namespace astrolabe::engine::testing
