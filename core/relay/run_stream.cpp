// SPDX-License-Identifier: Apache-2.0
#include "core/relay/run_stream.h"

#include <sys/stat.h>

#include <algorithm>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_folder.h"
#include "core/relay/engine_job.h"
#include "core/relay/relay_frame.h"

namespace fathom {

namespace {

std::string stampOf(const struct stat& info) {
  return std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + "/" +
         std::to_string(info.st_size) + "/" + std::to_string(info.st_ino);
}

bool isCheckpoint(const std::string& path) {
  return path.starts_with(std::string(kCheckpointsName) + "/");
}

bool isOutcome(const std::string& path) {
  return path.ends_with("/outcome.json");
}

}  // namespace

Json knownFilesToJson(const KnownFiles& known) {
  Json files = Json::object(), folders = Json::array();
  for (const auto& [path, sum] : known.files) files[path] = Json::array({sum.bytes, sum.sum});
  for (const std::string& folder : known.folders) folders.push_back(folder);
  return {{"files", std::move(files)}, {"folders", std::move(folders)}};
}

KnownFiles knownFilesFromJson(const Json& json) {
  KnownFiles known;
  for (const auto& [path, sum] : memberObject(json, "files").items())
    if (sum.is_array() && sum.size() == 2 && sum[0].is_number_unsigned() && sum[1].is_number_unsigned())
      known.files[path] = {sum[0].get<std::uint64_t>(), sum[1].get<std::uint32_t>()};
  for (const Json& folder : memberList(json, "folders"))
    if (folder.is_string()) known.folders.insert(folder.get<std::string>());
  return known;
}

RunStream::RunStream(std::string id, std::string path, CheckpointWish checkpoints, bool logs,
                     KnownFiles known)
    : m_id(std::move(id)),
      m_path(std::move(path)),
      m_checkpoints(checkpoints),
      m_logs(logs),
      m_known(std::move(known)) {}

// Read when it is another file than before: looks are many.
bool RunStream::lookWhose() {
  struct stat info {};
  const std::string identity = RunFolder(m_path).identityPath();
  if (m_uuid.empty() || ::stat(identity.c_str(), &info) != 0) return m_ours;
  if (const std::string stamp = stampOf(info); stamp != std::exchange(m_identityStamp, stamp))
    m_ours = holdsRun(m_path, m_uuid);
  return m_ours;
}

void RunStream::look(bool folders) {
  if (isBusy()) return;
  if (!lookWhose()) {
    // When its own run is back, a new connection finds where the copy ends.
    m_items.clear();
    m_large.clear();
    m_folder.reset();
    return;
  }
  if (folders) m_blind = false;
  // Names first and sizes afterwards: where an outcome was seen, the size of its events is their last.
  if (folders) lookAt({}, true);
  if (folders && m_checkpoints == CheckpointWish::Best) lookForBest();
  std::sort(m_large.begin(), m_large.end());
  std::deque<std::string> whole, outcomes;
  for (auto& [path, item] : m_items) {
    if (item.kind == RunPathKind::Grows) lookAtGrowing(path, item);
    if (item.kind != RunPathKind::Replaced || !folders) continue;
    if (isNewWhole(path, item)) (isOutcome(path) ? outcomes : whole).push_back(path);
  }
  m_small.insert(m_small.end(), whole.begin(), whole.end());
  m_small.insert(m_small.end(), outcomes.begin(), outcomes.end());
}

bool RunStream::isWanted(const std::string& path, RunPathKind kind) const {
  if (kind == RunPathKind::Never || (!m_logs && !isCheckpoint(path) && !path.starts_with("averages/")))
    return false;
  return kind != RunPathKind::Finished || m_checkpoints != CheckpointWish::Best ||
         path.starts_with("analyses/");
}

// The best of now, where it is another one than before; its manifest is written before it has its name.
void RunStream::lookForBest() {
  const auto entries = entriesIn(m_path + "/" + kCheckpointsName);
  m_blind = m_blind || !entries.ok();
  if (!entries.ok()) return;
  std::string among;
  for (const auto& entry : *entries) among += entry.path().filename().string() + "\n";
  if (among == std::exchange(m_bestAmong, among)) return;
  const auto best = chooseCheckpoint(m_path, "best");
  if (!best.ok()) return;
  const std::string path = std::string(kCheckpointsName) + "/" + best->name;
  if (path == std::exchange(m_best, path)) return;
  if (!m_known.folders.contains(path)) m_large.push_back(path);
}

void RunStream::lookAt(const std::string& path, bool folder) {
  const RunPathKind kind = runPathKind(path, folder, m_checkpoints != CheckpointWish::None);
  if (kind == RunPathKind::Inside) {
    const auto entries = entriesIn(path.empty() ? m_path : m_path + "/" + path);
    m_blind = m_blind || !entries.ok();
    if (!entries.ok()) return;
    for (const auto& entry : *entries) {
      std::error_code code;
      const auto type = entry.symlink_status(code).type();
      if (type != std::filesystem::file_type::directory && type != std::filesystem::file_type::regular)
        continue;
      lookAt((path.empty() ? "" : path + "/") + entry.path().filename().string(),
             type == std::filesystem::file_type::directory);
    }
    return;
  }
  if (!isWanted(path, kind) || m_items.contains(path)) return;
  m_items[path].kind = kind;
  if (kind == RunPathKind::Finished && !m_known.folders.contains(path)) m_large.push_back(path);
}

void RunStream::lookAtGrowing(const std::string& path, Item& item) {
  struct stat info {};
  const std::string file = m_path + "/" + path;
  if (::stat(file.c_str(), &info) != 0) return;
  item.bytes = static_cast<std::uint64_t>(info.st_size);
  if (!item.compared) {
    const auto known = m_known.files.find(path);
    if (known != m_known.files.end()) {
      const bool same =
          known->second.bytes <= item.bytes && sumBefore(file, known->second.bytes) == known->second.sum;
      item.sent = same ? known->second.bytes : 0;
      item.again = !same;
    } else {
      item.again = item.bytes == 0;  // an empty file is there, too
    }
    item.compared = true;
  } else if (info.st_ino != item.inode || item.bytes < item.sent) {
    item.sent = 0;
    item.again = true;
  }
  item.inode = info.st_ino;
  if (item.again || item.sent < item.bytes) m_small.push_back(path);
}

bool RunStream::isNewWhole(const std::string& path, Item& item) {
  struct stat info {};
  const std::string file = m_path + "/" + path;
  if (::stat(file.c_str(), &info) != 0) return false;
  if (const std::string stamp = stampOf(info); stamp == std::exchange(item.stamp, stamp)) return false;
  if (std::exchange(item.compared, true)) return true;
  const auto known = m_known.files.find(path);
  return known == m_known.files.end() || known->second.bytes != static_cast<std::uint64_t>(info.st_size) ||
         (!isSharedFile(path) && sumOfFile(file) != known->second.sum);
}

bool RunStream::send(const Out& out) {
  if (m_whole) {
    sendPiece(out);
    return true;
  }
  if (!m_small.empty()) {
    const std::string path = m_small.front();
    Item& item = m_items[path];
    if (item.kind == RunPathKind::Grows) {
      if (!sendGrown(path, out)) m_small.pop_front();
      return true;
    }
    m_small.pop_front();
    if (auto file = RegularFile::open(m_path + "/" + path); file.ok())
      m_whole = Whole{std::move(*file), path, {}, item.stamp};
    return true;
  }
  return sendFolder(out);
}

// False when it is all there.
bool RunStream::sendGrown(const std::string& path, const Out& out) {
  Item& item = m_items[path];
  const auto file = RegularFile::open(m_path + "/" + path);
  if (!file.ok()) return false;
  const std::uint64_t until = std::min(item.bytes, file->size());
  std::string piece(std::min<std::uint64_t>(kFramePiece, until > item.sent ? until - item.sent : 0), '\0');
  const auto got = file->readAt(item.sent, piece.data(), piece.size());
  if (!got.ok() || (*got == 0 && !item.again)) return false;
  Json head = {{"run", m_id}, {"file", path}, {"kind", "grows"}, {"at", item.sent}};
  if (std::exchange(item.again, false)) head["again"] = true;
  out(head, std::string_view(piece).substr(0, *got));
  item.sent += *got;
  return item.sent < until;
}

void RunStream::sendPiece(const Out& out) {
  Whole& whole = *m_whole;
  const std::uint64_t of = whole.file.size();
  std::string piece(std::min<std::uint64_t>(kFramePiece, of - whole.at), '\0');
  const auto got = whole.file.readAt(whole.at, piece.data(), piece.size());
  // Cut short under our hands: the next look finds another file.
  if (!got.ok() || *got < piece.size()) {
    if (whole.folder.empty()) m_items[whole.path].stamp = "cut";
    if (m_folder) m_folder->whole = false;
    m_whole.reset();
    return;
  }
  Json head = {{"run", m_id}, {"file", whole.path}, {"kind", "whole"}, {"at", whole.at}, {"of", of}};
  if (!whole.folder.empty()) head["folder"] = whole.folder;
  out(head, piece);
  whole.at += *got;
  if (whole.at >= of) m_whole.reset();
}

bool RunStream::sendFolder(const Out& out) {
  if (!m_folder) {
    if (m_large.empty()) return false;
    m_folder = Folder{m_large.front(), {}, false, m_large.front() == m_best};
    m_large.pop_front();
    const auto entries = treeBelow(m_path + "/" + m_folder->path);
    m_folder->whole = entries.ok();
    if (!entries.ok()) return true;
    for (const auto& entry : *entries) {
      std::error_code unseen;
      if (entry.symlink_status(unseen).type() == std::filesystem::file_type::regular)
        m_folder->files.push_back(entry.path().string().substr(m_path.size() + 1));
    }
    return true;
  }
  if (m_folder->files.empty()) {
    const bool there = m_folder->whole && folderExists(m_path + "/" + m_folder->path);
    Json head = {{"run", m_id}, {"folder", m_folder->path}, {"kind", there ? "finished" : "dropped"}};
    if (m_folder->best) head["best"] = true;
    out(head, {});
    if (m_folder->best && !there) m_best = m_bestAmong = {};  // another one took its place meanwhile
    m_folder.reset();
    return true;
  }
  const std::string path = m_folder->files.front();
  m_folder->files.pop_front();
  auto file = RegularFile::open(m_path + "/" + path);
  if (file.ok()) {
    m_whole = Whole{std::move(*file), path, m_folder->path, {}};
  } else {
    m_folder->whole = false;
  }
  return true;
}

}  // namespace fathom
