// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/runner/launcher.h"

namespace fathom {

// One job of squeue, an element of an array each: the format of kSlurmColumns. Text, since JSON differs from
// version to version.
inline constexpr const char* kSlurmColumns = "%F|%K|%T|%r|%N|%S|%L|%k";
struct SlurmRow {
  std::string array, task;  // task "" = no array
  std::string state, reason, nodes, start, left, comment;
  // "17_3", or "17": the only name of a job that is right in every command; the raw number of an element is
  // another one, and that of the array means all of them.
  std::string id() const { return task.empty() ? array : array + "_" + task; }
};
// Lines of another form (messages, banners) are passed over.
std::vector<SlurmRow> slurmRows(std::string_view text);
// What the state and reason of a row mean. Exit codes are not in it: squeue has none.
JobStatus slurmStatus(const SlurmRow& row);

// What sbatch answered.
struct SlurmAnswer {
  enum class Kind {
    Taken,
    Unclear,  // nobody knows: it may have been taken
    Later,    // not now
    TooMany,  // more than may be submitted
    Refused   // never as it is
  };
  Kind kind = Kind::Unclear;
  Phrase words;  // the job's number, or what it said
};
SlurmAnswer slurmAnswer(int exitCode, bool timedOut, std::string_view out, std::string_view err);
// The line of a script's log that says that a step passed its memory, which the state of its job may not; ""
// = none.
std::string memoryLine(std::string_view log);
// The resource of a place (slurm_script.h) that words of a refusal are about; "" where they do not tell.
std::string blamedResource(std::string_view words);

}  // namespace fathom
