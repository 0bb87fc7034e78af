// astrolabe.v1.Event on the wire, in two pieces: a head of its own for every event, and a payload that is encoded
// once and shared. head + payload parse as one Event.
#ifndef ASTROLABE_DAEMON_JOBS_EVENT_CODEC_H_
#define ASTROLABE_DAEMON_JOBS_EVENT_CODEC_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "astrolabe/v1/event.pb.h"

namespace astrolabe::jobs {

// One member of Event's oneof, encoded.
struct Payload {
  int field = 0;  // its number in Event
  std::shared_ptr<const std::string> bytes;
};

Payload Encode(const v1::JobAccepted& accepted);
Payload Encode(const v1::StateChanged& state);
Payload Encode(const v1::Preparing& preparing);
Payload Encode(const v1::Progress& progress);
Payload Encode(const v1::Iteration& iteration);
Payload Encode(const v1::Improvement& improvement);
Payload Encode(const v1::LogLine& log);
Payload Encode(const v1::Gap& gap);
Payload Encode(const v1::Heartbeat& heartbeat);
Payload Encode(const v1::Result& result);
// `batch` is an encoded NodeBatch; it is not looked at.
Payload EncodedNodes(std::string batch);

// Event's own fields, then the tag and length of the payload. sequence 0: not logged.
std::string EncodeHead(std::string_view job, int64_t sequence, std::chrono::nanoseconds elapsed,
                       const Payload& payload);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_EVENT_CODEC_H_
