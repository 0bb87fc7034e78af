// JobRun: the ways a job ends, and its last frames.
#include <algorithm>

#include "daemon/worker/job_run.h"
#include "daemon/worker/result_builder.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {

bool JobRun::End(const Refusal& refusal) {
  switch (refusal.kind) {
    case Refusal::Kind::kStopped:
      return EndStopped();
    case Refusal::Kind::kNoMemory:
      return EndOutOfMemory("a plugin");
    case Refusal::Kind::kPluginFailed:
      result_.set_outcome(v1::OUTCOME_PLUGIN_FAILED);
      *result_.mutable_plugin_failure() = refusal.failure;
      result_.set_explanation(refusal.failure.plugin() + ": " + refusal.failure.message());
      return false;
    case Refusal::Kind::kRejected:
      break;
  }
  result_.set_outcome(v1::OUTCOME_REJECTED);
  for (const v1::Violation& violation : refusal.violations) *result_.add_violations() = violation;
  if (!refusal.violations.empty()) result_.set_explanation(refusal.violations.front().message());
  return false;
}

bool JobRun::EndStopped() {
  switch (control_->token().cause()) {
    case engine::StopCause::kWallTime:
      result_.set_outcome(v1::OUTCOME_LIMIT_REACHED);
      result_.set_limit(v1::LIMIT_KIND_WALL_TIME);
      result_.set_explanation("the wall time ran out before the search began");
      break;
    case engine::StopCause::kInterrupt:
      result_.set_outcome(v1::OUTCOME_INTERRUPTED);
      result_.set_explanation("the server interrupted the job before the search began");
      break;
    default:
      result_.set_outcome(v1::OUTCOME_CANCELLED);
      result_.set_explanation("the job was cancelled before the search began");
  }
  return false;
}

bool JobRun::StoppedBetweenSteps() {
  if (!control_->ShouldStop()) return false;
  EndStopped();
  return true;
}

bool JobRun::EndOutOfMemory(std::string_view where) {
  if (data_limit_) data_limit_->Lift();
  result_.set_outcome(v1::OUTCOME_LIMIT_REACHED);
  result_.set_limit(v1::LIMIT_KIND_MEMORY);
  result_.set_explanation(std::string(where) + " used up the memory of the job");
  return false;
}

bool JobRun::Reject(std::string field, std::string message, std::string hint) {
  Refusal refusal;
  v1::Violation& violation = refusal.violations.emplace_back();
  violation.set_field(std::move(field));
  violation.set_message(std::move(message));
  violation.set_hint(std::move(hint));
  return End(refusal);
}

void JobRun::FillProvenance() {
  v1::Provenance& provenance = *result_.mutable_provenance();
  for (const internal::v1::PluginFile& file : request_.plugins()) {
    v1::PluginUsed& used = *provenance.add_plugins();
    used.set_id(file.id());
    used.set_version(file.version());
    used.set_sha256(file.sha256());
    used.set_generation(file.generation());
  }
  provenance.set_seed(spec_.seed());
  provenance.set_threads(threads_);
  provenance.set_algorithm(spec_.algorithm().id());
  if (SearchesByHeuristics()) {
    for (const v1::HeuristicUse& use : spec_.heuristics()) provenance.add_heuristics(use.id());
  }
  if (problem_ != nullptr) provenance.set_instance_fingerprint(problem_->FingerprintHex());
  for (const CacheUse& use : cache_uses_.list()) {
    v1::CacheFileUsed& file = *provenance.add_cache_files();
    file.set_id(use.id);
    file.set_description(use.description);
    file.set_size_bytes(static_cast<int64_t>(use.file_size > 0 ? use.file_size : use.data_size));
    file.set_made(use.made);
    file.set_in_memory(use.file_size == 0);
    if (use.made) SetDuration(use.make_time, file.mutable_make_time());
  }
}

std::string JobRun::RecycleReason() const {
  if (!recycle_.empty()) return recycle_;
  if (result_.outcome() == v1::OUTCOME_PLUGIN_FAILED) return "a plugin failed: " + result_.plugin_failure().message();
  if (!broken_.empty()) return "a plugin broke a rule: " + broken_.front();
  // The next job is to try the disk again, and not to hold memory that nobody charged it for.
  const auto& uses = cache_uses_.list();
  if (std::ranges::any_of(uses, [](const CacheUse& use) { return use.file_size == 0; })) {
    return "a table is in its memory and not on disk";
  }
  // What a plugin had taken when there was no more, nobody can give back.
  if (result_.limit() == v1::LIMIT_KIND_MEMORY) return "the job used up its memory";
  const uint64_t accounted = static_cast<uint64_t>(std::max<int64_t>(engine_peak_, 0)) + budget_.peak();
  if (std::max(accounted, ResidentAnonymousBytes()) > kLargeMemory) return "the job used much memory";
  return "";
}

void JobRun::FillMoves() {
  if (result_.outcome() == v1::OUTCOME_UNSOLVABLE) {
    result_.set_moves(-1);
  } else if (result_.has_path()) {
    result_.set_moves(result_.path().length());
  }
}

void JobRun::Finish() {
  if (problem_ != nullptr) {
    worker_.stage->Enter(problem_->plugin(), "extract");
    if (!has_content_) {
      FillContent(*problem_, nullptr, content_, result_);
      has_content_ = true;
    }
    // Of an instance that names no start it is any state.
    if (result_.initial_state().empty() && !problem_->info().no_start) {
      StateBuffer state(problem_->info().state_size, problem_->info().state_align);
      problem_->InitialState(state.data());
      if (auto text = problem_->RenderStateBounded(state.data(), kMaxInlineState)) result_.set_initial_state(*text);
    }
    if (!result_.statistics().has_prepare_time()) {
      SetDuration(std::chrono::steady_clock::now() - start_, result_.mutable_statistics()->mutable_prepare_time());
    }
  }
  FillMoves();
  FillProvenance();
  // Contexts before their heuristics, heuristics before the problem, all before the hosts they hold.
  for (std::vector<MadeHeuristic>* heuristics : {&heuristics_, &reversed_heuristics_}) {
    for (MadeHeuristic& heuristic : *heuristics) {
      heuristic.evaluators.clear();
      heuristic.object.reset();
    }
  }
  reversed_.reset();
  problem_.reset();
  for (std::string& line : before_.Restore()) broken_.push_back(std::move(line));
  for (std::string& line : before_.Leaks()) broken_.push_back(std::move(line));
  for (const std::string& line : broken_)
    worker_.log->Write(v1::LOG_LEVEL_WARNING, "worker", "a plugin broke a rule: " + line);
  worker_.log->Finish();
  worker_.stage->EnterWithNextFrame("", "");

  if (has_content_) {
    internal::v1::ToDaemon message;
    *message.mutable_content() = std::move(content_);
    worker_.frames->Hold(message);
  }
  internal::v1::ToDaemon message;
  message.set_recycle(RecycleReason());
  *message.mutable_result() = std::move(result_);
  worker_.frames->Send(message);
}

}  // namespace astrolabe::worker
