// SPDX-License-Identifier: Apache-2.0
#include "core/record/run_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/base/atomic_file.h"
#include "core/base/input_file.h"
#include "core/base/path_facts.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxSocketPath = 107;
// Somebody who only asks holds the lock for microseconds; a real holder keeps it.
constexpr int kAcquireTries = 40;
constexpr useconds_t kAcquirePause = 5000;

std::string hostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string bootId() {
  auto text = readFile("/proc/sys/kernel/random/boot_id", 256);
  if (!text.ok()) return {};
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return *text;
}

// Field 22 of /proc/PID/stat, counted after the program name, which may hold spaces and brackets.
std::string processStart(std::int64_t pid) {
  const auto text = readFile("/proc/" + std::to_string(pid) + "/stat", 1 << 16);
  if (!text.ok()) return {};
  std::size_t at = text->rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = text->find(' ', at + 1);
  if (at == std::string::npos) return {};
  return text->substr(at + 1, text->find(' ', at + 1) - at - 1);
}

LockHolder readHolder(int fd) {
  char buffer[4096];
  const ssize_t count = ::pread(fd, buffer, sizeof buffer, 0);
  LockHolder holder;
  if (count <= 0) return holder;
  const auto json = parseJson(std::string_view(buffer, static_cast<std::size_t>(count)));
  if (!json.ok() || !json->is_object()) return holder;
  const auto text = [&](const char* key) {
    const auto it = json->find(key);
    return it != json->end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  if (const auto it = json->find("pid"); it != json->end() && it->is_number_integer())
    holder.pid = it->get<std::int64_t>();
  holder.host = text("host");
  holder.bootId = text("boot_id");
  holder.startTime = text("start_time");
  holder.socketPath = text("socket");
  holder.foreign = !holder.host.empty() && holder.host != hostName();
  return holder;
}

Error heldError(const std::string& runPath, const LockHolder& holder) {
  Error error = unavailableError("run " + runPath + " is in use by process " + std::to_string(holder.pid) +
                                     (holder.host.empty() ? "" : " on " + holder.host),
                                 "stop that process first, or wait until it ends");
  error.file = runPath;
  return error;
}

Error openError(const std::string& runPath, const Error& opening) {
  const std::string lock = runPath + "/lock";
  const bool refused = ::access(fileExists(lock) ? lock.c_str() : runPath.c_str(), W_OK) != 0;
  if (refused && (errno == EROFS || errno == EACCES || errno == EPERM)) {
    Error error = unavailableError("run folder " + runPath + " is read-only",
                                   "copy it to a folder you can write to, or change its permissions");
    error.file = runPath;
    return error;
  }
  return opening;
}

// True when `folder` is ours alone: a real folder, of this user, closed to others.
bool privateFolder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  struct stat info {};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & 077) == 0;
}

Status sendToSocket(const std::string& path, const std::string& line) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() > kMaxSocketPath) return unavailableError("the run has no control socket");
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return systemError("cannot open socket", path, errno);
  const timeval limit{5, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  int code = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  if (code == 0) {
    const ssize_t sent = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(line.size())) code = sent < 0 ? errno : EIO;
  }
  ::close(fd);
  if (code != 0) return systemError("cannot reach the run at", path, code);
  return {};
}

// The way in when the socket is gone: the same wishes as signals, to the very process that holds the lock.
Status signalHolder(const LockHolder& holder, const std::string& command, const Error& socketError) {
  const bool same = holder.pid > 0 && !holder.foreign && holder.bootId == bootId() &&
                    holder.startTime == processStart(holder.pid);
  if (!same || command == "checkpoint") return socketError;
  const int number = command == "stop" ? SIGTERM : SIGKILL;
  if (::kill(static_cast<pid_t>(holder.pid), number) != 0)
    return systemError("cannot signal process " + std::to_string(holder.pid) + " of", holder.socketPath,
                       errno);
  return {};
}

}  // namespace

Result<std::unique_ptr<RunLock>> RunLock::acquire(const std::string& runPath, const std::string& socketPath) {
  const std::string path = runPath + "/lock";
  const Result<int> opened = openLockFile(path);
  if (!opened.ok()) return openError(runPath, opened.error());
  const int fd = *opened;
  int tries = 0;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    if (code == EINTR) continue;
    if (code != EWOULDBLOCK || ++tries >= kAcquireTries) {
      const LockHolder holder = readHolder(fd);
      ::close(fd);
      if (code == EWOULDBLOCK) return heldError(runPath, holder);
      return systemError("cannot lock run", runPath, code);
    }
    ::usleep(kAcquirePause);
  }
  Json json = Json::object();
  json["pid"] = ::getpid();
  json["host"] = hostName();
  json["boot_id"] = bootId();
  json["start_time"] = processStart(::getpid());
  json["socket"] = socketPath;
  std::unique_ptr<RunLock> lock(new RunLock(fd));
  if (::ftruncate(fd, 0) != 0) return systemError("cannot write the lock of run", runPath, errno);
  FATHOM_CHECK(writeAll(fd, json.dump() + "\n", path));
  return lock;
}

RunLock::~RunLock() {
  ::close(m_fd);
}

std::optional<LockHolder> runLockHolder(const std::string& runPath) {
  const Result<int> opened = openInput(runPath + "/lock");
  if (!opened.ok()) return std::nullopt;
  const int fd = *opened;
  std::optional<LockHolder> holder;
  if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) holder = readHolder(fd);
  ::close(fd);
  return holder;
}

Result<std::string> controlSocketPath(const std::string& uuid) {
  const std::string name = "/" + uuid + ".sock";
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/') {
    const std::string folder = std::string(runtime) + "/fathom";
    if (folder.size() + name.size() <= kMaxSocketPath && privateFolder(folder)) return folder + name;
  }
  std::error_code code;
  const std::string folder =
      std::filesystem::temp_directory_path(code).string() + "/fathom-" + std::to_string(::geteuid());
  if (code || folder.size() + name.size() > kMaxSocketPath) {
    return unavailableError("the path of the control socket " + folder + name + " is longer than " +
                                std::to_string(kMaxSocketPath) + " bytes",
                            "set TMPDIR to a shorter folder");
  }
  if (!privateFolder(folder)) {
    return unavailableError(
        "the folder " + folder + " for control sockets belongs to somebody else or is open to others",
        "remove it, or set XDG_RUNTIME_DIR");
  }
  return folder + name;
}

Status sendControl(const std::string& runPath, const std::string& command) {
  if (command != "checkpoint" && command != "stop" && command != "abort")
    return usageError("unknown control command \"" + command + "\"", "one of checkpoint, stop, abort");
  const auto holder = runLockHolder(runPath);
  if (!holder) return usageError("run " + runPath + " is not running");
  if (holder->foreign)
    return usageError("run " + runPath + " is running on " + holder->host, "send the command from there");
  const Status sent = sendToSocket(holder->socketPath, command + "\n");
  return sent.ok() ? sent : signalHolder(*holder, command, sent.error());
}

}  // namespace fathom
