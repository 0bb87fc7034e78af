// Collects the faults and remarks that a plugin reports, bounded in number and size.
#ifndef ASTROLABE_DAEMON_WORKER_DIAGNOSTICS_H_
#define ASTROLABE_DAEMON_WORKER_DIAGNOSTICS_H_

#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/abi/types.h"
#include "astrolabe/v1/result.pb.h"

namespace astrolabe::worker {

class DiagnosticCollector {
 public:
  static constexpr size_t kMaxViolations = 1000;
  static constexpr size_t kMaxNotes = 100;

  // `field` stands in for diagnostics that name none.
  explicit DiagnosticCollector(std::string_view field);
  DiagnosticCollector(const DiagnosticCollector&) = delete;
  DiagnosticCollector& operator=(const DiagnosticCollector&) = delete;

  const astro_diagnostics* abi() const { return &abi_; }

  bool has_errors() const { return !violations_.empty(); }
  const std::vector<v1::Violation>& violations() const { return violations_; }
  const std::vector<std::string>& notes() const { return notes_; }
  // The first fault in one line; empty when there is none.
  std::string Summary() const;
  // Adds a fault if there is none yet: a plugin that refuses without saying why.
  void EnsureViolation(std::string_view message);

 private:
  static void Report(void* ctx, const astro_diagnostic_v1* diagnostic);
  void Add(const astro_diagnostic_v1& diagnostic);

  const std::string field_;
  const astro_diagnostics abi_;
  std::vector<v1::Violation> violations_;
  std::vector<std::string> notes_;
  size_t bytes_ = 0;
  size_t left_out_ = 0;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_DIAGNOSTICS_H_
