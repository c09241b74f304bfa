// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/attention/attention_array.h"

namespace fathom {

// Attention of a model that did not run here, as files.
struct AttentionFiles {
  std::vector<std::string> arrays;  // .npy, .safetensors
  std::string tokens;               // JSON (given_tokens.h), may be empty
  AttentionPlace place;             // of the only array whose name does not say; parts may be empty
  std::string split = "validation";
  std::int64_t maps = 1;  // so many examples, the first ones, are kept as maps
};

// A result as an analysis of core/analysis/analyses.list has it, with the options it is stored under.
// "source" in it says that it was brought.
struct BroughtAnalysis {
  std::string analysis;
  Json options = Json::object();
  Json result;
};

struct BroughtAttention {
  std::int64_t examples = 0, tokens = 0;  // tokens: real queries of the first attention
  std::vector<std::string> attentions;    // "encoder.self_attention", in the order of the results
  std::vector<std::string> passedOver;    // arrays that are no attention
  std::vector<BroughtAnalysis> analyses;  // entropy, divergence where a stack has two layers, maps
};

// Entropy, divergence and maps of all arrays, read one head at a time; real queries count. Errors name file
// and place: shapes that do not belong together, a row of a real query that is no distribution over the real
// keys, tokens that do not fit. Interrupted on a stop.
Result<BroughtAttention> readAttention(const AttentionFiles& files, Progress& progress,
                                       const StopToken& stop);

}  // namespace fathom
