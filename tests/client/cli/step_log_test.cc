#include "client/cli/step_log.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

using client::NodeEvent;
using client::NodeKind;

constexpr char kStart[] = ". . . .\n. . . .\n. . . .\nQ Q Q Q";
constexpr char kNext[] = "Q . . .\n. . . .\n. . . .\n. Q Q Q";

NodeEvent Event(NodeKind kind, int64_t depth, int64_t h, std::string_view text, std::string_view words = "",
                uint32_t op = 0) {
  NodeEvent event;
  event.kind = kind;
  event.depth = depth;
  event.h = h;
  event.text = text;
  event.op_name = words;
  event.op = op;
  return event;
}

std::string Told(std::vector<NodeEvent> events) {
  StepLog log("conflicts");
  client::NodeBatch batch;
  batch.nodes = std::move(events);
  const std::string text = log.Take(batch);
  return text + log.Finish();
}

TEST(StepLog, TellsStepsRestartsAndEnds) {
  EXPECT_EQ(
      Told({Event(NodeKind::kSource, 0, 6, kStart), Event(NodeKind::kExpanding, 0, 6, kStart),
            Event(NodeKind::kExpanding, 1, 4, kNext, "moved column 0 to row 0"),
            Event(NodeKind::kExpanding, 2, 1, kNext, "moved column 2 to row 1"),
            Event(NodeKind::kClosing, 2, 1, kNext, "moved column 2 to row 1"), Event(NodeKind::kRestart, 0, 2, kNext),
            Event(NodeKind::kExpanding, 0, 2, kNext), Event(NodeKind::kGoal, 1, 0, kStart, "moved column 1 to row 3")}),
      "start: conflicts 6\n"
      "step 1: conflicts 6 -> 4, moved column 0 to row 0\n"
      "step 2: conflicts 4 -> 1, moved column 2 to row 1\n"
      "stuck: conflicts 1 after 2 steps\n"
      "restart 1: conflicts 2\n"
      "step 1: conflicts 2 -> 0, moved column 1 to row 3\n"
      "solved: conflicts 0 after 1 step\n");
}

TEST(StepLog, DrawsTheNeighboursOfASquareBoardAsTheTableOfH) {
  // Operator 4 * column + row, for the first two columns.
  std::vector<NodeEvent> events = {Event(NodeKind::kSource, 0, 6, kStart), Event(NodeKind::kExpanding, 0, 6, kStart)};
  for (uint32_t op : {0u, 1u, 2u}) events.push_back(Event(NodeKind::kGenerating, 1, 3 + op, "", "", op));
  for (uint32_t op : {4u, 5u, 6u}) events.push_back(Event(NodeKind::kGenerating, 1, 8 + op, "", "", op));
  events.push_back(Event(NodeKind::kExpanding, 1, 3, kNext, "moved column 0 to row 0"));
  EXPECT_EQ(Told(events),
            "start: conflicts 6\n"
            "   3  12   .   .\n"
            "   4  13   .   .\n"
            "   5  14   .   .\n"
            "   Q   Q   Q   Q\n"
            "step 1: conflicts 6 -> 3, moved column 0 to row 0\n");
}

TEST(StepLog, ListsTheNeighboursOfOtherStates) {
  EXPECT_EQ(Told({Event(NodeKind::kSource, 0, 9, "1 2 3"), Event(NodeKind::kExpanding, 0, 9, "1 2 3"),
                  Event(NodeKind::kGenerating, 1, 12, "2 1 3", "swapped 1 and 2", 7)}),
            "start: conflicts 9\n      12  swapped 1 and 2\n");
}

TEST(StepLog, AStepThatWasNotRecordedIsNotCountedAnew) {
  EXPECT_EQ(Told({Event(NodeKind::kSource, 0, 9, "1"), Event(NodeKind::kExpanding, 5, 3, "2", "moved")}),
            "start: conflicts 9\nstep 5: conflicts 9 -> 3, moved\n");
}

}  // namespace
}  // namespace astrolabe::cli
