// Calls that have no place in the daemon, its workers and the plugins: each has a cost that no other test would see in
// time. The word is searched in code, not in comments.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Forbidden {
  std::regex pattern;
  std::string why;
};

const std::vector<Forbidden>& ForbiddenCalls() {
  static const auto* forbidden = new std::vector<Forbidden>{
      {std::regex(R"(\bdlclose\s*\()"), "threads and thread-local destructors of a plugin outlive it"},
      {std::regex(R"(\bdlmopen\s*\()"), "there are 16 namespaces, each with a C library of its own"},
      {std::regex(R"(\bRTLD_DEEPBIND\b)"), "the plugin would get another allocator than the program"},
      {std::regex(R"(\bRTLD_GLOBAL\b)"), "plugins would call each other's functions of the same name"},
      {std::regex(R"(\bRTLD_LAZY\b)"), "a missing symbol would end the process at its first call"},
      {std::regex(R"(\bv?fork\s*\()"), "gRPC's threads and locks do not survive it: posix_spawn"},
      {std::regex(R"(\bPR_SET_PDEATHSIG\b)"), "it fires when the thread that spawned ends: workers watch their socket"},
  };
  return *forbidden;
}

std::string WithoutComment(const std::string& line) { return line.substr(0, line.find("//")); }

std::vector<std::string> Found(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc" && extension != ".c") continue;
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      const std::string code = WithoutComment(line);
      for (const Forbidden& call : ForbiddenCalls()) {
        if (!std::regex_search(code, call.pattern)) continue;
        std::ostringstream text;
        text << entry.path().string() << ":" << number << ": " << line << " (" << call.why << ")";
        found.push_back(text.str());
      }
    }
  }
  return found;
}

TEST(ForbiddenCalls, AreNowhereInDaemonAndPlugins) {
  for (const char* folder : {"daemon", "plugins"}) {
    for (const std::string& place : Found(fs::path(SOURCE_ROOT) / folder)) ADD_FAILURE() << place;
  }
}

TEST(ForbiddenCalls, PlantedOnesAreFound) {
  const fs::path folder = fs::path(testing::TempDir()) / "astrolabe-forbidden-calls";
  fs::create_directories(folder);
  std::ofstream(folder / "x.cc") << "// dlclose(handle) is never called\nvoid* h = dlopen(f, RTLD_NOW | RTLD_GLOBAL);\n"
                                    "if (::fork() == 0) dlclose (h);\n";
  const std::vector<std::string> found = Found(folder);
  fs::remove_all(folder);
  EXPECT_EQ(found.size(), 3u);
}

}  // namespace
