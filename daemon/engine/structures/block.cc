#include "daemon/engine/structures/block.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

namespace astrolabe::engine {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

std::byte* Map(size_t bytes) {
  void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p != MAP_FAILED ? static_cast<std::byte*>(p) : nullptr;
}

// Begins on a huge page, so that as much as possible lies on such. Pages that are not whole stay small:
// nothing is resident beyond `bytes`.
std::byte* MapHuge(size_t bytes) {
  std::byte* p = Map(bytes + kHugePage);
  if (p == nullptr) return Map(bytes);
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(p) % kHugePage) % kHugePage;
  if (before > 0) ::munmap(p, before);
  if (before < kHugePage) ::munmap(p + before + bytes, kHugePage - before);
  ::madvise(p + before, bytes, MADV_HUGEPAGE);
  return p + before;
}

// All pages at once: every block is filled soon, and faulting in page by page costs more than the pages do. False: the
// system has no memory. Kernels before 5.14 do not know the call; there the pages come one by one.
bool Populate(std::byte* p, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (::madvise(p, bytes, MADV_POPULATE_WRITE) != 0 && errno == ENOMEM) return false;
#else
  static_cast<void>(p);
  static_cast<void>(bytes);
#endif
  return true;
}

}  // namespace

Block::Block(MemoryAccount& account, size_t bytes) {
  const size_t unit = bytes >= kMapFrom ? kPage : kAlign;
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  bytes = (bytes + unit - 1) / unit * unit;
  account.Charge(bytes);
  if (bytes >= kMapFrom) {
    data_ = bytes >= kHugePage ? MapHuge(bytes) : Map(bytes);
    if (data_ != nullptr && !Populate(data_, bytes)) {
      ::munmap(data_, bytes);
      data_ = nullptr;
    }
    if (data_ == nullptr) {
      account.Release(bytes);
      throw std::bad_alloc();
    }
  } else {
    void* p = ::operator new (bytes, std::align_val_t{kAlign}, std::nothrow);
    if (p == nullptr) {
      account.Release(bytes);
      throw std::bad_alloc();
    }
    std::memset(p, 0, bytes);
    data_ = static_cast<std::byte*>(p);
  }
  account_ = &account;
  bytes_ = bytes;
}

Block::~Block() {
  if (data_ == nullptr) return;
  if (mapped()) {
    ::munmap(data_, bytes_);
  } else {
    ::operator delete (data_, std::align_val_t{kAlign});
  }
  account_->Release(bytes_);
}

}  // namespace astrolabe::engine
