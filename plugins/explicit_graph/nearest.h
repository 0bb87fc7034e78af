// "Did you mean": the name that a misspelt one is nearest to.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NEAREST_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NEAREST_H_

#include <string>
#include <string_view>

#include "plugins/explicit_graph/name_table.h"

namespace explicit_graph {

// A hint for people, or "" when nothing is near or there are too many names to look through.
std::string DidYouMean(std::string_view wrong, const NameTable& names);

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NEAREST_H_
