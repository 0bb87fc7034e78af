#include "daemon/worker/abi_problem.h"

#include <bit>

#include "daemon/worker/abi_text.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kMaxRendered = 64 << 20;
constexpr size_t kMaxLine = 4 << 10;

}  // namespace

AbiProblem::AbiProblem(const ProblemRef& ref, std::string plugin, void* problem)
    : vtable_(ref.vtable), plugin_(std::move(plugin)), state_layout_(ref.state_layout), object_(problem) {
  calls_.problem = object_;
  calls_.ops = vtable_->ops;
  calls_.apply = vtable_->apply;
  calls_.expand = vtable_->expand;
  calls_.is_goal = vtable_->is_goal;
  calls_.inverse_op = vtable_->inverse_op;
  defect_ = ReadInfo();
  if (defect_.empty()) defect_ = ReadExtensions();
}

std::string AbiProblem::ReadExtensions() {
  if (vtable_->get_extension == nullptr) return ReadLocalExtensions();
  const auto get = [&](std::string_view id) {
    return CallPlugin("get_extension", [&] { return vtable_->get_extension(ToAbi(id)); });
  };
  const auto* kernel = static_cast<const astro_problem_ida_v1*>(get(ASTRO_PROBLEM_IDA_V1));
  if (kernel != nullptr && kernel->struct_size >= sizeof *kernel && kernel->run != nullptr) kernel_ = kernel;
  const auto* reversed = static_cast<const astro_problem_reversed_v1*>(get(ASTRO_PROBLEM_REVERSED_V1));
  if (reversed != nullptr && reversed->struct_size >= sizeof *reversed && reversed->reverse != nullptr &&
      reversed->forward_op != nullptr) {
    reversed_ = reversed;
    calls_.forward_op = reversed->forward_op;
  }
  const auto* construct = static_cast<const astro_problem_construct_v1*>(get(ASTRO_PROBLEM_CONSTRUCT_V1));
  if (construct != nullptr && construct->struct_size >= sizeof *construct && construct->construct != nullptr) {
    construct_ = construct;
  }
  if (std::string fault = ReadDistance(get(ASTRO_PROBLEM_DISTANCE_V1)); !fault.empty()) return fault;
  const auto* facts = static_cast<const astro_problem_facts_v1*>(get(ASTRO_PROBLEM_FACTS_V1));
  if (facts != nullptr && facts->struct_size >= sizeof *facts && facts->facts != nullptr) facts_ = facts;
  factored_ = static_cast<const astro_problem_factored_v1*>(get(ASTRO_PROBLEM_FACTORED_V1));
  random_state_ = static_cast<const astro_problem_random_state_v1*>(get(ASTRO_PROBLEM_RANDOM_STATE_V1));
  return ReadLocalExtensions();
}

AbiProblem::~AbiProblem() {
  CallPlugin("destroy", [&] { vtable_->destroy(object_); });
}

std::string AbiProblem::ReadInfo() {
  astro_problem_info_v1 info{};
  info.struct_size = sizeof info;
  CallPlugin("info", [&] { vtable_->info(object_, &info); });
  if (info.state_size < 1 || info.state_size > kMaxStateSize) {
    return "state_size is " + std::to_string(info.state_size) + ", but must be 1 to 16777216 bytes";
  }
  if (!std::has_single_bit(info.state_align) || info.state_align > 64) {
    return "state_align is " + std::to_string(info.state_align) + ", but must be a power of two up to 64";
  }
  if (info.cost_scale < 1) return "cost_scale is " + std::to_string(info.cost_scale) + ", but must be at least 1";
  if (info.max_op_cost < 0) return "max_op_cost is " + std::to_string(info.max_op_cost) + ", but must not be negative";
  if (info.max_ops > (1u << 24)) return "max_ops is " + std::to_string(info.max_ops) + ", above 16777216";
  info_.state_size = info.state_size;
  info_.state_align = info.state_align;
  info_.max_ops = info.max_ops;
  info_.cost_scale = info.cost_scale;
  info_.max_op_cost = info.max_op_cost;
  info_.unit_cost = (info.flags & ASTRO_PROBLEM_UNIT_COST) != 0;
  info_.undirected = (info.flags & ASTRO_PROBLEM_UNDIRECTED) != 0;
  info_.zero_costs = (info.flags & ASTRO_PROBLEM_ZERO_COSTS) != 0;
  info_.prunes_last = (info.flags & ASTRO_PROBLEM_PRUNES_LAST) != 0;
  info_.few_states = (info.flags & ASTRO_PROBLEM_FEW_STATES) != 0;
  info_.tree = (info.flags & ASTRO_PROBLEM_TREE) != 0;
  info_.no_start = (info.flags & ASTRO_PROBLEM_NO_START) != 0;
  info_.same_ops = (info.flags & ASTRO_PROBLEM_SAME_OPS) != 0;
  info_.no_goal_test = (info.flags & ASTRO_PROBLEM_NO_GOAL_TEST) != 0;
  if (info_.unit_cost && info_.zero_costs) return "the flags claim unit costs and zero costs at once";
  return "";
}

void AbiProblem::InitialState(void* out) const {
  CallPlugin("initial_state", [&] { vtable_->initial_state(object_, out); });
}

bool AbiProblem::GoalState(void* out) const {
  return CallPlugin("goal_state", [&] { return vtable_->goal_state(object_, out); }) != 0;
}

bool AbiProblem::IsGoal(const void* state) const {
  return !info_.no_goal_test && CallPlugin("is_goal", [&] { return vtable_->is_goal(object_, state); }) != 0;
}

engine::SolvableAnswer AbiProblem::IsSolvable() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!solvable_) {
    TextSink reason(kMaxLine);
    const uint32_t answer = CallPlugin("solvable", [&] { return vtable_->solvable(object_, reason.abi()); });
    solvable_.emplace();
    if (answer == ASTRO_SOLVABLE_YES) solvable_->solvable = engine::Solvable::kYes;
    if (answer == ASTRO_SOLVABLE_NO) solvable_->solvable = engine::Solvable::kNo;
    solvable_->reason = reason.Take();
  }
  return *solvable_;
}

std::optional<engine::Cost> AbiProblem::ApplyInPlace(void* state, engine::Op op) const {
  int64_t cost = 0;
  const astro_status status =
      CallPlugin("apply_in_place", [&] { return vtable_->apply_in_place(object_, state, op, &cost); });
  if (status != ASTRO_OK || cost < 0) return std::nullopt;
  return cost;
}

std::string AbiProblem::RenderState(const void* state) const {
  TextSink text(kMaxRendered);
  CallPlugin("render_state", [&] { vtable_->render_state(object_, state, text.abi()); });
  return text.Take();
}

astro_status AbiProblem::ParseState(std::string_view text, const DiagnosticCollector& diagnostics, void* out) const {
  return CallPlugin("parse_state", [&] { return vtable_->parse_state(object_, ToAbi(text), diagnostics.abi(), out); });
}

std::optional<std::string> AbiProblem::RenderStateBounded(const void* state, size_t max_bytes) const {
  TextSink text(max_bytes);
  CallPlugin("render_state", [&] { vtable_->render_state(object_, state, text.abi()); });
  if (text.overflowed()) return std::nullopt;
  return text.Take();
}

std::string AbiProblem::RenderOp(engine::Op op) const {
  TextSink text(256);
  CallPlugin("render_op", [&] { vtable_->render_op(object_, op, text.abi()); });
  return text.Take();
}

std::optional<std::string> AbiProblem::CanonicalText(size_t max_bytes) const {
  TextSink text(max_bytes);
  CallPlugin("canonical_text", [&] { vtable_->canonical_text(object_, text.abi()); });
  if (text.overflowed()) return std::nullopt;
  return text.Take();
}

std::string AbiProblem::Describe() const {
  TextSink text(kMaxLine);
  CallPlugin("describe", [&] { vtable_->describe(object_, text.abi()); });
  return text.Take();
}

std::array<uint8_t, 32> AbiProblem::Fingerprint() const {
  std::array<uint8_t, 32> out{};
  CallPlugin("fingerprint", [&] { vtable_->fingerprint(object_, out.data()); });
  return out;
}

std::string AbiProblem::FingerprintHex() const {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : Fingerprint()) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

}  // namespace astrolabe::worker
