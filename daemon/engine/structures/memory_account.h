// MemoryAccount: counts the bytes of the engine's stores and holds them under a cap.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_MEMORY_ACCOUNT_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_MEMORY_ACCOUNT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

namespace astrolabe::engine {

// Not thread-safe. Every store charges before it allocates, so the cap is never passed.
class MemoryAccount {
 public:
  // cap_bytes 0: no cap.
  explicit MemoryAccount(int64_t cap_bytes = 0)
      : cap_(cap_bytes > 0 ? cap_bytes : std::numeric_limits<int64_t>::max()) {}
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  // Throws std::bad_alloc, nothing charged, when the cap would be passed.
  void Charge(size_t bytes) {
    if (bytes > static_cast<size_t>(cap_ - used_)) throw std::bad_alloc();
    used_ += static_cast<int64_t>(bytes);
    if (used_ > peak_) peak_ = used_;
  }
  void Release(size_t bytes) { used_ -= static_cast<int64_t>(bytes); }

  uint64_t cap_bytes() const { return static_cast<uint64_t>(cap_); }
  int64_t used_bytes() const { return used_; }
  int64_t peak_bytes() const { return peak_; }

 private:
  int64_t cap_;
  int64_t used_ = 0;
  int64_t peak_ = 0;
};

// Charges an account for what a standard container allocates.
template <typename T>
class AccountedAllocator {
 public:
  using value_type = T;
  explicit AccountedAllocator(MemoryAccount& account) : account_(&account) {}
  template <typename U>
  AccountedAllocator(const AccountedAllocator<U>& other) : account_(other.account()) {}  // NOLINT: rebinding

  T* allocate(size_t n) {
    account_->Charge(n * sizeof(T) + kOverhead);
    try {
      return std::allocator<T>().allocate(n);
    } catch (...) {
      account_->Release(n * sizeof(T) + kOverhead);
      throw;
    }
  }
  void deallocate(T* p, size_t n) {
    std::allocator<T>().deallocate(p, n);
    account_->Release(n * sizeof(T) + kOverhead);
  }
  MemoryAccount* account() const { return account_; }
  template <typename U>
  bool operator==(const AccountedAllocator<U>& other) const {
    return account_ == other.account();
  }

 private:
  static constexpr size_t kOverhead = 16;  // of the heap, for each allocation
  MemoryAccount* account_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_MEMORY_ACCOUNT_H_
