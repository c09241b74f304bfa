// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/places/ask_program.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app/runner/launcher.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr std::size_t kMostAnswerBytes = std::size_t{1} << 16;

int doorAt(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    return -1;
  }
  return fd;
}

bool sendAll(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = ::send(fd, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += static_cast<std::size_t>(put);
  }
  return true;
}

// Up to the end of a line; "" where the window has hung up.
std::string lineFrom(int fd) {
  std::string line;
  char buffer[512];
  while ((line.empty() || line.back() != '\n') && line.size() < kMostAnswerBytes) {
    const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    line.append(buffer, static_cast<std::size_t>(got));
  }
  return line;
}

}  // namespace

std::optional<int> answerForSsh(const std::vector<std::string>& words) {
  const char* door = std::getenv(PlaceTalk::kDoorVariable);
  if (door == nullptr || words.size() != 1) return std::nullopt;
  const int fd = doorAt(door);
  if (fd < 0) return 1;
  const char* kind = std::getenv("SSH_ASKPASS_PROMPT");
  const Json question = {{"prompt", words[0]}, {"kind", kind != nullptr ? kind : ""}};
  const bool asked = sendAll(fd, question.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  const auto answer = parseJson(asked ? lineFrom(fd) : std::string());
  ::close(fd);
  if (!answer.ok() || !answer->is_object() || !answer->contains("answer")) return 1;
  std::printf("%s\n", memberText(*answer, "answer").c_str());
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace fathom
