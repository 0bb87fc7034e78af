#include "client/src/proto_json.h"

#include <cassert>
#include <memory>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/type_resolver_util.h"

namespace astrolabe::client {

// Generated: a serialized FileDescriptorSet of the public protos.
extern const unsigned char kDescriptorSet[];
extern const int kDescriptorSetSize;

namespace {

constexpr char kUrl[] = "type.googleapis.com";

google::protobuf::util::TypeResolver* Resolver() {
  // Never destroyed: streams may still be printed while statics go.
  static google::protobuf::util::TypeResolver* resolver = [] {
    auto* pool = new google::protobuf::DescriptorPool();
    google::protobuf::FileDescriptorSet files;
    [[maybe_unused]] const bool parsed = files.ParseFromArray(kDescriptorSet, kDescriptorSetSize);
    assert(parsed);
    for (const auto& file : files.file()) pool->BuildFile(file);
    return google::protobuf::util::NewTypeResolverForDescriptorPool(kUrl, pool);
  }();
  return resolver;
}

}  // namespace

std::string BinaryToJson(const std::string& message, const std::string& bytes) {
  std::string json;
  [[maybe_unused]] const auto status =
      google::protobuf::util::BinaryToJsonString(Resolver(), std::string(kUrl) + "/" + message, bytes, &json);
  assert(status.ok());
  return json;
}

}  // namespace astrolabe::client
