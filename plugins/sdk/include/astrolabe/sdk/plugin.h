// The entry macro: the one line at the end of every plugin.
//
//   ASTRO_PLUGIN("org.example.my_h", "1.0", astro::Heuristic<MyHeuristic, sliding_tile::Problem>)
//
// Names any number of astro::Problem<...> and astro::Heuristic<...>. Use it once in a library, at
// global scope.
#ifndef ASTROLABE_SDK_PLUGIN_H_
#define ASTROLABE_SDK_PLUGIN_H_

#include <array>
#include <cstddef>
#include <tuple>

#include "astrolabe/abi/plugin.h"
#include "astrolabe/sdk/manifest.h"
#include "astrolabe/sdk/text.h"

namespace astro {

template <class Identity, class... Parts>
class Plugin {
 public:
  static_assert(internal::IsPluginId(Identity::kId), "a plugin id is a reverse-domain name: org.example.my_plugin");
  static_assert(sizeof...(Parts) > 0, "a plugin names at least one problem or heuristic");

  static constexpr astro_plugin_v1 Entry(std::string_view manifest) {
    astro_plugin_v1 entry = {};
    entry.magic = ASTRO_PLUGIN_MAGIC;
    entry.struct_size = sizeof(entry);
    entry.abi_major = ASTRO_ABI_MAJOR;
    entry.abi_minor = ASTRO_ABI_MINOR;
    entry.build_flags = internal::BuildFlags();
    entry.manifest = ToText(manifest);
    entry.init = &Init;
    entry.problem_count = &ProblemCount;
    entry.problem = &ProblemAt;
    entry.heuristic_count = &HeuristicCount;
    entry.heuristic = &HeuristicAt;
    entry.get_extension = &GetExtension;
    entry.shutdown = &Shutdown;
    return entry;
  }

  template <class Output>
  static constexpr void WriteManifest(Output& out) {
    internal::JsonWriter<Output> json(out);
    json.Open('{');
    json.Key("schema");
    json.Int(1);
    json.Key("id");
    json.Text(Identity::kId);
    json.Key("version");
    json.Text(Identity::kVersion);
    json.Key("abi");
    json.Open('{');
    json.Key("major");
    json.Int(ASTRO_ABI_MAJOR);
    json.Key("minor");
    json.Int(ASTRO_ABI_MINOR);
    json.Key("min_host_minor");
    json.Int(0);
    json.Close('}');
    json.Key("isa");
    json.Text(internal::Isa());
    if constexpr (requires { Identity::kLicence; }) json.TextMember("licence", Identity::kLicence);
    if constexpr (kProblems > 0) {
      json.Key("problems");
      json.Open('[');
      (WritePart<true, Parts>(json), ...);
      json.Close(']');
    }
    if constexpr (kHeuristics > 0) {
      json.Key("heuristics");
      json.Open('[');
      (WritePart<false, Parts>(json), ...);
      json.Close(']');
    }
    json.Close('}');
  }

 private:
  static constexpr uint32_t kProblems = (0u + ... + (Parts::kIsProblem ? 1u : 0u));
  static constexpr uint32_t kHeuristics = sizeof...(Parts) - kProblems;

  template <bool kProblem, class Part, class Json>
  static constexpr void WritePart(Json& json) {
    if constexpr (Part::kIsProblem == kProblem) Part::WriteManifest(json);
  }

  template <class Entry, bool kProblem, uint32_t kCount>
  static constexpr std::array<Entry, kCount> Entries() {
    std::array<Entry, kCount> entries = {};
    uint32_t n = 0;
    (AddEntry<kProblem, Parts>(entries, n), ...);
    return entries;
  }
  template <bool kProblem, class Part, class Array>
  static constexpr void AddEntry(Array& entries, uint32_t& n) {
    if constexpr (Part::kIsProblem == kProblem) entries[n++] = Part::Entry();
  }

  static constexpr auto kProblemEntries = Entries<astro_problem_entry_v1, true, kProblems>();
  static constexpr auto kHeuristicEntries = Entries<astro_heuristic_entry_v1, false, kHeuristics>();

  static astro_status Init(const astro_host_v1*, const astro_diagnostics*) noexcept { return ASTRO_OK; }
  static uint32_t ProblemCount() noexcept { return kProblems; }
  static uint32_t HeuristicCount() noexcept { return kHeuristics; }
  static const astro_problem_entry_v1* ProblemAt(uint32_t index) noexcept {
    return index < kProblems ? kProblemEntries.data() + index : nullptr;
  }
  static const astro_heuristic_entry_v1* HeuristicAt(uint32_t index) noexcept {
    return index < kHeuristics ? kHeuristicEntries.data() + index : nullptr;
  }
  static const void* GetExtension(astro_text) noexcept { return nullptr; }
  static void Shutdown() noexcept {}
};

namespace internal {

template <class Definition>
constexpr size_t ManifestSize() {
  CountingOutput out;
  Definition::WriteManifest(out);
  return out.size();
}

template <class Definition>
constexpr auto MakeManifest() {
  ArrayOutput<ManifestSize<Definition>()> out;
  Definition::WriteManifest(out);
  return out.data();
}

}  // namespace internal
}  // namespace astro

// The manifest object stands at namespace scope, not in a template: compilers drop the section of a
// template's static.
#define ASTRO_PLUGIN(ID, VERSION, ...)                                                        \
  namespace astro_plugin_definition {                                                         \
  struct Identity {                                                                           \
    static constexpr std::string_view kId = ID;                                               \
    static constexpr std::string_view kVersion = VERSION;                                     \
  };                                                                                          \
  using Definition = ::astro::Plugin<Identity, __VA_ARGS__>;                                  \
  ASTRO_MANIFEST constexpr auto kManifest = ::astro::internal::MakeManifest<Definition>();    \
  ASTRO_EXPORT_PLUGIN(kEntry);                                                                \
  constexpr astro_plugin_v1 kEntry = Definition::Entry({kManifest.data(), kManifest.size()}); \
  }                                                                                           \
  static_assert(true, "a semicolon may follow")

#endif  // ASTROLABE_SDK_PLUGIN_H_
