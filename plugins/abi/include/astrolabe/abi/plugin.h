/* The one symbol a plugin exports. */
#ifndef ASTROLABE_ABI_PLUGIN_H_
#define ASTROLABE_ABI_PLUGIN_H_

#include "astrolabe/abi/heuristic.h"
#include "astrolabe/abi/host.h"
#include "astrolabe/abi/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASTRO_PLUGIN_MAGIC UINT64_C(0x316E6967756C5041) /* "APlugin1", little-endian */
#define ASTRO_PLUGIN_SYMBOL "astro_plugin_v1"           /* the major version is in the name */
#define ASTRO_MANIFEST_SECTION ".astro.manifest"

enum {
  ASTRO_BUILD_FAST_MATH = 1u << 0,
  ASTRO_BUILD_ASAN = 1u << 1,
  ASTRO_BUILD_TSAN = 1u << 2,
  ASTRO_BUILD_DEBUG = 1u << 3
};

typedef struct astro_problem_entry_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  astro_text id; /* as in the manifest */
  const astro_problem_v1* problem;
} astro_problem_entry_v1;

typedef struct astro_heuristic_entry_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  astro_text id;
  const astro_heuristic_v1* heuristic;
} astro_heuristic_entry_v1;

typedef struct astro_plugin_v1 {
  uint64_t magic;
  uint32_t struct_size;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t build_flags;
  /* Equal, byte for byte, to the section ASTRO_MANIFEST_SECTION (JSON; see STYLE.md for its schema). */
  astro_text manifest;
  /* Called once in each process that loads the plugin, before anything else. `host` lives as long as
   * the process and serves outside jobs; parse and create get a host of their own. Diagnostics tell
   * why it failed. Statics of a plugin persist between the jobs of one worker. [load] */
  astro_status (*init)(const astro_host_v1* host, const astro_diagnostics* diagnostics);
  uint32_t (*problem_count)(void);                              /* [any] */
  const astro_problem_entry_v1* (*problem)(uint32_t index);     /* [any] */
  uint32_t (*heuristic_count)(void);                            /* [any] */
  const astro_heuristic_entry_v1* (*heuristic)(uint32_t index); /* [any] */
  const void* (*get_extension)(astro_text id);                  /* [any] */
  void (*shutdown)(void);                                       /* [load] */
} astro_plugin_v1;

/* Declares the exported object under the name `name`: C has no room for it beside its type. Define it
 * as `const astro_plugin_v1 name = {...};` after this line, at file or namespace scope. */
#define ASTRO_EXPORT_PLUGIN(name) \
  extern __attribute__((visibility("default"))) const astro_plugin_v1 name __asm__(ASTRO_PLUGIN_SYMBOL)

/* Puts a constant char array, without NUL at its end, where the registry looks for the manifest. (The address
 * sanitizer of clang would put zeros behind it.) */
#ifdef __clang__
#define ASTRO_MANIFEST __attribute__((section(ASTRO_MANIFEST_SECTION), used, aligned(1), no_sanitize("address")))
#else
#define ASTRO_MANIFEST __attribute__((section(ASTRO_MANIFEST_SECTION), used, aligned(1)))
#endif

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_PLUGIN_H_ */
