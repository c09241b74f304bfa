// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/base/files/input_file.h"
#include "core/base/json/json.h"
#include "core/relay/run_file_kind.h"

namespace fathom {

// Files that a copy of a run has already, as its owner says when a connection is made.
struct KnownFiles {
  struct Sum {
    std::uint64_t bytes = 0;
    std::uint32_t sum = 0;  // of files that grow sumBefore, of others sumOfFile
  };
  std::map<std::string, Sum> files;  // paths relative to the run
  std::set<std::string> folders;     // finished ones
};
Json knownFilesToJson(const KnownFiles& known);
KnownFiles knownFilesFromJson(const Json& json);

// A run on this host that somebody follows: what is new of it, as pieces. An outcome comes after all that its
// attempt had written before; finished folders come after everything else.
class RunStream {
 public:
  using Out = std::function<void(const Json& head, std::string_view body)>;
  // Without `logs` only checkpoints come: somebody else has the rest.
  RunStream(std::string id, std::string path, CheckpointWish checkpoints, bool logs, KnownFiles known);
  // The UUID that the run has to have.
  void setUuid(std::string uuid) { m_uuid = std::move(uuid); }
  // False while another run lies in the folder: nothing of that one is sent.
  bool isOurs() const { return m_ours; }
  const std::string& id() const { return m_id; }
  const std::string& path() const { return m_path; }
  // Everything new since the last look; without `folders` only whether files have grown that were there.
  void look(bool folders);
  // One piece or none; false when nothing is left of what was seen.
  bool send(const Out& out);
  // True when all but finished folders of the last look is sent, and that look saw everything.
  bool smallOnesSent() const { return !isBusy() && !m_blind; }
  // True when the finished folders are sent, too.
  bool allSent() const { return smallOnesSent() && m_large.empty() && !m_folder; }
  // True when nothing waits, whatever could not be looked into.
  bool isDone() const { return !isBusy() && m_large.empty() && !m_folder; }
  bool isBusy() const { return !m_small.empty() || m_whole; }

 private:
  struct Item {
    RunPathKind kind = RunPathKind::Never;
    std::uint64_t sent = 0, bytes = 0, inode = 0;
    std::string stamp;  // of what was sent
    bool compared = false, again = false;
  };
  struct Whole {
    RegularFile file;
    std::string path, folder, stamp;
    std::uint64_t at = 0;
  };
  struct Folder {
    std::string path;
    std::deque<std::string> files;
    bool whole = false, best = false;
  };
  bool lookWhose();
  void lookAt(const std::string& path, bool folder);
  bool isWanted(const std::string& path, RunPathKind kind) const;
  void lookForBest();
  void lookAtGrowing(const std::string& path, Item& item);
  bool isNewWhole(const std::string& path, Item& item);
  bool sendGrown(const std::string& path, const Out& out);
  void sendPiece(const Out& out);
  bool sendFolder(const Out& out);

  std::string m_id, m_path, m_uuid;
  std::string m_identityStamp;  // of the run.json that was read
  bool m_ours = true;
  CheckpointWish m_checkpoints;
  bool m_logs;
  KnownFiles m_known;
  std::string m_best, m_bestAmong;  // its path, and the names that it was chosen from
  std::map<std::string, Item> m_items;
  std::deque<std::string> m_small, m_large;
  bool m_blind = false;  // a folder could not be looked into
  std::optional<Whole> m_whole;
  std::optional<Folder> m_folder;
};

}  // namespace fathom
