// SPDX-License-Identifier: Apache-2.0
#include "core/engine/event_mirror.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string_view>

#include "core/base/files/input_file.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::milliseconds(30);

// Writes to stdout without ever waiting longer than a pause; false when the reader is gone.
bool offer(std::string_view& bytes) {
  pollfd watched{STDOUT_FILENO, POLLOUT, 0};
  if (::poll(&watched, 1, static_cast<int>(kPause.count())) <= 0) return true;
  if ((watched.revents & POLLOUT) == 0) return false;
  // A pipe that polls writable takes at least PIPE_BUF bytes without blocking.
  const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), std::min<std::size_t>(bytes.size(), 4096));
  if (done < 0) return errno == EAGAIN || errno == EINTR;
  bytes.remove_prefix(static_cast<std::size_t>(done));
  return true;
}

}  // namespace

EventMirror::EventMirror(std::string path) : m_path(std::move(path)) {
  m_thread = startThread([this] { (void)errorThrownBy([this] { work(); }); });
}

EventMirror::~EventMirror() {
  m_ending.store(true);
  m_thread.join();
}

void EventMirror::work() {
  const Result<int> opened = openInput(m_path);
  if (!opened.ok()) return;
  const int fd = *opened;
  char buffer[65536];
  Clock::time_point deadline{};
  while (true) {
    // Asked before reading: what was written before the end is then read for certain.
    const bool ending = m_ending.load();
    if (ending && deadline == Clock::time_point{})
      deadline = Clock::now() +
                 std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kDrainSeconds));
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count <= 0) {
      if (ending) break;
      std::this_thread::sleep_for(kPause);
      continue;
    }
    std::string_view bytes(buffer, static_cast<std::size_t>(count));
    bool alive = true;
    while (!bytes.empty() && alive) {
      alive = offer(bytes);
      if (m_ending.load() && deadline != Clock::time_point{} && Clock::now() > deadline) alive = false;
      if (m_ending.load() && deadline == Clock::time_point{})
        deadline = Clock::now() +
                   std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kDrainSeconds));
    }
    if (!alive) break;
  }
  ::close(fd);
}

}  // namespace fathom
