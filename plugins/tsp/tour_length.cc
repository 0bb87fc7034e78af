// tour_length: the objective of local search on travelling salesman problems.
#include <cstdint>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/tsp/tour.h"

namespace {

using tsp::City;
using tsp::Instance;
using tsp::Move;
using tsp::Tour;

class TourLength {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "tour_length",
      .summary = "the length of the tour; the objective of local search",
      .doc =
          "The sum of the distances between neighbours on the tour, the way back included. A step changes two or\n"
          "three of them, so each neighbour's length is found in constant time.",
      .objective_name = "length",
  };

  explicit TourLength(const Instance& instance) : instance_(instance) {}

  int64_t Evaluate(const Tour& tour) const {
    int64_t length = 0;
    for (uint32_t place = 0; place < tour.cities(); ++place) length += Between(tour.at(place), tour.at(place + 1));
    return length;
  }

  int64_t EvaluateMove(const Tour& tour, int64_t length, const Move& move) const {
    const uint32_t cities = tour.cities();
    const auto at = [&](uint32_t place) { return tour.at(place % cities); };
    if (move.reverses_part()) {
      const City before = at(move.a - 1);
      const City first = at(move.a);
      const City last = at(move.b);
      const City after = at(move.b + 1);
      return length - Between(before, first) - Between(last, after) + Between(before, last) + Between(first, after);
    }
    const City before = at(move.a + cities - 1);
    const City first = at(move.a);
    const City last = at(move.a + move.moved() - 1);
    const City over_first = at(move.a + move.moved());
    const City over_last = at(move.a + move.moved() + move.b - 1);
    const City after = at(move.a + move.moved() + move.b);
    const int64_t cut = Between(before, first) + Between(last, over_first) + Between(over_last, after);
    const int64_t joined = move.turned() ? Between(over_last, last) + Between(first, after)
                                         : Between(over_last, first) + Between(last, after);
    return length - cut + Between(before, over_first) + joined;
  }

 private:
  int64_t Between(City a, City b) const { return instance_.distance(a, b); }

  Instance instance_;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.tour_length", "1.0.0", astro::Heuristic<TourLength, tsp::Problem>);
