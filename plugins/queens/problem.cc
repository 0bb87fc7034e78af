#include "plugins/queens/problem.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/sdk/error.h"
#include "astrolabe/sdk/random.h"
#include "plugins/queens/attacked_rows.h"
#include "plugins/queens/attacks.h"
#include "plugins/queens/closed_formula.h"
#include "plugins/queens/drawing.h"
#include "plugins/queens/first_attack.h"
#include "plugins/queens/placement_reader.h"

namespace queens {
namespace {

constexpr uint32_t kMaxDrawn = 40;
constexpr size_t kOpsAtOnce = 4096;

uint32_t CellBytes(uint32_t queens) { return queens <= UINT8_MAX ? 1 : queens <= UINT16_MAX ? 2 : 4; }

std::optional<Formulation> FormulationOf(const astro::Params& params) {
  const std::optional<std::string_view> name = params.String("formulation");
  if (!name || name->empty()) return std::nullopt;
  return *name == kFormulations[1] ? Formulation::kIncremental : Formulation::kComplete;
}

void WriteList(std::span<const uint32_t> rows, std::string_view between, astro::Writer& out) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) out << between;
    out << rows[i];
  }
}

}  // namespace

std::unique_ptr<Queens> Queens::Parse(std::string_view text, const astro::Params& params,
                                      astro::Diagnostics& diagnostics) {
  std::optional<Placement> placement =
      ReadPlacement(text, {"instance", FormulationOf(params), std::nullopt}, diagnostics);
  if (!placement) return nullptr;
  return std::make_unique<Queens>(*std::move(placement));
}

Queens::Queens(Placement placement) : placement_(std::move(placement)) {
  view_.struct_size = sizeof(view_);
  view_.formulation = complete() ? QUEENS_COMPLETE : QUEENS_INCREMENTAL;
  view_.queens = queens();
  view_.cell_bytes = CellBytes(queens());
}

astro::SpaceInfo Queens::Space() const {
  astro::SpaceInfo space;
  space.flags = ASTRO_PROBLEM_UNIT_COST;
  space.state_size = queens() * view_.cell_bytes;
  space.state_align = view_.cell_bytes;
  if (complete()) {
    if (placement_.rows.empty()) space.flags |= ASTRO_PROBLEM_NO_START;
  } else {
    space.flags |= ASTRO_PROBLEM_TREE;
    space.max_ops = queens();
    space.max_cost = static_cast<int64_t>(queens() - placement_.rows.size());
  }
  return space;
}

void Queens::Store(std::span<const uint32_t> rows, void* out) const {
  VisitCells(view_.cell_bytes, out, [&]<class Cell>(Cell* cells) {
    for (size_t column = 0; column < rows.size(); ++column) cells[column] = static_cast<Cell>(rows[column]);
    std::fill(cells + rows.size(), cells + queens(), complete() ? Cell{0} : std::numeric_limits<Cell>::max());
  });
}

uint32_t Queens::Ops(const void* state, astro::Op, astro::Op* ops, int64_t* costs) const {
  if (complete()) return 0;
  const Board board = View(state);
  const uint32_t column = board.placed();
  if (column == queens()) return 0;
  const AttackedRows attacked(board, column);
  uint32_t count = 0;
  for (uint32_t row = 0; row < queens(); ++row) {
    if (attacked[row]) continue;
    if (costs != nullptr) costs[count] = 1;
    ops[count++] = row;
  }
  return count;
}

bool Queens::IsGoal(const void* state) const {
  const Board board = View(state);
  if (board.row(queens() - 1) == kNoQueen) return false;
  return !FirstAttack(board, queens());
}

bool Queens::ApplyInPlace(void* state, astro::Op op, int64_t* cost) const {
  const Board board = View(state);
  const Move move = Problem::MakeMove(Instance(&view_), op);
  uint32_t column = move.column;
  if (complete()) {
    if (!HasStepNumbers() || column >= queens() || board.row(column) == move.row) return false;
  } else {
    column = board.placed();
    if (column == queens() || move.row >= queens() || AttackedRows(board, column)[move.row]) return false;
  }
  VisitCells(view_.cell_bytes, state, [&]<class Cell>(Cell* cells) { cells[column] = static_cast<Cell>(move.row); });
  *cost = 1;
  return true;
}

std::optional<astro::FactoredInfo> Queens::Factored() const {
  if (!complete()) return std::nullopt;
  return astro::FactoredInfo{queens(), queens()};
}

void Queens::ValuesOf(const void* state, uint32_t* out) const {
  VisitCells(view_.cell_bytes, state, [&](const auto* cells) { std::copy_n(cells, queens(), out); });
}

void Queens::StateOf(const uint32_t* values, void* out) const { Store({values, queens()}, out); }

void Queens::RenderStep(uint32_t column, uint32_t row, astro::Writer& out) const {
  out << "moved column " << column << " to row " << row;
}

void Queens::RandomState(uint64_t seed, void* out) const {
  if (!complete()) return InitialState(out);
  astro::Random random(seed);
  VisitCells(view_.cell_bytes, out, [&]<class Cell>(Cell* cells) {
    for (uint32_t column = 0; column < queens(); ++column) cells[column] = static_cast<Cell>(random.Below(queens()));
  });
}

void Queens::RenderState(const void* state, astro::Writer& out) const {
  const Board board = View(state);
  if (queens() <= kMaxDrawn) return Draw(board, out);
  // A board that is not full must say how many columns it has.
  if (!complete()) out << queens() << '\n';
  std::vector<uint32_t> rows(queens());
  ValuesOf(state, rows.data());
  WriteList(std::span(rows).first(complete() ? queens() : board.placed()), " ", out);
}

bool Queens::ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const {
  const ReadOptions options = {"state", placement_.formulation, queens()};
  const std::optional<Placement> placement = ReadPlacement(text, options, diagnostics);
  if (!placement) return false;
  Store(placement->rows, out);
  return true;
}

void Queens::RenderOp(astro::Op op, astro::Writer& out) const {
  const Move move = Problem::MakeMove(Instance(&view_), op);
  if (complete()) out << move.column << "->";
  out << move.row;
}

void Queens::CanonicalText(astro::Writer& out) const {
  if (!complete()) {
    out << "{\"n\": " << queens() << ", \"formulation\": \"incremental\", \"rows\": [";
    WriteList(placement_.rows, ", ", out);
    out << "]}\n";
    return;
  }
  out << queens() << '\n';
  if (placement_.rows.empty()) return;
  WriteList(placement_.rows, " ", out);
  out << '\n';
}

void Queens::Describe(astro::Writer& out) const {
  out << queens() << (queens() == 1 ? " queen, " : " queens, ");
  if (complete()) {
    out << (placement_.rows.empty() ? "random boards" : "from a given board");
  } else {
    out << "placed column by column";
    if (!placement_.rows.empty()) out << ", " << placement_.rows.size() << " given";
  }
}

uint32_t Queens::Solvable(astro::Writer& reason) const {
  if (queens() == 2) {
    reason << "2 queens attack each other wherever they stand: any two squares of a 2 x 2 board are on one line";
    return ASTRO_SOLVABLE_NO;
  }
  if (queens() == 3) {
    reason
        << "3 queens cannot be placed: one in the centre attacks every square, and any other leaves but two squares, "
           "which are on one line";
    return ASTRO_SOLVABLE_NO;
  }
  if (!complete() && !placement_.rows.empty()) return SolvableFromGiven(reason);
  reason << "there is a solution for every number of queens but 2 and 3 (Pauls 1874)";
  return ASTRO_SOLVABLE_YES;
}

// The queens that are given stay where they are.
uint32_t Queens::SolvableFromGiven(astro::Writer& reason) const {
  std::vector<uint32_t> cells(queens());  // room for a state of any width
  InitialState(cells.data());
  const auto given = static_cast<uint32_t>(placement_.rows.size());
  if (const std::optional<Attack> attack = FirstAttack(View(cells.data()), given)) {
    reason << "the given queens in columns " << attack->left << " and " << attack->right
           << " attack each other, and the incremental formulation moves none";
    return ASTRO_SOLVABLE_NO;
  }
  if (given == queens()) {
    reason << "the given board is a solution";
    return ASTRO_SOLVABLE_YES;
  }
  reason << "not known for given queens";
  return ASTRO_SOLVABLE_UNKNOWN;
}

void Queens::Facts(const void* state, astro::FactWriter& out) const {
  const Board board = View(state);
  const uint32_t placed = complete() ? queens() : board.placed();
  std::vector<uint32_t> memory(LineCounts::Size(queens()));
  LineCounts counts(queens(), memory.data());
  int64_t pairs = 0;
  for (uint32_t column = 0; column < placed; ++column) {
    pairs += counts.At(column, board.row(column));
    counts.Add(column, board.row(column));
  }
  uint32_t attacked = 0;
  for (uint32_t column = 0; column < placed; ++column) attacked += counts.At(column, board.row(column)) > 3 ? 1 : 0;
  out.Add("queens_placed", placed);
  out.Add("attacking_pairs", pairs);
  out.Add("queens_attacked", attacked);
}

void Queens::Construct(astro::OpWriter& out) const {
  if (!HasSolution(queens())) throw astro::Refused("there is no solution for " + std::to_string(queens()) + " queens");
  if (complete() && !HasStepNumbers()) {
    throw astro::Refused("the steps on a board of more than " + std::to_string(UINT16_MAX) + " queens have no numbers",
                         "use min_conflicts");
  }
  const std::vector<uint32_t> solution = ClosedFormula(queens());
  const std::vector<uint32_t>& given = placement_.rows;
  if (!complete() && !std::equal(given.begin(), given.end(), solution.begin())) {
    throw astro::Refused("the closed formula does not begin with the queens that are given", "search for a solution");
  }
  std::vector<astro::Op> ops;
  const auto write = [&](astro::Op op) {
    ops.push_back(op);
    if (ops.size() < kOpsAtOnce) return;
    out.Write(ops);
    ops.clear();
  };
  for (uint32_t column = 0; column < queens(); ++column) {
    if (!complete()) {
      if (column >= given.size()) write(solution[column]);
    } else if (solution[column] != (given.empty() ? 0 : given[column])) {
      write(column * queens() + solution[column]);
    }
  }
  out.Write(ops);
}

}  // namespace queens
