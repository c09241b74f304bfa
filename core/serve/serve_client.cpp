// SPDX-License-Identifier: Apache-2.0
#include "core/serve/serve_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>

#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr int kStopLookMilliseconds = 20;

Error serverGone() {
  return unavailableError(Phrase::tr("the server of the model ended before it answered"),
                          Phrase::tr("ask again: it is started anew"));
}

void showServerProgress(const Json& event, Progress& progress) {
  const std::string phase = memberText(event, "phase");
  const Json total = event.value("total", Json()), done = event.value("done", Json());
  if (phase != progress.state().phase)
    progress.begin(phase, memberText(event, "unit"), total.is_number() ? total.get<double>() : -1);
  if (done.is_number()) progress.report(done.get<double>());
}

}  // namespace

Result<ServeClient> ServeClient::connect(const std::string& path) {
  FATHOM_TRY(LocalSocket socket, connectLocal(path));
  return ServeClient(std::move(socket));
}

// Sends and reads what can be; false when the server has closed the connection.
Result<bool> ServeClient::receive(int milliseconds) {
  pollfd watched{m_socket.fd(), static_cast<short>(POLLIN | (m_out.empty() ? 0 : POLLOUT)), 0};
  if (::poll(&watched, 1, milliseconds) <= 0) return true;
  if ((watched.revents & POLLOUT) != 0) {
    const ssize_t sent = ::send(m_socket.fd(), m_out.data(), m_out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) m_out.erase(0, static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
  }
  if ((watched.revents & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
  char bytes[16384];
  const ssize_t count = ::read(m_socket.fd(), bytes, sizeof bytes);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  m_in.append(bytes, static_cast<std::size_t>(count));
  if (m_in.size() > kServeReplyBytes)
    return dataError(Phrase::tr("the server of the model answers without end"));
  return count > 0;
}

Result<Json> ServeClient::ask(const ServeRequest& request, double seconds, Progress& progress,
                              const StopToken& stop) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  m_out = serveLine(request);
  if (m_out.size() > kServeLineBytes)
    return usageError(Phrase::tr("a request has more than %1 bytes")(kServeLineBytes));
  while (true) {
    FATHOM_TRY(const bool open, receive(kStopLookMilliseconds));
    for (std::size_t end; (end = m_in.find('\n')) != std::string::npos;) {
      const auto line = parseJson(m_in.substr(0, end));
      m_in.erase(0, end + 1);
      if (!line.ok() || !line->is_object())
        return dataError(Phrase::tr("the server of the model answers with something else than JSON"));
      if (memberText(*line, "event") == "progress") {
        showServerProgress(*line, progress);
        continue;
      }
      // A reply about no request (it could not be read, there is no room) is about this one.
      const Json id = line->value("id", Json());
      if (!id.is_null() && id != request.id) continue;
      if (memberFlag(*line, "ok", false)) return *line;
      return serveErrorOf(*line);
    }
    if (!open) return serverGone();
    if (stop.stopRequested()) return interruptedError();
    if (Clock::now() > until)
      return unavailableError(Phrase::tr("the server of the model did not answer within %1 s")(seconds));
  }
}

}  // namespace fathom
