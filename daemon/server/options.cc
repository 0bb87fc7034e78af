#include "daemon/server/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "daemon/server/resources.h"

namespace astrolabe::server {
namespace {

constexpr char kProgram[] = "astrolabed";
constexpr int kUsageExit = 2;

// What one source says: row name -> values, and where from, for messages.
struct Given {
  std::vector<std::string> values;
  std::string where;
};
using Layer = std::map<std::string, Given, std::less<>>;

std::string HelpOf(const OptionRow& row) {
  std::string text = row.help;
  text += std::string("\n  default: ") + row.shown_default;
  text += row.reloadable ? "; reloaded by SIGHUP" : "";
  return text;
}

// Fills *flags and *config_file, or returns what to print instead.
std::optional<ParsedOptions> ReadFlags(const std::vector<std::string>& args, Layer* flags, std::string* config_file) {
  CLI::App app("The Astrolabe daemon: heuristic search as a service.", kProgram);
  app.get_formatter()->column_width(34);
  app.set_version_flag("--version", std::string(kProgram) + " " + ASTROLABE_VERSION);
  app.add_option("--config", *config_file,
                 "Configuration file: TOML, keys named like the flags\n"
                 "  default: $XDG_CONFIG_HOME/astrolabe/astrolabed.toml, if there is one; read again by SIGHUP")
      ->type_name("FILE");
  std::map<std::string, std::vector<std::string>> values;
  for (const OptionRow& row : OptionTable()) {
    app.add_option(std::string("--") + row.name, values[row.name], HelpOf(row))
        ->type_name(row.value_name)
        ->group(row.group)
        ->allow_extra_args(false);
  }
  app.footer(
      "Each option can also be given as a variable (--queue-limit: ASTROLABE_QUEUE_LIMIT) or in the configuration "
      "file\n"
      "(queue-limit = 100). A flag wins over a variable, a variable over the file.\n"
      "SIGTERM drains and ends, a second one at once; SIGHUP reloads the options marked so and looks for new plugins.");
  std::vector<std::string> reversed(args.rbegin(), args.rend());  // CLI11 wants it so
  try {
    app.parse(reversed);
  } catch (const CLI::Success& done) {
    std::ostringstream out;
    app.exit(done, out, out);
    return ParsedOptions{std::nullopt, 0, out.str()};
  } catch (const CLI::Error& error) {
    return ParsedOptions{std::nullopt, kUsageExit,
                         std::string(kProgram) + ": " + error.what() + "\nTry: astrolabed --help\n"};
  }
  for (auto& [name, list] : values) {
    if (!list.empty()) (*flags)[name] = {std::move(list), "--" + name};
  }
  return std::nullopt;
}

std::vector<std::string> SplitByColon(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ':');) {
    if (!part.empty()) out.push_back(part);
  }
  return out;
}

Layer ReadVariables(const Environment& env) {
  Layer out;
  for (const OptionRow& row : OptionTable()) {
    const std::string variable = VariableName(row);
    const std::string value = env(variable);
    if (value.empty()) continue;
    out[row.name] = {row.repeatable ? SplitByColon(value) : std::vector<std::string>{value}, variable};
  }
  return out;
}

const OptionRow* FindRow(const std::string& name) {
  const auto table = OptionTable();
  const auto found = std::find_if(table.begin(), table.end(), [&](const OptionRow& row) { return name == row.name; });
  return found == table.end() ? nullptr : &*found;
}

Layer ReadFile(const std::string& path, std::vector<std::string>* faults) {
  Layer out;
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_file(path);
  } catch (const CLI::Error& error) {
    faults->push_back(path + ": " + error.what());
    return out;
  }
  for (CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // marks of sections
    std::string name = item.name;
    std::replace(name.begin(), name.end(), '_', '-');
    if (!item.parents.empty() || FindRow(name) == nullptr) {
      faults->push_back(path + ": there is no setting \"" + item.fullname() + "\"");
      continue;
    }
    out[name] = {std::move(item.inputs), path + ": " + item.name};
  }
  return out;
}

void Apply(const OptionRow& row, const Given& given, Options* options, std::vector<std::string>* faults) {
  if (given.values.empty()) return;
  // A flag given twice: the last one holds.
  const size_t first = row.repeatable ? 0 : given.values.size() - 1;
  if (!row.repeatable && given.values.size() > 1 && !given.where.starts_with("--")) {
    faults->push_back(given.where + ": takes one value, not a list");
    return;
  }
  for (size_t i = first; i < given.values.size(); ++i) {
    const Status status = row.set(options, given.values[i]);
    if (!status.ok()) faults->push_back(given.where + ": " + status.error().message);
  }
}

// Defaults that depend on the user, the machine or other options.
void FillDefaults(const Environment& env, bool has_address, bool has_admin, Options* options,
                  std::vector<std::string>* faults) {
  const auto parse = [&](const std::string& text) {
    Result<Address> address = ParseAddress(text);
    if (!address.ok()) faults->push_back(address.error().message);
    return address.ok() ? std::move(*address) : Address{};
  };
  if (!has_address) {
    options->default_address = true;
    options->address = parse("unix:" + DefaultSocketPath(env));
  }
  if (!has_admin && options->address.kind == Address::Kind::kUnix && !options->address.path.empty()) {
    options->admin_address = parse("unix:" + options->address.path + ".admin");
  }
  if (options->admin_address && options->address.kind == Address::Kind::kUnix &&
      options->admin_address->path == options->address.path) {
    faults->push_back("--admin-address must differ from --address");
  }
  const std::string program_dir = ProgramDir();
  options->plugin_dirs = PluginDirs(env, program_dir, options->plugin_dirs);
  if (options->worker_binary.empty()) options->worker_binary = program_dir + "/astrolabe-worker";
  if (options->cache_dir.empty()) options->cache_dir = DefaultCacheDir(env);
  if (options->state_dir.empty()) options->state_dir = DefaultStateDir(env, options->address.ToString());
  if (options->slots == 0) options->slots = AvailableCpus();
  if (options->default_memory_bytes == 0) {
    options->default_memory_bytes = DefaultJobMemory(AvailableMemoryBytes(), options->slots);
  }
}

void SetDuration(std::chrono::milliseconds value, google::protobuf::Duration* out) {
  out->set_seconds(value.count() / 1000);
  out->set_nanos(static_cast<int32_t>(value.count() % 1000 * 1'000'000));
}

}  // namespace

v1::Limits DefaultLimits(const Options& options) {
  v1::Limits out;
  if (options.default_wall_time.count() != 0) SetDuration(options.default_wall_time, out.mutable_wall_time());
  if (options.default_queue_timeout.count() != 0) {
    SetDuration(options.default_queue_timeout, out.mutable_queue_timeout());
  }
  out.set_max_expansions(options.default_max_expansions);
  out.set_max_generated(options.default_max_generated);
  out.set_max_memory_bytes(options.default_memory_bytes);
  return out;
}

ParsedOptions ParseOptions(const std::vector<std::string>& args, const Environment& env) {
  Layer flags;
  std::string config_file;
  if (std::optional<ParsedOptions> early = ReadFlags(args, &flags, &config_file)) return std::move(*early);

  std::vector<std::string> faults;
  if (config_file.empty()) config_file = env("ASTROLABE_CONFIG");
  const bool named = !config_file.empty();
  if (!named) config_file = DefaultConfigFile(env);
  Layer file;
  if (named || std::ifstream(config_file).good()) file = ReadFile(config_file, &faults);

  const Layer variables = ReadVariables(env);
  Options options;
  std::vector<std::string> seen;
  for (const OptionRow& row : OptionTable()) {
    for (const Layer* layer : {static_cast<const Layer*>(&flags), &variables, static_cast<const Layer*>(&file)}) {
      const auto given = layer->find(row.name);
      if (given == layer->end()) continue;
      Apply(row, given->second, &options, &faults);
      seen.emplace_back(row.name);
      break;
    }
  }
  const auto was_given = [&](const char* name) { return std::find(seen.begin(), seen.end(), name) != seen.end(); };
  FillDefaults(env, was_given("address"), was_given("admin-address"), &options, &faults);

  if (faults.empty()) return ParsedOptions{std::move(options), 0, ""};
  ParsedOptions out;
  out.exit_code = kUsageExit;
  for (const std::string& fault : faults) out.output += std::string(kProgram) + ": " + fault + "\n";
  out.output += "Try: astrolabed --help\n";
  return out;
}

}  // namespace astrolabe::server
