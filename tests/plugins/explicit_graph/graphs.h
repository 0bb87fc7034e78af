// Graphs for the tests.
#ifndef ASTROLABE_TESTS_PLUGINS_EXPLICIT_GRAPH_GRAPHS_H_
#define ASTROLABE_TESTS_PLUGINS_EXPLICIT_GRAPH_GRAPHS_H_

#include <random>
#include <string>
#include <string_view>

namespace graphs {

// Admissible, not consistent: h(P) = 12 is exact, and falls by 12 along an edge of cost 11.
inline constexpr std::string_view kInconsistent =
    "directed\nnode P h 12\nnode Q h 8\nnode R h 0\nnode T h 0\nedge P Q 4\nedge Q R 4\nedge R T 4\nedge P R 11\n"
    "edge P T 13\nstart P\ngoal T\n";

// Loops, parallel edges, costs 0 and isolated nodes among them. Nodes n0, n1, ...
inline std::string Random(bool directed, int nodes, int edges, std::mt19937& random) {
  std::uniform_int_distribution<int> node(0, nodes - 1);
  std::uniform_int_distribution<int> cost(0, 4);
  std::string text = directed ? "directed\n" : "undirected\n";
  for (int i = 0; i < nodes; ++i) text += "node n" + std::to_string(i) + " h " + std::to_string(cost(random)) + "\n";
  for (int i = 0; i < edges; ++i) {
    const int from = node(random);
    const int to = node(random);
    text += "edge n" + std::to_string(from) + " n" + std::to_string(to) + " " + std::to_string(cost(random)) + "\n";
  }
  return text + "start n0\ngoal n" + std::to_string(nodes - 1) + "\n";
}

}  // namespace graphs

#endif  // ASTROLABE_TESTS_PLUGINS_EXPLICIT_GRAPH_GRAPHS_H_
