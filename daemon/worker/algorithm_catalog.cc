#include "daemon/worker/algorithm_catalog.h"

namespace astrolabe::worker {
namespace {

void FillValue(const engine::ParamValue& from, v1::ParamValue& out) {
  if (const auto* flag = std::get_if<bool>(&from)) {
    out.set_bool_value(*flag);
  } else if (const auto* number = std::get_if<int64_t>(&from)) {
    out.set_int_value(*number);
  } else if (const auto* real = std::get_if<double>(&from)) {
    out.set_double_value(*real);
  } else {
    out.set_string_value(std::get<std::string>(from));
  }
}

}  // namespace

const engine::AlgorithmDescription* FindAlgorithm(std::string_view id) {
  for (const engine::AlgorithmDescription& row : engine::Algorithms()) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

void FillAlgorithm(const engine::AlgorithmDescription& from, v1::AlgorithmInfo& out) {
  out.set_id(from.id);
  out.set_summary(from.summary);
  out.set_doc(from.doc);
  out.set_optimal(from.optimal);
  out.set_needs_heuristic(from.needs_heuristic);
  out.set_needs_reversed(from.needs_reversed);
  out.set_uses_threads(from.uses_threads);
  out.set_needs_construct(from.needs_construct);
  out.set_local_search(from.local);
  out.set_counts_solutions(from.counts_solutions);
  for (const engine::ParamSpec& param : from.params) {
    v1::ParamSpec& spec = *out.add_params();
    spec.set_name(param.name);
    spec.set_type(static_cast<v1::ParamType>(param.type));
    if (param.default_value) FillValue(*param.default_value, *spec.mutable_default_value());
    if (param.min) FillValue(*param.min, *spec.mutable_min());
    if (param.max) FillValue(*param.max, *spec.mutable_max());
    spec.set_doc(param.doc);
    for (const std::string& choice : param.choices) spec.add_choices(choice);
  }
}

}  // namespace astrolabe::worker
