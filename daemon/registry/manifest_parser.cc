#include "daemon/registry/manifest_parser.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "daemon/base/utf8.h"
#include "daemon/registry/isa.h"
#include "daemon/registry/load_error.h"
#include "daemon/registry/manifest_fields.h"
#include "daemon/workers/abi_version.h"

namespace astrolabe::registry {
namespace {

using nlohmann::json;

constexpr char kManifestStage[] = "manifest";
constexpr int kMaxDepth = 16;
constexpr size_t kMaxPluginId = 95;
constexpr size_t kMaxEntries = 256;
constexpr size_t kMaxParams = 64;
constexpr size_t kMaxExamples = 64;

// Before parsing, so that no parser recursion or destructor meets deep nesting.
bool TooDeep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

LoadError Bad(std::string message, std::string expected, std::string found) {
  return MakeLoadError(LoadCode::kCorrupt, kManifestStage, std::move(message), std::move(expected), std::move(found),
                       "the manifest is written by the entry macro of the SDK; its schema is in the ABI's STYLE.md");
}

std::optional<LoadError> CheckSchemaAndAbi(const json& root, Manifest* manifest) {
  Faults faults;
  const int64_t schema = IntField(root, "schema", 1, 1 << 20, &faults, "");
  if (schema > 1) {
    return MakeLoadError(LoadCode::kAbiTooNew, kManifestStage,
                         "its manifest has schema " + std::to_string(schema) + ", this daemon reads 1",
                         "manifest schema 1", "manifest schema " + std::to_string(schema),
                         "use a newer Astrolabe or an older SDK");
  }
  const json& abi = ObjectField(root, "abi", &faults, "");
  const int64_t major = IntField(abi, "major", 0, 1 << 20, &faults, "abi.");
  const int64_t minor = IntField(abi, "minor", 0, 1 << 20, &faults, "abi.");
  const int64_t min_host_minor = IntField(abi, "min_host_minor", 0, 1 << 20, &faults, "abi.");
  if (!faults.empty())
    return Bad("the manifest is malformed: " + faults.Text(), "the schema of plugins/abi/STYLE.md", faults.First());
  const std::string both =
      "the plugin has ABI major " + std::to_string(major) + ", this daemon has " + std::to_string(kAbiMajor);
  if (major != kAbiMajor) {
    const bool newer = major > kAbiMajor;
    return MakeLoadError(newer ? LoadCode::kAbiTooNew : LoadCode::kAbiTooOld, kManifestStage, both,
                         "ABI major " + std::to_string(kAbiMajor), "ABI major " + std::to_string(major),
                         newer ? "use a newer Astrolabe, or build the plugin with this one's SDK"
                               : "build the plugin again with this Astrolabe's SDK");
  }
  if (min_host_minor > kAbiMinor) {
    return MakeLoadError(LoadCode::kAbiTooNew, kManifestStage,
                         "the plugin needs a host of ABI minor " + std::to_string(min_host_minor) +
                             ", this daemon has " + std::to_string(kAbiMinor),
                         "min_host_minor at most " + std::to_string(kAbiMinor),
                         "min_host_minor " + std::to_string(min_host_minor), "use a newer Astrolabe");
  }
  manifest->abi_major = static_cast<int>(major);
  manifest->abi_minor = static_cast<int>(minor);
  manifest->min_host_minor = static_cast<int>(min_host_minor);
  return std::nullopt;
}

std::vector<ParamSpec> ReadParams(const json& owner, const std::string& where, Faults* faults) {
  std::vector<ParamSpec> params;
  std::set<std::string> names;
  int index = 0;
  for (const json& item : ArrayField(owner, "params", kMaxParams, faults, where)) {
    params.push_back(ReadParam(item, where + "params[" + std::to_string(index++) + "].", faults));
    if (!names.insert(params.back().name).second)
      faults->Add(where + "params", "the name '" + params.back().name + "' is there twice");
  }
  return params;
}

ProblemEntry ReadProblem(const json& item, const std::string& where, Faults* faults) {
  ProblemEntry entry;
  entry.id = IdField(item, "id", faults, where);
  entry.summary = TextField(item, "summary", kOptional, kMaxLine, faults, where);
  entry.doc = TextField(item, "doc", kOptional, kMaxDoc, faults, where);
  entry.instance_syntax = TextField(item, "instance_syntax", kOptional, kMaxDoc, faults, where);
  entry.default_algorithm = TextField(item, "default_algorithm", kOptional, kMaxName, faults, where);
  entry.default_heuristic = TextField(item, "default_heuristic", kOptional, kMaxName, faults, where);
  entry.state_layout = TextField(item, "state_layout", kRequired, kMaxName, faults, where);
  int index = 0;
  for (const json& example : ArrayField(item, "examples", kMaxExamples, faults, where)) {
    const std::string at = where + "examples[" + std::to_string(index++) + "].";
    entry.examples.push_back({TextField(example, "title", kOptional, kMaxLine, faults, at),
                              TextField(example, "text", kRequired, kMaxDoc, faults, at)});
  }
  entry.params = ReadParams(item, where, faults);
  return entry;
}

HeuristicEntry ReadHeuristic(const json& item, const std::string& where, Faults* faults) {
  HeuristicEntry entry;
  entry.id = IdField(item, "id", faults, where);
  entry.summary = TextField(item, "summary", kOptional, kMaxLine, faults, where);
  entry.doc = TextField(item, "doc", kOptional, kMaxDoc, faults, where);
  entry.problem = IdField(item, "problem", faults, where);
  entry.state_layout = TextField(item, "state_layout", kRequired, kMaxName, faults, where);
  for (const json& claim : ArrayField(item, "claims", 32, faults, where)) {
    if (!claim.is_string()) {
      faults->Add(where + "claims", "expected texts, found " + std::string(claim.type_name()));
      continue;
    }
    const auto& name = claim.get_ref<const std::string&>();
    // A perfect estimate is both; other claims may come later.
    if (name == "admissible" || name == "perfect") entry.admissible = true;
    if (name == "consistent" || name == "perfect") entry.consistent = true;
  }
  entry.objective_name = TextField(item, "objective_name", kOptional, kMaxName, faults, where);
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(entry.objective_name, is_control)) {
    faults->Add(where + "objective_name", "expected one line of text");
  }
  entry.params = ReadParams(item, where, faults);
  return entry;
}

template <typename Entry>
void CheckUnique(const std::vector<Entry>& entries, const char* what, Faults* faults) {
  std::set<std::string> ids;
  for (const Entry& entry : entries) {
    if (!ids.insert(entry.id).second) faults->Add(what, "the id '" + entry.id + "' is there twice");
  }
}

void ReadBody(const json& root, Manifest* manifest, Faults* faults) {
  manifest->id = TextField(root, "id", kRequired, kMaxPluginId, faults, "");
  if (!manifest->id.empty() && !IsPluginId(manifest->id)) {
    faults->Add("id", "expected a reverse-domain name like org.example.my_plugin, found '" + manifest->id + "'");
  }
  manifest->version = TextField(root, "version", kRequired, kMaxName, faults, "");
  manifest->isa = TextField(root, "isa", kRequired, kMaxName, faults, "");
  if (!manifest->isa.empty() && !IsKnownIsa(manifest->isa)) {
    faults->Add("isa", "expected x86-64, x86-64-v2, x86-64-v3, x86-64-v4 or aarch64, found '" + manifest->isa + "'");
  }
  manifest->licence = TextField(root, "licence", kOptional, kMaxName, faults, "");
  int index = 0;
  for (const json& item : ArrayField(root, "problems", kMaxEntries, faults, "")) {
    manifest->problems.push_back(ReadProblem(item, "problems[" + std::to_string(index++) + "].", faults));
  }
  index = 0;
  for (const json& item : ArrayField(root, "heuristics", kMaxEntries, faults, "")) {
    manifest->heuristics.push_back(ReadHeuristic(item, "heuristics[" + std::to_string(index++) + "].", faults));
  }
  CheckUnique(manifest->problems, "problems", faults);
  CheckUnique(manifest->heuristics, "heuristics", faults);
  if (manifest->problems.empty() && manifest->heuristics.empty()) {
    faults->Add("problems", "expected a problem or a heuristic, found neither");
  }
}

}  // namespace

std::variant<Manifest, LoadError> ParseManifest(std::string_view text) {
  if (text.empty() || text.size() > kMaxManifestBytes) {
    return Bad("the manifest has an impossible size", "1 to " + std::to_string(kMaxManifestBytes) + " bytes",
               std::to_string(text.size()) + " bytes");
  }
  if (!IsValidUtf8(text)) return Bad("the manifest is not UTF-8", "UTF-8", "other bytes");
  if (TooDeep(text))
    return Bad("the manifest is nested too deeply", "at most " + std::to_string(kMaxDepth) + " levels", "more");
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded()) return Bad("the manifest is not JSON", "one JSON object", "a syntax error");
  if (!root.is_object()) return Bad("the manifest is not an object", "one JSON object", root.type_name());

  Manifest manifest;
  if (std::optional<LoadError> error = CheckSchemaAndAbi(root, &manifest)) return *std::move(error);
  Faults faults;
  ReadBody(root, &manifest, &faults);
  if (!faults.empty())
    return Bad("the manifest is malformed: " + faults.Text(), "the schema of plugins/abi/STYLE.md", faults.First());
  manifest.raw = std::string(text);
  return manifest;
}

}  // namespace astrolabe::registry
