#include "client/cli/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

bool IsPlain() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (no_color != nullptr && *no_color != '\0') || term == nullptr || std::string_view(term) == "dumb";
}

int TerminalWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string DescribeProgress(const client::Progress& progress, client::Duration elapsed) {
  std::string text = FormatDuration(elapsed) + "  " + FormatCount(static_cast<double>(progress.expanded)) +
                     " expanded  " + FormatCount(static_cast<double>(progress.generated)) + " generated (" +
                     FormatCount(progress.generated_per_second) + "/s)";
  if (progress.f_bound > 0) text += "  bound " + std::to_string(progress.f_bound);
  if (progress.best_h >= 0) text += "  best h " + std::to_string(progress.best_h);
  if (progress.open > 0) text += "  open " + FormatCount(static_cast<double>(progress.open));
  if (progress.incumbent) text += "  best so far " + std::to_string(*progress.incumbent);
  if (progress.memory_bytes > 0) text += "  " + FormatSize(progress.memory_bytes);
  return text;
}

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled && isatty(STDERR_FILENO) == 1), plain_(IsPlain()) {
  if (enabled_) width_ = TerminalWidth();
}

void ProgressLine::Update(const client::Event& event) {
  if (!enabled_) return;
  if (const auto* accepted = event.As<client::JobAccepted>()) {
    if (accepted->queue_position > 0) Show("waiting, position " + std::to_string(accepted->queue_position));
  } else if (const auto* changed = event.As<client::StateChanged>()) {
    if (changed->state == client::JobState::kQueued) {
      Show("waiting, position " + std::to_string(changed->queue_position));
    } else if (changed->state == client::JobState::kPreparing) {
      Show("preparing");
    }
  } else if (const auto* preparing = event.As<client::Preparing>()) {
    std::string text = "preparing " + preparing->heuristic + ": " + preparing->what;
    if (preparing->fraction >= 0) text += "  " + std::to_string(std::lround(100 * preparing->fraction)) + " %";
    Show(text);
  } else if (const auto* progress = event.As<client::Progress>()) {
    Show(DescribeProgress(*progress, event.elapsed));
  }
}

void ProgressLine::SetPrefix(std::string prefix) {
  prefix_ = std::move(prefix);
  if (enabled_) Show("");
}

void ProgressLine::Show(std::string text) {
  text.insert(0, prefix_);
  // The last column stays free: writing there would move some terminals to the next line.
  if (text.size() >= static_cast<size_t>(width_)) text.resize(width_ - 1);
  const size_t columns = text.size();
  std::string line = "\r" + text;
  if (!plain_) {
    line += "\x1b[K";
  } else if (columns < shown_columns_) {
    line.append(shown_columns_ - columns, ' ');
  }
  shown_columns_ = columns;
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (shown_columns_ == 0) return;
  const std::string line = plain_ ? "\r" + std::string(shown_columns_, ' ') + "\r" : "\r\x1b[K";
  shown_columns_ = 0;
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace astrolabe::cli
