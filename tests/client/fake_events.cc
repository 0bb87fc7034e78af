#include "tests/client/fake_events.h"

#include <string>

namespace astrolabe::testing {

v1::Event MakeEvent(int64_t sequence) {
  v1::Event event;
  event.set_job(kFakeJob);
  event.set_sequence(sequence);
  event.mutable_elapsed()->set_nanos(1'000'000);
  return event;
}

v1::Event Accepted() {
  v1::Event event = MakeEvent(1);
  event.mutable_accepted()->mutable_algorithm()->set_id("astar");
  return event;
}

v1::Event ProgressEvent(int64_t expanded) {
  v1::Event event = MakeEvent(0);
  event.mutable_progress()->set_expanded(expanded);
  event.mutable_progress()->set_generated(3 * expanded);
  event.mutable_progress()->set_best_h(-1);
  return event;
}

v1::Event Nodes(int64_t sequence, int64_t first_ordinal, int count) {
  v1::Event event = MakeEvent(sequence);
  v1::NodeBatch* batch = event.mutable_nodes();
  batch->set_first_ordinal(first_ordinal);
  batch->set_count(count);
  batch->set_seen(first_ordinal + count);
  for (int i = 0; i < count; ++i) {
    v1::NodeEvent* node = batch->add_nodes();
    node->set_kind(v1::NODE_KIND_EXPANDING);
    node->set_node(1000 + first_ordinal + i);
    node->set_parent(i == 0 ? 0 : 999 + first_ordinal + i);
    node->set_g(first_ordinal + i);
    node->set_h(5);
    node->set_state(std::string("\x01\x00\xff", 3) + static_cast<char>(i));
    node->set_text("1 2\n3 0");
  }
  return event;
}

v1::Event ResultEvent(int64_t sequence, const v1::Result& result) {
  v1::Event event = MakeEvent(sequence);
  *event.mutable_result() = result;
  return event;
}

v1::Result SolvedBoard() {
  v1::Result result;
  result.set_outcome(v1::OUTCOME_SOLVED);
  result.set_proof(v1::PROOF_OPTIMAL);
  result.set_cost(4);
  result.set_lower_bound(4);
  result.set_cost_scale(1);
  result.set_verified(true);
  v1::Path* path = result.mutable_path();
  path->set_length(4);
  for (const char* word : {"RIGHT", "DOWN", "RIGHT", "DOWN"}) path->add_op_names(word);
  for (const uint32_t op : {3, 5, 19, 21}) path->add_ops(op);
  for (const char* state : {"0 1 3\n4 2 5\n7 8 6", "1 0 3\n4 2 5\n7 8 6", "1 2 3\n4 0 5\n7 8 6", "1 2 3\n4 5 0\n7 8 6",
                            "1 2 3\n4 5 6\n7 8 0"}) {
    path->add_states(state);
  }
  result.mutable_statistics()->set_expanded(5);
  result.mutable_statistics()->set_generated(12);
  result.mutable_provenance()->set_algorithm("astar");
  result.mutable_provenance()->add_heuristics("manhattan");
  result.mutable_provenance()->set_tier(v1::ENGINE_TIER_GENERIC);
  return result;
}

}  // namespace astrolabe::testing
