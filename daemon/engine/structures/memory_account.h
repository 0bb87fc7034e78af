// MemoryAccount: counts the bytes of the engine's stores and holds them under a cap.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_MEMORY_ACCOUNT_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_MEMORY_ACCOUNT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

namespace astrolabe::engine {

// Every store charges before it allocates, so the cap is never passed. Thread-safe: blocks are charged, not nodes.
class MemoryAccount {
 public:
  // cap_bytes 0: no cap.
  explicit MemoryAccount(int64_t cap_bytes = 0)
      : cap_(cap_bytes > 0 ? cap_bytes : std::numeric_limits<int64_t>::max()) {}
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  // Throws std::bad_alloc, nothing charged, when the cap would be passed.
  void Charge(size_t bytes) {
    int64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > static_cast<size_t>(cap_ - used)) throw std::bad_alloc();
    } while (!used_.compare_exchange_weak(used, used + static_cast<int64_t>(bytes), std::memory_order_relaxed));
    used += static_cast<int64_t>(bytes);
    int64_t peak = peak_.load(std::memory_order_relaxed);
    while (used > peak && !peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
    }
  }
  void Release(size_t bytes) { used_.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed); }

  uint64_t cap_bytes() const { return static_cast<uint64_t>(cap_); }
  int64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }
  int64_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }

 private:
  const int64_t cap_;
  std::atomic<int64_t> used_{0};
  std::atomic<int64_t> peak_{0};
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
