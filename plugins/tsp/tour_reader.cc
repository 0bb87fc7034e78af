#include "plugins/tsp/tour_reader.h"

#include <string>
#include <utility>

#include "plugins/tsp/numbers.h"

namespace tsp {

std::optional<std::vector<City>> ReadTour(const std::vector<astro::Word>& words, size_t cities, const astro::Word& end,
                                          std::string_view field, astro::Diagnostics& diagnostics) {
  const auto error = [&](const astro::Word& word) {
    return diagnostics.Error(std::string(field), word.line, word.column);
  };
  bool ok = true;
  std::vector<bool> seen(cities);
  std::vector<City> tour;
  for (const astro::Word& word : words) {
    const std::optional<int64_t> number = ReadNumber<int64_t>(word.text);
    if (!number || *number < 1 || *number > static_cast<int64_t>(cities)) {
      error(word)
          .OfKind("words that are no cities")
          .Message(astro::Quoted(word.text) + " is no city")
          .Expected("a number from 1 to " + std::to_string(cities));
      ok = false;
      continue;
    }
    const auto city = static_cast<size_t>(*number - 1);
    if (seen[city]) {
      error(word)
          .OfKind("cities that come again")
          .Message("city " + std::to_string(*number) + " comes a second time")
          .Expected("each city once");
      ok = false;
    }
    seen[city] = true;
    tour.push_back(static_cast<City>(city));
  }
  if (ok && tour.size() < cities) {
    error(end)
        .Message("a tour of " + std::to_string(tour.size()) + " of " + std::to_string(cities) + " cities")
        .Expected("each city once");
    ok = false;
  }
  if (!ok) return std::nullopt;
  return tour;
}

std::optional<std::vector<City>> ReadTour(std::string_view text, size_t cities, astro::Diagnostics& diagnostics) {
  astro::WordReader reader(text, {.separators = " \t\v\f,"});
  std::vector<astro::Word> words;
  astro::Word word;
  while (reader.Next(word)) words.push_back(word);
  return ReadTour(words, cities, word, "state", diagnostics);
}

}  // namespace tsp
