#include "daemon/jobs/watch_cursor.h"

#include <algorithm>

namespace astrolabe::jobs {
namespace {

int64_t Start(const EventStore& store, int64_t from) {
  const int64_t wanted = std::max<int64_t>(from, 1);
  return store.closed() ? std::min(wanted, store.last_sequence()) : wanted;
}

}  // namespace

WatchCursor::WatchCursor(const EventStore& store, int64_t from, bool with_nodes)
    : with_nodes_(with_nodes),
      next_(Start(store, from)),
      envelopes_seen_(store.EnvelopesBefore(next_)),
      nodes_seen_(store.NodesBefore(next_)),
      evicted_at_start_(store.evicted_through()),
      started_(next_ > 1) {}

std::variant<std::monostate, const Entry*, v1::Gap> WatchCursor::Take(const EventStore& store) {
  const Entry* entry = done_ ? nullptr : store.NextFrom(next_, with_nodes_);
  if (entry == nullptr) return std::monostate();
  started_ = true;
  // First, so that what was evicted of the skipped batches falls into the same gap.
  if (entry->is_nodes() && entry->sequence <= skip_through_) return TakeSkipped(store, *entry);
  if (std::optional<v1::Gap> gap = Missing(*entry)) {
    next_ = gap->last_sequence() + 1;
    envelopes_seen_ = entry->envelopes_before;
    nodes_seen_ = next_ == entry->sequence ? entry->nodes_before : nodes_skipped_;
    return *gap;
  }
  MoveBehind(*entry);
  return entry;
}

std::optional<v1::Gap> WatchCursor::Missing(const Entry& entry) const {
  // With nodes every sequence counts; without, the holes that node batches leave are wanted.
  const bool hole = with_nodes_ ? entry.sequence > next_ : entry.envelopes_before > envelopes_seen_;
  if (!hole) return std::nullopt;
  v1::Gap gap;
  gap.set_first_sequence(next_);
  gap.set_last_sequence(entry.sequence - 1);
  int64_t nodes = entry.nodes_before;
  if (with_nodes_ && next_ <= skip_through_ && skip_through_ < gap.last_sequence()) {
    // What was skipped, and behind it what was evicted since: two reasons, two gaps.
    gap.set_last_sequence(skip_through_);
    nodes = nodes_skipped_;
  }
  if (with_nodes_ && nodes_seen_) gap.set_node_events(nodes - *nodes_seen_);
  gap.set_reason(gap.last_sequence() <= skip_through_       ? v1::GAP_REASON_BLOCK_TIMEOUT
                 : gap.last_sequence() <= evicted_at_start_ ? v1::GAP_REASON_EVICTED
                                                            : v1::GAP_REASON_SLOW_WATCHER);
  return gap;
}

v1::Gap WatchCursor::TakeSkipped(const EventStore& store, const Entry& first) {
  v1::Gap gap;
  gap.set_first_sequence(next_);
  gap.set_reason(v1::GAP_REASON_BLOCK_TIMEOUT);
  const int64_t seen = nodes_seen_.value_or(first.nodes_before);
  for (const Entry* entry = &first; entry != nullptr && entry->is_nodes() && entry->sequence <= skip_through_ &&
                                    (entry == &first || entry->sequence == next_);
       entry = store.NextFrom(next_, true)) {
    gap.set_last_sequence(entry->sequence);
    MoveBehind(*entry);
  }
  gap.set_node_events(*nodes_seen_ - seen);
  return gap;
}

void WatchCursor::SkipNodes(const EventStore& store) {
  skip_through_ = store.last_sequence();
  nodes_skipped_ = store.nodes_logged();
}

void WatchCursor::MoveBehind(const Entry& entry) {
  next_ = entry.sequence + 1;
  envelopes_seen_ = entry.envelopes_before + (entry.is_nodes() ? 0 : 1);
  nodes_seen_ = entry.nodes_before + entry.nodes;
  done_ = entry.kind == EntryKind::kResult;
}

}  // namespace astrolabe::jobs
