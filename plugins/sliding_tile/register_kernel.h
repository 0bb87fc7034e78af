// The depth-first kernel for small boards: the state in one register, one function for each (square of
// the blank, way it came), so that every move is a compile-time constant.
//
// Same order, counts and limits as the SDK's kernel, node for node. Three ways to get h:
//   eval_ops of the heuristic, one call an expansion;
//   an additive table, one lookup a child;
//   an additive table of +1 and -1 alone, one bit a child.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_KERNEL_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_KERNEL_H_

#include <cstdint>
#include <optional>

#include "astrolabe/abi/ida.h"
#include "astrolabe/sliding_tile/view.h"
#include "plugins/sliding_tile/batch_frame_pool.h"
#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

// nullopt: no such kernel for this shape or call; call is untouched. `frames`: for the batched kernel.
std::optional<int32_t> RunRegisterKernel(const Shape& shape, const sliding_tile_view_v1& view, BatchFramePool& frames,
                                         astro_ida_v1& call);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_KERNEL_H_
