#include "client/cli/limit_flags.h"

#include <optional>
#include <string_view>

#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

// Parses an option that may be missing: *value stays as it is then.
template <typename Value, typename Parsed>
absl::Status Set(const char* option, const std::string& text, std::optional<Parsed> (*parse)(std::string_view),
                 const char* expected, Value* value) {
  if (text.empty()) return absl::OkStatus();
  const std::optional<Parsed> parsed = parse(text);
  if (!parsed) {
    return absl::InvalidArgumentError(std::string("\"") + text + "\" is not a value for " + option + "; expected " +
                                      expected);
  }
  *value = *parsed;
  return absl::OkStatus();
}

}  // namespace

void AddLimitFlags(CLI::App* command, const std::string& zero, LimitOptions* options) {
  command->add_option("--time-limit", options->time, "Wall-clock time, such as 10s; 0s: " + zero)->type_name("TIME");
  command->add_option("--memory-limit", options->memory, "Memory, such as 2GiB; 0: " + zero)->type_name("SIZE");
  command->add_option("--max-expansions", options->expansions, "States expanded, such as 10M; 0: " + zero)
      ->type_name("N");
  command->add_option("--max-generated", options->generated, "Children generated; 0: " + zero)->type_name("N");
  command->add_option("--max-cost", options->cost, "Look for no solution that costs more; 0 is a limit like any other")
      ->type_name("N");
  command->add_option("--queue-timeout", options->queue_time, "Longest wait in the queue, such as 1m; 0s: " + zero)
      ->type_name("TIME");
}

absl::Status SetLimits(const LimitOptions& options, client::Limits* limits) {
  const char* const count = "a whole number such as 1000000, 10k or 2.5M";
  const char* const duration = "a duration such as 10s, 1.5s, 500ms or 2m";
  const absl::Status all[] = {
      Set("--time-limit", options.time, ParseDuration, duration, &limits->wall_time),
      Set("--memory-limit", options.memory, ParseSize, "a size such as 512MiB or 2GiB", &limits->max_memory_bytes),
      Set("--max-expansions", options.expansions, ParseCount, count, &limits->max_expansions),
      Set("--max-generated", options.generated, ParseCount, count, &limits->max_generated),
      Set("--max-cost", options.cost, ParseCount, count, &limits->max_cost),
      Set("--queue-timeout", options.queue_time, ParseDuration, duration, &limits->queue_timeout)};
  for (const absl::Status& status : all) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace astrolabe::cli
