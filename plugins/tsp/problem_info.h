// What the plugin says of itself in its manifest.
#ifndef ASTROLABE_PLUGINS_TSP_PROBLEM_INFO_H_
#define ASTROLABE_PLUGINS_TSP_PROBLEM_INFO_H_

#include "astrolabe/sdk/info.h"

namespace tsp {

inline constexpr std::string_view kInstanceSyntax =
    "A TSPLIB file of type TSP with EDGE_WEIGHT_TYPE EUC_2D, 3 to 500 cities:\n"
    "  NAME : four\n"
    "  TYPE : TSP\n"
    "  DIMENSION : 4\n"
    "  EDGE_WEIGHT_TYPE : EUC_2D\n"
    "  NODE_COORD_SECTION\n"
    "  1 0 0\n"
    "  2 0 10.5\n"
    "  3 1e1 0\n"
    "  4 10 10\n"
    "  EOF\n"
    "A TOUR_SECTION with the numbers of all cities, -1 at its end, gives a tour to start from; without it local "
    "search\n"
    "begins with random tours. Other EDGE_WEIGHT_TYPEs are not supported.\n"
    "Ignored: NAME, COMMENT, DISPLAY_DATA_TYPE, blank lines, # comments, a missing EOF.";

inline constexpr astro::Example kExamples[] = {
    {"a square with its centre, shortest tour 34",
     "DIMENSION : 5\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 8\n3 8 0\n4 8 8\n5 4 4\nEOF\n"},
    {"a tour that crosses itself",
     "DIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 8\n3 8 0\n4 8 8\nTOUR_SECTION\n1 4 2 "
     "3\n-1\n"
     "EOF\n"},
};

inline constexpr astro::ProblemInfo kProblemInfo{
    .id = "tsp",
    .summary = "Travelling salesman: the shortest tour through all cities, by local search",
    .doc =
        "Cities of the plane, and the shortest tour that visits each once and returns. A state is a whole tour. A "
        "step\n"
        "turns a part of it round (2-opt), or moves up to three neighbours elsewhere, as they are or turned round\n"
        "(Or-opt); n cities give about 5.5 n^2 of them. Places are counted from 0, at city 1: reverse:2-5 turns the\n"
        "places 2 to 5, move:2-3:4 moves the places 2 and 3 four places further, turn:2-3:4 also turns them round.\n"
        "There is no goal: every tour is a solution, and local search lessens its length. No search proves the best\n"
        "one to be the shortest.",
    .instance_syntax = kInstanceSyntax,
    .examples = kExamples,
    .default_algorithm = "hill_climbing",
    .default_heuristic = "tour_length",
};

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_PROBLEM_INFO_H_
