#include "daemon/worker/diagnostics.h"

#include <algorithm>
#include <limits>
#include <new>

#include "daemon/worker/abi_text.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kMaxFieldText = 2 << 10;
constexpr size_t kMaxAllText = 256 << 10;

int32_t Position(uint32_t value) {
  return static_cast<int32_t>(std::min<uint32_t>(value, std::numeric_limits<int32_t>::max()));
}

}  // namespace

DiagnosticCollector::DiagnosticCollector(std::string_view field)
    : field_(field), abi_{this, &DiagnosticCollector::Report} {}

void DiagnosticCollector::Report(void* ctx, const astro_diagnostic_v1* diagnostic) {
  auto& collector = *static_cast<DiagnosticCollector*>(ctx);
  if (diagnostic == nullptr || diagnostic->struct_size < sizeof(astro_diagnostic_v1)) {
    collector.EnsureViolation("the plugin reported a fault in a form this host cannot read");
    return;
  }
  try {
    collector.Add(*diagnostic);
  } catch (const std::bad_alloc&) {
    ++collector.left_out_;
  }
}

void DiagnosticCollector::Add(const astro_diagnostic_v1& diagnostic) {
  if (diagnostic.severity == ASTRO_SEVERITY_NOTE) {
    if (notes_.size() < kMaxNotes) notes_.push_back(CopyText(diagnostic.message, kMaxFieldText));
    return;
  }
  if (violations_.size() >= kMaxViolations || bytes_ > kMaxAllText) {
    if (left_out_++ == 0) {
      v1::Violation& more = violations_.emplace_back();
      more.set_field(field_);
      more.set_message("there are more faults, left out here");
    }
    return;
  }
  v1::Violation violation;
  violation.set_field(CopyText(diagnostic.field, 256));
  if (violation.field().empty()) violation.set_field(field_);
  violation.set_line(Position(diagnostic.line));
  violation.set_column(Position(diagnostic.column));
  violation.set_message(CopyText(diagnostic.message, kMaxFieldText));
  violation.set_expected(CopyText(diagnostic.expected, kMaxFieldText));
  violation.set_hint(CopyText(diagnostic.hint, kMaxFieldText));
  bytes_ += violation.ByteSizeLong();
  violations_.push_back(std::move(violation));
}

std::string DiagnosticCollector::Summary() const {
  if (violations_.empty()) return notes_.empty() ? std::string() : notes_.front();
  const v1::Violation& first = violations_.front();
  std::string text = first.message();
  if (!first.expected().empty()) text += "; expected " + first.expected();
  if (!first.hint().empty()) text += " (" + first.hint() + ")";
  return text;
}

void DiagnosticCollector::EnsureViolation(std::string_view message) {
  if (!violations_.empty()) return;
  v1::Violation& violation = violations_.emplace_back();
  violation.set_field(field_);
  violation.set_message(std::string(message));
}

}  // namespace astrolabe::worker
