// FreeValues: the values that no variable has.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_FREE_VALUES_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_FREE_VALUES_H_

#include <cstdint>
#include <vector>

#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {

// Values are below 2^31 - 1. All calls but Reset take constant time.
class FreeValues {
 public:
  explicit FreeValues(MemoryAccount& memory)
      : slots_(AccountedAllocator<uint32_t>(memory)), free_(AccountedAllocator<uint32_t>(memory)) {}

  // Variable v has the value value_of(v). Throws std::bad_alloc.
  template <typename ValueOf>
  void Reset(uint32_t variables, uint32_t values, ValueOf value_of) {
    slots_.assign(values, 0);
    for (uint32_t v = 0; v < variables; ++v) ++slots_[value_of(v)];
    free_.clear();
    for (uint32_t value = 0; value < values; ++value) {
      if (slots_[value] == 0) Add(value);
    }
    free_.reserve(free_.size() + 1);  // Move needs no more
  }

  bool empty() const { return free_.empty(); }
  // Precondition: not empty.
  uint32_t Any(Random& random) const { return free_[random.Below(free_.size())]; }

  // A variable has the value `to` in the place of `from`.
  void Move(uint32_t from, uint32_t to) {
    if ((slots_[to] & kFree) != 0) Remove(to);
    ++slots_[to];
    if (--slots_[from] == 0) Add(from);
  }

 private:
  static constexpr uint32_t kFree = 1u << 31;

  void Add(uint32_t value) {
    slots_[value] = kFree | static_cast<uint32_t>(free_.size());
    free_.push_back(value);
  }
  void Remove(uint32_t value) {
    const uint32_t at = slots_[value] & ~kFree;
    const uint32_t last = free_.back();
    free_[at] = last;
    slots_[last] = kFree | at;
    free_.pop_back();
    slots_[value] = 0;
  }

  using Numbers = std::vector<uint32_t, AccountedAllocator<uint32_t>>;
  Numbers slots_;  // of a value: how many variables have it, or, if none, kFree and its place in free_
  Numbers free_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_FREE_VALUES_H_
