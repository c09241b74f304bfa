// SPDX-License-Identifier: Apache-2.0
// fathom-relay ROOT: talks frames on its standard streams for as long as they are open, and ends with them.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "core/base/files/atomic_file.h"
#include "core/base/threads/error_boundary.h"
#include "core/relay/relay_session.h"

namespace {

using fathom::RelaySession;

// False when the other side is gone.
bool readSome(RelaySession& session, int& code) {
  char buffer[65536];
  const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  const fathom::Status taken = session.feed(std::string_view(buffer, static_cast<std::size_t>(got)));
  if (taken.ok()) return true;
  std::fprintf(stderr, "fathom-relay: %s\n", taken.error().text().c_str());
  code = 2;
  return false;
}

bool writeSome(RelaySession& session) {
  const std::string_view waiting = session.waiting();
  if (waiting.empty()) return true;
  const ssize_t put = ::write(STDOUT_FILENO, waiting.data(), waiting.size());
  if (put < 0) return errno == EINTR || errno == EAGAIN;
  session.written(static_cast<std::size_t>(put));
  return true;
}

int serve(const std::string& root) {
  RelaySession session(root);
  int code = 0;
  while (true) {
    session.work();
    pollfd streams[2] = {{STDIN_FILENO, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    if (!session.waiting().empty()) streams[1].events = POLLOUT;
    const int patience = static_cast<int>(session.idleSeconds() * 1000);
    if (::poll(streams, 2, patience) < 0 && errno != EINTR) return 1;
    if ((streams[1].revents & (POLLERR | POLLHUP)) != 0) return code;
    if ((streams[1].revents & POLLOUT) != 0 && !writeSome(session)) return code;
    if (streams[0].revents != 0 && !readSome(session, code)) return code;
  }
}

}  // namespace

int main(int count, char** words) {
  ::signal(SIGPIPE, SIG_IGN);
  if (count == 2 && std::strcmp(words[1], "--version") == 0) {
    std::printf("fathom-relay %s\n", FATHOM_RELAY_VERSION);
    return 0;
  }
  if (count != 2 || words[1][0] != '/') {
    std::fputs("fathom-relay ROOT, an absolute path: started by Fathom over ssh (docs/places.md)\n", stderr);
    return 2;
  }
  const std::string greeting = "\n" + std::string(fathom::kRelayGreeting) + "\n";
  if (!fathom::writeAll(STDOUT_FILENO, greeting, "standard output").ok()) return 1;
  ::fcntl(STDOUT_FILENO, F_SETFL, ::fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
  int code = 1;
  if (const auto thrown = fathom::errorThrownBy([&] { code = serve(words[1]); }))
    std::fprintf(stderr, "fathom-relay: %s\n", thrown->text().c_str());
  return code;
}
