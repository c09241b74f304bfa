// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The torch-free half of a checkpoint (docs/project_files.md §4): checkpoints/<attempt>-<step>/ holds the
// files somebody wrote and manifest.json, written last, with size and SHA-256 of each. A checkpoint is there
// whole or not at all: everything goes into <name>.tmp, which is renamed when it is on the disk. What several
// checkpoints have in common may lie once beside them: the manifest names those files, too.
std::string checkpointName(int attempt, std::int64_t step);  // "0001-00000300"

struct CheckpointFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct CheckpointManifest {
  std::string path;  // the checkpoint's folder
  std::string name;
  int attempt = 0;
  std::int64_t step = 0;
  std::vector<CheckpointFile> files;
  std::vector<CheckpointFile> shared;  // beside the checkpoint's folder (sharedFilePath)
  Json details =
      Json::object();  // what the writer added: "score" (number, lower is better), epoch, tokens, ...
  std::optional<double> score() const;
  std::uint64_t bytes() const;  // of its own files
};

// "<stem>-<beginning of the hash>.safetensors" in the checkpoints' folder: a file that checkpoints share is
// named by its content.
std::string sharedFileName(const std::string& stem, const std::string& sha256);
std::string sharedFilePath(const std::string& checkpointPath, const CheckpointFile& file);

// Writes one checkpoint. Destroyed without commit() it leaves nothing behind.
class CheckpointWriter {
 public:
  // A half-written folder of the same name is removed; a finished one of that name is replaced at commit().
  static Result<CheckpointWriter> begin(const std::string& runPath, int attempt, std::int64_t step);
  // Folder that files are to be written to: by themselves, flat, fsynced by whoever writes them
  // (writeSafetensors, writeFileAtomically).
  const std::string& folder() const { return m_folder; }
  // Spares commit() reading a file again whose hash the writer knows.
  void setHash(const std::string& file, const std::string& sha256) { m_hashes[file] = sha256; }
  // A file beside the checkpoints that is a part of this one; it is on the disk already.
  void share(CheckpointFile file) { m_shared.push_back(std::move(file)); }
  // Manifest, flush, rename, flush. Returns the finished checkpoint; on an error nothing is visible.
  Result<CheckpointManifest> commit(const Json& details);

  CheckpointWriter(CheckpointWriter&&) noexcept;
  CheckpointWriter& operator=(CheckpointWriter&&) = delete;
  ~CheckpointWriter();

 private:
  CheckpointWriter() = default;
  std::string m_runPath, m_name, m_folder;
  int m_attempt = 0;
  std::int64_t m_step = 0;
  std::map<std::string, std::string> m_hashes;
  std::vector<CheckpointFile> m_shared;
};

// <path>/manifest.json: its hash stands for the whole checkpoint.
std::string checkpointManifestFile(const std::string& path);
// The manifest alone; data error when it is missing or damaged.
Result<CheckpointManifest> readCheckpointManifest(const std::string& path);
// Manifest and every byte: data error naming the file that was changed, cut or lost. With the files it
// shares; verifyOwnFiles() without them.
Result<CheckpointManifest> verifyCheckpoint(const std::string& path);
Result<CheckpointManifest> verifyOwnFiles(const std::string& path);
// All finished checkpoints of a run in order of (attempt, step); unreadable ones are left out.
std::vector<CheckpointManifest> listCheckpoints(const std::string& runPath);
// An error where the checkpoints, or one of them, cannot be looked at: then that one is neither absent nor
// damaged, which is what the other functions here would take it for. Asked before anything is decided by
// them.
Status checkpointsCanBeSeen(const std::string& runPath);
// Names of those whose manifest cannot be read, in order.
std::vector<std::string> unreadableCheckpoints(const std::string& runPath);
// The newest checkpoint whose own bytes are right; nothing when there is none. Newer ones that are damaged
// are named in `damaged`. A fault of a shared file is none of a checkpoint: all that share it have it, no
// earlier one helps, and whoever opens the checkpoint says it. Changes nothing.
std::optional<CheckpointManifest> newestGoodCheckpoint(const std::string& runPath,
                                                       std::vector<std::string>* damaged = nullptr);
// Renames damaged checkpoints to <name>.damaged: kept, never used. For the run's writer.
inline constexpr const char* kDamagedSuffix = ".damaged";
inline constexpr const char* kCheckpointTrashName = ".trash";
Status setCheckpointsAside(const std::string& runPath, const std::vector<std::string>& names);

// A shared lock: while it lives, retention leaves the checkpoint alone. Works in read-only folders.
class CheckpointLock {
 public:
  static Result<std::unique_ptr<CheckpointLock>> share(const std::string& checkpointPath);
  ~CheckpointLock();

 private:
  explicit CheckpointLock(int fd) : m_fd(fd) {}
  int m_fd;
};

struct RetentionPolicy {
  int keepLast = 3;        // newest by (attempt, step); the newest of all always stays
  int keepBest = 1;        // by score, lower is better; ties: the earlier
  std::int64_t every = 0;  // and those at multiples of so many updates; 0 = none
};
struct RetentionItem {
  std::string name;
  int attempt = 0;
  std::int64_t step = 0;
  std::optional<double> score;
};
// Names that `policy` does not keep, oldest first. A pure function.
std::vector<std::string> checkpointsToDelete(const RetentionPolicy& policy, std::vector<RetentionItem> items);
// Deletes what the policy does not keep, after verifying the newest one: when that is damaged nothing is
// deleted. Those in use stay. Returns the names that went. Shared files that nothing names any more go, too.
Result<std::vector<std::string>> applyRetention(const std::string& runPath, const RetentionPolicy& policy);
// Removes shared files that no checkpoint of the run names, those that were set aside counted; nothing while
// a manifest cannot be read. For the run's writer, or nobody's run.
void removeUnsharedFiles(const std::string& runPath);
// Renames the checkpoint out of sight (checkpoints/.trash), then unlinks it. Resource error while it is in
// use.
Status deleteCheckpoint(const std::string& runPath, const std::string& name);
// Removes half-written checkpoints and half-finished deletions. For the run's writer, at start.
void sweepCheckpoints(const std::string& runPath);

}  // namespace fathom
