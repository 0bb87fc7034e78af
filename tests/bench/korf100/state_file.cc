#include "tests/bench/korf100/state_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace astrolabe::bench {
namespace {

std::string Failed(const std::string& path, const std::string& what) {
  return path + ": " + what + ": " + std::strerror(errno);
}

bool ReadAll(int fd, std::string& text) {
  char buffer[4096];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    text.append(buffer, static_cast<size_t>(n));
  }
}

// One write, so that a kill tears at most this line.
bool WriteLine(int fd, const std::string& line) {
  const ssize_t n = ::write(fd, line.data(), line.size());
  return n == static_cast<ssize_t>(line.size()) && ::fdatasync(fd) == 0;
}

}  // namespace

bool StateFile::Open(const std::string& path, const std::string& run, std::string& error) {
  path_ = path;
  fd_.Reset(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  std::string text;
  if (fd_.get() < 0 || !ReadAll(fd_.get(), text)) {
    error = Failed(path, "cannot be opened");
    return false;
  }
  const size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole < text.size() && ::ftruncate(fd_.get(), static_cast<off_t>(whole)) != 0) {
    error = Failed(path, "its torn last line cannot be cut off");
    return false;
  }
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  if (!std::getline(lines, line)) {
    if (WriteLine(fd_.get(), run + "\n")) return true;
    error = Failed(path, "cannot be written");
    return false;
  }
  if (line != run) {
    error = path + " holds results of another run (\"" + line + "\", this one is \"" + run +
            "\"); remove it or name another file with --state";
    return false;
  }
  for (int number = 2; std::getline(lines, line); ++number) {
    Solved solved;
    std::istringstream words(line);
    if (!(words >> solved.number >> solved.length >> solved.generated >> solved.seconds)) {
      error = path + ", line " + std::to_string(number) + ": expected number, length, generated, seconds";
      return false;
    }
    solved_[solved.number] = solved;
  }
  return true;
}

bool StateFile::Append(const Solved& solved, std::string& error) {
  char line[128];
  std::snprintf(line, sizeof line, "%d %d %lld %.6f\n", solved.number, solved.length,
                static_cast<long long>(solved.generated), solved.seconds);
  if (!WriteLine(fd_.get(), line)) {
    error = Failed(path_, "cannot be written");
    return false;
  }
  solved_[solved.number] = solved;
  return true;
}

}  // namespace astrolabe::bench
