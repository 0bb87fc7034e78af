#include "daemon/worker/memory_budget.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <new>

namespace astrolabe::worker {
namespace {

constexpr uint64_t kMaxAlign = 4096;
constexpr uint64_t kMaxBlock = uint64_t{1} << 46;

}  // namespace

MemoryBudget::~MemoryBudget() {
  for (const auto& [memory, size] : blocks_) std::free(memory);
}

void* MemoryBudget::Allocate(uint64_t size, uint64_t align) {
  if (!std::has_single_bit(align) || align > kMaxAlign || size > kMaxBlock) return nullptr;
  align = std::max<uint64_t>(align, alignof(std::max_align_t));
  const uint64_t rounded = (std::max<uint64_t>(size, 1) + align - 1) / align * align;
  if (!Charge(rounded)) return nullptr;
  void* memory = std::aligned_alloc(align, rounded);
  if (memory != nullptr) {
    std::lock_guard<std::mutex> lock(mutex_);
    try {
      blocks_.emplace(memory, rounded);
      return memory;
    } catch (const std::bad_alloc&) {
      std::free(memory);
    }
  }
  Refund(rounded);
  std::lock_guard<std::mutex> lock(mutex_);
  exhausted_ = true;
  return nullptr;
}

bool MemoryBudget::Release(void* memory) {
  if (!Detach(memory)) return false;
  std::free(memory);
  return true;
}

bool MemoryBudget::Detach(void* memory) {
  if (memory == nullptr) return true;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return false;
  used_ -= found->second;
  blocks_.erase(found);
  return true;
}

bool MemoryBudget::Charge(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (max_bytes_ > 0 && bytes > max_bytes_ - std::min(used_, max_bytes_)) {
    exhausted_ = true;
    return false;
  }
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return true;
}

void MemoryBudget::Refund(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  used_ -= std::min(bytes, used_);
}

uint64_t MemoryBudget::used() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return used_;
}

uint64_t MemoryBudget::peak() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return peak_;
}

bool MemoryBudget::exhausted() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return exhausted_;
}

}  // namespace astrolabe::worker
