// AbiProblem's distances between states: astro.problem.distance/1 behind the engine's interface.
#include <memory>
#include <new>
#include <string>

#include "astrolabe/abi/distance.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

class AbiDistance final : public engine::Distance {
 public:
  AbiDistance(const astro_problem_distance_v1& functions, void* meter) : close_(functions.close) {
    calls_ = {meter, functions.bind, functions.eval, functions.eval_ops};
  }
  ~AbiDistance() override {
    CallPlugin("distance.close", [&] { close_(calls_.meter); });
  }

 private:
  void (*const close_)(void* meter);
};

}  // namespace

std::string AbiProblem::ReadDistance(const void* extension) {
  const auto* const distance = static_cast<const astro_problem_distance_v1*>(extension);
  if (distance == nullptr) return "";
  if (distance->struct_size < sizeof *distance) {
    return std::string(ASTRO_PROBLEM_DISTANCE_V1) + " has struct_size " + std::to_string(distance->struct_size) +
           ", but must have at least " + std::to_string(sizeof *distance);
  }
  const char* const missing = distance->open == nullptr       ? "open"
                              : distance->close == nullptr    ? "close"
                              : distance->bind == nullptr     ? "bind"
                              : distance->eval == nullptr     ? "eval"
                              : distance->eval_ops == nullptr ? "eval_ops"
                                                              : nullptr;
  if (missing != nullptr) return std::string(ASTRO_PROBLEM_DISTANCE_V1) + " leaves out the function " + missing;
  distance_ = distance;
  return "";
}

std::unique_ptr<engine::Distance> AbiProblem::OpenDistance() const {
  if (distance_ == nullptr) return nullptr;
  void* const meter = CallPlugin("distance.open", [&] { return distance_->open(object_); });
  if (meter == nullptr) throw std::bad_alloc();
  return std::make_unique<AbiDistance>(*distance_, meter);
}

}  // namespace astrolabe::worker
