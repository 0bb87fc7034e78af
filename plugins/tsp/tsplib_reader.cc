#include "plugins/tsp/tsplib_reader.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/sdk/words.h"
#include "plugins/tsp/numbers.h"
#include "plugins/tsp/tour_reader.h"

namespace tsp {
namespace {

using astro::Word;

constexpr std::string_view kKeywords =
    "NAME, TYPE, COMMENT, DIMENSION, EDGE_WEIGHT_TYPE, NODE_COORD_TYPE, DISPLAY_DATA_TYPE, NODE_COORD_SECTION, "
    "TOUR_SECTION, EOF";

class Reader {
 public:
  explicit Reader(astro::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<Cities> Read(std::string_view text) {
    astro::WordReader words(text, {.alone = ":"});
    std::vector<Word> line;
    Word word;
    while (words.Next(word)) {
      if (!line.empty() && word.line != line.front().line) {
        Line(line);
        line.clear();
      }
      line.push_back(word);
    }
    if (line.empty()) {
      diagnostics_.Error("instance").Message("the instance is empty").Expected("a TSPLIB file, EUC_2D");
      return std::nullopt;
    }
    Line(line);
    last_ = line.front();
    Finish();
    if (diagnostics_.errors() > 0) return std::nullopt;
    return std::move(cities_);
  }

 private:
  enum class Section { kNone, kCoordinates, kTour, kEnd };

  static bool BeginsWithLetter(const Word& word) {
    const char c = word.text.front();
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  void Line(const std::vector<Word>& line) {
    if (section_ == Section::kEnd) {
      if (!after_end_) Error(line.front()).Message("text after EOF").Expected("nothing more");
      after_end_ = true;
    } else if (BeginsWithLetter(line.front())) {
      Keyword(line);
    } else if (section_ == Section::kCoordinates) {
      Coordinates(line);
    } else if (section_ == Section::kTour) {
      for (const Word& word : line) tour_.push_back(word);
    } else {
      Error(line.front())
          .OfKind("lines that begin with no keyword")
          .Message(astro::Quoted(line.front().text) + " begins no line of a TSPLIB file")
          .Expected("a keyword: " + std::string(kKeywords));
    }
  }

  void Keyword(const std::vector<Word>& line) {
    const Word& key = line.front();
    const bool colon = line.size() > 1 && line[1].text == ":";
    const size_t first_value = colon ? 2 : 1;
    // Data may begin on the line of its keyword.
    const std::vector<Word> rest(line.begin() + static_cast<ptrdiff_t>(std::min(first_value, line.size())), line.end());
    section_ = Section::kNone;
    if (key.text == "NAME" || key.text == "COMMENT" || key.text == "DISPLAY_DATA_TYPE") return;
    if (key.text == "NODE_COORD_SECTION") {
      section_ = Section::kCoordinates;
      if (coordinates_) Twice(key);
      coordinates_ = key;
      if (!rest.empty()) Coordinates(rest);
    } else if (key.text == "TOUR_SECTION") {
      section_ = Section::kTour;
      if (tour_begin_) Twice(key);
      tour_begin_ = key;
      tour_.insert(tour_.end(), rest.begin(), rest.end());
    } else if (key.text == "EOF") {
      section_ = Section::kEnd;
      if (!rest.empty()) Line(rest);
    } else if (!IsKnown(key)) {
      Unknown(key, " is not supported");
    } else if (rest.empty()) {
      Unknown(key, " has no value");
    } else if (key.text == "TYPE") {
      Value(key, rest.front(), "TSP", "symmetric problems alone");
    } else if (key.text == "EDGE_WEIGHT_TYPE") {
      if (weight_type_) Twice(key);
      weight_type_ = key;
      Value(key, rest.front(), "EUC_2D", "distances between points of the plane, rounded to whole numbers");
      if (rest.size() > 1) MoreThanOne(key, rest[1]);
    } else if (key.text == "NODE_COORD_TYPE") {
      Value(key, rest.front(), "TWOD_COORDS", "points of the plane");
      if (rest.size() > 1) MoreThanOne(key, rest[1]);
    } else {
      Dimension(key, rest.front());
      if (rest.size() > 1) MoreThanOne(key, rest[1]);
    }
  }
  // Of the keywords with a value.
  static bool IsKnown(const Word& key) {
    return key.text == "TYPE" || key.text == "EDGE_WEIGHT_TYPE" || key.text == "NODE_COORD_TYPE" ||
           key.text == "DIMENSION";
  }
  void Unknown(const Word& key, const std::string& what) {
    Error(key)
        .OfKind("keywords that are not supported")
        .Message(astro::Printable(key.text) + what)
        .Expected(std::string(kKeywords));
  }
  void Value(const Word& key, const Word& value, const std::string& supported, const std::string& hint) {
    if (value.text == supported) return;
    Error(value)
        .Message(astro::Printable(key.text) + " " + astro::Quoted(value.text) + " is not supported")
        .Expected(supported)
        .Hint(hint);
  }
  void MoreThanOne(const Word& key, const Word& second) {
    Error(second)
        .Message("a second value, " + astro::Quoted(second.text) + ", for " + astro::Printable(key.text))
        .Expected("one value");
  }
  void Twice(const Word& key) { Error(key).Message(astro::Printable(key.text) + " twice").Expected("it once"); }

  void Dimension(const Word& key, const Word& value) {
    if (dimension_) Twice(key);
    dimension_ = ReadNumber<int64_t>(value.text);
    if (dimension_ && *dimension_ >= kMinCities && *dimension_ <= kMaxCities) return;
    Error(value)
        .Message(dimension_ ? std::to_string(*dimension_) + (*dimension_ == 1 ? " city" : " cities")
                            : astro::Quoted(value.text) + std::string(WhyNoNumber<int64_t>(value.text)))
        .Expected("a number of cities from " + std::to_string(kMinCities) + " to " + std::to_string(kMaxCities));
    dimension_ = 0;  // known to be wrong: nothing more is said of it
  }

  void Coordinates(const std::vector<Word>& line) {
    if (line.size() != 3) {
      Error(line.front())
          .OfKind("lines that are no city")
          .Message("a city has a number and two coordinates")
          .Expected("three numbers, as in 1 565.0 575.0");
      return;
    }
    const std::optional<int64_t> number = ReadNumber<int64_t>(line[0].text);
    const std::optional<double> x = Coordinate(line[1]);
    const std::optional<double> y = Coordinate(line[2]);
    if (!number) {
      Error(line[0])
          .OfKind("words that are no city numbers")
          .Message(astro::Quoted(line[0].text) + " is no city number")
          .Expected("a whole number from 1");
    }
    if (number && x && y) listed_.push_back({line[0], *number, {*x, *y}});
  }
  std::optional<double> Coordinate(const Word& word) {
    const std::optional<double> number = ReadNumber<double>(word.text);
    if (number && std::abs(*number) <= kMaxCoordinate) return number;
    const bool is_number = number && !std::isnan(*number);
    const std::string fault(is_number ? " is too far away" : number ? " is no number" : WhyNoNumber<double>(word.text));
    Error(word)
        .OfKind("words that are no coordinates")
        .Message(astro::Quoted(word.text) + fault)
        .Expected("a coordinate from -100000000 to 100000000");
    return std::nullopt;
  }

  void Finish() {
    if (!weight_type_) Missing("EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_TYPE : EUC_2D");
    if (!dimension_) Missing("DIMENSION", "DIMENSION : and the number of cities");
    if (!coordinates_) Missing("NODE_COORD_SECTION", "NODE_COORD_SECTION and a line for each city");
    if (diagnostics_.errors() > 0) return;
    const auto cities = static_cast<size_t>(*dimension_);
    cities_.points.resize(cities);
    std::vector<bool> seen(cities);
    for (const Listed& city : listed_) {
      if (city.number < 1 || city.number > *dimension_) {
        Error(city.place)
            .OfKind("cities that there are not")
            .Message("city " + std::to_string(city.number) + " of " + std::to_string(cities))
            .Expected("numbers from 1 to the DIMENSION");
        continue;
      }
      const auto index = static_cast<size_t>(city.number - 1);
      if (seen[index]) {
        Error(city.place)
            .OfKind("cities that come again")
            .Message("city " + std::to_string(city.number) + " comes a second time")
            .Expected("each number once");
      }
      seen[index] = true;
      cities_.points[index] = city.point;
    }
    if (diagnostics_.errors() == 0 && listed_.size() < cities) {
      Error(*coordinates_)
          .Message(std::to_string(listed_.size()) + " cities, and DIMENSION says " + std::to_string(cities))
          .Expected("a line for each city");
    }
    if (tour_begin_ && diagnostics_.errors() == 0) FinishTour(cities);
  }
  // TSPLIB ends a tour with -1, and a list of tours with another one.
  void FinishTour(size_t cities) {
    for (int i = 0; i < 2 && !tour_.empty() && tour_.back().text == "-1"; ++i) tour_.pop_back();
    if (auto tour = ReadTour(tour_, cities, *tour_begin_, "instance", diagnostics_)) cities_.start = *std::move(tour);
  }
  void Missing(const std::string& what, const std::string& expected) {
    diagnostics_.Error("instance", last_.line, last_.column).Message("there is no " + what).Expected(expected);
  }

  astro::Diagnostic Error(const Word& word) { return diagnostics_.Error("instance", word.line, word.column); }

  struct Listed {
    Word place;
    int64_t number;
    Point point;
  };

  astro::Diagnostics& diagnostics_;
  Section section_ = Section::kNone;
  bool after_end_ = false;
  Word last_;
  std::optional<Word> weight_type_;
  std::optional<int64_t> dimension_;
  std::optional<Word> coordinates_;
  std::vector<Listed> listed_;
  std::optional<Word> tour_begin_;
  std::vector<Word> tour_;
  Cities cities_;
};

}  // namespace

std::optional<Cities> ReadTsplib(std::string_view text, astro::Diagnostics& diagnostics) {
  return Reader(diagnostics).Read(text);
}

}  // namespace tsp
