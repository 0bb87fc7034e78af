// Reports faults of an input: all of them, each with its place and what would have been right.
#ifndef ASTROLABE_SDK_DIAGNOSTICS_H_
#define ASTROLABE_SDK_DIAGNOSTICS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "astrolabe/sdk/text.h"

namespace astro {

class Diagnostics;

// One fault being described; reported when it goes out of scope, so chain the calls:
//   diagnostics.Error("instance").At(2, 5).Message("4 twice").Expected("each tile once");
class Diagnostic {
 public:
  Diagnostic(const Diagnostic&) = delete;
  Diagnostic& operator=(const Diagnostic&) = delete;
  inline ~Diagnostic();

  // 1-based; the column counts bytes.
  Diagnostic& At(uint32_t line, uint32_t column) {
    line_ = line;
    column_ = column;
    return *this;
  }
  Diagnostic& Message(std::string text) {
    message_ = std::move(text);
    return *this;
  }
  Diagnostic& Expected(std::string text) {
    expected_ = std::move(text);
    return *this;
  }
  Diagnostic& Hint(std::string text) {
    hint_ = std::move(text);
    return *this;
  }

 private:
  friend class Diagnostics;
  Diagnostic(Diagnostics& owner, uint32_t severity, std::string field, uint32_t line, uint32_t column)
      : owner_(owner), severity_(severity), field_(std::move(field)), line_(line), column_(column) {}

  Diagnostics& owner_;
  uint32_t severity_;
  std::string field_;
  uint32_t line_;
  uint32_t column_;
  std::string message_;
  std::string expected_;
  std::string hint_;
};

// At most kMaxReported errors go to the host, and then one note on how many more there were: a damaged
// file of megabytes must not become megabytes of messages.
class Diagnostics {
 public:
  static constexpr uint64_t kMaxReported = 100;

  explicit Diagnostics(const astro_diagnostics* sink) : sink_(sink) {}
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;
  ~Diagnostics() {
    if (errors_ > kMaxReported) {
      Report(ASTRO_SEVERITY_NOTE, "", 0, 0, std::to_string(errors_ - kMaxReported) + " more errors, not shown", "", "");
    }
  }

  // Line and column are 1-based; 0: no position.
  Diagnostic Error(std::string field, uint32_t line = 0, uint32_t column = 0) {
    return Diagnostic(*this, ASTRO_SEVERITY_ERROR, std::move(field), line, column);
  }
  Diagnostic Note(std::string field, uint32_t line = 0, uint32_t column = 0) {
    return Diagnostic(*this, ASTRO_SEVERITY_NOTE, std::move(field), line, column);
  }

  uint64_t errors() const { return errors_; }

 private:
  friend class Diagnostic;

  void Report(uint32_t severity, std::string_view field, uint32_t line, uint32_t column, std::string_view message,
              std::string_view expected, std::string_view hint) {
    if (sink_ == nullptr || sink_->report == nullptr) return;
    astro_diagnostic_v1 out = {};
    out.struct_size = sizeof(out);
    out.severity = severity;
    out.field = ToText(field);
    out.line = line;
    out.column = column;
    out.message = ToText(message);
    out.expected = ToText(expected);
    out.hint = ToText(hint);
    sink_->report(sink_->ctx, &out);
  }

  const astro_diagnostics* sink_;
  uint64_t errors_ = 0;
};

inline Diagnostic::~Diagnostic() {
  if (severity_ == ASTRO_SEVERITY_ERROR && ++owner_.errors_ > Diagnostics::kMaxReported) return;
  owner_.Report(severity_, field_, line_, column_, message_, expected_, hint_);
}

}  // namespace astro

#endif  // ASTROLABE_SDK_DIAGNOSTICS_H_
