/* Services the host gives to plugins. */
#ifndef ASTROLABE_ABI_HOST_H_
#define ASTROLABE_ABI_HOST_H_

#include "astrolabe/abi/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ASTRO_LOG_DEBUG = 1, ASTRO_LOG_INFO = 2, ASTRO_LOG_WARNING = 3, ASTRO_LOG_ERROR = 4 };

/* A file of the plugin cache, mapped read-only and shared by all workers. Owned by the host, valid
 * until the worker ends. */
typedef struct astro_mapping_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  const void* data;
  uint64_t size;
} astro_mapping_v1;

/* A cache file being written. Owned by the host. */
typedef struct astro_cache_writer_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  void* handle;
  void* data; /* `size` zeroed bytes, writable, 64-byte aligned */
  uint64_t size;
} astro_cache_writer_v1;

typedef struct astro_host_v1 {
  uint32_t struct_size;
  uint32_t abi_minor;
  void* ctx;

  /* Adds a line to the job's log (the worker's log outside a job). Rate-limited. [any], not [search:ctx] */
  void (*log)(void* ctx, uint32_t level, astro_text text);

  /* The plugin cannot go on: an exception reached the boundary. `function` is the ABI function,
   * `what` the message. Ends the job as PLUGIN_FAILED with code THREW; does not return. [any] */
  void (*fail)(void* ctx, astro_text function, astro_text what);

  /* Nonzero when the job should stop. Cheap: call it every few thousand steps of long work. [any] */
  int32_t (*is_cancelled)(void* ctx);

  /* Tells how far long work is. fraction 0..1, negative: unknown. Conflated by the host. [build] */
  void (*progress)(void* ctx, astro_text what, double fraction);

  /* Memory within the job's budget. Null when the budget is used up: return ASTRO_NO_MEMORY then.
   * align is a power of two up to 4096. release takes what allocate gave, once. [load][build] */
  void* (*allocate)(void* ctx, uint64_t size, uint64_t align);
  void (*release)(void* ctx, void* memory);

  /* Maps the cache file of `key` (32 bytes; make it from the problem's fingerprint, the parameters
   * and a version of the format). ASTRO_OK; ASTRO_INVALID when there is none, or it is damaged (it
   * is then removed). [build] */
  astro_status (*cache_open)(void* ctx, const uint8_t key[32], astro_mapping_v1* out);
  /* Starts a cache file of `size` bytes. Finish with commit (checksum, fsync, atomic rename; `out`
   * maps the result) or abandon. When the cache folder cannot be used, the file lives in memory and
   * a warning is logged. ASTRO_NO_MEMORY when neither works. Commit reads what it has written: ASTRO_INVALID when that
   * is something else, a warning says so. [build] */
  astro_status (*cache_create)(void* ctx, const uint8_t key[32], uint64_t size, astro_cache_writer_v1* out);
  astro_status (*cache_commit)(void* ctx, astro_cache_writer_v1* writer, astro_mapping_v1* out);
  void (*cache_abandon)(void* ctx, astro_cache_writer_v1* writer);

  /* Runs task(arg, i) for i in 0..count-1 on the job's threads, and returns when all are done.
   * Tasks must not call parallel_for. [build] */
  void (*parallel_for)(void* ctx, uint64_t count, void (*task)(void* arg, uint64_t i), void* arg);

  /* Seed of the job. [any] */
  uint64_t (*seed)(void* ctx);

  /* Tail, only if it lies inside struct_size. Says in one line what a file that is being written is for ("4 x 4 board,
   * tiles 1 2 3"), for people who look at the cache; cut at 1024 bytes. Any time before commit; the last one counts.
   * ASTRO_INVALID for a writer that cache_create did not give. [build] */
  astro_status (*cache_describe)(void* ctx, astro_cache_writer_v1* writer, astro_text text);
} astro_host_v1;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_HOST_H_ */
