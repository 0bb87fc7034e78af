#include "daemon/worker/plugin_host.h"

#include <utility>

#include "daemon/worker/abi_text.h"
#include "daemon/worker/diagnostics.h"
#include "daemon/worker/plugin_call.h"
#include "daemon/worker/process_snapshot.h"

namespace astrolabe::worker {
namespace {

constexpr uint32_t kKnownBuildFlags = ASTRO_BUILD_FAST_MATH | ASTRO_BUILD_ASAN | ASTRO_BUILD_TSAN | ASTRO_BUILD_DEBUG;

void AddBuildWarnings(uint32_t flags, std::vector<std::string>& warnings) {
  if ((flags & ASTRO_BUILD_FAST_MATH) != 0) warnings.emplace_back("it is built with -ffast-math");
  if ((flags & ~kKnownBuildFlags) != 0) warnings.emplace_back("it sets build flags this host does not know");
}

void Append(std::vector<std::string>& to, std::vector<std::string> from) {
  for (std::string& line : from) to.push_back(std::move(line));
}

}  // namespace

const LoadedPlugin* PluginHost::Find(std::string_view id) const {
  for (const auto& plugin : plugins_) {
    if (plugin->manifest.id == id) return plugin.get();
  }
  return nullptr;
}

std::variant<const LoadedPlugin*, LoadFault> PluginHost::Load(const internal::v1::PluginFile& file,
                                                              const std::string* section_manifest) {
  if (const LoadedPlugin* loaded = Find(file.id())) {
    if (loaded->path == file.path()) return loaded;
    return LoadFault{
        "DUPLICATE_ID", "another generation of this plugin is loaded in this worker", "a fresh worker", file.id(), "",
        "load"};
  }
  auto plugin = std::make_unique<LoadedPlugin>();
  if (auto fault = LoadInto(*plugin, file, section_manifest)) return *std::move(fault);
  plugins_.push_back(std::move(plugin));
  return plugins_.back().get();
}

MaybeFault PluginHost::LoadInto(LoadedPlugin& plugin, const internal::v1::PluginFile& file,
                                const std::string* section_manifest) {
  stage_->Enter(file.id(), "load");
  const ProcessSnapshot before = ProcessSnapshot::Take();
  auto opened = CallPlugin("constructors", [&] { return PluginLibrary::Open(file.path()); });
  Append(plugin.warnings, before.Restore());
  if (auto* fault = std::get_if<LoadFault>(&opened)) return std::move(*fault);
  const PluginLibrary& library = std::get<PluginLibrary>(opened);
  for (const CodeRange& range : library.code()) code_->Add(file.id(), range, library.origin());

  const auto* descriptor = library.Find<astro_plugin_v1>(ASTRO_PLUGIN_SYMBOL);
  if (descriptor == nullptr) {
    return LoadFault{"MISSING_SYMBOL",
                     "the library exports no plugin",
                     std::string("the data symbol ") + ASTRO_PLUGIN_SYMBOL,
                     "none",
                     "end the plugin with the entry macro of the SDK",
                     "load"};
  }
  if (auto fault = CheckDescriptor(*descriptor, library)) return fault;
  const std::string manifest(ViewOf(descriptor->manifest));
  if (section_manifest != nullptr && manifest != *section_manifest) {
    return LoadFault{"CONTRACT_VIOLATION",
                     "the manifest in the file's section differs from the one in memory",
                     "the same bytes in both",
                     std::to_string(section_manifest->size()) + " and " + std::to_string(manifest.size()) + " bytes",
                     "let the entry macro of the SDK emit both",
                     "load"};
  }
  std::string why;
  auto parsed = ParseManifest(manifest, &why);
  if (!parsed) {
    return LoadFault{"CONTRACT_VIOLATION",
                     "the manifest cannot be read: " + why,
                     "the schema of plugins/abi/STYLE.md",
                     "",
                     "",
                     "load"};
  }
  plugin.manifest = *std::move(parsed);
  plugin.path = file.path();
  if (plugin.manifest.id != file.id()) {
    return LoadFault{
        "CONTRACT_VIOLATION", "the plugin has another id in memory", file.id(), plugin.manifest.id, "", "load"};
  }
  if (plugin.manifest.min_host_minor > ASTRO_ABI_MINOR) {
    return LoadFault{"ABI_TOO_NEW",
                     "the plugin needs a newer minor version of the ABI",
                     "at most " + std::to_string(ASTRO_ABI_MINOR),
                     std::to_string(plugin.manifest.min_host_minor),
                     "use a newer astrolabe",
                     "load"};
  }
  AddBuildWarnings(descriptor->build_flags, plugin.warnings);
  stage_->Enter(file.id(), "init");
  if (auto fault = Init(*descriptor, plugin)) return fault;
  if (auto fault = ReadEntries(*descriptor, plugin.manifest, &plugin.problems, &plugin.heuristics)) return fault;
  Append(plugin.warnings, before.Restore());
  Append(plugin.warnings, before.Leaks());
  return std::nullopt;
}

MaybeFault PluginHost::Init(const astro_plugin_v1& descriptor, LoadedPlugin& plugin) {
  const auto& host = hosts_.emplace_back(std::make_unique<HostServices>(process_services_, plugin.manifest.id, ""));
  if (descriptor.init == nullptr) return std::nullopt;
  DiagnosticCollector diagnostics("plugin");
  const astro_status status = CallPlugin("init", [&] { return descriptor.init(host->abi(), diagnostics.abi()); });
  if (status == ASTRO_OK) return std::nullopt;
  LoadFault fault;
  fault.code = "INIT_FAILED";
  fault.stage = "init";
  fault.message = diagnostics.Summary();
  if (fault.message.empty()) fault.message = "the plugin's init failed without a reason";
  fault.expected = "init returns ASTRO_OK";
  fault.found = "status " + std::to_string(status);
  return fault;
}

}  // namespace astrolabe::worker
