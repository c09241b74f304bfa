// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/nn/models/model.h"
#include "core/nn/token_masks.h"
#include "core/objectives/device_batch.h"
#include "core/tasks/task.h"

namespace fathom {

// One quantity of a batch, to be divided only when sums over several batches are there.
struct LossSum {
  std::string name;   // "nll"
  torch::Tensor sum;  // scalar, no gradient
  double count = 0;
};

// Result of a forward: sums and counts, never means, so that the loop alone decides how micro-batches are
// weighed.
struct LossTerms {
  torch::Tensor loss;      // scalar, differentiable: sum over the batch
  std::int64_t units = 0;  // normaliser of `loss`: target tokens, masked positions, examples
  std::vector<LossSum> sums;
};

using NamedValues = std::vector<std::pair<std::string, double>>;

class PartShare;

struct EvaluationRequest {
  DataSplit split = DataSplit::Validation;
  std::uint64_t seed = 1;
  bool predictions = true;     // also decode and score
  std::string decoding;        // prefix of the option keys that steer the decoding (decoding_keys.h)
  PartShare* share = nullptr;  // with whom the batches are shared out (judged_batches.h); null: with nobody
  Progress* progress = nullptr;
  StopToken stop;
};

struct Evaluation {
  NamedValues values;  // names without a split: "nll", "ppl", ..., then one per TaskScore
  double nll = 0;      // mean negative log likelihood in nats; what the "not learning" rule looks at
  std::vector<TaskScore> scores;
  std::vector<Prediction> predictions;  // completed; empty unless asked for
};

// Everything of a batch that forward() reads on the host, and of which a device is asked for other things, or
// for the same with other numbers, beside the shapes of its arrays, its rows and target units. Two batches
// that agree in all of it are computed by the same operators (core/train/graphs).
struct PassFacts {
  std::vector<std::int64_t> numbers;
  // Tensors that forward() makes of the batch on the host and sends to the device, in its order; an undefined
  // one is not sent.
  std::vector<torch::Tensor> uploads;
};

class Objective;

// Request to an objective before the first batch: what it may prepare, and where it may keep the result.
struct PrepareRequest {
  // Objective of another model on the same data, borrowed: its preparation is taken where it is the same.
  // May be null.
  const Objective* beside = nullptr;
  std::string cachePath;  // folder that runs share, made when needed; empty: nothing is kept
  bool make = false;      // false: take what is kept, make nothing that takes long
  // Not empty: outputs for these batches alone are made; nothing is read or kept (a dry run).
  std::span<const HostBatch* const> only = {};
  Progress* progress = nullptr;
  std::function<void(const Phrase&)> say;  // what was done, for the log; may be empty
  StopToken stop;
};

// The torch half of a task: how a batch becomes a loss, and a model's output becomes predictions. Immutable
// but for prepare(); the model is handed in. One thread. Everything throws Failure.
class Objective {
 public:
  virtual ~Objective() = default;
  // Called once, when pre-trained or stored weights are in and nothing was computed yet: outputs of a frozen
  // part can be made for all examples now. Results of the other functions must not depend on it. True when
  // such outputs are at hand for every example, so that a pass over all of them does not cost the frozen
  // part.
  virtual bool prepare(const Model&, const Task&, const PrepareRequest&) { return false; }
  virtual std::int64_t preparedBytes() const { return 0; }  // of physical memory, held by what was prepared
  virtual LossTerms forward(const Model& model, const DeviceBatch& batch,
                            const StepContext& context) const = 0;
  // Nothing: what is read of a batch cannot be told beforehand.
  virtual std::optional<PassFacts> passFacts(const DeviceBatch&) const { return std::nullopt; }
  // Positions of the stacks' streams that are not padding, for probes.
  virtual TokenMasks realTokens(const DeviceBatch& batch) const = 0;
  // From summed LossSum entries to named values for events: "loss" (`lossSum` over `units`), the means, and
  // "ppl" of the first of them, which is an nll in nats.
  virtual NamedValues trainingValues(double lossSum, double units, const NamedValues& means) const;
  // Mean nll (nats) of a model that knows nothing: ln V, ... The divergence rule compares with it.
  virtual double ignorantNll() const = 0;
  // Over the part by judgePart(); empty on a process that leaves the rest to another one (request.share).
  virtual Evaluation evaluate(const Model& model, const Task& task,
                              const EvaluationRequest& request) const = 0;
  // Best output of each row; `options` prefix as in EvaluationRequest::decoding. Texts are not filled.
  virtual std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch,
                                          std::string_view decoding, const StopToken& stop) const = 0;
};

struct ObjectiveEntry {
  std::string id, title, reference;
  std::string task;  // id in tasks.list
  std::vector<OptionField> (*fields)() = noOptionFields;
  std::vector<OptionRule> (*rules)() = noOptionRules;
  // Refuses a model whose interface does not fit, naming it.
  Status (*accepts)(const Model& model);
  std::unique_ptr<Objective> (*make)(const OptionValues& options, const Task& task);
};
const std::vector<ObjectiveEntry>& objectiveEntries();  // objectives.list

// The objective of a task id; null if there is none.
const ObjectiveEntry* objectiveForTask(std::string_view task);

// Fields of all objectives, each active only under its task.
std::vector<OptionField> objectiveOptionFields();
std::vector<OptionRule> objectiveOptionRules();

}  // namespace fathom
