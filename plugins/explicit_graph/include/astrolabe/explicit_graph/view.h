/* Explicit graphs, state layout "explicit_graph/1": what heuristics read, in plain C.
 *
 * Nodes are numbered from 0 in the order in which the instance names them. A state is one uint32_t, the node.
 *
 * An arc is one way along an edge: a directed edge has one, an undirected edge two, an undirected edge from a node to
 * itself one. Arcs are numbered node by node; those of one node are sorted by target, then by cost. An operator is the
 * number of an arc.
 */
#ifndef ASTROLABE_EXPLICIT_GRAPH_VIEW_H_
#define ASTROLABE_EXPLICIT_GRAPH_VIEW_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXPLICIT_GRAPH_LAYOUT "explicit_graph/1"

/* What astro_problem_v1.domain_view returns. Lives as long as the problem. */
typedef struct explicit_graph_view_v1 {
  uint32_t struct_size;
  uint32_t undirected; /* 1: every arc but a loop has another of the same cost that goes back */
  uint32_t nodes;
  uint32_t arcs;
  uint32_t start;
  uint32_t goals;             /* at least 1 */
  const uint32_t* goal;       /* `goals` nodes, ascending */
  const uint32_t* first;      /* nodes + 1 numbers: the arcs of node n are first[n] .. first[n + 1] - 1 */
  const uint32_t* target;     /* of each arc */
  const int64_t* cost;        /* of each arc */
  const int64_t* h;           /* of each node, as the instance gives it; null: it gives none */
  const char* names;          /* of all nodes, one after the other, without an end mark */
  const uint32_t* name_begin; /* nodes + 1 offsets into names */
} explicit_graph_view_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_EXPLICIT_GRAPH_VIEW_H_ */
