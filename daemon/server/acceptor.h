// Takes connections off listening sockets as long as there are descriptors for them.
//
// Left to itself gRPC never accepts again once an accept has failed, for want of a descriptor for example (seen with
// 1.51): the server would be deaf for the rest of its life. So the daemon accepts, and hands over the connections.
#ifndef ASTROLABE_DAEMON_SERVER_ACCEPTOR_H_
#define ASTROLABE_DAEMON_SERVER_ACCEPTOR_H_

#include <chrono>
#include <climits>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "daemon/base/fd.h"

namespace astrolabe::server {

// A process gets the lowest free descriptor: its number tells how many there are.
struct ConnectionLimit {
  int full_at = INT_MAX;   // connections from this descriptor on are refused,
  int close_at = INT_MAX;  // and from this one on closed without a word
  // Takes a connection whose client is to be told that there are too many. Unset: closed without a word.
  std::function<void(Fd connection)> refuse;
  // Told of refusals, once in a while.
  std::function<void(std::string_view level, std::string_view text)> log;
};

class Acceptor {
 public:
  using Take = std::function<void(Fd connection)>;  // called on a thread of this class

  Acceptor(std::vector<Fd> listening, ConnectionLimit limit, Take take);
  // No connection is taken any more; the sockets are closed.
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

 private:
  void Run();
  // False: there was none, or it could not be taken.
  bool AcceptOne(int listening);
  void HandOver(Fd connection);
  void NoteRefusal();

  const std::vector<Fd> listening_;
  const ConnectionLimit limit_;
  const Take take_;
  const Fd stop_;  // eventfd
  bool starved_ = false;
  std::optional<std::chrono::steady_clock::time_point> noted_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_ACCEPTOR_H_
