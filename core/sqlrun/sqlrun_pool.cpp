// SPDX-License-Identifier: Apache-2.0
#include "core/sqlrun/sqlrun_pool.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/error_boundary.h"
#include "core/base/path_facts.h"
#include "core/base/sanitizers.h"
#include "core/base/thread_start.h"
#include "core/sqlrun/sqlrun_wire.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

// Starts the program with a clean environment; `socket` becomes descriptor 3 (-1: none). Returns the pid, or
// -1.
pid_t spawnProgram(const std::string& program, const char* verb, const std::string& path, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!kSanitized)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);  // else its report
  if (socket >= 0) posix_spawn_file_actions_adddup2(&actions, socket, 3);
  std::string verbText = verb, pathText = path, programText = program;
  char* words[] = {programText.data(), verbText.data(), pathText.data(), nullptr};
  char language[] = "LC_ALL=C.UTF-8";
  char* environment[] = {language, nullptr};
  pid_t pid = -1;
  const int code = posix_spawn(&pid, program.c_str(), &actions, nullptr, words, environment);
  posix_spawn_file_actions_destroy(&actions);
  return code == 0 ? pid : -1;
}

std::string endOf(int status) {
  if (WIFSIGNALED(status)) return std::string("ended by signal ") + strsignal(WTERMSIG(status));
  return "ended with code " + std::to_string(WEXITSTATUS(status));
}

int waitChild(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// One worker process on one database. Lives on one thread.
class Worker {
 public:
  ~Worker() { stop(); }

  // Empty on success, else why not.
  std::string start(const std::string& program, const std::string& copy) {
    stop();
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return "no socket";
    // Descriptor 3 of the child must not be the very number it is copied from, or it would close on exec.
    const int theirs = pair[1] == 3 ? fcntl(pair[1], F_DUPFD_CLOEXEC, 4) : pair[1];
    if (theirs != pair[1]) close(pair[1]);
    m_pid = spawnProgram(program, "--serve", copy, theirs);
    close(theirs);
    m_socket = pair[0];
    if (m_pid < 0) return "cannot start " + program;
    std::string bytes;
    bool timedOut = false;
    if (!receiveMessageWithin(m_socket, bytes, kMaxResultBytes, 10000, timedOut))
      return "the worker does not answer";
    const auto hello = parseJson(bytes);
    if (!hello) return hello.error().message;
    m_hello = *hello;
    return m_hello.value("error", "");
  }

  SqlRunResult run(const SqlRunRequest& request) {
    if (auto refused = refusedForLength(request.sql)) return std::move(*refused);
    SqlRunResult result;
    std::string bytes;
    bool timedOut = false;
    const int patience = static_cast<int>(std::ceil(request.limits.seconds * 1000)) + 250;
    if (sendMessage(m_socket, encodeRequest(request)) &&
        receiveMessageWithin(m_socket, bytes, kMaxResultBytes, patience, timedOut)) {
      if (auto decoded = decodeResult(bytes)) return std::move(*decoded);
    }
    result.verdict = timedOut ? SqlVerdict::Timeout : SqlVerdict::Crashed;
    result.seconds = request.limits.seconds;
    const std::string end = stop();
    result.message = timedOut ? "killed at the deadline" : end;
    return result;
  }

  bool alive() const { return m_pid > 0; }
  const Json& hello() const { return m_hello; }

  std::string stop() {
    if (m_socket >= 0) close(m_socket);
    m_socket = -1;
    if (m_pid <= 0) return {};
    // A worker that has died by itself keeps its own end; killing it again changes nothing.
    kill(m_pid, SIGKILL);
    const std::string end = endOf(waitChild(m_pid));
    m_pid = -1;
    return end;
  }

 private:
  pid_t m_pid = -1;
  int m_socket = -1;
  Json m_hello;
};

// Tasks of one database lie together, so that a worker serves many; big groups are cut, so that several
// workers share them.
std::vector<std::vector<std::size_t>> groupsOf(const std::vector<SqlRunTask>& tasks) {
  constexpr std::size_t kMost = 64;
  std::map<std::string, std::vector<std::size_t>> byDatabase;
  for (std::size_t i = 0; i < tasks.size(); ++i) byDatabase[tasks[i].database].push_back(i);
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& [database, all] : byDatabase) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i % kMost == 0) groups.emplace_back();
      groups.back().push_back(all[i]);
    }
  }
  return groups;
}

}  // namespace

struct SqlRunPool::State {
  SqlRunPoolOptions options;
  std::string folder;
  std::mutex mutex;  // of everything below
  struct Copy {
    std::string path, fault;
  };
  std::map<std::string, Copy> copies;
  std::string sandbox;

  // The private copy of a database, made at the first call.
  Copy copyOf(const std::string& database) {
    const std::lock_guard lock(mutex);
    const auto found = copies.find(database);
    if (found != copies.end()) return found->second;
    Copy copy;
    const std::string below = folder + "/" + std::to_string(copies.size());
    copy.path = below + "/database.sqlite";
    std::error_code code;
    fs::create_directory(below, code);
    if (!code) fs::copy_file(database, copy.path, code);
    if (!code && fileExists(database + "-wal")) fs::copy_file(database + "-wal", copy.path + "-wal", code);
    if (code) {
      copy.fault = database + ": " + code.message();
    } else {
      fs::permissions(copy.path, fs::perms::owner_read | fs::perms::owner_write, code);
      const pid_t pid = spawnProgram(options.program, "--prepare", copy.path, -1);
      const int status = pid > 0 ? waitChild(pid) : 1;
      if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        copy.fault = database + " is no sound SQLite database";
      fs::permissions(copy.path, fs::perms::owner_read, code);
    }
    copies.emplace(database, copy);
    return copy;
  }

  void noteSandbox(const Worker& worker) {
    const std::lock_guard lock(mutex);
    sandbox = worker.hello().value("sandbox", "");
  }
};

SqlRunPool::SqlRunPool(std::unique_ptr<State> state) : m_state(std::move(state)) {}

SqlRunPool::~SqlRunPool() {
  std::error_code code;
  fs::remove_all(m_state->folder, code);
}

std::string findSqlRunProgram() {
  if (const char* named = std::getenv("FATHOM_SQLRUN"); named && *named) return named;
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  for (const char* place : {"fathom-sqlrun", "../bin/fathom-sqlrun", "../libexec/fathom/fathom-sqlrun"}) {
    const fs::path path = (self.parent_path() / place).lexically_normal();
    if (fs::exists(path, code)) return path.string();
  }
  return {};
}

Result<std::unique_ptr<SqlRunPool>> SqlRunPool::start(const SqlRunPoolOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  if (state->options.program.empty()) state->options.program = findSqlRunProgram();
  if (access(state->options.program.c_str(), X_OK) != 0) {
    return unavailableError("fathom-sqlrun is not there",
                            "it is installed beside fathom; FATHOM_SQLRUN names another place");
  }
  std::error_code code;
  std::string folder = (fs::temp_directory_path(code) / "fathom-sqlrun-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return systemError("cannot make a folder for copies of databases", folder, errno);
  state->folder = folder;
  return std::unique_ptr<SqlRunPool>(new SqlRunPool(std::move(state)));
}

Result<std::vector<SqlRunResult>> SqlRunPool::runAll(const std::vector<SqlRunTask>& tasks,
                                                     const StopToken& stop,
                                                     const std::function<void(std::size_t)>& report) {
  std::vector<SqlRunResult> results(tasks.size());
  const auto groups = groupsOf(tasks);
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0, done = 0;
  const int wanted = std::max(
      1, std::min(m_state->options.workers, static_cast<int>(std::max<std::size_t>(groups.size(), 1))));
  int running = wanted;
  const auto runGroup = [&](const std::string& database, const std::vector<std::size_t>& indices) {
    const State::Copy copy = m_state->copyOf(database);
    Worker worker;
    for (const auto index : indices) {
      if (stop.stopRequested()) return;
      std::string fault = copy.fault;
      if (fault.empty() && !worker.alive()) {
        fault = worker.start(m_state->options.program, copy.path);
        if (fault.empty()) m_state->noteSandbox(worker);
      }
      if (fault.empty()) {
        results[index] = worker.run({tasks[index].sql, m_state->options.limits});
      } else {
        results[index].verdict = SqlVerdict::NoDatabase;
        results[index].message = fault;
        worker.stop();
      }
      const std::lock_guard lock(mutex);
      ++done;
      changed.notify_one();
    }
  };
  const auto work = [&] {
    while (true) {
      const std::vector<std::size_t>* group = nullptr;
      {
        const std::lock_guard lock(mutex);
        if (next < groups.size() && !stop.stopRequested()) group = &groups[next++];
        if (!group) {
          --running;
          changed.notify_one();
          return;
        }
      }
      runGroup(tasks[group->front()].database, *group);
    }
  };
  std::optional<Error> failure;
  const auto guardedWork = [&] {
    const auto thrown = errorThrownBy(work);
    if (!thrown) return;
    const std::lock_guard lock(mutex);
    if (!failure) failure = thrown;
    --running;
    changed.notify_one();
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(running));
  const auto notStarted = errorThrownBy([&] {
    for (int t = wanted; t > 0; --t) threads.push_back(startThread(guardedWork));
  });
  if (notStarted) {  // fewer threads do it, too; without any it is done here, and told when it is done
    const std::lock_guard lock(mutex);
    running -= wanted - std::max(static_cast<int>(threads.size()), 1);
  }
  if (threads.empty()) guardedWork();
  {
    std::unique_lock lock(mutex);
    while (running > 0) {
      changed.wait_for(lock, std::chrono::milliseconds(100));
      if (report) report(done);
    }
  }
  for (auto& thread : threads) thread.join();
  if (failure) return *failure;
  if (stop.stopRequested()) return interruptedError();
  return results;
}

Result<Json> SqlRunPool::schemaFacts(const std::string& database) {
  const State::Copy copy = m_state->copyOf(database);
  if (!copy.fault.empty()) return dataError(copy.fault);
  Worker worker;
  const std::string fault = worker.start(m_state->options.program, copy.path);
  if (!fault.empty()) return dataError(database + ": " + fault);
  m_state->noteSandbox(worker);
  return worker.hello().value("facts", Json::object());
}

std::string SqlRunPool::sandboxText() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->sandbox;
}

}  // namespace fathom
