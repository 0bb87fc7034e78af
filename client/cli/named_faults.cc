#include "client/cli/named_faults.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "astrolabe/client/errors.h"

namespace astrolabe::cli {
namespace {

// What the user calls the text that the server calls `what`.
std::string NameOf(const std::string& what, const SourceNames& names) {
  if (what == "instance" || what == "instance.text") return names.instance;
  if (what == "goal" || what == "params.goal") return names.goal;
  size_t index = 0;
  if (std::sscanf(what.c_str(), "states[%zu]", &index) == 1 && index < names.states.size()) return names.states[index];
  return what;
}

}  // namespace

absl::Status NamedFaults(const absl::Status& status, const SourceNames& names) {
  std::string text;
  for (const auto& [field, description] : client::FieldViolations(status)) {
    const size_t end = std::min(field.find(':'), field.size());
    std::string place = NameOf(field.substr(0, end), names) + field.substr(end);
    int line = 0;
    int column = 0;
    int length = 0;
    if (std::sscanf(description.c_str(), "line %d, column %d: %n", &line, &column, &length) == 2 && length > 0) {
      place.append(":").append(std::to_string(line)).append(":").append(std::to_string(column));
    }
    if (!text.empty()) text += "\n";
    if (!place.empty()) text.append(place).append(": ");
    text += description.substr(length);
  }
  return text.empty() ? status : absl::Status(status.code(), text);
}

}  // namespace astrolabe::cli
