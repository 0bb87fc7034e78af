#include "daemon/worker/node_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace astrolabe::worker {
namespace {

class SpinLock {
 public:
  explicit SpinLock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~SpinLock() { flag_.clear(std::memory_order_release); }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

 private:
  std::atomic_flag& flag_;
};

NodeDetail DetailOf(v1::NodeDetail detail) {
  switch (detail) {
    case v1::NODE_DETAIL_IDS:
      return NodeDetail::kIds;
    case v1::NODE_DETAIL_COSTS:
      return NodeDetail::kCosts;
    case v1::NODE_DETAIL_TEXT:
      return NodeDetail::kText;
    default:
      return NodeDetail::kState;
  }
}

std::array<char, 16> FrameHead(int64_t first_ordinal, int64_t count) {
  static_assert(std::endian::native == std::endian::little);
  std::array<char, 16> head;
  std::memcpy(head.data(), &first_ordinal, 8);
  std::memcpy(head.data() + 8, &count, 8);
  return head;
}

}  // namespace

NodeStream::NodeStream(const v1::EventOptions& options, size_t state_size, NodeWords words, FrameWriter* frames,
                       JobControl* control)
    : detail_(DetailOf(options.detail())),
      state_size_(state_size),
      leaves_out_states_(detail_ >= NodeDetail::kState && state_size > kMaxEventState),
      every_(std::max<int64_t>(options.sample_every(), 1)),
      per_second_(options.sample_max_per_second()),
      max_total_(options.max_total()),
      words_(std::move(words)),
      frames_(frames),
      control_(control) {
  for (int kind : options.kinds()) {
    if (kind > 0 && kind < 32) wanted |= 1u << kind;
  }
  age_thread_ = std::thread([this] { AgeLoop(); });
}

NodeStream::~NodeStream() { Close(); }

bool NodeStream::Record(const engine::NodeRecord& record) {
  const uint32_t bit = 1u << static_cast<uint32_t>(record.kind);
  if ((wanted & bit) == 0) return true;
  const int64_t ordinal = seen_;
  if (!Sampled()) {
    SpinLock lock(filling_);
    ++seen_;
    return control_->token().cause() == engine::StopCause::kNone;
  }
  std::string_view state;
  std::string text;
  std::string op_name;
  if (detail_ == NodeDetail::kText) {
    if (record.step != nullptr) {
      op_name = words_.step(*record.step);
    } else if (record.op != engine::kNoOp) {
      op_name = words_.op(record.op);
    }
  }
  if (detail_ >= NodeDetail::kState && !leaves_out_states_ && record.state != nullptr) {
    state = {static_cast<const char*>(record.state), state_size_};
    if (detail_ == NodeDetail::kText) text = words_.state(record.state);
  }
  bool full;
  {
    SpinLock lock(filling_);
    if (buffer_.count() == 0) first_ordinal_ = ordinal;
    buffer_.Append(record, detail_, state, text, op_name);
    ++seen_;
    ++recorded_;
    full = buffer_.count() >= kMaxBatchEvents || buffer_.bytes().size() >= kMaxBatchBytes;
  }
  if (full && !Send(Patience::kWait)) control_->ShouldStop();
  return control_->token().cause() == engine::StopCause::kNone;
}

bool NodeStream::Sampled() {
  if (every_ > 1 && seen_ % every_ != 0) return false;
  if (max_total_ > 0 && recorded_ >= max_total_) return false;
  return per_second_ <= 0 || WithinRate();
}

bool NodeStream::WithinRate() {
  const auto now = std::chrono::steady_clock::now();
  if (now - second_start_ >= std::chrono::seconds(1)) {
    second_start_ = now;
    in_this_second_ = 0;
  }
  return ++in_this_second_ <= per_second_;
}

bool NodeStream::Send(Patience patience) {
  std::lock_guard<std::mutex> order(sending_);
  // Credit first: while it is missing, the buffer goes on filling or the search waits here.
  size_t size;
  {
    SpinLock lock(filling_);
    size = buffer_.bytes().size();
  }
  if (size == 0) return true;
  CreditGate& credit = control_->credit();
  const int64_t bytes = static_cast<int64_t>(size);
  switch (patience) {
    case Patience::kWait:
      if (!credit.Take(bytes, control_->deadline())) return false;
      break;
    case Patience::kTry:
      if (!credit.TryTake(bytes)) return false;
      break;
    case Patience::kForce:
      credit.Overdraw(bytes);
      break;
  }
  int64_t first_ordinal;
  int64_t seen;
  {
    SpinLock lock(filling_);
    std::swap(buffer_, outgoing_);
    first_ordinal = first_ordinal_;
    seen = seen_;
  }
  const std::array<char, 16> frame_head = FrameHead(first_ordinal, outgoing_.count());
  const std::string batch_head = EncodeBatchHead(first_ordinal, outgoing_.count(), seen);
  const std::string_view parts[] = {{frame_head.data(), frame_head.size()}, batch_head, outgoing_.bytes()};
  frames_->SendNodeBatch(parts);
  outgoing_.Clear();
  return true;
}

void NodeStream::Flush() { Send(Patience::kWait); }

void NodeStream::Close() {
  {
    std::lock_guard<std::mutex> lock(age_mutex_);
    if (closed_) return;
    closed_ = true;
    age_changed_.notify_all();
  }
  age_thread_.join();
  Send(Patience::kForce);
}

void NodeStream::AgeLoop() {
  std::unique_lock<std::mutex> lock(age_mutex_);
  while (!age_changed_.wait_for(lock, kMaxBatchAge, [this] { return closed_; })) {
    lock.unlock();
    // Never waits for credit: that is the search thread's part.
    Send(Patience::kTry);
    lock.lock();
  }
}

}  // namespace astrolabe::worker
