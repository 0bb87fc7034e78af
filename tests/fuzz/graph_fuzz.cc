// Fuzzes the reader of explicit graphs. The input is the instance and, behind NUL bytes, the parameters start and goal.
// Whatever it is, either every fault is said with a message, or the graph is in order and its canonical text reads back
// as the same graph.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/explicit_graph/graph_reader.h"
#include "plugins/explicit_graph/h_check.h"
#include "plugins/explicit_graph/problem.h"
#include "tests/fuzz/instance_reader.h"

namespace {

using explicit_graph::ExplicitGraph;
using explicit_graph::GraphData;
using fuzz::Demand;

std::optional<GraphData> Read(std::string_view instance, const explicit_graph::ReadOptions& options) {
  return fuzz::Read([&](astro::Diagnostics& diagnostics) { return ReadGraph(instance, options, diagnostics); });
}

void DemandOrder(const GraphData& graph) {
  const explicit_graph::Adjacency& arcs = *graph.arcs;
  Demand(arcs.nodes() == graph.names->size());
  Demand(graph.start < arcs.nodes() && !graph.goals.empty() && graph.goals.back() < arcs.nodes());
  for (uint32_t node = 0; node < arcs.nodes(); ++node) {
    for (uint32_t arc = arcs.first[node]; arc < arcs.first[node + 1]; ++arc) {
      Demand(arcs.source[arc] == node && arcs.target[arc] < arcs.nodes() && arcs.cost[arc] >= 0);
      if (arc == arcs.first[node]) continue;
      Demand(std::pair(arcs.target[arc - 1], arcs.cost[arc - 1]) <= std::pair(arcs.target[arc], arcs.cost[arc]));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const std::string_view instance = *input.Take();
  explicit_graph::ReadOptions options;
  options.start = input.Take();
  options.goal = input.Take();
  std::optional<GraphData> data_read = Read(instance, options);
  if (!data_read) return 0;
  DemandOrder(*data_read);
  const ExplicitGraph graph(*std::move(data_read), true);
  const explicit_graph::Instance view(static_cast<const explicit_graph_view_v1*>(graph.DomainView()));
  (void)explicit_graph::CheckH(view, [] {});
  const std::string text = fuzz::CanonicalText(graph);
  std::optional<GraphData> again = Read(text, {});
  Demand(again.has_value());
  const ExplicitGraph same(*std::move(again), true);
  Demand(same.Fingerprint() == graph.Fingerprint());
  Demand(fuzz::CanonicalText(same) == text);
  return 0;
}
