// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/run_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxSocketPath = 107;
constexpr std::size_t kUuidLength = 36;
constexpr const char* kUuidLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";
constexpr std::size_t kMarkLength = 8;
constexpr std::size_t kSocketName = 1 + kUuidLength + 1 + kMarkLength + 5;  // "/<uuid>-<mark>.sock"
constexpr const char* kSocketEnd = ".sock";
// Somebody who only asks holds the lock for microseconds; a real holder keeps it.
constexpr int kAcquireTries = 40;
constexpr useconds_t kAcquirePause = 5000;

LockHolder readHolder(int fd) {
  char buffer[4096];
  const ssize_t count = ::pread(fd, buffer, sizeof buffer, 0);
  LockHolder holder;
  if (count <= 0) return holder;
  const auto json = parseJson(std::string_view(buffer, static_cast<std::size_t>(count)));
  if (!json.ok() || !json->is_object()) return holder;
  holder.pid = memberInteger(*json, "pid", holder.pid);
  holder.host = memberText(*json, "host");
  holder.bootId = memberText(*json, "boot_id");
  holder.startTime = memberText(*json, "start_time");
  holder.socketPath = memberText(*json, "socket");
  holder.looksForWishes = memberFlag(*json, "control", false);
  holder.foreign = !holder.host.empty() && holder.host != hostName();
  return holder;
}

Error heldError(const std::string& runPath, const LockHolder& holder) {
  return aboutFile(
      runPath, unavailableError(
                   holder.host.empty()
                       ? Phrase::tr("run %1 is in use by process %2")(runPath, holder.pid)
                       : Phrase::tr("run %1 is in use by process %2 on %3")(runPath, holder.pid, holder.host),
                   Phrase::tr("stop that process first, or wait until it ends")));
}

Error openError(const std::string& runPath, const Error& opening) {
  const std::string lock = runPath + "/" + kRunLockName;
  const bool refused = ::access(fileExists(lock) ? lock.c_str() : runPath.c_str(), W_OK) != 0;
  if (refused && (errno == EROFS || errno == EACCES || errno == EPERM)) {
    return aboutFile(
        runPath,
        unavailableError(Phrase::tr("run folder %1 is read-only")(runPath),
                         Phrase::tr("copy it to a folder you can write to, or change its permissions")));
  }
  return opening;
}

// Why the sockets of this user cannot lie in `folder`, which is made where it is not there; "" when they can:
// a real folder of this user, closed to others, and short enough.
std::string folderFault(const std::string& folder) {
  if (folder.size() + kSocketName > kMaxSocketPath) {
    return folder + "/<run>.sock would be longer than " + std::to_string(kMaxSocketPath) +
           " bytes, which is the most a socket may have";
  }
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder + " cannot be made: " + std::strerror(errno);
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0) return folder + " cannot be looked at: " + std::strerror(errno);
  if (!S_ISDIR(info.st_mode)) return folder + " is not a folder";
  if (info.st_uid != ::geteuid()) return folder + " belongs to user " + std::to_string(info.st_uid);
  if ((info.st_mode & 077) != 0) return folder + " is open to others";
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return folder + " cannot be written to: " + std::strerror(errno);
  return {};
}

std::vector<std::string> temporaryFolders() {
  std::vector<std::string> folders;
  std::error_code code;
  const std::string named = std::filesystem::temp_directory_path(code).string();
  if (!code && !named.empty()) folders.push_back(named);
  if (folders.empty() || folders[0] != "/tmp") folders.emplace_back("/tmp");
  return folders;
}

std::string userFolderName() {
  return "fathom-" + std::to_string(::geteuid());
}

// $XDG_RUNTIME_DIR/fathom, or "".
std::string runtimeFolder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  return runtime != nullptr && *runtime == '/' ? std::string(runtime) + "/fathom" : std::string();
}

// The first folder that is usable, and why those before it are not. The names are fixed, so that the next run
// takes the same, but for the last one, which nobody can have taken.
std::string socketFolder(std::string& faults) {
  constexpr int kSpares = 9;
  std::vector<std::string> candidates;
  if (const std::string runtime = runtimeFolder(); !runtime.empty()) candidates.push_back(runtime);
  for (const std::string& folder : temporaryFolders()) {
    candidates.push_back(folder + "/" + userFolderName());
    for (int i = 1; i <= kSpares; ++i)
      candidates.push_back(folder + "/" + userFolderName() + "-" + std::to_string(i));
  }
  for (const std::string& folder : candidates) {
    const std::string fault = folderFault(folder);
    if (fault.empty()) return folder;
    // Nine times the same says no more than once.
    const bool spare = !folder.ends_with(userFolderName()) && folder != runtimeFolder();
    if (!spare) faults += (faults.empty() ? "" : "; ") + fault;
  }
  for (const std::string& folder : temporaryFolders()) {
    std::string pattern = folder + "/" + userFolderName() + "-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) continue;
    if (folderFault(pattern).empty()) return pattern;
    ::rmdir(pattern.c_str());
  }
  return {};
}

// A run from elsewhere may call itself anything.
std::string socketStem(const std::string& uuid) {
  const bool plain = uuid.size() <= kUuidLength && uuid.find_first_not_of(kUuidLetters) == std::string::npos;
  return plain ? uuid : sha256Hex(uuid).substr(0, kUuidLength);
}

// "-" and some letters that only this folder has on this machine; "" where it cannot be looked at.
std::string folderMark(const std::string& runPath) {
  struct stat info {};
  if (runPath.empty() || ::stat(runPath.c_str(), &info) != 0) return {};
  const std::string place = std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino);
  return "-" + sha256Hex(place).substr(0, kMarkLength);
}

// The mark in the name of a run's socket; "" in that of an older program, which had the UUID alone.
std::string markOf(const std::string& socket) {
  const std::string name = std::filesystem::path(socket).stem().string();
  if (name.size() <= kUuidLength || name[name.size() - kMarkLength - 1] != '-') return {};
  return name.substr(name.size() - kMarkLength - 1);
}

bool isSocketOf(const std::string& name, const std::string& stem) {
  if (!name.starts_with(stem) || !name.ends_with(kSocketEnd)) return false;
  const std::string rest = name.substr(stem.size(), name.size() - stem.size() - std::strlen(kSocketEnd));
  return rest.empty() || (rest.size() == kMarkLength + 1 && rest[0] == '-');
}

// Who serves a socket, as the kernel has noted it; 0 where it cannot tell.
std::int64_t servingProcess(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

bool isServed(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() > kMaxSocketPath) return false;
  std::memcpy(address.sun_path, socket.c_str(), socket.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return true;
  const bool refused = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
                       errno == ECONNREFUSED;
  ::close(fd);
  return !refused;
}

Status sendToSocket(const std::string& runPath, const LockHolder& holder, const std::string& line) {
  const std::string& path = holder.socketPath;
  const std::string mark = markOf(path);
  const Error strange = unavailableError(Phrase::tr("the control socket of run %1 is another's")(runPath));
  if (!mark.empty() && mark != folderMark(runPath)) return strange;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() > kMaxSocketPath)
    return unavailableError(Phrase::tr("the run has no control socket"));
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return systemError(Phrase::tr("cannot open socket"), path, errno);
  const timeval limit{5, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  int code = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  if (code == 0 && mark.empty() && servingProcess(fd) != holder.pid) {
    ::close(fd);
    return strange;
  }
  if (code == 0) {
    const ssize_t sent = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(line.size())) code = sent < 0 ? errno : EIO;
  }
  ::close(fd);
  if (code != 0) return systemError(Phrase::tr("cannot reach the run at"), path, code);
  return {};
}

// The engine of a run that this folder is the copy of: whoever keeps the copy carries wishes there.
std::optional<LockHolder> mirroredHolder(const std::string& runPath) {
  const auto note = mirrorNote(runPath);
  if (!note || !note->running) return std::nullopt;
  LockHolder holder;
  holder.host = note->host;
  holder.foreign = holder.looksForWishes = true;
  return holder;
}

constexpr double kMostClocksDiffer = 3600;  // seconds

// Seconds since 1970 that the last whole line of a log of events names.
std::optional<double> lastLineTime(const std::string& path) {
  constexpr off_t kTail = off_t{256} << 10;
  const Result<int> opened = openInput(path);
  if (!opened.ok()) return std::nullopt;
  const off_t size = ::lseek(*opened, 0, SEEK_END), from = std::max<off_t>(0, size - kTail);
  std::string tail(static_cast<std::size_t>(std::max<off_t>(0, size - from)), '\0');
  const ssize_t count = ::pread(*opened, tail.data(), tail.size(), from);
  ::close(*opened);
  tail.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  const std::size_t end = tail.rfind('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::size_t before = end == 0 ? std::string::npos : tail.rfind('\n', end - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const Json line = Json::parse(tail.substr(begin, end - begin), nullptr, false);
  if (!line.is_object() || !line.contains("t") || !line.at("t").is_number()) return std::nullopt;
  return line.at("t").get<double>();
}

// True if the last attempt goes on and its events were written to within the last minute.
bool heardLately(const std::string& runPath) {
  constexpr time_t kSeconds = 60;
  const RunFolder run(runPath);
  const int attempt = run.lastAttempt();
  struct stat info {};
  if (attempt == 0 || fileExists(run.outcomePath(attempt)) ||
      ::stat(run.eventsPath(attempt).c_str(), &info) != 0)
    return false;
  if (::time(nullptr) - info.st_mtim.tv_sec > kSeconds) return false;
  // A copy has the time of copying: then its last line tells when the run was heard. Clocks may differ.
  const std::optional<double> said = lastLineTime(run.eventsPath(attempt));
  return !said || static_cast<double>(info.st_mtim.tv_sec) - *said <= kMostClocksDiffer;
}

// The way in when the socket is gone: the same wishes as signals, to the very process that holds the lock.
Status signalHolder(const LockHolder& holder, const std::string& command, const Error& socketError) {
  if (!processLives(holder) || command == "checkpoint") return socketError;
  const int number = command == "stop" ? SIGTERM : SIGKILL;
  if (::kill(static_cast<pid_t>(holder.pid), number) != 0)
    return systemError(Phrase::tr("cannot signal process %1 of")(holder.pid), holder.socketPath, errno);
  return {};
}

}  // namespace

Result<std::unique_ptr<RunLock>> RunLock::acquire(const std::string& runPath, const std::string& socketPath) {
  const std::string path = runPath + "/" + kRunLockName;
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
      return systemError(Phrase::tr("cannot lock run"), runPath, code);
    }
    ::usleep(kAcquirePause);
  }
  Json json = Json::object();
  const ProcessIdentity& self = thisProcess();
  json["pid"] = self.pid;
  json["host"] = self.host;
  json["boot_id"] = self.bootId;
  json["start_time"] = self.startTime;
  json["socket"] = socketPath;
  json["control"] = true;
  std::unique_ptr<RunLock> lock(new RunLock(fd, runPath));
  if (::ftruncate(fd, 0) != 0) return systemError(Phrase::tr("cannot write the lock of run"), runPath, errno);
  FATHOM_CHECK(writeAll(fd, json.dump() + "\n", path));
  return lock;
}

RunLock::RunLock(int fd, const std::string& runPath)
    : m_fd(fd),
      m_path(absolutePath(runPath)),
      m_folder(::open(m_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

RunLock::~RunLock() {
  if (m_folder >= 0) ::close(m_folder);
  ::close(m_fd);
}

std::optional<std::string> RunLock::folder() const {
  struct stat held {
  }, there{};
  if (m_folder < 0 || ::fstat(m_folder, &held) != 0) return m_path;
  const auto isHere = [&](const std::string& path) {
    return ::stat(path.c_str(), &there) == 0 && there.st_dev == held.st_dev && there.st_ino == held.st_ino;
  };
  errno = 0;
  if (isHere(m_path) || (errno != 0 && errno != ENOENT && errno != ENOTDIR)) return m_path;
  // The kernel knows by what path a folder that is open can be reached now.
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(m_folder);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  if (length <= 0 || length == sizeof path) return std::nullopt;
  std::string moved(path, static_cast<std::size_t>(length));
  if (!isHere(moved)) return std::nullopt;
  return moved;
}

Error goneError(const std::string& runPath) {
  return aboutFile(runPath,
                   unavailableError(Phrase::tr("the folder of the run is not there any more: %1")(runPath),
                                    Phrase::tr("it was deleted, or moved to another disk, while the run was "
                                               "trained; nothing is written there again")));
}

std::optional<LockHolder> runLockHolder(const std::string& runPath) {
  const Result<int> opened = openInput(runPath + "/" + kRunLockName);
  if (!opened.ok()) return mirroredHolder(runPath);
  const int fd = *opened;
  std::optional<LockHolder> holder;
  if (::flock(fd, LOCK_SH | LOCK_NB) == 0) {
    // A file system may not carry locks from one machine to another: there the heartbeat says that it is
    // held.
    if (const LockHolder noted = readHolder(fd); noted.foreign && heardLately(runPath)) holder = noted;
  } else if (errno == EWOULDBLOCK) {
    holder = readHolder(fd);
  }
  ::close(fd);
  return holder ? holder : mirroredHolder(runPath);
}

void removeDeadSockets(const std::string& uuid) {
  for (const std::string& socket : deadSocketsOf(uuid)) ::unlink(socket.c_str());
}

ControlSocket chooseControlSocket(const std::string& uuid, const std::string& runPath) {
  ControlSocket chosen;
  std::string faults;
  const std::string folder = socketFolder(faults);
  if (!folder.empty()) chosen.path = folder + "/" + socketStem(uuid) + folderMark(runPath) + kSocketEnd;
  if (folder.empty()) {
    chosen.note = "there is no folder for the control socket, stop and abort come as signals: " + faults;
  } else if (!faults.empty()) {
    chosen.note = "the control socket is in " + folder + ": " + faults;
  }
  return chosen;
}

std::vector<std::string> deadSocketsOf(const std::string& uuid) {
  std::vector<std::string> folders;
  if (const std::string runtime = runtimeFolder(); !runtime.empty()) folders.push_back(runtime);
  for (const std::string& temporary : temporaryFolders()) {
    for (const auto& item : seenIn(temporary)) {
      const std::string name = item.path().filename().string();
      if (name == userFolderName() || name.starts_with(userFolderName() + "-"))
        folders.push_back(item.path().string());
    }
  }
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    for (const auto& item : seenIn(folder)) {
      const std::string path = item.path().string();
      if (isSocketOf(item.path().filename().string(), socketStem(uuid)) && isDeadSocket(path))
        found.push_back(path);
    }
  }
  return found;
}

bool isDeadSocket(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode) && info.st_uid == ::geteuid() &&
         !isServed(path);
}

Status sendControl(const std::string& runPath, const std::string& command) {
  if (!isControlCommand(command))
    return usageError(Phrase::tr("unknown control command \"%1\"")(command),
                      Phrase::tr("one of checkpoint, stop, abort"));
  const auto holder = runLockHolder(runPath);
  if (!holder) return usageError(Phrase::tr("run %1 is not running")(runPath));
  if (holder->foreign && holder->looksForWishes) return leaveWish(runPath, command);
  if (holder->foreign)
    return usageError(Phrase::tr("run %1 is running on %2")(runPath, holder->host),
                      Phrase::tr("send the command from there"));
  const Status sent = sendToSocket(runPath, *holder, command + "\n");
  return sent.ok() ? sent : signalHolder(*holder, command, sent.error());
}

}  // namespace fathom
