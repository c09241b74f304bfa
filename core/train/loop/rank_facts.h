// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/options/option_field.h"
#include "core/train/parallel/gradient_exchange.h"

namespace fathom {

// What all ranks of a run must have alike: program, LibTorch, options but for paths, data by hash ("data" of
// a run's provenance).
Json rankFacts(const OptionValues& options, const Json& data, const std::string& program);
// How the LibTorch of this process was built, line by line, without what depends on the processor.
std::string torchBuild();

// Compares the facts of all ranks with those of rank 0. Throws Failure on all of them alike, naming the first
// rank that differs, and in what.
void compareFacts(GradientExchange& exchange, const Json& mine);

}  // namespace fathom
