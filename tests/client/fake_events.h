// Events and a Result as a real job has them.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_EVENTS_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_EVENTS_H_

#include <cstdint>

#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::testing {

// Of all events.
inline constexpr char kFakeJob[] = "jobs/fake";

// Events in the order a real job has them.
v1::Event MakeEvent(int64_t sequence);
v1::Event Accepted();
v1::Event ProgressEvent(int64_t expanded);
v1::Event Nodes(int64_t sequence, int64_t first_ordinal, int count);
v1::Event ResultEvent(int64_t sequence, const v1::Result& result);

// The 4-move board of the usual assignment.
v1::Result SolvedBoard();

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_EVENTS_H_
