// Random numbers that are the same on every machine: unlike the distributions of the standard library, all of this is
// fixed by its definition. For problems with random_state, and for anything else that depends on a seed.
//
//   astro::Random random(seed);
//   const uint64_t row = random.Below(8);
#ifndef ASTROLABE_SDK_RANDOM_H_
#define ASTROLABE_SDK_RANDOM_H_

#include <array>
#include <bit>
#include <cstdint>

namespace astro {

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014), as published by Vigna. Turns any seed,
// 0 too, into numbers without visible relation: to seed other generators.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(uint64_t seed) : state_(seed) {}

  constexpr uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

// xoshiro256** of Blackman and Vigna: "Scrambled linear pseudorandom number generators" (2018). Not for secrets.
class Random {
 public:
  // Seeds that differ in one bit give unrelated sequences.
  explicit constexpr Random(uint64_t seed) {
    SplitMix64 mix(seed);
    for (uint64_t& word : state_) word = mix.Next();
  }
  // Not all zero.
  explicit constexpr Random(const std::array<uint64_t, 4>& state) : state_(state) {}

  // Each of 2^64 numbers is as likely as the others.
  constexpr uint64_t Next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Each of 0 .. bound - 1 is as likely as the others; bound is at least 1. Lemire: "Fast random integer generation in
  // an interval" (2019): a product's upper half, and another draw in the few cases that would favour some numbers.
  constexpr uint64_t Below(uint64_t bound) {
    Product product = static_cast<Product>(Next()) * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t threshold = (0 - bound) % bound;
      while (static_cast<uint64_t>(product) < threshold) product = static_cast<Product>(Next()) * bound;
    }
    return static_cast<uint64_t>(product >> 64);
  }

 private:
  __extension__ using Product = unsigned __int128;

  std::array<uint64_t, 4> state_ = {};
};

}  // namespace astro

#endif  // ASTROLABE_SDK_RANDOM_H_
