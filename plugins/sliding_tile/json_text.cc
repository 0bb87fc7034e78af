// The JSON spelling of an instance: [[1,2,3],[4,0,6],[7,5,8]] or {"start": [[..]], "goal": [[..]]}.
#include "astrolabe/sdk/json_reader.h"
#include "plugins/sliding_tile/foreign_text.h"
#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {
namespace {

class JsonCutter {
 public:
  JsonCutter(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics)
      : json_(text, field, diagnostics) {}

  std::optional<Sections> Cut() {
    const bool read = (json_.Peek() == '{' ? Object() : Board(sections_.start)) && json_.End();
    if (!read || !json_.ok()) return std::nullopt;
    return std::move(sections_);
  }

 private:
  bool Board(Section& section) {
    section.has_header = false;
    section.line = json_.Here().line;
    return json_.List("a list of rows, [[..],[..]]", [&] {
      Row row;
      const Token begin = json_.Here();
      if (!json_.List("a row, [..]", [&] { return json_.Scalar(row.emplace_back(), "a tile number"); })) return false;
      if (row.empty()) {
        json_.Fault(begin, "an empty row", "the tiles of a row");
      } else {
        section.rows.push_back(std::move(row));
      }
      return true;
    });
  }

  bool Object() {
    bool has_start = false;
    const auto member = [&](const Token& key) { return Member(key, has_start); };
    if (!json_.Object("an object", "\"start\" or \"goal\"", member)) return false;
    if (!has_start) json_.Fault(json_.Here(), "no \"start\"", "{\"start\": [[..]], \"goal\": [[..]]}");
    return true;
  }

  bool Member(const Token& key, bool& has_start) {
    if (key.text == "start") {
      if (has_start) json_.Fault(key, "\"start\" twice", "one start");
      has_start = true;
      sections_.start = Section();
      return Board(sections_.start);
    }
    if (key.text == "goal") {
      if (sections_.goal || sections_.goal_name) json_.Fault(key, "\"goal\" twice", "one goal");
      if (json_.Peek() == '"') return json_.String(sections_.goal_name.emplace());
      return Board(sections_.goal.emplace());
    }
    json_.Fault(key, "unknown member " + Quoted(key.text), "start and goal", HintOfMember(key.text));
    return false;
  }

  astro::JsonReader json_;
  Sections sections_;
};

}  // namespace

std::optional<Sections> CutJson(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics) {
  return JsonCutter(text, field, diagnostics).Cut();
}

}  // namespace sliding_tile
