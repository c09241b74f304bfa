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
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/files/path_facts.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/sanitizers.h"
#include "core/base/threads/thread_start.h"
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

// Unpacked a result takes several times the bytes that were sent.
constexpr std::size_t kLargeResultBytes = std::size_t{4} << 20;

// One worker process on one database. Lives on one thread.
class Worker {
 public:
  ~Worker() { stop(); }

  // Empty on success, else why not.
  Phrase start(const std::string& program, const std::string& copy) {
    stop();
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return Phrase::tr("no socket");
    // Descriptor 3 of the child must not be the very number it is copied from, or it would close on exec.
    const int theirs = pair[1] == 3 ? fcntl(pair[1], F_DUPFD_CLOEXEC, 4) : pair[1];
    if (theirs != pair[1]) close(pair[1]);
    m_pid = spawnProgram(program, "--serve", copy, theirs);
    close(theirs);
    m_socket = pair[0];
    if (m_pid < 0) return Phrase::tr("cannot start %1")(program);
    std::string bytes;
    bool timedOut = false;
    if (!receiveMessageWithin(m_socket, bytes, kMaxResultBytes, 10000, timedOut))
      return Phrase::tr("the worker does not answer");
    const auto hello = parseJson(bytes);
    if (!hello) return hello.error().messagePhrase();
    m_hello = *hello;
    return Phrase::words(m_hello.value("error", ""));
  }

  // Waits with `large` before it unpacks a large result.
  SqlRunResult run(const SqlRunRequest& request, std::unique_lock<std::mutex>& large) {
    if (auto refused = refusedForLength(request.sql)) return std::move(*refused);
    SqlRunResult result;
    std::string bytes;
    bool timedOut = false;
    const int patience = static_cast<int>(std::ceil(request.limits.seconds * 1000)) + 250;
    if (sendMessage(m_socket, encodeRequest(request)) &&
        receiveMessageWithin(m_socket, bytes, kMaxResultBytes, patience, timedOut)) {
      if (bytes.size() > kLargeResultBytes && !large.owns_lock()) large.lock();
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

// Groups of one database lie together, so that a worker serves many; long rows of them are cut, so that
// several workers share them.
std::vector<std::vector<std::size_t>> sharesOf(const std::vector<SqlRunGroup>& groups) {
  constexpr std::size_t kMostQueries = 64;
  std::map<std::string, std::vector<std::size_t>> byDatabase;
  for (std::size_t i = 0; i < groups.size(); ++i) byDatabase[groups[i].database].push_back(i);
  std::vector<std::vector<std::size_t>> shares;
  for (const auto& [database, all] : byDatabase) {
    std::size_t queries = kMostQueries;
    for (const std::size_t i : all) {
      if (queries >= kMostQueries) {
        shares.emplace_back();
        queries = 0;
      }
      shares.back().push_back(i);
      queries += groups[i].queries.size();
    }
  }
  return shares;
}

}  // namespace

struct SqlRunPool::State {
  SqlRunPoolOptions options;
  std::string folder;
  std::mutex large;  // held by who has large results unpacked
  std::mutex mutex;  // of everything below
  struct Copy {
    std::string path;
    Phrase fault;
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
      copy.fault = Phrase::words(database + ": " + code.message());
    } else {
      fs::permissions(copy.path, fs::perms::owner_read | fs::perms::owner_write, code);
      const pid_t pid = spawnProgram(options.program, "--prepare", copy.path, -1);
      const int status = pid > 0 ? waitChild(pid) : 1;
      if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        copy.fault = Phrase::tr("%1 is no sound SQLite database")(database);
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
  for (const char* place : {"fathom-sqlrun", "../bin/fathom-sqlrun", "../libexec/fathom/fathom-sqlrun"}) {
    const fs::path path = (programFolder() / fs::path(place)).lexically_normal();
    if (fileExists(path)) return path.string();
  }
  return {};
}

Result<std::unique_ptr<SqlRunPool>> SqlRunPool::start(const SqlRunPoolOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  if (state->options.program.empty()) state->options.program = findSqlRunProgram();
  if (access(state->options.program.c_str(), X_OK) != 0) {
    return unavailableError(Phrase::tr("fathom-sqlrun is not there"),
                            Phrase::tr("it is installed beside fathom; FATHOM_SQLRUN names another place"));
  }
  std::error_code code;
  std::string folder = (fs::temp_directory_path(code) / "fathom-sqlrun-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return systemError(Phrase::tr("cannot make a folder for copies of databases"), folder, errno);
  state->folder = folder;
  return std::unique_ptr<SqlRunPool>(new SqlRunPool(std::move(state)));
}

// State that the threads of one call share.
class SqlRunPool::GroupRun {
 public:
  GroupRun(State& state, const std::vector<SqlRunGroup>& groups, const Taker& take, const StopToken& stop)
      : m_state(state), m_groups(groups), m_take(take), m_stop(stop), m_shares(sharesOf(groups)) {}

  Status run(const std::function<void(std::size_t)>& report) {
    const int wanted = std::max(1, std::min(m_state.options.workers, static_cast<int>(m_shares.size())));
    m_running = wanted;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(wanted));
    const auto notStarted = errorThrownBy([&] {
      for (int t = wanted; t > 0; --t) threads.push_back(startThread([this] { work(); }));
    });
    if (notStarted) {  // fewer threads do it, too; without any it is done here, and told when it is done
      const std::lock_guard lock(m_mutex);
      m_running -= wanted - std::max(static_cast<int>(threads.size()), 1);
    }
    if (threads.empty()) work();
    {
      std::unique_lock lock(m_mutex);
      while (m_running > 0) {
        m_changed.wait_for(lock, std::chrono::milliseconds(100));
        if (report) report(m_done);
      }
    }
    for (auto& thread : threads) thread.join();
    if (m_failure) return *m_failure;
    return m_stop.stopRequested() ? Status(interruptedError()) : Status();
  }

 private:
  // A thread takes shares until there are none; nothing that is thrown leaves it.
  void work() {
    const auto thrown = errorThrownBy([this] {
      while (const std::vector<std::size_t>* share = nextShare()) runShare(*share);
    });
    const std::lock_guard lock(m_mutex);
    if (thrown && !m_failure) m_failure = thrown;
    --m_running;
    m_changed.notify_one();
  }

  const std::vector<std::size_t>* nextShare() {
    const std::lock_guard lock(m_mutex);
    const bool more = m_next < m_shares.size() && !m_stop.stopRequested() && !m_failure;
    return more ? &m_shares[m_next++] : nullptr;
  }

  void runShare(const std::vector<std::size_t>& share) {
    const State::Copy copy = m_state.copyOf(m_groups[share.front()].database);
    Worker worker;
    for (const std::size_t group : share) {
      if (m_stop.stopRequested()) return;
      runGroup(group, copy, worker);
      const std::lock_guard lock(m_mutex);
      m_done += m_groups[group].queries.size();
      m_changed.notify_one();
    }
  }

  void runGroup(std::size_t group, const State::Copy& copy, Worker& worker) {
    const std::vector<std::string>& queries = m_groups[group].queries;
    std::unique_lock large(m_state.large, std::defer_lock);
    SqlRunResult first;
    bool firstIsLarge = false;
    for (std::size_t q = 0; q < queries.size() && !m_stop.stopRequested(); ++q) {
      const bool same = q > 0 && queries[q] == queries.front();
      SqlRunResult other;
      SqlRunResult& result = q == 0 || same ? first : other;
      if (!same) result = runQuery(queries[q], copy, worker, large);
      if (q == 0) firstIsLarge = large.owns_lock();
      if (!m_take(group, q, first, result)) return;
      other = {};
      if (large.owns_lock() && !firstIsLarge) large.unlock();
    }
  }

  SqlRunResult runQuery(const std::string& sql, const State::Copy& copy, Worker& worker,
                        std::unique_lock<std::mutex>& large) {
    Phrase fault = copy.fault;
    if (fault.empty() && !worker.alive()) {
      fault = worker.start(m_state.options.program, copy.path);
      if (fault.empty()) m_state.noteSandbox(worker);
    }
    if (fault.empty()) return worker.run({sql, m_state.options.limits}, large);
    worker.stop();
    SqlRunResult result;
    result.verdict = SqlVerdict::NoDatabase;
    result.message = fault.english();
    return result;
  }

  State& m_state;
  const std::vector<SqlRunGroup>& m_groups;
  const Taker& m_take;
  const StopToken& m_stop;
  const std::vector<std::vector<std::size_t>> m_shares;
  std::mutex m_mutex;  // of what follows
  std::condition_variable m_changed;
  std::size_t m_next = 0, m_done = 0;
  int m_running = 0;
  std::optional<Error> m_failure;
};

Status SqlRunPool::runGroups(const std::vector<SqlRunGroup>& groups, const Taker& take, const StopToken& stop,
                             const std::function<void(std::size_t)>& report) {
  return GroupRun(*m_state, groups, take, stop).run(report);
}

Result<std::vector<SqlRunResult>> SqlRunPool::runAll(const std::vector<SqlRunTask>& tasks,
                                                     const StopToken& stop) {
  std::vector<SqlRunGroup> groups;
  for (const SqlRunTask& task : tasks) groups.push_back({task.database, {task.sql}});
  std::vector<SqlRunResult> results(tasks.size());
  FATHOM_CHECK(runGroups(
      groups,
      [&results](std::size_t group, std::size_t, const SqlRunResult&, SqlRunResult& result) {
        results[group] = std::move(result);
        return true;
      },
      stop));
  return results;
}

Result<Json> SqlRunPool::schemaFacts(const std::string& database) {
  const State::Copy copy = m_state->copyOf(database);
  if (!copy.fault.empty()) return dataError(copy.fault);
  Worker worker;
  const Phrase fault = worker.start(m_state->options.program, copy.path);
  if (!fault.empty()) return dataError(Phrase::list({database, fault}, ": "));
  m_state->noteSandbox(worker);
  return worker.hello().value("facts", Json::object());
}

std::string SqlRunPool::sandboxText() const {
  const std::lock_guard lock(m_state->mutex);
  return m_state->sandbox;
}

}  // namespace fathom
