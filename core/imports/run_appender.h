// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/imports/imported_run.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

// The run folder of ours that a foreign run becomes, written piece by piece: an import writes one piece, a
// follower one whenever the source has grown. Lines stand in the order of their times as far as a piece
// reaches, so that the clock of the run is the source's; readers sort by step.
class RunAppender {
 public:
  struct Facts {
    std::string name, uuid, source;
    bool followed = false;  // more may come: the run is locked and says so
    bool asked = false;     // a person gave the name: what the source calls the run does not change it
  };
  // `path` must not exist. `first` is what the run is told by; append() gives its points.
  static Result<std::unique_ptr<RunAppender>> create(const std::string& path, const Facts& facts,
                                                     const ImportedRun& first);
  // Goes on where state() was taken: what was written after that to events, texts and histograms is taken
  // back.
  static Result<std::unique_ptr<RunAppender>> resume(const std::string& path, const Json& state);
  ~RunAppender();
  RunAppender(const RunAppender&) = delete;
  RunAppender& operator=(const RunAppender&) = delete;

  // Points that are new; name, options, notes and warnings where they changed. In the files when this
  // returns; of a run that is followed on the disk, too, with no file held open.
  Status append(const ImportedRun& piece);
  // Shows that the follower is alive while nothing comes: the time of the event log, which says when a run
  // was heard, is set to now.
  void heartbeat() const;
  Status finish(const ImportedEnd& end);
  // Nothing has come for long: the run is no running one any more, until something comes.
  void rest() { m_lock.reset(); }
  bool resting() const { return m_lock == nullptr; }
  // It said how it ended; what comes nevertheless is another attempt.
  bool ended() const { return m_ended; }
  Json state() const;
  const std::string& path() const { return m_folder.path(); }

 private:
  explicit RunAppender(std::string path) : m_folder(std::move(path)) {}
  Status beginAttempt(const Json& config);
  Status openEvents(bool fresh);
  Status addLine(std::string line);
  Status flush();
  Status settle();
  Status describe();
  Status describeAgain(const ImportedRun& piece, const std::string& name);
  Status writePoints(const ImportedRun& piece, std::size_t begin, std::size_t end);
  Status writeGroup(const ImportedRun& piece, const std::vector<std::uint32_t>& order, std::size_t begin,
                    std::size_t end);
  std::string beginLine(double time, const char* kind);
  RunOutcome startedAgain() const;
  Status keepTexts(const ImportedRun& piece);
  Status shortenTexts(const Json& state) const;
  Status keepLoads(const ImportedRun& piece);
  Status shortenLoads(const Json& state) const;
  std::string textsPath(int which) const;

  RunFolder m_folder;
  std::unique_ptr<RunLock> m_lock;
  RunIdentity m_identity;
  Json m_config = Json::object(), m_scores = Json::object();
  std::vector<std::string> m_names;  // of metrics that were seen, for what is declared of them
  std::set<std::string> m_seen;      // the same
  std::string m_format, m_buffer;
  int m_fd = -1, m_attempt = 0;
  std::int64_t m_seq = 0, m_bytes = 0, m_texts = 0;
  std::int64_t m_textBytes[2] = {0, 0};  // of texts.jsonl and histograms.jsonl
  std::int64_t m_loadBytes = 0;          // of the attempt's system.jsonl
  double m_start = -1, m_lastStep = 0;
  bool m_followed = false, m_ended = false, m_asked = false;
};

}  // namespace fathom
