// Reading what the user names: files and standard input.
#ifndef ASTROLABE_CLIENT_CLI_INPUT_H_
#define ASTROLABE_CLIENT_CLI_INPUT_H_

#include <string>

#include "absl/status/statusor.h"

namespace astrolabe::cli {

struct Input {
  std::string name;  // as messages call it: the path, or "<stdin>"
  std::string text;
};

// The whole of a file, or of standard input for "-". INVALID_ARGUMENT, in words, when it cannot be read.
absl::StatusOr<Input> ReadInput(const std::string& path);

// The problem named by a first line "#problem: ID"; empty when there is none. That line is blanked in *text, so that
// positions in messages stay right and a problem whose syntax has no comments is not disturbed.
std::string TakeProblemLine(std::string* text);

// The value of an option that takes text or a file: the content of a file that exists, else the text itself. *name is
// what messages call it: the file, or `option`.
absl::StatusOr<std::string> ResolveText(const std::string& value, const std::string& option, std::string* name);

// The value of --goal: keywords and text as they are, the content of a file that exists. *name is what messages call
// it.
absl::StatusOr<std::string> ResolveGoal(const std::string& goal, std::string* name);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_INPUT_H_
