#include "client/src/convert_cache.h"

#include "client/src/convert_common.h"

namespace astrolabe::client {

CacheFile FromProto(const v1::CacheFile& proto) {
  CacheFile file;
  file.id = proto.id();
  file.heuristic = proto.heuristic();
  file.description = proto.description();
  file.size_bytes = proto.size_bytes();
  if (proto.has_make_time()) file.make_time = FromProto(proto.make_time());
  file.state = static_cast<CacheFileState>(proto.state());
  file.damage = proto.damage();
  if (proto.has_check_time()) file.check_time = FromProto(proto.check_time());
  return file;
}

void ToProto(const CacheFile& file, v1::CacheFile* proto) {
  proto->set_id(file.id);
  proto->set_heuristic(file.heuristic);
  proto->set_description(file.description);
  proto->set_size_bytes(file.size_bytes);
  if (file.make_time) ToProto(*file.make_time, proto->mutable_make_time());
  proto->set_state(static_cast<v1::CacheFileState>(file.state));
  proto->set_damage(file.damage);
  if (file.check_time) ToProto(*file.check_time, proto->mutable_check_time());
}

}  // namespace astrolabe::client
