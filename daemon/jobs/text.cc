#include "daemon/jobs/text.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <numeric>

#include "daemon/base/utf8.h"

namespace astrolabe::jobs {
namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

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

std::string NearestName(std::string_view wanted, const std::vector<std::string>& names) {
  if (wanted.empty() || wanted.size() > 128) return {};
  size_t best = std::max<size_t>(1, wanted.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : names) {
    const size_t distance = EditDistance(wanted, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
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
