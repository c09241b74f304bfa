// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>

#include "core/base/files/input_file.h"
#include "core/base/files/temporary_file.h"

namespace fathom {

namespace {

struct ArmedFault {
  bool armed = false;
  int countdown = 0;
  int errnoValue = 0;
  bool persistent = false;
};

std::atomic<bool> g_anyFault{false};
std::mutex g_faultMutex;
constexpr const char* kCallNames[] = {"write", "sync", "rename", "open", "folder", "thread"};
ArmedFault g_faults[std::size(kCallNames)];

constexpr int kKill = -1;  // instead of an errno: the process dies at this very call, as under kill -9

// FATHOM_FAULT="write:12:28[:persistent]": call class, calls to let pass, errno; or "write:12:kill".
bool readFaultVariable() {
  const char* text = std::getenv("FATHOM_FAULT");
  if (text == nullptr) return false;
  for (std::size_t call = 0; call < std::size(kCallNames); ++call) {
    const std::size_t length = std::strlen(kCallNames[call]);
    if (std::strncmp(text, kCallNames[call], length) != 0 || text[length] != ':') continue;
    char* rest = nullptr;
    ArmedFault& fault = g_faults[call];
    fault.countdown = static_cast<int>(std::strtol(text + length + 1, &rest, 10));
    if (std::strcmp(rest, ":kill") == 0) {
      fault.errnoValue = kKill;
      return fault.armed = true;
    }
    fault.errnoValue = *rest == ':' ? static_cast<int>(std::strtol(rest + 1, &rest, 10)) : ENOSPC;
    fault.persistent = std::strcmp(rest, ":persistent") == 0;
    fault.armed = true;
    return true;
  }
  return false;
}

std::string folderOf(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

Status writeTemporary(const std::string& temporary, std::string_view bytes, const std::string& path) {
  if (const int fault = FileFaults::next(FileFaults::Call::Open))
    return systemError(Phrase::tr("cannot create"), path, fault);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot create"), path, errno);
  Status status = writeAll(fd, bytes, path);
  if (status.ok()) status = syncData(fd, path);
  if (::close(fd) != 0 && status.ok()) status = systemError(Phrase::tr("cannot close"), path, errno);
  return status;
}

Error tooLarge(const std::string& path, std::size_t maxBytes) {
  return dataErrorAt(path, 0, Phrase::tr("the file is larger than %1 bytes")(maxBytes));
}

}  // namespace

int FileFaults::next(Call call) {
  static const bool fromEnvironment = readFaultVariable();
  if (!fromEnvironment && !g_anyFault.load(std::memory_order_relaxed)) return 0;
  const std::lock_guard lock(g_faultMutex);
  ArmedFault& fault = g_faults[static_cast<int>(call)];
  if (!fault.armed) return 0;
  if (fault.countdown > 0) {
    --fault.countdown;
    return 0;
  }
  if (!fault.persistent) fault.armed = false;
  if (fault.errnoValue == kKill) {  // a test of one thread that starts another ends here: it must say why
    std::fprintf(stderr, "FATHOM_FAULT: killed where it calls %s\n", kCallNames[static_cast<int>(call)]);
    ::kill(::getpid(), SIGKILL);
  }
  return fault.errnoValue;
}

void FileFaults::arm(Call call, int countdown, int errnoValue, bool persistent) {
  const std::lock_guard lock(g_faultMutex);
  g_faults[static_cast<int>(call)] = {true, countdown, errnoValue, persistent};
  g_anyFault = true;
}

void FileFaults::clear() {
  const std::lock_guard lock(g_faultMutex);
  for (ArmedFault& fault : g_faults) fault = {};
  g_anyFault = false;
}

Result<std::string> readFile(const std::string& path, std::size_t maxBytes) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  if (file.size() > maxBytes) return tooLarge(path, maxBytes);
  std::string text;
  text.reserve(file.size() + 1);
  char buffer[1 << 16];
  while (true) {
    FATHOM_TRY(const std::size_t count, file.readAt(text.size(), buffer, sizeof buffer));
    if (count == 0) return text;
    if (text.size() + count > maxBytes) return tooLarge(path, maxBytes);
    text.append(buffer, count);
  }
}

Status writeAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    if (const int fault = FileFaults::next(FileFaults::Call::Write))
      return systemError(Phrase::tr("cannot write"), path, fault);
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError(Phrase::tr("cannot write"), path, errno);
    if (count == 0) return systemError(Phrase::tr("cannot write"), path, ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status syncData(int fd, const std::string& path) {
  if (const int fault = FileFaults::next(FileFaults::Call::Sync))
    return systemError(Phrase::tr("cannot flush"), path, fault);
  // EINVAL: a file system or pipe that cannot sync; nothing to lose there.
  if (::fdatasync(fd) != 0 && errno != EINVAL) return systemError(Phrase::tr("cannot flush"), path, errno);
  return {};
}

Status renamePath(const std::string& from, const std::string& to) {
  if (const int fault = FileFaults::next(FileFaults::Call::Rename))
    return systemError(Phrase::tr("cannot rename to"), to, fault);
  if (::rename(from.c_str(), to.c_str()) != 0) return systemError(Phrase::tr("cannot rename to"), to, errno);
  return {};
}

Status syncFolder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return systemError(Phrase::tr("cannot open folder"), folder, errno);
  int code = FileFaults::next(FileFaults::Call::SyncFolder);
  if (code == 0 && ::fsync(fd) != 0 && errno != EINVAL) code = errno;
  ::close(fd);
  if (code != 0) return systemError(Phrase::tr("cannot flush folder"), folder, code);
  return {};
}

Status makeFolders(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) return systemError(Phrase::tr("cannot create folder"), path, code.value());
  return {};
}

Status writeFileAtomically(const std::string& path, std::string_view bytes) {
  const std::string temporary = temporaryBeside(path);
  Status status = writeTemporary(temporary, bytes, path);
  if (status.ok()) status = renamePath(temporary, path);
  if (!status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  return syncFolder(folderOf(path));
}

Status prepareNamedFile(const std::string& path) {
  const std::string folder = folderOf(path);
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) return inputError(Phrase::tr("cannot write into"), folder, errno);
  if (!S_ISDIR(info.st_mode)) return inputError(Phrase::tr("cannot write into"), folder, ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return systemError(Phrase::tr("cannot write into"), folder, errno);
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    return inputError(Phrase::tr("cannot write"), path, EISDIR);
  sweepTemporariesOf(path);
  return {};
}

Status writeNamedFile(const std::string& path, std::string_view bytes) {
  FATHOM_CHECK(prepareNamedFile(path));
  return writeFileAtomically(path, bytes);
}

}  // namespace fathom
