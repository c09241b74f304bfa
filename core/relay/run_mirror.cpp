// SPDX-License-Identifier: Apache-2.0
#include "core/relay/run_mirror.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

Error strangePiece(const std::string& path) {
  return dataError(Phrase::tr("what was sent does not belong to what is there: %1")(path),
                   Phrase::tr("the connection is made again"));
}

std::string parentOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

}  // namespace

Status writePiece(const std::string& path, std::uint64_t at, bool anew, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (anew ? O_TRUNC : 0), 0644);
  if (fd < 0) return systemError(Phrase::tr("cannot write"), path, errno);
  Status written;
  if (::lseek(fd, static_cast<off_t>(at), SEEK_SET) < 0)
    written = systemError(Phrase::tr("cannot write"), path, errno);
  if (written.ok()) written = writeAll(fd, bytes, path);
  // Half a piece would be sent once more and be there twice.
  if (!written.ok() && ::ftruncate(fd, static_cast<off_t>(at)) != 0) ::unlink(path.c_str());
  ::close(fd);
  return written;
}

bool isPathInside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos) return false;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, slash - from);
    if (part.empty() || part == "." || part == "..") return false;
    from = slash + 1;
  }
  return true;
}

Result<KnownFiles> RunMirror::known(CheckpointWish checkpoints) {
  KnownFiles known;
  m_sizes.clear();
  m_whole.clear();
  FATHOM_TRY(const bool there, isThere(m_path));
  if (!there) return known;
  // Where all are wished for, none is there as the best alone.
  if (checkpoints == CheckpointWish::All) ::unlink(bestMark().c_str());
  FATHOM_TRY(const auto entries, treeBelow(m_path));
  for (const auto& entry : entries) {
    std::error_code unseen;
    const auto type = entry.symlink_status(unseen).type();
    const std::string file = entry.path().string(), path = file.substr(m_path.size() + 1);
    const RunPathKind kind =
        runPathKind(path, type == std::filesystem::file_type::directory, checkpoints != CheckpointWish::None);
    if (kind == RunPathKind::Finished) known.folders.insert(path);
    if (kind == RunPathKind::Grows) {
      m_sizes[path] = fileBytes(file);
      known.files[path] = {m_sizes[path], sumBefore(file, m_sizes[path]).value_or(0)};
    }
    if (kind != RunPathKind::Replaced || type != std::filesystem::file_type::regular) continue;
    if (isSharedFile(path))
      known.files[path] = {fileBytes(file), 0};
    else if (const auto sum = sumOfFile(file))
      known.files[path] = {fileBytes(file), *sum};
  }
  return known;
}

std::string RunMirror::asidePath(const std::string& file) const {
  return m_path + "/" + file + m_asideEnd;
}

Status RunMirror::take(const RelayFrame& frame) {
  const std::string file = memberText(frame.head, "file"), kind = memberText(frame.head, "kind"),
                    folder = memberText(frame.head, "folder");
  if (kind == "finished" || kind == "dropped") {
    if (runPathKind(folder, true, true) != RunPathKind::Finished || !isPathInside(folder))
      return strangePiece(folder);
    return endFolder(folder, kind == "finished", memberFlag(frame.head, "best", false));
  }
  if (!isPathInside(file)) return strangePiece(file);
  if (kind == "grows" && runPathKind(file, false, true) == RunPathKind::Grows) return takeGrown(file, frame);
  if (kind == "whole") return takeWhole(file, frame);
  return strangePiece(file);
}

Status RunMirror::takeGrown(const std::string& file, const RelayFrame& frame) {
  const auto at = static_cast<std::uint64_t>(memberInteger(frame.head, "at", -1));
  const bool again = memberFlag(frame.head, "again", false);
  const std::string path = m_path + "/" + file;
  std::uint64_t& size = m_sizes[file];
  if (again) size = 0;
  if (at != size) return strangePiece(path);
  FATHOM_CHECK(makeFolders(parentOf(path)));
  FATHOM_CHECK(writePiece(path, at, again, frame.body));
  size += frame.body.size();
  return {};
}

Status RunMirror::takeWhole(const std::string& file, const RelayFrame& frame) {
  const auto at = static_cast<std::uint64_t>(memberInteger(frame.head, "at", -1)),
             of = static_cast<std::uint64_t>(memberInteger(frame.head, "of", -1));
  const std::string folder = memberText(frame.head, "folder");
  const bool inFolder = !folder.empty();
  if (inFolder ? runPathKind(folder, true, true) != RunPathKind::Finished || !file.starts_with(folder + "/")
               : runPathKind(file, false, true) != RunPathKind::Replaced)
    return strangePiece(file);
  // Files of a folder lie in one of another name until all of it is there.
  const std::string path = inFolder ? asidePath(folder) + file.substr(folder.size()) : asidePath(file);
  if (at == 0) {
    m_whole = path;
    m_wholeBytes = 0;
    FATHOM_CHECK(makeFolders(parentOf(path)));
  }
  if (m_whole != path || at != m_wholeBytes || frame.body.size() > of - at) return strangePiece(path);
  FATHOM_CHECK(writePiece(path, at, at == 0, frame.body));
  m_wholeBytes += frame.body.size();
  if (m_wholeBytes < of) return {};
  m_whole.clear();
  return inFolder ? Status() : renamePath(path, m_path + "/" + file);
}

Status RunMirror::endFolder(const std::string& folder, bool finished, bool best) {
  std::error_code code;
  const std::string aside = asidePath(folder), target = m_path + "/" + folder;
  if (finished && folderExists(aside) && !folderExists(target)) {
    FATHOM_CHECK(renamePath(aside, target));
    return best ? takeBest(folder) : Status();
  }
  std::filesystem::remove_all(aside, code);
  return {};
}

std::string RunMirror::bestMark() const {
  return m_path + "/" + kCheckpointsName + "/" + kBestMark;
}

// The best before goes, where it is here for that alone.
Status RunMirror::takeBest(const std::string& folder) {
  const std::string parent = m_path + "/" + kCheckpointsName + "/",
                    name = folder.substr(folder.rfind('/') + 1);
  const auto before = readFile(bestMark(), 4096);
  FATHOM_CHECK(writeFileAtomically(bestMark(), name));
  if (!before.ok() || *before == name || before->find('/') != std::string::npos || before->starts_with('.'))
    return {};
  const std::string aside = parent + *before + m_asideEnd;
  std::error_code code;
  if (!before->empty() && renamePath(parent + *before, aside).ok()) std::filesystem::remove_all(aside, code);
  return {};
}

}  // namespace fathom
