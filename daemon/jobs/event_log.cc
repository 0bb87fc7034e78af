#include "daemon/jobs/event_log.h"

#include <algorithm>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/log_watcher.h"

namespace astrolabe::jobs {

EventLog::EventLog(std::string job, const LogOptions& options, std::shared_ptr<TimerQueue> timers,
                   std::shared_ptr<Budget> budget)
    : options_(options),
      timers_(std::move(timers)),
      budget_(std::move(budget)),
      accepted_(timers_->now()),
      store_(std::move(job)),
      charge_(budget_) {}

EventLog::~EventLog() = default;

void EventLog::Append(EntryKind kind, const Payload& payload, Outbox* out, int64_t cost) {
  std::lock_guard lock(mu_);
  if (store_.closed()) return;
  store_.AppendEnvelope(kind, payload, Elapsed(), cost);
  WakeAll(out);
  Settle(out);
}

bool EventLog::AppendNodes(int64_t first_ordinal, int64_t count, std::string batch, Outbox* out) {
  std::lock_guard lock(mu_);
  if (store_.closed()) return true;
  if (uncredited_bytes_ + pending_credit_ > 2 * options_.window_bytes) return false;
  const int64_t bytes = static_cast<int64_t>(batch.size());
  const Entry& entry = store_.AppendNodes(count, std::move(batch), Elapsed());
  uncredited_.emplace_back(entry.sequence, bytes);
  uncredited_bytes_ += bytes;
  ordinals_seen_ = std::max(ordinals_seen_, first_ordinal + count);
  WakeAll(out);
  Settle(out);
  return true;
}

void EventLog::SetProgress(const Payload& progress, Outbox* out) {
  std::lock_guard lock(mu_);
  if (store_.closed()) return;
  progress_ = {progress, Elapsed(), progress_.version + 1};
  const TimePoint now = timers_->now();
  for (const auto& watcher : watchers_) {
    if (!watcher->armed) continue;
    if (now >= watcher->next_progress) {
      watcher->Wake(out);
    } else {
      SetTimer(watcher.get());
    }
  }
}

void EventLog::Close(v1::Result* result, Outbox* out) {
  std::lock_guard lock(mu_);
  if (store_.closed()) return;
  v1::EventCounts* events = result->mutable_events();
  events->set_recorded(store_.nodes_logged());
  events->set_sampled_out(std::max({int64_t{0}, events->sampled_out(), ordinals_seen_ - store_.nodes_logged()}));
  events->set_dropped(store_.nodes_dropped());
  store_.AppendEnvelope(EntryKind::kResult, Encode(*result), Elapsed());
  WakeAll(out);
  Settle(out);
}

void EventLog::Restore(const v1::Result& result, int64_t sequence, std::chrono::nanoseconds elapsed) {
  std::lock_guard lock(mu_);
  store_.ContinueFrom(sequence);
  store_.AppendEnvelope(EntryKind::kResult, jobs::Encode(result), elapsed);
  charge_.Set(store_.envelope_bytes());
}

void EventLog::SetCreditSink(std::weak_ptr<CreditSink> sink) {
  std::lock_guard lock(mu_);
  sink_ = std::move(sink);
}

EventLog::Facts EventLog::facts() const {
  std::lock_guard lock(mu_);
  return {store_.evicted_through() + 1, store_.last_sequence(), charge_.bytes(), static_cast<int>(watchers_.size()),
          delivered_};
}

void EventLog::Forget() {
  std::lock_guard lock(mu_);
  charge_.Set(0);
}

void EventLog::WakeAll(Outbox* out) {
  for (const auto& watcher : watchers_) {
    if (!watcher->cursor.HasNext(store_)) continue;
    if (watcher->caught_up) {
      watcher->caught_up = false;
      watcher->stalled_since = timers_->now();
      if (watcher->block) SetTimer(watcher.get());
    }
    if (watcher->armed) watcher->Wake(out);
  }
}

int64_t EventLog::BlockedFrom() const {
  int64_t lowest = std::numeric_limits<int64_t>::max();
  for (const auto& watcher : watchers_) {
    if (watcher->block) lowest = std::min(lowest, watcher->cursor.next());
  }
  return lowest;
}

int64_t EventLog::DeliveredBefore() const {
  int64_t lowest = std::numeric_limits<int64_t>::max();
  bool anybody = false;
  for (const auto& watcher : watchers_) {
    if (!watcher->cursor.with_nodes()) continue;
    anybody = true;
    lowest = std::min(lowest, watcher->cursor.next());
  }
  return anybody ? lowest : 0;
}

void EventLog::Settle(Outbox* out) {
  const int64_t blocked_from = BlockedFrom();
  while (!uncredited_.empty() && uncredited_.front().first < blocked_from) {
    pending_credit_ += uncredited_.front().second;
    uncredited_bytes_ -= uncredited_.front().second;
    uncredited_.pop_front();
  }
  // A quarter of the window at a time: few frames, and the worker never runs dry while nobody holds it back.
  if (pending_credit_ > 0 && pending_credit_ >= options_.window_bytes / 4) {
    out->Add([sink = sink_, bytes = std::exchange(pending_credit_, 0)] {
      if (const auto open = sink.lock()) open->ReturnCredit(bytes);
    });
  }
  const auto update = [this] { charge_.Set(store_.envelope_bytes() + store_.node_bytes()); };
  update();
  const int64_t delivered_before = DeliveredBefore();
  while ((store_.node_bytes() > options_.node_bytes || budget_->over()) &&
         store_.EvictOldestNodes(blocked_from, delivered_before)) {
    update();
  }
}

void EventLog::Demote(Watcher* watcher, Outbox* out) {
  watcher->block = false;
  store_.MarkSkipped(watcher->cursor.next(), store_.last_sequence());
  watcher->cursor.SkipNodes(store_);
  Settle(out);
}

void EventLog::SetTimer(Watcher* watcher) {
  TimePoint at = TimePoint::max();
  if (watcher->armed) {
    at = watcher->last_sent + options_.heartbeat;
    if (ProgressPending(*watcher)) at = std::min(at, watcher->next_progress);
  }
  if (watcher->block && !watcher->caught_up) at = std::min(at, watcher->stalled_since + options_.block_timeout);
  // One that fires too early looks again and sets the next.
  if (at >= watcher->timer_at) return;
  if (watcher->timer) timers_->Cancel(*watcher->timer);
  watcher->timer_at = at;
  watcher->timer = timers_->Schedule(at, [log = weak_from_this(), weak = watcher->weak_from_this()] {
    const auto self = log.lock();
    const auto watcher = weak.lock();
    if (self && watcher) self->OnTimer(watcher);
  });
}

void EventLog::OnTimer(const std::shared_ptr<Watcher>& watcher) {
  Outbox out;
  std::lock_guard lock(mu_);
  if (!watcher->attached) return;
  watcher->timer.reset();
  watcher->timer_at = TimePoint::max();
  const TimePoint now = timers_->now();
  if (watcher->block && !watcher->caught_up && now >= watcher->stalled_since + options_.block_timeout) {
    // With nothing to take it holds up nobody.
    if (watcher->cursor.HasNext(store_)) {
      Demote(watcher.get(), &out);
    } else {
      watcher->stalled_since = now;
    }
  }
  const bool due = watcher->cursor.HasNext(store_) || now >= watcher->last_sent + options_.heartbeat ||
                   (ProgressPending(*watcher) && now >= watcher->next_progress);
  if (watcher->armed && due) watcher->Wake(&out);
  SetTimer(watcher.get());
}

}  // namespace astrolabe::jobs
