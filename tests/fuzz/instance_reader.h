// What the fuzz targets of instance readers share: the input cut into instance and parameters, a reading that is
// checked, and text that a problem writes.
#ifndef ASTROLABE_TESTS_FUZZ_INSTANCE_READER_H_
#define ASTROLABE_TESTS_FUZZ_INSTANCE_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/text.h"
#include "tests/fuzz/demand.h"

namespace fuzz {

// The input is the instance and, behind NUL bytes, parameters.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(std::string_view(reinterpret_cast<const char*>(data), size)) {}

  // The part up to the next NUL; nullopt when there is none left. The first one is always there.
  std::optional<std::string_view> Take() {
    if (!rest_) return std::nullopt;
    const size_t cut = rest_->find('\0');
    const std::string_view part = rest_->substr(0, cut);
    rest_ = cut == rest_->npos ? std::nullopt : std::optional<std::string_view>(rest_->substr(cut + 1));
    return part;
  }

 private:
  std::optional<std::string_view> rest_;
};

// read(diagnostics) returns an optional: it is empty exactly when an error was reported, and whatever is reported has a
// message.
template <class Reader>
auto Read(const Reader& read) {
  struct Counter {
    int errors = 0;

    static void Report(void* self, const astro_diagnostic_v1* diagnostic) {
      Demand(diagnostic->message.size > 0);
      if (diagnostic->severity == ASTRO_SEVERITY_ERROR) ++static_cast<Counter*>(self)->errors;
    }
  };
  Counter counter;
  const astro_diagnostics sink = {&counter, &Counter::Report};
  const auto checked = [&] {
    astro::Diagnostics diagnostics(&sink);
    return read(diagnostics);
  };
  auto result = checked();
  Demand(result.has_value() == (counter.errors == 0));
  return result;
}

// What write(writer) writes.
template <class Write>
std::string Written(const Write& write) {
  std::string text;
  const astro_sink sink = {
      &text, [](void* to, const char* data, uint64_t size) { static_cast<std::string*>(to)->append(data, size); }};
  astro::Writer writer(&sink);
  write(writer);
  return text;
}
template <class Problem>
std::string CanonicalText(const Problem& problem) {
  return Written([&](astro::Writer& out) { problem.CanonicalText(out); });
}

// Each of 0 .. cells - 1 once.
inline void DemandPermutation(const std::vector<uint16_t>& tiles, size_t cells) {
  Demand(tiles.size() == cells);
  std::vector<bool> seen(cells);
  for (const uint16_t tile : tiles) {
    Demand(tile < cells && !seen[tile]);
    seen[tile] = true;
  }
}

}  // namespace fuzz

#endif  // ASTROLABE_TESTS_FUZZ_INSTANCE_READER_H_
