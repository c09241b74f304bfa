// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// For each of the runs' options (effective ones, {"key": value}) a word that is the same for those that
// differ only in the seed, in where they run (device, threads) and in what is analysed beside the training;
// "" for a run whose options are not known. An option sets runs apart only where two of them have it with
// different values: a run of an older version lacks options that came later. Words hold within one call only.
//
// `origins`: where each run was imported from, "" for a run of our own; empty = all are. What another program
// recorded is compared as it is: such runs belong together when all their deciding options are the same, and
// never with runs of our own. Where nothing but a seed is known, only those of one origin do.
std::vector<std::string> seedGroups(const std::vector<const Json*>& options,
                                    const std::vector<std::string>& origins = {});

}  // namespace fathom
