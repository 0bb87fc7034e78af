#include "daemon/engine/algorithms/improve.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/constructed_path.h"
#include "daemon/engine/algorithms/window_deepening.h"
#include "daemon/engine/algorithms/window_search.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

// Memory of one window's nodes: it is made anew for each.
constexpr size_t kWindowBytes = size_t{64} << 20;
constexpr size_t kFirstWindow = 12;
// Up to here each pass takes wider windows; from here on only when nothing more is found, since they cost far more.
constexpr size_t kQuickWindow = 40;
constexpr uint64_t kVisitsForOneKept = 10;  // of the same time

std::unique_ptr<WindowFinder> MakeFinder(const Task& task) {
  const auto nodes = static_cast<size_t>(task.params.Get<int64_t>("nodes"));
  if (WindowDeepening::Fits(task.space.info())) {
    if (auto distance = task.space.OpenDistance()) {
      return std::make_unique<WindowDeepening>(task, std::move(distance), nodes * kVisitsForOneKept);
    }
  }
  const size_t fitting = kWindowBytes / StateStride(task.space.info());
  return std::make_unique<WindowSearch>(task, std::max<size_t>(100, std::min(nodes, fitting)));
}

// The path is, at any time: what this pass has done with, the window, and what it has not come to.
class Improve final : public Algorithm {
 public:
  explicit Improve(const Task& task)
      : task_(task),
        widest_(static_cast<size_t>(task.params.Get<int64_t>("window"))),
        windows_(MakeFinder(task)),
        from_(task.memory, StateStride(task.space.info())),
        to_(task.memory, StateStride(task.space.info())),
        done_(AccountedAllocator<Op>(task.memory)),
        ahead_(AccountedAllocator<Op>(task.memory)) {}

  SearchEnd Search(Runner& runner) override {
    if (SearchEnd end = ConstructPath(task_, runner, ahead_, cost_); end != SearchEnd::kSolved) return end;
    if (!Tell(runner)) return SearchEnd::kBroken;
    for (size_t width = std::min(kFirstWindow, widest_);;) {
      const Cost before = cost_;
      const bool one_window = ahead_.size() <= width;
      too_large_ = fitting_ = 0;
      if (SearchEnd end = Pass(runner, width); end != SearchEnd::kExhausted) {
        const bool stopped_better = end == SearchEnd::kStopped && cost_ < told_;
        return stopped_better && !runner.LastSolution() ? SearchEnd::kBroken : end;
      }
      if (cost_ < told_ && !Tell(runner)) return SearchEnd::kBroken;
      if (one_window && too_large_ == 0) {
        // There is nothing cheaper to where it ends.
        if (!task_.space.GoalState(to_.data())) return SearchEnd::kSolved;
        task_.space.InitialState(from_.data());
        if (!windows_->Confirm(runner, from_.data(), ahead_, to_.data())) return SearchEnd::kBroken;
        runner.RaiseLowerBound(cost_);
        return SearchEnd::kSolved;
      }
      const bool quick = width < std::min(kQuickWindow, widest_) && fitting_ > 0;
      if (!quick && cost_ < before) continue;
      if (!quick && too_large_ > 0 && windows_->AllowMore()) continue;
      if (width == widest_ || fitting_ == 0) return SearchEnd::kSolved;
      width = std::min(quick ? std::min(kQuickWindow, widest_) : widest_, width + width / 2);
    }
  }

  bool Extract(Runner&, Solution& solution) override {
    solution.path.assign(done_.begin(), done_.end());
    solution.path.insert(solution.path.end(), window_.begin(), window_.end());
    solution.path.insert(solution.path.end(), ahead_.begin() + static_cast<std::ptrdiff_t>(read_), ahead_.end());
    solution.cost = cost_;
    return true;
  }

  Gauges Observe() const override { return {.stored = static_cast<int64_t>(windows_->max_stored())}; }
  Guarantee guarantee() const override {
    return {.kind = Guarantee::kNothing, .needs_admissible = false, .uses_heuristics = false};
  }

 private:
  bool Tell(Runner& runner) {
    told_ = cost_;
    told_at_ = windows_->effort();
    return runner.NewSolution();
  }
  // Telling replays the whole path: only when that is little beside what was searched since.
  bool worth_telling() const {
    constexpr uint64_t kLeast = 16'000;
    return cost_ < told_ && windows_->effort() - told_at_ > kLeast + 4 * (done_.size() + ahead_.size() - read_);
  }

  // Once along the path with windows of so many operators. kExhausted: through; the path is in ahead_ then.
  SearchEnd Pass(Runner& runner, size_t width) {
    task_.space.InitialState(from_.data());
    for (;;) {
      const size_t n = std::min(width - std::min(width, window_.size()), ahead_.size() - read_);
      window_.insert(window_.end(), ahead_.begin() + static_cast<std::ptrdiff_t>(read_),
                     ahead_.begin() + static_cast<std::ptrdiff_t>(read_ + n));
      read_ += n;
      if (window_.empty()) break;
      if (SearchEnd end = ImproveWindow(runner); end != SearchEnd::kExhausted) return end;
      if (worth_telling() && !Tell(runner)) return SearchEnd::kBroken;
      // Its second half is looked at again, with what follows.
      const size_t kept = read_ == ahead_.size() ? 0 : window_.size() / 2;
      if (!Leave(window_.size() - kept)) return Impossible(runner);
    }
    std::swap(done_, ahead_);
    done_.clear();
    read_ = 0;
    return SearchEnd::kExhausted;
  }

  // Moves the first operators of the window behind it. False: one is not possible.
  bool Leave(size_t count) {
    const auto end = window_.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto op = window_.begin(); op != end; ++op) {
      if (!task_.space.ApplyInPlace(from_.data(), *op)) return false;
    }
    done_.insert(done_.end(), window_.begin(), end);
    window_.erase(window_.begin(), end);
    return true;
  }

  SearchEnd ImproveWindow(Runner& runner) {
    std::memcpy(to_.data(), from_.data(), task_.space.info().state_size);
    Cost cost = 0;
    for (const Op op : window_) {
      const std::optional<Cost> step = task_.space.ApplyInPlace(to_.data(), op);
      if (!step) return Impossible(runner);
      cost += *step;
    }
    WindowFinder::Result result = windows_->Find(runner, from_.data(), to_.data(), cost);
    switch (result.end) {
      case WindowFinder::End::kStopped:
        return SearchEnd::kStopped;
      case WindowFinder::End::kBroken:
        return SearchEnd::kBroken;
      case WindowFinder::End::kTooLarge:
        ++too_large_;
        return SearchEnd::kExhausted;
      case WindowFinder::End::kNothing:
        ++fitting_;
        return SearchEnd::kExhausted;
      case WindowFinder::End::kCheaper:
        break;
    }
    ++fitting_;
    cost_ -= cost - result.cost;
    window_ = std::move(result.ops);
    return SearchEnd::kExhausted;
  }

  static SearchEnd Impossible(Runner& runner) {
    return runner.Break("an operator of a path, or its inverse, is not possible where it was before");
  }

  const Task& task_;
  const size_t widest_;
  const std::unique_ptr<WindowFinder> windows_;
  Block from_;  // where the window begins
  Block to_;    // and ends
  AccountedPath done_;
  std::vector<Op> window_;
  AccountedPath ahead_;
  size_t read_ = 0;  // of ahead_
  Cost cost_ = 0;    // of the whole path
  Cost told_ = kInfinity;
  uint64_t told_at_ = 0;    // effort of the windows
  uint64_t too_large_ = 0;  // windows of this pass
  uint64_t fitting_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> MakeImprove(const Task& task) { return std::make_unique<Improve>(task); }

}  // namespace astrolabe::engine
