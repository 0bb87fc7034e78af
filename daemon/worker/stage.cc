#include "daemon/worker/stage.h"

#include <exception>

namespace astrolabe::worker {
namespace {

thread_local const char* current_function = nullptr;
// The innermost that an exception has left since one was entered.
thread_local const char* left_by_exception = nullptr;

}  // namespace

void StageTracker::Enter(std::string_view plugin, std::string_view stage) {
  internal::v1::ToDaemon frame;
  if (Change(plugin, stage, frame)) frames_->Send(frame);
}

void StageTracker::EnterWithNextFrame(std::string_view plugin, std::string_view stage) {
  internal::v1::ToDaemon frame;
  if (Change(plugin, stage, frame)) frames_->Hold(frame);
}

bool StageTracker::Change(std::string_view plugin, std::string_view stage, internal::v1::ToDaemon& frame) {
  const StageRecord* now = current_.load(std::memory_order_relaxed);
  if (now != nullptr && now->plugin == plugin && now->stage == stage) return false;
  const StageRecord* next = nullptr;
  for (const StageRecord& record : known_) {
    if (record.plugin == plugin && record.stage == stage) next = &record;
  }
  if (next == nullptr) next = &known_.emplace_back(StageRecord{std::string(plugin), std::string(stage)});
  current_.store(next, std::memory_order_release);
  frame.mutable_stage()->set_plugin(next->plugin);
  frame.mutable_stage()->set_stage(next->stage);
  return true;
}

const char* CurrentFunction() noexcept { return current_function; }

const char* ThrowingFunction() noexcept { return left_by_exception != nullptr ? left_by_exception : current_function; }

FunctionScope::FunctionScope(const char* function) noexcept : outer_(current_function) {
  current_function = function;
  left_by_exception = nullptr;
}

FunctionScope::~FunctionScope() {
  if (left_by_exception == nullptr && std::uncaught_exceptions() > 0) left_by_exception = current_function;
  current_function = outer_;
}

}  // namespace astrolabe::worker
