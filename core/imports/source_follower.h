// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/imports/import_entry.h"
#include "core/imports/run_appender.h"
#include "core/record/import/source_growth.h"

namespace fathom {

// Of the source that a project follows or has followed; nothing where it has no record of it.
std::optional<SourceGrowth> growthOf(const std::string& project, const std::string& source);
// The same of what its record holds.
SourceGrowth growthOfRecord(const Json& record);

// Follows one source: what it has, and whatever comes to it, becomes run folders of ours. How far it was read
// stands in a file of its own, with the length of every file that was written out of it. Whatever goes wrong
// (an error, a stop in the middle, a crash, a full disk), what was written after that is taken back and read
// once more: nothing is read twice and nothing is lost. The source is never written to or locked.
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
  // Reads what came. An error, or a stop, leaves everything as it was before; it may be tried again.
  Result<Growth> poll(const StopToken& stop);
  // Nothing more will come, as far as anybody knows: what was waited for (a last line without a line end) is
  // taken. Who follows it later goes on behind it. An error leaves everything as it was before.
  Result<Growth> close();
  // Seconds since the source grew last, and the longest gap between two growths so far.
  double sinceGrowth() const;
  double longestGap() const { return m_gap; }
  SourceGrowth growth() const;
  // What was asked for and is not done, since the record of the source says otherwise.
  const std::vector<Phrase>& notes() const { return m_notes; }
  // Seconds for which nobody saw it grow: no more than it has been followed.
  double quiet() const;
  // Every run said how it ended.
  bool allEnded() const;
  // Nobody follows the runs from now on: they stay as they are. The record stays, for whoever goes on.
  void rest();
  // Whoever looks for sources that are followed goes on with it from now on, also where nothing came yet.
  Status handOn();
  // A person wants it followed no more, or it is over (`ended`): nobody goes on with it by themselves.
  Status leave(bool ended = false);
  // Somebody else may follow it; nothing but what it came to may be asked of this one.
  void unlock();
  std::vector<std::string> runPaths() const;
  // "" while nobody's program is recognised.
  std::string format() const { return m_entry != nullptr ? m_entry->id : std::string(); }

 private:
  struct Followed {
    std::unique_ptr<RunAppender> run;  // null: a person has deleted it, it comes no more
    std::int64_t turn = 0;             // when it grew last: the higher the later
  };

  explicit SourceFollower(Options options) : m_options(std::move(options)) {}
  Status begin();
  Status recognise();
  Status goBack();
  Status restore(const Json& record);
  Status takeBack(const Json& record);
  Status plan(const std::string& path, const std::string& uuid);
  Result<Growth> readOnce(const StopToken& stop);
  Status take(const ImportedRun& piece, Growth& growth);
  Status create(Followed& followed, const ImportedRun& piece, Growth& growth);
  Status keep();
  void noteGrowth();
  void compare(const Json& record);
  void noteLive(Followed& followed);
  void beat();
  std::string planPath() const { return m_options.record + ".new"; }

  Options m_options;
  const ImportEntry* m_entry = nullptr;    // null: a folder that is nobody's yet
  std::unique_ptr<ImportSource> m_source;  // null: so it is, gone, or going back failed, and is tried again
  std::map<std::string, Followed> m_runs;
  std::vector<double> m_gaps;  // the last ones
  std::string m_name;          // that was asked for when the source was first followed
  std::vector<Phrase> m_notes;
  double m_grew = 0, m_gap = 0, m_opened = 0, m_beat = 0;
  std::int64_t m_turn = 0;
  std::size_t m_live = 0;  // runs that are locked, or more
  bool m_planned = false, m_followed = true, m_ended = false;
  int m_lock = -1;
};

// Locks what one who follows a source holds; whoever lists sources holds it for a moment. False where it is
// held on.
bool lockSoon(int lock);

// The record of a source in a project folder: one file for each source, named by its path.
std::string followRecord(const std::string& project, const std::string& source);

}  // namespace fathom
