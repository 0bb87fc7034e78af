// A vector within the job's budget: for what grows with the instance, in constructors and in Build.
//
//   astro::HostVector<uint64_t> sets{astro::HostAllocator<uint64_t>(host)};
//
// It throws std::bad_alloc when the budget has no room. Made, grown and destroyed in the host's [load] and [build]
// alone; the host outlives it.
#ifndef ASTROLABE_SDK_HOST_VECTOR_H_
#define ASTROLABE_SDK_HOST_VECTOR_H_

#include <cstddef>
#include <new>
#include <vector>

#include "astrolabe/sdk/host.h"

namespace astro {

template <class T>
class HostAllocator {
 public:
  using value_type = T;

  explicit HostAllocator(const Host& host) : host_(host.raw()) {}
  template <class Other>
  HostAllocator(const HostAllocator<Other>& other) : host_(other.raw()) {}  // NOLINT: as every allocator

  T* allocate(size_t n) {
    if (n > static_cast<size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    constexpr size_t kAlign = alignof(T) > alignof(std::max_align_t) ? alignof(T) : alignof(std::max_align_t);
    void* memory = host_->allocate(host_->ctx, n * sizeof(T), kAlign);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { host_->release(host_->ctx, memory); }

  const astro_host_v1* raw() const { return host_; }
  friend bool operator==(const HostAllocator& a, const HostAllocator& b) { return a.host_ == b.host_; }

 private:
  const astro_host_v1* host_;
};

template <class T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace astro

#endif  // ASTROLABE_SDK_HOST_VECTOR_H_
