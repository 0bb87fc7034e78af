#include "daemon/registry/manifest_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "daemon/base/utf8.h"

namespace astrolabe::registry {
namespace {

using nlohmann::json;

constexpr size_t kMaxFaults = 10;
constexpr size_t kMaxChoices = 256;

const json& Empty(json::value_t type) {
  static const json object = json::object();
  static const json array = json::array();
  return type == json::value_t::object ? object : array;
}

// Null when the member is not there; also when `object` is none (one fault for that).
const json* Member(const json& object, const char* name, Faults* faults, const std::string& where) {
  if (!object.is_object()) {
    faults->Add(where.empty() ? name : where + name,
                "expected an object around it, found " + std::string(object.type_name()));
    return nullptr;
  }
  const auto member = object.find(name);
  return member == object.end() ? nullptr : &*member;
}

std::optional<double> ParseDouble(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int64_t> AsInt64(const json& value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<int64_t>();
}

std::optional<ParamValue> ReadValue(const json& value, ParamType type) {
  switch (type) {
    case ParamType::kBool:
      if (value.is_boolean()) return value.get<bool>();
      return std::nullopt;
    case ParamType::kInt:
      if (const auto number = AsInt64(value)) return *number;
      return std::nullopt;
    case ParamType::kDouble:
      if (value.is_string()) {
        if (const auto number = ParseDouble(value.get<std::string>())) return *number;
      } else if (value.is_number()) {
        return value.get<double>();
      }
      return std::nullopt;
    case ParamType::kString:
      if (value.is_string() && value.get_ref<const std::string&>().size() <= kMaxLine) return value.get<std::string>();
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<ParamValue> ValueField(const json& item, const char* name, ParamType type, const char* type_name,
                                     Faults* faults, const std::string& where) {
  const json* member = Member(item, name, faults, where);
  if (member == nullptr) return std::nullopt;
  std::optional<ParamValue> value = ReadValue(*member, type);
  if (!value)
    faults->Add(where + name, std::string("expected a value of type ") + type_name + ", found " + member->type_name());
  return value;
}

// Values of one type compare by their variant.
void CheckDefault(const ParamSpec& spec, const std::optional<ParamValue>& value, const char* name, Faults* faults,
                  const std::string& where) {
  const bool ordered = spec.type == ParamType::kInt || spec.type == ParamType::kDouble;
  if (!value) return;
  if (ordered && ((spec.min && *value < *spec.min) || (spec.max && *spec.max < *value))) {
    faults->Add(where + name, "it lies outside min and max");
  }
  if (spec.type == ParamType::kString && !spec.choices.empty() &&
      std::find(spec.choices.begin(), spec.choices.end(), std::get<std::string>(*value)) == spec.choices.end()) {
    faults->Add(where + name, "it is none of the choices");
  }
}

void CheckRange(const ParamSpec& spec, Faults* faults, const std::string& where) {
  const bool ordered = spec.type == ParamType::kInt || spec.type == ParamType::kDouble;
  if (!ordered && (spec.min || spec.max)) faults->Add(where + "min", "expected min and max with int and double only");
  if (spec.min && spec.max && *spec.max < *spec.min) faults->Add(where + "max", "it is below min");
  if (!spec.choices.empty() && spec.type != ParamType::kString) {
    faults->Add(where + "choices", "expected choices with string only");
  }
  CheckDefault(spec, spec.default_value, "default", faults, where);
  CheckDefault(spec, spec.counting_default, "counting_default", faults, where);
}

}  // namespace

std::string Faults::Text() const {
  std::string text;
  for (size_t i = 0; i < items_.size() && i < kMaxFaults; ++i) text += (i == 0 ? "" : "; ") + items_[i];
  if (items_.size() > kMaxFaults) text += "; and " + std::to_string(items_.size() - kMaxFaults) + " more";
  return text;
}

bool IsId(std::string_view text) {
  if (text.empty() || text.size() > kMaxName || text[0] < 'a' || text[0] > 'z') return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool IsPluginId(std::string_view text) {
  bool dot = false;
  bool start = true;  // of a label
  for (char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == '.') {
      if (start) return false;
      dot = true;
      start = true;
    } else if (letter || (!start && (c == '_' || c == '-'))) {
      start = false;
    } else {
      return false;
    }
  }
  return dot && !start;
}

std::string TextField(const json& object, const char* name, Presence presence, size_t max_bytes, Faults* faults,
                      const std::string& where) {
  const json* member = Member(object, name, faults, where);
  if (member == nullptr) {
    if (presence == kRequired && object.is_object()) faults->Add(where + name, "it is missing");
    return {};
  }
  if (!member->is_string()) {
    faults->Add(where + name, "expected a text, found " + std::string(member->type_name()));
    return {};
  }
  const auto& text = member->get_ref<const std::string&>();
  if (text.size() > max_bytes) {
    faults->Add(where + name,
                "expected at most " + std::to_string(max_bytes) + " bytes, found " + std::to_string(text.size()));
    return {};
  }
  if (text.find('\0') != std::string::npos) {
    faults->Add(where + name, "it holds a NUL");
    return {};
  }
  if (presence == kRequired && text.empty()) faults->Add(where + name, "it is empty");
  return text;
}

std::string IdField(const json& object, const char* name, Faults* faults, const std::string& where) {
  std::string id = TextField(object, name, kRequired, kMaxName, faults, where);
  if (!id.empty() && !IsId(id)) faults->Add(where + name, "expected [a-z][a-z0-9_]*, found '" + id + "'");
  return id;
}

int64_t IntField(const json& object, const char* name, int64_t min, int64_t max, Faults* faults,
                 const std::string& where) {
  const json* member = Member(object, name, faults, where);
  if (member == nullptr) {
    if (object.is_object()) faults->Add(where + name, "it is missing");
    return 0;
  }
  const std::optional<int64_t> value = AsInt64(*member);
  if (!value || *value < min || *value > max) {
    faults->Add(where + name, "expected a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
                                  ", found " + (value ? std::to_string(*value) : std::string(member->type_name())));
    return 0;
  }
  return *value;
}

const json& ObjectField(const json& object, const char* name, Faults* faults, const std::string& where) {
  const json* member = Member(object, name, faults, where);
  if (member == nullptr || !member->is_object()) {
    faults->Add(where + name,
                member == nullptr ? "it is missing" : "expected an object, found " + std::string(member->type_name()));
    return Empty(json::value_t::object);
  }
  return *member;
}

const json& ArrayField(const json& object, const char* name, size_t max_items, Faults* faults,
                       const std::string& where) {
  const json* member = Member(object, name, faults, where);
  if (member == nullptr) return Empty(json::value_t::array);
  if (!member->is_array() || member->size() > max_items) {
    faults->Add(where + name,
                "expected a list of at most " + std::to_string(max_items) + ", found " +
                    (member->is_array() ? std::to_string(member->size()) : std::string(member->type_name())));
    return Empty(json::value_t::array);
  }
  return *member;
}

ParamSpec ReadParam(const json& item, const std::string& where, Faults* faults) {
  ParamSpec spec;
  spec.name = IdField(item, "name", faults, where);
  spec.doc = TextField(item, "doc", kOptional, kMaxDoc, faults, where);
  const std::string type = TextField(item, "type", kRequired, kMaxName, faults, where);
  if (type == "bool") {
    spec.type = ParamType::kBool;
  } else if (type == "int") {
    spec.type = ParamType::kInt;
  } else if (type == "double") {
    spec.type = ParamType::kDouble;
  } else if (type == "string") {
    spec.type = ParamType::kString;
  } else {
    if (!type.empty()) faults->Add(where + "type", "expected bool, int, double or string, found '" + type + "'");
    return spec;
  }
  spec.default_value = ValueField(item, "default", spec.type, type.c_str(), faults, where);
  spec.min = ValueField(item, "min", spec.type, type.c_str(), faults, where);
  spec.max = ValueField(item, "max", spec.type, type.c_str(), faults, where);
  spec.counting_default = ValueField(item, "counting_default", spec.type, type.c_str(), faults, where);
  for (const json& choice : ArrayField(item, "choices", kMaxChoices, faults, where)) {
    if (choice.is_string() && choice.get_ref<const std::string&>().size() <= kMaxLine) {
      spec.choices.push_back(choice.get<std::string>());
    } else {
      faults->Add(where + "choices", "expected texts of at most " + std::to_string(kMaxLine) + " bytes");
    }
  }
  CheckRange(spec, faults, where);
  return spec;
}

}  // namespace astrolabe::registry
