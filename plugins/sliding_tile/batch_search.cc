#include "plugins/sliding_tile/batch_search.h"

#include <algorithm>
#include <bit>

namespace sliding_tile {

namespace {

// Expansions between two polls: well below a millisecond.
constexpr uint64_t kPollEvery = 1 << 16;

}  // namespace

bool BatchSearch::Add(BatchNode node, uint32_t way) {
  BatchFrame& first = frames_.front();
  Bucket& bucket = first.buckets[way];
  if (!bucket.Reserve(1)) return false;
  BatchNode* end = bucket.end();
  *end = node;
  bucket.SetEnd(end + 1);
  first.nonempty |= uint64_t{1} << way;
  ++first.total;
  return true;
}

// Part of a level: all of it when it is not much more than is wanted, else the same share of each bucket.
bool BatchSearch::Work(size_t depth) {
  BatchFrame& from = frames_[depth];
  BatchFrame& to = frames_[depth + 1];
  const bool all = from.total <= frame_nodes_ + frame_nodes_ / 2;
  const double share = all ? 1 : static_cast<double>(frame_nodes_) / static_cast<double>(from.total);
  for (uint64_t ways = from.nonempty; ways != 0; ways &= ways - 1) {
    const auto way = static_cast<size_t>(std::countr_zero(ways));
    const uint32_t size = from.buckets[way].size();
    // Whole vectors, and never none.
    const uint32_t part = (static_cast<uint32_t>(size * share) / 8 + 1) * 8;
    if (!steps_[way](run_, from, to, all ? size : std::min(size, part))) return false;
  }
  return true;
}

// The deepest level with a full batch, else the shallowest that has anything: so memory stays bounded. No level below
// `deepest` is full.
BatchEnd BatchSearch::Search(astro_control_v1& control, uint64_t expanded, uint64_t generated) {
  run_.expanded = 0;
  run_.generated = 0;
  run_.goal_seen = false;
  size_t deepest = 0;
  size_t shallowest = 0;
  uint64_t poll_at = 0;
  for (;;) {
    size_t depth = deepest;
    while (depth > shallowest && frames_[depth].total < frame_nodes_) --depth;
    if (frames_[depth].total < frame_nodes_) {
      while (shallowest < levels_ && frames_[shallowest].total == 0) ++shallowest;
      if (shallowest == levels_) return BatchEnd::kExhausted;
      depth = shallowest;
    }
    // The last level cannot have children; a table that lies about its terms might.
    if (depth + 1 == levels_) return BatchEnd::kNoMemory;
    if (!Work(depth)) return BatchEnd::kNoMemory;
    deepest = depth + 1;
    if (run_.goal_seen) return BatchEnd::kGoal;
    if (run_.expanded >= poll_at) {
      if (control.poll(&control, expanded, generated) == 0) return BatchEnd::kStopped;
      poll_at = run_.expanded + kPollEvery;
    }
  }
}

void BatchSearch::Clear() {
  for (BatchFrame& frame : frames_) frame.Clear();
}

}  // namespace sliding_tile
