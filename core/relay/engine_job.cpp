// SPDX-License-Identifier: Apache-2.0
#include "core/relay/engine_job.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json_members.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shell_word.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

extern char** environ;

namespace fathom {

namespace {

constexpr std::uint64_t kMostWords = 4096;
constexpr const char* kConfigWord = "%CONFIG%";
constexpr const char* kSuffixes[] = {".claim", ".pid", ".json", ".sh", ".log", ".code"};

// The shell's lines come first; the engine is its last command, so that its code can be written down.
std::string scriptOf(const EngineStart& start) {
  return "fathom_code=$1\nshift\n" + textBeforeEngine(start.before, start.libraries) +
         "\"$@\"\ncode=$?\necho \"$code\" >\"$fathom_code.new\" && mv \"$fathom_code.new\" "
         "\"$fathom_code\"\n";
}

struct ShellImage {
  std::vector<std::string> words, variables;
  std::vector<char*> argv, envp;
  void close() {
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& text : variables) envp.push_back(text.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }
};

// In the child: the lock of the claim goes with it, everything else stays behind.
[[noreturn]] void becomeShell(ShellImage& image, int claim, int log, int nice, int failure) {
  setsid();
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  for (int fd = 3; fd < 256; ++fd)
    if (fd != claim) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(claim, F_SETFD, 0);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD}) ::signal(number, SIG_DFL);
  if (nice != 0 && ::nice(nice) == -1) errno = 0;
  ::execve(image.words[0].c_str(), image.argv.data(), image.envp.data());
  const int code = errno;
  [[maybe_unused]] const auto told = ::write(failure, &code, sizeof code);
  ::_exit(127);
}

// Number of the process, by the second of two forks: nobody's child.
Result<pid_t> detached(ShellImage& image, int claim, int log, int nice) {
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0) return systemError(Phrase::tr("cannot start"), image.words[0], errno);
  const pid_t middle = ::fork();
  if (middle == 0) {
    const pid_t pid = ::fork();
    if (pid == 0) becomeShell(image, claim, log, nice, failure[1]);
    const int told = pid < 0 ? errno : -static_cast<int>(pid);
    [[maybe_unused]] const auto written = ::write(failure[1], &told, sizeof told);
    ::_exit(0);
  }
  const int forkCode = errno;
  ::close(failure[1]);
  pid_t pid = 0;
  int code = middle < 0 ? forkCode : 0, told = 0;
  while (middle > 0 && ::read(failure[0], &told, sizeof told) == sizeof told)
    (told < 0 ? pid : code) = std::abs(told);
  ::close(failure[0]);
  while (middle > 0 && ::waitpid(middle, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (code != 0 || pid == 0) return systemError(Phrase::tr("cannot start"), image.words[0], code);
  return pid;
}

std::string_view firstLineOf(const std::string& text) {
  std::string_view line;
  LinesOf(text).next(line);
  return line;
}

Json holderJson(const ProcessIdentity& holder) {
  return {{"pid", holder.pid},
          {"host", holder.host},
          {"boot_id", holder.bootId},
          {"start_time", holder.startTime}};
}

bool isHeld(const std::string& claim) {
  const auto opened = openInput(claim);
  if (!opened.ok()) return false;
  const bool held = ::flock(*opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(*opened);
  return held;
}

}  // namespace

bool holdsRun(const std::string& folder, const std::string& uuid) {
  if (uuid.empty()) return true;
  const auto identity = RunFolder(folder).identity();
  return !identity.ok() || identity->uuid == uuid;
}

std::string lastBytes(const std::string& path, std::uint64_t most) {
  const auto bytes = fileBytes(path);
  const auto file = RegularFile::open(path);
  if (!file.ok()) return {};
  const std::uint64_t from = bytes > most ? bytes - most : 0;
  std::string text(static_cast<std::size_t>(bytes - from), '\0');
  const auto got = file->readAt(from, text.data(), text.size());
  text.resize(got.ok() ? *got : 0);
  return text;
}

// Modules and environments are set up by what a login shell reads.
std::vector<std::string> shellOf(const std::vector<std::string>& before) {
  if (!before.empty() && fileExists("/bin/bash")) return {"/bin/bash", "-l"};
  return {"/bin/sh"};
}

std::string textBeforeEngine(const std::vector<std::string>& before, const std::string& libraries) {
  std::string text;
  if (!before.empty()) {
    text = "{ :\n";  // a group must not be empty, and lines may be comments
    for (const std::string& line : before) text += line + "\n";
    text += "} >&2\n";
  }
  if (!libraries.empty())
    text += "export LD_LIBRARY_PATH=" + shellWord(libraries) + "\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\n";
  return text;
}

EngineJobs::EngineJobs(std::string root) : m_folder(std::move(root) + "/start") {}

std::string EngineJobs::file(const std::string& token, const char* suffix) const {
  return m_folder + "/" + token + suffix;
}

std::optional<ProcessIdentity> EngineJobs::shellProcess(const std::string& token) const {
  const auto shell = readJsonFile(file(token, ".pid"));
  if (!shell.ok() || !shell->is_object()) return std::nullopt;
  return ProcessIdentity{memberInteger(*shell, "pid"), memberText(*shell, "host"),
                         memberText(*shell, "boot_id"), memberText(*shell, "start_time")};
}

Result<bool> EngineJobs::start(const EngineStart& start) const {
  FATHOM_CHECK(makeFolders(m_folder));
  FATHOM_CHECK(makeFolders(start.run.substr(0, start.run.rfind('/'))));
  const std::string claim = file(start.token, ".claim"), log = file(start.token, ".log");
  const int claimed = ::open(claim.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (claimed < 0 && errno == EEXIST) return false;
  if (claimed < 0) return systemError(Phrase::tr("cannot write"), claim, errno);
  const auto fail = [&](const Error& error) {
    ::close(claimed);
    forget(start.token);
    return error;
  };
  if (::flock(claimed, LOCK_EX | LOCK_NB) != 0)
    return fail(systemError(Phrase::tr("the file system keeps no locks:"), claim, errno));
  if (!start.config.empty())
    if (const Status written = writeFileAtomically(file(start.token, ".json"), start.config); !written.ok())
      return fail(written.error());
  if (const Status written = writeFileAtomically(file(start.token, ".sh"), scriptOf(start)); !written.ok())
    return fail(written.error());
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (out < 0) return fail(systemError(Phrase::tr("cannot write"), log, errno));
  ShellImage image{shellOf(start.before), {}, {}, {}};
  image.words.push_back(file(start.token, ".sh"));
  image.words.push_back(file(start.token, ".code"));
  for (const std::string& word : start.command)
    image.words.push_back(word == kConfigWord ? file(start.token, ".json") : word);
  std::map<std::string, std::string> values;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    values[text.substr(0, text.find('='))] = text;
  }
  for (const auto& [name, value] : start.environment) values[name] = name + "=" + value;
  for (const auto& [name, text] : values) image.variables.push_back(text);
  image.close();
  const auto pid = detached(image, claimed, out, start.nice);
  ::close(out);
  if (!pid.ok()) return fail(pid.error());
  ::close(claimed);
  (void)writeFileAtomically(file(start.token, ".pid"), holderJson(processWithId(*pid)).dump() + "\n").ok();
  return true;
}

Json EngineJobs::state(const std::string& run, const std::string& token) const {
  const RunFolder folder(run);
  Json state = {{"exists", !run.empty() && folder.exists()}};
  const int attempt = run.empty() ? 0 : folder.lastAttempt();
  state["attempt"] = attempt;
  state["outcome"] = attempt > 0 && fileExists(folder.outcomePath(attempt));
  if (!run.empty())
    if (const auto holder = runLockHolder(run)) state["holder"] = holderJson(*holder);
  if (token.empty()) return state;
  const bool alive = isHeld(file(token, ".claim"));
  state["claimed"] = fileExists(file(token, ".claim"));
  state["begun"] = fileExists(file(token, ".pid"));
  if (const auto shell = shellProcess(token)) state["rebooted"] = shell->bootId != bootId();
  state["alive"] = alive;
  if (const auto code = readFile(file(token, ".code"), 64))
    if (const auto number = numberFrom<int>(firstLineOf(*code))) state["code"] = *number;
  if (!alive) state["words"] = lastBytes(file(token, ".log"), kMostWords);
  return state;
}

Status EngineJobs::kill(const std::string& run, const std::string& token) const {
  // Engine and shell are one group.
  if (const auto shell = shellProcess(token); shell && shell->pid > 1 && processLives(*shell))
    ::kill(-static_cast<pid_t>(shell->pid), SIGKILL);
  if (run.empty()) return {};
  const auto holder = runLockHolder(run);
  if (!holder || holder->foreign || !processLives(*holder)) return {};
  if (::kill(static_cast<pid_t>(holder->pid), SIGKILL) == 0 || errno == ESRCH) return {};
  return systemError(Phrase::tr("cannot end the engine of"), run, errno);
}

void EngineJobs::forget(const std::string& token) const {
  for (const char* suffix : kSuffixes) ::unlink(file(token, suffix).c_str());
}

}  // namespace fathom
