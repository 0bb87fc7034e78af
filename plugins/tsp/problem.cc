#include "plugins/tsp/problem.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "astrolabe/sdk/random.h"
#include "plugins/tsp/tour_reader.h"
#include "plugins/tsp/tsplib_reader.h"

namespace tsp {
namespace {

// The shortest text that reads back as the same number.
std::string ToText(double number) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text), number).ptr);
}

}  // namespace

std::unique_ptr<Tsp> Tsp::Parse(std::string_view text, const astro::Params&, astro::Diagnostics& diagnostics) {
  std::optional<Cities> cities = ReadTsplib(text, diagnostics);
  if (!cities) return nullptr;
  return std::make_unique<Tsp>(*std::move(cities));
}

Tsp::Tsp(Cities cities) : cities_(std::move(cities)), distances_(Distances(cities_.points)) {
  view_.struct_size = sizeof(view_);
  view_.cities = static_cast<uint32_t>(cities_.points.size());
  view_.distance = distances_.data();
  for (astro::Op op = 0; op < kKinds * view_.cities * view_.cities; ++op) {
    if (Move::Of(op, view_.cities).IsOne(view_.cities)) ops_.push_back(op);
  }
}

astro::SpaceInfo Tsp::Space() const {
  astro::SpaceInfo space;
  space.flags = ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_NO_GOAL_TEST | ASTRO_PROBLEM_SAME_OPS;
  if (cities_.start.empty()) space.flags |= ASTRO_PROBLEM_NO_START;
  space.state_size = cities() * sizeof(City);
  space.state_align = alignof(City);
  space.max_ops = std::max<uint32_t>(1, static_cast<uint32_t>(ops_.size()));  // 0 would mean "not bounded"
  return space;
}

void Tsp::InitialState(void* out) const {
  WriteTour(
      cities(), [&](uint32_t place) { return cities_.start.empty() ? static_cast<City>(place) : cities_.start[place]; },
      out);
}

uint32_t Tsp::Ops(const void*, astro::Op, astro::Op* ops, int64_t* costs) const {
  std::copy(ops_.begin(), ops_.end(), ops);
  if (costs != nullptr) std::fill_n(costs, ops_.size(), 1);
  return static_cast<uint32_t>(ops_.size());
}

bool Tsp::ApplyInPlace(void* state, astro::Op op, int64_t* cost) const {
  if (!Move::Of(op, cities()).IsOne(cities())) return false;
  std::vector<City> child(cities());
  Apply(state, op, child.data());
  std::memcpy(state, child.data(), child.size() * sizeof(City));
  *cost = 1;
  return true;
}

// Fisher and Yates's shuffle of all cities but the first, which stays. Each tour comes from two of its results.
void Tsp::RandomState(uint64_t seed, void* out) const {
  City tour[kMaxCities];
  std::iota(tour, tour + cities(), City{0});
  astro::Random random(seed);
  for (uint32_t place = cities() - 1; place > 1; --place) std::swap(tour[place], tour[1 + random.Below(place)]);
  WriteTour(
      cities(), [&](uint32_t place) { return tour[place]; }, out);
}

void Tsp::RenderState(const void* state, astro::Writer& out) const {
  const Tour tour(cities(), state);
  for (uint32_t place = 0; place < cities(); ++place) out << (place == 0 ? "" : " ") << tour.at(place) + 1;
}

bool Tsp::ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const {
  const std::optional<std::vector<City>> tour = ReadTour(text, cities(), diagnostics);
  if (!tour) return false;
  WriteTour(
      cities(), [&](uint32_t place) { return (*tour)[place]; }, out);
  return true;
}

void Tsp::RenderOp(astro::Op op, astro::Writer& out) const {
  const Move move = Move::Of(op, cities());
  if (move.reverses_part()) {
    out << "reverse:" << move.a << '-' << move.b;
  } else {
    out << (move.turned() ? "turn:" : "move:") << move.a << '-' << (move.a + move.moved() - 1) % cities() << ':'
        << move.b;
  }
}

void Tsp::CanonicalText(astro::Writer& out) const {
  out << "TYPE : TSP\nDIMENSION : " << cities() << "\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n";
  for (uint32_t city = 0; city < cities(); ++city) {
    const Point& point = cities_.points[city];
    out << city + 1 << ' ' << ToText(point.x) << ' ' << ToText(point.y) << '\n';
  }
  if (!cities_.start.empty()) {
    std::vector<City> start(cities());
    InitialState(start.data());
    out << "TOUR_SECTION\n";
    RenderState(start.data(), out);
    out << "\n-1\n";
  }
  out << "EOF\n";
}

void Tsp::Describe(astro::Writer& out) const {
  out << cities() << " cities, " << (cities_.start.empty() ? "random tours" : "from a given tour");
}

uint32_t Tsp::Solvable(astro::Writer& reason) const {
  reason << "every tour is a solution";
  return ASTRO_SOLVABLE_YES;
}

}  // namespace tsp
