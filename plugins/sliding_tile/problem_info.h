// What the plugin says of itself in its manifest.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PROBLEM_INFO_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PROBLEM_INFO_H_

#include "astrolabe/sdk/info.h"

namespace sliding_tile {

inline constexpr std::string_view kInstanceSyntax =
    "Rows of tile numbers; the blank is 0, _ or a dot. Tiles are 1 to rows x columns - 1, each once.\n"
    "\n"
    "Header (optional): a first line with one number N (an N x N board) or two numbers R C. Without a header the rows\n"
    "give the shape.\n"
    "Body: R lines of C numbers, or all numbers in one line (without a header only if the board is square).\n"
    "Separators: blanks, tabs, commas; a row may also end with / or ;.\n"
    "Goal (optional): a line `goal`, then a board in the same spelling, its header optional.\n"
    "JSON: [[1,2,3],[4,5,6],[7,8,0]] or {\"start\": [[..]], \"goal\": [[..]]}; the goal may be \"blank-last\" or\n"
    "\"blank-first\"; the blank may be \"_\" or \".\".\n"
    "Ignored: blank lines, # comments, a byte order mark, carriage returns, a missing last newline.";

inline constexpr astro::Example kExamples[] = {
    {"8-puzzle, 4 moves", "3\n0 1 3\n4 2 5\n7 8 6\n"},
    {"8-puzzle, the blank first in the goal, 26 moves", "7 2 4\n5 _ 6\n8 3 1\ngoal\n_ 1 2\n3 4 5\n6 7 8\n"},
    {"a 2 x 4 board, 29 moves", "2 4\n4 0 1 2\n3 7 5 6\n"},
    {"15-puzzle as JSON, 9 moves",
     "{\"start\": [[2,3,4,0],[1,6,7,8],[5,10,11,12],[9,13,14,15]], \"goal\": \"blank-last\"}"},
};

inline constexpr astro::ParamSpec kParams[] = {
    astro::Optional(astro::StringParam("goal", "",
                                       "The goal: blank-last (1, 2, 3, ... and the blank in the last square), "
                                       "blank-first (the blank, then 1, 2, ...), or "
                                       "a board as text, its rows on lines or between / or ;. Without it the goal "
                                       "section of the instance, or blank-last.")),
};

inline constexpr astro::ProblemInfo kProblemInfo{
    .id = "sliding_tile",
    .summary = "Sliding-tile puzzles: boards of M x N squares, any goal",
    .doc =
        "Numbered tiles and one blank on a board of 2 to 127 rows and columns: the 8-puzzle (3 x 3), the 15-puzzle\n"
        "(4 x 4) and their like. A move slides a tile next to the blank into it and costs 1. Moves are named by the "
        "way\n"
        "the BLANK goes: UP means that the blank moves up, and the tile above it down. Operators are tried in the "
        "order\n"
        "UP, LEFT, RIGHT, DOWN, and a move that takes the last one back is left out. Whether a goal can be reached is\n"
        "decided by parity before any search.",
    .instance_syntax = kInstanceSyntax,
    .examples = kExamples,
    .default_algorithm = "idastar",
    .default_heuristic = "manhattan",
    .params = kParams,
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PROBLEM_INFO_H_
