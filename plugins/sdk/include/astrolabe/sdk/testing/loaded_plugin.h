// A plugin file, loaded as the host loads it.
#ifndef ASTROLABE_SDK_TESTING_LOADED_PLUGIN_H_
#define ASTROLABE_SDK_TESTING_LOADED_PLUGIN_H_

#include <dlfcn.h>

#include <string>

#include "astrolabe/abi/plugin.h"

namespace astro::testing {

// Never unloaded: plugins may leave things behind that outlive them.
class LoadedPlugin {
 public:
  explicit LoadedPlugin(const std::string& file) {
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      error_ = dlerror();
      return;
    }
    plugin_ = static_cast<const astro_plugin_v1*>(dlsym(library, ASTRO_PLUGIN_SYMBOL));
    if (plugin_ == nullptr) error_ = "no " ASTRO_PLUGIN_SYMBOL;
  }

  // Empty when it is there.
  const std::string& error() const { return error_; }
  const astro_plugin_v1* get() const { return plugin_; }
  const astro_plugin_v1* operator->() const { return plugin_; }
  const astro_problem_v1* Problem(uint32_t index = 0) const { return plugin_->problem(index)->problem; }
  const astro_heuristic_v1* Heuristic(uint32_t index = 0) const { return plugin_->heuristic(index)->heuristic; }

 private:
  const astro_plugin_v1* plugin_ = nullptr;
  std::string error_;
};

}  // namespace astro::testing

#endif  // ASTROLABE_SDK_TESTING_LOADED_PLUGIN_H_
