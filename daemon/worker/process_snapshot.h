// What a library must not change behind our back: floating-point mode, signal handlers and mask, number
// of threads and descriptors. Taken before plugin code runs and compared after.
#ifndef ASTROLABE_DAEMON_WORKER_PROCESS_SNAPSHOT_H_
#define ASTROLABE_DAEMON_WORKER_PROCESS_SNAPSHOT_H_

#include <signal.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace astrolabe::worker {

// Floating-point control of the calling thread, status flags left out.
uint32_t FloatingPointControl();
void SetFloatingPointControl(uint32_t control);

class ProcessSnapshot {
 public:
  // Of the process, with mask and floating-point mode of the calling thread.
  static ProcessSnapshot Take();

  // Puts back floating-point mode, handlers and mask. Returns one line for people for each that had
  // changed, handlers first.
  std::vector<std::string> Restore() const;

  // One line each for threads and descriptors that are more than before.
  std::vector<std::string> Leaks() const;

  // True when a handler or the mask is not as it was.
  bool SignalsChanged() const;

 private:
  static constexpr int kSignals = 65;

  // What the kernel tells of the process and the calling thread.
  struct Status {
    int threads = 0;
    uint64_t blocked = 0;
    uint64_t ignored = 0;
    uint64_t caught = 0;
    bool Blocked(int signal) const { return (blocked >> (signal - 1) & 1) != 0; }
    bool Ignored(int signal) const { return (ignored >> (signal - 1) & 1) != 0; }
    bool Caught(int signal) const { return (caught >> (signal - 1) & 1) != 0; }
  };
  static Status ReadStatus();
  static void Block(const Status& status);
  std::vector<int> ChangedHandlers(const Status& now) const;

  uint32_t floating_point_ = 0;
  Status status_;
  std::array<struct sigaction, kSignals> actions_{};  // of the signals that are caught
  int descriptors_ = 0;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PROCESS_SNAPSHOT_H_
