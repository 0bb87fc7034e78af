// Reports faults of an input: all of them, each with its place and what would have been right.
#ifndef ASTROLABE_SDK_DIAGNOSTICS_H_
#define ASTROLABE_SDK_DIAGNOSTICS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  // One of many that say the same: `plural` names them all, "words that are not numbers". Of each kind in a field the
  // first Diagnostics::kMaxOfKind are reported, and when all are known one error tells how many more there were.
  inline Diagnostic& OfKind(std::string_view plural);

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
  size_t kind_ = 0;  // 0: of none
};

// At most kMaxReported errors go to the host, and then one note on how many more there were: a damaged
// file of megabytes must not become megabytes of messages. One thread at a time.
class Diagnostics {
 public:
  static constexpr uint64_t kMaxReported = 100;
  static constexpr uint64_t kMaxOfKind = 5;

  explicit Diagnostics(const astro_diagnostics* sink) : sink_(sink) {}
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;
  ~Diagnostics() {
    for (const Kind& kind : kinds_) {
      if (kind.errors <= kMaxOfKind) continue;
      Report(ASTRO_SEVERITY_ERROR, kind.field, kind.line, kind.column,
             kind.plural + ": and " + std::to_string(kind.errors - kMaxOfKind) + " more", kind.expected, "");
    }
    if (uncounted_ > kMaxReported) {
      Report(ASTRO_SEVERITY_NOTE, "", 0, 0, std::to_string(uncounted_ - kMaxReported) + " more errors, not shown", "",
             "");
    }
  }

  // Line and column are 1-based; 0: no position.
  Diagnostic Error(std::string field, uint32_t line = 0, uint32_t column = 0) {
    return Diagnostic(*this, ASTRO_SEVERITY_ERROR, std::move(field), line, column);
  }
  Diagnostic Note(std::string field, uint32_t line = 0, uint32_t column = 0) {
    return Diagnostic(*this, ASTRO_SEVERITY_NOTE, std::move(field), line, column);
  }

  // All of them, whether they were reported one by one or not.
  uint64_t errors() const { return errors_; }

 private:
  friend class Diagnostic;

  // Errors that say the same. Place and expectation are those of the first one that was not reported.
  struct Kind {
    std::string field;
    std::string plural;
    uint64_t errors = 0;
    uint32_t line = 0;
    uint32_t column = 0;
    std::string expected;
  };

  // The number of a kind, from 1.
  size_t KindOf(std::string_view field, std::string_view plural) {
    size_t number = 1;
    for (const Kind& kind : kinds_) {
      if (kind.field == field && kind.plural == plural) return number;
      ++number;
    }
    Kind& kind = kinds_.emplace_back();
    kind.field = field;
    kind.plural = plural;
    return number;
  }

  // Allocates nothing: a destructor calls it.
  void Add(Diagnostic& error) {
    ++errors_;
    if (error.kind_ != 0 && IsOneTooMany(error)) return;
    if (++uncounted_ <= kMaxReported) Report(error);
  }
  bool IsOneTooMany(Diagnostic& error) {
    Kind& kind = kinds_[error.kind_ - 1];
    if (++kind.errors == kMaxOfKind + 1) {
      kind.line = error.line_;
      kind.column = error.column_;
      kind.expected = std::move(error.expected_);
    }
    return kind.errors > kMaxOfKind;
  }
  void Report(const Diagnostic& diagnostic) {
    Report(diagnostic.severity_, diagnostic.field_, diagnostic.line_, diagnostic.column_, diagnostic.message_,
           diagnostic.expected_, diagnostic.hint_);
  }

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
  uint64_t uncounted_ = 0;  // errors that no kind counts
  std::vector<Kind> kinds_;
};

inline Diagnostic& Diagnostic::OfKind(std::string_view plural) {
  kind_ = owner_.KindOf(field_, plural);
  return *this;
}

inline Diagnostic::~Diagnostic() {
  if (severity_ == ASTRO_SEVERITY_ERROR) {
    owner_.Add(*this);
  } else {
    owner_.Report(*this);
  }
}

}  // namespace astro

#endif  // ASTROLABE_SDK_DIAGNOSTICS_H_
