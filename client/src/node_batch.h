// The fast way from the bytes of a message to a NodeBatch: written by hand, because a search sends millions of node
// events a second and protobuf would allocate a string for the state of each.
#ifndef ASTROLABE_CLIENT_SRC_NODE_BATCH_H_
#define ASTROLABE_CLIENT_SRC_NODE_BATCH_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "astrolabe/client/event.h"

namespace astrolabe::client {

// Decodes the astrolabe.v1.NodeBatch at (*storage)[offset, offset + size); size npos: to the end. The batch's views
// point into *storage, which it shares. Reuses batch->nodes. Accepts exactly what protobuf accepts, unknown fields
// included; false for malformed bytes, *batch is then unspecified.
bool DecodeNodeBatch(std::shared_ptr<const std::string> storage, size_t offset, NodeBatch* batch,
                     size_t size = std::string::npos);

// Decodes a SolveResponse or WatchJobResponse whose event is a node batch into *event and returns true. Returns false,
// *event being unspecified, for any other message: protobuf must look at it then.
bool DecodeNodesResponse(const std::shared_ptr<const std::string>& message, Event* event);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_NODE_BATCH_H_
