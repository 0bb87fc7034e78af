// A server that does what a test tells it: the double of astrolabed for the client library and the command.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_SERVER_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_SERVER_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "tests/client/fake_behaviour.h"
#include "tests/client/fake_events.h"
#include "tests/client/rich_error.h"

namespace astrolabe::testing {

class FakeServer {
 public:
  // Listens at the socket, and at socket + ".admin" for plugin changes.
  FakeServer(const std::string& socket, FakeBehaviour behaviour);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  std::string address() const { return "unix:" + socket_; }
  void SetServing(bool serving);
  // Ends all streams at once, as a daemon that is killed.
  void Kill();

 private:
  class Services;
  std::string socket_;
  std::unique_ptr<Services> services_;
  std::unique_ptr<grpc::Server> user_;
  std::unique_ptr<grpc::Server> admin_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_SERVER_H_
