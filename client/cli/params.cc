#include "client/cli/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>

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

std::optional<ParamValue> ParseTyped(const std::string& text, ParamType type) {
  switch (type) {
    case ParamType::kBool:
      if (text == "true" || text == "yes" || text == "on" || text == "1") return ParamValue(true);
      if (text == "false" || text == "no" || text == "off" || text == "0") return ParamValue(false);
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
    return spec.choices.empty() || std::ranges::find(spec.choices, *text) != spec.choices.end();
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
    const auto value = ParseTyped(text, spec->type);
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
      return "true or false";
    case ParamType::kInt:
      return "a whole number" + range;
    case ParamType::kDouble:
      return "a number" + range;
    default:
      return "text";
  }
}

std::string FormatParam(const ParamValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, std::get<double>(value));
  return std::string(digits, error == std::errc() ? end : digits);
}

}  // namespace astrolabe::cli
