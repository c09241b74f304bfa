// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/control_queue.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr std::size_t kMaxClients = 16;
constexpr useconds_t kPauseMicroseconds = 100000;

std::atomic<int> s_signalPipe{-1};
std::atomic<int> s_signals{0};

// Only async-signal-safe calls: the first signal asks through the pipe, the second ends the process.
void onStopSignal(int number) {
  if (s_signals.fetch_add(1) > 0) ::_exit(128 + number);
  const int kept = errno;
  const char byte = number == SIGTERM ? 't' : 'i';
  const int fd = s_signalPipe.load();
  if (fd >= 0 && ::write(fd, &byte, 1) < 0) s_signals.store(1);
  errno = kept;
}

// Schedulers send it some time before they end a job.
void onSaveSignal(int) {
  const int kept = errno;
  const char byte = 'c';
  const int fd = s_signalPipe.load();
  if (fd >= 0 && ::write(fd, &byte, 1) < 0) errno = 0;  // so many have come that the pipe is full
  errno = kept;
}

// "fathom (process 4711)": who is at the other end of a socket.
std::string peerName(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0) return "a program";
  std::string name;
  std::getline(std::ifstream("/proc/" + std::to_string(peer.pid) + "/comm"), name);
  return (name.empty() ? "a program" : name) + " (process " + std::to_string(peer.pid) + ")";
}

void installSignals(bool install) {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = install ? onStopSignal : SIG_DFL;
  ::sigaction(SIGINT, &action, nullptr);
  // The process is about to leave with the code that says how it went: srun ends the other tasks of a step
  // with SIGTERM when the first one of them has left.
  if (!install) action.sa_handler = SIG_IGN;
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = install ? onSaveSignal : SIG_IGN;
  ::sigaction(SIGUSR1, &action, nullptr);
  if (!install) return;
  action.sa_handler = SIG_IGN;
  for (const int number : {SIGHUP, SIGPIPE, SIGXFSZ}) ::sigaction(number, &action, nullptr);
}

}  // namespace

void ControlQueue::holdSignals() {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&held, number);
  ::pthread_sigmask(SIG_BLOCK, &held, nullptr);
}

Result<std::unique_ptr<ControlQueue>> ControlQueue::open(Sources sources) {
  std::unique_ptr<ControlQueue> queue(new ControlQueue(std::move(sources)));
  if (::pipe2(queue->m_wake, O_CLOEXEC | O_NONBLOCK) != 0)
    return systemError(Phrase::tr("cannot open the control queue of"), queue->m_sources.socketPath, errno);
  if (!queue->m_sources.socketPath.empty()) {
    if (const Status listening = queue->listen(); !listening.ok()) {
      queue->m_note = listening.error().text() + "; stop and abort come as signals";
      if (queue->m_listener >= 0) ::close(std::exchange(queue->m_listener, -1));
    }
  }
  if (queue->m_sources.signals) {
    s_signalPipe.store(queue->m_wake[1]);
    s_signals.store(0);
    installSignals(true);
    sigset_t held;
    sigemptyset(&held);
    for (const int number : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&held, number);
    ::pthread_sigmask(SIG_UNBLOCK, &held, nullptr);
  }
  queue->m_thread = startThread([raw = queue.get()] {
    // Without it nobody could stop the run any more: what throws in it (no memory) does not end it.
    while (errorThrownBy([raw] { raw->work(); })) ::usleep(kPauseMicroseconds);
  });
  return queue;
}

ControlQueue::~ControlQueue() {
  if (m_sources.signals && m_wake[1] >= 0) {
    installSignals(false);
    s_signalPipe.store(-1);
  }
  if (m_thread.joinable()) {
    const char byte = 'q';
    while (::write(m_wake[1], &byte, 1) < 0 && errno == EINTR) {
    }
    m_thread.join();
  }
  for (const Client& client : m_clients) ::close(client.fd);
  for (const int fd : {m_listener, m_wake[0], m_wake[1]}) {
    if (fd >= 0) ::close(fd);
  }
  if (m_listener >= 0) ::unlink(m_sources.socketPath.c_str());
}

Status ControlQueue::listen() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& path = m_sources.socketPath;
  if (path.size() >= sizeof address.sun_path)
    return unavailableError(Phrase::tr("the path of the control socket is too long: %1")(path));
  std::memcpy(address.sun_path, path.c_str(), path.size());
  m_listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (m_listener < 0) return systemError(Phrase::tr("cannot open the control socket"), path, errno);
  if (isDeadSocket(path)) ::unlink(path.c_str());  // left by a killed engine
  if (::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(m_listener, 8) != 0)
    return systemError(Phrase::tr("cannot open the control socket"), path, errno);
  return {};
}

void ControlQueue::work() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPause = std::chrono::seconds(kControlSeconds);
  const int patience = m_sources.runFolder ? static_cast<int>(std::chrono::milliseconds(kPause).count()) : -1;
  auto looked = Clock::now() - kPause;  // what was asked before the run began counts
  bool watchInput = m_sources.standardInput;
  while (true) {
    if (m_sources.runFolder && Clock::now() - looked >= kPause) {
      lookIntoFolder();
      looked = Clock::now();
    }
    std::vector<pollfd> watched{{m_wake[0], POLLIN, 0}};
    if (watchInput) watched.push_back({STDIN_FILENO, POLLIN, 0});
    if (m_listener >= 0 && m_clients.size() < kMaxClients) watched.push_back({m_listener, POLLIN, 0});
    for (const Client& client : m_clients) watched.push_back({client.fd, POLLIN, 0});
    if (::poll(watched.data(), watched.size(), patience) < 0 && errno != EINTR) return;
    for (const pollfd& item : watched) {
      if (item.revents == 0) continue;
      if (item.fd == m_wake[0]) {
        char byte = 0;
        while (::read(m_wake[0], &byte, 1) == 1) {
          if (byte == 'q') return;
          if (byte == 'c') {
            m_checkpoint.store(true);
          } else {
            ask(false, byte == 't' ? "SIGTERM" : "SIGINT", true);
          }
        }
      } else if (item.fd == m_listener) {
        acceptClient();
      } else if (item.fd == STDIN_FILENO) {
        watchInput = readLines(STDIN_FILENO, m_inputBuffer, "standard input", false);
      } else {
        for (std::size_t i = 0; i < m_clients.size(); ++i) {
          if (m_clients[i].fd != item.fd || readLines(item.fd, m_clients[i].buffer, m_clients[i].name, true))
            continue;
          ::close(item.fd);
          m_clients.erase(m_clients.begin() + static_cast<std::ptrdiff_t>(i));
          break;
        }
      }
    }
  }
}

void ControlQueue::acceptClient() {
  const int fd = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0) m_clients.push_back({fd, {}, peerName(fd)});
}

void ControlQueue::lookIntoFolder() {
  if (!m_sources.runFolder) return;
  const std::lock_guard lock(m_folderGuard);
  const std::string folder = m_sources.runFolder();
  if (folder.empty()) return;
  const bool beginning = !std::exchange(m_looked, true);
  for (const ControlWish& wish : takeWishes(folder, m_heeded, beginning)) command(wish.command, wish.asker);
}

void ControlQueue::ask(bool abort, const std::string& asker, bool bySignal) {
  {
    const std::lock_guard lock(m_askerGuard);
    if (m_asker.empty() || (m_askedBySignal && !bySignal)) {
      m_asker = asker;
      m_askedBySignal = bySignal;
    }
  }
  if (abort) {
    m_stop.requestAbort();
  } else {
    m_stop.requestStop();
  }
}

std::string ControlQueue::asker() const {
  const std::lock_guard lock(m_askerGuard);
  return m_asker;
}

bool ControlQueue::readLines(int fd, std::string& buffer, const std::string& asker, bool answer) {
  char bytes[1024];
  const ssize_t count = ::read(fd, bytes, sizeof bytes);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  buffer.append(bytes, static_cast<std::size_t>(count));
  for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
    const std::string reply = command(buffer.substr(0, end), asker) + "\n";
    buffer.erase(0, end + 1);
    if (answer && ::send(fd, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN)
      return false;
  }
  return buffer.size() <= kMaxLine;
}

std::string ControlQueue::command(const std::string& line, const std::string& asker) {
  const std::string word = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (word == "checkpoint") {
    m_checkpoint.store(true);
  } else if (word == "stop") {
    ask(false, asker);
  } else if (word == "abort") {
    ask(true, asker);
  } else if (word != "ping") {
    return "error unknown command '" + word + "': checkpoint, stop, abort or ping";
  }
  return "ok " + m_sources.uuid;
}

}  // namespace fathom
