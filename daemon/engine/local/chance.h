// Chance: something that happens with a probability; the same on any machine, for it is a fixed-point number.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_CHANCE_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_CHANCE_H_

#include <cstdint>

#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {

class Chance {
 public:
  // probability: 0 to 1, in steps of 2^-32.
  explicit Chance(double probability) : of_2_32_(static_cast<uint64_t>(probability * 4294967296.0)) {}

  bool possible() const { return of_2_32_ > 0; }
  // Draws no number for a probability of 0.
  bool Happens(Random& random) const { return of_2_32_ > 0 && (random.Next() >> 32) < of_2_32_; }

 private:
  uint64_t of_2_32_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_CHANCE_H_
