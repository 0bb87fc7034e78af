#include "tests/daemon/worker/worker_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

extern char** environ;

namespace astrolabe::testing {
namespace {

constexpr char kPrefix[] = "org.astrolabe.fixture.";

}  // namespace

v1::NodeBatch Batch::Parse() const {
  v1::NodeBatch batch;
  EXPECT_TRUE(batch.ParseFromString(bytes));
  return batch;
}

const internal::v1::ToDaemon& Frames::last() const {
  static const internal::v1::ToDaemon none;
  return messages.empty() ? none : messages.back();
}

const v1::Result& Frames::result() const {
  EXPECT_TRUE(last().has_result()) << (crash ? crash->message : timed_out ? "timed out" : end.c_str());
  return last().result();
}

const internal::v1::JobContent* Frames::content() const {
  for (const auto& message : messages) {
    if (message.has_content()) return &message.content();
  }
  return nullptr;
}

std::vector<std::string> Frames::stages() const {
  std::vector<std::string> stages;
  for (const auto& message : messages) {
    if (!message.has_stage()) continue;
    std::string plugin = message.stage().plugin();
    if (plugin.rfind(kPrefix, 0) == 0) plugin = plugin.substr(sizeof kPrefix - 1);
    stages.push_back(plugin + "/" + message.stage().stage());
  }
  return stages;
}

std::vector<v1::JobState> Frames::states() const {
  std::vector<v1::JobState> states;
  for (const auto& message : messages) {
    if (message.has_state()) states.push_back(message.state().state());
  }
  return states;
}

std::vector<v1::NodeEvent> Frames::events() const {
  std::vector<v1::NodeEvent> events;
  for (const Batch& batch : batches) {
    const v1::NodeBatch parsed = batch.Parse();
    EXPECT_EQ(parsed.nodes_size(), batch.count);
    EXPECT_EQ(parsed.count(), batch.count);
    EXPECT_EQ(parsed.first_ordinal(), batch.first_ordinal);
    events.insert(events.end(), parsed.nodes().begin(), parsed.nodes().end());
  }
  return events;
}

std::string Frames::log() const {
  std::string text;
  for (const auto& message : messages) {
    if (message.has_log()) text += message.log().source() + ": " + message.log().text() + "\n";
  }
  return text;
}

WorkerProcess::WorkerProcess(const Environment& environment) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) std::abort();
  socket_.Reset(pair[0]);
  const Fd theirs(pair[1]);
  output_.Reset(::memfd_create("worker-output", MFD_CLOEXEC));
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> pointers;
  for (std::string& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output_.get(), 1);
  ::posix_spawn_file_actions_adddup2(&actions, output_.get(), 2);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), 3);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  char path[] = ASTROLABE_WORKER;
  char* arguments[] = {path, nullptr};
  if (::posix_spawn(&pid_, path, &actions, nullptr, arguments, pointers.data()) != 0) std::abort();
  ::posix_spawn_file_actions_destroy(&actions);
  const Seen first = Next();
  EXPECT_TRUE(first.message && first.message->has_hello()) << Output();
  if (first.message) hello_ = first.message->hello();
}

WorkerProcess::~WorkerProcess() {
  if (status_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void WorkerProcess::Send(const internal::v1::ToWorker& message) {
  // A worker that is gone is for the test to find out.
  (void)WriteFrame(socket_.get(), FrameType::kToWorker, message.SerializeAsString());
}

void WorkerProcess::SendJob(const internal::v1::RunJob& job) {
  internal::v1::ToWorker message;
  *message.mutable_run() = job;
  Send(message);
}

void WorkerProcess::SendStop(const std::string& job, internal::v1::StopReason reason) {
  internal::v1::ToWorker message;
  message.mutable_stop()->set_job(job);
  message.mutable_stop()->set_reason(reason);
  Send(message);
}

void WorkerProcess::SendCredit(int64_t bytes) {
  internal::v1::ToWorker message;
  message.mutable_credit()->set_bytes(bytes);
  Send(message);
}

void WorkerProcess::SendRaw(std::string_view bytes) {
  (void)::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

Seen WorkerProcess::Next(std::chrono::milliseconds timeout) {
  Seen seen;
  pollfd ready{socket_.get(), POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(timeout.count())) <= 0) {
    seen.timed_out = true;
    return seen;
  }
  Result<Frame> frame = ReadFrame(socket_.get());
  if (!frame.ok()) {
    EXPECT_EQ(frame.error().code, ErrorCode::kUnavailable) << frame.error().message;
    return seen;
  }
  const std::string& payload = frame->payload;
  switch (frame->type) {
    case FrameType::kToDaemon:
      seen.message.emplace();
      EXPECT_TRUE(seen.message->ParseFromString(payload));
      break;
    case FrameType::kNodeBatch:
      seen.batch.emplace();
      EXPECT_GE(payload.size(), 16u);
      std::memcpy(&seen.batch->first_ordinal, payload.data(), 8);
      std::memcpy(&seen.batch->count, payload.data() + 8, 8);
      seen.batch->bytes = payload.substr(16);
      break;
    case FrameType::kCrash:
      seen.crash.emplace();
      EXPECT_EQ(payload.size(), sizeof(CrashRecord));
      std::memcpy(&*seen.crash, payload.data(), sizeof(CrashRecord));
      EXPECT_EQ(seen.crash->magic, CrashRecord::kMagic);
      break;
    case FrameType::kToWorker:
      ADD_FAILURE() << "a worker sends no ToWorker";
      break;
  }
  return seen;
}

Frames WorkerProcess::Collect(std::chrono::milliseconds timeout) {
  Frames frames;
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    Seen seen = Next(std::max(left, std::chrono::milliseconds(0)));
    if (seen.batch) frames.batches.push_back(*std::move(seen.batch));
    if (seen.crash) {
      frames.crash = seen.crash;
      return frames;
    }
    if (seen.message) {
      frames.messages.push_back(*std::move(seen.message));
      const auto& last = frames.messages.back();
      if (last.has_result() || last.has_validated() || last.has_evaluated() || last.has_path_checked() ||
          last.has_probed() || last.has_preloaded()) {
        return frames;
      }
    } else if (!seen.batch) {
      frames.timed_out = seen.timed_out;
      frames.hung_up = !seen.timed_out;
      if (frames.hung_up) {
        frames.end = "hung up, wait status " + std::to_string(WaitExit().value_or(-1)) + ", printed: " + Output();
      }
      return frames;
    }
  }
}

Frames WorkerProcess::Run(const internal::v1::RunJob& job) {
  SendJob(job);
  return Collect();
}

bool WorkerProcess::WaitFor(bool (*wanted)(const internal::v1::ToDaemon&)) {
  for (;;) {
    const Seen seen = Next();
    if (seen.message && wanted(*seen.message)) return true;
    if (!seen.message && !seen.batch) return false;
  }
}

std::optional<int> WorkerProcess::WaitExit(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!status_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = status;
    } else if (std::chrono::steady_clock::now() > deadline) {
      return std::nullopt;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return status_;
}

std::string WorkerProcess::Output() const {
  std::string text(static_cast<size_t>(::lseek(output_.get(), 0, SEEK_END)), '\0');
  const ssize_t n = ::pread(output_.get(), text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return text;
}

std::string FixtureId(const std::string& name) { return kPrefix + name; }

internal::v1::PluginFile FixtureFile(const std::string& name) {
  internal::v1::PluginFile file;
  file.set_id(FixtureId(name));
  file.set_path(std::string(ASTROLABE_FIXTURE_DIR) + "/" + name + ".so");
  file.set_version("1.0.0");
  file.set_sha256("00ff");
  file.set_generation(7);
  return file;
}

internal::v1::RunJob FixtureJob(const std::string& fixture, const std::string& text, const std::string& algorithm) {
  internal::v1::RunJob job;
  job.set_job("jobs/1");
  *job.add_plugins() = FixtureFile(fixture);
  job.mutable_spec()->set_problem(fixture);
  job.mutable_spec()->set_text(text);
  job.mutable_spec()->mutable_algorithm()->set_id(algorithm);
  job.mutable_spec()->add_heuristics()->set_id(fixture + "_h");
  return job;
}

void SetParam(internal::v1::RunJob& job, const std::string& name, int64_t value) {
  (*job.mutable_spec()->mutable_heuristics(0)->mutable_params())[name].set_int_value(value);
}

internal::v1::ToWorker FixtureProbe(const std::string& name, const std::string& manifest) {
  internal::v1::ToWorker message;
  *message.mutable_probe()->mutable_plugin() = FixtureFile(name);
  message.mutable_probe()->set_manifest(manifest);
  return message;
}

}  // namespace astrolabe::testing
