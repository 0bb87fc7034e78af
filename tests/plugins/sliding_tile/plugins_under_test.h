// The plugin files of this build.
#ifndef ASTROLABE_TESTS_PLUGINS_SLIDING_TILE_PLUGINS_UNDER_TEST_H_
#define ASTROLABE_TESTS_PLUGINS_SLIDING_TILE_PLUGINS_UNDER_TEST_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "astrolabe/sdk/testing/loaded_plugin.h"

inline std::string PluginFile(const std::string& name) { return ASTROLABE_TEST_PLUGIN_DIR "/" + name + ".so"; }

inline const astro::testing::LoadedPlugin& Plugin(const std::string& name) {
  static std::map<std::string, astro::testing::LoadedPlugin> loaded;
  auto [at, added] = loaded.try_emplace(name, PluginFile(name));
  if (!at->second.error().empty()) {
    ADD_FAILURE() << at->second.error();
    std::abort();
  }
  return at->second;
}

#endif  // ASTROLABE_TESTS_PLUGINS_SLIDING_TILE_PLUGINS_UNDER_TEST_H_
