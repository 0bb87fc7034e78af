// Fuzzes the reader of TSPLIB files. The input is the instance and, behind a NUL byte, a tour. Whatever it is, either
// every fault is said with a message, or the cities are in order, and canonical text and tours read back as the same.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/tsp/problem.h"
#include "plugins/tsp/tsplib_reader.h"
#include "tests/fuzz/instance_reader.h"

namespace {

using fuzz::Demand;
using tsp::Cities;
using tsp::City;
using tsp::Tsp;

std::optional<Cities> Read(std::string_view text) {
  return fuzz::Read([&](astro::Diagnostics& diagnostics) { return tsp::ReadTsplib(text, diagnostics); });
}
std::optional<std::vector<City>> ReadTour(std::string_view text, size_t cities) {
  return fuzz::Read([&](astro::Diagnostics& diagnostics) { return tsp::ReadTour(text, cities, diagnostics); });
}

void DemandOrder(const std::vector<City>& tour, size_t cities) {
  fuzz::DemandPermutation({tour.begin(), tour.end()}, cities);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  std::optional<Cities> read = Read(*input.Take());
  if (!read) return 0;
  const size_t cities = read->points.size();
  Demand(cities >= tsp::kMinCities && cities <= tsp::kMaxCities);
  if (!read->start.empty()) DemandOrder(read->start, cities);
  const Tsp problem(*std::move(read));
  const std::string text = fuzz::CanonicalText(problem);
  std::optional<Cities> again = Read(text);
  Demand(again.has_value());
  const Tsp same(*std::move(again));
  Demand(fuzz::CanonicalText(same) == text);
  const std::optional<std::string_view> tour = input.Take();
  if (!tour) return 0;
  const std::optional<std::vector<City>> tour_read = ReadTour(*tour, cities);
  if (!tour_read) return 0;
  DemandOrder(*tour_read, cities);
  std::vector<City> state(cities);
  tsp::WriteTour(
      static_cast<uint32_t>(cities), [&](uint32_t place) { return (*tour_read)[place]; }, state.data());
  const std::string rendered = fuzz::Written([&](astro::Writer& out) { problem.RenderState(state.data(), out); });
  Demand(ReadTour(rendered, cities) == state);
  return 0;
}
