// Tours for heuristics written in C++: an instance, a tour, a move. Layout and numbering as in view.h. Everything is
// inline: a heuristic links nothing of the problem. Nothing here throws or allocates; any thread may call it.
#ifndef ASTROLABE_TSP_TOUR_H_
#define ASTROLABE_TSP_TOUR_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "astrolabe/abi/types.h"
#include "astrolabe/tsp/view.h"

namespace tsp {

using City = uint16_t;

// The cities and their distances. Cheap to copy; lives as long as the problem.
class Instance {
 public:
  explicit Instance(const tsp_view_v1* view) : view_(view) {}

  uint32_t cities() const { return view_->cities; }
  int64_t distance(City a, City b) const { return view_->distance[size_t{a} * view_->cities + b]; }

 private:
  const tsp_view_v1* view_;
};

// A state, read-only. A view: valid during the call it was passed to.
class Tour {
 public:
  Tour(uint32_t cities, const void* state) : cities_(cities), city_(static_cast<const City*>(state)) {}

  uint32_t cities() const { return cities_; }
  // The city at a place below 2 * cities(): places go round.
  City at(uint32_t place) const { return city_[place < cities_ ? place : place - cities_]; }

 private:
  uint32_t cities_;
  const City* city_;
};

inline constexpr uint32_t kMaxMoved = 3;               // places that Or-opt moves at once (Or 1976)
inline constexpr uint32_t kKinds = 2 * kMaxMoved + 1;  // the first one turns a part of any length round (Croes 1958)

// A tour with some of its places turned round, or moved further. Three cuts make three parts: the one that is moved,
// the `b` places it is moved over, and the rest.
struct Move {
  uint32_t kind;
  uint32_t a;
  uint32_t b;

  static Move Of(astro_op op, uint32_t cities) { return {op / cities / cities, op / cities % cities, op % cities}; }
  astro_op ToOp(uint32_t cities) const { return (kind * cities + a) * cities + b; }

  bool reverses_part() const { return kind == 0; }
  uint32_t moved() const { return (kind + 1) / 2; }  // places
  bool turned() const { return kind % 2 == 0; }

  // One of the moves that a tour of so many cities has. Those that lead to the tour itself are none, and of those that
  // lead to the same tour one is.
  bool IsOne(uint32_t cities) const {
    if (kind >= kKinds || a >= cities || b >= cities) return false;
    if (reverses_part()) return a >= 1 && b > a && b - a + 1 <= cities - 2;
    const uint32_t part = moved();
    if (b == 0 || part + b >= cities) return false;
    const uint32_t rest = cities - part - b;
    // Turned round, and moved over a single place or all but one: a part is turned round, as above.
    if (turned()) return part >= 2 && b >= 2 && rest >= 2;
    // Two parts of one place: the two turn round, as above. Else any two of the three parts that change places give
    // the same tour: the shortest is moved, the first of equals.
    if (part == 1 && (b == 1 || rest == 1)) return false;
    const uint32_t over_begin = (a + part) % cities;
    const uint32_t rest_begin = (a + part + b) % cities;
    return (part < b || (part == b && a < over_begin)) && (part < rest || (part == rest && a < rest_begin));
  }
};

// The tour after a move, city by city from some place on, some way round.
class MovedTour {
 public:
  MovedTour(const Tour& tour, const Move& move) : tour_(tour), move_(move) {}

  City at(uint32_t place) const {
    const uint32_t cities = tour_.cities();
    if (move_.reverses_part()) return tour_.at(place < move_.a || place > move_.b ? place : move_.a + move_.b - place);
    const uint32_t part = move_.moved();
    if (place < move_.b) return Around(move_.a + part + place);
    if (place >= move_.b + part) return Around(move_.a + place);
    const uint32_t within = place - move_.b;
    return Around(move_.a + (move_.turned() ? part - 1 - within : within) % cities);
  }

 private:
  City Around(uint32_t place) const { return tour_.at(place % tour_.cities()); }

  Tour tour_;
  Move move_;
};

// Writes the state of the tour that goes at(0), at(1), .. at(cities - 1) and back. `out` is no part of what `at` reads.
template <class At>
void WriteTour(uint32_t cities, const At& at, void* out) {
  City* city = static_cast<City*>(out);
  uint32_t begin = 0;
  while (at(begin) != 0) ++begin;
  const bool backwards = at((begin + 1) % cities) > at((begin + cities - 1) % cities);
  for (uint32_t place = 0; place < cities; ++place) {
    city[place] = at((begin + (backwards ? cities - place : place)) % cities);
  }
}

// The tag to name in ASTRO_PLUGIN: astro::Heuristic<MyHeuristic, tsp::Problem>.
struct Problem {
  static constexpr std::string_view kProblemId = "tsp";
  static constexpr std::string_view kStateLayout = TSP_LAYOUT;
  using Instance = tsp::Instance;
  using State = Tour;
  using Move = tsp::Move;

  static Instance MakeInstance(const void* view) { return Instance(static_cast<const tsp_view_v1*>(view)); }
  static size_t StateSize(const Instance& instance) { return instance.cities() * sizeof(City); }
  static Move MakeMove(const Instance& instance, astro_op op) { return Move::Of(op, instance.cities()); }
  static void Child(const Instance& instance, const void* state, astro_op op, void* out) {
    const MovedTour moved(Tour(instance.cities(), state), MakeMove(instance, op));
    WriteTour(
        instance.cities(), [&](uint32_t place) { return moved.at(place); }, out);
  }
  template <class F>
  [[gnu::always_inline]] static int64_t Visit(const Instance& instance, const void* state, F&& f) {
    return f(Tour(instance.cities(), state));
  }
};

}  // namespace tsp

#endif  // ASTROLABE_TSP_TOUR_H_
