#include "daemon/jobs/event_codec.h"

#include "daemon/jobs/convert.h"

namespace astrolabe::jobs {
namespace {

template <typename Message>
Payload EncodeMessage(int field, const Message& message) {
  return {field, std::make_shared<const std::string>(message.SerializeAsString())};
}

void AppendVarint(uint64_t value, std::string* out) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

void AppendTag(int field, int wire_type, std::string* out) {
  AppendVarint(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(wire_type), out);
}

constexpr int kVarint = 0;
constexpr int kDelimited = 2;

}  // namespace

Payload Encode(const v1::JobAccepted& m) { return EncodeMessage(v1::Event::kAcceptedFieldNumber, m); }
Payload Encode(const v1::StateChanged& m) { return EncodeMessage(v1::Event::kStateFieldNumber, m); }
Payload Encode(const v1::Preparing& m) { return EncodeMessage(v1::Event::kPreparingFieldNumber, m); }
Payload Encode(const v1::Progress& m) { return EncodeMessage(v1::Event::kProgressFieldNumber, m); }
Payload Encode(const v1::Iteration& m) { return EncodeMessage(v1::Event::kIterationFieldNumber, m); }
Payload Encode(const v1::Improvement& m) { return EncodeMessage(v1::Event::kImprovementFieldNumber, m); }
Payload Encode(const v1::LogLine& m) { return EncodeMessage(v1::Event::kLogFieldNumber, m); }
Payload Encode(const v1::Gap& m) { return EncodeMessage(v1::Event::kGapFieldNumber, m); }
Payload Encode(const v1::Heartbeat& m) { return EncodeMessage(v1::Event::kHeartbeatFieldNumber, m); }
Payload Encode(const v1::Result& m) { return EncodeMessage(v1::Event::kResultFieldNumber, m); }

Payload EncodedNodes(std::string batch) {
  return {v1::Event::kNodesFieldNumber, std::make_shared<const std::string>(std::move(batch))};
}

std::string EncodeHead(std::string_view job, int64_t sequence, std::chrono::nanoseconds elapsed,
                       const Payload& payload) {
  std::string head;
  head.reserve(job.size() + 48);
  AppendTag(v1::Event::kJobFieldNumber, kDelimited, &head);
  AppendVarint(job.size(), &head);
  head.append(job);
  if (sequence != 0) {
    AppendTag(v1::Event::kSequenceFieldNumber, kVarint, &head);
    AppendVarint(static_cast<uint64_t>(sequence), &head);
  }
  const std::string duration = ToProto(elapsed).SerializeAsString();
  AppendTag(v1::Event::kElapsedFieldNumber, kDelimited, &head);
  AppendVarint(duration.size(), &head);
  head.append(duration);
  AppendTag(payload.field, kDelimited, &head);
  AppendVarint(payload.bytes->size(), &head);
  return head;
}

}  // namespace astrolabe::jobs
