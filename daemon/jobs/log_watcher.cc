#include "daemon/jobs/log_watcher.h"

#include <algorithm>

#include "daemon/jobs/convert.h"

namespace astrolabe::jobs {

Watch::Next LogWatch::Poll(EncodedEvent* out, Error*) { return log_->Poll(watcher_.get(), out); }

void LogWatch::SetNotify(std::function<void()> ready) { watcher_->notifier->Set(std::move(ready)); }

void LogWatch::Close() {
  log_->Detach(watcher_.get());
  watcher_->notifier->Close();
}

Result<std::unique_ptr<Watch>> EventLog::Attach(int64_t from, const v1::WatchOptions& options,
                                                v1::Overflow unspecified) {
  constexpr std::chrono::milliseconds kDefaultInterval{1000};
  constexpr std::chrono::milliseconds kSmallestInterval{50};
  Outbox out;
  std::lock_guard lock(mu_);
  const v1::Overflow overflow = options.overflow() == v1::OVERFLOW_UNSPECIFIED ? unspecified : options.overflow();
  const bool block = overflow == v1::OVERFLOW_BLOCK && !options.without_nodes();
  const bool gone = block && from > 0 && from <= store_.evicted_through();
  // A daemon that was killed may have told more than its journal says; who goes on from there gets the Result.
  const bool in_future = from > store_.last_sequence() + 1 && !store_.continued();
  if (gone || in_future) {
    const std::string oldest = std::to_string(store_.evicted_through() + 1);
    const std::string newest = std::to_string(store_.last_sequence());
    Error error = MakeError(ErrorCode::kOutOfRange, gone ? "SEQUENCE_EVICTED" : "SEQUENCE_IN_FUTURE",
                            "events from sequence " + std::to_string(from) +
                                (gone ? " on are no longer all kept" : " on do not exist yet") + ": sequences " +
                                oldest + " to " + newest + " can be delivered");
    error.metadata = {{"oldest_sequence", oldest}, {"newest_sequence", newest}};
    return error;
  }
  auto watcher = std::make_shared<Watcher>(store_, from, !options.without_nodes());
  const TimePoint now = timers_->now();
  watcher->block = block;
  watcher->stalled_since = now;
  watcher->last_sent = now;
  watcher->next_progress = now;
  const auto interval = std::chrono::duration_cast<std::chrono::milliseconds>(ToChrono(options.progress_interval()));
  watcher->progress_interval =
      options.has_progress_interval() ? std::max(interval, kSmallestInterval) : kDefaultInterval;
  watchers_.push_back(watcher);
  if (watcher->block) SetTimer(watcher.get());
  return std::unique_ptr<Watch>(std::make_unique<LogWatch>(shared_from_this(), std::move(watcher)));
}

void EventLog::Detach(Watcher* watcher) {
  Outbox out;
  std::lock_guard lock(mu_);
  if (!std::exchange(watcher->attached, false)) return;
  if (watcher->timer) timers_->Cancel(*watcher->timer);
  watcher->block = false;
  watcher->armed = false;
  std::erase_if(watchers_, [&](const auto& other) { return other.get() == watcher; });
  Settle(&out);
}

Watch::Next EventLog::Poll(Watcher* watcher, EncodedEvent* event) {
  Outbox out;
  std::lock_guard lock(mu_);
  if (!watcher->attached || watcher->cursor.done()) return Watch::Next::kWait;
  const TimePoint now = timers_->now();
  // Progress goes first when it is due: it must be seen while a search streams nodes without a pause.
  bool taken = TakeProgress(watcher, now, event) || TakeLogged(watcher, &out, event);
  if (!taken && now >= watcher->last_sent + options_.heartbeat) {
    v1::Heartbeat heartbeat;
    heartbeat.set_last_sequence(store_.last_sequence());
    *event = Unlogged(Encode(heartbeat), Elapsed());
    taken = true;
  }
  if (taken) {
    watcher->last_sent = now;
    watcher->stalled_since = now;
    if (event->last) delivered_ = now;
    return Watch::Next::kEvent;
  }
  watcher->armed = true;
  watcher->caught_up = true;
  SetTimer(watcher);
  return Watch::Next::kWait;
}

bool EventLog::ProgressPending(const Watcher& watcher) const {
  return !store_.closed() && watcher.cursor.started() && progress_.version > watcher.progress_seen;
}

bool EventLog::TakeProgress(Watcher* watcher, TimePoint now, EncodedEvent* event) {
  if (!ProgressPending(*watcher) || now < watcher->next_progress) return false;
  watcher->progress_seen = progress_.version;
  watcher->next_progress = now + watcher->progress_interval;
  *event = Unlogged(progress_.payload, progress_.elapsed);
  return true;
}

bool EventLog::TakeLogged(Watcher* watcher, Outbox* out, EncodedEvent* event) {
  const auto item = watcher->cursor.Take(store_);
  if (const v1::Gap* gap = std::get_if<v1::Gap>(&item)) {
    *event = Unlogged(Encode(*gap), Elapsed());
    return true;
  }
  const Entry* const* entry = std::get_if<const Entry*>(&item);
  if (entry == nullptr) return false;
  *event = {(*entry)->head, (*entry)->body, (*entry)->kind == EntryKind::kResult};
  if (watcher->block) Settle(out);
  return true;
}

EncodedEvent EventLog::Unlogged(const Payload& payload, std::chrono::nanoseconds elapsed) const {
  return {EncodeHead(store_.job(), 0, elapsed, payload), payload.bytes, false};
}

}  // namespace astrolabe::jobs
