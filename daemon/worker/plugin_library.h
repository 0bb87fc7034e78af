// PluginLibrary: the one place that maps a plugin file as code. RTLD_NOW | RTLD_LOCAL, never closed:
// thread-locals, threads and registered handlers of a library cannot be taken back safely, so a library
// leaves with its process.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_LIBRARY_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_LIBRARY_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "daemon/worker/code_map.h"
#include "daemon/worker/load_fault.h"

namespace astrolabe::worker {

class PluginLibrary {
 public:
  // Runs the library's constructors. `path` must contain a slash.
  static std::variant<PluginLibrary, LoadFault> Open(const std::string& path);

  PluginLibrary(PluginLibrary&& other) noexcept;
  PluginLibrary& operator=(PluginLibrary&&) = delete;
  PluginLibrary(const PluginLibrary&) = delete;
  ~PluginLibrary();

  // The object of that name inside this library itself (not in one it depends on); null when there is none.
  template <typename T>
  const T* Find(const char* symbol) const {
    const void* address = FindAddress(symbol);
    return address != nullptr && Contains(address, sizeof(T)) ? static_cast<const T*>(address) : nullptr;
  }

  // True when all these bytes lie in one readable segment of this library.
  bool Contains(const void* address, uint64_t size) const;

  // Its executable segments.
  const std::vector<CodeRange>& code() const { return code_; }
  const CodeOrigin& origin() const { return origin_; }

 private:
  explicit PluginLibrary(void* handle);
  const void* FindAddress(const char* symbol) const;

  void* handle_;
  std::vector<CodeRange> code_;
  std::vector<CodeRange> readable_;
  CodeOrigin origin_;
};

// Turns the text of dlerror() into a fault with a code.
LoadFault FaultOfDlerror(const std::string& text);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PLUGIN_LIBRARY_H_
