// AbiProblem's constructed paths: astro.problem.construct/1 behind the engine's interface.
#include <exception>
#include <new>
#include <string>

#include "astrolabe/abi/construct.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

// What the engine's sink throws must not pass through the plugin: it waits here.
struct SinkBridge {
  engine::OpSink* sink;
  bool stopped = false;
  std::exception_ptr thrown = nullptr;

  static int32_t Write(void* ctx, const astro_op* ops, uint64_t count) noexcept {
    auto& bridge = *static_cast<SinkBridge*>(ctx);
    if (bridge.stopped) return 1;
    try {
      bridge.stopped = !bridge.sink->Take({ops, static_cast<size_t>(count)});
    } catch (...) {
      bridge.thrown = std::current_exception();
      bridge.stopped = true;
    }
    return bridge.stopped ? 1 : 0;
  }
};

}  // namespace

engine::Construction AbiProblem::Construct(engine::OpSink& sink) const {
  using End = engine::Construction::End;
  SinkBridge bridge{&sink};
  const astro_op_sink ops = {&bridge, &SinkBridge::Write};
  DiagnosticCollector diagnostics("problem");
  const astro_status status =
      CallPlugin("construct", [&] { return construct_->construct(object_, &ops, diagnostics.abi()); });
  if (bridge.thrown != nullptr) std::rethrow_exception(bridge.thrown);
  if (bridge.stopped) return {End::kStopped, ""};
  const std::string told = diagnostics.Summary();
  switch (status) {
    case ASTRO_OK:
      return {End::kDone, ""};
    case ASTRO_REFUSED:
      return {End::kRefused, told.empty() ? "the problem gave no reason" : told};
    case ASTRO_NO_MEMORY:
      throw std::bad_alloc();
    default:
      return {End::kBroken, "construct returned status " + std::to_string(status) + (told.empty() ? "" : ": " + told)};
  }
}

}  // namespace astrolabe::worker
