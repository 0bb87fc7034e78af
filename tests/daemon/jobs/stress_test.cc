// Many threads create, watch, cancel, update, list and delete against workers that answer by themselves. Meant for
// ThreadSanitizer; the assertions are the invariants of the service.
#include <random>

#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

std::string Batch(int64_t first) {
  v1::NodeBatch batch;
  batch.set_first_ordinal(first);
  batch.set_count(10);
  batch.add_nodes()->set_text(std::string(1000, 'n'));
  return batch.SerializeAsString();
}

// Plays one worker: some nodes, then a result, a crash, or deaf silence until it is killed.
void Play(const FakeWorkerPtr& worker, unsigned seed) {
  worker->SayStage("org.astrolabe.sliding_tile", "search");
  worker->SayState(v1::JOB_STATE_SEARCHING);
  for (int i = 0; i < 20; ++i) {
    worker->Nodes(i * 10, 10, Batch(i * 10));
    worker->SayProgress(i);
  }
  switch (seed % 4) {
    case 0:
      worker->Die({});
      break;
    case 1:
      worker->WaitFor([](const FakeWorker& w) { return w.killed() || w.released() || w.sent_stop(); });
      break;
    default:
      worker->SayState(v1::JOB_STATE_FINISHING);
  }
  worker->SaySolved();
}

class Actors {
 public:
  ~Actors() { Join(); }
  void Add(std::function<void()> act) {
    std::lock_guard lock(mu_);
    threads_.emplace_back(std::move(act));
  }
  void Join() {
    for (;;) {
      std::vector<std::thread> threads;
      {
        std::lock_guard lock(mu_);
        threads.swap(threads_);
      }
      if (threads.empty()) return;
      for (std::thread& thread : threads) thread.join();
    }
  }

 private:
  std::mutex mu_;
  std::vector<std::thread> threads_;
};

// Reads a watch to its end as the gRPC adapter does: woken by notifications.
v1::Result ReadToEnd(Watch* watch, int64_t* nodes, int64_t* lost) {
  std::mutex mu;
  std::condition_variable wake;
  bool ready = false;
  watch->SetNotify([&] {
    std::lock_guard lock(mu);
    ready = true;
    wake.notify_all();
  });
  int64_t next = 1;
  const auto deadline = std::chrono::steady_clock::now() + seconds(120);
  for (;;) {
    EncodedEvent encoded;
    Error error;
    if (watch->Poll(&encoded, &error) == Watch::Next::kEvent) {
      const v1::Event event = ParseEvent(encoded);
      if (event.has_gap()) {
        EXPECT_EQ(event.gap().first_sequence(), next);
        next = event.gap().last_sequence() + 1;
        *lost += event.gap().node_events();
      } else if (event.sequence() != 0) {
        EXPECT_EQ(event.sequence(), next++);
        *nodes += event.nodes().count();
      }
      if (event.has_result()) {
        EXPECT_TRUE(encoded.last);
        EXPECT_EQ(event.sequence(), next - 1);
        watch->Close();
        return event.result();
      }
      continue;
    }
    std::unique_lock lock(mu);
    const bool woken = wake.wait_until(lock, deadline, [&] { return ready; });
    ready = false;
    if (!woken) {
      ADD_FAILURE() << "no Result came";
      watch->Close();
      return {};
    }
  }
}

TEST(Stress, EveryAcceptedJobGetsExactlyOneResultWhateverHappens) {
  constexpr int kClients = 6;
  constexpr int kJobs = 25;
  FakePool pool;
  FakeRegistry registry;
  JobsOptions options;
  options.slots = 3;
  options.queue_limit = 20;
  options.node_log_bytes = 8000;
  options.log_budget_bytes = 400'000;
  options.cancel_grace = milliseconds(5);
  options.retention_attached = milliseconds(20);
  Actors workers;
  std::atomic<unsigned> seed{0};
  pool.on_frame = [&](const FakeWorkerPtr& worker, const internal::v1::ToWorker& frame) {
    if (frame.has_run()) workers.Add([worker, s = seed++] { Play(worker, s); });
  };
  std::atomic<int> finished{0};
  {
    std::unique_ptr<JobService> service = CreateJobService(options, &registry, &pool, {});
    std::vector<std::thread> clients;
    for (int c = 0; c < kClients; ++c) {
      clients.emplace_back([&, c] {
        std::mt19937 random(static_cast<unsigned>(c));
        for (int i = 0; i < kJobs; ++i) {
          v1::JobSpec spec = RecordingSpec();
          spec.set_priority(static_cast<int>(random() % 5));
          spec.set_threads(1 + static_cast<int>(random() % 2));
          v1::WatchOptions watch;
          watch.set_overflow(random() % 2 == 0 ? v1::OVERFLOW_BLOCK : v1::OVERFLOW_DROP);
          CreateOptions create;
          create.attached = random() % 2 == 0;
          Result<JobService::Solving> solving = service->Solve(spec, create, watch);
          if (!solving.ok()) {
            EXPECT_EQ(solving.error().code, ErrorCode::kUnavailable) << solving.error().message;
            continue;
          }
          // A second reader, who may leave early.
          auto other = service->WatchJob(solving->name, 0, {});
          std::thread cancel([&, name = solving->name] {
            for (int spin = 0; spin < 50; ++spin) (void)service->GetJob(name);
            (void)service->CancelJob(name);
          });
          if (random() % 2 == 0) other = MakeError(ErrorCode::kCancelled, "", "");
          v1::ListJobsRequest list;
          list.set_page_size(3);
          (void)service->ListJobs(list);
          v1::UpdateJobRequest update;
          update.set_name(solving->name);
          update.set_priority(static_cast<int>(random() % 9));
          (void)service->UpdateJob(update);
          int64_t nodes = 0;
          int64_t lost = 0;
          const v1::Result result = ReadToEnd(solving->watch.get(), &nodes, &lost);
          EXPECT_NE(result.outcome(), v1::OUTCOME_UNSPECIFIED);
          EXPECT_EQ(nodes + lost, result.events().recorded());
          if (watch.overflow() == v1::OVERFLOW_BLOCK) {
            EXPECT_EQ(lost, 0);
          }
          cancel.join();
          ++finished;
          (void)service->DeleteJob(solving->name);
        }
      });
    }
    for (std::thread& client : clients) client.join();
    service->Drain(seconds(0));
    EXPECT_EQ(service->load().running, 0);
    EXPECT_EQ(service->load().queued, 0);
  }
  workers.Join();
  EXPECT_GT(finished, kClients * kJobs / 2);
}

// A cancel that meets the very moment at which the worker is taken: the worker must not be left running a job that
// nobody waits for.
TEST(Stress, NoWorkerIsLeftBehindByACancelThatRacesWithItsLease) {
  FakePool pool;
  FakeRegistry registry;
  JobsOptions options;
  options.slots = 2;
  options.cancel_grace = milliseconds(1);
  constexpr int kRounds = 3000;
  {
    std::unique_ptr<JobService> service = CreateJobService(options, &registry, &pool, {});
    for (int i = 0; i < kRounds; ++i) {
      const Result<std::string> name = service->CreateJob(SmallSpec(), {});
      ASSERT_TRUE(name.ok());
      for (int spin = 0; spin < i % 300; ++spin) std::atomic_thread_fence(std::memory_order_seq_cst);
      ASSERT_TRUE(service->CancelJob(*name).ok());
      auto watch = service->WatchJob(*name, 0, {});
      int64_t nodes = 0;
      int64_t lost = 0;
      EXPECT_EQ(ReadToEnd(watch->get(), &nodes, &lost).outcome(), v1::OUTCOME_CANCELLED);
    }
    service->Drain(seconds(0));
    for (size_t i = 0; i < pool.leases(); ++i) {
      pool.WaitLease(i)->WaitFor([](const FakeWorker& w) { return w.killed() || w.released(); });
      if (HasFailure()) std::abort();  // the service would wait for that worker for ever
    }
  }
}

TEST(Stress, AServiceCanBeDestroyedInTheMiddleOfEverything) {
  for (int round = 0; round < 10; ++round) {
    FakePool pool;
    FakeRegistry registry;
    JobsOptions options;
    options.slots = 4;
    Actors workers;
    pool.on_frame = [&](const FakeWorkerPtr& worker, const internal::v1::ToWorker& frame) {
      if (frame.has_run()) workers.Add([worker] { Play(worker, 1); });
    };
    std::vector<std::unique_ptr<Watch>> watches;
    {
      std::unique_ptr<JobService> service = CreateJobService(options, &registry, &pool, {});
      for (int i = 0; i < 12; ++i) {
        Result<JobService::Solving> solving = service->Solve(RecordingSpec(), {}, {});
        ASSERT_TRUE(solving.ok());
        watches.push_back(std::move(solving->watch));
        v1::InstanceRef instance;
        instance.set_problem("sliding_tile");
        instance.set_text("1");
        auto handle = service->ValidateInstance(instance, [](auto) {});
      }
    }
    for (const auto& watch : watches) {
      int64_t nodes = 0;
      int64_t lost = 0;
      EXPECT_NE(ReadToEnd(watch.get(), &nodes, &lost).outcome(), v1::OUTCOME_UNSPECIFIED);
    }
    workers.Join();
  }
}

}  // namespace
}  // namespace astrolabe::jobs
