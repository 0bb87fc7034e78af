#include "daemon/server/cache_convert.h"

#include "daemon/server/safe_text.h"

namespace astrolabe::server {
namespace {

void SetTime(CacheTime time, google::protobuf::Timestamp* out) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  out->set_seconds(seconds.time_since_epoch().count());
  out->set_nanos(static_cast<int32_t>((time - seconds).count()));
}

}  // namespace

v1::CacheFile ToProto(const CacheEntry& entry) {
  v1::CacheFile out;
  out.set_id(CacheKeyText(entry.file.key));
  out.set_heuristic(SafeText(entry.file.label.heuristic, kMaxCacheHeuristic));
  out.set_description(SafeText(entry.file.label.description, kMaxCacheDescription));
  out.set_size_bytes(static_cast<int64_t>(entry.file.file_size));
  if (entry.file.label.made != CacheTime()) SetTime(entry.file.label.made, out.mutable_make_time());
  out.set_state(static_cast<v1::CacheFileState>(entry.state));
  out.set_damage(entry.file.damage);
  if (entry.checked) SetTime(*entry.checked, out.mutable_check_time());
  return out;
}

}  // namespace astrolabe::server
