/* Sizes and offsets of the ABI as one language sees them. */
#ifndef ASTROLABE_TESTS_PLUGINS_ABI_LAYOUT_H_
#define ASTROLABE_TESTS_PLUGINS_ABI_LAYOUT_H_

#include <stddef.h>

#include "astrolabe/abi/construct.h"
#include "astrolabe/abi/distance.h"
#include "astrolabe/abi/factored.h"
#include "astrolabe/abi/facts.h"
#include "astrolabe/abi/ida.h"
#include "astrolabe/abi/local.h"
#include "astrolabe/abi/plugin.h"
#include "astrolabe/abi/random_state.h"
#include "astrolabe/abi/reversed.h"
#include "astrolabe/explicit_graph/view.h"
#include "astrolabe/graph_tile/view.h"
#include "astrolabe/queens/view.h"
#include "astrolabe/sliding_tile/view.h"
#include "astrolabe/tsp/view.h"

#define ASTRO_LAYOUT                                                                                                   \
  {                                                                                                                    \
    sizeof(astro_text), sizeof(astro_diagnostic_v1), sizeof(astro_param_v1), sizeof(astro_params),                     \
        sizeof(astro_mapping_v1), sizeof(astro_cache_writer_v1), sizeof(astro_host_v1), sizeof(astro_problem_info_v1), \
        sizeof(astro_problem_v1), sizeof(astro_heuristic_info_v1), sizeof(astro_heuristic_v1),                         \
        sizeof(astro_additive_table_v1), sizeof(astro_control_v1), sizeof(astro_ida_v1), sizeof(astro_plugin_v1),      \
        sizeof(sliding_tile_view_v1), offsetof(astro_host_v1, seed), offsetof(astro_problem_v1, get_extension),        \
        offsetof(astro_heuristic_v1, get_extension), offsetof(astro_ida_v1, path_cost),                                \
        offsetof(astro_ida_v1, root_auxs), offsetof(astro_plugin_v1, shutdown), sizeof(astro_problem_reversed_v1),     \
        offsetof(astro_problem_reversed_v1, forward_op), sizeof(explicit_graph_view_v1),                               \
        offsetof(explicit_graph_view_v1, name_begin), sizeof(graph_tile_view_v1),                                      \
        offsetof(graph_tile_view_v1, target), sizeof(astro_op_sink), sizeof(astro_problem_construct_v1),               \
        sizeof(astro_fact_sink), sizeof(astro_problem_facts_v1), sizeof(astro_factored_info_v1),                       \
        sizeof(astro_problem_factored_v1), offsetof(astro_problem_factored_v1, render_step),                           \
        sizeof(astro_heuristic_local_v1), offsetof(astro_heuristic_local_v1, in_conflict),                             \
        offsetof(astro_heuristic_local_v1, sample), sizeof(astro_problem_random_state_v1), sizeof(queens_view_v1),     \
        offsetof(queens_view_v1, cell_bytes), sizeof(tsp_view_v1), offsetof(tsp_view_v1, distance),                    \
        sizeof(astro_problem_distance_v1), offsetof(astro_problem_distance_v1, eval_ops)                               \
  }

#endif /* ASTROLABE_TESTS_PLUGINS_ABI_LAYOUT_H_ */
