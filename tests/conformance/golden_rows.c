/* A heuristic in plain C, without the SDK: how many tiles are in a wrong row. Only what the ABI demands; no eval_ops,
 * so the host builds the children.
 *
 * Its binary, golden_rows_v1.so, is kept beside it: the daemon must load and run what an old compiler made from old
 * headers. Regenerate it (golden.sh) only when the ABI breaks on purpose, in a commit that says so.
 */
#include <stdlib.h>
#include <string.h>

#include "astrolabe/abi/plugin.h"
#include "astrolabe/sliding_tile/view.h"

#define TEXT(s) \
  { s, sizeof(s) - 1 }

#define MANIFEST                                                                                               \
  "{\"schema\":1,\"id\":\"org.astrolabe.golden_rows\",\"version\":\"1.0.0\","                                  \
  "\"abi\":{\"major\":1,\"minor\":0,\"min_host_minor\":0},\"isa\":\"x86-64\","                                 \
  "\"heuristics\":[{\"id\":\"golden_rows\",\"summary\":\"tiles in a wrong row\",\"problem\":\"sliding_tile\"," \
  "\"state_layout\":\"sliding_tile/1\",\"claims\":[\"admissible\",\"consistent\"],\"params\":[]}]}"

/* Without the NUL. */
ASTRO_MANIFEST static const char kManifest[sizeof(MANIFEST) - 1] = MANIFEST;

typedef struct golden {
  const sliding_tile_view_v1* view;
} golden;

static astro_status Create(const astro_host_v1* host, const astro_problem_v1* problem_ops, const void* problem,
                           const astro_params* params, const astro_diagnostics* diagnostics, void** out) {
  (void)host;
  (void)params;
  (void)diagnostics;
  golden* self = malloc(sizeof(*self));
  if (self == NULL) return ASTRO_NO_MEMORY;
  self->view = problem_ops->domain_view(problem);
  *out = self;
  return ASTRO_OK;
}

static void Destroy(void* heuristic) { free(heuristic); }

static void Info(const void* heuristic, astro_heuristic_info_v1* out) {
  (void)heuristic;
  astro_heuristic_info_v1 info;
  memset(&info, 0, sizeof(info));
  info.struct_size = out->struct_size;
  info.claims = ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT;
  info.memory_bytes = sizeof(golden);
  memcpy(out, &info, out->struct_size < sizeof(info) ? out->struct_size : sizeof(info));
}

static uint32_t TileOn(const sliding_tile_view_v1* view, const void* state, uint32_t square) {
  switch (view->layout) {
    case SLIDING_TILE_PACKED: {
      uint64_t word;
      memcpy(&word, state, sizeof(word));
      return (uint32_t)(word >> (4 * square)) & 15u;
    }
    case SLIDING_TILE_BYTES:
      return ((const uint8_t*)state)[square];
    default:
      return ((const uint16_t*)state)[square];
  }
}

static int64_t Eval(const void* context, const void* state) {
  const sliding_tile_view_v1* view = ((const golden*)context)->view;
  int64_t h = 0;
  for (uint32_t square = 0; square < view->cells; ++square) {
    const uint32_t tile = TileOn(view, state, square);
    if (tile != 0 && view->goal_square[tile] / view->cols != square / view->cols) ++h;
  }
  return h;
}

static void EvalBatch(const void* context, uint64_t n, const void* states, uint64_t stride, int64_t* out_h) {
  for (uint64_t i = 0; i < n; ++i) out_h[i] = Eval(context, (const char*)states + i * stride);
}

static const astro_heuristic_v1 kHeuristic = {
    .struct_size = sizeof(astro_heuristic_v1),
    .state_layout = TEXT(SLIDING_TILE_LAYOUT),
    .create = Create,
    .destroy = Destroy,
    .info = Info,
    .eval = Eval,
    .eval_batch = EvalBatch,
};

static const astro_heuristic_entry_v1 kEntry = {
    .struct_size = sizeof(astro_heuristic_entry_v1), .id = TEXT("golden_rows"), .heuristic = &kHeuristic};

static uint32_t ProblemCount(void) { return 0; }
static const astro_problem_entry_v1* Problem(uint32_t index) {
  (void)index;
  return NULL;
}
static uint32_t HeuristicCount(void) { return 1; }
static const astro_heuristic_entry_v1* Heuristic(uint32_t index) { return index == 0 ? &kEntry : NULL; }
static astro_status Init(const astro_host_v1* host, const astro_diagnostics* diagnostics) {
  (void)host;
  (void)diagnostics;
  return ASTRO_OK;
}
static const void* GetExtension(astro_text id) {
  (void)id;
  return NULL;
}
static void Shutdown(void) {}

ASTRO_EXPORT_PLUGIN(kPlugin);
const astro_plugin_v1 kPlugin = {
    .magic = ASTRO_PLUGIN_MAGIC,
    .struct_size = sizeof(astro_plugin_v1),
    .abi_major = ASTRO_ABI_MAJOR,
    .abi_minor = ASTRO_ABI_MINOR,
    .manifest = {kManifest, sizeof(kManifest)},
    .init = Init,
    .problem_count = ProblemCount,
    .problem = Problem,
    .heuristic_count = HeuristicCount,
    .heuristic = Heuristic,
    .get_extension = GetExtension,
    .shutdown = Shutdown,
};
