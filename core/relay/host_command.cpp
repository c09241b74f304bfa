// SPDX-License-Identifier: Apache-2.0
#include "core/relay/host_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "core/base/text/shell_word.h"

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostAnswer = std::size_t{4} << 20;
constexpr int kLoginShellSeconds = 10;
constexpr int kNotStarted = 127;

// False at the end of the stream.
bool readPiece(int fd, std::string& text) {
  char buffer[65536];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

// Reads until both ends; false at the deadline, or where there is too much.
bool collectAnswer(int out, int err, int seconds, HostAnswer& answer) {
  const auto until = Clock::now() + std::chrono::seconds(seconds);
  pollfd ready[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  while (ready[0].fd >= 0 || ready[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0 || answer.out.size() + answer.err.size() > kMostAnswer) return false;
    if (::poll(ready, 2, static_cast<int>(left)) <= 0) continue;
    if (ready[0].revents != 0 && !readPiece(out, answer.out)) ready[0].fd = -1;
    if (ready[1].revents != 0 && !readPiece(err, answer.err)) ready[1].fd = -1;
  }
  return true;
}

[[noreturn]] void becomeProgram(char** argv, int out, int err) {
  ::setpgid(0, 0);
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err >= 0 ? err : null, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(argv[0], argv);
  ::_exit(kNotStarted);
}

}  // namespace

HostAnswer hostAnswer(std::vector<std::string> words, int seconds, HostMessages messages) {
  HostAnswer answer;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int out[2], err[2];
  if (words.empty() || ::pipe2(out, O_CLOEXEC) != 0) return answer;
  if (::pipe2(err, O_CLOEXEC) != 0) {
    for (const int fd : out) ::close(fd);
    return answer;
  }
  const int said = messages == HostMessages::Apart ? err[1] : messages == HostMessages::Among ? out[1] : -1;
  const pid_t pid = ::fork();
  if (pid == 0) becomeProgram(argv.data(), out[1], said);
  ::close(out[1]);
  ::close(err[1]);
  const bool whole = pid > 0 && collectAnswer(out[0], err[0], seconds, answer);
  ::close(out[0]);
  ::close(err[0]);
  if (pid < 0) return answer;
  answer.timedOut = !whole;
  if (!whole) ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  answer.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return answer;
}

void findAsLoginShell(const std::string& program) {
  const std::string look = "command -v " + shellWord(program);
  if (hostAnswer({"/bin/sh", "-c", look}, kLoginShellSeconds, HostMessages::Nowhere).exitCode == 0) return;
  // The output of start files comes before it.
  const std::string tell = look + " >/dev/null && { echo; printf %s \"$PATH\"; }";
  const HostAnswer path = hostAnswer({"bash", "-l", "-c", tell}, kLoginShellSeconds, HostMessages::Nowhere);
  if (path.exitCode == 0) ::setenv("PATH", path.out.substr(path.out.rfind('\n') + 1).c_str(), 1);
}

}  // namespace fathom
