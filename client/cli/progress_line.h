// The one line on a terminal that tells how a long search goes. Silent when stderr is not a terminal.
#ifndef ASTROLABE_CLIENT_CLI_PROGRESS_LINE_H_
#define ASTROLABE_CLIENT_CLI_PROGRESS_LINE_H_

#include <string>

#include "astrolabe/client/event.h"

namespace astrolabe::cli {

class ProgressLine {
 public:
  // enabled false (--quiet, --events none): never shows anything.
  explicit ProgressLine(bool enabled);
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool shown() const { return enabled_; }
  // What stands before everything that Update shows; shown at once.
  void SetPrefix(std::string prefix);
  // Takes what it can show of an event.
  void Update(const client::Event& event);
  // Removes the line; to be called before anything else is written to the terminal.
  void Clear();

 private:
  void Show(std::string text);

  bool enabled_;
  bool plain_;  // NO_COLOR or a dumb terminal: no escape sequences
  int width_ = 0;
  std::string prefix_;
  size_t shown_columns_ = 0;
};

// What the line says; for tests without a terminal.
std::string DescribeProgress(const client::Progress& progress, client::Duration elapsed);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_PROGRESS_LINE_H_
