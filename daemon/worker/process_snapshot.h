// What a library must not change behind our back: floating-point mode, signal handlers and mask, number
// of threads and descriptors. Taken before plugin code runs and compared after.
#ifndef ASTROLABE_DAEMON_WORKER_PROCESS_SNAPSHOT_H_
#define ASTROLABE_DAEMON_WORKER_PROCESS_SNAPSHOT_H_

#include <signal.h>

#include <array>
#include <bitset>
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

  // True when a handler or the mask is not as it was. Cheaper than Restore when nothing changed.
  bool SignalsChanged() const;

 private:
  static constexpr int kSignals = 65;
  static std::bitset<kSignals> SignalsBlockedNow();
  static void Block(const std::bitset<kSignals>& blocked);

  uint32_t floating_point_ = 0;
  std::array<struct sigaction, kSignals> actions_{};
  std::bitset<kSignals> blocked_;
  int threads_ = 0;
  int descriptors_ = 0;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PROCESS_SNAPSHOT_H_
