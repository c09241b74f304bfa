// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/json/json.h"

namespace fathom {

// Measurements of a model at its initial weights before it is trained, and a forecast from them whether it
// will learn. One batch, evaluation mode. The limits were set with real short trainings
// (packaging/calibrate.sh, tests/calibration/trainability.txt).

// One stack. Per sub-layer vectors are in order of execution.
struct StackCheck {
  std::string stack, residual;  // "decoder", id of the scheme
  std::int64_t layers = 0;
  double rateShare = 1;                // of the learning rate: what the fastest of its weights learn at
  double mu = 0;                       // largest L2 norm of an input vector
  double inputScale = 0;               // root mean square of x_0 over real tokens and channels
  std::vector<std::string> sublayers;  // names
  // Root mean square of the sum of stream and branch, before the sub-layer's norm (which would make any sum
  // look well); predicted for independent branches.
  std::vector<double> predicted, measured;
  std::vector<double> ownShare;  // β²_ii
  double ownShareSum() const;
  std::vector<double> gradient;  // |dL/dx_i| relative to the largest of the model
  // Relative change of the normalised output for a weight change of one (small) unit: sqrt(shift / width) / δ
  // of Theorem 2's shift of a real token under random ±δ.
  double amplification = 0;
};

struct TrainabilityFacts {
  std::string init;
  std::vector<StackCheck> stacks;
  double loss = 0, ignorantLoss = 0;    // nats a unit at the start; of a model that knows nothing
  double peakRate = 0, summedRate = 0;  // of the schedule over the planned updates
  std::int64_t updates =
      0;                    // -1: an epoch is as long as data that are not there; then no sum of rates either
  double weightScale = 0;   // root mean square of the branches' weights
  std::int64_t tokens = 0;  // real ones of the first stack's batch
};

enum class Trainability { Green, Doubtful, Unlikely };
const char* trainabilityName(Trainability verdict);  // "green", "doubtful", "will_probably_not_learn"

// Something that would make a check green.
struct TrainabilityRemedy {
  enum class Kind {
    LowerRate,        // value: the peak learning rate
    LowerRateLonger,  // the same, over more updates: at that rate the planned ones move the weights too
                      // little
    Scheme,           // Admin or Pre-LN; not for stacks that have them
    FewerLayers,
    LongerOrFaster,  // more updates or a higher learning rate
    Initialisation,  // another one, or other pre-trained weights
    InputScale,      // value: µ
    SmallerTables
  };
  Kind kind = Kind::LowerRate;
  double value = 0;
};

// One thing that was looked at.
struct TrainabilityCheck {
  std::string id;  // "update", "gradient", "step", "movement", "scale", "loss", "finite"
  Trainability verdict = Trainability::Green;
  std::string stack;                         // "" = the whole model
  double value = 0, limit = 0;               // the limit that was passed, or the first one
  double excess = 0;                         // how many times the value is beyond its first limit
  Phrase reason;                             // English sentence with the numbers
  std::vector<TrainabilityRemedy> remedies;  // none when green
  Phrase change() const;                     // the remedies in English
};

struct TrainabilityVerdict {
  Trainability verdict = Trainability::Green;  // of the worst check
  std::vector<TrainabilityCheck> checks;       // worst first: by verdict, then by excess
};
TrainabilityVerdict judgeTrainability(const TrainabilityFacts& facts);

// Limits, from the half "fit" of tests/calibration/trainability.txt (packaging/calibrate.sh --limits).
// Peak learning rate × (Σβ²_ii)² of a stack. |shift|² of its output after an update grows with Σβ²_ii
// (Admin Theorem 2): with N for Post-LN, with ln N for Pre-LN and Admin. The rate that is still learned at
// falls with it. Unlikely: the middle (geometric) of .0615, the worst that learned but for one run that
// hardly did, and .104, the next that failed. Doubtful: below the best translation that failed for it, .0547.
inline constexpr double kUpdateDoubtful = 0.05, kUpdateUnlikely = 0.08;
// Smallest |dL/dx_i| of a stack over its largest.
inline constexpr double kGradientDoubtful = 0.05, kGradientUnlikely = 0.01;
// Relative change of a stack's output when every weight moves by the peak rate in a random direction.
// Doubtful: behind .283, the worst that learned but for the same run.
inline constexpr double kStepDoubtful = 0.3, kStepUnlikely = 1.0;
// Distance Adam can move a weight in the whole run over the weights' scale.
inline constexpr double kMovementDoubtful = 0.5, kMovementUnlikely = 0.1;
// Measured over predicted scale of a sub-layer's sum, and loss at the start over that of knowing nothing.
inline constexpr double kScaleDoubtful = 5, kLossDoubtful = 2, kLossUnlikely = 10;

// {"verdict", "mu", "checks": [...], "stacks": [...], "loss", "learning_rate", ...}; numbers as jsonReal,
// null where the planned updates are not known.
Json trainabilityToJson(const TrainabilityFacts& facts, const TrainabilityVerdict& verdict);

}  // namespace fathom
