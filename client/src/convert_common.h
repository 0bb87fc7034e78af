// Pieces that several conversions between protobuf messages and the public structs share.
// Everywhere: FromProto makes a struct, ToProto fills a message that is empty. Unknown enum values pass unchanged.
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_COMMON_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_COMMON_H_

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "astrolabe/client/job.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace astrolabe::client {

inline Duration FromProto(const google::protobuf::Duration& proto) {
  // Saturates: a hostile or broken peer must not overflow the sum.
  constexpr int64_t kMaxSeconds = 9'000'000'000;
  if (proto.seconds() > kMaxSeconds) return std::chrono::seconds(kMaxSeconds);
  if (proto.seconds() < -kMaxSeconds) return std::chrono::seconds(-kMaxSeconds);
  return std::chrono::seconds(proto.seconds()) + std::chrono::nanoseconds(proto.nanos());
}

inline void ToProto(Duration duration, google::protobuf::Duration* proto) {
  proto->set_seconds(duration.count() / 1'000'000'000);
  proto->set_nanos(static_cast<int32_t>(duration.count() % 1'000'000'000));
}

inline Timestamp FromProto(const google::protobuf::Timestamp& proto) {
  google::protobuf::Duration since_epoch;
  since_epoch.set_seconds(proto.seconds());
  since_epoch.set_nanos(proto.nanos());
  return Timestamp(std::chrono::duration_cast<Timestamp::duration>(FromProto(since_epoch)));
}

inline void ToProto(Timestamp time, google::protobuf::Timestamp* proto) {
  const auto since_epoch = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_epoch);
  proto->set_seconds(seconds.count());
  proto->set_nanos(static_cast<int32_t>(std::chrono::nanoseconds(since_epoch - seconds).count()));
}

template <typename Repeated>
std::vector<std::string> Strings(const Repeated& repeated) {
  return {repeated.begin(), repeated.end()};
}

template <typename Repeated>
void SetStrings(const std::vector<std::string>& from, Repeated* to) {
  for (const std::string& text : from) *to->Add() = text;
}

// `convert` is passed by name, for example FromRepeated<ParamSpec>(proto.params(), FromProto): the overload is chosen
// where the call stands.
template <typename Struct, typename Proto>
std::vector<Struct> FromRepeated(const google::protobuf::RepeatedPtrField<Proto>& repeated,
                                 Struct (*convert)(const Proto&)) {
  std::vector<Struct> structs;
  structs.reserve(repeated.size());
  for (const Proto& proto : repeated) structs.push_back(convert(proto));
  return structs;
}

template <typename Struct, typename Repeated>
void ToRepeated(const std::vector<Struct>& structs, Repeated* repeated) {
  for (const Struct& item : structs) ToProto(item, repeated->Add());
}

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_COMMON_H_
