// Whether simulated annealing takes a step that is worse. Decided by integers alone, so that it is the same
// on any machine: exp(-d / T) is read from a table, with d / T rounded down to 1/256, so that it is at most 0.4 % too
// large.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_ACCEPTANCE_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_ACCEPTANCE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {

namespace acceptance {

// base^0, base^1, ..., as numbers of 2^-32, from base as one of 2^-64.
template <size_t n>
constexpr std::array<uint64_t, n> Powers(uint64_t base) {
  std::array<uint64_t, n> powers{};
  powers[0] = uint64_t{1} << 32;
  uint64_t power = base;
  for (size_t i = 1; i < n; ++i) {
    powers[i] = power >> 32;
    power = static_cast<uint64_t>(static_cast<unsigned __int128>(power) * base >> 64);
  }
  return powers;
}

inline constexpr int kFractionBits = 8;
inline constexpr size_t kFractions = size_t{1} << kFractionBits;
inline constexpr size_t kWhole = 23;                                                            // exp(-23) < 2^-32
inline constexpr std::array<uint64_t, kWhole> kExpWhole = Powers<kWhole>(0x5e2d58d8b3bcdf1au);  // exp(-1)
inline constexpr std::array<uint64_t, kFractions> kExpFraction =
    Powers<kFractions>(0xff007fd55ffdde38u);  // exp(-1/256)

}  // namespace acceptance

// Temperatures are in units of 1/65536 of the objective.
inline constexpr int kTemperatureBits = 16;

// exp(-d / temperature), as a number of 2^-32. Preconditions: d > 0, temperature > 0.
constexpr uint64_t AcceptanceProbability(Cost d, uint64_t temperature) {
  using namespace acceptance;
  const unsigned __int128 ratio =
      (static_cast<unsigned __int128>(d) << (kTemperatureBits + kFractionBits)) / temperature;
  if (ratio >= static_cast<unsigned __int128>(kWhole) << kFractionBits) return 0;
  const auto x = static_cast<size_t>(ratio);
  return kExpWhole[x >> kFractionBits] * kExpFraction[x & (kFractions - 1)] >> 32;
}

inline bool Accepts(Cost d, uint64_t temperature, Random& random) {
  return d <= 0 || (random.Next() >> 32) < AcceptanceProbability(d, temperature);
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_ACCEPTANCE_H_
