#include "plugins/graph_tile/board_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include "astrolabe/sdk/json_reader.h"
#include "plugins/graph_tile/raw_board.h"

namespace graph_tile {
namespace {

std::string Number(int64_t number) { return std::to_string(number); }

std::optional<int> ToNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool IsBlank(std::string_view text) { return text == "_" || text == "."; }

// Cells and their neighbours.
class ArcReader {
 public:
  ArcReader(const RawBoard& raw, bool symmetric, astro::Diagnostics& diagnostics)
      : raw_(raw), symmetric_(symmetric), diagnostics_(diagnostics) {}

  // Null when there was a fault.
  std::shared_ptr<const Arcs> Read() {
    const uint64_t before = diagnostics_.errors();
    const std::optional<int> cells = CountCells();
    if (!cells) return nullptr;
    cells_ = *cells;
    if (raw_.lists) TakeLists();
    if (raw_.edges) TakeEdges();
    if (diagnostics_.errors() > before) return nullptr;
    std::vector<Arc> arcs;
    for (const Written& written : written_) arcs.push_back(written.arc);
    auto made = std::make_shared<const Arcs>(Arcs::Make(cells_, std::move(arcs)));
    if (symmetric_) CheckSymmetric(*made);
    if (diagnostics_.errors() > before) return nullptr;
    TellIgnored();
    return made;
  }

 private:
  struct Written {
    Arc arc;
    Word word;
  };

  // Null: reported.
  std::optional<int> CountCells() {
    int cells = 0;
    Word at = {{}, 1, 1};
    if (raw_.lists && raw_.edges) {
      Fault(at, "both neighbours and edges", "one of them", "");
      return std::nullopt;
    }
    if (!raw_.lists && !raw_.edges) {
      Fault(at, "no cells", "a list of neighbours for each cell, '0: 1 3'", "");
      return std::nullopt;
    }
    if (raw_.cells) {
      at = *raw_.cells;
      const std::optional<int> number = ToNumber(at.text);
      if (!number) {
        Fault(at, astro::Quoted(at.text) + " is not a number of cells",
              "how many cells there are, " + Number(kMinCells) + ".." + Number(kMaxCells), "");
        return std::nullopt;
      }
      cells = *number;
    } else if (raw_.lists) {
      cells = static_cast<int>(std::min<size_t>(raw_.lists->size(), kMaxCells + 1));
    } else {
      Fault(at, "no number of cells", "\"cells\": N beside the edges", "");
      return std::nullopt;
    }
    if (cells < kMinCells || cells > kMaxCells) {
      const bool many = cells > kMaxCells;
      Fault(at, many && !raw_.cells ? "more than " + Number(kMaxCells) + " cells" : astro::Counted(cells, "cell"),
            Number(kMinCells) + ".." + Number(kMaxCells) + " cells",
            many ? "large boards of rows and columns belong to the problem sliding_tile" : "");
      return std::nullopt;
    }
    return cells;
  }

  std::optional<uint16_t> Cell(const Word& word) {
    const std::optional<int> number = ToNumber(word.text);
    if (number && *number >= 0 && *number < cells_) return static_cast<uint16_t>(*number);
    const std::string expected = "a cell from 0 to " + Number(cells_ - 1);
    if (number) {
      Fault(word, "cell " + Number(*number) + " does not exist", expected, HintOfMissing(*number));
    } else {
      const bool name = !word.text.empty() && std::isalpha(static_cast<unsigned char>(word.text[0])) != 0;
      Fault(word, astro::Quoted(word.text) + " is not a cell", expected,
            name ? "words that begin a line are start, goal, cells and directed" : "");
    }
    return std::nullopt;
  }

  // Where the number of cells is that of the lists, a list that is not there makes its cell unknown.
  std::string HintOfMissing(int number) const {
    if (number < 0) return "cells are numbered from 0";
    if (!raw_.cells && raw_.lists) {
      return "there is a cell for each list, here " + Number(cells_) + ", numbered from 0: give cell " +
             Number(number) + " a list, or put the number right";
    }
    return number == cells_ ? "cells are numbered from 0" : "";
  }

  void TakeLists() {
    const std::vector<NeighbourList>& lists = *raw_.lists;
    std::vector<bool> seen(cells_, false);
    bool all_known = true;  // the cell of each list is, and has no other one
    for (size_t i = 0; i < lists.size(); ++i) {
      const Word& at = lists[i].cell;
      std::optional<uint16_t> from;
      if (!at.text.empty()) {
        from = Cell(at);
      } else if (i < seen.size()) {
        from = static_cast<uint16_t>(i);
      } else {
        Fault(at, "list " + Number(static_cast<int64_t>(i)) + " is for a cell that does not exist",
              Number(cells_) + " lists", "");
      }
      if (from && seen[*from]) Fault(at, "cell " + Number(*from) + " has two lists", "one list for each cell", "");
      all_known = all_known && from && !seen[*from];
      if (from) seen[*from] = true;
      for (const Word& word : lists[i].neighbours) {
        const std::optional<uint16_t> to = Cell(word);
        if (from && to) Take(*from, *to, word);
      }
    }
    // A list whose cell is wrong is that of a cell that has none: one slip, told once.
    if (!all_known) return;
    const Word at = raw_.cells ? *raw_.cells : Word{{}, 0, 0};
    for (int cell = 0; cell < cells_; ++cell) {
      if (seen[cell]) continue;
      Fault(at, "no list for cell " + Number(cell), "one list for each of the " + Number(cells_) + " cells",
            "a cell without neighbours has an empty list");
    }
  }

  void TakeEdges() {
    const bool directed = raw_.directed.value_or(false);
    for (const auto& edge : *raw_.edges) {
      const std::optional<uint16_t> from = Cell(edge[0]);
      const std::optional<uint16_t> to = Cell(edge[1]);
      if (!from || !to) continue;
      const bool taken = Take(*from, *to, edge[0]);
      if (taken && !directed) Take(*to, *from, edge[0]);
    }
  }

  // False: ignored.
  bool Take(uint16_t from, uint16_t to, const Word& word) {
    if (from == to) {
      if (loops_++ == 0) first_loop_ = word;
      return false;
    }
    const size_t key = static_cast<size_t>(from) * cells_ + to;
    if (met_.empty()) met_.resize(static_cast<size_t>(cells_) * cells_);
    if (met_[key]) {
      if (repeats_++ == 0) first_repeat_ = word;
      return false;
    }
    met_[key] = true;
    written_.push_back({{from, to}, word});
    return true;
  }

  void CheckSymmetric(const Arcs& arcs) {
    for (const Written& written : written_) {
      const auto [from, to] = written.arc;
      if (arcs.Find(to, from) != Arcs::kNone) continue;
      Fault(written.word,
            "not symmetric: cell " + Number(from) + " has the neighbour " + Number(to) + ", but cell " + Number(to) +
                " has not the neighbour " + Number(from),
            "neighbours that name each other",
            "add " + Number(from) + " to the list of cell " + Number(to) +
                ", or turn the parameter symmetric off (--symmetric=off): then the blank may go from " + Number(from) +
                " to " + Number(to) + " and not back");
    }
  }

  void TellIgnored() {
    if (loops_ == 0 && repeats_ == 0) return;
    const Word& at = loops_ > 0 ? first_loop_ : first_repeat_;
    std::string what;
    if (loops_ > 0) what = astro::Counted(loops_, "self-loop");
    if (loops_ > 0 && repeats_ > 0) what += " and ";
    if (repeats_ > 0) what += astro::Counted(repeats_, "repeated edge");
    diagnostics_.Note("instance", at.line, at.column).Message(what + " ignored: they make no move");
  }

  void Fault(const Word& at, std::string message, std::string expected, std::string hint) {
    diagnostics_.Error("instance", at.line, at.column)
        .Message(std::move(message))
        .Expected(std::move(expected))
        .Hint(std::move(hint));
  }

  const RawBoard& raw_;
  const bool symmetric_;
  astro::Diagnostics& diagnostics_;
  int cells_ = 0;
  std::vector<Written> written_;
  std::vector<bool> met_;  // from * cells + to
  int64_t loops_ = 0;
  int64_t repeats_ = 0;
  Word first_loop_;
  Word first_repeat_;
};

// Where the words of a board came from, for messages.
struct Source {
  std::string_view field;
  std::string_view name;  // "start", "goal", "the state"
  Word place = {};        // for what is wrong with no word
};

std::optional<Tiles> ToTiles(const std::vector<Word>& words, int cells, const Source& source,
                             astro::Diagnostics& diagnostics) {
  const uint64_t before = diagnostics.errors();
  const std::string expected =
      "each number from 0 to " + Number(cells - 1) + " once, the blank is 0; one for each cell";
  const Word first = words.empty() ? source.place : words.front();
  const auto fault = [&](const Word& at, std::string message) {
    diagnostics.Error(std::string(source.field), at.line, at.column).Message(std::move(message)).Expected(expected);
  };
  if (words.size() != static_cast<size_t>(cells)) {
    fault(first,
          std::string(source.name) + " has " + astro::Counted(words.size(), "tile") + ", expected " + Number(cells));
  }
  // What would be right on a board of that many cells is wrong only because they are too many.
  const int largest = std::max(cells, static_cast<int>(std::min<size_t>(words.size(), kMaxCells)));
  bool all_numbers = true;
  Tiles tiles;
  std::vector<bool> seen(cells, false);
  for (const Word& word : words) {
    const std::optional<int> number = IsBlank(word.text) ? std::optional<int>(0) : ToNumber(word.text);
    if (!number) {
      all_numbers = false;
      fault(word, astro::Quoted(word.text) + " is not a tile");
    } else if (*number < 0 || *number >= cells) {
      if (*number < 0 || *number >= largest) fault(word, Number(*number) + " out of range");
    } else if (seen[*number]) {
      fault(word, Number(*number) + " twice");
    } else {
      seen[*number] = true;
      tiles.push_back(static_cast<uint16_t>(*number));
    }
  }
  // A word that is no tile may stand for the blank, and one that is not there may be it.
  if (!seen[0] && all_numbers && words.size() >= static_cast<size_t>(cells))
    fault(first, "no blank in " + std::string(source.name));
  if (diagnostics.errors() > before) return std::nullopt;
  return tiles;
}

std::optional<Tiles> ReadGoal(const RawBoard& raw, const ReadOptions& options, int cells,
                              astro::Diagnostics& diagnostics) {
  if (!options.goal && !raw.goal) return tiles::BlankLast(cells);
  const std::vector<Word> words = options.goal ? CutWords(*options.goal) : *raw.goal;
  if (words.size() == 1) {
    if (std::optional<Tiles> named = tiles::NamedGoal(words[0].text, cells)) return named;
  }
  if (options.goal) return ToTiles(words, cells, {"params.goal", "the goal"}, diagnostics);
  return ToTiles(words, cells, {"instance", "the goal", raw.goal_place}, diagnostics);
}

std::optional<Tiles> ReadStart(const RawBoard& raw, const ReadOptions& options, int cells,
                               astro::Diagnostics& diagnostics) {
  if (options.start) return ReadTiles(*options.start, cells, "params.start", diagnostics);
  if (raw.start) return ToTiles(*raw.start, cells, {"instance", "the start", raw.start_place}, diagnostics);
  diagnostics.Error("instance")
      .Message("no start")
      .Expected("start and the tile of each cell")
      .Hint("it can also be given by the parameter start");
  return std::nullopt;
}

}  // namespace

std::optional<Tiles> ReadTiles(std::string_view text, int cells, std::string_view field,
                               astro::Diagnostics& diagnostics) {
  return ToTiles(CutWords(text), cells, {field, field == "state" ? "the state" : "the start"}, diagnostics);
}

std::optional<Puzzle> ReadPuzzle(std::string_view instance, const ReadOptions& options,
                                 astro::Diagnostics& diagnostics) {
  if (CutWords(instance).empty()) {
    diagnostics.Error("instance").Message("empty").Expected("lists like '0: 1 3', then start and goal");
    return std::nullopt;
  }
  const std::optional<RawBoard> raw =
      astro::LooksLikeJson(instance) ? ReadJson(instance, diagnostics) : ReadText(instance, diagnostics);
  if (!raw) return std::nullopt;
  const bool symmetric = options.symmetric.value_or(!raw->directed.value_or(false));
  std::shared_ptr<const Arcs> arcs = ArcReader(*raw, symmetric, diagnostics).Read();
  if (arcs == nullptr) return std::nullopt;
  std::optional<Tiles> start = ReadStart(*raw, options, arcs->cells(), diagnostics);
  std::optional<Tiles> goal = ReadGoal(*raw, options, arcs->cells(), diagnostics);
  if (!start || !goal) return std::nullopt;
  return Puzzle{std::move(arcs), *std::move(start), *std::move(goal)};
}

}  // namespace graph_tile
