// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/prediction_servers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "app/requests/engine_question.h"
#include "app/runner/engine_progress.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

using ServerClock = std::chrono::steady_clock;

constexpr double kListenSeconds = 30;   // from the start of a server until its socket is there
constexpr double kAnswerSeconds = 900;  // a large model is loaded first
constexpr double kEndSeconds = 0.5;     // then a server is killed: its socket is replaced by the next one
constexpr useconds_t kServerPause = 10'000;
constexpr std::size_t kWordsAtMost = std::size_t{64} << 10;

// File of the server's messages while it starts; beside its socket.
std::string wordsFile(const std::string& socket) {
  return socket + ".log";
}

// The checkpoint by its own name, so that everybody who means the same one asks the same server.
Result<std::string> checkpointOf(const std::string& runPath, const std::string& wanted) {
  FATHOM_TRY(const RunFolder folder, RunFolder::open(runPath));
  if (folderExists(wanted)) return absolutePath(wanted);
  FATHOM_TRY(const CheckpointManifest chosen, chooseCheckpoint(runPath, wanted));
  return chosen.name;
}

// Removes what a server of ours that had to be killed left: its socket and its messages.
void clearAfter(const std::string& socket) {
  std::error_code code;
  std::filesystem::remove(wordsFile(socket), code);
  if (!isDeadSocket(socket)) return;
  std::filesystem::remove(socket, code);
  std::filesystem::remove(socket + ".lock", code);
}

bool waitForEnd(int pid, double seconds) {
  const auto until = ServerClock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    const pid_t done = ::waitpid(pid, nullptr, WNOHANG);
    if (done == pid || (done < 0 && errno != EINTR)) return true;
    if (ServerClock::now() > until) return false;
    ::usleep(kServerPause);
  }
}

}  // namespace

PredictionServers::~PredictionServers() {
  end();
}

void PredictionServers::end() {
  const std::lock_guard lock(m_mutex);
  if (!m_lifetime.outlivesUs) {
    for (const Started& each : m_started) ::kill(each.pid, SIGTERM);
    for (const Started& each : m_started) {
      if (!waitForEnd(each.pid, kEndSeconds)) {
        ::kill(each.pid, SIGKILL);
        waitForEnd(each.pid, kEndSeconds);
      }
      clearAfter(each.socket);
    }
  }
  m_started.clear();
}

Status PredictionServers::start(const std::string& socket, const std::vector<std::string>& words) {
  FATHOM_TRY(ChildSpec spec, engineSpec(words));
  spec.stderrPath = wordsFile(socket);
  std::error_code code;
  std::filesystem::remove(spec.stderrPath, code);  // of the last one
  if (m_lifetime.outlivesUs) {
    FATHOM_CHECK(startDetached(spec));
    return {};
  }
  FATHOM_TRY(const int pid, startChild(spec));
  m_started.push_back({socket, pid});
  return {};
}

// True if the server that was started here for the socket is over; it is then forgotten.
bool PredictionServers::hasEnded(const std::string& socket) {
  const auto found = std::find_if(m_started.begin(), m_started.end(),
                                  [&](const Started& each) { return each.socket == socket; });
  if (found == m_started.end() || ::waitpid(found->pid, nullptr, WNOHANG) == 0) return false;
  m_started.erase(found);
  return true;
}

Result<ServeClient> PredictionServers::connected(const std::string& socket,
                                                 const std::vector<std::string>& words, Progress& progress,
                                                 const StopToken& stop) {
  auto there = ServeClient::connect(socket);
  if (there.ok()) return there;
  const std::lock_guard lock(m_mutex);
  there = ServeClient::connect(socket);  // started meanwhile
  if (there.ok()) return there;
  hasEnded(socket);  // one that went idle
  showEngineStarts(progress);
  FATHOM_CHECK(start(socket, words));
  const auto until = ServerClock::now() + std::chrono::duration<double>(kListenSeconds);
  while (ServerClock::now() < until) {
    if (stop.stopRequested()) {
      endLoading(socket);
      return interruptedError();
    }
    // It may have lost against one that somebody else started: that one is asked then.
    const bool ended = hasEnded(socket);
    there = ServeClient::connect(socket);
    if (there.ok()) return there;
    if (ended) {
      ChildOutput output;
      if (const auto said = readFile(wordsFile(socket), kWordsAtMost); said.ok()) output.err = *said;
      output.exitCode = 1;
      clearAfter(socket);
      return engineError(output);
    }
    ::usleep(kServerPause);
  }
  return unavailableError(Phrase::tr("the engine did not begin to serve within %1 s")(kListenSeconds));
}

void PredictionServers::markAnswered(const std::string& socket) {
  const std::lock_guard lock(m_mutex);
  for (Started& each : m_started)
    if (each.socket == socket) each.answered = true;
}

// Under the lock. It loads for somebody who does not want the answer any more.
void PredictionServers::endLoading(const std::string& socket) {
  for (const Started& each : m_started)
    if (each.socket == socket && !each.answered) ::kill(each.pid, SIGTERM);
}

Result<Json> PredictionServers::ask(const std::string& runPath, const std::string& checkpoint,
                                    const ServeRequest& request, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const std::string chosen, checkpointOf(runPath, checkpoint));
  const std::string run = absolutePath(runPath);
  FATHOM_TRY(const std::string socket, serveSocketPath(run, chosen));
  const std::vector<std::string> words = {
      "serve",        "--run",          run,
      "--checkpoint", chosen,           "--socket",
      socket,         "--idle-seconds", std::to_string(m_lifetime.idleSeconds)};
  for (int attempt = 0;; ++attempt) {
    FATHOM_TRY(ServeClient client, connected(socket, words, progress, stop));
    auto reply = client.ask(request, kAnswerSeconds, progress, stop);
    if (reply.ok()) {
      markAnswered(socket);
      return reply;
    }
    if (stop.stopRequested()) {
      const std::lock_guard lock(m_mutex);
      endLoading(socket);
    }
    // One that went idle just then: the next is started. Only once, else a model that cannot be asked would
    // be loaded for ever.
    const bool gone = reply.error().kind == ErrorKind::Resource && !ServeClient::connect(socket).ok();
    if (!gone || attempt > 0) return reply;
  }
}

}  // namespace fathom
