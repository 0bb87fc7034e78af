#include "daemon/worker/result_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "daemon/base/utf8.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {
namespace {

// Most iterations that go into a result; the first and the last are the telling ones.
constexpr size_t kMaxIterations = 2000;

// How the engine begins when it caught an exception; a test holds the two together.
constexpr std::string_view kThrewPrefix = "an exception came out of a plugin: ";

size_t EncodedSize(std::span<const engine::Op> ops) {
  size_t size = 0;
  for (engine::Op op : ops) size += (static_cast<size_t>(std::bit_width(op | 1u)) + 6) / 7;
  return size;
}

// Adds texts while they fit; none at all when they do not all fit.
class BoundedTexts {
 public:
  BoundedTexts(google::protobuf::RepeatedPtrField<std::string>* out, size_t max_bytes)
      : out_(out), max_bytes_(max_bytes) {}
  bool overflowed() const { return overflowed_; }
  size_t room() const { return max_bytes_ - bytes_; }
  void Add(std::string text) {
    if (overflowed_) return;
    const size_t size = text.size() + 4;
    if (size > room()) return GiveUp();
    bytes_ += size;
    *out_->Add() = std::move(text);
  }
  void GiveUp() {
    overflowed_ = true;
    out_->Clear();
  }

 private:
  google::protobuf::RepeatedPtrField<std::string>* const out_;
  const size_t max_bytes_;
  size_t bytes_ = 0;
  bool overflowed_ = false;
};

void FillLocal(const engine::LocalStatistics& from, v1::LocalStatistics& out) {
  out.set_climbs(from.climbs);
  out.set_solved(from.solved);
  out.set_stuck(from.stuck);
  out.set_steps(from.steps);
  out.set_steps_solved(from.steps_solved);
  out.set_steps_stuck(from.steps_stuck);
  out.set_sideways_steps(from.sideways_steps);
  out.set_worsening_steps(from.worsening_steps);
}

void FillStatistics(const engine::SearchStatistics& from, v1::Statistics& out) {
  out.set_expanded(from.expanded);
  out.set_generated(from.generated);
  out.set_reopened(from.reopened);
  out.set_duplicates(from.duplicates);
  out.set_max_open(from.max_open);
  out.set_stored(from.stored);
  out.set_peak_memory_bytes(from.peak_memory_bytes);
  if (from.stored > 0) {
    out.set_bytes_per_node(static_cast<double>(from.peak_memory_bytes) / static_cast<double>(from.stored));
  }
  SetDuration(from.search_time, out.mutable_search_time());
  SetDuration(from.extract_time, out.mutable_extract_time());
  out.set_initial_h(from.initial_h);
  if (from.local) FillLocal(*from.local, *out.mutable_local());
  const size_t count = from.iterations.size();
  for (size_t i = 0; i < count; ++i) {
    const bool kept = count <= kMaxIterations || i < kMaxIterations / 2 || i >= count - kMaxIterations / 2;
    if (kept) FillIteration(from.iterations[i], *out.add_iterations());
  }
}

std::optional<std::string> RenderFinal(const AbiProblem& problem, const engine::SearchResult& found, size_t max_bytes) {
  StateBuffer state(problem.info().state_size, problem.info().state_align);
  if (found.final_state.size() != problem.info().state_size) return std::nullopt;
  std::memcpy(state.data(), found.final_state.data(), found.final_state.size());
  return problem.RenderStateBounded(state.data(), max_bytes);
}

}  // namespace

void SetDuration(std::chrono::nanoseconds duration, google::protobuf::Duration* out) {
  out->set_seconds(duration.count() / 1'000'000'000);
  out->set_nanos(static_cast<int32_t>(duration.count() % 1'000'000'000));
}

void FillIteration(const engine::IterationStats& iteration, v1::Iteration& out) {
  out.set_bound(iteration.bound);
  out.set_expanded(iteration.expanded);
  out.set_generated(iteration.generated);
  SetDuration(iteration.time, out.mutable_time());
}

void FillOutcome(const engine::SearchResult& result, v1::Result& out) {
  out.set_outcome(static_cast<v1::Outcome>(result.outcome));
  out.set_limit(static_cast<v1::LimitKind>(result.limit));
  out.set_proof(static_cast<v1::Proof>(result.proof));
  out.set_bound_factor(result.bound_factor);
  if (result.cost) out.set_cost(*result.cost);
  if (result.lower_bound) out.set_lower_bound(*result.lower_bound);
  if (result.objective) {
    out.set_objective(*result.objective);
    out.set_objective_name(ToValidUtf8(result.objective_name));
  }
  out.set_solution_count(result.solution_count);
  out.set_verified(result.verified);
  for (const engine::Violation& from : result.violations) {
    v1::Violation& violation = *out.add_violations();
    violation.set_field(from.field);
    violation.set_message(from.message);
    violation.set_expected(from.expected);
    violation.set_hint(from.hint);
  }
  for (const engine::ClaimRefuted& from : result.refuted_claims) {
    v1::ClaimRefuted& refuted = *out.add_refuted_claims();
    refuted.set_heuristic(from.heuristic);
    refuted.set_claim(from.claim);
    if (from.state.size() <= kMaxInlineState) refuted.set_state(from.state);
    refuted.set_h(from.h);
    refuted.set_remaining_cost(from.remaining_cost);
  }
  out.mutable_provenance()->set_tier(static_cast<v1::EngineTier>(result.tier));
  out.set_explanation(ToValidUtf8(result.explanation));
  FillStatistics(result.statistics, *out.mutable_statistics());
}

v1::PluginFailure FailureOf(const engine::SearchResult& result, std::string_view plugin, std::string_view stage) {
  v1::PluginFailure failure;
  failure.set_plugin(std::string(plugin));
  failure.set_stage(std::string(stage));
  std::string_view what = result.contract_violation;
  const bool threw = what.substr(0, kThrewPrefix.size()) == kThrewPrefix;
  if (threw) what.remove_prefix(kThrewPrefix.size());
  failure.set_code(threw ? "THREW" : "CONTRACT_VIOLATION");
  failure.set_message(ToValidUtf8(what));
  return failure;
}

void FillPath(const AbiProblem& problem, const engine::SearchResult& found, v1::Result& out) {
  const std::vector<engine::Op>& ops = found.path;
  v1::Path& path = *out.mutable_path();
  path.set_length(static_cast<int64_t>(ops.size()));
  const bool ops_fit = EncodedSize(ops) <= kMaxInlineOps;
  if (ops_fit) path.mutable_ops()->Add(ops.begin(), ops.end());

  const bool is_short = ops.size() <= kAlwaysNamed;
  BoundedTexts names(path.mutable_op_names(), is_short ? kMaxInlineNames : kSmallText);
  for (size_t i = 0; ops_fit && i < ops.size() && !names.overflowed(); ++i) names.Add(problem.RenderOp(ops[i]));

  StateBuffer state(problem.info().state_size, problem.info().state_align);
  problem.InitialState(state.data());
  const auto initial = problem.RenderStateBounded(state.data(), kMaxInlineState);
  if (initial) out.set_initial_state(*initial);

  BoundedTexts states(path.mutable_states(), is_short ? kMaxInlineStates : kSmallText);
  // Most problems render every state to about the same size: see at once when it cannot fit.
  if (!ops_fit || !initial || initial->size() * ops.size() > states.room()) states.GiveUp();
  if (!states.overflowed()) states.Add(*initial);
  for (size_t i = 0; i < ops.size() && !states.overflowed(); ++i) {
    if (!problem.ApplyInPlace(state.data(), ops[i])) return states.GiveUp();  // the engine has told already
    auto text = problem.RenderStateBounded(state.data(), states.room());
    if (text) {
      states.Add(*std::move(text));
    } else {
      states.GiveUp();
    }
  }
  path.set_truncated(!ops_fit || names.overflowed() || states.overflowed());
}

void FillFinalState(const AbiProblem& problem, const engine::SearchResult& found, v1::Result& out) {
  if (auto final_state = RenderFinal(problem, found, kMaxInlineState)) out.set_final_state(*std::move(final_state));
}

void FillContent(const AbiProblem& problem, const engine::SearchResult* result, internal::v1::JobContent& content,
                 v1::Result& out) {
  if (auto text = problem.CanonicalText(kMaxContentText)) {
    content.set_canonical_instance(*std::move(text));
  } else {
    out.add_notes("the canonical instance is too large to be kept");
  }
  if (result == nullptr || result->final_state.empty()) return;
  // Rendered already, unless it is large.
  if (!out.final_state().empty()) {
    content.set_final_state(out.final_state());
  } else if (auto text = RenderFinal(problem, *result, kMaxContentText)) {
    content.set_final_state(*std::move(text));
  } else {
    out.add_notes("the final state is too large to be kept");
  }
}

bool FillPathPieces(std::span<const engine::Op> path, const std::function<void(internal::v1::JobContent)>& send,
                    internal::v1::JobContent& last) {
  static_assert(std::endian::native == std::endian::little);
  if (path.size() > kMaxContentOps) return false;
  const auto path_bytes = static_cast<int64_t>(path.size() * sizeof(engine::Op));
  for (; path.size() > kContentPieceOps; path = path.subspan(kContentPieceOps)) {
    internal::v1::JobContent piece;
    piece.set_path_ops(path.data(), kContentPieceOps * sizeof(engine::Op));
    piece.set_path_bytes(path_bytes);
    send(std::move(piece));
  }
  last.set_path_ops(path.data(), path.size() * sizeof(engine::Op));
  last.set_path_bytes(path_bytes);
  return true;
}

}  // namespace astrolabe::worker
