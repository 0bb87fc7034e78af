// Additive pattern databases (Korf and Felner 2002): the tiles are split into patterns, a table for each has the fewest
// moves of its tiles, and their sum is h. With the mirror the same tables are looked up for the mirrored board too, and
// the larger sum is h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sliding_tile/board.h"
#include "plugins/sliding_tile/pattern_partition.h"
#include "plugins/sliding_tile/pattern_table.h"
#include "plugins/sliding_tile/pattern_views.h"

namespace {

using astro::Op;
using sliding_tile::Board;
using sliding_tile::Instance;
using sliding_tile::kNoPattern;
using sliding_tile::MirrorUse;
using sliding_tile::Move;
using sliding_tile::Pattern;
using sliding_tile::PatternTable;
using sliding_tile::PatternView;

constexpr std::string_view kMirrorChoices[] = {"auto", "on", "off"};
constexpr astro::ParamSpec kParams[] = {
    astro::StringParam(
        "patterns", "auto",
        "Which tiles go together: the tiles of each pattern with a / between patterns, as in \"1 2 3/4 5 "
        "6/7 8\"; or 5-5-5, 6-6-3 or 7-8 for 4 x 4, 6-6-6-6 for 5 x 5; or auto."),
    astro::StringParam("mirror", "auto",
                       "Look up the mirrored board too, and take the larger sum: on, off, or auto (where a reflection "
                       "keeps the goal's blank in its place and gives other patterns).",
                       kMirrorChoices),
};

MirrorUse ReadMirror(const astro::Params& params) {
  const std::string_view text = params.String("mirror").value_or("auto");
  return text == "on" ? MirrorUse::kOn : text == "off" ? MirrorUse::kOff : MirrorUse::kAuto;
}

// What a search carries along: for each view the square of every tile, those of one pattern side by side and turned as
// its table wants them, and then for each view the entry of every pattern. So a move looks up one entry a view. Squares
// are the nibbles of one word, and all entries the bytes of another, where they fit (15-puzzle: 16 bytes, 24 with the
// mirror); else squares are bytes too. Packed like that, patterns whose tables are not sparse have a word more, with
// the set of squares of each, 16 bits a set: there are two of them in a view at most, since they have seven tiles or
// eight.
class PatternDatabase {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "pattern_database",
      .summary = "Additive pattern databases: the exact moves of groups of tiles, summed",
      .doc =
          "Korf and Felner 2002. The tables are computed once, on the job's threads, and kept on disk for all jobs: "
          "on\n"
          "4 x 4 they have 34 MB for 6-6-3 (auto), 3 MB for 5-5-5, 577 MB for 7-8. Any goal, boards of up to 64\n"
          "squares. Not consistent: for each placement of its tiles a table has the best place of the blank only.\n"
          "A board that cannot be solved is a dead end where a table shows it: always with all tiles in one pattern,\n"
          "mostly with all but one. With two tiles or more outside, every placement of a pattern has a way to the "
          "goal,\n"
          "and h is a number.",
      .admissible = true,
      .parity = true,
      .params = kParams,
  };

  // Throws astro::Refused.
  PatternDatabase(const Instance& instance, const astro::Params& params)
      : instance_(instance), patterns_(ReadPartition(params.String("patterns").value_or("auto"), instance)) {
    for (const Pattern& pattern : patterns_) turned_.push_back(TurnPattern(pattern, instance_));
    views_.push_back(PlainView(turned_, instance_));
    if (const auto mirror = FindMirror(patterns_, instance_, ReadMirror(params))) {
      views_.push_back(MirroredView(views_[0], *mirror, instance_));
    }
    size_t slots = 0;
    for (const Pattern& pattern : patterns_) slots += pattern.size();
    // What has no way to the goal is looked for on the way of bytes alone; the boards are small (see LeavesUnreached).
    packed_ = instance.cells() <= 16 && views_.size() * patterns_.size() <= sizeof(uint64_t) &&
              std::none_of(patterns_.begin(), patterns_.end(),
                           [this](const Pattern& pattern) { return LeavesUnreached(pattern); });
    view_bytes_ = packed_ ? sizeof(uint64_t) : slots;
    values_at_ = views_.size() * view_bytes_;
    aux_bytes_ = (values_at_ + views_.size() * patterns_.size() + 7) / 8 * 8;
    for (const Pattern& pattern : patterns_) {
      has_sets_ = has_sets_ || (packed_ && !sliding_tile::IsSparse(instance.cells(), static_cast<int>(pattern.size())));
    }
    if (has_sets_) {
      sets_at_ = aux_bytes_;
      aux_bytes_ += sizeof(uint64_t);
    }
  }

  void Build(const astro::Host& host, astro::Diagnostics& diagnostics) {
    // Small tables first: the big ones need memory to build, and then they are the only ones that do.
    std::vector<size_t> order(patterns_.size());
    for (size_t p = 0; p < order.size(); ++p) order[p] = p;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return patterns_[a].size() < patterns_[b].size(); });
    size_t built = 0;
    for (const size_t p : order) {
      const auto& shape = turned_[p].shape;
      if (tables_.contains(shape)) continue;
      const PatternTable table = OpenPatternTable(shape, host, "pattern table of tiles " + TilesText(p));
      built += table.built ? 1 : 0;
      tables_.emplace(shape, table);
    }
    FindPlaces();
    diagnostics.Note("heuristic")
        .Message("pattern_database: " + astro::Counted(patterns_.size(), "pattern") + " in " +
                 astro::Counted(tables_.size(), "table") + ", " + std::to_string(built) + " built now" +
                 (views_.size() > 1 ? ", mirrored lookup" : ""));
  }

  uint32_t AuxSize() const { return static_cast<uint32_t>(aux_bytes_); }

  void RootAux(const Board& board, std::byte* out) const {
    std::fill_n(out, aux_bytes_, std::byte{0});
    for (size_t v = 0; v < views_.size(); ++v) {
      std::byte* squares = out + v * view_bytes_;
      for (int square = 0; square < board.cells(); ++square) {
        const Place& place = PlaceOf(v, board.tile(square));
        if (place.moves != nullptr) SetSquare(squares, place, place.turn[square]);
      }
      for (size_t p = 0; p < patterns_.size(); ++p) {
        const Place& place = PlaceOf(0, turned_[p].slot_tile[0]);
        if (packed_ && !place.sparse) AddSet(place, v, LoadWord(squares), out + sets_at_);
        const uint64_t entry = packed_ ? EntryOf(place, LoadWord(squares)) : EntryOf(place, squares);
        out[values_at_ + v * patterns_.size() + p] = ValueOf(place, entry);
      }
    }
  }

  int64_t Evaluate(const Board& board) const {
    std::array<std::byte, ASTRO_MAX_AUX_SIZE> aux;
    RootAux(board, aux.data());
    int64_t h = 0;
    for (size_t v = 0; v < views_.size(); ++v) h = std::max(h, ViewH(aux.data(), v));
    return h;
  }

  [[gnu::always_inline]] void EvaluateMoves(const Board& parent, int64_t parent_h, const std::byte* aux, const Op* ops,
                                            uint32_t n, int64_t* out_h, std::byte* out_aux) const {
    if (!packed_) return MoveBytes(parent, aux, ops, n, out_h, out_aux);
    if (has_sets_) {
      if (views_.size() == 1) return MoveWords<1, true>(parent, parent_h, aux, ops, n, out_h, out_aux);
      return MoveWords<2, true>(parent, parent_h, aux, ops, n, out_h, out_aux);
    }
    if (views_.size() == 1) return MoveWords<1, false>(parent, parent_h, aux, ops, n, out_h, out_aux);
    return MoveWords<2, false>(parent, parent_h, aux, ops, n, out_h, out_aux);
  }

  // A tile that is in no pattern moves for nothing, and takes the parity with it.
  uint32_t Claims() const {
    size_t tiles = 1;
    for (const Pattern& pattern : patterns_) tiles += pattern.size();
    return ASTRO_CLAIM_ADMISSIBLE |
           (tiles == static_cast<size_t>(instance_.cells()) ? uint32_t{ASTRO_CLAIM_PARITY} : 0u);
  }

  // The tables themselves are mapped and shared.
  uint64_t MemoryBytes() const { return tables_.size() * kIndexBytes; }

  void Explain(const Board& board, astro::Writer& out) const {
    std::array<std::byte, ASTRO_MAX_AUX_SIZE> aux;
    RootAux(board, aux.data());
    for (size_t v = 0; v < views_.size(); ++v) {
      if (v > 0) out << "mirrored: " << MovesText(ViewH(aux.data(), v)) << '\n';
      for (size_t p = 0; p < patterns_.size(); ++p) {
        const std::byte value = aux[values_at_ + v * patterns_.size() + p];
        out << (v > 0 ? "  " : "") << (patterns_[p].size() == 1 ? "tile " : "tiles ") << TilesText(p) << ": "
            << MovesText(value == kUnreached ? astro::kDeadEnd : static_cast<int64_t>(value)) << '\n';
      }
    }
  }

 private:
  static constexpr uint64_t kIndexBytes = 32 << 10;  // of what finds an entry, on a board of up to 25 squares

  static constexpr uint32_t kMaxOps = 4;

  // In place of an entry's moves: no move leads from the goal to that placement. Tables have 254 moves at most.
  static constexpr std::byte kUnreached{255};

  // How a tile is found in a view, all in one cache line.
  struct alignas(64) Place {
    const uint8_t* moves = nullptr;  // the table of its pattern; null: it is in none
    const sliding_tile::PatternIndex* index = nullptr;
    const uint8_t* turn = nullptr;  // square of the board -> square of the table
    uint64_t mask = 0;              // of the pattern's squares in a packed word, once shifted
    uint64_t turn_word = 0;         // `turn` in nibbles, on boards of up to 16 squares
    uint64_t home = 0;              // the goal's entry: the only one with 0 moves that was reached
    uint32_t no_slots = 0;          // 15 in the nibbles of a packed word, once shifted, that are not the pattern's
    uint8_t slot = 0;               // among the slots of all patterns
    uint8_t first = 0;              // slot of its pattern
    uint8_t value = 0;              // of its pattern's entry, among all entries
    uint8_t set_shift = 0;          // of its pattern's set of squares, in the first view
    bool sparse = true;
  };

  const Place& PlaceOf(size_t view, int tile) const {
    return places_[view * static_cast<size_t>(instance_.cells()) + static_cast<size_t>(tile)];
  }

  void FindPlaces() {
    std::vector<uint8_t> first(1, 0);
    for (const Pattern& pattern : patterns_) first.push_back(static_cast<uint8_t>(first.back() + pattern.size()));
    places_.resize(views_.size() * static_cast<size_t>(instance_.cells()));
    auto place = places_.begin();
    for (size_t v = 0; v < views_.size(); ++v) {
      for (const PatternView::Role role : views_[v].role) {
        Place& out = *place++;
        if (role.pattern == kNoPattern) continue;
        const PatternTable& table = tables_.at(turned_[role.pattern].shape);
        out.moves = table.moves;
        out.index = &table.index;
        out.turn = views_[v].turn[role.pattern].data();
        const auto& home = turned_[role.pattern].shape.squares;
        out.home = table.index.Find([&home](int i) { return home[static_cast<size_t>(i)]; });
        if (packed_) {
          out.mask = (uint64_t{1} << (4 * table.index.tiles())) - 1;
          out.no_slots = static_cast<uint32_t>(~out.mask);
          out.set_shift = SetShift(role.pattern);
          for (int square = instance_.cells() - 1; square >= 0; --square) {
            out.turn_word = out.turn_word << 4 | out.turn[square];
          }
        }
        out.slot = role.slot;
        out.first = first[role.pattern];
        out.value = static_cast<uint8_t>(v * patterns_.size() + role.pattern);
        out.sparse = table.index.sparse();
      }
    }
  }

  // The first of the patterns with a set has the low 16 bits of a view's 32, the other one the high ones.
  uint8_t SetShift(size_t pattern) const {
    const auto has_set = [this](const Pattern& p) {
      return !sliding_tile::IsSparse(instance_.cells(), static_cast<int>(p.size()));
    };
    return std::any_of(patterns_.begin(), patterns_.begin() + static_cast<ptrdiff_t>(pattern), has_set) ? 16 : 0;
  }

  std::string TilesText(size_t pattern) const {
    std::string text;
    for (const int tile : patterns_[pattern]) {
      if (!text.empty()) text += ' ';
      text += std::to_string(tile);
    }
    return text;
  }

  // Whether its table can have entries that no board with a way to the goal leads to. With two tiles outside it has
  // none: where a placement could not be reached with them as they are, it can with the two exchanged.
  bool LeavesUnreached(const Pattern& pattern) const {
    return static_cast<int>(pattern.size()) + 2 >= instance_.cells();
  }

  static std::byte ValueOf(const Place& place, uint64_t entry) {
    const auto value = static_cast<std::byte>(place.moves[entry]);
    return value == std::byte{0} && entry != place.home ? kUnreached : value;
  }

  static std::string MovesText(int64_t moves) {
    return moves == astro::kDeadEnd ? "no way to the goal" : std::to_string(moves);
  }

  static uint64_t LoadWord(const std::byte* bytes) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
  }
  static void StoreWord(std::byte* bytes, uint64_t word) { std::memcpy(bytes, &word, sizeof(word)); }

  // Of a slot that has square 0.
  void SetSquare(std::byte* squares, const Place& place, uint8_t square) const {
    if (packed_) {
      StoreWord(squares, LoadWord(squares) | uint64_t{square} << (4 * place.slot));
    } else {
      squares[place.slot] = static_cast<std::byte>(square);
    }
  }

  static void AddSet(const Place& place, size_t view, uint64_t word, std::byte* sets) {
    uint64_t set = 0;
    word >>= 4 * place.first;
    for (int i = 0; i < place.index->tiles(); ++i, word >>= 4) set |= uint64_t{1} << (word & 15);
    StoreWord(sets, LoadWord(sets) | set << (32 * view + place.set_shift));
  }

  [[gnu::always_inline]] static uint64_t EntryOf(const Place& place, uint64_t word) {
    const uint64_t own = word >> (4 * place.first);
    if (place.sparse) return own & place.mask;
    return place.index->FindRank([own](int i) { return own >> (4 * i) & 15; });
  }
  static uint64_t EntryOf(const Place& place, const std::byte* squares) {
    return place.index->Find([&](int i) { return static_cast<uint8_t>(squares[place.first + i]); });
  }

  // The h of a view, which may be a dead end.
  int64_t ViewH(const std::byte* aux, size_t view) const {
    const std::byte* values = aux + values_at_ + view * patterns_.size();
    if (std::find(values, values + patterns_.size(), kUnreached) != values + patterns_.size()) return astro::kDeadEnd;
    return SumOf(aux, view);
  }
  // The same without a look for dead ends.
  int64_t SumOf(const std::byte* aux, size_t view) const {
    int64_t sum = 0;
    for (size_t p = 0; p < patterns_.size(); ++p) {
      sum += static_cast<int64_t>(aux[values_at_ + view * patterns_.size() + p]);
    }
    return sum;
  }

  // First all entries are found and asked for, then they are read: they come from memory side by side.
  template <size_t kViews, bool kSets>
  [[gnu::always_inline]] void MoveWords(const Board& parent, int64_t parent_h, const std::byte* aux, const Op* ops,
                                        uint32_t n, int64_t* out_h, std::byte* out_aux) const {
    constexpr size_t kValuesAt = kViews * sizeof(uint64_t);
    constexpr size_t kSetsAt = kValuesAt + sizeof(uint64_t);
    constexpr size_t kAuxBytes = kSetsAt + (kSets ? sizeof(uint64_t) : 0);
    std::array<uint64_t, kViews> words;
    for (size_t v = 0; v < kViews; ++v) words[v] = LoadWord(aux + v * sizeof(uint64_t));
    const uint64_t values = LoadWord(aux + kValuesAt);
    const uint64_t sets = kSets ? LoadWord(aux + kSetsAt) : 0;
    std::array<std::array<const Place*, kViews>, kMaxOps> places;
    std::array<std::array<const uint8_t*, kViews>, kMaxOps> moves;
    for (uint32_t i = 0; i < n; ++i) {
      const Move move = sliding_tile::Problem::MakeMove(instance_, ops[i]);
      const int tile = parent.tile(move.from);
      std::byte* const child = out_aux + i * kAuxBytes;
      std::array<uint64_t, 2> own = {};
      uint64_t child_sets = sets;
      for (size_t v = 0; v < kViews; ++v) {
        const Place& place = PlaceOf(v, tile);
        const uint64_t from = place.turn_word >> (4 * move.from) & 15;
        const uint64_t to = place.turn_word >> (4 * move.to) & 15;
        const uint64_t word = words[v] ^ (from ^ to) << (4 * place.slot);
        StoreWord(child + v * sizeof(uint64_t), word);
        places[i][v] = &place;
        own[v] = word >> (4 * place.first);
        if (kSets && !place.sparse) {
          child_sets ^= (uint64_t{1} << from ^ uint64_t{1} << to) << (32 * v + place.set_shift);
        }
      }
      std::array<uint32_t, 2> order = {};
      if constexpr (kSets) {
        StoreWord(child + kSetsAt, child_sets);
        const auto squares = [&](size_t v) { return static_cast<uint32_t>(own[v]) | places[i][v]->no_slots; };
        order = sliding_tile::OrderRanks(squares(0), squares(kViews - 1));
      }
      for (size_t v = 0; v < kViews; ++v) {
        const Place& place = *places[i][v];
        moves[i][v] = place.moves;
        if (place.moves == nullptr) [[unlikely]]
          continue;
        if (kSets && !place.sparse) {
          const auto set = static_cast<uint16_t>(child_sets >> (32 * v + place.set_shift));
          moves[i][v] += place.index->EntryOf(set, order[v]);
        } else {
          moves[i][v] += own[v] & place.mask;
        }
        __builtin_prefetch(moves[i][v]);
      }
    }
    std::array<int64_t, kViews> before;
    before[0] = kViews == 1 ? parent_h : SumOf(aux, 0);
    if constexpr (kViews == 2) before[1] = SumOf(aux, 1);
    for (uint32_t i = 0; i < n; ++i) {
      int64_t h = 0;
      uint64_t child = values;
      for (size_t v = 0; v < kViews; ++v) {
        int64_t sum = before[v];
        if (moves[i][v] != nullptr) [[likely]] {
          const int shift = 8 * places[i][v]->value;
          const uint64_t old_value = values >> shift & 255;
          const uint64_t new_value = *moves[i][v];
          child ^= (old_value ^ new_value) << shift;
          sum += static_cast<int64_t>(new_value) - static_cast<int64_t>(old_value);
        }
        h = std::max(h, sum);
      }
      StoreWord(out_aux + i * kAuxBytes + kValuesAt, child);
      out_h[i] = h;
    }
  }

  void MoveBytes(const Board& parent, const std::byte* aux, const Op* ops, uint32_t n, int64_t* out_h,
                 std::byte* out_aux) const {
    for (uint32_t i = 0; i < n; ++i, out_aux += aux_bytes_) {
      const Move move = sliding_tile::Problem::MakeMove(instance_, ops[i]);
      const int tile = parent.tile(move.from);
      std::memcpy(out_aux, aux, aux_bytes_);
      out_h[i] = 0;
      for (size_t v = 0; v < views_.size(); ++v) {
        const Place& place = PlaceOf(v, tile);
        if (place.moves != nullptr) {
          std::byte* squares = out_aux + v * view_bytes_;
          squares[place.slot] = static_cast<std::byte>(place.turn[move.to]);
          out_aux[values_at_ + place.value] = ValueOf(place, EntryOf(place, squares));
        }
        out_h[i] = std::max(out_h[i], ViewH(out_aux, v));
      }
    }
  }

  Instance instance_;
  std::vector<Pattern> patterns_;
  std::vector<sliding_tile::TurnedPattern> turned_;  // of each pattern
  std::vector<PatternView> views_;                   // as it is; mirrored
  bool packed_ = false;
  size_t view_bytes_;
  size_t values_at_;
  size_t aux_bytes_;
  bool has_sets_ = false;
  size_t sets_at_ = 0;
  // Set by Build.
  std::map<sliding_tile::PatternShape, PatternTable> tables_;
  std::vector<Place> places_;  // [view][tile]
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.pattern_database", "1.0.0", astro::Heuristic<PatternDatabase, sliding_tile::Problem>);
