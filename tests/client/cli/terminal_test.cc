// The command on a terminal, in a pipe that closes, and under Ctrl-C.
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

// The command with standard output in a pipe and standard error on a terminal of its own.
class OnTerminal {
 public:
  OnTerminal(const std::string& server, const std::vector<std::string>& arguments, bool no_color) {
    int out[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    winsize size{24, 80, 0, 0};
    pid_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ == 0) {
      setenv("ASTROLABE_SERVER", server.c_str(), 1);
      setenv("TERM", "xterm", 1);
      if (no_color) setenv("NO_COLOR", "1", 1);
      dup2(out[1], STDOUT_FILENO);
      std::vector<char*> argv = {const_cast<char*>(ASTROLABE_CLI)};
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(out[1]);
    out_ = out[0];
  }
  ~OnTerminal() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(terminal_);
    close(out_);
  }

  // Reads the terminal until `text` has been seen there.
  bool Sees(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (seen_.find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > deadline || !ReadSome()) return seen_.find(text) != std::string::npos;
    }
    return true;
  }
  void Press(char key) { EXPECT_EQ(write(terminal_, &key, 1), 1); }
  void Type(const std::string& line) {
    for (const char key : line + "\n") Press(key);
  }
  // Waits for the end; all that was written to standard output and to the terminal.
  int Finish(std::string* out) {
    while (ReadSome()) {
    }
    char buffer[4096];
    for (ssize_t got; (got = read(out_, buffer, sizeof buffer)) > 0;) out->append(buffer, got);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  const std::string& seen() const { return seen_; }

 private:
  bool ReadSome() {
    pollfd fd{terminal_, POLLIN, 0};
    if (poll(&fd, 1, 60'000) <= 0) return false;
    char buffer[4096];
    const ssize_t got = read(terminal_, buffer, sizeof buffer);  // an error when the other side is closed
    if (got <= 0) return false;
    seen_.append(buffer, got);
    return true;
  }

  pid_t pid_ = -1;
  int terminal_ = -1;
  int out_ = -1;
  std::string seen_;
};

class CliTerminal : public CliProcess {
 protected:
  // A job that reports progress until it is cancelled or told to finish.
  FakeBehaviour LongJob() {
    FakeBehaviour behaviour;
    behaviour.solve = [this](const v1::SolveRequest&, EventSink& sink) {
      sink.Write(Accepted());
      sink.Write(ProgressEvent(36'302'808));
      std::unique_lock lock(mutex_);
      while (!cancelled_ && !finish_ && !sink.cancelled()) changed_.wait_for(lock, std::chrono::milliseconds(20));
      v1::Result result = SolvedBoard();
      if (cancelled_) {
        result.set_outcome(v1::OUTCOME_CANCELLED);
        result.set_proof(v1::PROOF_FEASIBLE);
      }
      gone_ = sink.cancelled();
      changed_.notify_all();
      sink.Write(ResultEvent(2, result));
      return grpc::Status::OK;
    };
    behaviour.cancel = [this](const std::string&) { Set(&cancel_seen_, answer_cancel_ ? &cancelled_ : nullptr); };
    return behaviour;
  }
  void Set(bool* flag, bool* other = nullptr) {
    const std::lock_guard lock(mutex_);
    *flag = true;
    if (other != nullptr) *other = true;
    changed_.notify_all();
  }
  bool WaitFor(const bool& flag) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return flag; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;
  bool cancel_seen_ = false;
  bool answer_cancel_ = true;
  bool finish_ = false;
  bool gone_ = false;
};

TEST_F(CliTerminal, WithoutAFileABoardIsAskedForRowByRow) {
  std::string instance;
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest& request, EventSink& sink) {
    instance = request.spec().text();
    sink.Write(Accepted());
    sink.Write(ResultEvent(1, SolvedBoard()));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  OnTerminal command(server_->address(), {"solve"}, false);
  EXPECT_TRUE(command.Sees("Rows and columns")) << command.seen();
  command.Type("3");
  EXPECT_TRUE(command.Sees("Row 1 of 3: "));
  command.Type("0 1 3");
  EXPECT_TRUE(command.Sees("Row 2 of 3: "));
  command.Type("4 2 3");
  EXPECT_TRUE(command.Sees("This row cannot be: tile 3 is in row 1 already. Type it again."));
  command.Type("4 2 5");
  EXPECT_TRUE(command.Sees("Row 3 of 3: "));
  command.Type("7 8 6");
  EXPECT_TRUE(command.Sees("Goal ("));
  command.Type("");
  std::string out;
  EXPECT_EQ(command.Finish(&out), 0) << command.seen();
  EXPECT_EQ(instance, "3 3\n0 1 3\n4 2 5\n7 8 6\n");
  EXPECT_NE(out.find("Minimum number of moves = 4"), std::string::npos);
  EXPECT_EQ(out.find("Row"), std::string::npos) << "the questions are not part of the output";
}

TEST_F(CliTerminal, ABoardThatIsNotTypedToItsEndIsAnError) {
  Serve({});
  OnTerminal command(server_->address(), {"solve"}, false);
  EXPECT_TRUE(command.Sees("Rows and columns")) << command.seen();
  command.Press(4);  // Ctrl-D
  std::string out;
  EXPECT_EQ(command.Finish(&out), 6);
  EXPECT_NE(command.seen().find("the input ended before the board was whole"), std::string::npos) << command.seen();
}

TEST_F(CliTerminal, OfAnotherProblemNothingIsAsked) {
  Serve({});
  OnTerminal command(server_->address(), {"solve", "--problem", "explicit_graph"}, false);
  std::string out;
  EXPECT_EQ(command.Finish(&out), 2);
  EXPECT_NE(command.seen().find("FILE is required; only a board of sliding_tile is asked for"), std::string::npos)
      << command.seen();
  EXPECT_NE(command.seen().find("astrolabe solve - --problem explicit_graph"), std::string::npos) << command.seen();
  EXPECT_NE(command.seen().find("astrolabe describe explicit_graph"), std::string::npos) << command.seen();
}

TEST_F(CliTerminal, AWordThatIsNoOptionIsToldBeforeABoardIsAskedFor) {
  Serve({});
  OnTerminal command(server_->address(), {"solve", "--algoritm=astar"}, false);
  std::string out;
  EXPECT_EQ(command.Finish(&out), 2);
  EXPECT_NE(command.seen().find("there is no option --algoritm, did you mean --algorithm?"), std::string::npos)
      << command.seen();
  EXPECT_EQ(command.seen().find("Rows and columns"), std::string::npos) << command.seen();
}

TEST_F(CliTerminal, BackAndCtrlCWorkInTheDialogue) {
  Serve({});
  OnTerminal command(server_->address(), {"solve"}, false);
  EXPECT_TRUE(command.Sees("Rows and columns")) << command.seen();
  command.Type("2 x 3");
  EXPECT_TRUE(command.Sees("Row 1 of 2: "));
  command.Type("1 2 4");
  EXPECT_TRUE(command.Sees("Row 2 of 2: "));
  command.Type("back");
  EXPECT_TRUE(command.Sees("Row 2 of 2: back\r\nRow 1 of 2: ")) << command.seen();
  command.Type("1 2 3");
  EXPECT_TRUE(command.Sees("Row 1 of 2: 1 2 3\r\nRow 2 of 2: ")) << command.seen();
  command.Press('\x03');
  std::string out;
  EXPECT_EQ(command.Finish(&out), 128 + SIGINT) << command.seen();
  EXPECT_EQ(out, "");
}

TEST_F(CliTerminal, ShowsProgressAndClearsIt) {
  Serve(LongJob());
  OnTerminal command(server_->address(), {"solve", folder_.Write("b", "x")}, false);
  EXPECT_TRUE(command.Sees("36.3 M expanded")) << command.seen();
  Set(&finish_);
  std::string out;
  EXPECT_EQ(command.Finish(&out), 0);
  EXPECT_TRUE(command.seen().ends_with("\r\x1b[K")) << "nothing is left of it";
  EXPECT_NE(out.find("Minimum number of moves = 4"), std::string::npos);
  EXPECT_EQ(out.find("expanded  "), std::string::npos) << "the line is not part of the output";
}

TEST_F(CliTerminal, NoColorMeansNoEscapes) {
  Serve(LongJob());
  OnTerminal command(server_->address(), {"solve", folder_.Write("b", "x")}, true);
  EXPECT_TRUE(command.Sees("36.3 M expanded"));
  Set(&finish_);
  std::string out;
  EXPECT_EQ(command.Finish(&out), 0);
  EXPECT_EQ(command.seen().find('\x1b'), std::string::npos);
  EXPECT_TRUE(command.seen().ends_with(" \r"));
}

TEST_F(CliTerminal, QuietAndEventsNoneShowNothing) {
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--quiet"}, {"--events", "none"}}) {
    Serve(LongJob());
    finish_ = true;
    std::vector<std::string> arguments = {"solve", folder_.Write("b", "x")};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    OnTerminal command(server_->address(), arguments, false);
    std::string out;
    EXPECT_EQ(command.Finish(&out), 0);
    EXPECT_EQ(command.seen(), "");
    server_.reset();
  }
}

TEST_F(CliTerminal, APipeStaysSilent) {
  Serve(LongJob());
  finish_ = true;
  EXPECT_EQ(Run({"solve", "-"}).err, "");
}

TEST_F(CliTerminal, TheFirstCtrlCPrintsTheBestSoFar) {
  Serve(LongJob());
  OnTerminal command(server_->address(), {"solve", folder_.Write("b", "x")}, false);
  ASSERT_TRUE(command.Sees("36.3 M expanded"));
  command.Press('\x03');
  std::string out;
  EXPECT_EQ(command.Finish(&out), 13);
  EXPECT_NE(out.find("cancelled; the best solution found so far is shown"), std::string::npos) << out;
  EXPECT_NE(out.find("Number of moves = 4 (not proven minimal)"), std::string::npos) << out;
}

TEST_F(CliTerminal, CtrlCInABenchPrintsTheRowsSoFar) {
  Serve(LongJob());
  OnTerminal command(server_->address(), {"bench", folder_.Write("b", "x\ny\n"), "--lines", "-o", "csv"}, false);
  ASSERT_TRUE(command.Sees("36.3 M expanded"));
  EXPECT_NE(command.seen().find("1/2  "), std::string::npos) << "which run it is: " << command.seen();
  command.Press('\x03');
  std::string out;
  EXPECT_EQ(command.Finish(&out), 13);
  EXPECT_NE(out.find(":1,default + default,default,default,CANCELLED,"), std::string::npos) << out;
  EXPECT_EQ(out.find(":2,"), std::string::npos) << "no further run: " << out;
}

TEST_F(CliTerminal, TheSecondCtrlCAborts) {
  answer_cancel_ = false;
  Serve(LongJob());
  OnTerminal command(server_->address(), {"solve", folder_.Write("b", "x")}, false);
  ASSERT_TRUE(command.Sees("36.3 M expanded"));
  command.Press('\x03');
  ASSERT_TRUE(WaitFor(cancel_seen_));
  command.Press('\x03');
  std::string out;
  EXPECT_EQ(command.Finish(&out), 130);
  EXPECT_EQ(out, "");
  EXPECT_TRUE(WaitFor(gone_)) << "the server sees the client go";
}

TEST_F(CliTerminal, AReaderThatGoesAwayEndsItQuietly) {
  FakeBehaviour behaviour;
  behaviour.solve = [this](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(Accepted());
    for (int64_t i = 0; !sink.cancelled() && sink.Write(Nodes(i + 2, 100 * i, 100)); ++i) {
    }
    Set(&gone_);
    return grpc::Status::CANCELLED;
  };
  Serve(behaviour);
  const std::string file = folder_.Write("b", "x");
  const CommandResult run =
      RunCommand({"sh", "-c",
                  std::string("ASTROLABE_SERVER=") + server_->address() + " " + ASTROLABE_CLI + " solve " + file +
                      " -o ndjson --events nodes 2>" + (folder_ / "err") + " | head -n 2"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 2);
  EXPECT_EQ(ReadFile(folder_ / "err"), "");
  EXPECT_TRUE(WaitFor(gone_)) << "the search is stopped";
}

}  // namespace
}  // namespace astrolabe::testing
