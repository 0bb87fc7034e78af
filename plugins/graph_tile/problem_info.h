// What the plugin says of itself in its manifest.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_INFO_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_INFO_H_

#include "astrolabe/sdk/info.h"

namespace graph_tile {

inline constexpr std::string_view kInstanceSyntax =
    "For each cell its neighbours, `0: 1 3`; a number with a colon behind it begins a list, so that lists may stand "
    "on\n"
    "lines or between commas. Cells are numbered from 0, and there is one list for each.\n"
    "start TILES   the tile of cell 0, 1, 2, ...; the blank is 0, _ or a dot; each tile 1 .. cells - 1 once\n"
    "goal TILES    the same, or blank-last (1, 2, 3, ... and the blank on the last cell), which is the default,\n"
    "              or blank-first\n"
    "directed      the blank may go from a cell to its neighbours, and not back unless that is listed too\n"
    "\n"
    "JSON: {\"neighbours\": [[1,3],[0,2,4],..], \"start\": [..], \"goal\": [..]}, or \"cells\": N and \"edges\": "
    "[[0,1],..]\n"
    "in place of neighbours; an edge goes both ways unless \"directed\" is true.\n"
    "\n"
    "Neighbours must name each other, unless the parameter symmetric is off or directed is given. A cell that is its "
    "own neighbour,\n"
    "and a neighbour that is named twice, are ignored with a note.\n"
    "Ignored: blank lines, # comments, a byte order mark, carriage returns, a missing last newline.";

inline constexpr astro::Example kExamples[] = {
    {"the 8-puzzle as lists, 4 moves",
     "0:1 3, 1:0 2 4, 2:1 5, 3:0 4 6, 4:1 3 5 7, 5:2 4 8, 6:3 7, 7:4 6 8, 8:5 7\n"
     "start 0 1 3 4 2 5 7 8 6\n"
     "goal 1 2 3 4 5 6 7 8 0\n"},
    {"a ring of 5 cells, 8 moves", "0: 1 4\n1: 0 2\n2: 1 3\n3: 2 4\n4: 3 0\nstart 0 3 4 1 2\ngoal 0 1 2 3 4\n"},
    {"two rows of 3 and a diagonal as JSON, 5 moves",
     "{\"cells\": 6, \"edges\": [[0,1],[1,2],[3,4],[4,5],[0,3],[1,4],[2,5],[0,4]], \"start\": [2,1,3,4,5,0]}"},
};

inline constexpr astro::ParamSpec kParams[] = {
    astro::Optional(astro::StringParam("start", "", "The tile of each cell, in place of the instance's start.")),
    astro::Optional(astro::StringParam(
        "goal", "", "The tile of each cell, blank-last or blank-first, in place of the instance's goal.")),
    astro::Optional(astro::BoolParam("symmetric", true,
                                     "on: neighbours must name each other, what is listed one way only is an error. "
                                     "off: the blank moves as listed. Without it on, unless the instance says "
                                     "directed.")),
};

inline constexpr astro::ProblemInfo kProblemInfo{
    .id = "graph_tile",
    .summary = "Sliding tiles on any board, given by the neighbours of its cells",
    .doc =
        "Numbered tiles and one blank on 2 to 4096 cells. A move takes the blank to a neighbour of its cell, and the\n"
        "tile there the other way; it is named by the way of the BLANK, FROM->TO. Moves come in the order of the\n"
        "cells they lead to. Whether the goal can be reached is known before the search, by R. M. Wilson's theorem of\n"
        "1974 for each two-connected part of the board; where moves go one way only the search finds out.",
    .instance_syntax = kInstanceSyntax,
    .examples = kExamples,
    .default_algorithm = "astar",
    .default_heuristic = "sum_of_distances",
    .params = kParams,
};

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_INFO_H_
