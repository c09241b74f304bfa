// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/imports/attention/attention_import.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// The name of a state of a run by a person's word: "init", a number of updates ("40", "checkpoint-40"), or
// the name itself ("0001-00000040"). The state need not be kept. Usage error for another word.
Result<std::string> stateName(const RunRow& run, const std::string& word);

// Stores brought results beside a run, or in the project where the run cannot be written to; what was brought
// before for the same state gives way. Their folders. Usage error where Fathom has computed such a result
// itself.
Result<std::vector<std::string>> storeBrought(const std::string& project, const RunRow& run,
                                              const std::string& checkpoint, const std::string& split,
                                              const BroughtAttention& brought);

}  // namespace fathom
