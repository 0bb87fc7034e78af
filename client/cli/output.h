// Standard output, in one of the forms of -o, and the errors that go with it.
#ifndef ASTROLABE_CLIENT_CLI_OUTPUT_H_
#define ASTROLABE_CLIENT_CLI_OUTPUT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace astrolabe::cli {

enum class OutputForm { kText, kJson, kNdjson, kMoves, kState, kCsv };

// Writes to standard output. A reader that went away ends the program quietly, any other failure with exit code 1.
void Print(std::string_view text);
// Print and flush: a line of a stream that somebody waits for.
void PrintLine(std::string_view line);
// Flushes; the same failures. To be called last: a full disk shows only here.
void FlushOutput();

// Tells of an error in the form that was asked for: text on stderr, with -o json and ndjson an object
// {"error":{"code","message","reason","exitCode",...}} on stdout. Returns the exit code.
int ReportError(const absl::Status& status, OutputForm form);
// The same with an exit code of the caller's.
int ReportError(const absl::Status& status, OutputForm form, int exit_code);

std::string ErrorJson(const absl::Status& status, int exit_code);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_OUTPUT_H_
