// What the plugin says of itself in its manifest.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_PROBLEM_INFO_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_PROBLEM_INFO_H_

#include "astrolabe/sdk/info.h"

namespace explicit_graph {

inline constexpr std::string_view kInstanceSyntax =
    "Lines with keywords, in any order:\n"
    "directed | undirected   which way the edges go; without it directed, or what the parameter says\n"
    "node NAME [h VALUE]     a node, and what the heuristic node_h gives for it (0 without)\n"
    "edge FROM TO [COST]     costs 1 without COST; loops and parallel edges are allowed\n"
    "start NAME              one\n"
    "goal NAME               one or more lines\n"
    "If there is a node line, every node needs one; else nodes appear by use.\n"
    "\n"
    "Or a list of edges, a line each: FROM TO [COST]. Start and goal are parameters then. A file whose first line "
    "does\n"
    "not begin with a keyword is such a list.\n"
    "\n"
    "COST and VALUE are whole numbers, not negative. A name is any word without blanks and #. Words are separated by\n"
    "blanks or tabs. Ignored: blank lines, # comments, a byte order mark, carriage returns, a missing last newline.";

inline constexpr astro::Example kExamples[] = {
    {"the heuristic is admissible but not consistent, cost 12",
     "directed\nnode P h 12\nnode Q h 8\nnode R h 0\nnode T h 0\nedge P Q 4\nedge Q R 4\nedge R T 4\nedge P R 11\n"
     "edge P T 13\nstart P\ngoal T\n"},
    {"roads, two goals, cost 5",
     "undirected\nedge home bridge 3\nedge bridge station 2\nedge home hill 4\nedge hill airport 4\nstart home\n"
     "goal station\ngoal airport\n"},
};

inline constexpr astro::ParamSpec kParams[] = {
    astro::Optional(astro::StringParam("start", "", "The node to start from. Without it the line start.")),
    astro::Optional(
        astro::StringParam("goal", "", "The goal, or several names with blanks between. Without it the lines goal.")),
    astro::Optional(astro::BoolParam("directed", true, "Whether edges go one way, if the instance does not say.")),
    astro::BoolParam("check_reachable", true,
                     "Look before the search whether a goal can be reached at all, in time linear in the graph. "
                     "Without it only an exhaustive search finds out."),
};

inline constexpr astro::ProblemInfo kProblemInfo{
    .id = "explicit_graph",
    .summary = "Graphs given edge by edge, with costs, directed or not",
    .doc =
        "A graph that is written out: nodes with names, edges with whole-number costs from 0. A move follows one edge\n"
        "and is named FROM->TO. Moves of a node are tried in the order in which the instance first names their "
        "targets,\n"
        "parallel ones from the cheapest.",
    .instance_syntax = kInstanceSyntax,
    .examples = kExamples,
    .default_algorithm = "astar",
    .default_heuristic = "node_h",
    .params = kParams,
};

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_PROBLEM_INFO_H_
