#include "daemon/engine/algorithms/windowed_path.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

SearchEnd Impossible(Runner& runner) {
  return runner.Break("an operator of a path, or its inverse, is not possible where it was before");
}

}  // namespace

WindowedPath::WindowedPath(const Task& task)
    : task_(task),
      from_(task.memory, StateStride(task.space.info())),
      to_(task.memory, StateStride(task.space.info())),
      done_(AccountedAllocator<Op>(task.memory)),
      ahead_(AccountedAllocator<Op>(task.memory)) {}

SearchEnd WindowedPath::Construct(Runner& runner) { return ConstructPath(task_, runner, ahead_, cost_); }

SearchEnd WindowedPath::Pass(Runner& runner, WindowFinder& finder, size_t width, size_t first,
                             const std::function<bool()>& go_on) {
  tally_ = {};
  task_.space.InitialState(from_.data());
  for (size_t wanted = first;; wanted = width) {
    Fill(wanted);
    if (window_.empty()) break;
    if (SearchEnd end = ImproveWindow(runner, finder); end != SearchEnd::kExhausted) return end;
    if (!go_on()) return SearchEnd::kBroken;
    // Its second half is looked at again, with what follows.
    const size_t kept = read_ == ahead_.size() ? 0 : window_.size() / 2;
    if (!Leave(window_.size() - kept)) return Impossible(runner);
  }
  std::swap(done_, ahead_);
  done_.clear();
  read_ = 0;
  return SearchEnd::kExhausted;
}

double WindowedPath::progress() const {
  const auto before = static_cast<double>(done_.size());
  return before / std::max(1.0, static_cast<double>(size()));
}

void WindowedPath::Fill(size_t width) {
  const size_t n = std::min(width - std::min(width, window_.size()), ahead_.size() - read_);
  const auto begin = ahead_.begin() + static_cast<std::ptrdiff_t>(read_);
  window_.insert(window_.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
  read_ += n;
}

// Moves the first operators of the window behind it. False: one is not possible.
bool WindowedPath::Leave(size_t count) {
  const auto end = window_.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto op = window_.begin(); op != end; ++op) {
    if (!task_.space.ApplyInPlace(from_.data(), *op)) return false;
  }
  done_.insert(done_.end(), window_.begin(), end);
  window_.erase(window_.begin(), end);
  return true;
}

SearchEnd WindowedPath::ImproveWindow(Runner& runner, WindowFinder& finder) {
  std::memcpy(to_.data(), from_.data(), task_.space.info().state_size);
  Cost cost = 0;
  for (const Op op : window_) {
    const std::optional<Cost> step = task_.space.ApplyInPlace(to_.data(), op);
    if (!step) return Impossible(runner);
    cost += *step;
  }
  WindowFinder::Result result = finder.Find(runner, from_.data(), to_.data(), cost);
  switch (result.end) {
    case WindowFinder::End::kStopped:
      return SearchEnd::kStopped;
    case WindowFinder::End::kBroken:
      return SearchEnd::kBroken;
    case WindowFinder::End::kTooLarge:
      ++tally_.too_large;
      return SearchEnd::kExhausted;
    case WindowFinder::End::kNothing:
      ++tally_.left;
      return SearchEnd::kExhausted;
    case WindowFinder::End::kCheaper:
      break;
  }
  ++tally_.shortened;
  cost_ -= cost - result.cost;
  window_ = std::move(result.ops);
  return SearchEnd::kExhausted;
}

bool WindowedPath::Confirm(Runner& runner, WindowFinder& finder) {
  task_.space.InitialState(from_.data());
  return finder.Confirm(runner, from_.data(), ahead_, to_.data());
}

std::vector<Op> WindowedPath::Operators() const {
  std::vector<Op> path;
  path.reserve(size());
  path.assign(done_.begin(), done_.end());
  path.insert(path.end(), window_.begin(), window_.end());
  path.insert(path.end(), ahead_.begin() + static_cast<std::ptrdiff_t>(read_), ahead_.end());
  return path;
}

}  // namespace astrolabe::engine
