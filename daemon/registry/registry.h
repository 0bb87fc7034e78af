// The plugins this daemon knows: found, checked, copied, probed, and swapped in as generations.
// The daemon never maps a plugin as code; what it knows comes from the manifest section of the file.
//
// Life of a file: DISCOVERED -> owner and mode checks, sha256 -> ELF checks -> manifest -> private copy
// under its hash -> probe in a throw-away worker -> READY by one atomic swap of the catalogue ->
// RETIRED when replaced (jobs that pinned it keep it) -> its copy removed when nobody holds it.
// A failure at any step leaves the old generation active and is kept as the plugin's error.
#ifndef ASTROLABE_DAEMON_REGISTRY_REGISTRY_H_
#define ASTROLABE_DAEMON_REGISTRY_REGISTRY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/base/result.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::registry {

using ParamValue = std::variant<bool, int64_t, double, std::string>;

enum class ParamType { kBool = 1, kInt = 2, kDouble = 3, kString = 4 };

struct ParamSpec {
  std::string name;
  ParamType type = ParamType::kString;
  std::optional<ParamValue> default_value;
  std::optional<ParamValue> min;
  std::optional<ParamValue> max;
  std::vector<std::string> choices;
  std::string doc;
  std::optional<ParamValue> counting_default;  // where all solutions are counted; unset: default_value
};

struct Example {
  std::string title;
  std::string text;
};

struct ProblemEntry {
  std::string id;
  std::string summary;
  std::string doc;
  std::string instance_syntax;
  std::vector<Example> examples;
  std::string default_algorithm;
  std::string default_heuristic;
  std::string state_layout;
  std::vector<ParamSpec> params;
};

struct HeuristicEntry {
  std::string id;
  std::string summary;
  std::string doc;
  std::string problem;
  std::string state_layout;
  bool admissible = false;
  bool consistent = false;
  std::string objective_name;  // empty: nothing else than "objective"
  std::vector<ParamSpec> params;
};

struct Manifest {
  std::string id;
  std::string version;
  int abi_major = 0;
  int abi_minor = 0;
  int min_host_minor = 0;
  std::string isa;
  std::string licence;
  std::vector<ProblemEntry> problems;
  std::vector<HeuristicEntry> heuristics;
  std::string raw;  // the section's bytes
};

// Names as in astrolabe.v1.LoadCode, without the prefix.
enum class LoadCode {
  kNone = 0,
  kNotElf,
  kWrongArch,
  kTruncated,
  kCorrupt,
  kPermission,
  kNoexec,
  kNoManifest,
  kAbiTooNew,
  kAbiTooOld,
  kIsaUnsupported,
  kMissingSymbol,
  kMissingLibrary,
  kDuplicateId,
  kInitFailed,
  kExited,
  kThrew,
  kProbeCrashed,
  kProbeTimeout,
  kContractViolation,
};
std::string_view LoadCodeName(LoadCode code);  // "NOT_ELF"

struct LoadError {
  LoadCode code = LoadCode::kNone;
  std::string stage;  // discover, elf, manifest, copy, probe
  std::string message;
  std::string expected;
  std::string found;
  std::string hint;
};

// One loaded version of a plugin. Immutable. Its private copy is removed with the last reference.
class Generation {
 public:
  virtual ~Generation() = default;
  virtual const Manifest& manifest() const = 0;
  virtual const workers::PluginFile& file() const = 0;
  virtual const std::vector<std::string>& warnings() const = 0;
};
using GenerationRef = std::shared_ptr<const Generation>;

// What can be used right now. Immutable snapshot.
struct Catalog {
  struct Problem {
    ProblemEntry entry;
    GenerationRef generation;
  };
  struct Heuristic {
    HeuristicEntry entry;
    GenerationRef generation;
  };
  std::map<std::string, Problem, std::less<>> problems;
  std::map<std::string, Heuristic, std::less<>> heuristics;

  // The nearest known id, for "did you mean"; empty when none is near.
  std::string NearestProblem(std::string_view id) const;
  std::string NearestHeuristic(std::string_view id) const;
};

enum class PluginState { kReady = 1, kFailed = 2, kUnloaded = 3 };

struct PluginRecord {
  std::string id;    // manifest id, or the file name when there is no readable manifest
  std::string path;  // for admins and the log only
  PluginState state = PluginState::kFailed;
  GenerationRef generation;        // when kReady
  std::optional<LoadError> error;  // of the newest attempt
  int active_jobs = 0;             // references to the active generation held outside the registry
  std::string note;                // of the last Load or Reload: "unchanged: ..." when it had nothing to do
};

struct RegistryOptions {
  std::vector<std::string> plugin_dirs;  // in order; the first file of a name wins
  std::string copy_dir;                  // private copies; 0700, made if missing
  std::function<void(std::string_view level, std::string_view text)> log;
};

class Registry {
 public:
  virtual ~Registry() = default;

  // `pool` outlives the registry. Fails only when copy_dir cannot be used (message says how to mend it).
  static Result<std::unique_ptr<Registry>> Create(RegistryOptions options, workers::WorkerPool* pool);

  // Looks through all folders; loads what is new or changed. One message a bad file in the log. Blocks.
  // Returns the records it changed.
  virtual std::vector<PluginRecord> Scan() = 0;

  // By bare name ("my_h", "my_h.so", a plugin id) from the folders, or by absolute path. kNotFound with
  // a hint, or the record, whose error tells why it failed. All three block and are serialised.
  virtual Result<PluginRecord> Load(std::string_view name) = 0;
  virtual Result<PluginRecord> Reload(std::string_view name) = 0;
  virtual Result<PluginRecord> Unload(std::string_view name) = 0;

  virtual std::vector<PluginRecord> List() const = 0;
  virtual Result<PluginRecord> Get(std::string_view id) const = 0;

  // Never null. Thread-safe, lock-free enough for every request.
  virtual std::shared_ptr<const Catalog> catalog() const = 0;
};

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_REGISTRY_H_
