// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/option_field.h"
#include "core/nn/models/model.h"
#include "core/nn/models/sql_network.h"

namespace fathom {

// Examples of Text-to-SQL made by rules: sizes, gold actions and nothing else.
struct SqlBenchExamples {
  std::vector<std::int64_t> words, columns, tables;  // tables with the extra one, columns with the stars
  std::vector<std::vector<GrammarAction>> actions;

  std::int64_t count() const { return static_cast<std::int64_t>(words.size()); }
  std::int64_t elements(std::size_t b) const { return words[b] + columns[b] + tables[b]; }
  std::int64_t actionCount() const;
  torch::Tensor paddedActions() const;  // int64 [B, most], -1 behind the last
};
// All alike: elements, columns and actions as given.
SqlBenchExamples equalSqlExamples(std::int64_t count, std::int64_t elements, std::int64_t columns,
                                  std::int64_t actions);
// Examples of Spider's sizes (about 55 elements, 33 columns, 30 actions on average), others for every seed.
SqlBenchExamples spiderLikeExamples(std::int64_t count, std::uint64_t seed);

// Options of SQL-SP in a size of its presets: "paper" (24 layers of width 256) or "cpu" (8 of 128), without
// dropout; `more` on top.
OptionValues sqlBenchOptions(const std::string& size, const Json& more = Json::object());
SqlNetworkSetup sqlBenchNetwork(const OptionValues& options);
// "gate.weight" … filled alike for every size: normal with the deviation of a map of that many inputs.
void fillForBench(ParameterStore& store, std::uint64_t seed);

// Data error unless the folder is empty or a checkout of DT-Fixup, or its folder `spider`: what is looked
// for.
Status checkReleasedDecoder(const std::string& folder);

// The grammar for a peer: {"root": type, "productions": [{"name", "type", "fields": [[type, cardinality]]}]}.
Json grammarForPeer();

// Operations of a forward pass of the decoder (a product counts twice): one step of one example with a memory
// of n elements and C columns, of which a share reads out columns; and what is made once of the memory.
double decoderStepOperations(const GrammarDecoderSetup& setup, double elements, double columns,
                             double columnShare);
double decoderMemoryOperations(const GrammarDecoderSetup& setup, double elements, double columns);

// Single-precision product of large matrices on this machine, in operations per second: what floors are
// counted against.
double measuredGemmRate();
// Median seconds of `work` over some calls.
double medianSeconds(int calls, const std::function<void()>& work);

}  // namespace fathom
