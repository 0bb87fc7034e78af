// What the plugin says of itself in its manifest.
#ifndef ASTROLABE_PLUGINS_QUEENS_PROBLEM_INFO_H_
#define ASTROLABE_PLUGINS_QUEENS_PROBLEM_INFO_H_

#include "astrolabe/sdk/info.h"

namespace queens {

inline constexpr std::string_view kInstanceSyntax =
    "A number alone: so many queens, from 1 to 1000000. Local search begins with random boards then.\n"
    "Or a board to start from, in one of these spellings; rows and columns are counted from 0, row 0 is the top:\n"
    "  3 0 4 7 5 2 6 1       the row of the queen in each column, with blanks, tabs, commas or line ends between\n"
    "  8                     the number of queens in a line of its own, then the rows\n"
    "  3 0 4 7 5 2 6 1\n"
    "  . Q . .               a drawing: a line for each row, Q for a queen, a dot for an empty square, with or "
    "without\n"
    "  . . . Q               blanks between; one queen in each column\n"
    "  Q . . .\n"
    "  . . Q .\n"
    "JSON: {\"n\": 8}, {\"n\": 8, \"rows\": [3, 0, 4, ..]} or [3, 0, 4, ..]; with \"formulation\": \"incremental\" it "
    "is "
    "that\n"
    "one, if the parameter says nothing.\n"
    "Ignored: blank lines, # comments, a byte order mark, carriage returns, a missing last newline.";

inline constexpr astro::Example kExamples[] = {
    {"8 queens, random boards", "8\n"},
    {"8 queens, 17 pairs attack each other", "3 2 1 4 3 2 1 2\n"},
    {"7 queens, one pair, and every single step makes it worse", "7\n4 2 5 6 1 3 0\n"},
    {"4 queens as a drawing, a solution", ". . Q .\nQ . . .\n. . . Q\n. Q . .\n"},
};

inline constexpr std::string_view kFormulations[] = {"complete", "incremental"};

inline constexpr astro::ParamSpec kParams[] = {
    astro::DefaultForCounting(
        astro::Optional(astro::StringParam(
            "formulation", "",
            "complete: every column has a queen from the start on, and a step moves one in its column; for "
            "min_conflicts, hill_climbing and the other local searches. incremental: the columns are filled from the "
            "left with queens that attack none, up to 1000 of them; for astar, depth-first search and counting "
            "solutions. Without it complete, unless a JSON instance says otherwise.",
            kFormulations)),
        astro::ParamValue::Text(kFormulations[1])),
};

inline constexpr astro::ProblemInfo kProblemInfo{
    .id = "queens",
    .summary = "N queens: one in each column, none attacks another",
    .doc =
        "N queens on an N x N board, one in each column, so that no two share a row or a diagonal. In the complete\n"
        "formulation a state is any board with a queen in each column and a step moves one queen to another row of "
        "its\n"
        "column, named COLUMN->ROW; there are N (N - 1) steps, which are not listed one by one, so only local search\n"
        "works on it. For the searches that follow operators choose formulation=incremental: an operator is the row "
        "of\n"
        "the queen that is placed in the next column. Whether there is a solution is known at once: for every N but 2\n"
        "and 3.",
    .instance_syntax = kInstanceSyntax,
    .examples = kExamples,
    .default_algorithm = "min_conflicts",
    .default_heuristic = "attacking_pairs",
    .params = kParams,
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_PROBLEM_INFO_H_
