#include "daemon/registry/loader.h"

#include <utility>

#include "daemon/registry/elf_file.h"
#include "daemon/registry/isa.h"
#include "daemon/registry/load_error.h"
#include "daemon/registry/manifest_parser.h"
#include "daemon/workers/abi_version.h"

namespace astrolabe::registry {
namespace {

constexpr char kMacroHint[] = "end the plugin's source with ASTRO_PLUGIN(...) and build it with astrolabe_add_plugin()";

class LoadedGeneration : public Generation {
 public:
  LoadedGeneration(Manifest manifest, workers::PluginFile file, std::vector<std::string> warnings,
                   std::shared_ptr<const PrivateCopy> copy)
      : manifest_(std::move(manifest)),
        file_(std::move(file)),
        warnings_(std::move(warnings)),
        copy_(std::move(copy)) {}

  const Manifest& manifest() const override { return manifest_; }
  const workers::PluginFile& file() const override { return file_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  const Manifest manifest_;
  const workers::PluginFile file_;
  const std::vector<std::string> warnings_;
  const std::shared_ptr<const PrivateCopy> copy_;
};

LoadError NoManifest(const ElfFacts& facts) {
  if (!facts.other_entry.empty()) {
    return MakeLoadError(LoadCode::kAbiTooNew, "elf",
                         "it exports " + facts.other_entry + ", this daemon loads " + kEntrySymbol, kEntrySymbol,
                         facts.other_entry, "use a newer Astrolabe, or build the plugin with this one's SDK");
  }
  return MakeLoadError(LoadCode::kNoManifest, "manifest", "it is a library, but not an Astrolabe plugin",
                       std::string("an ELF section ") + kManifestSection, facts.has_manifest ? "an empty one" : "none",
                       kMacroHint);
}

LoadError FromProbe(const workers::ProbeOutcome& outcome) {
  const std::optional<LoadCode> code = ParseLoadCode(outcome.code);
  return MakeLoadError(code.value_or(LoadCode::kContractViolation), "probe",
                       code ? outcome.message : outcome.code + ": " + outcome.message, outcome.expected, outcome.found,
                       outcome.hint);
}

}  // namespace

std::variant<Candidate, ExamineFailure> ExaminePlugin(const std::string& path) {
  std::variant<PluginSource, LoadError> source = ReadPluginSource(path);
  if (auto* error = std::get_if<LoadError>(&source)) return ExamineFailure{std::move(*error), ""};
  Candidate candidate;
  candidate.source = std::get<PluginSource>(std::move(source));

  std::variant<ElfFacts, LoadError> elf = InspectElf(candidate.source.bytes);
  if (auto* error = std::get_if<LoadError>(&elf)) return ExamineFailure{std::move(*error), ""};
  const ElfFacts& facts = std::get<ElfFacts>(elf);
  if (facts.manifest.empty()) return ExamineFailure{NoManifest(facts), ""};

  std::variant<Manifest, LoadError> manifest = ParseManifest(facts.manifest);
  if (auto* error = std::get_if<LoadError>(&manifest)) return ExamineFailure{std::move(*error), ""};
  candidate.manifest = std::get<Manifest>(std::move(manifest));
  if (!IsaRuns(candidate.manifest.isa, HostIsa())) {
    return ExamineFailure{MakeLoadError(LoadCode::kIsaUnsupported, "manifest",
                                        "it was built for a processor with more features than this one",
                                        "at most " + std::string(HostIsa()), candidate.manifest.isa,
                                        "build it for a lower level (-march=x86-64)"),
                          candidate.manifest.id};
  }
  if (!facts.exports_entry) {
    return ExamineFailure{
        MakeLoadError(LoadCode::kMissingSymbol, "elf", std::string("it does not export ") + kEntrySymbol, kEntrySymbol,
                      facts.other_entry.empty() ? std::string("no such symbol") : facts.other_entry, kMacroHint),
        candidate.manifest.id};
  }
  candidate.warnings = facts.warnings;
  return candidate;
}

std::variant<GenerationRef, LoadError> ActivatePlugin(Candidate candidate, int64_t generation, CopyStore* store,
                                                      workers::WorkerPool* pool) {
  auto copy = store->Put(candidate.source.sha256, candidate.source.bytes);
  if (auto* error = std::get_if<LoadError>(&copy)) return std::move(*error);
  std::string().swap(candidate.source.bytes);

  workers::PluginFile file;
  file.id = candidate.manifest.id;
  file.path = std::get<0>(copy)->path();
  file.version = candidate.manifest.version;
  file.sha256 = candidate.source.sha256;
  file.generation = generation;
  workers::ProbeOutcome outcome = pool->Probe(file, candidate.manifest.raw);
  if (!outcome.code.empty()) return FromProbe(outcome);

  std::vector<std::string> warnings = std::move(candidate.warnings);
  for (std::string& warning : outcome.warnings) warnings.push_back(std::move(warning));
  return GenerationRef(std::make_shared<LoadedGeneration>(std::move(candidate.manifest), std::move(file),
                                                          std::move(warnings), std::get<0>(std::move(copy))));
}

}  // namespace astrolabe::registry
