// Plugin files for tests: copies of the tiny plugins with another manifest or broken bytes.
#ifndef ASTROLABE_TESTS_DAEMON_REGISTRY_PLUGIN_FILES_H_
#define ASTROLABE_TESTS_DAEMON_REGISTRY_PLUGIN_FILES_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "daemon/registry/elf_file.h"

namespace astrolabe::registry {

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// "good", "no_manifest", ...: the bytes of a tiny plugin.
inline std::string Tiny(const std::string& name) {
  return ReadFile(std::string(TINY_PLUGINS) + "/tiny_" + name + ".so");
}

inline std::string WithManifest(std::string bytes, const std::string& manifest) {
  const std::variant<ElfFacts, LoadError> facts = InspectElf(bytes);
  const std::string_view old = std::get<ElfFacts>(facts).manifest;
  const size_t offset = static_cast<size_t>(old.data() - bytes.data());
  EXPECT_LE(manifest.size(), old.size());
  bytes.replace(offset, old.size(), manifest + std::string(old.size() - manifest.size(), ' '));
  return bytes;
}

template <typename T>
std::string Patched(std::string bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

struct ManifestText {
  std::string id = "org.test.tiny";
  std::string version = "1.0";
  int major = 1;
  int min_host_minor = 0;
  std::string isa = "x86-64";
  std::vector<std::string> problems;
  std::vector<std::string> heuristics = {"tiny"};

  std::string Json() const {
    std::string text = R"({"schema":1,"id":")" + id + R"(","version":")" + version + R"(","abi":{"major":)" +
                       std::to_string(major) + R"(,"minor":0,"min_host_minor":)" + std::to_string(min_host_minor) +
                       R"(},"isa":")" + isa + R"(","licence":"Apache-2.0","problems":[)";
    for (const std::string& problem : problems) {
      text += (&problem == &problems.front() ? "" : ",") + (R"({"id":")" + problem + R"(","state_layout":"l/1"})");
    }
    text += R"(],"heuristics":[)";
    for (const std::string& heuristic : heuristics) {
      text += (&heuristic == &heuristics.front() ? "" : ",") +
              (R"({"id":")" + heuristic + R"(","problem":"p","state_layout":"l/1","claims":["admissible"]})");
    }
    return text + "]}";
  }
  std::string Bytes() const { return WithManifest(Tiny("good"), Json()); }
};

class FolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/astrolabe-registry-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    root_ = name;
    plugins_ = root_ + "/plugins";
    ASSERT_TRUE(std::filesystem::create_directory(plugins_));
    ::chmod(plugins_.c_str(), 0755);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  // Written aside and renamed, as an installer does.
  std::string Install(const std::string& name, const std::string& bytes, const std::string& folder = "") {
    const std::string path = (folder.empty() ? plugins_ : folder) + "/" + name;
    std::ofstream(root_ + "/aside", std::ios::binary) << bytes;
    ::chmod((root_ + "/aside").c_str(), 0755);
    std::filesystem::rename(root_ + "/aside", path);
    return path;
  }

  std::string root_;
  std::string plugins_;
};

}  // namespace astrolabe::registry

#endif  // ASTROLABE_TESTS_DAEMON_REGISTRY_PLUGIN_FILES_H_
