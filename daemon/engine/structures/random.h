// Random numbers that are the same on any machine: the algorithms are fixed by their papers, and nothing of the
// standard library's distributions is used.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_RANDOM_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_RANDOM_H_

#include <array>
#include <cstdint>

namespace astrolabe::engine {

// SplitMix64 (Steele, Lea and Flood, 2014): makes good numbers of any seed, for the seeding of other generators.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

// xoshiro256** 1.0 (Blackman and Vigna, 2018).
class Random {
 public:
  using State = std::array<uint64_t, 4>;

  // Seeded by four numbers of SplitMix64, as its authors advise.
  explicit Random(uint64_t seed) {
    SplitMix64 mix(seed);
    for (uint64_t& word : state_) word = mix.Next();
  }
  // Precondition: not all are 0.
  explicit Random(const State& state) : state_(state) {}

  uint64_t Next() {
    const uint64_t result = Rotate(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = Rotate(state_[3], 45);
    return result;
  }

  // Each of 0 .. bound - 1 as likely as the others: multiply, and reject what would be too likely (Lemire, 2019).
  // Precondition: bound > 0.
  uint64_t Below(uint64_t bound) {
    unsigned __int128 product = static_cast<unsigned __int128>(Next()) * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t too_likely = (0 - bound) % bound;
      while (static_cast<uint64_t>(product) < too_likely) {
        product = static_cast<unsigned __int128>(Next()) * bound;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }
  uint32_t Below32(uint32_t bound) { return static_cast<uint32_t>(Below(bound)); }

 private:
  static uint64_t Rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  State state_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_RANDOM_H_
