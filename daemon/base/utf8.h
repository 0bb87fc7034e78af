// Text from plugins, files and pipes is bytes until proven UTF-8; protobuf refuses anything else.
#ifndef ASTROLABE_DAEMON_BASE_UTF8_H_
#define ASTROLABE_DAEMON_BASE_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace astrolabe {

// Length of the well-formed sequence at the start of `bytes` (RFC 3629: no surrogates, no overlong
// forms, nothing above U+10FFFF); 0 when there is none.
size_t Utf8SequenceLength(std::string_view bytes);

bool IsValidUtf8(std::string_view bytes);

// `bytes` with each byte that belongs to no well-formed sequence replaced by U+FFFD.
std::string ToValidUtf8(std::string_view bytes);

// The longest prefix of at most `max_bytes` that does not cut a sequence in two.
std::string_view Utf8Prefix(std::string_view text, size_t max_bytes);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_UTF8_H_
