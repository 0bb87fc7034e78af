#include "daemon/server/event_envelope.h"

#include <cstdint>
#include <memory>
#include <string>

#include "daemon/server/tsan_annotate.h"

namespace astrolabe::server {
namespace {

constexpr char kEventFieldTag = 0x0A;  // field 1, length-delimited
// Copying less than this is cheaper than a slice with a reference count of its own.
constexpr size_t kCopyBelow = 1024;

using SharedBody = std::shared_ptr<const std::string>;

void AppendVarint(std::string* out, uint64_t value) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

void DropBody(void* holder) {
  TsanAcquire(holder);
  delete static_cast<SharedBody*>(holder);
}

grpc::Slice SliceOf(const SharedBody& body) {
  auto* holder = new SharedBody(body);
  TsanRelease(holder);
  return grpc::Slice(const_cast<char*>(body->data()), body->size(), DropBody, holder);
}

}  // namespace

grpc::ByteBuffer WrapEvent(const jobs::EncodedEvent& event) {
  const size_t body_size = event.body ? event.body->size() : 0;
  std::string front;
  front.reserve(12 + event.head.size() + (body_size < kCopyBelow ? body_size : 0));
  front.push_back(kEventFieldTag);
  AppendVarint(&front, event.head.size() + body_size);
  front += event.head;
  if (body_size < kCopyBelow) {
    if (event.body) front += *event.body;
    const grpc::Slice slice(front);
    return grpc::ByteBuffer(&slice, 1);
  }
  const grpc::Slice slices[] = {grpc::Slice(front), SliceOf(event.body)};
  return grpc::ByteBuffer(slices, 2);
}

}  // namespace astrolabe::server
