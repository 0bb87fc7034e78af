// Ctrl-C: the first asks the job to stop, so that the best found so far can be printed; the second ends the program.
#ifndef ASTROLABE_CLIENT_CLI_INTERRUPTS_H_
#define ASTROLABE_CLIENT_CLI_INTERRUPTS_H_

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace astrolabe::cli {

// Takes over SIGINT, SIGTERM and SIGHUP while it lives. Make it before any other thread: the others inherit the
// blocked signals. One at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // What the first signal does, on a thread of its own; if it came already, this calls it at once. Without one, the
  // first signal ends the program (exit code 13).
  void OnFirst(std::function<void()> action);
  // From here on the first signal ends the program again. Waits for a running action.
  void Reset();
  // A signal came.
  bool requested() const { return requested_; }

 private:
  void Watch();
  void Start();

  int signals_ = -1;  // signalfd
  int stop_ = -1;     // eventfd
  std::mutex mutex_;
  std::function<void()> action_;
  std::thread runner_;  // of the action
  std::atomic<bool> requested_{false};
  std::thread watcher_;
};

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_INTERRUPTS_H_
