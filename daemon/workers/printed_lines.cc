#include "daemon/workers/printed_lines.h"

#include <algorithm>

#include "daemon/base/counted.h"
#include "daemon/base/utf8.h"

namespace astrolabe::workers {
std::string CleanText(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8SequenceLength(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    const bool control = length == 1 && (lead < 0x20 || lead == 0x7F) && lead != '\t';
    if (length == 0 || control) {
      clean += '?';
    } else {
      clean.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return clean;
}

std::vector<std::string> PrintedLines::Add(std::string_view bytes, Clock::time_point now) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const size_t newline = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, newline);
    if (!cut_) {
      partial_.append(piece.substr(0, kMaxLineBytes - std::min(partial_.size(), kMaxLineBytes)));
      if (partial_.size() >= kMaxLineBytes) {
        cut_ = true;
        Emit(std::string(Utf8Prefix(partial_, kMaxLineBytes - 1)) + " [cut]", now, &lines);
        partial_.clear();
      }
    }
    if (newline == std::string_view::npos) break;
    if (!cut_) Emit(partial_, now, &lines);
    partial_.clear();
    cut_ = false;
    bytes.remove_prefix(newline + 1);
  }
  return lines;
}

std::vector<std::string> PrintedLines::Flush(Clock::time_point now) {
  std::vector<std::string> lines;
  if (!partial_.empty()) Emit(partial_, now, &lines);
  partial_.clear();
  cut_ = false;
  TellDropped(&lines);
  return lines;
}

void PrintedLines::Emit(std::string_view line, Clock::time_point now, std::vector<std::string>* lines) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::chrono::duration<double> passed = now - last_;
  if (last_ != Clock::time_point{}) tokens_ = std::min<double>(kBurst, tokens_ + passed.count() * kPerSecond);
  last_ = now;
  if (tokens_ < 1) {
    ++dropped_;
    return;
  }
  tokens_ -= 1;
  TellDropped(lines);
  lines->push_back(CleanText(line));
}

void PrintedLines::TellDropped(std::vector<std::string>* lines) {
  if (dropped_ == 0) return;
  lines->push_back("[" + Counted(dropped_, "line") + " left out: too many at once]");
  dropped_ = 0;
}

}  // namespace astrolabe::workers
