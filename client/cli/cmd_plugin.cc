#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/json_list.h"
#include "client/cli/table.h"

namespace astrolabe::cli {
namespace {

using client::Plugin;

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string ErrorText(const client::LoadError& error) {
  std::string text = error.code + " (" + error.stage + "): " + error.message;
  if (!error.expected.empty()) text += "; expected " + error.expected;
  if (!error.found.empty()) text += "; found " + error.found;
  if (!error.hint.empty()) text += "; " + error.hint;
  return text;
}

std::string Describe(const Plugin& plugin) {
  std::vector<std::vector<std::string>> rows = {
      {"plugin", plugin.id},
      {"version", plugin.version},
      {"state", client::Name(plugin.state)},
      {"file", plugin.file},
      {"problems", Join(plugin.problems)},
      {"heuristics", Join(plugin.heuristics)},
      {"generation", std::to_string(plugin.generation)},
      {"active jobs", std::to_string(plugin.active_jobs)},
      {"ABI", std::to_string(plugin.abi_major) + "." + std::to_string(plugin.abi_minor)},
      {"licence", plugin.licence},
      {"sha256", plugin.sha256}};
  if (plugin.error) rows.push_back({"error", ErrorText(*plugin.error)});
  for (const std::string& warning : plugin.warnings) rows.push_back({"warning", warning});
  std::erase_if(rows, [](const auto& row) { return row[1].empty(); });
  return Table(rows);
}

int Ls(const Session& session) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto plugins = client->ListPlugins();
  if (!plugins.ok()) return session.Fail(plugins.status());
  if (session.json()) {
    PrintJsonList(session, *plugins);
    return kExitSolved;
  }
  std::vector<std::vector<std::string>> rows = {{"PLUGIN", "VERSION", "STATE", "GENERATION", "OFFERS"}};
  for (const Plugin& plugin : *plugins) {
    std::vector<std::string> offers = plugin.problems;
    offers.insert(offers.end(), plugin.heuristics.begin(), plugin.heuristics.end());
    rows.push_back(
        {plugin.id, plugin.version, client::Name(plugin.state), std::to_string(plugin.generation), Join(offers)});
    if (plugin.error) rows.back().back() += (offers.empty() ? "" : "; ") + ErrorText(*plugin.error);
  }
  Print(Table(rows));
  return kExitSolved;
}

int Info(const Session& session, const std::string& id) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto plugin = client->GetPlugin(id);
  if (!plugin.ok()) return session.Fail(plugin.status());
  if (session.json()) {
    PrintLine(client::ToJson(*plugin));
  } else {
    Print(Describe(*plugin));
  }
  return kExitSolved;
}

// A plugin that was refused is a failure of the command, although the call itself went well.
int Report(const Session& session, const std::vector<Plugin>& plugins, bool as_list) {
  bool failed = false;
  for (const Plugin& plugin : plugins) failed |= plugin.error.has_value();
  if (session.json()) {
    if (as_list) {
      PrintJsonList(session, plugins);
    } else {
      PrintLine(client::ToJson(plugins.front()));
    }
    return failed ? kExitPluginFailed : kExitSolved;
  }
  for (const Plugin& plugin : plugins) {
    if (plugin.error) {
      const char* const kept = plugin.state == client::PluginState::kReady ? "; the old version stays in use" : "";
      std::fprintf(stderr, "%s: %s%s\n", plugin.id.c_str(), ErrorText(*plugin.error).c_str(), kept);
      continue;
    }
    std::string line = plugin.id + " " + plugin.version + "  " + client::Name(plugin.state);
    if (plugin.state == client::PluginState::kReady) line += "  generation " + std::to_string(plugin.generation);
    Print(line + "\n");
    for (const std::string& warning : plugin.warnings) {
      std::fprintf(stderr, "warning: %s: %s\n", plugin.id.c_str(), warning.c_str());
    }
  }
  return failed ? kExitPluginFailed : kExitSolved;
}

// The server has another working folder: a path is made absolute here.
std::string Absolute(const std::string& name) {
  if (name.find('/') == std::string::npos) return name;
  char* resolved = realpath(name.c_str(), nullptr);
  const std::string path = resolved != nullptr ? resolved : name;
  std::free(resolved);
  return path;
}

int Load(const Session& session, const std::string& name) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto plugin = client->LoadPlugin(Absolute(name));
  return plugin.ok() ? Report(session, {*plugin}, false) : session.Fail(plugin.status());
}

int Reload(const Session& session, const std::string& name) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto plugins = client->ReloadPlugin(name);
  if (!plugins.ok()) return session.Fail(plugins.status());
  if (plugins->empty() && !session.json() && !session.quiet) std::fputs("nothing has changed\n", stderr);
  return Report(session, *plugins, true);
}

int Unload(const Session& session, const std::string& name) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto plugin = client->UnloadPlugin(name);
  return plugin.ok() ? Report(session, {*plugin}, false) : session.Fail(plugin.status());
}

}  // namespace

void AddPlugin(CLI::App* app, Session* session) {
  CLI::App* command = app->add_subcommand("plugin", "List and change plugins");
  command->fallthrough();
  command->require_subcommand(1);
  CLI::App* ls = command->add_subcommand("ls", "List the plugins, failed ones with the reason");
  ls->alias("list")->fallthrough();
  ls->callback([=] { session->command = [=] { return Ls(*session); }; });
  const auto add = [&](const char* name, const char* what, const char* help, bool required,
                       int (*run)(const Session&, const std::string&)) {
    auto argument = std::make_shared<std::string>();
    CLI::App* sub = command->add_subcommand(name, help);
    sub->fallthrough();
    sub->add_option("NAME", *argument, what)->required(required)->type_name("");
    sub->callback([=] { session->command = [=] { return run(*session, *argument); }; });
  };
  add("info", "Plugin id", "Tell all about a plugin", true, Info);
  add("load", "Name in the plugin folders, or a path", "Load a plugin", true, Load);
  add("reload", "Plugin id or file name; without one, all that changed", "Load the newest file of a plugin", false,
      Reload);
  add("unload", "Plugin id", "Offer a plugin no longer; running jobs keep it", true, Unload);
}

}  // namespace astrolabe::cli
