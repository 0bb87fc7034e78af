// Proto JSON from wire bytes. The library's own messages are lite, without descriptors, so that a program may have
// full stubs of the same protos beside it: two copies in protobuf's one table would abort it at start. The
// descriptors for JSON are therefore in a pool of their own, made from an embedded descriptor set.
#ifndef ASTROLABE_CLIENT_SRC_PROTO_JSON_H_
#define ASTROLABE_CLIENT_SRC_PROTO_JSON_H_

#include <string>

namespace astrolabe::client {

// `message` is a full name of our protos, `bytes` its valid wire form. Thread-safe.
std::string BinaryToJson(const std::string& message, const std::string& bytes);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_PROTO_JSON_H_
