// Where a problem writes what it knows of a state.
#ifndef ASTROLABE_SDK_FACT_WRITER_H_
#define ASTROLABE_SDK_FACT_WRITER_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "astrolabe/abi/facts.h"
#include "astrolabe/sdk/text.h"

namespace astro {

// Valid during the call it was passed to.
class FactWriter {
 public:
  explicit FactWriter(const astro_fact_sink* sink) : sink_(sink) {}

  void Add(std::string_view name, std::string_view value) { sink_->fact(sink_->ctx, ToText(name), ToText(value)); }
  template <std::integral T>
  void Add(std::string_view name, T number) {
    Add(name, std::string_view(std::to_string(number)));
  }

 private:
  const astro_fact_sink* sink_;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_FACT_WRITER_H_
