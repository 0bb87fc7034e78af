#include "client/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "astrolabe/client/errors.h"
#include "client/cli/exit_code.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

[[noreturn]] void OutputFailed() {
  // SIGPIPE normally ends the program before this; a parent may have had it ignored.
  if (errno == EPIPE) _exit(kExitSolved);
  std::fprintf(stderr, "astrolabe: cannot write the output: %s\n", std::strerror(errno));
  _exit(kExitInternal);
}

}  // namespace

void Print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) OutputFailed();
}

void PrintLine(std::string_view line) {
  Print(line);
  Print("\n");
  FlushOutput();
}

void FlushOutput() {
  if (std::fflush(stdout) != 0) OutputFailed();
}

std::string ErrorJson(const absl::Status& status, int exit_code) {
  nlohmann::ordered_json error;
  error["code"] = absl::StatusCodeToString(status.code());
  error["message"] = std::string(status.message());
  if (const std::string reason = client::Reason(status); !reason.empty()) error["reason"] = reason;
  error["exitCode"] = exit_code;
  for (const auto& [field, description] : client::FieldViolations(status)) {
    error["fieldViolations"].push_back({{"field", field}, {"description", description}});
  }
  if (const auto metadata = client::ErrorMetadata(status); !metadata.empty()) error["metadata"] = metadata;
  if (const auto delay = client::RetryDelay(status)) error["retryDelayMs"] = delay->count();
  nlohmann::ordered_json object;
  object["error"] = std::move(error);
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

int ReportError(const absl::Status& status, OutputForm form, int exit_code) {
  if (form == OutputForm::kJson || form == OutputForm::kNdjson) {
    PrintLine(ErrorJson(status, exit_code));
    return exit_code;
  }
  FlushOutput();
  std::string text = "astrolabe: ";
  const auto violations = client::FieldViolations(status);
  if (violations.size() > 1) {
    // One a line is easier to read than the message, which has them all in one.
    text += std::to_string(violations.size()) + " things are wrong:\n";
    for (const auto& [field, description] : violations) {
      text += "  " + (field.empty() ? "" : field + ": ") + description + "\n";
    }
  } else {
    text += std::string(status.message()) + "\n";
  }
  if (const auto delay = client::RetryDelay(status)) text += "Try again in " + FormatDuration(*delay) + ".\n";
  std::fputs(text.c_str(), stderr);
  return exit_code;
}

int ReportError(const absl::Status& status, OutputForm form) { return ReportError(status, form, ExitCodeOf(status)); }

}  // namespace astrolabe::cli
