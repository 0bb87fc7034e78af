#include "daemon/jobs/text.h"

#include <algorithm>
#include <csignal>
#include <cstring>

#include "daemon/base/utf8.h"

namespace astrolabe::jobs {
std::string CleanText(std::string_view text, size_t max_bytes) {
  text = text.substr(0, text.find('\0'));
  std::string out;
  out.reserve(std::min(text.size(), max_bytes));
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const size_t step = std::max<size_t>(length, 1);
    if (out.size() + step > max_bytes) {
      if (max_bytes < 3) return std::string(Utf8Prefix(out, max_bytes));
      return std::string(Utf8Prefix(out, max_bytes - 3)) + "...";
    }
    const unsigned char lead = static_cast<unsigned char>(text[0]);
    const bool control = (lead < 0x20 && lead != '\t' && lead != '\n') || lead == 0x7F;
    if (length == 0 || control) {
      out.push_back('?');
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(step);
  }
  return out;
}

std::string DidYouMean(std::string_view nearest) {
  if (nearest.empty()) return {};
  return ", did you mean '" + std::string(nearest) + "'?";
}

std::string JoinNames(const std::vector<std::string>& names, size_t most) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < most; ++i) {
    if (i > 0) out += ", ";
    out += names[i];
  }
  if (names.size() > most) out += ", ...";
  return out;
}

std::string SignalName(int signal) {
  if (signal == 0) return {};
  const char* abbreviation = ::sigabbrev_np(signal);
  if (abbreviation != nullptr) return std::string("SIG") + abbreviation;
  return "signal " + std::to_string(signal);
}

}  // namespace astrolabe::jobs
