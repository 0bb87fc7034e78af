// Which plugin an instruction belongs to: a table of the loaded plugins' code, readable from a signal
// handler, so that a crash in a hot call is blamed on the right library without marking every call.
#ifndef ASTROLABE_DAEMON_WORKER_CODE_MAP_H_
#define ASTROLABE_DAEMON_WORKER_CODE_MAP_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace astrolabe::worker {

struct CodeRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// What tells where in which build a plugin was: with both, `addr2line -e plugin.so OFFSET` gives the line.
struct CodeOrigin {
  uintptr_t base = 0;    // where the file's address 0 lies
  std::string build_id;  // GNU build-id, hexadecimal; empty: the library has none
};

class CodeMap {
 public:
  static constexpr size_t kMaxRanges = 512;
  static constexpr size_t kMaxName = 96;
  static constexpr size_t kMaxBuildId = 41;  // of 20 bytes, and NUL

  struct Entry {
    CodeRange range;
    uintptr_t base = 0;
    char name[kMaxName] = {};
    char build_id[kMaxBuildId] = {};
  };

  // Not thread-safe against itself. Ranges beyond the table's room are forgotten.
  void Add(std::string_view plugin, CodeRange range, const CodeOrigin& origin = {});

  // Async-signal-safe. NUL-terminated and immortal; null when no plugin has this address.
  const char* Find(uintptr_t address) const noexcept {
    const Entry* entry = FindEntry(address);
    return entry != nullptr ? entry->name : nullptr;
  }
  // The same, with all that is known.
  const Entry* FindEntry(uintptr_t address) const noexcept;

  // Async-signal-safe. The first word in [low, high) that points into a plugin: most likely the return
  // address of the innermost plugin frame. The whole range must be readable.
  const char* FindOnStack(uintptr_t low, uintptr_t high) const noexcept;

 private:
  std::array<Entry, kMaxRanges> entries_;
  std::atomic<size_t> count_{0};
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_CODE_MAP_H_
