#include "client/cli/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace astrolabe::cli {
namespace {

constexpr size_t kMaxInputBytes = size_t{1} << 30;
constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kProblemMark = "#problem:";

absl::Status CannotRead(const std::string& name, const std::string& why) {
  return absl::InvalidArgumentError("cannot read " + name + ": " + why);
}

absl::StatusOr<std::string> ReadAll(int fd, const std::string& name) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotRead(name, std::strerror(errno));
    text.append(buffer, static_cast<size_t>(got));
    if (text.size() > kMaxInputBytes) return CannotRead(name, "it is larger than 1 GiB");
  }
}

}  // namespace

absl::StatusOr<Input> ReadInput(const std::string& path) {
  Input input;
  int fd = STDIN_FILENO;
  if (path == "-") {
    input.name = "<stdin>";
  } else {
    input.name = path;
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return CannotRead(path, std::strerror(errno));
  }
  absl::StatusOr<std::string> text = ReadAll(fd, input.name);
  if (fd != STDIN_FILENO) close(fd);
  if (!text.ok()) return text.status();
  input.text = *std::move(text);
  return input;
}

std::string TakeProblemLine(std::string* text) {
  const size_t start = text->starts_with(kBom) ? kBom.size() : 0;
  const size_t end = std::min(text->find('\n', start), text->size());
  std::string_view line = std::string_view(*text).substr(start, end - start);
  if (!line.starts_with(kProblemMark)) return "";
  line.remove_prefix(kProblemMark.size());
  const size_t first = line.find_first_not_of(" \t");
  const size_t last = line.find_last_not_of(" \t\r");
  const std::string problem =
      first == std::string_view::npos || last < first ? "" : std::string(line.substr(first, last - first + 1));
  text->erase(start, end - start);
  return problem;
}

namespace {

// No board, state or goal begins like this; and the names of nodes rarely end so.
bool IsPath(const std::string& value) {
  if (value.find('\n') != std::string::npos) return false;
  for (const char* begin : {"/", "./", "../", "~/"}) {
    if (value.starts_with(begin)) return true;
  }
  return value.ends_with(".txt") || value.ends_with(".json");
}

}  // namespace

absl::StatusOr<std::string> ResolveText(const std::string& value, const std::string& option, std::string* name) {
  *name = option;
  struct stat info;
  // What is named like a file is to be one: the error of reading it says more than that of taking it for a board.
  if (!IsPath(value) && (stat(value.c_str(), &info) != 0 || S_ISDIR(info.st_mode))) return value;
  absl::StatusOr<Input> input = ReadInput(value);
  if (!input.ok()) return input.status();
  *name = input->name;
  return std::move(input->text);
}

absl::StatusOr<std::string> ResolveGoal(const std::string& goal, std::string* name) {
  *name = "--goal";
  if (goal == "blank-last" || goal == "blank-first") return goal;
  absl::StatusOr<std::string> text = ResolveText(goal, "--goal", name);
  // To the server no text means the usual goal, which nobody asked for with a file.
  if (text.ok() && text->find_first_not_of(" \t\r\n") == std::string::npos) {
    return absl::InvalidArgumentError(*name + " is empty; expected the rows of the goal");
  }
  return text;
}

}  // namespace astrolabe::cli
