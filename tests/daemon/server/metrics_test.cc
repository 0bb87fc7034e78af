#include "daemon/server/metrics.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/fd.h"

namespace astrolabe::server {
namespace {

std::string HttpGet(int port, const std::string& path) {
  const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const std::string request = "GET " + path + " HTTP/1.0\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(::write(fd.get(), request.data(), request.size()), static_cast<ssize_t>(request.size()));
  std::string out;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(fd.get(), buffer, sizeof buffer)) > 0;) out.append(buffer, n);
  return out;
}

TEST(Metrics, AreServedAsPrometheusWantsThem) {
  OutcomeCounters outcomes;
  outcomes.Count("SOLVED");
  outcomes.Count("SOLVED");
  outcomes.Count("CANCELLED");
  const auto server = MetricsServer::Start("127.0.0.1:0", [&] {
    MetricsSample sample;
    sample.jobs_running = 3;
    sample.jobs_ended = outcomes.values();
    sample.workers_idle = 2;
    sample.events_sent = 1234;
    sample.plugin_load_failures = 1;
    sample.plugins = {{"ready", 5}};
    return sample;
  });
  ASSERT_TRUE(server.ok()) << server.error().message;
  const std::string page = HttpGet((*server)->port(), "/metrics");
  for (const char* line : {"astrolabe_jobs_running 3", "astrolabe_jobs_ended_total{outcome=\"SOLVED\"} 2",
                           "astrolabe_jobs_ended_total{outcome=\"CANCELLED\"} 1", "astrolabe_workers{state=\"idle\"} 2",
                           "astrolabe_events_sent_total 1234", "astrolabe_plugin_loads_total{result=\"failed\"} 1",
                           "astrolabe_plugins{state=\"ready\"} 5", "# TYPE astrolabe_jobs_ended_total counter"}) {
    EXPECT_NE(page.find(line), std::string::npos) << line << "\n" << page;
  }
}

TEST(Metrics, TheOutcomeIsReadFromAJobsLastLine) {
  EXPECT_EQ(OutcomeIn("jobs/12 ended: SOLVED, 4 expanded"), "SOLVED");
  EXPECT_EQ(OutcomeIn("jobs/12 outcome=OUTCOME_LIMIT_REACHED limit=LIMIT_KIND_MEMORY"), "LIMIT_REACHED");
  EXPECT_EQ(OutcomeIn("jobs/12 waits; UNSPECIFIED OUTCOME_"), "");
  EXPECT_EQ(OutcomeIn(""), "");
}

TEST(Metrics, ATakenAddressIsAnError) {
  const auto first = MetricsServer::Start("127.0.0.1:0", [] { return MetricsSample(); });
  ASSERT_TRUE(first.ok());
  const auto second =
      MetricsServer::Start("127.0.0.1:" + std::to_string((*first)->port()), [] { return MetricsSample(); });
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("cannot serve metrics"), std::string::npos);
}

}  // namespace
}  // namespace astrolabe::server
