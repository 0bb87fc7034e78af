// The batched kernel against the register kernel: the same counts and the same path, whatever is batched with what.
#include "plugins/sliding_tile/batch_kernel.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "plugins/tiles/spaces.h"
#include "tests/plugins/sliding_tile/boards.h"

namespace sliding_tile {
namespace {

constexpr int kSide = 4;
constexpr int kCells = kSide * kSide;

// What both kernels are run on.
struct Instance {
  uint64_t start = 0;
  uint64_t goal = 0;
  AdditiveRun table;  // the moves that raise Manhattan distance
  int64_t h = 0;
};

uint64_t Pack(const std::vector<int>& tiles) {
  uint64_t word = 0;
  for (int square = 0; square < kCells; ++square) word |= static_cast<uint64_t>(tiles[square]) << (4 * square);
  return word;
}

Instance MakeInstance(uint32_t seed, int steps) {
  std::mt19937 random(seed);
  const std::vector<int> goal = boards::Walk(kSide, kSide, boards::BlankLast(kCells), 400, random);
  const std::vector<int> start = boards::Walk(kSide, kSide, goal, steps, random);
  Instance instance;
  instance.start = Pack(start);
  instance.goal = Pack(goal);
  std::vector<int> place(kCells);
  for (int square = 0; square < kCells; ++square) place[goal[square]] = square;
  const auto distance = [&](int tile, int square) {
    return std::abs(square / kSide - place[tile] / kSide) + std::abs(square % kSide - place[tile] % kSide);
  };
  const Moves moves(Shape{kSide, kSide});
  for (astro_op op = 0; op < 4 * kCells; ++op) {
    if (!moves.IsOp(op)) continue;
    const auto blank = static_cast<int>(Moves::BlankOf(op));
    const auto from = static_cast<int>(moves.Target(op));
    for (int tile = 1; tile < kCells; ++tile) {
      if (distance(tile, blank) > distance(tile, from))
        instance.table.raises[blank][op & 3] |= static_cast<uint16_t>(1u << tile);
    }
  }
  for (int square = 0; square < kCells; ++square) {
    if (start[square] != 0) instance.h += distance(start[square], square);
  }
  return instance;
}

struct Outcome {
  End end = End::kNone;
  uint64_t expanded = 0;
  uint64_t generated = 0;
  std::vector<astro_op> path;
  bool operator==(const Outcome&) const = default;
};

// Calls search(run) with limits that stop it never, or at the poll numbered `stop_at`.
template <class F>
Outcome RunWith(const Instance& instance, F search, int stop_at = -1) {
  struct Control : astro_control_v1 {
    int polls_left;
  } control = {};
  control.polls_left = stop_at;
  control.generate_limit = UINT64_MAX;
  control.expand_limit = stop_at < 0 ? UINT64_MAX : 0;
  control.poll = [](astro_control_v1* self, uint64_t expanded, uint64_t) -> int32_t {
    self->expand_limit = expanded + 100;
    return static_cast<Control*>(self)->polls_left-- != 0;
  };
  std::vector<astro_op> path(200);
  AdditiveRun run = instance.table;
  run.goal = instance.goal;
  run.control = &control;
  run.path = path.data();
  Outcome outcome;
  outcome.end = search(run);
  outcome.expanded = run.granted;
  outcome.generated = run.generated;
  if (outcome.end == End::kFound) outcome.path.assign(path.begin(), path.begin() + run.path_len);
  return outcome;
}

Outcome RunRegister(const Instance& instance, int64_t slack) {
  return RunWith(instance, [&](AdditiveRun& run) {
    return RegisterKernel<4, 4, MaskH>::Search(run, tiles::FindBlank(instance.start), instance.start,
                                               static_cast<int32_t>(slack));
  });
}

constexpr uint32_t kAnywhere = 4;

// The whole iteration.
std::optional<End> RunWhole(const Instance& instance, const BatchOptions& options, AdditiveRun& run, int64_t slack) {
  const BatchRoot root{instance.start, tiles::FindBlank(instance.start), kAnywhere, slack};
  uint32_t found_root = 0;
  return RunBatchKernel(options, run, {&root, 1}, static_cast<uint32_t>(slack + instance.h), found_root);
}

Outcome RunBatch(const Instance& instance, int64_t slack, const BatchOptions& options, int stop_at = -1) {
  return RunWith(
      instance,
      [&](AdditiveRun& run) {
        const auto end = RunWhole(instance, options, run, slack);
        EXPECT_TRUE(end.has_value());
        return end.value_or(End::kStopped);
      },
      stop_at);
}

std::vector<const BatchSteps*> AllSteps() {
  std::vector<const BatchSteps*> all = {&PortableSteps()};
  if (VectorSteps() != nullptr) all.push_back(VectorSteps());
  return all;
}

TEST(BatchKernel, CountsAndFindsAsTheRegisterKernelDoes) {
  std::mt19937 random(7);
  int found = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const Instance instance = MakeInstance(seed, 4 + static_cast<int>(seed));
    for (int64_t slack = 0; slack <= 14; slack += 2) {
      const Outcome expected = RunRegister(instance, slack);
      for (const BatchSteps* steps : AllSteps()) {
        BatchOptions options;
        options.steps = steps;
        options.least_subtrees = 0;
        options.cut_depth = static_cast<int>(random() % 9);
        options.groups = 1 + random() % 5;
        options.frame_nodes = 1u << random() % 12;
        options.small_group = random() % 300;
        EXPECT_EQ(RunBatch(instance, slack, options), expected)
            << "seed " << seed << ", slack " << slack << ", cut " << options.cut_depth << ", groups " << options.groups
            << ", frame " << options.frame_nodes << ", small " << options.small_group << ", "
            << (steps == VectorSteps() ? "vector" : "portable");
      }
      if (expected.end == End::kFound) {
        ++found;
        break;
      }
    }
  }
  EXPECT_GT(found, 30) << "most boards are solved within these bounds";
}

// All nodes of a depth within the bound, in depth-first order; goals above it too.
void AddRoots(const Instance& instance, const BatchRoot& node, int depth, std::vector<BatchRoot>& roots) {
  if (depth == 0 || node.state == instance.goal) return roots.push_back(node);
  const Moves moves(Shape{kSide, kSide});
  for (uint32_t direction = 0; direction < 4; ++direction) {
    const astro_op op = node.blank * 4 + direction;
    if (direction == node.back || !moves.IsOp(op)) continue;
    const uint32_t target = moves.Target(op);
    const uint64_t tile = node.state >> (4 * target) & 15;
    const int64_t slack = node.slack - (instance.table.raises[node.blank][direction] >> tile & 1) * 2;
    if (slack < 0) continue;
    const uint64_t state = node.state ^ (tile << (4 * target) | tile << (4 * node.blank));
    AddRoots(instance, {state, target, Opposite(direction), slack}, depth - 1, roots);
  }
}

TEST(BatchKernel, TakesRootsOneAfterTheOther) {
  std::mt19937 random(8);
  int found = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const Instance instance = MakeInstance(seed, 6 + static_cast<int>(seed));
    for (int64_t slack = 0; slack <= 14; slack += 2) {
      std::vector<BatchRoot> roots;
      const BatchRoot top{instance.start, tiles::FindBlank(instance.start), kAnywhere, slack};
      AddRoots(instance, top, 2 + static_cast<int>(random() % 4), roots);
      if (roots.size() < 2) continue;
      uint32_t expected_root = 0;
      const Outcome expected = RunWith(instance, [&](AdditiveRun& run) {
        for (expected_root = 0; expected_root < roots.size(); ++expected_root) {
          const BatchRoot& root = roots[expected_root];
          const End end = RegisterKernel<4, 4, MaskH>::SearchFrom(run, root.blank, root.back, root.state,
                                                                  static_cast<int32_t>(root.slack));
          if (end != End::kNone) return end;
        }
        return End::kNone;
      });
      for (const BatchSteps* steps : AllSteps()) {
        BatchOptions options;
        options.steps = steps;
        options.least_subtrees = static_cast<uint32_t>(random() % 8);
        options.small_group = random() % 300;
        uint32_t found_root = 0;
        const Outcome outcome = RunWith(instance, [&](AdditiveRun& run) {
          const auto end =
              RunBatchKernel(options, run, roots, static_cast<uint32_t>(slack + instance.h + slack), found_root);
          EXPECT_TRUE(end.has_value());
          return end.value_or(End::kStopped);
        });
        EXPECT_EQ(outcome, expected) << "seed " << seed << ", slack " << slack << ", roots " << roots.size();
        EXPECT_TRUE(expected.end != End::kFound || found_root == expected_root);
      }
      if (expected.end == End::kFound) {
        ++found;
        break;
      }
    }
  }
  EXPECT_GT(found, 30) << "most boards are solved within these bounds";
}

TEST(BatchKernel, StopsWhenPollSaysSo) {
  const Instance instance = MakeInstance(99, 200);
  for (const BatchSteps* steps : AllSteps()) {
    BatchOptions options;
    options.steps = steps;
    options.least_subtrees = 0;
    options.cut_depth = 6;
    options.frame_nodes = 64;
    const Outcome whole = RunBatch(instance, 16, options);
    ASSERT_GT(whole.expanded, 5000u);
    const Outcome stopped = RunBatch(instance, 16, options, 3);
    EXPECT_EQ(stopped.end, End::kStopped);
    EXPECT_LT(stopped.expanded, whole.expanded);
  }
}

// Polls never stop for long, and never hear less than before, also while the group with the goal is searched again.
TEST(BatchKernel, PollsOftenAndItsCountsNeverGoDown) {
  struct Control : astro_control_v1 {
    uint64_t polls;
    uint64_t last;
    bool fell;
  };
  int found = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const Instance instance = MakeInstance(seed, 120);
    for (int64_t slack = 10; slack <= 16; slack += 2) {
      Control control = {};
      control.expand_limit = 1'000'000'000'000;  // as if the host had granted much: time is asked for all the same
      control.generate_limit = UINT64_MAX;
      control.poll = [](astro_control_v1* self, uint64_t expanded, uint64_t) -> int32_t {
        auto& control = *static_cast<Control*>(self);
        control.fell = control.fell || expanded < control.last;
        control.last = expanded;
        ++control.polls;
        return 1;
      };
      std::vector<astro_op> path(200);
      AdditiveRun run = instance.table;
      run.goal = instance.goal;
      run.control = &control;
      run.path = path.data();
      BatchOptions options = DefaultBatchOptions();
      options.least_subtrees = 0;
      options.small_group = 1000;
      const auto end = RunWhole(instance, options, run, slack);
      ASSERT_TRUE(end.has_value());
      EXPECT_FALSE(control.fell);
      EXPECT_LE(control.last, run.granted);
      EXPECT_GE(control.polls, run.granted >> 17) << "of " << run.granted << " expansions";
      EXPECT_EQ(run.granted, RunRegister(instance, slack).expanded);
      if (*end != End::kFound) continue;
      ++found;
      break;
    }
  }
  EXPECT_GT(found, 3);
}

TEST(BatchKernel, LeavesSmallIterationsAndLargeSlackToTheRegisterKernel) {
  const Instance instance = MakeInstance(5, 60);
  const BatchOptions options = DefaultBatchOptions();
  const auto run = [&](int64_t slack) {
    bool taken = false;
    RunWith(instance, [&](AdditiveRun& run) {
      taken = RunWhole(instance, options, run, slack).has_value();
      EXPECT_TRUE(taken || (run.granted == 0 && run.generated == 0));
      return End::kNone;
    });
    return taken;
  };
  EXPECT_FALSE(run(0));
  EXPECT_FALSE(run(32));
}

}  // namespace
}  // namespace sliding_tile
