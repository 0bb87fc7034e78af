#include "daemon/worker/manifest.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace astrolabe::worker {
namespace {

using nlohmann::json;

std::string Text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

uint32_t Number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint32_t>() : 0;
}

const json& List(const json& object, const char* key) {
  static const json empty = json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : empty;
}

std::optional<engine::ParamValue> Default(const json& param) {
  const auto found = param.find("default");
  if (found == param.end()) return std::nullopt;
  const std::string type = Text(param, "type");
  if (type == "bool" && found->is_boolean()) return engine::ParamValue(found->get<bool>());
  if (type == "int" && found->is_number_integer()) return engine::ParamValue(found->get<int64_t>());
  if (type == "string" && found->is_string()) return engine::ParamValue(found->get<std::string>());
  // Doubles are written as text, so that no reader rounds them.
  if (type == "double" && found->is_string())
    return engine::ParamValue(std::strtod(Text(param, "default").c_str(), nullptr));
  if (type == "double" && found->is_number()) return engine::ParamValue(found->get<double>());
  return std::nullopt;
}

ParamMap Defaults(const json& owner) {
  ParamMap defaults;
  for (const json& param : List(owner, "params")) {
    if (!param.is_object()) continue;
    if (auto value = Default(param)) defaults.emplace(Text(param, "name"), *std::move(value));
  }
  return defaults;
}

}  // namespace

std::optional<Manifest> ParseManifest(std::string_view text, std::string* why) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) {
    *why = root.is_discarded() ? "it is not JSON" : "it is not a JSON object";
    return std::nullopt;
  }
  Manifest manifest;
  manifest.id = Text(root, "id");
  manifest.version = Text(root, "version");
  if (manifest.id.empty()) {
    *why = "\"id\" is missing";
    return std::nullopt;
  }
  if (const auto abi = root.find("abi"); abi != root.end() && abi->is_object()) {
    manifest.abi_major = Number(*abi, "major");
    manifest.abi_minor = Number(*abi, "minor");
    manifest.min_host_minor = Number(*abi, "min_host_minor");
  }
  for (const json& item : List(root, "problems")) {
    if (!item.is_object()) continue;
    ManifestProblem problem{Text(item, "id"), Text(item, "state_layout"), Defaults(item), std::nullopt};
    const json& examples = List(item, "examples");
    if (!examples.empty() && examples.front().is_object()) problem.first_example = Text(examples.front(), "text");
    manifest.problems.push_back(std::move(problem));
  }
  for (const json& item : List(root, "heuristics")) {
    if (!item.is_object()) continue;
    manifest.heuristics.push_back({Text(item, "id"), Text(item, "problem"), Text(item, "state_layout"), Defaults(item),
                                   Text(item, "objective_name")});
  }
  return manifest;
}

}  // namespace astrolabe::worker
