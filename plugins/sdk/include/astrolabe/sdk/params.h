// Parameters: how a plugin declares them, and how it reads what the user set.
#ifndef ASTROLABE_SDK_PARAMS_H_
#define ASTROLABE_SDK_PARAMS_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "astrolabe/sdk/text.h"

namespace astro {

// A value in a manifest. Doubles are written as text ("1.5"), so that nothing rounds them.
struct ParamValue {
  enum class Kind { kNone, kBool, kInt, kText };
  Kind kind = Kind::kNone;
  int64_t number = 0;
  std::string_view text = {};

  static constexpr ParamValue Bool(bool value) { return {Kind::kBool, value ? 1 : 0, {}}; }
  static constexpr ParamValue Int(int64_t value) { return {Kind::kInt, value, {}}; }
  static constexpr ParamValue Text(std::string_view value) { return {Kind::kText, 0, value}; }
};

// One parameter. Make it with the functions below and keep the list in a static constexpr array:
//   static constexpr astro::ParamSpec kParams[] = {astro::IntParam("depth", 3, 1, 9, "how deep to look")};
struct ParamSpec {
  std::string_view name;
  uint32_t type = ASTRO_PARAM_STRING;
  std::string_view doc;
  ParamValue default_value = {};
  ParamValue min = {};
  ParamValue max = {};
  std::span<const std::string_view> choices = {};
  ParamValue counting_default = {};
};

constexpr ParamSpec BoolParam(std::string_view name, bool default_value, std::string_view doc) {
  return {name, ASTRO_PARAM_BOOL, doc, ParamValue::Bool(default_value)};
}
constexpr ParamSpec IntParam(std::string_view name, int64_t default_value, int64_t min, int64_t max,
                             std::string_view doc) {
  return {name, ASTRO_PARAM_INT, doc, ParamValue::Int(default_value), ParamValue::Int(min), ParamValue::Int(max)};
}
constexpr ParamSpec DoubleParam(std::string_view name, std::string_view default_value, std::string_view min,
                                std::string_view max, std::string_view doc) {
  return {name, ASTRO_PARAM_DOUBLE, doc, ParamValue::Text(default_value), ParamValue::Text(min), ParamValue::Text(max)};
}
// `choices` must be static.
constexpr ParamSpec StringParam(std::string_view name, std::string_view default_value, std::string_view doc,
                                std::span<const std::string_view> choices = {}) {
  return {name, ASTRO_PARAM_STRING, doc, ParamValue::Text(default_value), {}, {}, choices};
}
// A parameter that may be left out.
constexpr ParamSpec Optional(ParamSpec spec) {
  spec.default_value = {};
  return spec;
}
// A parameter of a problem whose default is another one where all solutions are counted, as of a formulation that has
// the operators which that needs.
constexpr ParamSpec DefaultForCounting(ParamSpec spec, ParamValue value) {
  spec.counting_default = value;
  return spec;
}

// The parameters of one parse or create. Names, types and ranges were checked by the host; defaults
// are filled in. Valid only during that call.
class Params {
 public:
  explicit Params(const astro_params* params) : params_(params) {}

  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  std::optional<bool> Bool(std::string_view name) const {
    const astro_param_v1* param = Find(name);
    return param == nullptr ? std::nullopt : std::optional<bool>(param->int_value != 0);
  }
  std::optional<int64_t> Int(std::string_view name) const {
    const astro_param_v1* param = Find(name);
    return param == nullptr ? std::nullopt : std::optional<int64_t>(param->int_value);
  }
  std::optional<double> Double(std::string_view name) const {
    const astro_param_v1* param = Find(name);
    return param == nullptr ? std::nullopt : std::optional<double>(param->double_value);
  }
  std::optional<std::string_view> String(std::string_view name) const {
    const astro_param_v1* param = Find(name);
    return param == nullptr ? std::nullopt : std::optional<std::string_view>(ToView(param->string_value));
  }

 private:
  const astro_param_v1* Find(std::string_view name) const {
    if (params_ == nullptr || params_->item_size < sizeof(astro_param_v1)) return nullptr;
    const char* items = reinterpret_cast<const char*>(params_->items);
    for (uint64_t i = 0; i < params_->count; ++i) {
      const auto* param = reinterpret_cast<const astro_param_v1*>(items + i * params_->item_size);
      if (ToView(param->name) == name) return param;
    }
    return nullptr;
  }

  const astro_params* params_;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_PARAMS_H_
