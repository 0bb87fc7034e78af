// Problems for the tests of local search besides queens: colouring, without a trail; tours, without a goal test.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_LOCAL_DOMAINS_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_LOCAL_DOMAINS_H_

#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "daemon/engine/structures/random.h"
#include "tests/daemon/engine/queens_domain.h"

namespace astrolabe::engine::testing {

// Vertices on a ring, each joined to the two before it; three colours suffice when 3 divides their number. The
// objective counts edges whose ends have the same colour. A goal has none.
class RingSpace final : public FactoredSpace {
 public:
  explicit RingSpace(uint32_t vertices, uint32_t colours = 3) : FactoredSpace(vertices, colours), vertices_(vertices) {
    calls_.problem = this;
    calls_.is_goal = [](const void* problem, const void* state) -> int32_t {
      return static_cast<const RingSpace*>(problem)->Clashes(state) == 0;
    };
  }
  void InitialState(void* out) const override { std::memset(out, 0, info_.state_size); }
  Cost Clashes(const void* state) const {
    const auto* colours = static_cast<const uint32_t*>(state);
    Cost clashes = 0;
    for (uint32_t v = 0; v < vertices_; ++v) {
      clashes += colours[v] == colours[(v + 1) % vertices_];
      clashes += colours[v] == colours[(v + 2) % vertices_];
    }
    return clashes;
  }

 private:
  uint32_t vertices_;
};

class RingObjective final : public Evaluator {
 public:
  explicit RingObjective(const RingSpace& space) {
    id_ = "clashes";
    calls_.context = &space;
    calls_.eval = [](const void* context, const void* state) {
      return static_cast<const RingSpace*>(context)->Clashes(state);
    };
    calls_.eval_batch = [](const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
      for (uint64_t i = 0; i < n; ++i) {
        out[i] = static_cast<const RingSpace*>(context)->Clashes(static_cast<const std::byte*>(states) + i * stride);
      }
    };
  }
};

// Cities 0 .. n - 1 on a line, visited in the order of the state and back to the first: the best tour is 2 (n - 1)
// long. Operator i * n + j turns round what lies from place i to place j.
class TourSpace final : public StateSpace {
 public:
  explicit TourSpace(uint32_t n) : n_(n) {
    info_.state_size = n;
    info_.max_ops = n * (n - 1) / 2;
    info_.unit_cost = true;
    info_.no_goal_test = true;
    calls_.problem = this;
    calls_.ops = [](const void* problem, const void*, Op, Op* ops, Cost* costs) {
      const uint32_t cities = static_cast<const TourSpace*>(problem)->n_;
      uint32_t count = 0;
      for (uint32_t i = 0; i < cities; ++i) {
        for (uint32_t j = i + 1; j < cities; ++j, ++count) {
          ops[count] = i * cities + j;
          costs[count] = 1;
        }
      }
      return count;
    };
    calls_.apply = [](const void* problem, const void* state, Op op, void* out) {
      const uint32_t cities = static_cast<const TourSpace*>(problem)->n_;
      auto* tour = static_cast<uint8_t*>(out);
      std::memcpy(tour, state, cities);
      for (uint32_t a = op / cities, b = op % cities; a < b; ++a, --b) std::swap(tour[a], tour[b]);
    };
  }
  void InitialState(void* out) const override { RandomState(1, out); }
  bool GoalState(void*) const override { return false; }
  SolvableAnswer IsSolvable() const override { return {Solvable::kYes, ""}; }
  std::optional<Cost> ApplyInPlace(void*, Op) const override { return std::nullopt; }
  std::string RenderState(const void*) const override { return ""; }
  bool HasKernel(const Evaluator&) const override { return false; }
  bool HasAdditiveKernel(const Evaluator&) const override { return false; }
  KernelIteration RunKernel(const Evaluator&, KernelMode, const KernelRoots&, Cost, uint32_t, const KernelControl&,
                            KernelPoll&) const override {
    return {};
  }
  bool HasRandomState() const override { return true; }
  void RandomState(uint64_t seed, void* out) const override {
    Random random(seed);
    auto* order = static_cast<uint8_t*>(out);
    for (uint32_t i = 0; i < n_; ++i) {
      const uint32_t j = random.Below32(i + 1);
      order[i] = order[j];
      order[j] = static_cast<uint8_t>(i);
    }
  }
  Cost Length(const void* state) const {
    const auto* order = static_cast<const uint8_t*>(state);
    Cost length = 0;
    for (uint32_t i = 0; i < n_; ++i) length += std::abs(order[i] - order[(i + 1) % n_]);
    return length;
  }

 private:
  uint32_t n_;
};

class TourLength final : public Evaluator {
 public:
  explicit TourLength(const TourSpace& space) {
    id_ = "tour_length";
    calls_.context = &space;
    calls_.eval = [](const void* context, const void* state) {
      return static_cast<const TourSpace*>(context)->Length(state);
    };
    calls_.eval_batch = [](const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
      for (uint64_t i = 0; i < n; ++i) {
        out[i] = static_cast<const TourSpace*>(context)->Length(static_cast<const std::byte*>(states) + i * stride);
      }
    };
  }
};

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_LOCAL_DOMAINS_H_
