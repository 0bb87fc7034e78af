// The way of one file to a generation. No state: the registry decides what may replace what.
#ifndef ASTROLABE_DAEMON_REGISTRY_LOADER_H_
#define ASTROLABE_DAEMON_REGISTRY_LOADER_H_

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "daemon/registry/copy_store.h"
#include "daemon/registry/plugin_source.h"
#include "daemon/registry/registry.h"

namespace astrolabe::registry {

// A file that passed all checks that need no process.
struct Candidate {
  PluginSource source;
  Manifest manifest;
  std::vector<std::string> warnings;
};

struct ExamineFailure {
  LoadError error;
  std::string id;  // of the manifest, when it was readable
};

// Owner, mode, ELF, manifest, ABI, ISA, entry symbol.
std::variant<Candidate, ExamineFailure> ExaminePlugin(const std::string& path);

// Copy and probe. Blocks for the probe.
std::variant<GenerationRef, LoadError> ActivatePlugin(Candidate candidate, int64_t generation, CopyStore* store,
                                                      workers::WorkerPool* pool);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_LOADER_H_
