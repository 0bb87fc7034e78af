// Costs and h as the instance spells them.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NUMBERS_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/explicit_graph/line_reader.h"

namespace explicit_graph {

// Of h, and of the cost of a path that meets no node twice: room for sums and weights below the largest int64.
inline constexpr int64_t kLargest = INT64_MAX / 4;

// A whole number from 0 to kLargest; `what` names it in the fault: "cost", "h". Null: reported.
std::optional<int64_t> ReadNumber(const Word& word, std::string_view what, astro::Diagnostics& diagnostics);

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NUMBERS_H_
