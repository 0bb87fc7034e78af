// Text to placement, in every spelling.
#ifndef ASTROLABE_PLUGINS_QUEENS_PLACEMENT_READER_H_
#define ASTROLABE_PLUGINS_QUEENS_PLACEMENT_READER_H_

#include <optional>
#include <string_view>

#include "astrolabe/sdk/diagnostics.h"
#include "plugins/queens/placement.h"

namespace queens {

struct ReadOptions {
  std::string_view field = "instance";     // names the text in faults
  std::optional<Formulation> formulation;  // null: as the text says, or complete
  std::optional<uint32_t> queens;          // null: any number; else the text is a board of so many
};

// Null: every fault was reported.
std::optional<Placement> ReadPlacement(std::string_view text, const ReadOptions& options,
                                       astro::Diagnostics& diagnostics);

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_PLACEMENT_READER_H_
