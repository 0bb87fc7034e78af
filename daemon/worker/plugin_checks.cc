#include "daemon/worker/plugin_checks.h"

#include <algorithm>
#include <string_view>

#include "daemon/worker/abi_text.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

constexpr uint64_t kMaxManifest = 1 << 20;
constexpr uint32_t kMaxEntries = 1000;

LoadFault Violation(std::string message, std::string expected, std::string found, std::string hint = "") {
  return {"CONTRACT_VIOLATION", std::move(message), std::move(expected), std::move(found), std::move(hint), "load"};
}

MaybeFault CheckSize(const std::string& what, uint32_t size, size_t least) {
  if (size >= least && size <= kMaxAbiStruct) return std::nullopt;
  return Violation("the struct_size of " + what + " is wrong",
                   std::to_string(least) + " to " + std::to_string(kMaxAbiStruct), std::to_string(size),
                   "build the plugin with the installed headers and set struct_size to sizeof");
}

struct Pointer {
  const char* name;
  bool set;
};

MaybeFault CheckPointers(const std::string& what, std::initializer_list<Pointer> pointers) {
  std::string missing;
  for (const Pointer& pointer : pointers) {
    if (!pointer.set) missing += (missing.empty() ? "" : ", ") + std::string(pointer.name);
  }
  if (missing.empty()) return std::nullopt;
  return Violation(what + " leaves out mandatory functions", "a function for each of them", missing);
}

template <typename Entry>
MaybeFault CheckEntry(const Entry* entry, const std::string& what) {
  if (entry == nullptr) return Violation(what + " is null", "an entry", "null");
  return CheckSize(what, entry->struct_size, sizeof(Entry));
}

template <typename Known>
const Known* FindById(const std::vector<Known>& all, std::string_view id) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Known& one) { return one.id == id; });
  return found == all.end() ? nullptr : &*found;
}

// `found` (what the code has) and `known` (what the manifest says) must have the same ids and layouts.
template <typename Found, typename Known>
MaybeFault Compare(const char* kind, const std::vector<Found>& found, const std::vector<Known>& known) {
  for (const Found& one : found) {
    const Known* match = FindById(known, one.id);
    if (match == nullptr) {
      return Violation(std::string("the manifest does not name the ") + kind + " \"" + one.id + "\"",
                       "the same ids in manifest and code", one.id);
    }
    if (match->state_layout != one.state_layout) {
      return Violation(std::string("the ") + kind + " \"" + one.id + "\" has another state layout than its manifest",
                       match->state_layout, one.state_layout);
    }
  }
  for (const Known& one : known) {
    if (FindById(found, one.id) == nullptr) {
      return Violation(std::string("the manifest names the ") + kind + " \"" + one.id + "\", but the code has none",
                       "the same ids in manifest and code", "no " + one.id);
    }
  }
  return std::nullopt;
}

}  // namespace

MaybeFault CheckDescriptor(const astro_plugin_v1& plugin, const PluginLibrary& library) {
  if (plugin.magic != ASTRO_PLUGIN_MAGIC) {
    return LoadFault{"CORRUPT",
                     "the plugin's descriptor does not start with the magic number",
                     "\"APlugin1\"",
                     std::to_string(plugin.magic),
                     "export astro_plugin_v1 with the entry macro of the SDK",
                     "load"};
  }
  if (plugin.abi_major != ASTRO_ABI_MAJOR) {
    const bool newer = plugin.abi_major > ASTRO_ABI_MAJOR;
    return LoadFault{newer ? "ABI_TOO_NEW" : "ABI_TOO_OLD",
                     "the plugin is built for another major version of the ABI",
                     std::to_string(ASTRO_ABI_MAJOR),
                     std::to_string(plugin.abi_major),
                     newer ? "use a newer astrolabe, or build the plugin with its headers"
                           : "build the plugin again with the installed headers",
                     "load"};
  }
  if (auto fault = CheckSize("astro_plugin_v1", plugin.struct_size, sizeof(astro_plugin_v1))) return fault;
  if (plugin.manifest.size == 0 || plugin.manifest.size > kMaxManifest ||
      !library.Contains(plugin.manifest.data, plugin.manifest.size)) {
    return Violation("the plugin's manifest does not lie inside the plugin", "1 to 1048576 bytes of its own data",
                     std::to_string(plugin.manifest.size) + " bytes elsewhere");
  }
  return CheckPointers("the plugin", {{"problem_count", plugin.problem_count != nullptr},
                                      {"problem", plugin.problem != nullptr},
                                      {"heuristic_count", plugin.heuristic_count != nullptr},
                                      {"heuristic", plugin.heuristic != nullptr}});
}

MaybeFault CheckProblemVtable(const astro_problem_v1* problem, const std::string& what) {
  if (problem == nullptr) return Violation(what + " has no functions", "a table of functions", "null");
  if (auto fault = CheckSize(what, problem->struct_size, sizeof *problem)) return fault;
  return CheckPointers(what, {{"parse", problem->parse != nullptr},
                              {"destroy", problem->destroy != nullptr},
                              {"info", problem->info != nullptr},
                              {"domain_view", problem->domain_view != nullptr},
                              {"initial_state", problem->initial_state != nullptr},
                              {"goal_state", problem->goal_state != nullptr},
                              {"is_goal", problem->is_goal != nullptr},
                              {"ops", problem->ops != nullptr},
                              {"apply", problem->apply != nullptr},
                              {"apply_in_place", problem->apply_in_place != nullptr},
                              {"expand", problem->expand != nullptr},
                              {"inverse_op", problem->inverse_op != nullptr},
                              {"render_state", problem->render_state != nullptr},
                              {"parse_state", problem->parse_state != nullptr},
                              {"render_op", problem->render_op != nullptr},
                              {"canonical_text", problem->canonical_text != nullptr},
                              {"describe", problem->describe != nullptr},
                              {"fingerprint", problem->fingerprint != nullptr},
                              {"solvable", problem->solvable != nullptr}});
}

MaybeFault CheckHeuristicVtable(const astro_heuristic_v1* heuristic, const std::string& what) {
  if (heuristic == nullptr) return Violation(what + " has no functions", "a table of functions", "null");
  if (auto fault = CheckSize(what, heuristic->struct_size, sizeof *heuristic)) return fault;
  return CheckPointers(what,
                       {{"create", heuristic->create != nullptr},
                        {"destroy", heuristic->destroy != nullptr},
                        {"info", heuristic->info != nullptr},
                        {"eval", heuristic->eval != nullptr},
                        {"eval_batch", heuristic->eval_batch != nullptr},
                        {"close_context", heuristic->open_context == nullptr || heuristic->close_context != nullptr}});
}

MaybeFault ReadEntries(const astro_plugin_v1& plugin, const Manifest& manifest, std::vector<ProblemRef>* problems,
                       std::vector<HeuristicRef>* heuristics) {
  const uint32_t n_problems = CallPlugin("problem_count", [&] { return plugin.problem_count(); });
  const uint32_t n_heuristics = CallPlugin("heuristic_count", [&] { return plugin.heuristic_count(); });
  if (n_problems > kMaxEntries || n_heuristics > kMaxEntries || n_problems + n_heuristics == 0) {
    return Violation("the plugin offers nothing, or too much", "1 to " + std::to_string(kMaxEntries) + " entries",
                     std::to_string(n_problems) + " problems, " + std::to_string(n_heuristics) + " heuristics");
  }
  for (uint32_t i = 0; i < n_problems; ++i) {
    const astro_problem_entry_v1* entry = CallPlugin("problem", [&] { return plugin.problem(i); });
    if (auto fault = CheckEntry(entry, "problem entry " + std::to_string(i))) return fault;
    const std::string id = CopyText(entry->id, 256);
    if (auto fault = CheckProblemVtable(entry->problem, "the problem \"" + id + "\"")) return fault;
    problems->push_back({id, CopyText(entry->problem->state_layout, 256), entry->problem});
  }
  for (uint32_t i = 0; i < n_heuristics; ++i) {
    const astro_heuristic_entry_v1* entry = CallPlugin("heuristic", [&] { return plugin.heuristic(i); });
    if (auto fault = CheckEntry(entry, "heuristic entry " + std::to_string(i))) return fault;
    const std::string id = CopyText(entry->id, 256);
    if (auto fault = CheckHeuristicVtable(entry->heuristic, "the heuristic \"" + id + "\"")) return fault;
    heuristics->push_back({id, CopyText(entry->heuristic->state_layout, 256), entry->heuristic});
  }
  if (auto fault = Compare("problem", *problems, manifest.problems)) return fault;
  return Compare("heuristic", *heuristics, manifest.heuristics);
}

}  // namespace astrolabe::worker
