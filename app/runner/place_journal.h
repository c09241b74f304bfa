// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/errors/error.h"
#include "core/base/json/json.h"

namespace fathom {

// Something that was asked of a place, and what came back.
struct PlaceLine {
  double at = 0;  // seconds since epoch
  std::string asked, answer;
  bool trouble = false;
  Phrase question = {}, words = {};  // both for a window that speaks another language
};

// For people who look at a place: what was said between here and it, when it was last heard, what the last
// look at it found. queue/journal/<place>.log, .heard (its time counts) and .json of the project; several
// programs write there. What cannot be written is left out. One thread an object.
class PlaceJournal {
 public:
  PlaceJournal(const std::string& project, const std::string& place);
  // A line more; said again and again it is one line.
  void say(const Phrase& asked, const Phrase& answer, bool trouble = false);
  void say(const Phrase& asked, const Error& trouble);
  // It was heard so many seconds ago. On the disk at most every two seconds.
  void heard(double secondsAgo = 0);
  void keepLook(const Json& look) const;

  // The last of them, the oldest first.
  std::vector<PlaceLine> lines(std::size_t most) const;
  double heardAt() const;  // seconds since epoch; 0: never
  Json look() const;       // {}: none yet

 private:
  bool makeFolder() const;
  void append(Json line);
  std::string m_queue, m_folder, m_base;
  std::string m_last;  // that was said, without its time
  double m_heardAt = 0;
};

// "start 1a2b3c4d": a run in a line of the journal.
Phrase journalRun(const Phrase& verb, const std::string& uuid);

}  // namespace fathom
