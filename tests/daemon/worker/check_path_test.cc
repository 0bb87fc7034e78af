// CheckPath requests: pieces, violations, faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Words = std::vector<std::string>;
using Ops = std::vector<uint32_t>;

internal::v1::PathPiece Piece(const Ops& ops) {
  internal::v1::PathPiece piece;
  piece.mutable_ops()->Add(ops.begin(), ops.end());
  return piece;
}

internal::v1::PathPiece Piece(const Words& words) {
  internal::v1::PathPiece piece;
  for (const std::string& word : words) piece.add_op_names(word);
  return piece;
}

// Counts up to `goal` in steps of 1 (ONE) and 3 (THREE).
internal::v1::ToWorker CheckRequest(const std::string& text = "0 10", const std::string& fixture = "counter") {
  internal::v1::ToWorker message;
  internal::v1::CheckPath& check = *message.mutable_check_path();
  check.set_request(77);
  *check.add_plugins() = FixtureFile(fixture);
  check.mutable_instance()->set_problem(fixture);
  check.mutable_instance()->set_text(text);
  return message;
}

struct Answer {
  internal::v1::CheckPathDone done;
  size_t pieces_left = 0;  // that the worker did not ask for
  std::string recycle;
};

// Gives a piece whenever the worker asks for one.
Answer Check(WorkerProcess& worker, const internal::v1::ToWorker& request, std::deque<internal::v1::PathPiece> pieces) {
  if (!pieces.empty()) pieces.back().set_last(true);
  worker.Send(request);
  for (;;) {
    const Seen seen = worker.Next();
    if (!seen.message) {
      ADD_FAILURE() << "no answer; the worker printed: " << worker.Output();
      return {};
    }
    if (seen.message->has_path_checked()) {
      return {seen.message->path_checked(), pieces.size(), seen.message->recycle()};
    }
    if (!seen.message->has_path_wanted()) continue;
    EXPECT_EQ(seen.message->path_wanted().request(), 77);
    if (pieces.empty()) {
      ADD_FAILURE() << "a piece was wanted after the last";
      return {};
    }
    internal::v1::ToWorker message;
    *message.mutable_path_piece() = pieces.front();
    pieces.pop_front();
    worker.Send(message);
  }
}

v1::ValidatePathResponse Check(const internal::v1::ToWorker& request, std::deque<internal::v1::PathPiece> pieces) {
  WorkerProcess worker;
  const Answer answer = Check(worker, request, std::move(pieces));
  EXPECT_EQ(answer.done.request(), 77);
  EXPECT_EQ(answer.done.violations_size(), 0);
  EXPECT_FALSE(answer.done.has_failure()) << answer.done.failure().message();
  return answer.done.response();
}

TEST(CheckPath, AWholePathHasItsCostAndItsLastState) {
  const auto checked = Check(CheckRequest(), {Piece(Ops{3, 3, 3, 1})});
  EXPECT_TRUE(checked.valid());
  EXPECT_TRUE(checked.reaches_goal());
  EXPECT_EQ(checked.cost(), 4);
  EXPECT_EQ(checked.cost_scale(), 1);
  EXPECT_EQ(checked.length(), 4);
  EXPECT_EQ(checked.first_violation(), -1);
  EXPECT_EQ(checked.violation(), "");
  EXPECT_EQ(checked.final_state(), "10");
}

TEST(CheckPath, PiecesOfWordsAndNumbersFollowEachOther) {
  const auto checked =
      Check(CheckRequest(), {Piece(Words{"ONE", "THREE"}), Piece(Ops{3}), Piece(Words{}), Piece(Words{"THREE"})});
  EXPECT_TRUE(checked.reaches_goal());
  EXPECT_EQ(checked.length(), 4);
}

TEST(CheckPath, ATruncatedPathIsValidButDoesNotReachTheGoal) {
  const auto checked = Check(CheckRequest(), {Piece(Ops{3, 3})});
  EXPECT_TRUE(checked.valid());
  EXPECT_FALSE(checked.reaches_goal());
  EXPECT_EQ(checked.final_state(), "6");
}

TEST(CheckPath, AnEmptyPathStandsAtTheStart) {
  const auto checked = Check(CheckRequest("4 10"), {Piece(Ops{})});
  EXPECT_TRUE(checked.valid());
  EXPECT_FALSE(checked.reaches_goal());
  EXPECT_EQ(checked.final_state(), "4");
  EXPECT_TRUE(Check(CheckRequest("10 10"), {Piece(Ops{})}).reaches_goal());
}

TEST(CheckPath, TheFirstViolationEndsIt) {
  WorkerProcess worker;
  const Answer answer =
      Check(worker, CheckRequest(), {Piece(Ops{3}), Piece(Ops{1, 2, 3}), Piece(Ops{7}), Piece(Ops{1})});
  const v1::ValidatePathResponse& checked = answer.done.response();
  EXPECT_FALSE(checked.valid());
  EXPECT_FALSE(checked.reaches_goal());
  EXPECT_EQ(checked.first_violation(), 2);
  EXPECT_EQ(checked.length(), 2);
  EXPECT_EQ(checked.cost(), 2);
  EXPECT_EQ(checked.final_state(), "4") << "where the move was not possible";
  EXPECT_THAT(checked.violation(), HasSubstr("operator 2 is not possible here; expected ONE or THREE"));
  EXPECT_EQ(answer.pieces_left, 2u);
}

TEST(CheckPath, AWordThatNamesNothingHereIsAViolation) {
  const auto unknown = Check(CheckRequest(), {Piece(Words{"ONE", "TWO"})});
  EXPECT_EQ(unknown.first_violation(), 1);
  EXPECT_THAT(unknown.violation(), HasSubstr("\"TWO\" is not possible here; expected ONE or THREE"));
  // At 8 of 10 there is no step of three.
  const auto too_far = Check(CheckRequest("8 10"), {Piece(Words{"THREE"})});
  EXPECT_EQ(too_far.first_violation(), 0);
  EXPECT_THAT(too_far.violation(), HasSubstr("expected ONE"));
  const auto at_the_end = Check(CheckRequest("10 10"), {Piece(Words{"ONE"})});
  EXPECT_THAT(at_the_end.violation(), HasSubstr("no operators"));
}

TEST(CheckPath, ALongWordIsCutInTheMessage) {
  const auto checked = Check(CheckRequest(), {Piece(Words{std::string(5000, 'x')})});
  EXPECT_LT(checked.violation().size(), 200u);
}

TEST(CheckPath, FaultsOfTheInstanceAreToldBeforeAnyPiece) {
  WorkerProcess worker;
  const Answer answer = Check(worker, CheckRequest("x y"), {Piece(Ops{1})});
  ASSERT_EQ(answer.done.violations_size(), 2);
  EXPECT_EQ(answer.done.violations(0).message(), "START is no number");
  EXPECT_EQ(answer.pieces_left, 1u);
}

TEST(CheckPath, NotesOfTheInstanceAreKept) {
  EXPECT_THAT(Check(CheckRequest("0 1 more"), {Piece(Ops{1})}).notes(), ElementsAre(HasSubstr("ignored")));
}

TEST(CheckPath, TheWorkerServesOn) {
  WorkerProcess worker;
  const Answer answer = Check(worker, CheckRequest(), {Piece(Ops{3})});
  EXPECT_EQ(answer.recycle, "");
  EXPECT_TRUE(Check(worker, CheckRequest(), {Piece(Ops{3, 3, 3, 1})}).done.response().reaches_goal());
  EXPECT_EQ(worker.Run(FixtureJob("counter")).result().outcome(), v1::OUTCOME_SOLVED);
}

TEST(CheckPath, SomethingElseThanAPieceEndsTheWorkerWithALine) {
  WorkerProcess worker;
  worker.Send(CheckRequest());
  ASSERT_TRUE(worker.WaitFor([](const internal::v1::ToDaemon& message) { return message.has_path_wanted(); }));
  worker.Send(CheckRequest());
  EXPECT_TRUE(worker.WaitExit().has_value());
  EXPECT_THAT(worker.Output(), HasSubstr("expected a piece of a path"));
}

}  // namespace
}  // namespace astrolabe::testing
