#include "client/cli/local_text.h"

#include "client/cli/board_text.h"
#include "client/cli/result_text.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

// A board of 40 x 40 squares with blanks between them has 3,200 bytes.
constexpr size_t kMaxShownState = 4096;

}  // namespace

bool IsLocal(const client::Result& result) { return result.objective.has_value(); }

std::string ObjectiveText(const client::Result& result) {
  const std::string name = result.objective_name.empty() ? "objective" : result.objective_name;
  return name + " " + CostText(*result.objective, result.cost_scale);
}

std::string LocalState(const client::Result& result) {
  std::string text = ObjectiveText(result) + "\n\n";
  if (result.final_state.empty() || result.final_state.size() > kMaxShownState) {
    return text + "(the state is too large to be shown; -o state writes it)\n";
  }
  return text + BoardText(result.final_state);
}

std::string ClimbsWords(const client::LocalStatistics& climbs) {
  std::string text = Counted(climbs.climbs, "climb") + " (" + std::to_string(climbs.solved) + " solved, " +
                     std::to_string(climbs.stuck) + " stuck), " + Counted(climbs.steps, "step");
  std::string kinds;
  if (climbs.sideways_steps > 0) kinds = std::to_string(climbs.sideways_steps) + " sideways";
  if (climbs.worsening_steps > 0) {
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(climbs.worsening_steps) + " to a larger objective";
  }
  return text + (kinds.empty() ? "" : " (" + kinds + ")");
}

}  // namespace astrolabe::cli
