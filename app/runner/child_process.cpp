// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>

#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"

extern char** environ;

namespace fathom {

namespace {

using Clock = std::chrono::steady_clock;

// Everything exec needs, made before fork: after it only async-signal-safe calls are allowed.
class ExecImage {
 public:
  explicit ExecImage(const ChildSpec& spec)
      : m_program(spec.program), m_folder(spec.folder), m_nice(spec.nice) {
    m_words.push_back(spec.program);
    m_words.insert(m_words.end(), spec.arguments.begin(), spec.arguments.end());
    std::map<std::string, std::string> values;
    for (char** entry = environ; *entry; ++entry) {
      const std::string text = *entry;
      values[text.substr(0, text.find('='))] = text;
    }
    for (const auto& [name, value] : spec.environment) values[name] = name + "=" + value;
    for (auto& [name, text] : values) m_environment.push_back(text);
    for (std::string& word : m_words) m_argv.push_back(word.data());
    for (std::string& text : m_environment) m_envp.push_back(text.data());
    m_argv.push_back(nullptr);
    m_envp.push_back(nullptr);
  }

  // In the child; returns only when exec failed.
  void exec() {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGCHLD}) signal(number, SIG_DFL);
    if (m_nice != 0 && nice(m_nice) == -1) errno = 0;  // staying at our own priority is no reason to fail
    if (!m_folder.empty() && chdir(m_folder.c_str()) != 0) return;
    execve(m_program.c_str(), m_argv.data(), m_envp.data());
  }

 private:
  std::string m_program, m_folder;
  int m_nice;
  std::vector<std::string> m_words, m_environment;
  std::vector<char*> m_argv, m_envp;
};

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
  }
  ~Pipe() {
    closeRead();
    closeWrite();
  }
  void closeRead() {
    if (read >= 0) close(read);
    read = -1;
  }
  void closeWrite() {
    if (write >= 0) close(write);
    write = -1;
  }
};

// In the child: descriptors above 2 that are not close-on-exec must not leak into a process that outlives us.
void closeOthers() {
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
}

void redirectToNull(int errorFd) {
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(errorFd >= 0 ? errorFd : null, STDERR_FILENO);
}

// No room for one more process is no fault of the disk.
Error forkError(const std::string& program, int errnoValue) {
  if (errnoValue == EAGAIN || errnoValue == ENOMEM)
    return memoryError(Phrase::tr("the system gives no further process for %1: %2")(
                           program, std::string(std::strerror(errnoValue))),
                       Phrase::tr("end other programs, or raise the limit of processes (ulimit -u)"));
  return systemError(Phrase::tr("cannot start"), program, errnoValue);
}

Result<int> openErrorFile(const std::string& path) {
  if (path.empty()) return -1;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot open for the messages of a program"), path, errno);
  return fd;
}

[[noreturn]] void reportAndLeave(int fd) {
  const int code = errno;
  [[maybe_unused]] const auto written = write(fd, &code, sizeof code);
  _exit(127);
}

// Reads errno of a failed exec from the pipe; nothing arrives when exec worked (close-on-exec).
int execError(int fd) {
  int code = 0;
  ssize_t got = 0;
  do got = read(fd, &code, sizeof code);
  while (got < 0 && errno == EINTR);
  return got == sizeof code ? code : 0;
}

struct Collector {
  int fd;
  std::string* into;
  bool tailOnly;
};

// False at the end of the stream.
bool drain(Collector& from) {
  char buffer[65536];
  const ssize_t got = read(from.fd, buffer, sizeof buffer);
  if (got <= 0) return got < 0 && (errno == EINTR || errno == EAGAIN);
  from.into->append(buffer, static_cast<std::size_t>(got));
  if (from.tailOnly && from.into->size() > 8192) from.into->erase(0, from.into->size() - 4096);
  return true;
}

// Reads both streams until they end; false when the deadline, a stop request or the size limit came first.
bool collect(Collector out, Collector err, const ChildLimits& limits, const StopToken& stop, bool& timedOut) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(limits.seconds);
  bool outOpen = true, errOpen = true;
  while (outOpen || errOpen) {
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    timedOut = left <= 0;
    if (timedOut || stop.stopRequested() || out.into->size() > limits.maxOutputBytes) return false;
    pollfd polls[2] = {{outOpen ? out.fd : -1, POLLIN, 0}, {errOpen ? err.fd : -1, POLLIN, 0}};
    if (poll(polls, 2, static_cast<int>(std::min(left * 1000 + 1, 50.0))) <= 0) continue;
    if (polls[0].revents) {
      outOpen = drain(out);
      if (limits.watch) limits.watch(*out.into);
    }
    if (polls[1].revents) errOpen = drain(err);
  }
  return true;
}

// Waits for the child until the deadline (it may close its streams and go on), then kills its group.
int waitOrKill(pid_t pid, double seconds, bool killNow, bool& timedOut) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  while (!killNow) {
    const pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid || (done < 0 && errno != EINTR)) return exitCodeOfStatus(status);
    if (Clock::now() > deadline) timedOut = killNow = true;
    if (!killNow) usleep(2000);
  }
  if (kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL);  // not every child has a group of its own
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return exitCodeOfStatus(status);
}

}  // namespace

Result<ChildOutput> runChild(const ChildSpec& spec, const ChildLimits& limits, const StopToken& stop) {
  ExecImage image(spec);
  Pipe out, err, failure;
  if (out.read < 0 || err.read < 0 || failure.read < 0) {
    return systemError(Phrase::tr("cannot make a pipe for"), spec.program, errno);
  }
  const pid_t pid = fork();
  if (pid < 0) return forkError(spec.program, errno);
  if (pid == 0) {
    setpgid(0, 0);
    redirectToNull(-1);
    dup2(out.write, STDOUT_FILENO);
    dup2(err.write, STDERR_FILENO);
    image.exec();
    reportAndLeave(failure.write);
  }
  setpgid(pid, pid);
  out.closeWrite();
  err.closeWrite();
  failure.closeWrite();
  ChildOutput output;
  const int code = execError(failure.read);
  const bool complete = code == 0 && collect({out.read, &output.out, false}, {err.read, &output.err, true},
                                             limits, stop, output.timedOut);
  output.exitCode = waitOrKill(pid, code == 0 ? limits.seconds : 1, !complete, output.timedOut);
  if (code != 0) return systemError(Phrase::tr("cannot start"), spec.program, code);
  if (stop.stopRequested()) return interruptedError();
  if (output.out.size() > limits.maxOutputBytes) {
    return dataError(Phrase::tr("%1 wrote more than %2 MiB")(spec.program, limits.maxOutputBytes >> 20));
  }
  return output;
}

Result<int> startChild(const ChildSpec& spec) {
  ExecImage image(spec);
  Pipe failure;
  if (failure.read < 0) return systemError(Phrase::tr("cannot make a pipe for"), spec.program, errno);
  FATHOM_TRY(const int errorFd, openErrorFile(spec.stderrPath));
  // The lock is of the open file, which is the child's, too, and its alone from when it is closed here.
  if (spec.holds && errorFd >= 0) ::flock(errorFd, LOCK_EX | LOCK_NB);
  const pid_t pid = fork();
  if (pid == 0) {
    setsid();
    redirectToNull(errorFd);
    if (spec.keepOutput) dup2(STDERR_FILENO, STDOUT_FILENO);
    closeOthers();
    image.exec();
    reportAndLeave(failure.write);
  }
  const int code = errno;
  if (errorFd >= 0) close(errorFd);
  if (pid < 0) return forkError(spec.program, code);
  failure.closeWrite();
  if (const int execCode = execError(failure.read); execCode != 0) {
    waitpid(pid, nullptr, 0);
    return systemError(Phrase::tr("cannot start"), spec.program, execCode);
  }
  return pid;
}

bool isHeldByChild(const std::string& stderrPath) {
  const auto file = openInput(stderrPath);
  if (!file.ok()) return false;
  const bool held = ::flock(*file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(*file);
  return held;
}

Result<int> startDetached(const ChildSpec& spec) {
  ExecImage image(spec);
  Pipe failure, grandchild;
  if (failure.read < 0 || grandchild.read < 0)
    return systemError(Phrase::tr("cannot make a pipe for"), spec.program, errno);
  FATHOM_TRY(const int errorFd, openErrorFile(spec.stderrPath));
  const pid_t middle = fork();
  if (middle == 0) {
    setsid();
    const pid_t pid = fork();
    if (pid < 0) reportAndLeave(failure.write);
    if (pid > 0) {
      [[maybe_unused]] const auto written = write(grandchild.write, &pid, sizeof pid);
      _exit(0);
    }
    redirectToNull(errorFd);
    closeOthers();
    image.exec();
    reportAndLeave(failure.write);
  }
  const int forkCode = errno;
  if (errorFd >= 0) close(errorFd);
  if (middle < 0) return forkError(spec.program, forkCode);
  failure.closeWrite();
  grandchild.closeWrite();
  while (waitpid(middle, nullptr, 0) < 0 && errno == EINTR) {
  }
  // EAGAIN and ENOMEM are of the second fork or of an exec without memory.
  if (const int code = execError(failure.read); code != 0) return forkError(spec.program, code);
  return execError(grandchild.read);  // an int through a pipe again: the pid
}

Result<PipedChild> startPiped(const ChildSpec& spec, bool ownSession) {
  ExecImage image(spec);
  Pipe in, out, err, failure;
  if (in.read < 0 || out.read < 0 || err.read < 0 || failure.read < 0)
    return systemError(Phrase::tr("cannot make a pipe for"), spec.program, errno);
  const pid_t pid = fork();
  if (pid < 0) return forkError(spec.program, errno);
  if (pid == 0) {
    if (ownSession) setsid();
    dup2(in.read, STDIN_FILENO);
    dup2(out.write, STDOUT_FILENO);
    dup2(err.write, STDERR_FILENO);
    closeOthers();
    image.exec();
    reportAndLeave(failure.write);
  }
  failure.closeWrite();
  if (const int code = execError(failure.read); code != 0) {
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return systemError(Phrase::tr("cannot start"), spec.program, code);
  }
  PipedChild child{pid, std::exchange(in.write, -1), std::exchange(out.read, -1),
                   std::exchange(err.read, -1)};
  for (const int fd : {child.in, child.out, child.err}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  return child;
}

int endPiped(PipedChild& child, double seconds) {
  for (int* fd : {&child.in, &child.out, &child.err})
    if (*fd >= 0) close(std::exchange(*fd, -1));
  bool timedOut = false;
  const int pid = std::exchange(child.pid, 0);
  return pid > 0 ? waitOrKill(pid, seconds, false, timedOut) : -1;
}

int exitCodeOfStatus(int waitStatus) {
  if (WIFSIGNALED(waitStatus)) return 128 + WTERMSIG(waitStatus);
  return WEXITSTATUS(waitStatus);
}

Phrase describeExit(int exitCode) {
  if (exitCode <= 128) return Phrase::tr("left with exit code %1")(exitCode);
  const int number = exitCode - 128;
  return Phrase::tr("was ended by signal %1 (%2)")(number, std::string(strsignal(number)));
}

std::string siblingProgram(const std::string& name) {
  std::error_code error;
  const std::filesystem::path folder = programFolder();
  for (const auto& candidate : {folder / name, folder / ".." / "bin" / name}) {
    if (std::filesystem::is_regular_file(candidate, error)) return candidate.lexically_normal();
  }
  return {};
}

Result<std::string> fathomProgram() {
  std::string path = siblingProgram("fathom");
  if (path.empty()) return unavailableError(Phrase::tr("the program fathom was not found beside this one"));
  return path;
}

}  // namespace fathom
