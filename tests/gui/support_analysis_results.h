// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/json/json.h"

namespace fathom::test {

// Results as the engine would have stored them for an encoder of `layers` layers with `heads` heads; `shift`
// moves every number a little, so that checkpoints and runs differ.
Json madeEntropy(int layers, int heads, double shift);
Json madeDependency(int sublayers, double shift);
Json madeNorms(int layers);
// Attention of example 0 with `tokens` words.
Json madeMaps(int layers, int heads, int tokens);

// The same of a question of 4 words over 60 columns and 10 tables, in extra layers; one word names a column
// and a table.
Json madeSchemaMaps(int layers, int heads);

// Stores a result of `analysis` of run folder `run` at a checkpoint ("init", "0001-00000010"), which need not
// exist.
void storeResult(const std::string& run, const std::string& analysis, const std::string& checkpoint,
                 const Json& result);
// A checkpoint that the run folder keeps, whose weights nobody can read.
void keepCheckpoint(const std::string& run, int step);

}  // namespace fathom::test
