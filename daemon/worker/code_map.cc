#include "daemon/worker/code_map.h"

#include <algorithm>
#include <cstring>

namespace astrolabe::worker {

void CodeMap::Add(std::string_view plugin, CodeRange range, const CodeOrigin& origin) {
  const size_t index = count_.load(std::memory_order_relaxed);
  if (index >= kMaxRanges) return;
  Entry& entry = entries_[index];
  entry.range = range;
  const size_t size = std::min(plugin.size(), kMaxName - 1);
  std::memcpy(entry.name, plugin.data(), size);
  entry.name[size] = '\0';
  entry.base = origin.base;
  entry.build_id[origin.build_id.copy(entry.build_id, kMaxBuildId - 1)] = '\0';
  count_.store(index + 1, std::memory_order_release);
}

const CodeMap::Entry* CodeMap::FindEntry(uintptr_t address) const noexcept {
  const size_t count = count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) {
    if (address >= entries_[i].range.begin && address < entries_[i].range.end) return &entries_[i];
  }
  return nullptr;
}

__attribute__((no_sanitize_address))  // reads the stack raw, red zones included
const char*
CodeMap::FindOnStack(uintptr_t low, uintptr_t high) const noexcept {
  low = (low + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);
  for (uintptr_t at = low; at + sizeof(uintptr_t) <= high; at += sizeof(uintptr_t)) {
    if (const char* plugin = Find(*reinterpret_cast<const uintptr_t*>(at))) return plugin;
  }
  return nullptr;
}

}  // namespace astrolabe::worker
