// Text to graph. The syntax is kInstanceSyntax in problem_info.h.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_GRAPH_READER_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_GRAPH_READER_H_

#include <optional>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/explicit_graph/graph_data.h"

namespace explicit_graph {

// The parameters of the problem that say what the graph is; unset: as the instance says.
struct ReadOptions {
  std::optional<std::string_view> start;
  std::optional<std::string_view> goal;  // names, separated by blanks
  std::optional<bool> directed;
};

// Null when there was a fault; all faults are reported.
std::optional<GraphData> ReadGraph(std::string_view instance, const ReadOptions& options,
                                   astro::Diagnostics& diagnostics);

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_GRAPH_READER_H_
