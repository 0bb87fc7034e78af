#include "client/src/utf8.h"

#include <cstdint>
#include <cstring>

namespace astrolabe::client {

bool IsUtf8(std::string_view text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  while (at < end) {
    // Eight ASCII bytes at a time: instances are long runs of digits.
    uint64_t word;
    while (end - at >= 8 && (std::memcpy(&word, at, 8), (word & 0x8080808080808080u) == 0)) at += 8;
    if (at == end) break;
    const unsigned char lead = *at;
    if (lead < 0x80) {
      ++at;
      continue;
    }
    const int length = lead >= 0xC2 && lead <= 0xDF   ? 2
                       : (lead & 0xF0) == 0xE0        ? 3
                       : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                      : 0;
    if (length == 0 || end - at < length) return false;
    for (int i = 1; i < length; ++i) {
      if ((at[i] & 0xC0) != 0x80) return false;
    }
    if (lead == 0xE0 && at[1] < 0xA0) return false;
    if (lead == 0xED && at[1] > 0x9F) return false;
    if (lead == 0xF0 && at[1] < 0x90) return false;
    if (lead == 0xF4 && at[1] > 0x8F) return false;
    at += length;
  }
  return true;
}

}  // namespace astrolabe::client
