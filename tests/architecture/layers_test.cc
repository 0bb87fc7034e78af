// No file includes upward. The rules are those of ARCHITECTURE.md; what a layer may include is listed
// here, everything else among our own headers is forbidden.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Rule {
  std::string folder;
  // Prefixes of our own headers, and of generated ones, that files under `folder` may include.
  std::vector<std::string> allowed;
  // Third-party header prefixes that are forbidden here.
  std::vector<std::string> forbidden;
};

const std::vector<std::string> kHeavy = {"grpc", "grpcpp", "absl/", "google/protobuf/", "spdlog", "prometheus"};

const std::vector<Rule>& Rules() {
  static const auto* rules = new std::vector<Rule>{
      {"daemon/base", {"daemon/base/"}, kHeavy},
      {"daemon/engine", {"daemon/base/", "daemon/engine/"}, {"grpc", "absl/", "google/protobuf/", "astrolabe/"}},
      {"daemon/worker",
       {"daemon/base/", "daemon/engine/", "daemon/worker/", "astrolabe/abi/", "astrolabe/v1/", "astrolabe/internal/"},
       {"grpc", "absl/", "google/protobuf/util", "google/protobuf/descriptor", "spdlog", "prometheus"}},
      {"daemon/workers", {"daemon/base/", "daemon/workers/", "astrolabe/v1/", "astrolabe/internal/"}, {"grpc"}},
      {"daemon/registry",
       {"daemon/base/", "daemon/workers/", "daemon/registry/"},
       {"grpc", "google/protobuf/", "astrolabe/v1/"}},
      {"daemon/jobs",
       {"daemon/base/", "daemon/workers/", "daemon/registry/", "daemon/jobs/", "astrolabe/v1/", "astrolabe/internal/"},
       {"grpc"}},
      {"daemon/server",
       {"daemon/base/", "daemon/workers/", "daemon/registry/", "daemon/jobs/", "daemon/server/", "astrolabe/v1/",
        "astrolabe/rpc/"},
       {}},
      {"plugins/abi", {"astrolabe/abi/"}, kHeavy},
      {"plugins/sdk", {"astrolabe/abi/", "astrolabe/sdk/"}, kHeavy},
      {"plugins/tiles", {"astrolabe/abi/", "astrolabe/sdk/", "astrolabe/tiles/", "plugins/tiles/"}, kHeavy},
      {"plugins/tiles/include", {"astrolabe/tiles/"}, kHeavy},
      {"plugins/sliding_tile",
       {"astrolabe/abi/", "astrolabe/sdk/", "astrolabe/tiles/", "plugins/tiles/", "astrolabe/sliding_tile/",
        "plugins/sliding_tile/"},
       kHeavy},
      {"plugins/explicit_graph",
       {"astrolabe/abi/", "astrolabe/sdk/", "astrolabe/explicit_graph/", "plugins/explicit_graph/"},
       kHeavy},
      {"plugins/graph_tile",
       {"astrolabe/abi/", "astrolabe/sdk/", "astrolabe/tiles/", "plugins/tiles/", "astrolabe/graph_tile/",
        "plugins/graph_tile/"},
       kHeavy},
      {"plugins/queens", {"astrolabe/abi/", "astrolabe/sdk/", "astrolabe/queens/", "plugins/queens/"}, kHeavy},
      {"plugins/tsp", {"astrolabe/abi/", "astrolabe/sdk/", "astrolabe/tsp/", "plugins/tsp/"}, kHeavy},
      {"client/include", {"astrolabe/client/"}, {"grpc", "google/protobuf/", "astrolabe/v1/"}},
      {"client/cli", {"astrolabe/client/", "client/cli/", "client/src/"}, {"grpc"}},
  };
  return *rules;
}

bool StartsWith(const std::string& text, const std::string& prefix) { return text.rfind(prefix, 0) == 0; }

bool IsOurs(const std::string& header) {
  return StartsWith(header, "daemon/") || StartsWith(header, "client/") || StartsWith(header, "plugins/") ||
         StartsWith(header, "astrolabe/") || StartsWith(header, "tests/");
}

std::vector<std::string> IncludesOf(const fs::path& file) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> result;
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::smatch match;
    if (std::regex_search(line, match, include)) result.push_back(match[1]);
  }
  return result;
}

std::vector<std::string> Violations(const Rule& rule, const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / rule.folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc" && extension != ".c") continue;
    for (const std::string& header : IncludesOf(entry.path())) {
      bool bad = IsOurs(header);
      for (const auto& prefix : rule.allowed) bad = bad && !StartsWith(header, prefix);
      for (const auto& prefix : rule.forbidden) bad = bad || StartsWith(header, prefix);
      if (bad) found.push_back(fs::relative(entry.path(), root).string() + " includes " + header);
    }
  }
  return found;
}

class LayersTest : public testing::TestWithParam<Rule> {};

TEST_P(LayersTest, IncludesNothingFromAbove) {
  const std::vector<std::string> found = Violations(GetParam(), SOURCE_ROOT);
  for (const std::string& violation : found) ADD_FAILURE() << violation;
}

INSTANTIATE_TEST_SUITE_P(Folders, LayersTest, testing::ValuesIn(Rules()), [](const auto& info) {
  std::string name = info.param.folder;
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return name;
});

TEST(LayersTest, OnlyServerAndClientIncludeServiceHeaders) {
  for (const char* top : {"daemon", "client", "plugins"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_ROOT) / top)) {
      if (!entry.is_regular_file()) continue;
      const std::string path = fs::relative(entry.path(), SOURCE_ROOT).string();
      if (StartsWith(path, "daemon/server/") || StartsWith(path, "client/src/")) continue;
      for (const std::string& header : IncludesOf(entry.path())) {
        EXPECT_EQ(header.find(".grpc.pb.h"), std::string::npos) << path << " includes " << header;
      }
    }
  }
}

TEST(LayersTest, OnlyTheWorkerOpensSharedLibraries) {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_ROOT) / "daemon")) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), SOURCE_ROOT).string();
    if (StartsWith(path, "daemon/worker/")) continue;
    for (const std::string& header : IncludesOf(entry.path())) {
      EXPECT_NE(header, "dlfcn.h") << path << " must not open plugins";
    }
  }
}

// The checker itself must see a violation.
TEST(LayersTest, APlantedUpwardIncludeIsFound) {
  const fs::path root = fs::temp_directory_path() / ("astrolabe-layers-" + std::to_string(::getpid()));
  fs::create_directories(root / "daemon/base");
  std::ofstream(root / "daemon/base/x.h")
      << "#include \"daemon/jobs/job.h\"\n#include <grpcpp/server.h>\n#include <vector>\n";
  const auto found = Violations({"daemon/base", {"daemon/base/"}, kHeavy}, root);
  fs::remove_all(root);
  EXPECT_EQ(found.size(), 2u);
}

}  // namespace
