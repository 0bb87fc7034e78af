#include "daemon/jobs/param_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "daemon/base/nearest.h"
#include "daemon/jobs/convert.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

using Value = v1::ParamValue;

std::string Show(const Value& value) {
  std::ostringstream out;
  switch (value.value_case()) {
    case Value::kBoolValue:
      out << (value.bool_value() ? "true" : "false");
      break;
    case Value::kIntValue:
      out << value.int_value();
      break;
    case Value::kDoubleValue:
      out << value.double_value();
      break;
    case Value::kStringValue:
      out << '\'' << CleanText(value.string_value(), 60) << '\'';
      break;
    case Value::VALUE_NOT_SET:
      out << "nothing";
      break;
  }
  return out.str();
}

std::string KindOf(const Value& value) {
  switch (value.value_case()) {
    case Value::kBoolValue:
      return "the bool ";
    case Value::kIntValue:
      return "the integer ";
    case Value::kDoubleValue:
      return "the double ";
    case Value::kStringValue:
      return "the string ";
    case Value::VALUE_NOT_SET:
      break;
  }
  return "";
}

std::string TypeName(v1::ParamType type) {
  switch (type) {
    case v1::PARAM_TYPE_BOOL:
      return "true or false";
    case v1::PARAM_TYPE_INT:
      return "an integer";
    case v1::PARAM_TYPE_DOUBLE:
      return "a number";
    default:
      return "a string";
  }
}

// What would have been right, in words.
std::string Expected(const v1::ParamSpec& spec) {
  std::string out = TypeName(spec.type());
  if (spec.choices_size() > 0) {
    return "one of " + JoinNames({spec.choices().begin(), spec.choices().end()});
  }
  if (spec.has_min() && spec.has_max()) {
    out += " from " + Show(spec.min()) + " to " + Show(spec.max());
  } else if (spec.has_min()) {
    out += " of at least " + Show(spec.min());
  } else if (spec.has_max()) {
    out += " of at most " + Show(spec.max());
  }
  return out;
}

bool HasChoice(const v1::ParamSpec& spec, const std::string& choice) {
  return std::find(spec.choices().begin(), spec.choices().end(), choice) != spec.choices().end();
}

// What is on or off may be written as a bool, or as one of four words, whatever its type.
void FitSwitch(const v1::ParamSpec& spec, Value* value) {
  const bool is_bool = spec.type() == v1::PARAM_TYPE_BOOL;
  if (!is_bool && !(HasChoice(spec, "on") && HasChoice(spec, "off"))) return;
  const std::string& word = value->string_value();
  const bool on = value->has_bool_value() ? value->bool_value() : word == "on" || word == "true";
  if (!value->has_bool_value() && !on && word != "off" && word != "false") return;
  if (is_bool) {
    value->set_bool_value(on);
  } else {
    value->set_string_value(on ? "on" : "off");
  }
}

// Converts an int where a double is wanted; false for any other mismatch.
bool FitType(v1::ParamType type, Value* value) {
  switch (type) {
    case v1::PARAM_TYPE_BOOL:
      return value->has_bool_value();
    case v1::PARAM_TYPE_INT:
      return value->has_int_value();
    case v1::PARAM_TYPE_STRING:
      return value->has_string_value();
    case v1::PARAM_TYPE_DOUBLE:
      if (value->has_int_value()) value->set_double_value(static_cast<double>(value->int_value()));
      return value->has_double_value() && std::isfinite(value->double_value());
    default:
      return false;
  }
}

double Number(const Value& value) {
  return value.has_int_value() ? static_cast<double>(value.int_value()) : value.double_value();
}

bool Below(const Value& a, const Value& b) {
  if (a.has_int_value() && b.has_int_value()) return a.int_value() < b.int_value();
  return Number(a) < Number(b);
}

bool InBounds(const v1::ParamSpec& spec, const Value& value) {
  if (value.has_int_value() || value.has_double_value()) {
    if (spec.has_min() && Below(value, spec.min())) return false;
    if (spec.has_max() && Below(spec.max(), value)) return false;
  }
  return spec.choices_size() == 0 || HasChoice(spec, value.string_value());
}

}  // namespace

void CheckParams(const std::vector<v1::ParamSpec>& declared, const std::string& field, const std::string& owner,
                 ParamMap* params, FaultList* faults) {
  std::vector<std::string> names;
  for (const v1::ParamSpec& spec : declared) names.push_back(spec.name());

  // A map has no order; faults are told in that of the names.
  std::map<std::string, Value*> given;
  for (auto& [name, value] : *params) given.emplace(name, &value);
  for (const auto& [name, value] : given) {
    const std::string path = field + "." + CleanText(name, 64);
    const auto spec = std::find_if(declared.begin(), declared.end(),
                                   [&name = name](const v1::ParamSpec& s) { return s.name() == name; });
    if (spec == declared.end()) {
      const std::string known = names.empty() ? "it has none" : "it has " + JoinNames(names);
      faults->Add(ErrorCode::kInvalidArgument, "UNKNOWN_PARAM", path,
                  "unknown parameter of " + owner + " (" + known + ")" + DidYouMean(Nearest(name, names)));
      continue;
    }
    const std::string found = ", not " + KindOf(*value) + Show(*value);
    FitSwitch(*spec, value);
    if (!FitType(spec->type(), value) || !InBounds(*spec, *value)) {
      faults->Invalid(path, "expected " + Expected(*spec) + found);
    }
  }
  for (const v1::ParamSpec& spec : declared) {
    if (spec.has_default_value() && params->count(spec.name()) == 0) (*params)[spec.name()] = spec.default_value();
  }
}

std::vector<v1::ParamSpec> Declarations(const std::vector<registry::ParamSpec>& params) {
  std::vector<v1::ParamSpec> out;
  for (const registry::ParamSpec& spec : params) out.push_back(ToProto(spec));
  return out;
}

}  // namespace astrolabe::jobs
