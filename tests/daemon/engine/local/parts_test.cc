// The small parts of local search: acceptance by a table, tabu lists, free values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <vector>

#include "daemon/engine/local/acceptance.h"
#include "daemon/engine/local/free_values.h"
#include "daemon/engine/local/tabu_list.h"

namespace astrolabe::engine {
namespace {

TEST(Acceptance, IsTheExponentialFunctionToTheTablesGrain) {
  for (Cost d : {1, 2, 3, 7, 20, 1000}) {
    for (double temperature : {0.05, 0.3, 1.0, 2.5, 100.0}) {
      const auto fixed = static_cast<uint64_t>(temperature * 65536);
      const double exact = std::exp(-static_cast<double>(d) / (static_cast<double>(fixed) / 65536));
      const double table = static_cast<double>(AcceptanceProbability(d, fixed)) / 4294967296.0;
      EXPECT_GE(table, exact * 0.99999 - 1e-9) << d << " at " << temperature;
      EXPECT_LE(table, exact * 1.004 + 1e-9) << d << " at " << temperature;
    }
  }
  EXPECT_EQ(AcceptanceProbability(kInfinity - 1, 1), 0u);
  EXPECT_EQ(AcceptanceProbability(1, 65536), 0x5e2d58d8u);  // exp(-1), for ever and on any machine
}

TEST(TabuList, HoldsTheLastMarks) {
  Random random(3);
  for (size_t tenure : {0, 1, 2, 7, 64}) {
    MemoryAccount memory;
    TabuList list(tenure, memory);
    std::deque<uint64_t> model;
    for (int i = 0; i < 5000; ++i) {
      if (i % 977 == 976) {
        list.Clear();
        model.clear();
      }
      const uint64_t mark = random.Below(3 * tenure + 2);
      list.Push(mark);
      model.push_back(mark);
      if (model.size() > tenure) model.pop_front();
      for (uint64_t other = 0; other < 3 * tenure + 2; ++other) {
        ASSERT_EQ(list.Contains(other), std::find(model.begin(), model.end(), other) != model.end());
      }
    }
  }
}

TEST(FreeValues, AreThoseThatNoVariableHas) {
  MemoryAccount memory;
  FreeValues free(memory);
  Random random(5);
  std::vector<uint32_t> values(20);
  for (uint32_t& value : values) value = random.Below32(30);
  free.Reset(20, 30, [&](uint32_t v) { return values[v]; });
  for (int i = 0; i < 2000; ++i) {
    uint32_t& value = values[random.Below32(20)];
    const uint32_t to = random.Below32(30);
    free.Move(value, to);
    value = to;
    ASSERT_FALSE(free.empty());
    std::set<uint32_t> drawn;
    for (int k = 0; k < 20; ++k) drawn.insert(free.Any(random));
    for (uint32_t one : drawn) ASSERT_EQ(std::count(values.begin(), values.end(), one), 0);
  }
}

}  // namespace
}  // namespace astrolabe::engine
