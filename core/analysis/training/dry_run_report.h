// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/error.h"
#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"

namespace fathom {

// Report of `fathom-engine estimate --json` on a run or a grid (docs/dry_run.md §5), in words.
struct DryRunWords {
  Phrase parameters, memory, time, disk;     // a few words each; empty: not known
  Phrase memoryParts, timeParts, diskParts;  // what they are made of
  Phrase ranks, ranksDetails;                // predictions, where several processes are asked for
  std::vector<Phrase> notes;
};
DryRunWords dryRunWords(const Json& report);
// The refusal that the report holds, with the option it is about; an empty message where the run fits.
Error dryRunRefusal(const Json& report);
// Lines for a terminal.
std::string dryRunText(const Json& report);

// One report from those of a grid's members, in their order: the largest memory (one runs after the other),
// the sums of time and disk, and the refusal of the first member that does not fit. `names`: of the members,
// for the refusal. Members that are alike may share a report; a null report was not looked at.
Json dryRunOfGrid(const std::vector<Json>& members, const std::vector<std::string>& names);

}  // namespace fathom
