// The JSON spelling: {"neighbours": [[1,3],[0,2],..], "start": [..], "goal": [..]}, or "cells" and "edges" in place of
// the lists. A syntax error ends the reading, as nothing behind it can be trusted.
#include "astrolabe/sdk/json_reader.h"

#include <utility>

#include "plugins/graph_tile/raw_board.h"

namespace graph_tile {
namespace {

constexpr std::string_view kMembers = "cells, edges, neighbours, directed, start, goal";

class BoardReader {
 public:
  BoardReader(std::string_view text, astro::Diagnostics& diagnostics) : json_(text, "instance", diagnostics) {}

  std::optional<RawBoard> Read() {
    const bool read = json_.Object("an object, {\"neighbours\": [[..]], \"start\": [..], \"goal\": [..]}", kMembers,
                                   [&](const Word& key) { return Member(key); }) &&
                      json_.End();
    if (!read || !json_.ok()) return std::nullopt;
    return std::move(board_);
  }

 private:
  bool Member(const Word& key) {
    const std::string_view name = key.text;
    if (name == "cells") return Once(key, board_.cells) && json_.Scalar(*board_.cells, "a number of cells");
    if (name == "edges") return Once(key, board_.edges) && Edges(*board_.edges);
    if (name == "neighbours" || name == "neighbors") return Once(key, board_.lists) && Lists(*board_.lists);
    if (name == "directed") return Once(key, board_.directed) && Bool(*board_.directed);
    if (name == "start") board_.start_place = key;
    if (name == "goal") board_.goal_place = key;
    if (name == "start") return Once(key, board_.start) && Words(*board_.start, "a list of tiles, [..]");
    if (name == "goal") {
      if (!Once(key, board_.goal)) return false;
      if (json_.Peek() == '"') return json_.String(board_.goal->emplace_back());
      return Words(*board_.goal, "a list of tiles, [..]");
    }
    json_.Fault(key, "unknown member " + astro::Quoted(name), kMembers);
    return false;
  }

  template <class T>
  bool Once(const Word& key, std::optional<T>& member) {
    if (member) {
      json_.Fault(key, astro::Quoted(key.text) + " twice", "each member once");
      return false;
    }
    member.emplace();
    return true;
  }

  bool Words(std::vector<Word>& out, std::string_view what) {
    return json_.List(what, [&] { return json_.Scalar(out.emplace_back(), "a number"); });
  }
  bool Lists(std::vector<NeighbourList>& out) {
    return json_.List("a list of lists, [[..],[..]]", [&] {
      NeighbourList& list = out.emplace_back();
      list.cell = json_.Here();
      return Words(list.neighbours, "a list of neighbours, [..]");
    });
  }
  bool Edges(std::vector<std::array<Word, 2>>& out) {
    return json_.List("a list of edges, [[a, b], ..]", [&] {
      const Word begin = json_.Here();
      std::vector<Word> ends;
      if (!Words(ends, "an edge, [a, b]")) return false;
      if (ends.size() != 2) {
        json_.Fault(begin, "an edge with " + astro::Counted(ends.size(), "end"), "two cells, [a, b]");
      } else {
        out.push_back({ends[0], ends[1]});
      }
      return true;
    });
  }
  bool Bool(bool& out) {
    Word word;
    if (!json_.Scalar(word, "true or false")) return false;
    out = word.text == "true";
    if (!out && word.text != "false") {
      json_.Fault(word, astro::Quoted(word.text) + " is neither true nor false", "true or false");
    }
    return true;
  }

  astro::JsonReader json_;
  RawBoard board_;
};

}  // namespace

std::optional<RawBoard> ReadJson(std::string_view text, astro::Diagnostics& diagnostics) {
  return BoardReader(text, diagnostics).Read();
}

}  // namespace graph_tile
