/* Astrolabe plugin ABI, version 1: common types.
 *
 * Plain C11, also valid C++20. Rules of the whole ABI (STYLE.md has the reasons):
 *  - Fixed-width types only. Text is pointer + length, UTF-8, not NUL-terminated.
 *  - No ownership crosses the boundary: the caller brings the buffer, or a sink takes the bytes.
 *  - Structs start with struct_size and grow only at the tail. Read a tail field only if it lies
 *    inside struct_size. Reserved fields are zero.
 *  - No function lets an exception out. A C++ plugin reports one with astro_host_v1.fail.
 *  - Costs and h are int64, >= 0, in units of 1/cost_scale of the problem.
 *
 * Every function ends with its thread tag:
 *  [load]        one thread, before the search; may allocate and take its time, but polls is_cancelled.
 *  [build]       as [load], and may use parallel_for and progress.
 *  [search:ctx]  many threads at once, each with a context of its own. Never blocks, allocates or logs.
 *  [any]         any thread at any time; the object is immutable.
 *  [sink]        may call the sink it was given, on the calling thread.
 */
#ifndef ASTROLABE_ABI_TYPES_H_
#define ASTROLABE_ABI_TYPES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASTRO_ABI_MAJOR 1u
#define ASTRO_ABI_MINOR 0u

/* An operator, as the problem numbers it. */
typedef uint32_t astro_op;
/* "There was no last operator": at the root. */
#define ASTRO_NO_OP UINT32_MAX
/* h of a state from which no goal can be reached. */
#define ASTRO_DEAD_END INT64_MAX

typedef struct astro_text {
  const char* data;
  uint64_t size; /* bytes */
} astro_text;

typedef int32_t astro_status;
enum {
  ASTRO_OK = 0,
  ASTRO_INVALID = 1,   /* the input is wrong; every fault was reported as a diagnostic */
  ASTRO_REFUSED = 2,   /* the input is right but this plugin cannot handle it; told as a diagnostic */
  ASTRO_NO_MEMORY = 3, /* the job's memory budget is used up */
  ASTRO_CANCELLED = 4, /* is_cancelled said so */
  ASTRO_INTERNAL = 5   /* the plugin's own fault; told as a diagnostic */
};

/* Takes bytes. Valid only during the call it was passed to. */
typedef struct astro_sink {
  void* ctx;
  void (*write)(void* ctx, const char* data, uint64_t size);
} astro_sink;

enum { ASTRO_SEVERITY_NOTE = 0, ASTRO_SEVERITY_ERROR = 1 };

/* One fault or remark. All texts are copied by the receiver. */
typedef struct astro_diagnostic_v1 {
  uint32_t struct_size;
  uint32_t severity;
  astro_text field;    /* "instance", "params.goal", ... */
  uint32_t line;       /* 1-based; 0: no position */
  uint32_t column;     /* 1-based, in bytes; 0: no position */
  astro_text message;  /* what is wrong */
  astro_text expected; /* what would have been right; may be empty */
  astro_text hint;     /* what to do; may be empty */
} astro_diagnostic_v1;

/* Collects all faults, not only the first. Valid only during the call it was passed to. */
typedef struct astro_diagnostics {
  void* ctx;
  void (*report)(void* ctx, const astro_diagnostic_v1* diagnostic);
} astro_diagnostics;

enum { ASTRO_PARAM_BOOL = 1, ASTRO_PARAM_INT = 2, ASTRO_PARAM_DOUBLE = 3, ASTRO_PARAM_STRING = 4 };

/* A parameter as the user set it. The host has checked name, type and range against the manifest
 * and filled in the defaults; a parameter without default may be missing. */
typedef struct astro_param_v1 {
  uint32_t struct_size;
  uint32_t type;
  astro_text name;
  int64_t int_value; /* also bool: 0 or 1 */
  double double_value;
  astro_text string_value;
} astro_param_v1;

typedef struct astro_params {
  const astro_param_v1* items;
  uint64_t count;
  uint64_t item_size; /* stride in bytes: params may grow at the tail */
} astro_params;

#ifdef __cplusplus
}
#endif
#endif /* ASTROLABE_ABI_TYPES_H_ */
