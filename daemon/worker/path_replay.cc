#include "daemon/worker/path_replay.h"

#include <algorithm>
#include <cstring>

#include "daemon/base/utf8.h"
#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

// Of the operators that a message names.
constexpr size_t kMaxNamed = 8;
constexpr size_t kMaxQuoted = 64;

std::string Quoted(std::string_view word) {
  if (word.size() <= kMaxQuoted) return "\"" + std::string(word) + "\"";
  return "\"" + ToValidUtf8(word.substr(0, kMaxQuoted)) + "...\"";
}

}  // namespace

PathReplay::PathReplay(const AbiProblem& problem)
    : problem_(problem),
      state_(problem.info().state_size, problem.info().state_align),
      before_(problem.info().state_size, problem.info().state_align) {
  problem_.InitialState(state_.data());
}

bool PathReplay::Move(engine::Op op) { return Make(op, ""); }

bool PathReplay::Move(std::string_view word) {
  if (!FindOps()) return false;
  for (const engine::Op op : ops_) {
    if (WordOf(op) == word) return Make(op, word);
  }
  return Impossible(Quoted(word));
}

// `word`: what the path calls it; empty: by its number.
bool PathReplay::Make(engine::Op op, std::string_view word) {
  // A move cannot be taken back, and to copy every state would be dear.
  engine::Cost sum = 0;
  const bool may_overflow = __builtin_add_overflow(cost_, problem_.info().max_op_cost, &sum);
  if (may_overflow) std::memcpy(before_.data(), state_.data(), problem_.info().state_size);
  const std::optional<engine::Cost> step = problem_.ApplyInPlace(state_.data(), op);
  if (!step) return Impossible(word.empty() ? "operator " + std::to_string(op) : Quoted(word));
  if (__builtin_add_overflow(cost_, *step, &sum)) {
    if (!may_overflow) {
      FailProcess("CONTRACT_VIOLATION", problem_.plugin(), "apply_in_place", "an operator costs more than max_op_cost");
    }
    std::memcpy(state_.data(), before_.data(), problem_.info().state_size);
    violation_ = "the costs of the moves add up to more than 2^63 - 1 units";
    return false;
  }
  cost_ = sum;
  ++length_;
  return true;
}

bool PathReplay::Impossible(std::string_view move) {
  const std::string possible = FindOps() ? PossibleWords() : "";
  violation_ = std::string(move) + " is not possible here";
  if (!possible.empty()) violation_ += "; expected " + possible;
  return false;
}

bool PathReplay::FindOps() {
  const uint32_t most = problem_.info().max_ops;
  if (most == 0) {
    violation_ = "this problem does not list the operators of a state, so that its moves must be numbers";
    return false;
  }
  ops_.resize(most);
  const engine::SpaceCalls& calls = problem_.calls();
  const uint32_t count =
      CallPlugin("ops", [&] { return calls.ops(calls.problem, state_.data(), engine::kNoOp, ops_.data(), nullptr); });
  ops_.resize(std::min(count, most));
  return true;
}

const std::string& PathReplay::WordOf(engine::Op op) {
  const auto known = words_.find(op);
  if (known != words_.end()) return known->second;
  if (words_.size() >= kMaxKnownWords) words_.clear();
  return words_.emplace(op, problem_.RenderOp(op)).first->second;
}

std::string PathReplay::PossibleWords() {
  std::string text;
  const size_t named = std::min(ops_.size(), kMaxNamed);
  for (size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == named && named == ops_.size();
    text += (i == 0 ? "" : last ? " or " : ", ") + WordOf(ops_[i]);
  }
  if (named < ops_.size()) {
    const size_t others = ops_.size() - named;
    text += others == 1 ? " or one other" : " or one of " + std::to_string(others) + " others";
  }
  return text.empty() ? "no move: this state has no operators" : text;
}

}  // namespace astrolabe::worker
