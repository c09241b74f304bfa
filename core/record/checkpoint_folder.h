// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"

namespace fathom {

// The torch-free half of a checkpoint (docs/project_files.md §4): checkpoints/<attempt>-<step>/ holds the
// files somebody wrote and manifest.json, written last, with size and SHA-256 of each. A checkpoint is there
// whole or not at all: everything goes into <name>.tmp, which is renamed when it is on the disk.
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
  Json details =
      Json::object();  // what the writer added: "score" (number, lower is better), epoch, tokens, ...
  std::optional<double> score() const;
  std::uint64_t bytes() const;
};

// Writes one checkpoint. Destroyed without commit() it leaves nothing behind.
class CheckpointWriter {
 public:
  // A half-written folder of the same name is removed; a finished one of that name is replaced at commit().
  static Result<CheckpointWriter> begin(const std::string& runPath, int attempt, std::int64_t step);
  // Where files are to be written: files by themselves, flat, fsynced by whoever writes them
  // (writeSafetensors, writeFileAtomically).
  const std::string& folder() const { return m_folder; }
  const std::string& name() const { return m_name; }
  // Spares commit() reading a file again whose hash the writer knows.
  void setHash(const std::string& file, const std::string& sha256) { m_hashes[file] = sha256; }
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
};

// <path>/manifest.json: its hash stands for the whole checkpoint.
std::string checkpointManifestFile(const std::string& path);
// The manifest alone; data error when it is missing or damaged.
Result<CheckpointManifest> readCheckpointManifest(const std::string& path);
// Manifest and every byte: data error naming the file that was changed, cut or lost.
Result<CheckpointManifest> verifyCheckpoint(const std::string& path);
// All finished checkpoints of a run in order of (attempt, step); unreadable ones are left out.
std::vector<CheckpointManifest> listCheckpoints(const std::string& runPath);
// Names of those whose manifest cannot be read, in order.
std::vector<std::string> unreadableCheckpoints(const std::string& runPath);
// The newest checkpoint whose bytes are right; nothing when there is none. Newer ones that are damaged are
// named in `damaged`. Changes nothing.
std::optional<CheckpointManifest> newestGoodCheckpoint(const std::string& runPath,
                                                       std::vector<std::string>* damaged = nullptr);
// Renames damaged checkpoints to <name>.damaged: kept, never used. For the run's writer.
inline constexpr const char* kDamagedSuffix = ".damaged";
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
// deleted. Those in use stay. Returns the names that went.
Result<std::vector<std::string>> applyRetention(const std::string& runPath, const RetentionPolicy& policy);
// Renames the checkpoint out of sight (checkpoints/.trash), then unlinks it. Resource error while it is in
// use.
Status deleteCheckpoint(const std::string& runPath, const std::string& name);
// Removes half-written checkpoints and half-finished deletions. For the run's writer, at start.
void sweepCheckpoints(const std::string& runPath);

}  // namespace fathom
