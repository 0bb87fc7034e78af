#include "daemon/server/acceptor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace astrolabe::server {
namespace {

// Without a descriptor a waiting connection keeps its socket readable: to look again at once would be to spin.
constexpr int kStarvedPauseMs = 50;
constexpr std::chrono::seconds kNoteEvery{10};

}  // namespace

Acceptor::Acceptor(std::vector<Fd> listening, ConnectionLimit limit, Take take)
    : listening_(std::move(listening)),
      limit_(std::move(limit)),
      take_(std::move(take)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { Run(); }) {}

Acceptor::~Acceptor() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void Acceptor::Run() {
  std::vector<pollfd> waited = {{stop_.get(), POLLIN, 0}};
  for (const Fd& fd : listening_) waited.push_back({fd.get(), POLLIN, 0});
  for (;;) {
    const int timeout = starved_ ? kStarvedPauseMs : -1;
    // Starved: only for the stop.
    if (::poll(waited.data(), starved_ ? 1 : waited.size(), timeout) < 0 && errno != EINTR) return;
    if (waited.front().revents != 0) return;
    starved_ = false;
    for (const Fd& fd : listening_) {
      while (AcceptOne(fd.get())) {
      }
    }
  }
}

bool Acceptor::AcceptOne(int listening) {
  const int fd = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0) {
    HandOver(Fd(fd));
    return true;
  }
  if (errno == EINTR || errno == ECONNABORTED) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) {
    starved_ = true;
    NoteRefusal();
  }
  return false;
}

void Acceptor::HandOver(Fd connection) {
  const bool full = connection.get() >= limit_.full_at;
  if (!full) return take_(std::move(connection));
  NoteRefusal();
  if (connection.get() < limit_.close_at && limit_.refuse) limit_.refuse(std::move(connection));
}

void Acceptor::NoteRefusal() {
  const auto now = std::chrono::steady_clock::now();
  if (!limit_.log || (noted_ && now - *noted_ < kNoteEvery)) return;
  noted_ = now;
  limit_.log("warning", "no descriptors are left for another connection: new ones are refused until some are closed");
}

}  // namespace astrolabe::server
