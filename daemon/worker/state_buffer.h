// Room for one state, aligned as its problem wants.
#ifndef ASTROLABE_DAEMON_WORKER_STATE_BUFFER_H_
#define ASTROLABE_DAEMON_WORKER_STATE_BUFFER_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace astrolabe::worker {

class StateBuffer {
 public:
  // `count` states, Stride() apart, all zero.
  StateBuffer(size_t size, size_t align, size_t count = 1)
      : align_(align),
        stride_((size + align - 1) / align * align),
        data_(static_cast<std::byte*>(::operator new(stride_* count, std::align_val_t(align)))) {
    std::memset(data_, 0, stride_ * count);
  }
  ~StateBuffer() { ::operator delete(data_, std::align_val_t(align_)); }
  StateBuffer(const StateBuffer&) = delete;
  StateBuffer& operator=(const StateBuffer&) = delete;

  void* data() { return data_; }
  const void* data() const { return data_; }
  size_t stride() const { return stride_; }
  std::byte* at(size_t i) { return data_ + i * stride_; }

 private:
  const size_t align_;
  const size_t stride_;
  std::byte* const data_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_STATE_BUFFER_H_
