#include "client/cli/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "client/cli/exit_code.h"
#include "client/cli/nearest.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

using client::ParamSpec;
using client::ParamType;
using client::ParamValue;

// Splits at commas; \ takes the next character as it is.
std::vector<std::string> SplitCommas(std::string_view text) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (text[i] == ',') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

template <typename Number>
std::optional<ParamValue> ParseNumber(const std::string& text) {
  Number number{};
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return ParamValue(number);
}

bool HasChoice(const ParamSpec& spec, std::string_view choice) {
  return std::ranges::find(spec.choices, choice) != spec.choices.end();
}

// Whether it turns something on or off, by whatever type.
bool IsSwitch(const ParamSpec& spec) {
  return spec.type == ParamType::kBool || (HasChoice(spec, "on") && HasChoice(spec, "off"));
}

std::optional<bool> ParseSwitch(std::string_view text) {
  if (text == "on" || text == "true" || text == "yes" || text == "1") return true;
  if (text == "off" || text == "false" || text == "no" || text == "0") return false;
  return std::nullopt;
}

std::optional<ParamValue> ParseTyped(const std::string& text, const ParamSpec& spec) {
  if (IsSwitch(spec) && !HasChoice(spec, text)) {
    const std::optional<bool> on = ParseSwitch(text);
    if (on && spec.type == ParamType::kBool) return ParamValue(*on);
    if (on) return ParamValue(std::string(*on ? "on" : "off"));
  }
  switch (spec.type) {
    case ParamType::kBool:
      return std::nullopt;
    case ParamType::kInt:
      return ParseNumber<int64_t>(text);
    case ParamType::kDouble:
      return ParseNumber<double>(text);
    default:
      return ParamValue(text);
  }
}

double AsDouble(const ParamValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

bool Allowed(const ParamValue& value, const ParamSpec& spec) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return spec.choices.empty() || HasChoice(spec, *text);
  }
  if (std::holds_alternative<bool>(value)) return true;
  if (const auto* integer = std::get_if<int64_t>(&value)) {  // exactly: a double holds only 53 bits
    const auto* min = spec.min ? std::get_if<int64_t>(&*spec.min) : nullptr;
    const auto* max = spec.max ? std::get_if<int64_t>(&*spec.max) : nullptr;
    return (min == nullptr || *integer >= *min) && (max == nullptr || *integer <= *max);
  }
  if (std::isnan(AsDouble(value))) return false;
  return (!spec.min || AsDouble(value) >= AsDouble(*spec.min)) && (!spec.max || AsDouble(value) <= AsDouble(*spec.max));
}

// A dash is as good as a _: options have the one, parameters the other.
const ParamSpec* FindByFlag(const std::vector<ParamSpec>& specs, std::string name) {
  for (const bool dashes : {true, false}) {
    if (!dashes) std::ranges::replace(name, '-', '_');
    const auto found = std::ranges::find(specs, name, &ParamSpec::name);
    if (found != specs.end()) return &*found;
  }
  return nullptr;
}

// What the flag may be a slip of: a parameter, or an option; empty: nothing.
std::string NearFlag(const ParamFlag& flag, const std::vector<ParamSpec>& specs) {
  std::vector<std::string> names;
  for (const ParamSpec& spec : specs) names.push_back(spec.name);
  const std::string nearest = Nearest(flag.name, names);
  return nearest.empty() ? flag.near_option : "--" + nearest;
}

std::string Names(const std::vector<ParamSpec>& specs) {
  if (specs.empty()) return "it has no parameters";
  std::string names;
  for (const ParamSpec& spec : specs) names += (names.empty() ? "it has " : ", ") + spec.name;
  return names;
}

}  // namespace

absl::StatusOr<std::pair<std::string, std::string>> ParseParam(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return absl::InvalidArgumentError("\"" + std::string(text) + "\" is not a parameter; expected NAME=VALUE");
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

std::optional<ParamFlag> ParseParamFlag(std::string_view word) {
  if (!word.starts_with("--")) return std::nullopt;
  word.remove_prefix(2);
  const size_t equals = word.find('=');
  ParamFlag flag{.name = std::string(word.substr(0, equals)), .value = std::nullopt, .near_option = ""};
  if (flag.name.empty()) return std::nullopt;
  if (equals != std::string_view::npos) flag.value = std::string(word.substr(equals + 1));
  return flag;
}

absl::StatusOr<RawParams> ResolveFlags(const std::vector<ParamFlag>& flags, const std::vector<ParamSpec>& specs,
                                       const std::string& owner) {
  RawParams params;
  for (const ParamFlag& flag : flags) {
    if (const ParamSpec* const spec = FindByFlag(specs, flag.name); spec != nullptr) {
      if (!flag.value && !IsSwitch(*spec)) {
        return absl::InvalidArgumentError("--" + flag.name + " needs a value, --" + flag.name + "=VALUE; expected " +
                                          Expectation(*spec));
      }
      params.emplace_back(spec->name, flag.value.value_or("on"));
      continue;
    }
    const bool negated = flag.name.starts_with("no-") && !flag.value;
    const ParamSpec* const spec = negated ? FindByFlag(specs, flag.name.substr(3)) : nullptr;
    if (spec == nullptr || !IsSwitch(*spec)) {
      const std::string near = NearFlag(flag, specs);
      return UsageFault("there is no option --" + flag.name + ", and " + owner + " has no such parameter (" +
                        Names(specs) + ")" + (near.empty() ? "" : "; did you mean " + near + "?"));
    }
    params.emplace_back(spec->name, "off");
  }
  return params;
}

std::string FlagForm(const ParamSpec& spec) {
  std::string name = spec.name;
  std::ranges::replace(name, '_', '-');
  if (spec.type == ParamType::kBool) return "--" + name + ", --no-" + name;
  return "--" + name + "=VALUE";
}

absl::StatusOr<RawUse> ParseUse(std::string_view text) {
  RawUse use;
  const size_t colon = text.find(':');
  std::string_view head = text.substr(0, colon);
  if (const size_t at = head.find('@'); at != std::string_view::npos) {
    const auto ratio = ParseRatio(head.substr(at + 1));
    if (!ratio) {
      return absl::InvalidArgumentError("\"" + std::string(head.substr(at + 1)) + "\" in \"" + std::string(text) +
                                        "\" is not a weight; expected a ratio or a number, such as 1/2, 0.5 or 2");
    }
    use.weight = client::Rational{ratio->numerator, ratio->denominator};
    head = head.substr(0, at);
  }
  if (head.empty()) {
    return absl::InvalidArgumentError("\"" + std::string(text) +
                                      "\" names nothing; expected ID[@WEIGHT][:NAME=VALUE,...]");
  }
  use.id = std::string(head);
  if (colon == std::string_view::npos || colon + 1 == text.size()) return use;
  for (const std::string& part : SplitCommas(text.substr(colon + 1))) {
    auto param = ParseParam(part);
    if (!param.ok()) {
      return absl::InvalidArgumentError("in \"" + std::string(text) + "\": " + std::string(param.status().message()));
    }
    use.params.push_back(*std::move(param));
  }
  return use;
}

absl::StatusOr<client::Params> TypeParams(const RawParams& raw, const std::vector<ParamSpec>& specs,
                                          const std::string& owner) {
  client::Params params;
  std::string faults;
  const auto fault = [&](const std::string& text) { faults += (faults.empty() ? "" : "; ") + text; };
  for (const auto& [name, text] : raw) {
    const auto spec = std::ranges::find(specs, name, &ParamSpec::name);
    if (spec == specs.end()) {
      fault(owner + " has no parameter \"" + name + "\"; " + Names(specs));
      continue;
    }
    const auto value = ParseTyped(text, *spec);
    if (!value || !Allowed(*value, *spec)) {
      fault("\"" + text + "\" is not a value for " + name + " of " + owner + "; expected " + Expectation(*spec));
    } else if (!params.emplace(name, *value).second) {
      fault(name + " of " + owner + " is given twice");
    }
  }
  if (!faults.empty()) return absl::InvalidArgumentError(faults);
  return params;
}

std::string Expectation(const ParamSpec& spec) {
  if (!spec.choices.empty()) {
    std::string choices = "one of ";
    for (const std::string& choice : spec.choices) choices += (&choice == &spec.choices[0] ? "" : ", ") + choice;
    return choices;
  }
  std::string range;
  if (spec.min && spec.max) {
    range = " from " + FormatParam(*spec.min) + " to " + FormatParam(*spec.max);
  } else if (spec.min) {
    range = ", at least " + FormatParam(*spec.min);
  } else if (spec.max) {
    range = ", at most " + FormatParam(*spec.max);
  }
  switch (spec.type) {
    case ParamType::kBool:
      return "on or off";
    case ParamType::kInt:
      return "a whole number" + range;
    case ParamType::kDouble:
      return "a number" + range;
    default:
      return "text";
  }
}

std::string FormatParam(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, std::get<double>(value));
  return std::string(digits, error == std::errc() ? end : digits);
}

}  // namespace astrolabe::cli
