#include "daemon/engine/structures/block.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace astrolabe::engine {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

Block::Block(MemoryAccount& account, size_t bytes) {
  const size_t unit = bytes >= kMapFrom ? kPage : kAlign;
  if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
  bytes = (bytes + unit - 1) / unit * unit;
  account.Charge(bytes);
  if (bytes >= kMapFrom) {
    void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
      account.Release(bytes);
      throw std::bad_alloc();
    }
    if (bytes >= kHugePage) ::madvise(p, bytes, MADV_HUGEPAGE);
    data_ = static_cast<std::byte*>(p);
  } else {
    void* p = ::operator new(bytes, std::align_val_t{kAlign}, std::nothrow);
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
    ::operator delete(data_, std::align_val_t{kAlign});
  }
  account_->Release(bytes_);
}

}  // namespace astrolabe::engine
