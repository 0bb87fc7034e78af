#include "client/src/enum_names.h"

#include <charconv>
#include <span>

#include "astrolabe/client/cache.h"
#include "astrolabe/client/event.h"
#include "astrolabe/client/job.h"
#include "astrolabe/client/result.h"
#include "astrolabe/client/server.h"

namespace astrolabe::client {
namespace {

constexpr std::string_view kNodeKinds[] = {"UNSPECIFIED", "SOURCE", "EXPANDING", "GENERATING", "UPDATING", "REOPENING",
                                           "CLOSING",     "PRUNED", "DEAD_END",  "GOAL",       "RESTART"};
constexpr std::string_view kTiers[] = {"UNSPECIFIED", "GENERIC", "KERNEL", "ADDITIVE"};
constexpr std::string_view kOutcomes[] = {"UNSPECIFIED",     "SOLVED",        "UNSOLVABLE",
                                          "EXHAUSTED_LOCAL", "LIMIT_REACHED", "CANCELLED",
                                          "REJECTED",        "PLUGIN_FAILED", "INTERRUPTED"};
constexpr std::string_view kLimits[] = {"UNSPECIFIED", "WALL_TIME", "EXPANSIONS",   "GENERATED",
                                        "MEMORY",      "COST",      "QUEUE_TIMEOUT"};
constexpr std::string_view kProofs[] = {
    "UNSPECIFIED", "NONE", "OPTIMAL", "BOUNDED", "FEASIBLE", "UNSOLVABLE_THEORY", "UNSOLVABLE_EXHAUSTED"};
constexpr std::string_view kJobStates[] = {"UNSPECIFIED", "QUEUED", "PREPARING", "SEARCHING", "FINISHING", "DONE"};
constexpr std::string_view kLogLevels[] = {"UNSPECIFIED", "DEBUG", "INFO", "WARNING", "ERROR"};
constexpr std::string_view kGapReasons[] = {"UNSPECIFIED", "SLOW_WATCHER", "EVICTED", "BLOCK_TIMEOUT"};
constexpr std::string_view kPluginStates[] = {"UNSPECIFIED", "READY", "FAILED", "UNLOADED"};
constexpr std::string_view kCacheStates[] = {"UNSPECIFIED", "OK", "UNCHECKED", "DAMAGED", "REMOVED"};
constexpr std::string_view kLoadCodes[] = {"UNSPECIFIED",     "NOT_ELF",       "WRONG_ARCH",      "TRUNCATED",
                                           "CORRUPT",         "PERMISSION",    "NOEXEC",          "NO_MANIFEST",
                                           "ABI_TOO_NEW",     "ABI_TOO_OLD",   "ISA_UNSUPPORTED", "MISSING_SYMBOL",
                                           "MISSING_LIBRARY", "DUPLICATE_ID",  "INIT_FAILED",     "EXITED",
                                           "THREW",           "PROBE_CRASHED", "PROBE_TIMEOUT",   "CONTRACT_VIOLATION"};

std::string Lookup(std::span<const std::string_view> names, int value) {
  if (value >= 0 && static_cast<size_t>(value) < names.size()) return std::string(names[value]);
  return "UNKNOWN(" + std::to_string(value) + ")";
}

}  // namespace

std::string Name(NodeKind kind) { return Lookup(kNodeKinds, static_cast<int>(kind)); }
std::string Name(EngineTier tier) { return Lookup(kTiers, static_cast<int>(tier)); }
std::string Name(Outcome outcome) { return Lookup(kOutcomes, static_cast<int>(outcome)); }
std::string Name(LimitKind limit) { return Lookup(kLimits, static_cast<int>(limit)); }
std::string Name(Proof proof) { return Lookup(kProofs, static_cast<int>(proof)); }
std::string Name(JobState state) { return Lookup(kJobStates, static_cast<int>(state)); }
std::string Name(LogLevel level) { return Lookup(kLogLevels, static_cast<int>(level)); }
std::string Name(GapReason reason) { return Lookup(kGapReasons, static_cast<int>(reason)); }
std::string Name(PluginState state) { return Lookup(kPluginStates, static_cast<int>(state)); }
std::string Name(CacheFileState state) { return Lookup(kCacheStates, static_cast<int>(state)); }

std::string LoadCodeName(int code) { return Lookup(kLoadCodes, code); }

int LoadCodeNumber(std::string_view name) {
  for (size_t i = 0; i < std::size(kLoadCodes); ++i) {
    if (kLoadCodes[i] == name) return static_cast<int>(i);
  }
  int number = 0;
  if (name.starts_with("UNKNOWN(")) std::from_chars(name.data() + 8, name.data() + name.size(), number);
  return number;
}

}  // namespace astrolabe::client
