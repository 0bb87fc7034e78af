// Where a call of a depth-first kernel begins: at the initial state, or at several nodes of the iteration.
#ifndef ASTROLABE_SDK_IDA_ROOTS_H_
#define ASTROLABE_SDK_IDA_ROOTS_H_

#include <cstddef>
#include <cstdint>

#include "astrolabe/abi/ida.h"

namespace astro {

// A node, and how it was reached.
struct IdaRoot {
  const void* state;
  const void* aux;
  int64_t h;
  int64_t g;
  astro_op last_op;
};

// The roots of a call: those it lists, or the one that every host gives.
class IdaRoots {
 public:
  explicit IdaRoots(astro_ida_v1& call) : call_(call) {
    constexpr size_t kEnd = offsetof(astro_ida_v1, root_auxs) + sizeof(call.root_auxs);
    if (call.struct_size >= kEnd) listed_ = call.n_roots;
  }
  bool listed() const { return listed_ > 0; }
  uint32_t size() const { return listed() ? listed_ : 1; }
  IdaRoot operator[](uint32_t i) const {
    if (!listed()) return {call_.root, call_.root_aux, call_.root_h, 0, ASTRO_NO_OP};
    const auto* aux = static_cast<const std::byte*>(call_.root_auxs);
    return {static_cast<const std::byte*>(call_.roots) + i * call_.root_stride,
            aux != nullptr ? aux + size_t{i} * call_.aux_size : nullptr, call_.root_hs[i], call_.root_gs[i],
            call_.root_last_ops[i]};
  }
  void SetFound(uint32_t i) const {
    if (listed()) call_.found_root = i;
  }

 private:
  astro_ida_v1& call_;
  uint32_t listed_ = 0;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_IDA_ROOTS_H_
