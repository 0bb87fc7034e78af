// Where a problem writes the operators of a path that it constructs.
#ifndef ASTROLABE_SDK_OP_WRITER_H_
#define ASTROLABE_SDK_OP_WRITER_H_

#include <span>

#include "astrolabe/abi/construct.h"
#include "astrolabe/sdk/error.h"
#include "astrolabe/sdk/text.h"

namespace astro {

// Valid during the call it was passed to.
class OpWriter {
 public:
  explicit OpWriter(const astro_op_sink* sink) : sink_(sink) {}

  // Some thousand operators at once cost nothing a piece. Throws Cancelled when the host wants no more.
  void Write(std::span<const Op> ops) {
    if (sink_->write(sink_->ctx, ops.data(), ops.size()) != 0) throw Cancelled();
  }

 private:
  const astro_op_sink* sink_;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_OP_WRITER_H_
