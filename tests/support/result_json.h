// Reads what `astrolabe solve -o json` prints: the protobuf JSON of a Result.
#ifndef ASTROLABE_TESTS_SUPPORT_RESULT_JSON_H_
#define ASTROLABE_TESTS_SUPPORT_RESULT_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/process.h"

namespace astrolabe::testing {

// A Result as JSON. Missing fields read as protobuf defaults.
class ResultJson {
 public:
  explicit ResultJson(const std::string& text) : json_(nlohmann::json::parse(text, nullptr, false)) {}
  explicit ResultJson(const CommandResult& command) : ResultJson(command.out) {}

  bool valid() const { return json_.is_object(); }
  const nlohmann::json& json() const { return json_; }

  std::string Text(const std::string& pointer) const {
    const nlohmann::json* value = Find(pointer);
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
  }
  // int64 comes as text in protobuf JSON. `missing` when the field is not there.
  int64_t Number(const std::string& pointer, int64_t missing = 0) const {
    const nlohmann::json* value = Find(pointer);
    if (value == nullptr) return missing;
    if (value->is_string()) return std::stoll(value->get<std::string>());
    return value->is_number() ? value->get<int64_t>() : missing;
  }
  bool Flag(const std::string& pointer) const {
    const nlohmann::json* value = Find(pointer);
    return value != nullptr && value->is_boolean() && value->get<bool>();
  }

  std::string outcome() const { return Text("/outcome"); }
  std::string proof() const { return Text("/proof"); }
  int64_t cost() const { return Number("/cost", -1); }
  int64_t expanded() const { return Number("/statistics/expanded"); }
  int64_t generated() const { return Number("/statistics/generated"); }
  std::vector<std::string> moves() const {
    const nlohmann::json* value = Find("/path/opNames");
    return value != nullptr ? value->get<std::vector<std::string>>() : std::vector<std::string>{};
  }

 private:
  const nlohmann::json* Find(const std::string& pointer) const {
    const nlohmann::json::json_pointer p(pointer);
    return json_.is_object() && json_.contains(p) ? &json_.at(p) : nullptr;
  }
  nlohmann::json json_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_SUPPORT_RESULT_JSON_H_
