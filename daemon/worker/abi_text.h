// Text across the ABI: views in, copies out. What a plugin hands us may be of any length and any bytes;
// what we keep is bounded and valid UTF-8.
#ifndef ASTROLABE_DAEMON_WORKER_ABI_TEXT_H_
#define ASTROLABE_DAEMON_WORKER_ABI_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "astrolabe/abi/types.h"

namespace astrolabe::worker {

inline constexpr size_t kMaxPluginText = 16 << 10;

inline astro_text ToAbi(std::string_view text) { return {text.data(), text.size()}; }

// Empty for a null pointer.
inline std::string_view ViewOf(astro_text text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}

// At most max_bytes of it, as UTF-8.
std::string CopyText(astro_text text, size_t max_bytes = kMaxPluginText);

// Collects what a plugin writes, up to a number of bytes; never lets an exception into the plugin.
class TextSink {
 public:
  explicit TextSink(size_t max_bytes) : max_bytes_(max_bytes), abi_{this, &TextSink::Write} {}
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  const astro_sink* abi() const { return &abi_; }
  // True when something was cut off.
  bool overflowed() const { return overflowed_; }
  size_t size() const { return text_.size(); }
  // As UTF-8.
  std::string Take();

 private:
  static void Write(void* ctx, const char* data, uint64_t size);

  const size_t max_bytes_;
  const astro_sink abi_;
  std::string text_;
  bool overflowed_ = false;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_ABI_TEXT_H_
