// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/sqlrun_wire.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

bool writeWhole(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(socket, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

// Waits for data until `deadline`; null: for ever.
bool waitFor(int socket, const Clock::time_point* deadline, bool& timedOut) {
  if (!deadline) return true;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
    pollfd entry{socket, POLLIN, 0};
    const int ready = ::poll(&entry, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready > 0) return true;
    if (ready < 0 && errno == EINTR) continue;
    timedOut = ready == 0;
    return false;
  }
}

bool readWhole(int socket, char* data, std::size_t size, const Clock::time_point* deadline, bool& timedOut) {
  while (size > 0) {
    if (!waitFor(socket, deadline, timedOut)) return false;
    const ssize_t done = ::read(socket, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool receive(int socket, std::string& bytes, std::uint32_t most, const Clock::time_point* deadline,
             bool& timedOut) {
  std::uint32_t size = 0;
  char head[sizeof size];
  if (!readWhole(socket, head, sizeof head, deadline, timedOut)) return false;
  std::memcpy(&size, head, sizeof size);
  if (size > most) return false;
  bytes.resize(size);
  return readWhole(socket, bytes.data(), size, deadline, timedOut);
}

}  // namespace

bool sendMessage(int socket, std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  return writeWhole(socket, head, sizeof head) && writeWhole(socket, bytes.data(), bytes.size());
}

bool receiveMessage(int socket, std::string& bytes, std::uint32_t most) {
  bool timedOut = false;
  return receive(socket, bytes, most, nullptr, timedOut);
}

bool receiveMessageWithin(int socket, std::string& bytes, std::uint32_t most, int milliseconds,
                          bool& timedOut) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(milliseconds);
  timedOut = false;
  return receive(socket, bytes, most, &deadline, timedOut);
}

}  // namespace fathom
