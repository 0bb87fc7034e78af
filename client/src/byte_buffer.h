#ifndef ASTROLABE_CLIENT_SRC_BYTE_BUFFER_H_
#define ASTROLABE_CLIENT_SRC_BYTE_BUFFER_H_

#include <string>
#include <vector>

#include "grpcpp/support/byte_buffer.h"

namespace astrolabe::client {

// The slices of a received message in one piece.
inline std::string ToString(const grpc::ByteBuffer& buffer) {
  std::string bytes;
  std::vector<grpc::Slice> slices;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) return bytes;
  bytes.reserve(buffer.Length());
  for (const grpc::Slice& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_BYTE_BUFFER_H_
