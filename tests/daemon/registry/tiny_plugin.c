/* The smallest plugin that loads: one heuristic, h = 0, in plain C. Tests patch copies of it. */
#include <string.h>

#include "astrolabe/abi/plugin.h"

#define EXPORT __attribute__((visibility("default")))

/* Spaces at the end leave room for the manifests that tests write over this one. */
#define PAD16 "                "
#define PAD256 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16 PAD16
#define MANIFEST                                                                                                  \
  "{\"schema\":1,\"id\":\"org.test.tiny\",\"version\":\"1.0\","                                                   \
  "\"abi\":{\"major\":1,\"minor\":0,\"min_host_minor\":0},\"isa\":\"x86-64\",\"heuristics\":[{\"id\":\"tiny\","   \
  "\"summary\":\"zero\",\"problem\":\"sliding_tile\",\"state_layout\":\"sliding_tile/1\"}]}" PAD256 PAD256 PAD256 \
      PAD256 PAD256 PAD256 PAD256 PAD256 PAD256 PAD256

#ifndef NO_MANIFEST
ASTRO_MANIFEST static const char kManifest[sizeof(MANIFEST) - 1] = MANIFEST;
#else
static const char kManifest[sizeof(MANIFEST) - 1] = MANIFEST;
#endif

static astro_status Create(const astro_host_v1* host, const astro_problem_v1* ops, const void* problem,
                           const astro_params* params, const astro_diagnostics* diagnostics, void** out) {
  static int object;
  (void)host, (void)ops, (void)problem, (void)params, (void)diagnostics;
  *out = &object;
  return ASTRO_OK;
}
static void Destroy(void* heuristic) { (void)heuristic; }
static void Info(const void* heuristic, astro_heuristic_info_v1* out) {
  const uint32_t size = out->struct_size;
  (void)heuristic;
  memset((char*)out + sizeof size, 0, (size < sizeof *out ? size : sizeof *out) - sizeof size);
}
static int64_t Eval(const void* context, const void* state) {
  (void)context, (void)state;
  return 0;
}
static void EvalBatch(const void* context, uint64_t n, const void* states, uint64_t stride, int64_t* out_h) {
  (void)context, (void)states, (void)stride;
  memset(out_h, 0, n * sizeof *out_h);
}
static const void* HeuristicExtension(astro_text id) {
  (void)id;
  return 0;
}

static const astro_heuristic_v1 kHeuristic = {
    .struct_size = sizeof(astro_heuristic_v1),
    .state_layout = {"sliding_tile/1", sizeof("sliding_tile/1") - 1},
    .create = Create,
    .destroy = Destroy,
    .info = Info,
    .eval = Eval,
    .eval_batch = EvalBatch,
    .get_extension = HeuristicExtension,
};
static const astro_heuristic_entry_v1 kEntry = {
    .struct_size = sizeof(astro_heuristic_entry_v1), .id = {"tiny", 4}, .heuristic = &kHeuristic};

static astro_status Init(const astro_host_v1* host, const astro_diagnostics* diagnostics) {
  (void)host, (void)diagnostics;
  return ASTRO_OK;
}
static uint32_t ProblemCount(void) { return 0; }
static const astro_problem_entry_v1* Problem(uint32_t index) {
  (void)index;
  return 0;
}
static uint32_t HeuristicCount(void) { return 1; }
static const astro_heuristic_entry_v1* Heuristic(uint32_t index) { return index == 0 ? &kEntry : 0; }
static void Shutdown(void) {}

#if defined(NO_ENTRY)
static const astro_plugin_v1 plugin __attribute__((used)) = {
#elif defined(NEXT_MAJOR)
extern EXPORT const astro_plugin_v1 plugin __asm__("astro_plugin_v2");
const astro_plugin_v1 plugin = {
#else
ASTRO_EXPORT_PLUGIN(plugin);
const astro_plugin_v1 plugin = {
#endif
    .magic = ASTRO_PLUGIN_MAGIC,
    .struct_size = sizeof(astro_plugin_v1),
    .abi_major = 1,
    .manifest = {kManifest, sizeof(kManifest)},
    .init = Init,
    .problem_count = ProblemCount,
    .problem = Problem,
    .heuristic_count = HeuristicCount,
    .heuristic = Heuristic,
    .get_extension = HeuristicExtension,
    .shutdown = Shutdown,
};

#ifdef TWO_EXPORTS
EXPORT int helper_that_leaks(void) { return 1; }
__attribute__((weak)) EXPORT int weak_helper(void) { return 2; }
#endif

#ifdef STATIC_TLS
__attribute__((tls_model("initial-exec"))) static _Thread_local char tls[64];
char* astrolabe_test_tls(void) { return tls; }
#endif
