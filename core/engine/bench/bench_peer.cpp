// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_peer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/files/atomic_file.h"

namespace fathom {

namespace {

constexpr int kNotStarted = 127;

double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Result<std::unique_ptr<BenchPeer>> BenchPeer::start(const std::vector<std::string>& command) {
  ::signal(SIGPIPE, SIG_IGN);  // a peer that dies is an answer that does not come
  std::FILE* words = std::tmpfile();
  if (words == nullptr) return systemError(Phrase::tr("cannot keep the words of"), command.front(), errno);
  std::unique_ptr<BenchPeer> peer(new BenchPeer);
  peer->m_words = words;
  peer->m_program = command.front();
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0) return systemError(Phrase::tr("cannot start"), command.front(), errno);
  if (::pipe2(from, O_CLOEXEC) != 0) {
    ::close(to[0]);
    ::close(to[1]);
    return systemError(Phrase::tr("cannot start"), command.front(), errno);
  }
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::dup2(::fileno(words), STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(kNotStarted);
  }
  ::close(to[0]);
  ::close(from[1]);
  peer->m_pid = pid;
  peer->m_to = ::fdopen(to[1], "w");
  peer->m_from = ::fdopen(from[0], "r");
  if (pid < 0) return systemError(Phrase::tr("cannot start"), command.front(), errno);
  return peer;
}

BenchPeer::~BenchPeer() {
  if (m_to != nullptr) std::fclose(m_to);
  if (m_from != nullptr) std::fclose(m_from);
  if (m_words != nullptr) std::fclose(m_words);
  if (m_pid > 0) {
    ::kill(m_pid, SIGTERM);
    ::waitpid(m_pid, nullptr, 0);
  }
}

Result<Json> BenchPeer::ask(const std::string& line) {
  if (m_to == nullptr) return absence();
  std::fprintf(m_to, "%s\n", line.c_str());
  std::fflush(m_to);
  std::string answer;
  for (int c = std::fgetc(m_from); c != EOF && c != '\n'; c = std::fgetc(m_from))
    answer.push_back(static_cast<char>(c));
  return answer.empty() ? absence() : parseJson(answer, "peer");
}

// Whoever reads a bench wants the reason, not the way there: of a traceback the last line says it.
Error BenchPeer::absence() {
  if (m_to != nullptr)
    std::fclose(std::exchange(m_to, nullptr));  // one that lives on has nothing to wait for
  int status = 0;
  if (m_pid > 0 && ::waitpid(m_pid, &status, 0) == m_pid) m_pid = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted)
    return unavailableError("the peer is absent: " + m_program + " cannot be started",
                            "name it with --python");
  std::rewind(m_words);
  std::string last, line;
  for (int c = std::fgetc(m_words); c != EOF; c = std::fgetc(m_words)) {
    if (c != '\n') {
      line.push_back(static_cast<char>(c));
      continue;
    }
    if (!line.empty()) last = std::exchange(line, {});
  }
  if (!line.empty()) last = line;
  constexpr std::string_view kNoModule = "ModuleNotFoundError: No module named ";
  if (last.starts_with(kNoModule))
    return unavailableError(
        "the peer is absent: " + m_program + " has no module " + last.substr(kNoModule.size()),
        "packaging/bench-peers.sh fetches it and says how it is found");
  return unavailableError("the peer ended without an answer" + (last.empty() ? "" : ": " + last));
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

const std::vector<std::string>& optionsLikePeers() {
  static const std::vector<std::string> options = {"model.dropout=0",
                                                   "model.attention_dropout=0",
                                                   "model.activation_dropout=0",
                                                   "optimizer=adam",
                                                   "optimizer.adam.eps_place=plain",
                                                   "optimizer.beta1=0.9",
                                                   "optimizer.beta2=0.999",
                                                   "optimizer.eps=1e-8",
                                                   "optimizer.weight_decay=0.01",
                                                   "optimizer.decay_parameters=all"};
  return options;
}

Status writePeerConfig(const std::string& folder, const Json& config) {
  return writeFileAtomically(folder + "/config.json", config.dump());
}

std::string peerWeights(const std::string& folder) {
  return folder + "/weights.safetensors";
}

std::string peerBatch(const std::string& folder) {
  return folder + "/batch.safetensors";
}

}  // namespace fathom
