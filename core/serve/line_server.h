// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"
#include "core/serve/local_socket.h"
#include "core/serve/serve_protocol.h"

namespace fathom {

struct LineServerLimits {
  std::size_t lineBytes = kServeLineBytes;
  std::size_t clients = 32;                    // one that asks nothing makes room for a new one
  std::size_t waiting = 8;                     // requests of one client; it is not read on until then
  std::size_t unsentBytes = kServeReplyBytes;  // of a client that does not read: it is let go
  double callSeconds = kServeItemSeconds;      // until a call is told to stop, see allow()
};

// A request that a client sent. `stop` asks for an end when its time is up, its client is gone, or the server
// ends.
struct LineCall {
  std::uint64_t client = 0;
  std::string line;  // without its end
  StopToken stop;
};

// Serves clients on a local socket: a thread of its own reads lines and writes answers, the owner takes calls
// one by one, in the order in which they came. A line that is too long, half a line, a client that is gone or
// does not read what it asked for concern that client alone. next(), answer() and tellAll() are the owner's
// thread's.
class LineServer {
 public:
  // `stop` ends next() at once and asks the call that runs to stop.
  static Result<std::unique_ptr<LineServer>> open(const std::string& path, const LineServerLimits& limits,
                                                  const StopToken& stop);
  ~LineServer();
  LineServer(const LineServer&) = delete;
  LineServer& operator=(const LineServer&) = delete;

  // Waits for a call; nothing when none came within `seconds`, or on a stop. Its time begins.
  std::optional<LineCall> next(double seconds);
  // The call that runs may take so long, from now on.
  void allow(double seconds);
  // Ends the call that runs. `line` without its end; a client that is gone hears nothing.
  void answer(const LineCall& call, const std::string& line);
  // A line for every client: progress. One that has much unread misses it, one that comes later hears the
  // last of them first, until tellNoMore().
  void tellAll(const std::string& line);
  void tellNoMore();
  // Waits until what was answered is sent, at most so long.
  void flush(double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    LocalSocket socket;
    std::string in, out;
    std::size_t open = 0;     // calls that have no answer yet
    bool readEnded = false;   // it sends no more, and may wait for answers
    bool letGo = false;       // closed once `out` is sent
    Clock::time_point heard;  // from it, or answered
  };
  LineServer(LocalListener listener, const LineServerLimits& limits, const StopToken& stop);
  void work();
  bool turn();
  void wake() const;
  void acceptClients();
  void makeRoom();
  static bool readFrom(Client& client);
  void takeLines(std::uint64_t id, Client& client);
  static bool writeTo(Client& client);
  void refuse(Client& client, const Error& error) const;
  void forget(std::uint64_t id);
  void watchCall();

  LocalListener m_listener;
  LineServerLimits m_limits;
  StopToken m_stop;
  LocalSocket m_wakeRead, m_wakeWrite;
  mutable std::mutex m_mutex;  // of everything below
  std::condition_variable m_changed;
  std::map<std::uint64_t, Client> m_clients;
  std::deque<LineCall> m_waiting;
  std::optional<LineCall> m_running;
  Clock::time_point m_deadline;
  std::uint64_t m_next = 1;
  std::string m_told;  // to everybody, with its end
  bool m_ending = false;
  std::thread m_thread;
};

}  // namespace fathom
