// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"

namespace fathom {

// Weighting by which gradients of accumulated micro-batches become one update (docs/optimisers.md §7).
enum class Normalisation {
  PerUnit,             // sum of all losses / sum of all target units (fairseq)
  MeanOfMicroBatches,  // mean over micro-batches of (loss / units)
  PerAccumulation      // the same sum over training.accumulation, however many there were (ReClor's code)
};

// Use of the batches behind the last whole update of an epoch: they make a smaller one, are passed
// over, or join the first update of the next epoch (ReClor's published code).
enum class LeftOver { Stepped, Dropped, Carried };

// Rules that the "diverged" outcome is judged by (docs/reliability.md §8). 0 turns a rule off.
struct DivergenceSettings {
  std::int64_t notLearningAfter = 300;  // updates
  double notLearningRatio = 0.85;       // of the unigram entropy of the training targets
  double explodingFactor = 3;           // times the first loss, and above 2 ln V
};

// The options of the loop itself; the axes of model, optimiser and task have their own.
struct TrainSettings {
  std::uint64_t seed = 1;
  std::string device = "auto";
  std::int64_t threads = 0;  // 0 = all cores
  std::string precision = "float32";
  bool graphs = false;  // device.graphs=auto
  TrainingTime length;
  std::int64_t accumulation = 1;
  Normalisation normalisation = Normalisation::PerUnit;
  LeftOver leftOver = LeftOver::Stepped;
  std::int64_t prefetch = 16;  // batches made ahead
  std::int64_t patience = 0;   // validations without improvement, 0 = never
  TrainingTime validationInterval;
  TrainingTime scoreInterval;  // validations at or after this much more training also decode and score
  TrainingTime scoreFrom;      // no scores before that, never() = from the start
  std::int64_t samples = 4;    // outputs shown with a scored validation
  TrainingTime checkpointInterval;
  std::int64_t keepLast = 3, keepBest = 1, keepEvery = 0;
  std::string bestBy = "score";  // score | nll
  TrainingTime analysisInterval;
  TrainingTime logitInterval;  // largest attention logit, as a scalar
  DivergenceSettings divergence;
};

TrainSettings trainSettings(const OptionValues& options);
std::vector<OptionField> trainOptionFields();
std::vector<OptionRule> trainOptionRules();

}  // namespace fathom
