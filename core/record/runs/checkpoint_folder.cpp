// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/checkpoint_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json_members.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr int kPlainFormat = 1, kSharingFormat = 2;  // the second where files are shared
constexpr const char* kManifestName = "/manifest.json";

bool plainName(const std::string& name) {
  return !name.empty() && name.size() <= 128 && name != "." && name != ".." &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string::npos;
}

void removeQuietly(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// Moves a folder to checkpoints/.trash and removes it there.
Status moveToTrash(const std::string& checkpoints, const std::string& path) {
  const std::string trash = checkpoints + "/" + kCheckpointTrashName;
  FATHOM_CHECK(makeOneFolder(trash));
  const std::string target = trash + "/" + fs::path(path).filename().string() + "-" + makeUuid();
  FATHOM_CHECK(renamePath(path, target));
  FATHOM_CHECK(syncFolder(checkpoints));
  removeQuietly(target);
  ::rmdir(trash.c_str());  // unless somebody else is deleting, too
  return {};
}

Json filesJson(const std::vector<CheckpointFile>& files) {
  Json list = Json::array();
  for (const CheckpointFile& file : files)
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return list;
}

// A program that knows no shared files must not take the rest for the whole.
Json manifestJson(const CheckpointManifest& manifest) {
  Json json = {{"format", manifest.shared.empty() ? kPlainFormat : kSharingFormat},
               {"attempt", manifest.attempt},
               {"step", manifest.step},
               {"files", filesJson(manifest.files)},
               {"details", manifest.details}};
  if (!manifest.shared.empty()) json["shared"] = filesJson(manifest.shared);
  return json;
}

Status readManifestFiles(const Json& json, const std::string& path, std::vector<CheckpointFile>& files) {
  for (const Json& item : json) {
    const bool good = item.is_object() && item.contains("name") && item["name"].is_string() &&
                      item.contains("bytes") && item["bytes"].is_number_unsigned() &&
                      item.contains("sha256") && item["sha256"].is_string();
    if (!good) return dataErrorAt(path, 0, Phrase::tr("an entry of \"files\" lacks name, bytes or sha256"));
    CheckpointFile file{item["name"], item["bytes"], item["sha256"]};
    if (!plainName(file.name))
      return dataErrorAt(path, 0, Phrase::tr("the file name \"%1\" is not allowed")(file.name));
    files.push_back(std::move(file));
  }
  return {};
}

// A file against what a manifest says of it: data error that begins with `missing` where it is not there.
Status verifyFile(const std::string& path, const CheckpointFile& file, const Phrase& missing,
                  const Phrase& hint) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return dataErrorAt(path, 0, missing, hint);
  if (static_cast<std::uint64_t>(info.st_size) != file.bytes)
    return dataErrorAt(path, 0, Phrase::tr("the file has %1 bytes instead of %2")(info.st_size, file.bytes),
                       hint);
  FATHOM_TRY(const std::string hash, sha256OfFile(path));
  if (hash == file.sha256) return {};
  return dataErrorAt(
      path, 0, Phrase::tr("the file's SHA-256 differs from the manifest: its bytes were changed"), hint);
}

}  // namespace

std::string sharedFileName(const std::string& stem, const std::string& sha256) {
  return stem + "-" + sha256.substr(0, 24) + ".safetensors";
}

std::string sharedFilePath(const std::string& checkpointPath, const CheckpointFile& file) {
  return fs::path(checkpointPath + "/../" + file.name).lexically_normal().string();
}

std::string checkpointManifestFile(const std::string& path) {
  return path + kManifestName;
}

std::string checkpointName(int attempt, std::int64_t step) {
  return paddedText(attempt, 4) + "-" + paddedText(step, 8);
}

std::optional<double> CheckpointManifest::score() const {
  const auto it = details.find("score");
  if (it == details.end()) return std::nullopt;
  const auto value = realFromJson(*it);
  if (!value.ok()) return std::nullopt;
  return *value;
}

std::uint64_t CheckpointManifest::bytes() const {
  std::uint64_t total = 0;
  for (const CheckpointFile& file : files) total += file.bytes;
  return total;
}

Result<CheckpointWriter> CheckpointWriter::begin(const std::string& runPath, int attempt, std::int64_t step) {
  CheckpointWriter writer;
  writer.m_runPath = runPath;
  writer.m_attempt = attempt;
  writer.m_step = step;
  writer.m_name = checkpointName(attempt, step);
  const std::string folder = RunFolder(runPath).checkpointsPath() + "/" + writer.m_name + kUnfinishedEnd;
  removeQuietly(folder);
  FATHOM_CHECK(makeOneFolder(RunFolder(runPath).checkpointsPath()));
  FATHOM_CHECK(makeOneFolder(folder));
  writer.m_folder = folder;
  return writer;
}

CheckpointWriter::CheckpointWriter(CheckpointWriter&& other) noexcept
    : m_runPath(std::move(other.m_runPath)),
      m_name(std::move(other.m_name)),
      m_folder(std::exchange(other.m_folder, {})),
      m_attempt(other.m_attempt),
      m_step(other.m_step),
      m_hashes(std::move(other.m_hashes)),
      m_shared(std::move(other.m_shared)) {}

CheckpointWriter::~CheckpointWriter() {
  if (!m_folder.empty()) removeQuietly(m_folder);
}

Result<CheckpointManifest> CheckpointWriter::commit(const Json& details) {
  CheckpointManifest manifest;
  manifest.name = m_name;
  manifest.attempt = m_attempt;
  manifest.step = m_step;
  manifest.details = details;
  FATHOM_TRY(const auto entries, contentsOf(m_folder));
  for (const auto& entry : entries) {
    CheckpointFile file;
    file.name = entry.path().filename().string();
    if (!plainName(file.name)) return internalError("checkpoint file name " + file.name + " is not allowed");
    std::error_code code;
    file.bytes = entry.file_size(code);
    if (code) return inputError(Phrase::tr("cannot read"), entry.path().string(), code.value());
    const auto known = m_hashes.find(file.name);
    if (known != m_hashes.end()) {
      file.sha256 = known->second;
    } else {
      FATHOM_TRY(file.sha256, sha256OfFile(entry.path().string()));
    }
    manifest.files.push_back(std::move(file));
  }
  std::sort(manifest.files.begin(), manifest.files.end(),
            [](const CheckpointFile& a, const CheckpointFile& b) { return a.name < b.name; });
  manifest.shared = m_shared;
  FATHOM_CHECK(writeFileAtomically(m_folder + kManifestName, manifestJson(manifest).dump(1) + "\n"));
  const std::string checkpoints = RunFolder(m_runPath).checkpointsPath();
  manifest.path = checkpoints + "/" + m_name;
  if (fileExists(manifest.path)) FATHOM_CHECK(moveToTrash(checkpoints, manifest.path));
  FATHOM_CHECK(renamePath(m_folder, manifest.path));
  m_folder.clear();
  FATHOM_CHECK(syncFolder(checkpoints));
  return manifest;
}

Result<CheckpointManifest> readCheckpointManifest(const std::string& path) {
  const std::string file = path + kManifestName;
  FATHOM_TRY(const Json json, readJsonFile(file));
  const auto integer = [&](const char* key) { return memberInteger(json, key, -1); };
  if (integer("format") > kSharingFormat) {
    return dataErrorAt(file, 0, Phrase::tr("the checkpoint has a newer format"),
                       Phrase::tr("open it with a newer Fathom"));
  }
  if (integer("format") < 1 || integer("attempt") < 0 || integer("step") < 0 || !json.contains("files") ||
      !json["files"].is_array())
    return dataErrorAt(file, 0, Phrase::tr("not a checkpoint manifest"));
  CheckpointManifest manifest;
  manifest.path = path;
  manifest.name = fs::path(path).filename().string();
  manifest.attempt = static_cast<int>(integer("attempt"));
  manifest.step = integer("step");
  manifest.details = memberObject(json, "details");
  FATHOM_CHECK(readManifestFiles(json["files"], file, manifest.files));
  if (json.contains("shared")) FATHOM_CHECK(readManifestFiles(json["shared"], file, manifest.shared));
  return manifest;
}

Result<CheckpointManifest> verifyOwnFiles(const std::string& path) {
  FATHOM_TRY(CheckpointManifest manifest, readCheckpointManifest(path));
  for (const CheckpointFile& file : manifest.files)
    FATHOM_CHECK(verifyFile(path + "/" + file.name, file, Phrase::tr("a file of the checkpoint is missing"),
                            Phrase::tr("the checkpoint is damaged; an earlier one can be used")));
  return manifest;
}

Result<CheckpointManifest> verifyCheckpoint(const std::string& path) {
  FATHOM_TRY(CheckpointManifest manifest, verifyOwnFiles(path));
  for (const CheckpointFile& file : manifest.shared)
    FATHOM_CHECK(
        verifyFile(sharedFilePath(path, file), file,
                   Phrase::tr("the frozen weights that the checkpoints of the run share are missing"),
                   Phrase::tr("the checkpoints cannot be used without this file: put it back as it "
                              "was, or train the run anew")));
  return manifest;
}

namespace {

// Folders of finished checkpoints, in no order.
std::vector<std::string> checkpointFolders(const std::string& runPath) {
  std::vector<std::string> folders;
  for (const auto& entry : seenIn(RunFolder(runPath).checkpointsPath())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name.ends_with(kUnfinishedEnd) || name.ends_with(kDamagedSuffix)) continue;
    folders.push_back(entry.path().string());
  }
  return folders;
}

bool isCheckpointName(const std::string& name) {
  const auto dash = name.find('-');
  return dash != std::string::npos && dash > 0 && dash + 1 < name.size() &&
         name.find_first_not_of("0123456789-") == std::string::npos &&
         name.find('-', dash + 1) == std::string::npos;
}

}  // namespace

std::vector<CheckpointManifest> listCheckpoints(const std::string& runPath) {
  std::vector<CheckpointManifest> all;
  for (const std::string& folder : checkpointFolders(runPath))
    if (auto manifest = readCheckpointManifest(folder); manifest.ok()) all.push_back(std::move(*manifest));
  std::sort(all.begin(), all.end(), [](const CheckpointManifest& a, const CheckpointManifest& b) {
    return std::pair(a.attempt, a.step) < std::pair(b.attempt, b.step);
  });
  return all;
}

Status checkpointsCanBeSeen(const std::string& runPath) {
  FATHOM_TRY(const auto entries, entriesIn(RunFolder(runPath).checkpointsPath()));
  for (const fs::directory_entry& entry : entries) {
    if (!isCheckpointName(entry.path().filename().string())) continue;
    FATHOM_TRY(const bool whole, isThere(entry.path().string() + kManifestName));
    (void)whole;  // a checkpoint without its manifest is damaged
  }
  return {};
}

std::vector<std::string> unreadableCheckpoints(const std::string& runPath) {
  std::vector<std::string> names;
  for (const std::string& folder : checkpointFolders(runPath)) {
    std::string name = fs::path(folder).filename().string();
    if (isCheckpointName(name) && !readCheckpointManifest(folder).ok()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<CheckpointManifest> newestGoodCheckpoint(const std::string& runPath,
                                                       std::vector<std::string>* damaged) {
  std::vector<std::string> names = unreadableCheckpoints(runPath);
  for (const CheckpointManifest& manifest : listCheckpoints(runPath)) names.push_back(manifest.name);
  std::sort(names.rbegin(), names.rend());  // names sort as (attempt, step)
  for (const std::string& name : names) {
    if (auto manifest = verifyOwnFiles(RunFolder(runPath).checkpointsPath() + "/" + name); manifest.ok())
      return std::move(*manifest);
    if (damaged != nullptr) damaged->push_back(name);
  }
  return std::nullopt;
}

Status setCheckpointsAside(const std::string& runPath, const std::vector<std::string>& names) {
  const std::string checkpoints = RunFolder(runPath).checkpointsPath();
  for (const std::string& name : names) {
    const std::string path = checkpoints + "/" + name;
    std::string target = path + kDamagedSuffix;
    if (fileExists(target)) target = path + "-" + makeUuid() + kDamagedSuffix;
    FATHOM_CHECK(renamePath(path, target));
  }
  return {};
}

Result<std::unique_ptr<CheckpointLock>> CheckpointLock::share(const std::string& checkpointPath) {
  const std::string file = checkpointPath + kManifestName;
  FATHOM_TRY(const int fd, openInput(file));
  std::unique_ptr<CheckpointLock> lock(new CheckpointLock(fd));
  struct stat held {
  }, named{};
  // It may have been deleted between opening and locking: then another file, or none, has its name.
  if (::flock(fd, LOCK_SH | LOCK_NB) != 0 || ::fstat(fd, &held) != 0 || ::stat(file.c_str(), &named) != 0 ||
      held.st_ino != named.st_ino)
    return unavailableError(Phrase::tr("checkpoint %1 is just being deleted")(checkpointPath),
                            Phrase::tr("choose another checkpoint"));
  return lock;
}

CheckpointLock::~CheckpointLock() {
  ::close(m_fd);
}

Status deleteCheckpoint(const std::string& runPath, const std::string& name) {
  if (!plainName(name)) return usageError(Phrase::tr("\"%1\" is not the name of a checkpoint")(name));
  const std::string checkpoints = RunFolder(runPath).checkpointsPath();
  const std::string path = checkpoints + "/" + name;
  FATHOM_TRY(const int fd, openInput(path + kManifestName));
  Status status;
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    status = unavailableError(Phrase::tr("checkpoint %1 is in use")(path),
                              Phrase::tr("wait until the analysis that reads it has ended"));
  } else {
    status = moveToTrash(checkpoints, path);
  }
  ::close(fd);
  return status;
}

void sweepCheckpoints(const std::string& runPath) {
  const std::string checkpoints = RunFolder(runPath).checkpointsPath();
  removeQuietly(checkpoints + "/" + kCheckpointTrashName);
  std::vector<std::string> halves;
  for (const auto& entry : seenIn(checkpoints)) {
    if (entry.path().extension() == kUnfinishedEnd) halves.push_back(entry.path().string());
  }
  for (const std::string& half : halves) removeQuietly(half);
  sweepTemporaries(checkpoints, TemporaryOwner::Us);  // of shared files
}

}  // namespace fathom
