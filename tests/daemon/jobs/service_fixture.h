// A JobService on fakes: the test is the workers and the clock.
#ifndef ASTROLABE_TESTS_DAEMON_JOBS_SERVICE_FIXTURE_H_
#define ASTROLABE_TESTS_DAEMON_JOBS_SERVICE_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/jobs/job_service_impl.h"
#include "tests/daemon/jobs/fake_pool.h"
#include "tests/daemon/jobs/fake_registry.h"
#include "tests/daemon/jobs/fake_time.h"

namespace astrolabe::jobs {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline v1::JobSpec SmallSpec(const std::string& text = "1 2 3/4 5 6/7 0 8") {
  v1::JobSpec spec;
  spec.set_problem("sliding_tile");
  spec.set_text(text);
  return spec;
}

inline v1::JobSpec RecordingSpec() {
  v1::JobSpec spec = SmallSpec();
  spec.mutable_events()->add_kinds(v1::NODE_KIND_EXPANDING);
  return spec;
}

inline v1::Event ParseEvent(const EncodedEvent& encoded) {
  v1::Event event;
  EXPECT_TRUE(event.ParseFromString(encoded.head + (encoded.body ? *encoded.body : std::string())));
  return event;
}

// Whatever the watch has to give right now, without waiting.
inline std::vector<v1::Event> TakeAll(Watch* watch) {
  std::vector<v1::Event> events;
  EncodedEvent encoded;
  Error error;
  while (watch->Poll(&encoded, &error) == Watch::Next::kEvent) events.push_back(ParseEvent(encoded));
  return events;
}

inline std::optional<v1::Event> TakeOne(Watch* watch) {
  EncodedEvent encoded;
  Error error;
  if (watch->Poll(&encoded, &error) != Watch::Next::kEvent) return std::nullopt;
  return ParseEvent(encoded);
}

inline std::vector<int> Kinds(const std::vector<v1::Event>& events) {
  std::vector<int> kinds;
  for (const v1::Event& event : events) kinds.push_back(event.event_case());
  return kinds;
}

class ServiceFixture : public ::testing::Test {
 protected:
  ServiceFixture() {
    options.slots = 1;
    options.server_version = "0.1.0-test";
  }
  // After the test has set its options.
  JobService& service() {
    if (!service_) {
      service_ = CreateJobService(options, &registry, &pool, {time.timers, private_bytes});
    }
    return *service_;
  }
  void DestroyService() { service_.reset(); }

  JobService::Solving Solve(const v1::JobSpec& spec, const v1::WatchOptions& watch = {},
                            const CreateOptions& create = {}) {
    Result<JobService::Solving> solving = service().Solve(spec, create, watch);
    EXPECT_TRUE(solving.ok()) << solving.error().message;
    return *std::move(solving);
  }
  std::string Create(const v1::JobSpec& spec, const CreateOptions& create = {}) {
    const Result<std::string> name = service().CreateJob(spec, create);
    EXPECT_TRUE(name.ok()) << name.error().message;
    return name.ok() ? *name : std::string();
  }
  v1::Job Get(const std::string& name) {
    const Result<v1::Job> job = service().GetJob(name);
    EXPECT_TRUE(job.ok()) << job.error().message;
    return job.ok() ? *job : v1::Job();
  }
  std::unique_ptr<Watch> Attach(const std::string& name, int64_t from = 0, const v1::WatchOptions& options = {}) {
    Result<std::unique_ptr<Watch>> watch = service().WatchJob(name, from, options);
    EXPECT_TRUE(watch.ok()) << watch.error().message;
    return *std::move(watch);
  }
  // The one Result of the watch, which must be its last event and come exactly once.
  static v1::Result ResultOf(const std::vector<v1::Event>& events) {
    int results = 0;
    for (const v1::Event& event : events) results += event.has_result() ? 1 : 0;
    EXPECT_EQ(results, 1);
    if (events.empty() || !events.back().has_result()) {
      ADD_FAILURE() << "the last event is not the Result";
      return {};
    }
    return events.back().result();
  }
  static void ExpectDense(const std::vector<v1::Event>& events) {
    int64_t expected = 1;
    for (const v1::Event& event : events) {
      if (event.sequence() != 0) {
        EXPECT_EQ(event.sequence(), expected++);
      }
    }
  }

  FakeTime time;
  FakePool pool;
  FakeRegistry registry;
  JobsOptions options;
  std::function<std::optional<int64_t>(int)> private_bytes;

 private:
  std::unique_ptr<JobService> service_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_TESTS_DAEMON_JOBS_SERVICE_FIXTURE_H_
