/* The 15-puzzle and Manhattan distance against the C ABI alone, with no extension: what somebody writes who does not
 * use the SDK. The engine runs its own loop (tier generic) through the functions below. Instance: "4", then the tile on
 * each square; the goal is 0 1 2 .. 15. State: one word, the tile on square s in bits 4s .. 4s + 3. Operators:
 * blank * 4 + {up, left, right, down} of the blank. */
#include <astrolabe/abi/plugin.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT "plain_c/1"
#define GOAL UINT64_C(0xFEDCBA9876543210)
#define TEXT(s) \
  { s, sizeof(s) - 1 }

enum { kCells = 16 };

static const int kStep[4] = {-4, -1, 1, 4};

typedef struct {
  uint64_t start;
} problem_data;

typedef struct {
  int8_t distance[kCells][kCells]; /* of a tile on a square; of the blank 0 */
} heuristic_data;

static uint64_t word_of(const void* state) {
  uint64_t word;
  memcpy(&word, state, sizeof word);
  return word;
}
static int tile_on(uint64_t word, int square) { return (int)(word >> (4 * square)) & 15; }
static uint64_t moved(uint64_t word, int blank, int from) {
  const uint64_t tile = word >> (4 * from) & 15;
  return word ^ tile << (4 * from) ^ tile << (4 * blank);
}
static int blank_of(uint64_t word) {
  int square = 0;
  while (tile_on(word, square) != 0) ++square;
  return square;
}
static int allowed(int blank, int direction) {
  const int column = blank & 3;
  switch (direction) {
    case 0:
      return blank >= 4;
    case 1:
      return column != 0;
    case 2:
      return column != 3;
    default:
      return blank < 12;
  }
}

/* --- problem --- */

static astro_status refuse(const astro_diagnostics* diagnostics, const char* field) {
  const astro_text expected = TEXT("4, then the tiles 0 to 15 in any order");
  const astro_text message = TEXT("this is no board");
  astro_diagnostic_v1 d;
  memset(&d, 0, sizeof d);
  d.struct_size = sizeof d;
  d.severity = ASTRO_SEVERITY_ERROR;
  d.field.data = field;
  d.field.size = strlen(field);
  d.message = message;
  d.expected = expected;
  diagnostics->report(diagnostics->ctx, &d);
  return ASTRO_INVALID;
}

/* Nonzero: `text` is a board, written to *out. */
static int read_board(astro_text text, uint64_t* out) {
  char copy[256];
  char* at = copy;
  unsigned seen = 0;
  uint64_t word = 0;
  if (text.size >= sizeof copy) return 0;
  memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  if (strtol(at, &at, 10) != 4) return 0;
  for (int square = 0; square < kCells; ++square) {
    char* end;
    const long tile = strtol(at, &end, 10);
    if (end == at || tile < 0 || tile >= kCells) return 0;
    at = end;
    seen |= 1u << tile;
    word |= (uint64_t)tile << (4 * square);
  }
  if (seen != 0xFFFF || at[strspn(at, " \r\n\t")] != '\0') return 0;
  *out = word;
  return 1;
}

static astro_status parse(const astro_host_v1* host, astro_text instance, const astro_params* params,
                          const astro_diagnostics* diagnostics, void** out) {
  uint64_t start;
  problem_data* made;
  (void)host;
  (void)params;
  if (!read_board(instance, &start)) return refuse(diagnostics, "instance");
  made = (problem_data*)malloc(sizeof *made);
  if (made == NULL) return ASTRO_NO_MEMORY;
  made->start = start;
  *out = made;
  return ASTRO_OK;
}
static void destroy(void* object) { free(object); }
static void info(const void* problem, astro_problem_info_v1* out) {
  (void)problem;
  out->flags = ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_UNDIRECTED | ASTRO_PROBLEM_PRUNES_LAST;
  out->state_size = 8;
  out->state_align = 8;
  out->max_ops = 4;
  out->cost_scale = 1;
  out->max_op_cost = 1;
}
static const void* domain_view(const void* problem) { return problem; }
static void initial_state(const void* problem, void* out) { memcpy(out, &((const problem_data*)problem)->start, 8); }
static int32_t goal_state(const void* problem, void* out) {
  const uint64_t goal = GOAL;
  (void)problem;
  memcpy(out, &goal, 8);
  return 1;
}
static int32_t is_goal(const void* problem, const void* state) {
  (void)problem;
  return word_of(state) == GOAL;
}
static uint32_t ops(const void* problem, const void* state, astro_op last_op, astro_op* out_ops, int64_t* out_costs) {
  const int blank = last_op == ASTRO_NO_OP ? blank_of(word_of(state)) : (int)(last_op >> 2) + kStep[last_op & 3];
  const int undo = last_op == ASTRO_NO_OP ? -1 : 3 - (int)(last_op & 3);
  uint32_t n = 0;
  (void)problem;
  for (int direction = 0; direction < 4; ++direction) {
    if (direction == undo || !allowed(blank, direction)) continue;
    if (out_costs != NULL) out_costs[n] = 1;
    out_ops[n++] = (astro_op)(blank << 2 | direction);
  }
  return n;
}
static void apply(const void* problem, const void* state, astro_op op, void* out) {
  const int blank = (int)(op >> 2);
  const uint64_t word = moved(word_of(state), blank, blank + kStep[op & 3]);
  (void)problem;
  memcpy(out, &word, 8);
}
static astro_status apply_in_place(const void* problem, void* state, astro_op op, int64_t* out_cost) {
  if ((int)(op >> 2) != blank_of(word_of(state)) || !allowed((int)(op >> 2), (int)(op & 3))) return ASTRO_INVALID;
  apply(problem, state, op, state);
  if (out_cost != NULL) *out_cost = 1;
  return ASTRO_OK;
}
static uint32_t expand(const void* problem, const void* state, astro_op last_op, astro_op* out_ops, int64_t* out_costs,
                       void* out_states, uint64_t stride) {
  const uint32_t n = ops(problem, state, last_op, out_ops, out_costs);
  for (uint32_t i = 0; i < n; ++i) apply(problem, state, out_ops[i], (char*)out_states + i * stride);
  return n;
}
static astro_op inverse_op(const void* problem, astro_op op) {
  (void)problem;
  return (astro_op)((int)(op >> 2) + kStep[op & 3]) << 2 | (3 - (op & 3));
}
static void put_board(uint64_t word, const astro_sink* sink) {
  for (int square = 0; square < kCells; ++square) {
    const int tile = tile_on(word, square);
    const char text[3] = {' ', (char)('0' + tile / 10), (char)('0' + tile % 10)};
    sink->write(sink->ctx, text, sizeof text);
  }
}
static void render_state(const void* problem, const void* state, const astro_sink* sink) {
  (void)problem;
  put_board(word_of(state), sink);
}
static astro_status parse_state(const void* problem, astro_text text, const astro_diagnostics* diagnostics, void* out) {
  uint64_t word;
  (void)problem;
  if (!read_board(text, &word)) return refuse(diagnostics, "state");
  memcpy(out, &word, 8);
  return ASTRO_OK;
}
static void render_op(const void* problem, astro_op op, const astro_sink* sink) {
  static const char* const kNames[4] = {"UP", "LEFT", "RIGHT", "DOWN"};
  (void)problem;
  sink->write(sink->ctx, kNames[op & 3], strlen(kNames[op & 3]));
}
static void canonical_text(const void* problem, const astro_sink* sink) {
  sink->write(sink->ctx, "4", 1);
  put_board(((const problem_data*)problem)->start, sink);
}
static void describe(const void* problem, const astro_sink* sink) {
  static const char kWords[] = "15-puzzle, goal 0 to 15";
  (void)problem;
  sink->write(sink->ctx, kWords, sizeof kWords - 1);
}
static void fingerprint(const void* problem, uint8_t out[32]) {
  memset(out, 0, 32);
  memcpy(out, problem, sizeof(problem_data));
}
/* A move is a transposition and takes the blank one square: both parities change together. */
static uint32_t solvable(const void* problem, const astro_sink* reason) {
  static const char kOdd[] = "the parity of the tiles is not that of the blank's square";
  const uint64_t word = ((const problem_data*)problem)->start;
  const int blank = blank_of(word);
  int parity = blank / 4 + blank % 4;
  for (int i = 0; i < kCells; ++i) {
    for (int j = i + 1; j < kCells; ++j) parity += tile_on(word, i) > tile_on(word, j);
  }
  if (parity % 2 == 0) return ASTRO_SOLVABLE_YES;
  reason->write(reason->ctx, kOdd, sizeof kOdd - 1);
  return ASTRO_SOLVABLE_NO;
}
static const void* no_extension(astro_text id) {
  (void)id;
  return NULL;
}

static const astro_problem_v1 kProblem = {sizeof(astro_problem_v1),
                                          0,
                                          TEXT(LAYOUT),
                                          parse,
                                          destroy,
                                          info,
                                          domain_view,
                                          initial_state,
                                          goal_state,
                                          is_goal,
                                          ops,
                                          apply,
                                          apply_in_place,
                                          expand,
                                          inverse_op,
                                          render_state,
                                          parse_state,
                                          render_op,
                                          canonical_text,
                                          describe,
                                          fingerprint,
                                          solvable,
                                          no_extension};

/* --- heuristic --- */

static astro_status create(const astro_host_v1* host, const astro_problem_v1* problem_ops, const void* problem,
                           const astro_params* params, const astro_diagnostics* diagnostics, void** out) {
  heuristic_data* h = (heuristic_data*)calloc(1, sizeof *h);
  (void)host;
  (void)problem_ops;
  (void)problem;
  (void)params;
  (void)diagnostics;
  if (h == NULL) return ASTRO_NO_MEMORY;
  for (int tile = 1; tile < kCells; ++tile) {
    for (int square = 0; square < kCells; ++square) {
      h->distance[tile][square] = (int8_t)(abs(tile / 4 - square / 4) + abs(tile % 4 - square % 4));
    }
  }
  *out = h;
  return ASTRO_OK;
}
static void heuristic_info(const void* heuristic, astro_heuristic_info_v1* out) {
  (void)heuristic;
  out->claims = ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT;
}
static int64_t eval(const void* context, const void* state) {
  const heuristic_data* h = (const heuristic_data*)context;
  const uint64_t word = word_of(state);
  int64_t sum = 0;
  for (int square = 0; square < kCells; ++square) sum += h->distance[tile_on(word, square)][square];
  return sum;
}
static void eval_batch(const void* context, uint64_t n, const void* states, uint64_t stride, int64_t* out_h) {
  for (uint64_t i = 0; i < n; ++i) out_h[i] = eval(context, (const char*)states + i * stride);
}
static void eval_ops(const void* context, const void* parent, int64_t parent_h, const void* parent_aux,
                     const astro_op* list, uint32_t n, int64_t* out_h, void* out_aux) {
  const heuristic_data* h = (const heuristic_data*)context;
  const uint64_t word = word_of(parent);
  (void)parent_aux;
  (void)out_aux;
  for (uint32_t i = 0; i < n; ++i) {
    const int blank = (int)(list[i] >> 2);
    const int from = blank + kStep[list[i] & 3];
    const int8_t* distance = h->distance[tile_on(word, from)];
    out_h[i] = parent_h + distance[blank] - distance[from];
  }
}

static const astro_heuristic_v1 kHeuristic = {sizeof(astro_heuristic_v1),
                                              0,
                                              TEXT(LAYOUT),
                                              create,
                                              destroy,
                                              NULL,
                                              heuristic_info,
                                              NULL,
                                              NULL,
                                              eval,
                                              eval_batch,
                                              NULL,
                                              eval_ops,
                                              NULL,
                                              no_extension};

/* --- entry --- */

#define MANIFEST                                                                                             \
  "{\"schema\":1,\"id\":\"org.astrolabe.plain_c\",\"version\":\"1.0.0\","                                    \
  "\"abi\":{\"major\":1,\"minor\":0,\"min_host_minor\":0},\"isa\":\"x86-64\",\"licence\":\"Apache-2.0\","    \
  "\"problems\":[{\"id\":\"plain_c\",\"summary\":\"15-puzzle in plain C\",\"instance_syntax\":\"4 TILES\","  \
  "\"default_algorithm\":\"idastar\",\"default_heuristic\":\"plain_c_manhattan\",\"state_layout\":\"" LAYOUT \
  "\","                                                                                                      \
  "\"params\":[]}],"                                                                                         \
  "\"heuristics\":[{\"id\":\"plain_c_manhattan\",\"summary\":\"Manhattan distance in plain C\",\"problem\":" \
  "\"plain_c\",\"state_layout\":\"" LAYOUT "\",\"claims\":[\"admissible\",\"consistent\"],\"params\":[]}]}"

/* Without its NUL. */
static ASTRO_MANIFEST const char manifest[sizeof(MANIFEST) - 1] = MANIFEST;

static astro_status init(const astro_host_v1* host, const astro_diagnostics* diagnostics) {
  (void)host;
  (void)diagnostics;
  return ASTRO_OK;
}
static uint32_t one(void) { return 1; }
static const astro_problem_entry_v1* problem_entry(uint32_t i) {
  static const astro_problem_entry_v1 entry = {sizeof entry, 0, TEXT("plain_c"), &kProblem};
  return i == 0 ? &entry : NULL;
}
static const astro_heuristic_entry_v1* heuristic_entry(uint32_t i) {
  static const astro_heuristic_entry_v1 entry = {sizeof entry, 0, TEXT("plain_c_manhattan"), &kHeuristic};
  return i == 0 ? &entry : NULL;
}
static void shut_down(void) {}

ASTRO_EXPORT_PLUGIN(plugin);
const astro_plugin_v1 plugin = {ASTRO_PLUGIN_MAGIC,
                                sizeof(astro_plugin_v1),
                                ASTRO_ABI_MAJOR,
                                ASTRO_ABI_MINOR,
                                0,
                                {manifest, sizeof manifest},
                                init,
                                one,
                                problem_entry,
                                one,
                                heuristic_entry,
                                no_extension,
                                shut_down};
