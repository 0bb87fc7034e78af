// Rounds of passes along the path, each round with larger windows than the last:
//
// 1. Windows are replaced by cheapest ways, in passes of wider and wider windows, until none of the widest gets
// shorter.
// 2. Where the problem knows a distance between states, longer windows, up to the whole path, are replaced by what a
// beam
//    search finds.
// 3. In the next round a window may have ten times as many nodes, and a beam four times.
//
// Without a limit it ends after the round in which a window may have as many nodes as were asked for; under a limit of
// time or nodes it goes on. Nothing depends on the clock: as many expansions give the same path.
#include "daemon/engine/algorithms/improve.h"

#include <algorithm>
#include <string>
#include <utility>

#include "daemon/engine/algorithms/window_beam.h"
#include "daemon/engine/algorithms/window_deepening.h"
#include "daemon/engine/algorithms/window_search.h"
#include "daemon/engine/algorithms/windowed_path.h"
#include "daemon/engine/result_text.h"
#include "daemon/engine/runner.h"

namespace astrolabe::engine {
namespace {

constexpr size_t kFirstWindow = 12;
// Up to here each pass takes wider windows; from here on only when nothing more is found, since they cost far more.
constexpr size_t kQuickWindow = 40;
constexpr uint64_t kVisitsForOneKept = 10;  // of the same time
constexpr uint64_t kFirstVisits = 10'000;   // of a window
constexpr uint64_t kMoreVisits = 10;        // of a round than of the one before
constexpr uint64_t kMostVisits = uint64_t{1} << 60;
constexpr size_t kFirstBeam = 1024;
constexpr size_t kMoreBeam = 4;
constexpr size_t kLeastBeam = 16;
constexpr size_t kMostBeam = size_t{1} << 24;
constexpr size_t kFirstBeamWindow = 64;
// A pass is repeated while it takes off more than so small a part.
constexpr Cost kWorthRepeating = 200;
constexpr size_t kMostBeamBytes = size_t{256} << 20;

class Improve final : public Algorithm {
 public:
  explicit Improve(const Task& task)
      : task_(task),
        widest_(static_cast<size_t>(task.params.Get<int64_t>("window"))),
        nodes_(static_cast<uint64_t>(task.params.Get<int64_t>("nodes"))),
        path_(task) {
    if (WindowDeepening::Fits(task.space.info())) {
      auto first = task.space.OpenDistance();
      auto second = task.space.OpenDistance();
      if (first != nullptr && second != nullptr) {
        exact_ = std::make_unique<WindowDeepening>(task, std::move(first));
        beam_ = std::make_unique<WindowBeam>(task, std::move(second));
        visits_ = std::min(kFirstVisits, nodes_ * kVisitsForOneKept);
        return;
      }
    }
    exact_ = std::make_unique<WindowSearch>(task);
    visits_ = nodes_;  // kept, here
  }

  SearchEnd Search(Runner& runner) override {
    if (SearchEnd end = path_.Construct(runner); end != SearchEnd::kSolved) return end;
    constructed_ = path_.cost();
    limited_ = runner.is_limited();
    if (!Tell(runner)) return SearchEnd::kBroken;
    SearchEnd end = Rounds(runner);
    if (end == SearchEnd::kStopped && path_.cost() < told_ && !runner.LastSolution()) end = SearchEnd::kBroken;
    return end;
  }

  bool Extract(Runner&, Solution& solution) override {
    solution.path = path_.Operators();
    solution.cost = path_.cost();
    return true;
  }

  Gauges Observe() const override {
    return {.stored = static_cast<int64_t>(std::max(exact_->max_stored(), beam_ ? beam_->max_stored() : 0))};
  }
  Guarantee guarantee() const override {
    return {.kind = Guarantee::kNothing, .needs_admissible = false, .uses_heuristics = false};
  }
  std::string note() const override;

 private:
  SearchEnd Rounds(Runner& runner) {
    const uint64_t most = nodes_ * (beam_ ? kVisitsForOneKept : 1);
    for (size_t beam = kFirstBeam;; beam = std::min(beam * kMoreBeam, kMostBeam)) {
      // Beams find more: under a limit they have at least half of it.
      if (!limited_ || !beam_ || exact_->effort() <= beam_->effort() || done_visits_ == 0) {
        exact_->Allow(visits_);
        if (SearchEnd end = Exact(runner); end != SearchEnd::kExhausted) return end;
        done_visits_ = visits_;
        done_window_ = widest_;
        if (!limited_ && visits_ >= most) return SearchEnd::kSolved;
        visits_ = std::min(visits_ * kMoreVisits, limited_ ? kMostVisits : most);
      }
      if (!beam_) continue;
      if (SearchEnd end = Beams(runner, beam); end != SearchEnd::kExhausted) return end;
    }
  }

  // kExhausted: no window gets shorter. kSolved: nor does the whole.
  SearchEnd Exact(Runner& runner) {
    for (size_t width = std::min(kFirstWindow, widest_);;) {
      const Cost before = path_.cost();
      const bool one_window = path_.size() <= width;
      if (SearchEnd end = Pass(runner, *exact_, width, width); end != SearchEnd::kExhausted) return end;
      const WindowedPath::Tally& tally = path_.tally();
      if (one_window && tally.too_large == 0) return Prove(runner);
      const bool fitting = tally.shortened + tally.left > 0;
      const bool quick = width < std::min(kQuickWindow, widest_) && fitting;
      if (!quick && path_.cost() < before) continue;
      // There may be time for more than was asked for.
      if (width == widest_ && tally.too_large == 0 && limited_ && !one_window) widest_ += widest_ / 2 + 1;
      if (width == widest_ || !fitting) return SearchEnd::kExhausted;
      width = std::min(quick ? std::min(kQuickWindow, widest_) : widest_, width + width / 2);
    }
  }

  // The path is one window, and nothing is cheaper to where it ends.
  SearchEnd Prove(Runner& runner) {
    searched_whole_ = true;
    if (!path_.EndsInTheOnlyGoal()) return SearchEnd::kSolved;
    if (!path_.Confirm(runner, *exact_)) return SearchEnd::kBroken;
    runner.RaiseLowerBound(path_.cost());
    return SearchEnd::kSolved;
  }

  // Windows of 64 operators, twice as many, and so on up to the whole path.
  SearchEnd Beams(Runner& runner, size_t width) {
    for (size_t length = kFirstBeamWindow;; length *= 2) {
      const size_t longest = std::min(length, path_.size());
      const size_t fitting = BeamBytes() / beam_->Bytes(1, longest);
      if (fitting < kLeastBeam) break;
      beam_width_ = std::min(width, fitting);
      beam_->Allow(beam_width_);
      longest_ = std::max(longest_, longest);
      for (Cost before = kInfinity; before - path_.cost() > before / kWorthRepeating;) {
        before = path_.cost();
        // Windows begin elsewhere in each pass.
        const size_t first = length - length / 4 * (passes_++ % 4);
        if (SearchEnd end = Pass(runner, *beam_, length, first); end != SearchEnd::kExhausted) return end;
      }
      if (length >= path_.size()) break;
    }
    return SearchEnd::kExhausted;
  }
  // Half of the memory that is left, what the beam has among it.
  uint64_t BeamBytes() const {
    const uint64_t others = static_cast<uint64_t>(task_.memory.used_bytes()) - beam_->held_bytes();
    return std::min<uint64_t>(kMostBeamBytes, (task_.memory.cap_bytes() - others) / 2);
  }

  SearchEnd Pass(Runner& runner, WindowFinder& finder, size_t width, size_t first) {
    const auto go_on = [&] { return !worth_telling() || Tell(runner); };
    if (SearchEnd end = path_.Pass(runner, finder, width, first, go_on); end != SearchEnd::kExhausted) return end;
    return path_.cost() < told_ && !Tell(runner) ? SearchEnd::kBroken : SearchEnd::kExhausted;
  }

  bool Tell(Runner& runner) {
    told_ = path_.cost();
    told_at_ = effort();
    return runner.NewSolution();
  }
  // Telling replays the whole path: only when that is little beside what was searched since.
  bool worth_telling() const {
    constexpr uint64_t kLeast = 16'000;
    return path_.cost() < told_ && effort() - told_at_ > kLeast + 4 * path_.size();
  }
  uint64_t effort() const { return exact_->effort() + (beam_ ? beam_->effort() : 0); }

  const Task& task_;
  size_t widest_;
  const uint64_t nodes_;
  std::unique_ptr<WindowFinder> exact_;
  std::unique_ptr<WindowBeam> beam_;  // null: no distance is known
  uint64_t visits_ = 0;               // of a window, in this round
  WindowedPath path_;
  bool limited_ = false;
  Cost constructed_ = 0;
  Cost told_ = kInfinity;
  uint64_t told_at_ = 0;  // effort of the windows
  uint64_t passes_ = 0;   // of beams
  // For the note.
  uint64_t done_visits_ = 0;  // of the last round that searched all windows
  size_t done_window_ = 0;
  size_t beam_width_ = 0;
  size_t longest_ = 0;  // window of a beam
  bool searched_whole_ = false;
};

std::string Improve::note() const {
  if (constructed_ == 0 || searched_whole_) return "";
  std::string note = "It was constructed with a cost of " + CostText(constructed_, task_.space) + " and shortened";
  if (done_visits_ == 0) {
    return note + " in windows of few operators; that was not finished, and more time would shorten it further.";
  }
  note += ": windows of up to " + std::to_string(done_window_) + " operators are cheapest ways, where " +
          std::to_string(done_visits_) + " nodes were enough for that";
  if (beam_width_ > 0) {
    note += ", and longer ones, of up to " + std::to_string(longest_) + ", were searched by beams of " +
            std::to_string(beam_width_);
  }
  if (limited_) return note + ". More time, or a higher limit, may shorten it further.";
  return note +
         ". It ended there because it had no limit: with a limit of time or nodes it goes on until then, and with a "
         "larger 'nodes' or 'window' it ends later.";
}

}  // namespace

std::unique_ptr<Algorithm> MakeImprove(const Task& task) { return std::make_unique<Improve>(task); }

}  // namespace astrolabe::engine
