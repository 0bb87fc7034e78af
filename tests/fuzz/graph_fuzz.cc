// Fuzzes the reader of explicit graphs. The input is the instance and, behind NUL bytes, the parameters start and goal.
// Whatever it is, either every fault is said with a message, or the graph is in order and its canonical text reads back
// as the same graph.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/explicit_graph/graph_reader.h"
#include "plugins/explicit_graph/h_check.h"
#include "plugins/explicit_graph/problem.h"

namespace {

using explicit_graph::ExplicitGraph;
using explicit_graph::GraphData;

void Demand(bool condition) {
  if (!condition) std::abort();
}

// Counts the errors that are reported.
struct ErrorCounter {
  int errors = 0;
  const astro_diagnostics sink{this, &ErrorCounter::Report};

  static void Report(void* self, const astro_diagnostic_v1* diagnostic) {
    if (diagnostic->severity != ASTRO_SEVERITY_ERROR) return;
    Demand(diagnostic->message.size > 0);
    ++static_cast<ErrorCounter*>(self)->errors;
  }
};

std::optional<GraphData> Read(std::string_view instance, const explicit_graph::ReadOptions& options) {
  ErrorCounter counter;
  std::optional<GraphData> graph;
  {
    astro::Diagnostics diagnostics(&counter.sink);
    graph = explicit_graph::ReadGraph(instance, options, diagnostics);
  }
  Demand(graph.has_value() == (counter.errors == 0));
  return graph;
}

// The part up to the next NUL; nullopt when there is none left.
std::optional<std::string_view> Take(std::optional<std::string_view>& rest) {
  if (!rest) return std::nullopt;
  const size_t cut = rest->find('\0');
  const std::string_view part = rest->substr(0, cut);
  rest = cut == rest->npos ? std::nullopt : std::optional<std::string_view>(rest->substr(cut + 1));
  return part;
}

void Append(void* text, const char* data, uint64_t size) { static_cast<std::string*>(text)->append(data, size); }

std::string CanonicalText(const ExplicitGraph& graph) {
  std::string text;
  const astro_sink sink{&text, &Append};
  astro::Writer writer(&sink);
  graph.CanonicalText(writer);
  return text;
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
  std::optional<std::string_view> rest = std::string_view(reinterpret_cast<const char*>(data), size);
  const std::string_view instance = *Take(rest);
  explicit_graph::ReadOptions options;
  options.start = Take(rest);
  options.goal = Take(rest);
  std::optional<GraphData> data_read = Read(instance, options);
  if (!data_read) return 0;
  DemandOrder(*data_read);
  const ExplicitGraph graph(*std::move(data_read), true);
  const explicit_graph::Instance view(static_cast<const explicit_graph_view_v1*>(graph.DomainView()));
  (void)explicit_graph::CheckH(view, [] {});
  const std::string text = CanonicalText(graph);
  std::optional<GraphData> again = Read(text, {});
  Demand(again.has_value());
  const ExplicitGraph same(*std::move(again), true);
  Demand(same.Fingerprint() == graph.Fingerprint());
  Demand(CanonicalText(same) == text);
  return 0;
}
