#ifndef ASTROLABE_CLIENT_SRC_UTF8_H_
#define ASTROLABE_CLIENT_SRC_UTF8_H_

#include <string_view>

namespace astrolabe::client {

// Well-formed UTF-8 as protobuf wants it: no overlong forms, no surrogates, nothing above U+10FFFF.
bool IsUtf8(std::string_view text);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_UTF8_H_
