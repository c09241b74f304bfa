// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Wishes of the outside world: the control socket, lines on stdin, signals and files in the run's folder
// `control` (control_folder.h) end up here. Commands: "checkpoint" (save now and go on), "stop" (finish the
// update, save, leave with code 10), "abort" (leave now). A socket that cannot be made is no reason not to
// train: see note(). SIGTERM and SIGINT are "stop", the second one kills the process on the spot; SIGUSR1 is
// "checkpoint"; SIGHUP, SIGPIPE and SIGXFSZ are ignored. When it is closed SIGTERM stays ignored: whoever
// leaves with 10 is not to be counted as killed. A client that sends a command reads back "ok <run uuid>" or
// "error <text>", one line each.
class ControlQueue {
 public:
  struct Sources {
    std::string socketPath;  // "" = none
    std::string uuid;        // answered to clients
    bool standardInput = true;
    bool signals = true;
    // Where the run lies now, "" while nobody knows; empty = no folder to look into. Called on the queue's
    // thread.
    std::function<std::string()> runFolder = {};
  };
  static Result<std::unique_ptr<ControlQueue>> open(Sources sources);
  // Stop and save signals wait until a queue with signals is open: one that comes while a run is begun ends
  // nothing half-way. For the main thread, before there are others.
  static void holdSignals();
  ~ControlQueue();
  ControlQueue(const ControlQueue&) = delete;
  ControlQueue& operator=(const ControlQueue&) = delete;

  const StopToken& stop() const { return m_stop; }
  // Why there is no socket although one was asked for, or "".
  const std::string& note() const { return m_note; }
  // Who asked to stop or abort: "SIGTERM", "standard input", "fathom (process 4711)", "ana@login1"; "" =
  // nobody. The first who did, but a signal, which batch systems send at a limit of time, gives way to
  // anybody else.
  std::string asker() const;
  // Heeds now what lies in the run's folder: a wish that comes with the end is not left for the next attempt.
  void lookIntoFolder();
  // True once for each "checkpoint" wish (wishes that come together count once).
  bool takeCheckpointWish() { return m_checkpoint.exchange(false); }

 private:
  explicit ControlQueue(Sources sources) : m_sources(std::move(sources)) {}
  Status listen();
  void work();
  void acceptClient();
  // `asker` names the other side; false when it is gone or talks nonsense.
  bool readLines(int fd, std::string& buffer, const std::string& asker, bool answer);
  std::string command(const std::string& line, const std::string& asker);
  void ask(bool abort, const std::string& asker, bool bySignal = false);

  Sources m_sources;
  StopToken m_stop;
  std::string m_note;
  std::atomic<bool> m_checkpoint{false};
  int m_listener = -1;
  int m_wake[2] = {-1, -1};  // written by signal handlers and by the destructor
  struct Client {
    int fd = -1;
    std::string buffer;
    std::string name;
  };
  std::vector<Client> m_clients;
  std::string m_inputBuffer;
  std::mutex m_folderGuard;
  bool m_looked = false;
  std::set<std::string> m_heeded;  // names of files that could not be removed
  mutable std::mutex m_askerGuard;
  std::string m_asker;
  bool m_askedBySignal = false;
  std::thread m_thread;
};

}  // namespace fathom
