#include "daemon/server/catalog_convert.h"

#include <type_traits>

namespace astrolabe::server {
namespace {

void SetValue(const registry::ParamValue& value, v1::ParamValue* out) {
  std::visit(
      [out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          out->set_bool_value(v);
        } else if constexpr (std::is_same_v<T, int64_t>) {
          out->set_int_value(v);
        } else if constexpr (std::is_same_v<T, double>) {
          out->set_double_value(v);
        } else {
          out->set_string_value(v);
        }
      },
      value);
}

template <typename Info>
void SetOrigin(const registry::GenerationRef& generation, Info* out) {
  if (!generation) return;
  out->set_plugin(generation->manifest().id);
  out->set_version(generation->manifest().version);
}

}  // namespace

v1::ParamSpec ToProto(const registry::ParamSpec& spec) {
  v1::ParamSpec out;
  out.set_name(spec.name);
  out.set_type(static_cast<v1::ParamType>(spec.type));
  if (spec.default_value) SetValue(*spec.default_value, out.mutable_default_value());
  if (spec.min) SetValue(*spec.min, out.mutable_min());
  if (spec.max) SetValue(*spec.max, out.mutable_max());
  for (const std::string& choice : spec.choices) out.add_choices(choice);
  out.set_doc(spec.doc);
  if (spec.counting_default) SetValue(*spec.counting_default, out.mutable_counting_default());
  return out;
}

v1::ProblemInfo ToProto(const registry::Catalog::Problem& problem) {
  const registry::ProblemEntry& entry = problem.entry;
  v1::ProblemInfo out;
  out.set_id(entry.id);
  out.set_summary(entry.summary);
  SetOrigin(problem.generation, &out);
  out.set_instance_syntax(entry.instance_syntax);
  for (const registry::Example& example : entry.examples) {
    v1::Example* item = out.add_examples();
    item->set_title(example.title);
    item->set_text(example.text);
  }
  out.set_default_algorithm(entry.default_algorithm);
  out.set_default_heuristic(entry.default_heuristic);
  for (const registry::ParamSpec& spec : entry.params) *out.add_params() = ToProto(spec);
  out.set_state_layout(entry.state_layout);
  out.set_doc(entry.doc);
  return out;
}

v1::HeuristicInfo ToProto(const registry::Catalog::Heuristic& heuristic) {
  const registry::HeuristicEntry& entry = heuristic.entry;
  v1::HeuristicInfo out;
  out.set_id(entry.id);
  out.set_summary(entry.summary);
  SetOrigin(heuristic.generation, &out);
  out.set_problem(entry.problem);
  out.set_admissible(entry.admissible);
  out.set_consistent(entry.consistent);
  out.set_objective_name(entry.objective_name);
  for (const registry::ParamSpec& spec : entry.params) *out.add_params() = ToProto(spec);
  out.set_doc(entry.doc);
  return out;
}

}  // namespace astrolabe::server
