#include "daemon/worker/abi_text.h"

#include <algorithm>
#include <new>

#include "daemon/base/utf8.h"

namespace astrolabe::worker {

std::string CopyText(astro_text text, size_t max_bytes) { return ToValidUtf8(Utf8Prefix(ViewOf(text), max_bytes)); }

void TextSink::Write(void* ctx, const char* data, uint64_t size) {
  auto& sink = *static_cast<TextSink*>(ctx);
  if (data == nullptr || size == 0) return;
  const size_t taken = std::min<uint64_t>(size, sink.max_bytes_ - sink.text_.size());
  if (taken < size) sink.overflowed_ = true;
  try {
    sink.text_.append(data, taken);
  } catch (const std::bad_alloc&) {
    sink.overflowed_ = true;
  }
}

std::string TextSink::Take() {
  std::string text = std::move(text_);
  text_.clear();
  if (overflowed_) text.resize(Utf8Prefix(text, text.empty() ? 0 : text.size() - 1).size());
  return IsValidUtf8(text) ? text : ToValidUtf8(text);
}

}  // namespace astrolabe::worker
