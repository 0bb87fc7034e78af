// Aligned memory for states.
#ifndef ASTROLABE_SDK_MEMORY_H_
#define ASTROLABE_SDK_MEMORY_H_

#include <cstddef>
#include <memory>
#include <new>

namespace astro::internal {

inline constexpr size_t kMaxAlign = 64;  // the largest alignment that the ABI allows a state

struct AlignedDelete {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t(kMaxAlign)); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;

// Throws std::bad_alloc.
inline AlignedBytes AllocateAligned(size_t size) {
  return AlignedBytes(new (std::align_val_t(kMaxAlign)) std::byte[size]);
}

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_MEMORY_H_
