#include "tests/bench/engine/monolith.h"

#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace astrolabe::engine::bench {
namespace {

constexpr int kCells = 16;
constexpr int kNone = -1;

struct Tables {
  std::array<std::array<int8_t, kCells>, kCells> distance{};  // [tile][cell]
  std::array<std::array<int, 4>, kCells> target{};            // [blank][up, left, right, down]; kNone
};

constexpr Tables MakeTables() {
  Tables t;
  for (int tile = 1; tile < kCells; ++tile) {
    for (int cell = 0; cell < kCells; ++cell) {
      const int rows = tile / 4 > cell / 4 ? tile / 4 - cell / 4 : cell / 4 - tile / 4;
      const int columns = tile % 4 > cell % 4 ? tile % 4 - cell % 4 : cell % 4 - tile % 4;
      t.distance[tile][cell] = static_cast<int8_t>(rows + columns);
    }
  }
  for (int cell = 0; cell < kCells; ++cell) {
    t.target[cell] = {cell >= 4 ? cell - 4 : kNone, cell % 4 > 0 ? cell - 1 : kNone, cell % 4 < 3 ? cell + 1 : kNone,
                      cell < 12 ? cell + 4 : kNone};
  }
  return t;
}
constexpr Tables kTables = MakeTables();

uint64_t Pack(const std::vector<int>& start) {
  uint64_t board = 0;
  for (int i = 0; i < kCells; ++i) board |= static_cast<uint64_t>(start[i]) << (4 * i);
  return board;
}

int Manhattan(uint64_t board) {
  int sum = 0;
  for (int cell = 0; cell < kCells; ++cell) sum += kTables.distance[(board >> (4 * cell)) & 15][cell];
  return sum;
}

int BlankOf(uint64_t board) {
  int cell = 0;
  while (((board >> (4 * cell)) & 15) != 0) ++cell;
  return cell;
}

uint64_t Hash(uint64_t board) {
  const auto product = static_cast<unsigned __int128>(board ^ 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
  return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
}

// One table of keys and one-byte g + 1, linear probing; memory is reserved and grows by doubling.
class Closed {
 public:
  Closed() { Allocate(1 << 16); }
  ~Closed() { Free(); }
  void Prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[Line(hash)]); }
  int64_t size() const { return size_; }

  // 0: no better; 1: new or better.
  bool Put(uint64_t key, uint64_t hash, uint8_t g1) {
    for (uint64_t at = Line(hash);; at = (at + 1) & mask_) {
      Slots& line = slots_[at];
      for (int i = 0; i < 7; ++i) {
        if (line.g1[i] == 0) {
          line.key[i] = key;
          line.g1[i] = g1;
          if (++size_ * 100 > static_cast<int64_t>(mask_ + 1) * 7 * 85) Grow();
          return true;
        }
        if (line.key[i] == key) {
          if (line.g1[i] <= g1) return false;
          line.g1[i] = g1;
          return true;
        }
      }
    }
  }
  uint8_t Get(uint64_t key, uint64_t hash) const {
    for (uint64_t at = Line(hash);; at = (at + 1) & mask_) {
      const Slots& line = slots_[at];
      for (int i = 0; i < 7; ++i) {
        if (line.g1[i] == 0 || line.key[i] == key) return line.g1[i];
      }
    }
  }

 private:
  struct Slots {
    uint64_t key[7];
    uint8_t g1[7];
    uint8_t unused;
  };
  uint64_t Line(uint64_t hash) const { return (hash >> 24) & mask_; }
  void Allocate(uint64_t lines) {
    void* p = ::mmap(nullptr, lines * sizeof(Slots), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) std::abort();
    ::madvise(p, lines * sizeof(Slots), MADV_HUGEPAGE);
    slots_ = static_cast<Slots*>(p);
    mask_ = lines - 1;
  }
  void Free() { ::munmap(slots_, (mask_ + 1) * sizeof(Slots)); }
  void Grow() {
    Slots* old = slots_;
    const uint64_t lines = mask_ + 1;
    Allocate(lines * 2);
    size_ = 0;
    for (uint64_t at = 0; at < lines; ++at) {
      for (int i = 0; i < 7 && old[at].g1[i] != 0; ++i) Put(old[at].key[i], Hash(old[at].key[i]), old[at].g1[i]);
    }
    ::munmap(old, lines * sizeof(Slots));
  }

  Slots* slots_ = nullptr;
  uint64_t mask_ = 0;
  int64_t size_ = 0;
};

}  // namespace

MonolithResult MonolithAStar(const std::vector<int>& start) {
  constexpr int kBatch = 16;
  constexpr int kMaxCost = 128;
  struct Entry {
    uint64_t board;
    int8_t blank;
    int8_t from;
  };
  struct Child {
    Entry entry;
    uint64_t hash;
    int f;
  };
  MonolithResult result;
  auto open = std::vector<std::vector<Entry>>(kMaxCost * kMaxCost);
  Closed closed;
  const uint64_t root = Pack(start);
  const uint64_t goal = [] {
    std::vector<int> cells(kCells);
    for (int i = 0; i < kCells; ++i) cells[i] = i;
    return Pack(cells);
  }();
  int f = Manhattan(root);
  int g = 0;
  closed.Put(root, Hash(root), 1);
  open[f * kMaxCost].push_back({root, static_cast<int8_t>(BlankOf(root)), kNone});
  for (; f < kMaxCost; ++f) {
    for (g = kMaxCost - 1; g >= 0;) {
      std::vector<Entry>& bucket = open[f * kMaxCost + g];
      if (bucket.empty()) {
        --g;
        continue;
      }
      Entry batch[kBatch];
      int n = 0;
      while (n < kBatch && !bucket.empty()) {
        batch[n] = bucket.back();
        bucket.pop_back();
        closed.Prefetch(Hash(batch[n++].board));
      }
      Child children[kBatch * 4];
      int m = 0;
      for (int i = 0; i < n; ++i) {
        const Entry& e = batch[i];
        if (closed.Get(e.board, Hash(e.board)) != g + 1) continue;
        if (e.board == goal) {
          result.length = g;
          result.stored = closed.size();
          return result;
        }
        ++result.expanded;
        for (int target : kTables.target[e.blank]) {
          if (target == kNone || target == e.from) continue;
          const uint64_t tile = (e.board >> (4 * target)) & 15;
          const uint64_t board = e.board ^ (tile << (4 * target)) ^ (tile << (4 * e.blank));
          const int change = kTables.distance[tile][e.blank] - kTables.distance[tile][target];
          const uint64_t hash = Hash(board);
          closed.Prefetch(hash);
          children[m++] = {{board, static_cast<int8_t>(target), e.blank}, hash, f + 1 + change};
        }
      }
      result.generated += m;
      const int next_g = g + 1;
      for (int i = 0; i < m; ++i) {
        if (!closed.Put(children[i].entry.board, children[i].hash, static_cast<uint8_t>(next_g + 1))) continue;
        open[children[i].f * kMaxCost + next_g].push_back(children[i].entry);
        if (children[i].f == f) g = next_g;
      }
    }
  }
  return result;
}

MonolithResult MonolithIdaStar(const std::vector<int>& start) {
  struct Kernel {
    std::array<uint8_t, kCells> cells;
    int64_t expanded = 0;
    int64_t generated = 1;
    int bound = 0;
    int next_bound = 0;

    bool Enter(int blank, int from, int g, int h) {
      if (h == 0) return true;
      ++expanded;
      for (int target : kTables.target[blank]) {
        if (target == kNone || target == from) continue;
        ++generated;
        const uint8_t tile = cells[target];
        const int child_h = h + kTables.distance[tile][blank] - kTables.distance[tile][target];
        const int f = g + 1 + child_h;
        if (f > bound) {
          if (f < next_bound) next_bound = f;
          continue;
        }
        cells[blank] = tile;
        cells[target] = 0;
        if (Enter(target, blank, g + 1, child_h)) return true;
        cells[target] = tile;
        cells[blank] = 0;
      }
      return false;
    }
  };
  Kernel kernel;
  int blank = 0;
  for (int i = 0; i < kCells; ++i) {
    kernel.cells[i] = static_cast<uint8_t>(start[i]);
    if (start[i] == 0) blank = i;
  }
  const std::array<uint8_t, kCells> root = kernel.cells;
  const int h = Manhattan(Pack(start));
  MonolithResult result;
  for (kernel.bound = h;; kernel.bound = kernel.next_bound) {
    kernel.cells = root;
    kernel.next_bound = 1 << 20;
    if (kernel.Enter(blank, kNone, 0, h)) break;
  }
  result.length = kernel.bound;
  result.expanded = kernel.expanded;
  result.generated = kernel.generated;
  return result;
}

}  // namespace astrolabe::engine::bench
