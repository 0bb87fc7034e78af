// From the engine's result to the Result of the API, and to what is too large for it.
#ifndef ASTROLABE_DAEMON_WORKER_RESULT_BUILDER_H_
#define ASTROLABE_DAEMON_WORKER_RESULT_BUILDER_H_

#include <chrono>
#include <functional>
#include <span>
#include <string_view>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/v1/result.pb.h"
#include "daemon/engine/search.h"
#include "daemon/worker/abi_problem.h"

namespace astrolabe::worker {

// Inline parts of a Result: all together stay well below the 1 MiB of a response.
inline constexpr size_t kMaxInlineOps = 256 << 10;     // encoded
inline constexpr size_t kMaxInlineState = 64 << 10;    // initial_state and final_state, each
inline constexpr size_t kMaxInlineFacts = 64 << 10;    // of a state, all its facts
inline constexpr size_t kMaxInlineStates = 192 << 10;  // all of path.states
inline constexpr size_t kMaxInlineNames = 64 << 10;    // all of path.op_names
// Longer paths get names and states only when these take at most kSmallText bytes.
inline constexpr size_t kAlwaysNamed = 200;
inline constexpr size_t kSmallText = 32 << 10;
// Of each text of a JobContent; a frame holds 64 MiB.
inline constexpr size_t kMaxContentText = 16 << 20;
// Moves of a path that is kept, 4 bytes each: no constructed path of a 127 x 127 board has so many. In frames of
// kContentPieceOps.
inline constexpr size_t kMaxContentOps = 32 << 20;
inline constexpr size_t kContentPieceOps = 1 << 20;

inline constexpr char kFactsLeftOut[] = "facts that do not fit in 64 KiB are left out";

void SetDuration(std::chrono::nanoseconds duration, google::protobuf::Duration* out);
void FillIteration(const engine::IterationStats& iteration, v1::Iteration& out);

// Everything of `result` but the path and who is to blame for a failure.
void FillOutcome(const engine::SearchResult& result, v1::Result& out);

// With outcome kPluginFailed: a broken contract, or an exception that came through the engine (THREW).
v1::PluginFailure FailureOf(const engine::SearchResult& result, std::string_view plugin, std::string_view stage);

// path, initial_state. The path is replayed only when its states go into the result.
void FillPath(const AbiProblem& problem, const engine::SearchResult& found, v1::Result& out);

// final_state, when there is one and its text is small.
void FillFinalState(const AbiProblem& problem, const engine::SearchResult& found, v1::Result& out);

// Adds the final state (when there is one) and the canonical instance. What is too large even for this is left out
// with a note in `out`.
void FillContent(const AbiProblem& problem, const engine::SearchResult* result, internal::v1::JobContent& content,
                 v1::Result& out);

// Sends all of the path but its last piece, which goes into `last`. False: it has more than kMaxContentOps, and nothing
// was done.
bool FillPathPieces(std::span<const engine::Op> path, const std::function<void(internal::v1::JobContent)>& send,
                    internal::v1::JobContent& last);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_RESULT_BUILDER_H_
