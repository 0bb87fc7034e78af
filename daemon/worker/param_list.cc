#include "daemon/worker/param_list.h"

#include "daemon/worker/abi_text.h"

namespace astrolabe::worker {
namespace {

astro_param_v1 ToAbiParam(const std::string& name, const engine::ParamValue& value) {
  astro_param_v1 param{};
  param.struct_size = sizeof param;
  param.name = ToAbi(name);
  if (const auto* flag = std::get_if<bool>(&value)) {
    param.type = ASTRO_PARAM_BOOL;
    param.int_value = *flag ? 1 : 0;
  } else if (const auto* number = std::get_if<int64_t>(&value)) {
    param.type = ASTRO_PARAM_INT;
    param.int_value = *number;
    param.double_value = static_cast<double>(*number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    param.type = ASTRO_PARAM_DOUBLE;
    param.double_value = *real;
  } else {
    param.type = ASTRO_PARAM_STRING;
    param.string_value = ToAbi(std::get<std::string>(value));
  }
  return param;
}

}  // namespace

ParamMap ToParamMap(const ProtoParams& params) {
  ParamMap out;
  for (const auto& [name, value] : params) {
    switch (value.value_case()) {
      case v1::ParamValue::kBoolValue:
        out[name] = value.bool_value();
        break;
      case v1::ParamValue::kIntValue:
        out[name] = static_cast<int64_t>(value.int_value());
        break;
      case v1::ParamValue::kDoubleValue:
        out[name] = value.double_value();
        break;
      case v1::ParamValue::kStringValue:
        out[name] = value.string_value();
        break;
      default:
        break;
    }
  }
  return out;
}

ParamList::ParamList(const ProtoParams& set, const ParamMap& defaults) : values_(ToParamMap(set)) {
  values_.insert(defaults.begin(), defaults.end());  // what is set stays
  items_.reserve(values_.size());
  for (const auto& [name, value] : values_) items_.push_back(ToAbiParam(name, value));
  abi_.items = items_.data();
  abi_.count = items_.size();
  abi_.item_size = sizeof(astro_param_v1);
}

}  // namespace astrolabe::worker
