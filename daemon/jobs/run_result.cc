#include "daemon/jobs/run_result.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

constexpr size_t kMaxIterations = 200;
constexpr size_t kMaxResultBytes = 1000 << 10;

void FillFromHeard(const LastHeard& heard, v1::Result* result) {
  const v1::Progress& progress = heard.progress;
  v1::Statistics* statistics = result->mutable_statistics();
  statistics->set_expanded(progress.expanded());
  statistics->set_generated(progress.generated());
  statistics->set_stored(progress.stored());
  statistics->set_max_open(progress.open());
  statistics->set_peak_memory_bytes(progress.memory_bytes());
  if (heard.search_time.count() > 0) *statistics->mutable_search_time() = ToProto(heard.search_time);
  for (const v1::Iteration& iteration : heard.iterations) *statistics->add_iterations() = iteration;
  result->set_cost_scale(1);
  result->set_proof(v1::PROOF_NONE);
  std::optional<int64_t> bound;
  if (heard.best && heard.best->has_lower_bound()) bound = heard.best->lower_bound();
  if (heard.bounds_are_proven && progress.f_bound() > bound.value_or(0)) bound = progress.f_bound();
  if (bound) result->set_lower_bound(*bound);
  if (heard.best) {
    result->add_notes("a solution of cost " + std::to_string(heard.best->cost()) +
                      " had been found; its path went with the worker");
  }
}

std::string StopSentence(StopCause cause) {
  switch (cause) {
    case StopCause::kCancel:
      return "The job was cancelled";
    case StopCause::kInterrupt:
      return "The server stopped the job because it shuts down";
    case StopCause::kWallTime:
      return "The wall-clock limit was reached";
    case StopCause::kMemory:
      return "The worker's memory grew beyond the limit and it was ended";
    case StopCause::kQueueTimeout:
      return "The job waited in the queue for longer than its queue_timeout";
  }
  return {};
}

// The codes a worker may report; anything else is not trusted.
bool KnownCode(const std::string& code) {
  static constexpr const char* kCodes[] = {"THREW",        "CRASHED", "EXITED", "CONTRACT_VIOLATION",
                                           "UNRESPONSIVE", "KILLED"};
  return std::find(std::begin(kCodes), std::end(kCodes), code) != std::end(kCodes);
}

}  // namespace

void LastHeard::Hear(const v1::Progress& news) {
  const int64_t expanded = std::max(progress.expanded(), news.expanded());
  const int64_t generated = std::max(progress.generated(), news.generated());
  progress = news;
  progress.set_expanded(expanded);
  progress.set_generated(generated);
}

void LastHeard::Hear(const v1::Improvement& improvement) {
  if (!best || improvement.cost() <= best->cost()) best = improvement;
}

void LastHeard::Hear(const v1::Iteration& iteration) {
  iterations.push_back(iteration);
  if (iterations.size() > kMaxIterations) iterations.pop_front();
}

v1::Result StoppedResult(StopCause cause, const LastHeard& heard, bool by_force) {
  v1::Result result;
  FillFromHeard(heard, &result);
  switch (cause) {
    case StopCause::kCancel:
      result.set_outcome(v1::OUTCOME_CANCELLED);
      break;
    case StopCause::kInterrupt:
      result.set_outcome(v1::OUTCOME_INTERRUPTED);
      break;
    case StopCause::kWallTime:
      result.set_limit(v1::LIMIT_KIND_WALL_TIME);
      break;
    case StopCause::kMemory:
      result.set_limit(v1::LIMIT_KIND_MEMORY);
      break;
    case StopCause::kQueueTimeout:
      result.set_limit(v1::LIMIT_KIND_QUEUE_TIMEOUT);
      break;
  }
  if (result.limit() != v1::LIMIT_KIND_UNSPECIFIED) result.set_outcome(v1::OUTCOME_LIMIT_REACHED);
  std::string sentence = StopSentence(cause);
  if (by_force) {
    if (cause != StopCause::kMemory) sentence += "; its worker did not stop by itself and was ended";
    if (!heard.stage.empty()) sentence += " in stage " + heard.stage;
    if (!heard.plugin.empty() && heard.plugin_is_sure) sentence += " of plugin " + heard.plugin;
    sentence += "; the figures are the last it reported";
  }
  result.set_explanation(sentence + ".");
  return result;
}

v1::Result FailedResult(v1::PluginFailure failure, const LastHeard& heard) {
  v1::Result result;
  FillFromHeard(heard, &result);
  result.set_outcome(v1::OUTCOME_PLUGIN_FAILED);
  result.set_explanation(Sentence(failure));
  *result.mutable_plugin_failure() = std::move(failure);
  return result;
}

v1::Result RejectedResult(const std::vector<v1::Violation>& violations) {
  v1::Result result;
  result.set_outcome(v1::OUTCOME_REJECTED);
  result.set_proof(v1::PROOF_NONE);
  result.set_cost_scale(1);
  std::string sentence;
  for (const v1::Violation& violation : violations) {
    if (!sentence.empty()) sentence += "; ";
    sentence += violation.message();
    *result.add_violations() = violation;
  }
  result.set_explanation(sentence + ".");
  return result;
}

v1::PluginFailure ToFailure(const workers::WorkerExit& exit) {
  constexpr size_t kName = 128;
  constexpr size_t kMessage = 1024;
  v1::PluginFailure failure;
  failure.set_plugin(CleanText(exit.plugin, kName));
  failure.set_stage(CleanText(exit.stage, kName));
  int signal = exit.signal;
  if (exit.crash) {
    const CrashRecord& crash = *exit.crash;
    if (crash.signal != 0) signal = crash.signal;
    const std::string code = CleanField(crash.code);
    failure.set_code(KnownCode(code) ? code : signal != 0 ? "CRASHED" : "CONTRACT_VIOLATION");
    if (const std::string plugin = CleanField(crash.plugin); !plugin.empty()) failure.set_plugin(plugin);
    if (const std::string stage = CleanField(crash.stage); !stage.empty()) failure.set_stage(stage);
    failure.set_function(CleanField(crash.function));
    failure.set_message(CleanField(crash.message));
    // What a record says of signals is only believed of real ones.
    if (signal < 0 || signal > SIGRTMAX) signal = 0;
    if (failure.code() == "THREW" || failure.code() == "CONTRACT_VIOLATION") signal = crash.signal > 0 ? signal : 0;
  } else if (!exit.protocol_error.empty()) {
    failure.set_code("CONTRACT_VIOLATION");
    failure.set_message("the worker broke the frame protocol: " + CleanText(exit.protocol_error, kMessage));
    signal = 0;
  } else if (signal == SIGKILL) {
    failure.set_code("KILLED");
    failure.set_message("the worker was killed from outside, for example by the system when memory ran out");
  } else if (signal != 0) {
    failure.set_code("CRASHED");
  } else if (exit.exit_code == kLostSocketExit) {
    failure.set_code("CONTRACT_VIOLATION");
    failure.set_message("a plugin closed the socket between the worker and the server");
  } else {
    failure.set_code("EXITED");
    failure.set_message("the worker exited with code " + std::to_string(exit.exit_code));
  }
  failure.set_signal(signal);
  failure.set_signal_name(SignalName(signal));
  return failure;
}

std::string Sentence(const v1::PluginFailure& failure) {
  const std::string& code = failure.code();
  std::string out = failure.plugin().empty() ? "The worker" : "The plugin " + failure.plugin();
  if (code == "THREW") {
    out += " threw an exception";
  } else if (code == "EXITED") {
    out += " ended the process";
  } else if (code == "CONTRACT_VIOLATION") {
    out += " broke its contract";
  } else if (code == "UNRESPONSIVE") {
    out += " did not respond";
  } else if (code == "KILLED") {
    out += "'s process was killed";
  } else {
    out += " crashed";
  }
  if (!failure.function().empty()) out += " in " + failure.function();
  if (!failure.stage().empty()) out += " in stage " + failure.stage();
  if (failure.signal() != 0) {
    out += " (signal " + std::to_string(failure.signal()) + ", " + failure.signal_name() + ")";
  }
  if (!failure.message().empty()) out += ": " + failure.message();
  if (out.back() != '.') out += '.';
  return out;
}

bool CheckWorkerResult(v1::Result* result) {
  if (result->outcome() == v1::OUTCOME_UNSPECIFIED || !v1::Outcome_IsValid(result->outcome())) return false;
  if (!v1::Proof_IsValid(result->proof()) || !v1::LimitKind_IsValid(result->limit())) return false;
  if (result->proof() == v1::PROOF_UNSPECIFIED) result->set_proof(v1::PROOF_NONE);
  result->set_cost_scale(std::max<int64_t>(1, result->cost_scale()));
  if (result->initial_state().size() > kMaxInlineBytes) result->clear_initial_state();
  if (result->final_state().size() > kMaxInlineBytes) result->clear_final_state();
  v1::Path* path = result->has_path() ? result->mutable_path() : nullptr;
  if (path != nullptr) path->set_length(std::max<int64_t>(path->length(), path->ops_size()));
  const auto cut = [&](auto clear) {
    if (path == nullptr || result->ByteSizeLong() <= kMaxResultBytes) return;
    clear();
    path->set_truncated(true);
  };
  cut([&] { path->clear_states(); });
  cut([&] { path->clear_op_names(); });
  cut([&] { path->clear_ops(); });
  if (result->ByteSizeLong() > kMaxResultBytes) result->mutable_statistics()->clear_iterations();
  return result->ByteSizeLong() <= kMaxResultBytes;
}

}  // namespace astrolabe::jobs
