// Block: zeroed, accounted memory, given back to the system at once when it is large. Smaller ones come from the heap,
// which keeps a little: a search that is over in milliseconds would else spend half of them on page faults.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_BLOCK_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_BLOCK_H_

#include <cstddef>
#include <utility>

#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

class Block {
 public:
  static constexpr size_t kAlign = 64;

  Block() = default;
  // Throws std::bad_alloc when the account or the system refuses.
  Block(MemoryAccount& account, size_t bytes);
  Block(Block&& other) noexcept { *this = std::move(other); }
  Block& operator=(Block&& other) noexcept {
    std::swap(account_, other.account_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  bool mapped() const { return bytes_ >= kMapFrom; }
  static constexpr size_t kMapFrom = size_t{1} << 20;

  MemoryAccount* account_ = nullptr;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_BLOCK_H_
