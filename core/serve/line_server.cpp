// SPDX-License-Identifier: Apache-2.0
#include "core/serve/line_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/base/json/json_text.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"

namespace fathom {

namespace {

constexpr int kLookMilliseconds = 50;  // a stop, and a call whose time is up, are seen this soon
constexpr useconds_t kPauseAfterFault = 100000;
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;
constexpr std::size_t kToldAtMost = std::size_t{1} << 20;  // progress nobody reads is not kept

std::chrono::steady_clock::duration durationOf(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

LineServer::LineServer(LocalListener listener, const LineServerLimits& limits, const StopToken& stop)
    : m_listener(std::move(listener)), m_limits(limits), m_stop(stop) {}

Result<std::unique_ptr<LineServer>> LineServer::open(const std::string& path, const LineServerLimits& limits,
                                                     const StopToken& stop) {
  FATHOM_TRY(LocalListener listener, LocalListener::open(path));
  std::unique_ptr<LineServer> server(new LineServer(std::move(listener), limits, stop));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return systemError(Phrase::tr("cannot serve at"), path, errno);
  server->m_wakeRead = LocalSocket(ends[0]);
  server->m_wakeWrite = LocalSocket(ends[1]);
  server->m_thread = startThread([raw = server.get()] {
    // An exception in it (no memory) costs a turn; the clients stay.
    while (errorThrownBy([raw] { raw->work(); })) ::usleep(kPauseAfterFault);
  });
  return server;
}

LineServer::~LineServer() {
  {
    const std::lock_guard lock(m_mutex);
    m_ending = true;
  }
  wake();
  if (m_thread.joinable()) m_thread.join();
}

void LineServer::wake() const {
  const char byte = 'w';
  while (::write(m_wakeWrite.fd(), &byte, 1) < 0 && errno == EINTR) {
  }
}

void LineServer::work() {
  while (turn()) {
  }
}

// One look at everybody; false at the end.
bool LineServer::turn() {
  std::vector<pollfd> watched{{m_wakeRead.fd(), POLLIN, 0}, {m_listener.fd(), POLLIN, 0}};
  std::vector<std::uint64_t> ids;
  {
    const std::lock_guard lock(m_mutex);
    if (m_ending) return false;
    watchCall();
    for (auto& [id, client] : m_clients) {
      const bool read = !client.readEnded && !client.letGo && client.open < m_limits.waiting;
      const int events = (read ? POLLIN : 0) | (client.out.empty() ? 0 : POLLOUT);
      watched.push_back({client.socket.fd(), static_cast<short>(events), 0});
      ids.push_back(id);
    }
  }
  if (::poll(watched.data(), watched.size(), kLookMilliseconds) < 0 && errno != EINTR) return true;
  char bytes[256];
  while (::read(m_wakeRead.fd(), bytes, sizeof bytes) > 0) {
  }
  const std::lock_guard lock(m_mutex);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = m_clients.find(ids[i]);
    const short seen = watched[i + 2].revents;
    if (found == m_clients.end()) continue;
    Client& client = found->second;
    bool stays = (seen & (POLLERR | POLLNVAL)) == 0;
    if (stays && (seen & (POLLIN | POLLHUP)) != 0) stays = readFrom(client);
    if (stays) takeLines(found->first, client);
    stays = stays && (seen & POLLHUP) == 0 && writeTo(client);
    const bool over = client.readEnded && client.open == 0 && client.in.empty();
    const bool done = client.out.empty() && (client.letGo || over);
    if (!stays || done) forget(ids[i]);
  }
  if (watched[1].revents != 0) acceptClients();
  return true;
}

// Under the lock. A call whose time is up, or that nobody waits for any more, is told to stop.
void LineServer::watchCall() {
  if (m_running && (m_stop.stopRequested() || Clock::now() > m_deadline)) m_running->stop.requestStop();
  if (m_stop.stopRequested()) m_changed.notify_all();
}

void LineServer::acceptClients() {
  while (true) {
    LocalSocket socket = m_listener.accept();
    if (!socket.isOpen()) {
      // No descriptors are left: those who wait go on waiting.
      if (errno != EAGAIN && errno != EINTR) ::usleep(kPauseAfterFault);
      return;
    }
    makeRoom();
    if (m_clients.size() >= m_limits.clients) {
      Client refused;
      refused.socket = std::move(socket);
      refuse(refused, unavailableError(Phrase::tr("%1 clients are served already")(m_clients.size()),
                                       Phrase::tr("ask again when one of them is done")));
      writeTo(refused);
      continue;
    }
    Client client;
    client.socket = std::move(socket);
    client.heard = Clock::now();
    client.out = m_told;
    m_clients.emplace(m_next++, std::move(client));
  }
}

// Somebody who asks nothing keeps nobody out: of those the one that was silent longest goes.
void LineServer::makeRoom() {
  if (m_clients.size() < m_limits.clients) return;
  auto silent = m_clients.end();
  for (auto it = m_clients.begin(); it != m_clients.end(); ++it) {
    if (it->second.open > 0 || !it->second.out.empty()) continue;
    if (silent == m_clients.end() || it->second.heard < silent->second.heard) silent = it;
  }
  if (silent != m_clients.end()) forget(silent->first);
}

void LineServer::refuse(Client& client, const Error& error) const {
  client.out += jsonText(serveErrorReply(nullptr, error)) + "\n";
  client.letGo = true;
}

// False when the client is gone.
bool LineServer::readFrom(Client& client) {
  if (client.readEnded || client.letGo) return true;
  char bytes[kReadAtOnce];
  const ssize_t count = ::read(client.socket.fd(), bytes, sizeof bytes);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  client.heard = Clock::now();
  if (count == 0) {
    client.readEnded = true;
    const std::size_t last = client.in.rfind('\n');  // half a line is no request
    client.in.erase(last == std::string::npos ? 0 : last + 1);
  } else {
    client.in.append(bytes, static_cast<std::size_t>(count));
  }
  return true;
}

// Whole lines become calls, as many as one client may have open.
void LineServer::takeLines(std::uint64_t id, Client& client) {
  std::size_t at = 0;
  while (!client.letGo && client.open < m_limits.waiting) {
    const std::size_t end = client.in.find('\n', at);
    if (std::min(end, client.in.size()) - at > m_limits.lineBytes) {
      refuse(client, usageError(Phrase::tr("a request has more than %1 bytes")(m_limits.lineBytes)));
      break;
    }
    if (end == std::string::npos) break;
    std::string line = client.in.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    m_waiting.push_back({id, std::move(line), {}});
    ++client.open;
    m_changed.notify_all();
  }
  client.in.erase(0, at);
}

// False when the client is gone.
bool LineServer::writeTo(Client& client) {
  while (!client.out.empty()) {
    const ssize_t sent =
        ::send(client.socket.fd(), client.out.data(), client.out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    client.out.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

// Nobody waits for its calls any more.
void LineServer::forget(std::uint64_t id) {
  m_clients.erase(id);
  std::erase_if(m_waiting, [id](const LineCall& call) { return call.client == id; });
  if (m_running && m_running->client == id) m_running->stop.requestStop();
  m_changed.notify_all();
}

std::optional<LineCall> LineServer::next(double seconds) {
  std::unique_lock lock(m_mutex);
  const auto until = Clock::now() + durationOf(seconds);
  const bool came =
      m_changed.wait_until(lock, until, [this] { return !m_waiting.empty() || m_stop.stopRequested(); });
  if (!came || m_stop.stopRequested()) return std::nullopt;
  m_running = std::move(m_waiting.front());
  m_waiting.pop_front();
  m_deadline = Clock::now() + durationOf(m_limits.callSeconds);
  return m_running;
}

void LineServer::allow(double seconds) {
  const std::lock_guard lock(m_mutex);
  m_deadline = Clock::now() + durationOf(seconds);
}

void LineServer::answer(const LineCall& call, const std::string& line) {
  {
    const std::lock_guard lock(m_mutex);
    m_running.reset();
    const auto found = m_clients.find(call.client);
    if (found == m_clients.end()) return;
    Client& client = found->second;
    if (client.open > 0) --client.open;
    client.heard = Clock::now();
    if (client.out.size() + line.size() + 1 > m_limits.unsentBytes) {
      forget(call.client);  // it asks and does not read
      return;
    }
    client.out += line + "\n";
  }
  wake();
}

void LineServer::tellAll(const std::string& line) {
  {
    const std::lock_guard lock(m_mutex);
    m_told = line + "\n";
    for (auto& [id, client] : m_clients)
      if (!client.letGo && client.out.size() + line.size() < kToldAtMost) client.out += m_told;
  }
  wake();
}

void LineServer::tellNoMore() {
  const std::lock_guard lock(m_mutex);
  m_told.clear();
}

void LineServer::flush(double seconds) {
  const auto until = Clock::now() + durationOf(seconds);
  std::unique_lock lock(m_mutex);
  while (Clock::now() < until) {
    const bool unsent = std::any_of(m_clients.begin(), m_clients.end(),
                                    [](const auto& each) { return !each.second.out.empty(); });
    if (!unsent) return;
    m_changed.wait_for(lock, std::chrono::milliseconds(kLookMilliseconds));
  }
}

}  // namespace fathom
