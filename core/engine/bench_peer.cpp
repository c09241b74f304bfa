// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench_peer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <thread>

namespace fathom {

namespace {

double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Result<std::unique_ptr<BenchPeer>> BenchPeer::start(const std::vector<std::string>& command) {
  ::signal(SIGPIPE, SIG_IGN);  // a peer that dies is an answer that does not come
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0) return systemError("cannot start", command.front(), errno);
  if (::pipe2(from, O_CLOEXEC) != 0) {
    ::close(to[0]);
    ::close(to[1]);
    return systemError("cannot start", command.front(), errno);
  }
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  std::unique_ptr<BenchPeer> peer(new BenchPeer);
  peer->m_pid = pid;
  peer->m_to = ::fdopen(to[1], "w");
  peer->m_from = ::fdopen(from[0], "r");
  if (pid < 0) return systemError("cannot start", command.front(), errno);
  return peer;
}

BenchPeer::~BenchPeer() {
  if (m_to != nullptr) std::fclose(m_to);
  if (m_from != nullptr) std::fclose(m_from);
  if (m_pid > 0) {
    ::kill(m_pid, SIGTERM);
    ::waitpid(m_pid, nullptr, 0);
  }
}

Result<Json> BenchPeer::ask(const std::string& line) {
  std::fprintf(m_to, "%s\n", line.c_str());
  std::fflush(m_to);
  std::string answer;
  for (int c = std::fgetc(m_from); c != EOF && c != '\n'; c = std::fgetc(m_from))
    answer.push_back(static_cast<char>(c));
  if (answer.empty()) return unavailableError("the peer ended without an answer to '" + line + "'");
  return parseJson(answer, "peer");
}

BenchClock BenchClock::now() {
  BenchClock clock;
  clock.wall = seconds(CLOCK_MONOTONIC);
  clock.cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  std::ifstream stat("/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0;
  stat >> word >> user >> nice >> system >> idle >> wait >> irq >> soft;
  clock.machineBusy = (user + nice + system + irq + soft) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return clock;
}

double foreignLoad(const BenchClock& begin, const BenchClock& end, double ownCpu) {
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  const double busy = end.machineBusy - begin.machineBusy - ownCpu;
  return std::max(0.0, busy / ((end.wall - begin.wall) * cores));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace fathom
