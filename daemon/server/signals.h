// Signals, taken by one thread of their own; no handler ever interrupts other code.
#ifndef ASTROLABE_DAEMON_SERVER_SIGNALS_H_
#define ASTROLABE_DAEMON_SERVER_SIGNALS_H_

#include <functional>
#include <memory>
#include <thread>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::server {

// Blocks the signals of SignalThread in this thread and in those it starts, ignores SIGPIPE. Before any thread.
void BlockSignals();

// Reads SIGTERM, SIGINT and SIGHUP. Precondition: BlockSignals was called.
class SignalThread {
 public:
  struct Handlers {
    // How many stop signals came so far, from 1.
    std::function<void(int count)> on_stop;
    std::function<void()> on_hangup;
  };
  static Result<std::unique_ptr<SignalThread>> Start(Handlers handlers);
  // Waits for a running handler.
  ~SignalThread();

 private:
  SignalThread(Handlers handlers, Fd signals, Fd stop);
  void Loop();

  const Handlers handlers_;
  Fd signals_;
  Fd stop_;
  std::thread thread_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_SIGNALS_H_
