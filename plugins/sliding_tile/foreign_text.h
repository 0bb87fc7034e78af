// Knows the text of other problems, which is given to this one where a problem is not named.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_FOREIGN_TEXT_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_FOREIGN_TEXT_H_

#include <string>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {

// True: the instance is a graph or a board of neighbour lists, and one fault says so, in place of all those that would
// follow from it. No board is taken for either.
bool ReportForeignText(const Sections& sections, std::string_view field, astro::Diagnostics& diagnostics);

// For a member of a JSON object that this problem has not: what to do if another one has it, else "".
std::string HintOfMember(std::string_view name);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_FOREIGN_TEXT_H_
