// Bounded access to the tables of an ELF64 file.
#ifndef ASTROLABE_DAEMON_REGISTRY_ELF_READER_H_
#define ASTROLABE_DAEMON_REGISTRY_ELF_READER_H_

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace astrolabe::registry {

class ElfReader {
 public:
  explicit ElfReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t size() const { return bytes_.size(); }
  bool Inside(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  // Nothing when it lies outside.
  std::optional<std::string_view> Range(uint64_t offset, uint64_t size) const {
    if (!Inside(offset, size)) return std::nullopt;
    return bytes_.substr(offset, size);
  }
  // A copy: the file need not be aligned.
  template <typename T>
  std::optional<T> Read(uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!Inside(offset, sizeof(T))) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

 private:
  std::string_view bytes_;
};

// The NUL-terminated text at `offset` of a string table; nothing when it does not end inside.
inline std::optional<std::string_view> StringAt(std::string_view table, uint64_t offset) {
  if (offset >= table.size()) return std::nullopt;
  const size_t end = table.find('\0', offset);
  if (end == std::string_view::npos) return std::nullopt;
  return table.substr(offset, end - offset);
}

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_ELF_READER_H_
