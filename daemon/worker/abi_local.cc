// What local search asks of a problem: astro.problem.factored/1 and astro.problem.random_state/1 behind the engine's
// interface.
#include "astrolabe/abi/factored.h"
#include "astrolabe/abi/random_state.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/abi_text.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kMaxStep = 256;
// A trail keeps some numbers for each variable and for each value.
constexpr uint32_t kMaxVariables = 1u << 28;

std::string BadSize(std::string_view extension, uint32_t size, size_t least) {
  return std::string(extension) + " has struct_size " + std::to_string(size) + ", but must have at least " +
         std::to_string(least);
}

std::string BadCount(std::string_view what, uint32_t count) {
  return std::string(ASTRO_PROBLEM_FACTORED_V1) + " says that there are " + std::to_string(count) + " " +
         std::string(what) + ", but must say 1 to " + std::to_string(kMaxVariables);
}

}  // namespace

std::string AbiProblem::ReadLocalExtensions() {
  if (random_state_ != nullptr) {
    if (random_state_->struct_size < sizeof *random_state_) {
      return BadSize(ASTRO_PROBLEM_RANDOM_STATE_V1, random_state_->struct_size, sizeof *random_state_);
    }
    if (random_state_->random_state == nullptr) {
      return std::string(ASTRO_PROBLEM_RANDOM_STATE_V1) + " leaves out the function random_state";
    }
  } else if (info_.no_start) {
    return "the flags say that the instance names no start, but there is no extension " +
           std::string(ASTRO_PROBLEM_RANDOM_STATE_V1) + " to make one";
  }
  if (factored_ == nullptr) return "";
  if (factored_->struct_size < sizeof *factored_) {
    return BadSize(ASTRO_PROBLEM_FACTORED_V1, factored_->struct_size, sizeof *factored_);
  }
  const char* const missing = factored_->info == nullptr          ? "info"
                              : factored_->values == nullptr      ? "values"
                              : factored_->state == nullptr       ? "state"
                              : factored_->render_step == nullptr ? "render_step"
                                                                  : nullptr;
  if (missing != nullptr) return std::string(ASTRO_PROBLEM_FACTORED_V1) + " leaves out the function " + missing;
  astro_factored_info_v1 info{};
  info.struct_size = sizeof info;
  if (CallPlugin("factored.info", [&] { return factored_->info(object_, &info); }) == 0) return "";
  if (info.variables < 1 || info.variables > kMaxVariables) return BadCount("variables", info.variables);
  if (info.values < 1 || info.values > kMaxVariables) return BadCount("values", info.values);
  factored_info_ = engine::FactoredInfo{info.variables, info.values};
  return "";
}

void AbiProblem::ValuesOf(const void* state, uint32_t* out_values) const {
  CallPlugin("factored.values", [&] { factored_->values(object_, state, out_values); });
}

void AbiProblem::StateOf(const uint32_t* values, void* out_state) const {
  CallPlugin("factored.state", [&] { factored_->state(object_, values, out_state); });
}

std::string AbiProblem::RenderStep(uint32_t variable, uint32_t value) const {
  TextSink text(kMaxStep);
  CallPlugin("factored.render_step", [&] { factored_->render_step(object_, variable, value, text.abi()); });
  return text.Take();
}

std::string AbiProblem::OpWords(engine::Op op) const {
  if (!factored_info_ || op / factored_info_->values >= factored_info_->variables) return RenderOp(op);
  return RenderStep(op / factored_info_->values, op % factored_info_->values);
}

void AbiProblem::RandomState(uint64_t seed, void* out_state) const {
  CallPlugin("random_state", [&] { random_state_->random_state(object_, seed, out_state); });
}

}  // namespace astrolabe::worker
