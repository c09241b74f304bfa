// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/imports/import_entry.h"
#include "core/imports/run_appender.h"

namespace fathom {

// Follows one source: what it has, and whatever comes to it, becomes run folders of ours. How far it was read
// stands in a file of its own, with the length of every event log that it belongs to: after a crash what was
// written later is taken back and read once more, so nothing is read twice and nothing is lost. The source is
// never written to or locked.
class SourceFollower {
 public:
  struct Options {
    std::string source, runsFolder;
    std::string record;  // the file that it is kept in
    ImportOptions import;
  };
  // Goes on where the record left off, where there is one. Unavailable while somebody else follows it.
  static Result<std::unique_ptr<SourceFollower>> open(Options options);
  ~SourceFollower();

  struct Growth {
    std::int64_t points = 0;         // that came
    std::vector<std::string> fresh;  // paths of runs that are new
  };
  // Reads what came. An error of the source leaves what is known as it is; it may be tried again.
  Result<Growth> poll(const StopToken& stop);
  // Seconds since the source grew last, and the longest gap between two growths so far.
  double quiet() const;
  double longestGap() const { return m_gap; }
  // Every run said how it ended.
  bool allEnded() const;
  // Half records are said to be missing, runs without a word for their end are left as they are; the record
  // stays, for a source that grows again.
  Status rest(const StopToken& stop);
  std::vector<std::string> runPaths() const;
  const std::string& format() const { return m_entry->id; }

 private:
  explicit SourceFollower(Options options) : m_options(std::move(options)) {}
  Status restore();
  Status take(const ImportedRun& piece, Growth& growth);
  Status keep();
  Options m_options;
  const ImportEntry* m_entry = nullptr;
  std::unique_ptr<ImportSource> m_source;
  struct Followed {
    std::unique_ptr<RunAppender> run;
    bool resting = false;
  };
  std::map<std::string, Followed> m_runs;
  double m_grew = 0, m_gap = 0;
  int m_lock = -1;
};

// The record of a source in a project folder: one file for each source, named by its path.
std::string followRecord(const std::string& project, const std::string& source);

}  // namespace fathom
