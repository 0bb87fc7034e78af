#include "plugins/sliding_tile/puzzle.h"

#include "astrolabe/sdk/json_reader.h"
#include "plugins/sliding_tile/board_reader.h"
#include "plugins/sliding_tile/foreign_text.h"
#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {
namespace {

constexpr std::string_view kInstance = "instance";
constexpr std::string_view kGoalParam = "params.goal";

std::optional<Sections> Cut(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics) {
  return astro::LooksLikeJson(text) ? CutJson(text, field, diagnostics) : CutText(text, field, diagnostics);
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// One board without a goal of its own, as a parameter or a state.
std::optional<BoardText> ReadOneBoard(std::string_view text, const BoardContext& context,
                                      astro::Diagnostics& diagnostics) {
  const std::optional<Sections> sections = Cut(text, context.field, diagnostics);
  if (!sections) return std::nullopt;
  if (sections->goal || sections->goal_name) {
    diagnostics.Error(std::string(context.field))
        .At(sections->goal ? sections->goal->line : sections->goal_name->line, 1)
        .Message("a goal section inside the " + std::string(context.name))
        .Expected("one board");
    return std::nullopt;
  }
  return ReadSection(sections->start, context, diagnostics);
}

std::optional<Tiles> GoalOfInstance(const Sections& sections, const std::optional<Shape>& shape,
                                    astro::Diagnostics& diagnostics) {
  if (sections.goal) {
    const BoardContext context{kInstance, "goal", shape, false};
    const std::optional<BoardText> goal = ReadSection(*sections.goal, context, diagnostics);
    return goal ? std::optional<Tiles>(goal->tiles) : std::nullopt;
  }
  if (!shape) return std::nullopt;
  std::optional<Tiles> goal = tiles::NamedGoal(sections.goal_name->text, shape->cells());
  if (!goal) {
    diagnostics.Error(std::string(kInstance))
        .At(sections.goal_name->line, sections.goal_name->column)
        .Message(Quoted(sections.goal_name->text) + " is not a goal")
        .Expected("blank-last, blank-first, or rows");
  }
  return goal;
}

std::optional<Tiles> GoalOfParam(std::string_view text, const std::optional<Shape>& shape,
                                 astro::Diagnostics& diagnostics) {
  const std::string_view name = Trim(text);
  if (name == "blank-last" || name == "blank-first") {
    return shape ? tiles::NamedGoal(name, shape->cells()) : std::nullopt;
  }
  const bool word = !name.empty() && ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  if (name.empty() || word) {
    diagnostics.Error(std::string(kGoalParam))
        .At(1, 1)
        .Message(name.empty() ? "an empty goal" : Quoted(name) + " is not a goal")
        .Expected("blank-last, blank-first, or a board such as 1 2 3/8 0 4/7 6 5");
    return std::nullopt;
  }
  const BoardContext context{kGoalParam, "goal", shape, false};
  const std::optional<BoardText> goal = ReadOneBoard(text, context, diagnostics);
  return goal ? std::optional<Tiles>(goal->tiles) : std::nullopt;
}

}  // namespace

std::optional<Puzzle> ReadPuzzle(std::string_view instance, std::optional<std::string_view> goal_param,
                                 astro::Diagnostics& diagnostics) {
  const std::optional<Sections> sections = Cut(instance, kInstance, diagnostics);
  if (sections && ReportForeignText(*sections, kInstance, diagnostics)) return std::nullopt;
  std::optional<BoardText> start;
  if (sections) {
    start = ReadSection(sections->start, BoardContext{kInstance, "board", std::nullopt, true}, diagnostics);
  }
  // Goals are read even when the start is wrong: all faults at once.
  const std::optional<Shape> shape = start ? std::optional<Shape>(start->shape) : std::nullopt;
  const bool has_goal = sections && (sections->goal || sections->goal_name);
  std::optional<Tiles> goal;
  if (has_goal) goal = GoalOfInstance(*sections, shape, diagnostics);
  std::optional<Tiles> wanted;
  if (goal_param) wanted = GoalOfParam(*goal_param, shape, diagnostics);
  if (diagnostics.errors() > 0 || !start) return std::nullopt;

  if (goal && wanted && *goal != *wanted) {
    diagnostics.Error(std::string(kGoalParam))
        .Message("the instance has a goal section, and the parameter goal names another goal")
        .Expected("one goal, or the same one twice")
        .Hint("leave out the parameter, or the goal section");
    return std::nullopt;
  }
  if (!goal) goal = wanted ? wanted : BlankLast(start->shape);
  return Puzzle{start->shape, std::move(start->tiles), std::move(*goal)};
}

std::optional<Tiles> ReadBoard(std::string_view text, const Shape& shape, astro::Diagnostics& diagnostics) {
  const std::optional<BoardText> board = ReadOneBoard(text, BoardContext{"state", "state", shape, false}, diagnostics);
  return board ? std::optional<Tiles>(board->tiles) : std::nullopt;
}

}  // namespace sliding_tile
