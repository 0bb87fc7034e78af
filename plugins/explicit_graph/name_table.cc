#include "plugins/explicit_graph/name_table.h"

#include <functional>
#include <stdexcept>

namespace explicit_graph {

size_t NameTable::SlotOf(std::string_view wanted) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = std::hash<std::string_view>()(wanted) & mask;
  while (slots_[slot] != kFree && name(slots_[slot]) != wanted) slot = (slot + 1) & mask;
  return slot;
}

void NameTable::Grow() {
  slots_.assign(slots_.size() * 2, kFree);
  for (uint32_t number = 0; number < size(); ++number) slots_[SlotOf(name(number))] = number;
}

uint32_t NameTable::Add(std::string_view name) {
  const size_t slot = SlotOf(name);
  if (slots_[slot] != kFree) return slots_[slot];
  const uint32_t number = size();
  if (number >= kMaxNames || name.size() > UINT32_MAX - text_.size()) {
    throw std::length_error("the names of the nodes are above 4 GiB");
  }
  text_ += name;
  begin_.push_back(static_cast<uint32_t>(text_.size()));
  slots_[slot] = number;
  if (size() * size_t{2} > slots_.size()) Grow();
  return number;
}

std::optional<uint32_t> NameTable::Find(std::string_view name) const {
  const uint32_t number = slots_[SlotOf(name)];
  return number == kFree ? std::nullopt : std::optional<uint32_t>(number);
}

}  // namespace explicit_graph
