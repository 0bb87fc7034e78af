// Names of nodes, numbered as they come.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NAME_TABLE_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NAME_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explicit_graph {

// All names in one text, and a hash table of numbers: no allocation a name.
class NameTable {
 public:
  // Numbers stop below this, texts at 4 GiB: both are 32 bits wide.
  static constexpr uint32_t kMaxNames = UINT32_MAX - 1;

  NameTable() : begin_{0}, slots_(kFirstSlots, kFree) {}

  // The number of `name`, a new one if it has none. Throws std::length_error when there are too many.
  uint32_t Add(std::string_view name);
  std::optional<uint32_t> Find(std::string_view name) const;

  uint32_t size() const { return static_cast<uint32_t>(begin_.size() - 1); }
  std::string_view name(uint32_t number) const {
    return std::string_view(text_).substr(begin_[number], begin_[number + 1] - begin_[number]);
  }
  const char* text() const { return text_.data(); }
  const uint32_t* begin() const { return begin_.data(); }

 private:
  static constexpr size_t kFirstSlots = 64;  // a power of two, as always
  static constexpr uint32_t kFree = UINT32_MAX;

  // The slot of `name`, or the free one where it belongs.
  size_t SlotOf(std::string_view name) const;
  void Grow();

  std::string text_;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> slots_;
};

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_NAME_TABLE_H_
