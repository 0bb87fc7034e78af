#include "tests/daemon/jobs/fake_pool.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace astrolabe::jobs {

using std::chrono::seconds;

class FakeLease : public workers::Lease {
 public:
  explicit FakeLease(FakeWorkerPtr worker) : worker_(std::move(worker)) {}
  ~FakeLease() override { worker_->Kill(); }
  Status Send(const internal::v1::ToWorker& message) override {
    FakePool* pool = worker_->pool_;
    if (pool->refuse_frames) return MakeError(ErrorCode::kUnavailable, "WORKER_GONE", "gone");
    const Status sent = worker_->Send(message);
    if (sent.ok() && pool->on_frame) pool->on_frame(worker_, message);
    return sent;
  }
  void Kill(std::string_view) override { worker_->Kill(); }
  void Release(bool reusable) override { worker_->Release(reusable); }
  int pid() const override { return worker_->pid; }

 private:
  const FakeWorkerPtr worker_;
};

void FakeWorker::Deliver(const std::function<void(workers::WorkerEvents*)>& call, bool last) {
  workers::WorkerEvents* events = nullptr;
  {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return delivering_ == std::thread::id(); });
    events = events_;
    if (events == nullptr) return;
    if (last) events_ = nullptr;
    delivering_ = std::this_thread::get_id();
  }
  call(events);
  {
    std::lock_guard lock(mu_);
    delivering_ = std::thread::id();
  }
  changed_.notify_all();
}

void FakeWorker::Say(const internal::v1::ToDaemon& message) {
  Deliver([&](workers::WorkerEvents* events) { events->OnMessage(message); }, false);
}

void FakeWorker::SayStage(const std::string& plugin, const std::string& stage) {
  internal::v1::ToDaemon message;
  message.mutable_stage()->set_plugin(plugin);
  message.mutable_stage()->set_stage(stage);
  Say(message);
}

void FakeWorker::SayState(v1::JobState state) {
  internal::v1::ToDaemon message;
  message.mutable_state()->set_state(state);
  Say(message);
}

void FakeWorker::SayProgress(int64_t expanded) {
  internal::v1::ToDaemon message;
  message.mutable_progress()->set_expanded(expanded);
  message.mutable_progress()->set_generated(expanded * 2);
  message.mutable_progress()->set_f_bound(17);
  message.mutable_progress()->set_memory_bytes(4096);
  Say(message);
}

void FakeWorker::SayResult(const v1::Result& result, const std::string& recycle) {
  internal::v1::ToDaemon message;
  *message.mutable_result() = result;
  message.set_recycle(recycle);
  Say(message);
}

void FakeWorker::SaySolved() { SayResult(Solved(4, {1, 3, 1, 3})); }

void FakeWorker::Nodes(int64_t first_ordinal, int64_t count, const std::string& batch) {
  Deliver([&](workers::WorkerEvents* events) { events->OnNodeBatch(first_ordinal, count, batch); }, false);
}

void FakeWorker::Die(const workers::WorkerExit& exit) {
  Deliver([&](workers::WorkerEvents* events) { events->OnGone(exit); }, true);
}

std::vector<internal::v1::ToWorker> FakeWorker::sent() const {
  std::lock_guard lock(mu_);
  return sent_;
}

bool FakeWorker::sent_stop() const {
  for (const auto& frame : sent()) {
    if (frame.has_stop()) return true;
  }
  return false;
}

int64_t FakeWorker::credit() const {
  int64_t bytes = 0;
  for (const auto& frame : sent()) bytes += frame.credit().bytes();
  return bytes;
}

bool FakeWorker::killed() const {
  std::lock_guard lock(mu_);
  return killed_;
}

bool FakeWorker::released() const {
  std::lock_guard lock(mu_);
  return released_;
}

bool FakeWorker::reusable() const {
  std::lock_guard lock(mu_);
  return reusable_;
}

void FakeWorker::WaitFor(const std::function<bool(const FakeWorker&)>& condition) const {
  const auto deadline = std::chrono::steady_clock::now() + seconds(10);
  for (;;) {
    if (condition(*this)) return;
    std::unique_lock lock(mu_);
    if (changed_.wait_until(lock, std::min(deadline, std::chrono::steady_clock::now() +
                                                         std::chrono::milliseconds(5))) == std::cv_status::timeout &&
        std::chrono::steady_clock::now() >= deadline) {
      FAIL() << "the worker did not get what was waited for";
    }
  }
}

Status FakeWorker::Send(const internal::v1::ToWorker& message) {
  {
    std::lock_guard lock(mu_);
    if (events_ == nullptr || killed_ || released_) return MakeError(ErrorCode::kUnavailable, "WORKER_GONE", "gone");
    sent_.push_back(message);
  }
  changed_.notify_all();
  std::lock_guard lock(pool_->mu_);
  pool_->changed_.notify_all();
  return {};
}

void FakeWorker::Kill() {
  {
    std::lock_guard lock(mu_);
    if (killed_ || released_ || events_ == nullptr) return;
    killed_ = true;
  }
  changed_.notify_all();
  FakeWorkerPtr self;
  {
    std::lock_guard lock(pool_->mu_);
    for (const auto& worker : pool_->workers_) {
      if (worker.get() == this) self = worker;
    }
  }
  pool_->Reap([self] {
    workers::WorkerExit exit;
    exit.signal = SIGKILL;
    exit.killed_by_us = true;
    self->Die(exit);
  });
}

void FakeWorker::Release(bool reusable) {
  {
    std::unique_lock lock(mu_);
    if (events_ != nullptr) reusable_ = reusable;
    released_ = true;
    events_ = nullptr;
    changed_.wait(lock,
                  [this] { return delivering_ == std::thread::id() || delivering_ == std::this_thread::get_id(); });
  }
  changed_.notify_all();
}

FakePool::FakePool() {
  v1::AlgorithmInfo* astar = hello_.add_algorithms();
  astar->set_id("astar");
  astar->set_optimal(true);
  astar->set_needs_heuristic(true);
  v1::ParamSpec* ties = astar->add_params();
  ties->set_name("ties");
  ties->set_type(v1::PARAM_TYPE_STRING);
  ties->add_choices("high_g");
  ties->add_choices("low_g");
  ties->mutable_default_value()->set_string_value("high_g");
  v1::ParamSpec* weight = astar->add_params();
  weight->set_name("weight");
  weight->set_type(v1::PARAM_TYPE_DOUBLE);
  weight->mutable_min()->set_double_value(1);
  v1::AlgorithmInfo* idastar = hello_.add_algorithms();
  idastar->set_id("idastar");
  idastar->set_optimal(true);
  idastar->set_needs_heuristic(true);
  hello_.add_algorithms()->set_id("bfs");
  v1::AlgorithmInfo* all = hello_.add_algorithms();
  all->set_id("all");
  all->set_counts_solutions(true);
  reaper_ = std::thread([this] {
    for (;;) {
      std::function<void()> gone;
      {
        std::unique_lock lock(mu_);
        changed_.wait(lock, [this] { return stopped_ || !reaped_.empty(); });
        if (reaped_.empty()) return;
        gone = std::move(reaped_.front());
        reaped_.pop_front();
      }
      gone();
    }
  });
}

FakePool::~FakePool() {
  {
    std::lock_guard lock(mu_);
    stopped_ = true;
  }
  changed_.notify_all();
  reaper_.join();
}

void FakePool::Reap(std::function<void()> gone) {
  {
    std::lock_guard lock(mu_);
    reaped_.push_back(std::move(gone));
  }
  changed_.notify_all();
}

FakeWorkerPtr FakePool::WaitLease(size_t n) const {
  std::unique_lock lock(mu_);
  if (!changed_.wait_for(lock, seconds(10), [&] { return workers_.size() > n; })) {
    ADD_FAILURE() << "worker " << n << " was never leased";
    std::abort();  // nothing of the test makes sense after this
  }
  return workers_[n];
}

FakeWorkerPtr FakePool::WaitWorker(size_t n) const {
  FakeWorkerPtr worker = WaitLease(n);
  worker->WaitFor([](const FakeWorker& w) { return !w.sent().empty(); });
  return worker;
}

bool FakePool::HasLease(size_t n, std::chrono::milliseconds at_most) const {
  std::unique_lock lock(mu_);
  return changed_.wait_for(lock, at_most, [&] { return workers_.size() > n; });
}

size_t FakePool::leases() const {
  std::lock_guard lock(mu_);
  return workers_.size();
}

void FakePool::FailAcquire(Error error, int count) {
  std::lock_guard lock(mu_);
  acquire_error_ = std::move(error);
  acquire_failures_ = count;
}

void FakePool::HoldAcquire(bool hold) {
  {
    std::lock_guard lock(mu_);
    held_ = hold;
  }
  changed_.notify_all();
}

Result<std::unique_ptr<workers::Lease>> FakePool::Acquire(std::span<const workers::PluginFile> plugins,
                                                          workers::WorkerEvents* events) {
  std::unique_lock lock(mu_);
  changed_.wait(lock, [this] { return !held_; });
  if (acquire_failures_ > 0) {
    --acquire_failures_;
    return *acquire_error_;
  }
  auto worker = std::make_shared<FakeWorker>(this, 1000 + static_cast<int>(workers_.size()),
                                             std::vector<workers::PluginFile>(plugins.begin(), plugins.end()), events);
  workers_.push_back(worker);
  lock.unlock();
  changed_.notify_all();
  return std::unique_ptr<workers::Lease>(std::make_unique<FakeLease>(std::move(worker)));
}

v1::Result Solved(int64_t cost, std::vector<uint32_t> ops) {
  v1::Result result;
  result.set_outcome(v1::OUTCOME_SOLVED);
  result.set_proof(v1::PROOF_OPTIMAL);
  result.set_cost(cost);
  result.set_cost_scale(1);
  result.set_verified(true);
  result.mutable_path()->set_length(static_cast<int64_t>(ops.size()));
  for (uint32_t op : ops) result.mutable_path()->add_ops(op);
  result.set_explanation("Solved.");
  return result;
}

}  // namespace astrolabe::jobs
