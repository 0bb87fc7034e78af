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
// are the nibbles of one word on boards of up to 16 squares, else bytes.
class PatternDatabase {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "pattern_database",
      .summary = "Additive pattern databases: the exact moves of groups of tiles, summed",
      .doc =
          "Korf and Felner 2002. The tables are computed once, on the job's threads, and kept on disk for all jobs: "
          "on\n"
          "4 x 4 they have 34 MB for 6-6-3 (auto), 3 MB for 5-5-5, 577 MB for 7-8. Any goal, boards of up to 64\n"
          "squares. Not consistent: for each placement of its tiles a table has the best place of the blank only.",
      .admissible = true,
      .parity = true,
      .params = kParams,
  };

  // Throws astro::Refused.
  PatternDatabase(const Instance& instance, const astro::Params& params)
      : instance_(instance),
        patterns_(ReadPartition(params.String("patterns").value_or("auto"), instance)),
        packed_(instance.cells() <= 16) {
    for (const Pattern& pattern : patterns_) turned_.push_back(TurnPattern(pattern, instance_));
    views_.push_back(PlainView(turned_, instance_));
    if (const auto mirror = FindMirror(patterns_, instance_, ReadMirror(params))) {
      views_.push_back(MirroredView(views_[0], *mirror, instance_));
    }
    size_t slots = 0;
    for (const Pattern& pattern : patterns_) slots += pattern.size();
    view_bytes_ = packed_ ? sizeof(uint64_t) : slots;
    values_at_ = views_.size() * view_bytes_;
    aux_bytes_ = (values_at_ + views_.size() * patterns_.size() + 7) / 8 * 8;
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
    uint8_t first = 0;
    for (const auto& turned : turned_) {
      const PatternTable& table = tables_.at(turned.shape);
      const int tiles = table.index.tiles();
      places_.push_back(
          {&table.index, table.moves, uint64_t{1} << (4 * std::min(tiles, 15)), first, table.index.sparse()});
      --places_.back().mask;
      first = static_cast<uint8_t>(first + tiles);
    }
    diagnostics.Note("heuristic")
        .Message("pattern_database: " + std::to_string(patterns_.size()) + " patterns in " +
                 std::to_string(tables_.size()) + " tables, " + std::to_string(built) + " of them built now" +
                 (views_.size() > 1 ? ", mirrored lookup" : ""));
  }

  uint32_t AuxSize() const { return static_cast<uint32_t>(aux_bytes_); }

  void RootAux(const Board& board, std::byte* out) const {
    std::fill_n(out, aux_bytes_, std::byte{0});
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (tile == 0) continue;
      for (size_t v = 0; v < views_.size(); ++v) {
        const PatternView::Role role = views_[v].role[tile];
        if (role.pattern != kNoPattern)
          SetSquare(out + v * view_bytes_, role.slot, views_[v].turn[role.pattern][square]);
      }
    }
    for (size_t v = 0; v < views_.size(); ++v) {
      for (size_t p = 0; p < places_.size(); ++p) {
        const std::byte* squares = out + v * view_bytes_;
        const uint64_t entry = packed_ ? EntryOf<true>(places_[p], squares) : EntryOf<false>(places_[p], squares);
        out[values_at_ + v * places_.size() + p] = static_cast<std::byte>(places_[p].moves[entry]);
      }
    }
  }

  int64_t Evaluate(const Board& board) const {
    std::array<std::byte, ASTRO_MAX_AUX_SIZE> aux;
    RootAux(board, aux.data());
    int64_t h = 0;
    for (size_t v = 0; v < views_.size(); ++v) h = std::max(h, SumOf(aux.data(), v));
    return h;
  }

  void EvaluateMoves(const Board& parent, int64_t parent_h, const std::byte* aux, const Op* ops, uint32_t n,
                     int64_t* out_h, std::byte* out_aux) const {
    const bool mirrored = views_.size() > 1;
    if (packed_) {
      mirrored ? Moves<true, 2>(parent, parent_h, aux, ops, n, out_h, out_aux)
               : Moves<true, 1>(parent, parent_h, aux, ops, n, out_h, out_aux);
    } else {
      mirrored ? Moves<false, 2>(parent, parent_h, aux, ops, n, out_h, out_aux)
               : Moves<false, 1>(parent, parent_h, aux, ops, n, out_h, out_aux);
    }
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
      if (v > 0) out << "mirrored: " << SumOf(aux.data(), v) << '\n';
      for (size_t p = 0; p < patterns_.size(); ++p) {
        out << (v > 0 ? "  " : "") << "tiles " << TilesText(p) << ": "
            << static_cast<int>(aux[values_at_ + v * patterns_.size() + p]) << '\n';
      }
    }
  }

 private:
  static constexpr uint64_t kIndexBytes = 32 << 10;  // of what finds an entry, on a board of up to 25 squares

  // Where a pattern's entries are.
  struct Place {
    const sliding_tile::PatternIndex* index;
    const uint8_t* moves;
    uint64_t mask;  // of its squares in a packed word, once shifted
    uint8_t first;  // its first slot
    bool sparse;
  };

  std::string TilesText(size_t pattern) const {
    std::string text;
    for (const int tile : patterns_[pattern]) {
      if (!text.empty()) text += ' ';
      text += std::to_string(tile);
    }
    return text;
  }

  static uint64_t LoadWord(const std::byte* bytes) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
  }
  static void StoreWord(std::byte* bytes, uint64_t word) { std::memcpy(bytes, &word, sizeof(word)); }

  // Of a slot that has square 0.
  void SetSquare(std::byte* squares, uint8_t slot, uint8_t square) const {
    if (packed_) {
      StoreWord(squares, LoadWord(squares) | uint64_t{square} << (4 * slot));
    } else {
      squares[slot] = static_cast<std::byte>(square);
    }
  }

  template <bool kPacked>
  [[gnu::always_inline]] static uint64_t EntryOf(const Place& place, const std::byte* squares) {
    if constexpr (kPacked) {
      const uint64_t own = LoadWord(squares) >> (4 * place.first);
      if (place.sparse) return own & place.mask;
      return place.index->FindRank([own](int i) { return own >> (4 * i) & 15; });
    } else {
      return place.index->Find([&](int i) { return static_cast<uint8_t>(squares[place.first + i]); });
    }
  }

  int64_t SumOf(const std::byte* aux, size_t view) const {
    int64_t sum = 0;
    for (size_t p = 0; p < patterns_.size(); ++p) {
      sum += static_cast<int64_t>(aux[values_at_ + view * patterns_.size() + p]);
    }
    return sum;
  }

  // First all entries are found and asked for, then they are read: they come from memory side by side.
  template <bool kPacked, size_t kViews>
  void Moves(const Board& parent, int64_t parent_h, const std::byte* aux, const Op* ops, uint32_t n, int64_t* out_h,
             std::byte* out_aux) const {
    struct Entry {
      const uint8_t* moves;  // null: the tile is in no pattern
      std::byte* value;      // of the child
    };
    constexpr uint32_t kMaxOps = 4;
    std::array<std::array<Entry, kViews>, kMaxOps> entries;
    for (uint32_t i = 0; i < n; ++i) {
      const Move move = sliding_tile::Problem::MakeMove(instance_, ops[i]);
      const int tile = parent.tile(move.from);
      std::byte* child = out_aux + i * aux_bytes_;
      for (size_t at = 0; at < aux_bytes_; at += sizeof(uint64_t)) StoreWord(child + at, LoadWord(aux + at));
      for (size_t v = 0; v < kViews; ++v) {
        const PatternView::Role role = views_[v].role[tile];
        if (role.pattern == kNoPattern) {
          entries[i][v] = {nullptr, nullptr};
          continue;
        }
        const auto& turn = views_[v].turn[role.pattern];
        std::byte* squares = child + v * view_bytes_;
        if constexpr (kPacked) {
          const auto change = static_cast<uint64_t>(turn[move.from] ^ turn[move.to]);
          StoreWord(squares, LoadWord(squares) ^ change << (4 * role.slot));
        } else {
          squares[role.slot] = static_cast<std::byte>(turn[move.to]);
        }
        const Place& place = places_[role.pattern];
        const uint8_t* moves = place.moves + EntryOf<kPacked>(place, squares);
        __builtin_prefetch(moves);
        entries[i][v] = {moves, child + values_at_ + v * patterns_.size() + role.pattern};
      }
    }
    std::array<int64_t, kViews> before;
    before[0] = kViews == 1 ? parent_h : SumOf(aux, 0);
    if constexpr (kViews == 2) before[1] = SumOf(aux, 1);
    for (uint32_t i = 0; i < n; ++i) {
      int64_t h = 0;
      for (size_t v = 0; v < kViews; ++v) {
        int64_t sum = before[v];
        if (const Entry entry = entries[i][v]; entry.moves != nullptr) {
          const std::byte value{*entry.moves};
          sum += static_cast<int64_t>(value) - static_cast<int64_t>(*entry.value);
          *entry.value = value;
        }
        h = std::max(h, sum);
      }
      out_h[i] = h;
    }
  }

  Instance instance_;
  std::vector<Pattern> patterns_;
  std::vector<sliding_tile::TurnedPattern> turned_;  // of each pattern
  std::vector<PatternView> views_;                   // as it is; mirrored
  bool packed_;
  size_t view_bytes_;
  size_t values_at_;
  size_t aux_bytes_;
  // Set by Build.
  std::map<sliding_tile::PatternShape, PatternTable> tables_;
  std::vector<Place> places_;  // of each pattern
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.pattern_database", "1.0.0", astro::Heuristic<PatternDatabase, sliding_tile::Problem>);
