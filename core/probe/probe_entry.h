// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/option_field.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/stop_token.h"
#include "core/nn/model.h"
#include "core/probe/forward_pass.h"

namespace fathom {

// One batch of the data set that a probe looks at.
struct ProbeBatch {
  ForwardPass forward;
  std::function<torch::Tensor(const StepContext&)> loss;  // summed over the batch
  TokenMasks realTokens;
  std::int64_t examples = 0;
  std::vector<std::int64_t> ids;  // [B] indices in the part of the data; empty where they are not known
  // The tokens of one row as text, by the stack that reads them ("encoder", "decoder"), padding included; may
  // be empty.
  std::function<std::map<std::string, std::vector<std::string>>(std::int64_t row)> pieces;
};

// Another model on the data of a subject, at its initial weights.
struct ProbeNet {
  std::shared_ptr<Model> model;
  bool sharesPrefixes = false;  // its first layers are those of a deeper one of the same options
  std::function<ProbeBatch(std::int64_t)> batch;
};

// A model with data. Borrowed by the probe, which leaves the weights as they were.
struct ProbeSubject {
  explicit ProbeSubject(Model& subject) : model(subject) {}
  Model& model;
  std::uint64_t seed = 1;     // of the run
  std::int64_t longest = 0;   // tokens of the longest sequence that may come
  std::int64_t examples = 0;  // at most so many, in the order of the batches
  std::int64_t batches = 0;
  std::function<ProbeBatch(std::int64_t)> batch;
  // The first `rows` of a batch, so that the last one holds no example too many; may be empty.
  std::function<ProbeBatch(std::int64_t index, std::int64_t rows)> head;
  Progress* progress = nullptr;  // may be null
  StopToken stop;
  // What the run recorded of its initialisation (core/init/init_report.h), null where it did not.
  Json initialisation;
  // Builds and initialises what the run's options with "key=value" on top describe; only options of model,
  // initialisation and seed may differ.
  std::function<Result<ProbeNet>(const std::vector<std::string>&)> build;
};

// Calls use(batch) until the examples are used up, with progress; throws Failure(interrupted) on a stop.
// Returns how many examples there were.
std::int64_t forProbeBatches(const ProbeSubject& subject, const std::string& phase,
                             const std::function<void(const ProbeBatch&)>& use);

// The one batch of a probe that needs no more; a data error when the part of the data is empty.
Result<ProbeBatch> firstProbeBatch(const ProbeSubject& subject, const std::string& phase);

// An entry of probes.list: the id is that of the analysis, of its figure and of its help page.
struct ProbeEntry {
  std::string id, title, reference;
  int version = 1;                  // raised when results change: goes into the hash of stored results
  std::vector<OptionField> fields;  // keys without a prefix
  // The result as JSON, in the shape that the analysis reads back. A data error says why a probe does not
  // apply to the model.
  std::function<Result<Json>(const ProbeSubject&, const OptionValues&)> run;
  // Builds its nets from the run's options: no checkpoint, the weights before the first update.
  bool initialOnly = false;
  std::string part = "validation";  // of the data, where nobody asks for another
};

const std::vector<ProbeEntry>& probeEntries();  // generated from probes.list
// Usage error with the known ids.
Result<ProbeEntry> findProbe(const std::string& id);

}  // namespace fathom
