// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/execution/spider_execution.h"

namespace fathom {

// What the executed queries of one system said, beside the project's reviews, so that opening them again
// executes nothing.
struct KeptExecution {
  DatabaseFacts facts;
  std::vector<ExecutionEvidence> evidence;  // parallel to the system's pairs
};

// Files <folder>/<key>.json. The key is a hash of everything the evidence depends on, so that a store is
// never out of date: another query, database, schema, limit or sandbox is another file. At most kMostFiles of
// kMostBytes together stay, those that were used last. Any thread, any number of processes.
class KeptExecutions {
 public:
  static constexpr std::size_t kMostFiles = 64;
  static constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

  // Folder "": nothing is kept. Not writable: what is there is read.
  KeptExecutions(std::string folder, bool writable) : m_folder(std::move(folder)), m_writable(writable) {}

  // Of queries (as they are written, in order), databases (path, size and time of change), the file of
  // schemas (its bytes), options, limits, and the program of the sandbox. "" where one cannot be looked at.
  static std::string key(const std::vector<SpiderPair>& pairs, const std::string& tables,
                         const ExecutionOptions& options, const SqlRunLimits& limits);

  // Nothing where there is none for this many pairs. A damaged file goes, and `notes` say so.
  std::optional<KeptExecution> find(const std::string& key, std::size_t pairs,
                                    std::vector<Phrase>& notes) const;
  // A folder that cannot be written to is a note: the review is as good without.
  void keep(const std::string& key, const KeptExecution& execution, std::vector<Phrase>& notes) const;

 private:
  std::string path(const std::string& key) const { return m_folder + "/" + key + ".json"; }
  void makeRoom() const;
  std::string m_folder;
  bool m_writable;
};

}  // namespace fathom
