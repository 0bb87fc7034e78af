#include "daemon/jobs/event_store.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace astrolabe::jobs {
namespace {

std::deque<Entry>::const_iterator FirstFrom(const std::deque<Entry>& entries, int64_t sequence) {
  return std::lower_bound(entries.begin(), entries.end(), sequence,
                          [](const Entry& entry, int64_t wanted) { return entry.sequence < wanted; });
}

}  // namespace

int64_t Entry::bytes() const {
  constexpr int64_t kOverhead = sizeof(Entry) + 48;  // and the shared body's own
  return kOverhead + static_cast<int64_t>(head.size() + body->size());
}

Entry EventStore::NewEntry(EntryKind kind, const Payload& payload, std::chrono::nanoseconds elapsed) {
  assert(!closed_);
  Entry entry;
  entry.sequence = next_++;
  entry.kind = kind;
  entry.head = EncodeHead(job_, entry.sequence, elapsed, payload);
  entry.body = payload.bytes;
  entry.envelopes_before = envelopes_logged_;
  entry.nodes_before = nodes_logged_;
  return entry;
}

const Entry& EventStore::AppendEnvelope(EntryKind kind, const Payload& payload, std::chrono::nanoseconds elapsed,
                                        int64_t cost) {
  Entry entry = NewEntry(kind, payload, elapsed);
  entry.cost = cost;
  ++envelopes_logged_;
  envelope_bytes_ += entry.bytes();
  closed_ = kind == EntryKind::kResult;
  envelopes_.push_back(std::move(entry));
  if (envelope_bytes_ > envelope_limit_) ThinEnvelopes();
  return envelopes_.back();
}

const Entry& EventStore::AppendNodes(int64_t count, std::string batch, std::chrono::nanoseconds elapsed) {
  Entry entry = NewEntry(EntryKind::kNodes, EncodedNodes(std::move(batch)), elapsed);
  entry.nodes = count;
  nodes_logged_ += count;
  node_bytes_ += entry.bytes();
  nodes_.push_back(std::move(entry));
  return nodes_.back();
}

void EventStore::ContinueFrom(int64_t sequence) {
  assert(next_ == 1);
  next_ = std::max<int64_t>(sequence, 1);
  evicted_through_ = next_ - 1;
  continued_ = true;
}

const Entry* EventStore::NextFrom(int64_t sequence, bool with_nodes) const {
  const auto envelope = FirstFrom(envelopes_, sequence);
  const Entry* next = envelope == envelopes_.end() ? nullptr : &*envelope;
  if (!with_nodes) return next;
  const auto batch = FirstFrom(nodes_, sequence);
  if (batch == nodes_.end()) return next;
  return next == nullptr || batch->sequence < next->sequence ? &*batch : next;
}

int64_t EventStore::EnvelopesBefore(int64_t sequence) const {
  const Entry* next = NextFrom(sequence, false);
  return next == nullptr ? envelopes_logged_ : next->envelopes_before;
}

std::optional<int64_t> EventStore::NodesBefore(int64_t sequence) const {
  if (sequence <= 1) return 0;
  const Entry* next = NextFrom(sequence, true);
  if (next == nullptr) return nodes_logged_;
  if (next->sequence == sequence) return next->nodes_before;
  return std::nullopt;
}

bool EventStore::EvictOldestNodes(int64_t keep_from, int64_t delivered_before) {
  if (nodes_.size() < 2 || nodes_.front().sequence >= keep_from) return false;
  const Entry& oldest = nodes_.front();
  node_bytes_ -= oldest.bytes();
  if (!oldest.skipped && oldest.sequence >= delivered_before) nodes_dropped_ += oldest.nodes;
  evicted_through_ = oldest.sequence;
  nodes_.pop_front();
  return true;
}

void EventStore::MarkSkipped(int64_t from, int64_t through) {
  for (Entry& entry : nodes_) {
    if (entry.sequence < from || entry.sequence > through || entry.skipped) continue;
    entry.skipped = true;
    nodes_dropped_ += entry.nodes;
  }
}

void EventStore::ThinEnvelopes() {
  // Down to half, so that thinning costs nothing per event on average.
  const Entry* first = nullptr;
  const Entry* best = nullptr;
  const Entry* last = nullptr;
  for (const Entry& entry : envelopes_) {
    if (entry.kind != EntryKind::kImprovement) continue;
    if (first == nullptr) first = &entry;
    if (best == nullptr || entry.cost < best->cost) best = &entry;
    last = &entry;
  }
  std::deque<Entry> kept;
  int64_t bytes = envelope_bytes_;
  for (Entry& entry : envelopes_) {
    const bool newest = &entry == &envelopes_.back();
    const bool dispensable =
        entry.kind == EntryKind::kThinnable ||
        (entry.kind == EntryKind::kImprovement && &entry != first && &entry != best && &entry != last);
    if (bytes > envelope_limit_ / 2 && dispensable && !newest) {
      bytes -= entry.bytes();
    } else {
      kept.push_back(std::move(entry));
    }
  }
  envelopes_ = std::move(kept);
  envelope_bytes_ = bytes;
}

}  // namespace astrolabe::jobs
