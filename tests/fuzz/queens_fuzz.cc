// Fuzzes the readers of queens. The input is the instance and, behind NUL bytes, a formulation and a state. Whatever it
// is, either every fault is said with a message, or the placement is in order, and its canonical text and the rendering
// of a state read back as the same.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/queens/placement_reader.h"
#include "plugins/queens/problem.h"
#include "tests/fuzz/instance_reader.h"

namespace {

using fuzz::Demand;
using queens::Formulation;
using queens::Placement;
using queens::Queens;

// Rendering a million queens takes too long for a run.
constexpr uint32_t kMaxRendered = 2000;

std::optional<Placement> Read(std::string_view text, const queens::ReadOptions& options) {
  return fuzz::Read([&](astro::Diagnostics& diagnostics) { return ReadPlacement(text, options, diagnostics); });
}

void DemandOrder(const Placement& placement) {
  Demand(placement.queens >= 1 && placement.queens <= queens::kMaxQueens);
  Demand(placement.rows.size() <= placement.queens);
  for (const uint32_t row : placement.rows) Demand(row < placement.queens);
  if (placement.formulation == Formulation::kIncremental) {
    Demand(placement.queens <= queens::kMaxIncrementalQueens);
  } else {
    Demand(placement.rows.empty() || placement.rows.size() == placement.queens);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const std::string_view instance = *input.Take();
  queens::ReadOptions options;
  if (const auto name = input.Take(); name && !name->empty()) {
    options.formulation = name->front() == 'i' ? Formulation::kIncremental : Formulation::kComplete;
  }
  std::optional<Placement> placement = Read(instance, options);
  if (!placement) return 0;
  DemandOrder(*placement);
  const queens::ReadOptions for_states = {"state", placement->formulation, placement->queens};
  const Queens board(*placement);
  Demand(!fuzz::Written([&](astro::Writer& reason) { (void)board.Solvable(reason); }).empty());
  const std::string text = fuzz::CanonicalText(board);
  std::optional<Placement> again = Read(text, {});
  Demand(again.has_value());
  const Queens same(*std::move(again));
  Demand(fuzz::CanonicalText(same) == text);
  const std::string_view state = input.Take().value_or(instance);
  const std::optional<Placement> state_read = Read(state, for_states);
  if (!state_read || state_read->queens > kMaxRendered) return 0;
  DemandOrder(*state_read);
  const Queens at_state(*state_read);
  std::vector<uint32_t> cells(state_read->queens);  // room for a state of any width
  at_state.InitialState(cells.data());
  (void)at_state.IsGoal(cells.data());
  const std::string rendered = fuzz::Written([&](astro::Writer& out) { at_state.RenderState(cells.data(), out); });
  const std::optional<Placement> read_back = Read(rendered, for_states);
  Demand(read_back.has_value() && read_back->rows == state_read->rows);
  return 0;
}
