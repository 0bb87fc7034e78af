#include "daemon/engine/params.h"

#include <algorithm>
#include <sstream>

namespace astrolabe::engine {
namespace {

const char* TypeName(ParamType type) {
  switch (type) {
    case ParamType::kBool:
      return "true or false";
    case ParamType::kInt:
      return "an integer";
    case ParamType::kDouble:
      return "a number";
    case ParamType::kString:
      return "a text";
  }
  return "a value";
}

std::string Text(const ParamValue& value) {
  std::ostringstream out;
  out << std::boolalpha;
  std::visit([&out](const auto& v) { out << v; }, value);
  return out.str();
}

// The value in the declared type; an integer serves as a number.
bool Convert(ParamType type, ParamValue& value) {
  if (type == ParamType::kDouble && std::holds_alternative<int64_t>(value)) {
    value = static_cast<double>(std::get<int64_t>(value));
  }
  return static_cast<size_t>(type) == value.index() + 1;
}

std::string Expected(const ParamSpec& spec) {
  if (!spec.choices.empty()) {
    std::string text = "one of";
    for (const std::string& choice : spec.choices) text += (&choice == &spec.choices[0] ? " " : ", ") + choice;
    return text;
  }
  std::string text = TypeName(spec.type);
  if (spec.min) text += " from " + Text(*spec.min);
  if (spec.max) text += " up to " + Text(*spec.max);
  return text;
}

bool InRange(const ParamSpec& spec, const ParamValue& value) {
  if (!spec.choices.empty() && std::ranges::find(spec.choices, Text(value)) == spec.choices.end()) return false;
  // Written so that NaN is outside of any range.
  if (spec.min && !(*spec.min <= value)) return false;
  if (spec.max && !(value <= *spec.max)) return false;
  return true;
}

}  // namespace

Params CheckParams(std::span<const ParamSpec> specs, const std::map<std::string, ParamValue>& given,
                   std::vector<Violation>& violations) {
  std::map<std::string, ParamValue> values;
  for (const ParamSpec& spec : specs) {
    const auto it = given.find(spec.name);
    if (it == given.end()) {
      if (spec.default_value) {
        values[spec.name] = *spec.default_value;
      } else {
        violations.push_back({"algorithm.params." + spec.name, "is missing", Expected(spec), spec.doc});
      }
      continue;
    }
    ParamValue value = it->second;
    if (!Convert(spec.type, value) || !InRange(spec, value)) {
      violations.push_back({"algorithm.params." + spec.name, "is " + Text(it->second), Expected(spec), spec.doc});
      continue;
    }
    values[spec.name] = std::move(value);
  }
  for (const auto& [name, value] : given) {
    if (std::ranges::none_of(specs, [&name = name](const ParamSpec& spec) { return spec.name == name; })) {
      std::string known;
      for (const ParamSpec& spec : specs) known += (known.empty() ? "" : ", ") + spec.name;
      violations.push_back({"algorithm.params." + name, "is not a parameter of this algorithm",
                            known.empty() ? "no parameters" : "one of " + known, ""});
    }
  }
  return Params(std::move(values));
}

}  // namespace astrolabe::engine
