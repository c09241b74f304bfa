// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/nn/models/model.h"
#include "core/probe/forward_pass.h"
#include "core/tasks/task.h"

namespace fathom {

// One batch of the data set that a probe looks at.
struct ProbeBatch {
  ForwardPass forward;
  std::function<torch::Tensor(const StepContext&)> loss;  // summed over the batch
  TokenMasks realTokens;
  std::int64_t examples = 0;
  std::vector<std::int64_t> ids;  // [B] indices in the part of the data; empty where they are not known
  std::function<TokenRows(std::int64_t row)> pieces;  // Task::pieces of one row; may be empty
};

// Another model on the data of a subject, at its initial weights.
struct ProbeNet {
  std::shared_ptr<Model> model;
  bool sharesPrefixes = false;  // its first layers are those of a deeper one of the same options
  std::function<ProbeBatch(std::int64_t)> batch;  // the subject's, by the same numbers
};

// A model with data. Borrowed by the probe, which leaves the weights as they were.
struct ProbeSubject {
  explicit ProbeSubject(Model& subject) : model(subject) {}
  Model& model;
  std::uint64_t seed = 1;    // of the run
  std::int64_t longest = 0;  // tokens of the longest sequence that may come
  // The chosen examples (core/tasks/example_sample.h), in batches of similar length.
  std::int64_t examples = 0;
  std::int64_t batches = 0;
  std::function<ProbeBatch(std::int64_t)> batch;
  // All of them in one batch, as wide as the longest; an empty function where `batch` is all there is.
  std::function<ProbeBatch()> whole;
  Json sample;  // how they were chosen (ExampleSample::toJson); null: not by a sample
  // One example of the part of the data by its number, alone, chosen or not; usage error for none such.
  std::function<Result<ProbeBatch>(std::int64_t example)> only;
  Progress* progress = nullptr;  // may be null
  StopToken stop;
  // Number of states of the run that are looked at like this, this one among them.
  std::int64_t states = 1;
  // Tells the person who waits how long the rest takes (work_estimate.h); may be empty.
  std::function<void(const Phrase&)> say;
  // Recorded report on the run's initialisation (core/init/init_report.h), null where there is none.
  Json initialisation;
  // Builds and initialises what the run's options with "key=value" on top describe; only options of model,
  // initialisation and seed may differ.
  std::function<Result<ProbeNet>(const std::vector<std::string>&)> build;
};

// Calls use(batch) for every batch of the chosen examples, with progress; throws Failure(interrupted) on a
// stop. Returns how many examples there were.
std::int64_t forProbeBatches(const ProbeSubject& subject, const std::string& phase,
                             const std::function<void(const ProbeBatch&)>& use);

// All chosen examples as one batch, for what cannot be added up over several; a data error when there is
// none.
Result<ProbeBatch> wholeProbeBatch(const ProbeSubject& subject, const std::string& phase);

// A data error where nothing was chosen, because the part of the data is empty.
Status checkProbeExamples(const ProbeSubject& subject);

// Which examples a probe looks at. A number of them and the seed of the sample are options ("examples",
// "sample_seed") of those probes alone that use them.
enum class ProbeExamples {
  Chosen,  // as many as the option says, 0 = all
  Batch,   // a sample as large as a batch is on average
  One      // one that an option of its own names
};
// The fields of the sort, with the usual number of Chosen.
std::vector<OptionField> exampleFields(ProbeExamples sort, std::int64_t usual = 1000);
// Values of these options: a count for sampleExamples, and its seed.
std::int64_t chosenExamples(const OptionValues& options);
std::uint64_t sampleSeed(const OptionValues& options);

// The entry of core/analysis/analyses.list; Failure (internal) for an id without one.
const AnalysisEntry& analysisOf(const std::string& id);

struct ProbeParts {
  std::vector<OptionField> fields;  // keys without a prefix
  // The result as JSON, in the shape that the analysis reads back. A data error says why a probe does not
  // apply to the model.
  std::function<Result<Json>(const ProbeSubject&, const OptionValues&)> run;
  // Analyses that one pass over the data gives, ids of entries with the same fields and the same part, its
  // own among them; empty: its own alone. runTogether computes those of `ids`, in their order.
  std::vector<std::string> together = {};
  std::function<std::vector<Result<Json>>(const ProbeSubject&, const OptionValues&,
                                          const std::vector<std::string>& ids)>
      runTogether = {};
  // Builds its nets from the run's options: no checkpoint, the weights before the first update.
  bool initialOnly = false;
  std::string part = "validation";  // of the data, where nobody asks for another
};
// Code that computes an analysis: {analysisOf("beta_dependency"), {.fields = …, .run = …}}, defined by
// <stem>_probe.cpp.
struct ProbeEntry : AnalysisEntry, ProbeParts {};

// The options of an entry with `assignments` ("key=value") on top. A usage error for one that it does not
// take names the analysis and those that it takes.
Result<OptionValues> probeOptions(const ProbeEntry& entry, const std::vector<std::string>& assignments);

// A result that says which examples it was computed from, as "sample"; without one where the probe chose
// none.
Json withSample(Json result, const ProbeSubject& subject);
// Runs an entry and adds that: the results of `ids`, its own or some of `together`, from one pass.
std::vector<Result<Json>> runProbe(const ProbeEntry& entry, const ProbeSubject& subject,
                                   const OptionValues& options, const std::vector<std::string>& ids);

const std::vector<ProbeEntry>& probeEntries();  // in the order of analyses.list
// Usage error with the known ids.
Result<ProbeEntry> findProbe(const std::string& id);

}  // namespace fathom
