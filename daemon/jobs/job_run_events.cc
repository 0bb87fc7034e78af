// What a worker sends during a run. On the pool's reader thread; all of it untrusted.
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/job_run.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {

using internal::v1::ToDaemon;

void JobRun::OnMessage(ToDaemon message) {
  const auto self = shared_from_this();
  if (ended()) return;
  if (message.message_case() != ToDaemon::kLog) heard_any_.store(true, std::memory_order_relaxed);
  Outbox out;
  switch (message.message_case()) {
    case ToDaemon::kStage: {
      std::lock_guard lock(mu_);
      heard_.plugin = CleanText(message.stage().plugin(), 128);
      heard_.plugin_is_sure =
          message.stage().stage() != "search" || heard_.stage == "search" || plan_.pins.files.size() == 1;
      heard_.stage = CleanText(message.stage().stage(), 64);
      return;
    }
    case ToDaemon::kLoaded:
      for (const std::string& warning : message.loaded().warnings()) {
        v1::LogLine line;
        line.set_level(v1::LOG_LEVEL_WARNING);
        line.set_source(message.loaded().id());
        line.set_text(warning);
        Log(line);
      }
      return;
    case ToDaemon::kState:
      // DONE is ours alone to say.
      if (const auto state = FromProto(message.state().state()); state && *state != JobState::kDone) {
        if (*state == JobState::kSearching) {
          std::lock_guard lock(mu_);
          if (!searching_since_) searching_since_ = context_.timers->now();
        }
        context_.host->OnRunState(this, *state);
      }
      return;
    case ToDaemon::kPreparing:
      if (const auto report = preparing_filter_.Pass(message.preparing(), context_.timers->now())) {
        plan_.log->Append(EntryKind::kThinnable, Encode(*report), &out);
      }
      return;
    case ToDaemon::kProgress: {
      v1::Progress merged;
      {
        std::lock_guard lock(mu_);
        heard_.Hear(message.progress());
        merged = heard_.progress;
      }
      return context_.host->OnRunProgress(this, merged);
    }
    case ToDaemon::kIteration: {
      {
        std::lock_guard lock(mu_);
        heard_.Hear(message.iteration());
      }
      return plan_.log->Append(EntryKind::kThinnable, Encode(message.iteration()), &out);
    }
    case ToDaemon::kImprovement: {
      const v1::Improvement& improvement = message.improvement();
      {
        std::lock_guard lock(mu_);
        heard_.Hear(improvement);
      }
      return plan_.log->Append(EntryKind::kImprovement, Encode(improvement), &out, improvement.cost());
    }
    case ToDaemon::kLog:
      return Log(message.log());
    case ToDaemon::kContent:
      return content_.Add(std::move(*message.mutable_content()));
    case ToDaemon::kResult:
      return OnResult(std::move(*message.mutable_result()), message.recycle());
    case ToDaemon::kHello:
    case ToDaemon::kValidated:
    case ToDaemon::kEvaluated:
    case ToDaemon::kPathWanted:
    case ToDaemon::kPathChecked:
    case ToDaemon::kProbed:
    case ToDaemon::kPreloaded:
    case ToDaemon::MESSAGE_NOT_SET:
      return;  // not of a job
  }
}

void JobRun::Log(const v1::LogLine& line) {
  Outbox out;
  if (const auto passed = log_filter_.Pass(line)) plan_.log->Append(EntryKind::kThinnable, Encode(*passed), &out);
}

void JobRun::OnNodeBatch(int64_t first_ordinal, int64_t count, std::string batch) {
  const auto self = shared_from_this();
  if (ended() || plan_.spec->events().kinds_size() == 0) return;
  heard_any_.store(true, std::memory_order_relaxed);
  context_.host->OnRunBytes();
  bool in_credit = false;
  {
    Outbox out;
    in_credit = plan_.log->AppendNodes(first_ordinal, count, std::move(batch), &out);
  }
  if (in_credit) return;
  v1::PluginFailure failure;
  failure.set_code("CONTRACT_VIOLATION");
  failure.set_stage(heard().stage);
  failure.set_message("the worker sent more node events than it was allowed to");
  KillAndEnd(FailedResult(std::move(failure), heard()));
}

void JobRun::OnResult(v1::Result result, const std::string& recycle) {
  if (!CheckWorkerResult(&result)) {
    v1::PluginFailure failure;
    failure.set_code("CONTRACT_VIOLATION");
    failure.set_plugin(heard().plugin);
    failure.set_stage(heard().stage);
    failure.set_message("the worker's result makes no sense");
    return KillAndEnd(FailedResult(std::move(failure), heard()));
  }
  if (!TakeEnd()) return;
  // Given back first, so that the next job finds it warm.
  if (const auto open = lease()) open->Release(recycle.empty());
  context_.host->OnRunEnded(this, std::move(result), content_.Take());
  context_.host->OnRunGone(this);
}

void JobRun::OnGone(const workers::WorkerExit& exit) {
  const auto self = shared_from_this();
  {
    std::lock_guard lock(mu_);
    gone_ = true;
  }
  if (TakeEnd()) OnUnexpectedEnd(exit);
  context_.host->OnRunGone(this);
}

void JobRun::OnUnexpectedEnd(const workers::WorkerExit& exit) {
  const bool silent = !heard_any_.load(std::memory_order_relaxed) && !exit.crash && exit.protocol_error.empty();
  // A worker that died before it saw the job, or that the pool gave up: no plugin of the job is to blame. The pool
  // gives a worker up once at most before it gives the job a new one (EndStuck), or goes down, which the host knows.
  if (silent && (!plan_.last_attempt || exit.killed_by_us)) {
    context_.host->OnRunUndelivered(
        this, MakeError(ErrorCode::kUnavailable, "WORKER_GONE", "the worker died before it took the job"));
  } else if (exit.killed_by_us) {  // not by this run: the whole pool goes down
    context_.host->OnRunEnded(this, StoppedResult(StopCause::kInterrupt, heard(), true), nullptr);
  } else {
    workers::WorkerExit known = exit;
    const LastHeard last = heard();
    if (known.plugin.empty()) known.plugin = last.plugin;
    if (known.stage.empty()) known.stage = last.stage;
    v1::PluginFailure failure = ToFailure(known);
    if (!known.crash && !last.plugin_is_sure) {  // nobody is blamed for what another may have done
      failure.clear_plugin();
      failure.set_message(failure.message() + (failure.message().empty() ? "" : "; ") +
                          "which plugin of the job it was is not known");
    }
    context_.host->OnRunEnded(this, FailedResult(std::move(failure), last), nullptr);
  }
}

}  // namespace astrolabe::jobs
