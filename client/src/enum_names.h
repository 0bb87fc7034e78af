// Names of enums, as in the protos without their prefixes. Lite messages have none of their own.
#ifndef ASTROLABE_CLIENT_SRC_ENUM_NAMES_H_
#define ASTROLABE_CLIENT_SRC_ENUM_NAMES_H_

#include <string>
#include <string_view>

namespace astrolabe::client {

// astrolabe.v1.LoadCode: "ABI_TOO_NEW"; "UNKNOWN(99)" for a code this library does not know.
std::string LoadCodeName(int code);
// The other way; 0 for a name it does not know.
int LoadCodeNumber(std::string_view name);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_ENUM_NAMES_H_
