// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/base/threads/stop_token.h"
#include "core/nn/models/model.h"

namespace fathom {

// docs/decoding.md §1; ties: the lower flat index (beam row x V + token) first, finished hypotheses
// sort stably.
struct BeamOptions {
  std::int64_t beam = 5;       // 1 = greedy
  double lengthPenalty = 1;    // score = sum log p / (length incl. eos)^lengthPenalty
  std::int64_t minLength = 1;  // eos forbidden before this many tokens
  double maxLengthA = 0;       // longest output = min(a * source length + b, maxPositions - 1), without eos
  std::int64_t maxLengthB = 200;
};

struct Hypothesis {
  std::vector<std::int64_t> tokens;  // with the final eos
  double logProbability = 0;         // sum of natural logs
  double score = 0;
};

using BeamResult = std::vector<Hypothesis>;  // best first, at most `beam`

// One step of the scorer: rows of all live sentences, sentence after sentence. Row r continues row parents[r]
// of the previous call (at the first call: parents[r] = sentence index in the batch) with token lastTokens[r]
// (eos at first).
struct BeamStep {
  std::int64_t step = 0;
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> lastTokens;
  std::vector<std::int64_t> sentences;  // batch index of each row's sentence
};
// Returns log p [rows, V], float32 or float64.
using BeamScorer = std::function<torch::Tensor(const BeamStep&)>;

struct BeamTask {
  std::int64_t vocabulary = 0, padId = 1, eosId = 2;
  std::vector<std::int64_t> maxLengths;  // per sentence: tokens before eos
};

// The algorithm alone: rows of finished sentences leave the batch. Throws Failure(interrupted) when stopped.
std::vector<BeamResult> beamSearch(const BeamTask& task, const BeamOptions& options, const BeamScorer& scorer,
                                   const StopToken& stop = {});

// Batched incremental decoding over a model. sourceTokens [B, S] left padded; eval mode, no gradients.
std::vector<BeamResult> translate(const SequenceModel& model, const torch::Tensor& sourceTokens,
                                  const BeamOptions& options, const StopToken& stop = {});

// Keys under `prefix`: "<prefix>.beam", ".length_penalty", ".min_length", ".max_length_a", ".max_length_b".
std::vector<OptionField> beamOptionFields(const std::string& prefix, const BeamOptions& defaults = {});
BeamOptions beamOptions(const OptionValues& options, const std::string& prefix);

}  // namespace fathom
