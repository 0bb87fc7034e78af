// node_h: what the instance says. Its claims are those that hold for the instance at hand.
#include <algorithm>
#include <string>

#include "astrolabe/explicit_graph/graph.h"
#include "astrolabe/sdk/heuristic.h"
#include "plugins/explicit_graph/h_check.h"

namespace {

using explicit_graph::Instance;
using explicit_graph::Move;
using explicit_graph::Node;

class NodeH {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "node_h",
      .summary = "h as the instance gives it for each node; 0 where it gives none",
      .doc =
          "Nobody can promise that the numbers of an instance are admissible, but a graph that is written out can be\n"
          "looked at: before the search every h is held against the true distance. What does not hold is not claimed,\n"
          "and a note names a node whose h is too high. On a reversed graph h is 0: an instance gives no distances\n"
          "from the start.",
      .admissible = true,
      .consistent = true,
  };

  explicit NodeH(const Instance& graph) : graph_(graph) {}

  void Build(astro::Host host, astro::Diagnostics& diagnostics) {
    const explicit_graph::HCheck check = CheckH(graph_, [host] { host.CheckCancelled(); });
    claims_ = check.too_high ? 0 : ASTRO_CLAIM_ADMISSIBLE;
    if (check.consistent) claims_ |= ASTRO_CLAIM_CONSISTENT;
    if (!check.too_high) return;
    diagnostics.Note("instance")
        .Message("node_h: h of " + std::string(graph_.name(check.too_high->node)) + " is " +
                 std::to_string(check.too_high->h) + ", the true distance is " +
                 std::to_string(check.too_high->distance) + ": not admissible");
  }

  uint32_t Claims() const { return claims_; }
  int64_t Evaluate(const Node& node) const { return graph_.h(node.node); }
  int64_t EvaluateMove(const Node&, int64_t, const Move& move) const { return graph_.h(move.target); }
  int64_t MaxH() const {
    return graph_.has_h() ? *std::max_element(graph_.view().h, graph_.view().h + graph_.nodes()) : 0;
  }
  void Explain(const Node& node, astro::Writer& out) const {
    if (graph_.has_h()) {
      out << "the instance gives " << graph_.h(node.node) << " for " << graph_.name(node.node) << '\n';
    } else {
      out << "the instance gives no h: 0\n";
    }
  }

 private:
  Instance graph_;
  uint32_t claims_ = 0;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.node_h", "1.0.0", astro::Heuristic<NodeH, explicit_graph::Problem>);
