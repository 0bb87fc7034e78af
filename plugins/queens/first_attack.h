// Is there a queen that attacks another?
#ifndef ASTROLABE_PLUGINS_QUEENS_FIRST_ATTACK_H_
#define ASTROLABE_PLUGINS_QUEENS_FIRST_ATTACK_H_

#include <cstdint>
#include <optional>

#include "astrolabe/queens/board.h"

namespace queens {

struct Attack {
  uint32_t left;  // columns
  uint32_t right;
};

// Among the first `columns` columns, which have queens: the leftmost queen that one to its left attacks, and such a
// one. Linear; boards of more than some hundred queens allocate.
std::optional<Attack> FirstAttack(const Board& board, uint32_t columns);

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_FIRST_ATTACK_H_
