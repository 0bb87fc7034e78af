#include "daemon/server/safe_text.h"

#include <cctype>

#include "daemon/base/utf8.h"

namespace astrolabe::server {
namespace {

bool IsPathCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("/._+~@%=-").find(c) != std::string_view::npos;
}

}  // namespace

std::string SafeText(std::string_view text, size_t max_bytes) {
  static constexpr std::string_view kEllipsis = "...";
  std::string valid = ToValidUtf8(text);
  if (valid.size() <= max_bytes) return valid;
  const size_t room = max_bytes > kEllipsis.size() ? max_bytes - kEllipsis.size() : 0;
  return std::string(Utf8Prefix(valid, room)).append(kEllipsis);
}

std::string WithoutPaths(std::string_view text, std::string_view known_path) {
  std::string source(text);
  if (known_path.size() > 1) {
    const std::string base(BaseName(known_path));
    for (size_t at = 0; (at = source.find(known_path, at)) != std::string::npos; at += base.size()) {
      source.replace(at, known_path.size(), base);
    }
  }
  std::string out;
  for (size_t i = 0; i < source.size();) {
    // "https://" is no path.
    const bool starts = source[i] == '/' && (i == 0 || !IsPathCharacter(source[i - 1])) &&
                        !(i > 0 && source[i - 1] == ':' && i + 1 < source.size() && source[i + 1] == '/');
    size_t end = i;
    size_t slashes = 0;
    if (starts) {
      while (end < source.size() && IsPathCharacter(source[end])) slashes += source[end++] == '/';
    }
    if (slashes >= 2) {
      // A colon or full stop that ends a sentence belongs to the sentence, not to the path.
      std::string_view path = std::string_view(source).substr(i, end - i);
      while (path.size() > 1 && (path.back() == '/' || path.back() == '.')) path.remove_suffix(1);
      out += BaseName(path);
      i += path.size();
    } else {
      out += source[i++];
    }
  }
  return out;
}

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace astrolabe::server
