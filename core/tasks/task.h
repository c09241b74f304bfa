// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"
#include "core/base/json/json.h"
#include "core/base/numbers/typed_index.h"
#include "core/base/options/metric.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/tasks/host_batch.h"
#include "core/tasks/task_facts.h"

namespace fathom {

enum class DataSplit { Train, Validation, Test };
inline constexpr EnumWord<DataSplit> kDataSplits[] = {
    {DataSplit::Train, "train"}, {DataSplit::Validation, "validation"}, {DataSplit::Test, "test"}};
inline const char* dataSplitName(DataSplit split) {
  return wordOf(kDataSplits, split);
}

// Findings of a task about lines of free input.
struct TextFindings {
  std::string lengthKey;                   // option that limits the length
  std::int64_t cut = 0;                    // lines that were longer
  std::int64_t leftOut = 0;                // lines too long for a batch: no output
  std::string blank;                       // what a line is to have for there to be an output, or empty
  std::vector<std::int64_t> withoutBlank;  // indices of lines without it
};

// Free input of a running program as batches (docs/serving.md §3). A batch's example id is the index of its
// item; an item that is too long for a batch is in none.
struct RequestBatches {
  std::vector<HostBatch> batches;
  std::vector<Json> inputs;  // of each item, what its output is made of: {"line": …} or the task's own object
  TextFindings findings;
};

// Setup of a task besides its options.
struct TaskSetup {
  std::uint64_t seed = 1;  // run seed: composition of batches, masking
  // Files a run keeps so that it can go on without its original data, by name ("sentencepiece.model"): given
  // when a run is resumed or used for prediction, empty for a new run.
  std::map<std::string, std::string> artifacts;
  // Only inputs will be turned into batches (predict): no data file is read, `artifacts` must be complete.
  bool inputOnly = false;
  Progress* progress = nullptr;  // may be null
  StopToken stop;
};

struct DataHash {
  std::string role;  // "train", "train.target", "validation", ...
  std::string path;  // as given in the options
  std::string sha256;
  std::int64_t bytes = 0;
};

// The tokens of a row of a batch as one stack reads them, padding included. The other vectors are parallel to
// `texts`, or empty.
struct TokenRow {
  std::vector<std::string> texts;
  std::vector<std::string> sorts;  // "question", "column", "table": where there are several of them
  std::vector<bool> linked;        // the data say that it has to do with a token of another sort
};
using TokenRows = std::map<std::string, TokenRow>;  // by stack: "encoder", "decoder", "extra"

// One output of a model for one example, before and after the task turned it into text.
struct Prediction {
  ExampleId example;
  std::vector<std::int64_t> ids;  // without begin and end marks
  double score = 0;               // the model's own, higher is better
  std::string text;               // filled by Task::complete
  Json details;                   // what a review may show beside it (hypotheses, scores of steps), or null
};

struct TaskScore {
  std::string id;     // "bleu": the metric "valid.bleu" of a validation (TaskEntry::metrics)
  std::string title;  // "BLEU (13a)"
  double value = 0;
  Json details;  // precisions, lengths, signature, ...
};

// The named texts of one example, by the ids of TaskEntry::texts, for samples, predictions and the data page.
using ExampleTexts = std::vector<std::pair<std::string, std::string>>;

// A data set made ready: torch-free, immutable once made, so every const function may be called from any
// thread. How many batches the training split has, and how large each is, is fixed for the whole run; their
// order changes from epoch to epoch, and with it, where a task says so, what is in them.
class Task {
 public:
  virtual ~Task() = default;

  virtual std::int64_t exampleCount(DataSplit split) const = 0;
  virtual std::int64_t batchCount(DataSplit split) const = 0;
  // Target units of a batch without making it: gradient accumulation plans with it.
  virtual std::int64_t batchTargetUnits(DataSplit split, std::int64_t batch) const = 0;
  // `batch` in [0, batchCount). Train batches in their fixed numbering, see epochOrder. Throws Failure.
  virtual HostBatch makeBatch(DataSplit split, std::int64_t batch) const = 0;
  // The batch as it is trained on in an epoch (from 0): makeBatch, unless the task composes its batches anew
  // for every epoch; then a function of (seed, epoch, batch). Throws Failure.
  virtual HostBatch makeTrainBatch(std::int64_t epoch, std::int64_t batch) const;
  // For samples (example_sample.h). The examples that are in a batch of the split, rising: one that is too
  // long for training is in none. A task that can make its whole batches only has none to choose from.
  virtual std::vector<ExampleId> batchedExamples(DataSplit split) const;
  // Batches of exactly these examples (rising, each once), by the rule and the limits of the split's own.
  virtual std::vector<std::vector<ExampleId>> planExamples(DataSplit split,
                                                           const std::vector<ExampleId>& examples) const;
  // One batch of these examples, in their order, each in [0, exampleCount). Throws Failure.
  virtual HostBatch makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const;
  // A function of (seed, epoch) only, epoch from 0: a permutation of [0, batchCount(Train)).
  virtual std::vector<std::int64_t> epochOrder(std::uint64_t seed, std::int64_t epoch) const;

  // Integers a model is built from: "source_vocabulary", "target_vocabulary", "joined_vocabulary" (1 or 0),
  // "pad_id", "bos_id", "eos_id", "unk_id", ...; each task's header lists its own.
  virtual std::map<std::string, std::int64_t> sizes() const = 0;
  // Entropy in nats of the unigram distribution of training targets (with end marks); 0 where it has no
  // meaning.
  virtual double targetUnigramEntropy() const { return 0; }
  virtual std::vector<DataHash> dataHashes() const = 0;
  // Counts, length histograms, what was skipped, truncated or dropped, overlap between splits; what of it is
  // shown says TaskEntry::statistics. Stored with the run.
  virtual Json statistics() const = 0;
  // See TaskSetup::artifacts.
  virtual std::map<std::string, std::string> artifacts() const { return {}; }

  // Pre-trained weights may have more rows in their token table than the vocabulary has pieces: what the
  // model is built from says so, and the run keeps it. Said once, before anybody else has the task. So many
  // rows that another vocabulary must be meant are not taken.
  void setTokenRows(std::int64_t rows);
  std::int64_t tokenRows() const { return m_tokenRows; }  // 0: as many as there are pieces
  std::map<std::string, std::int64_t> modelSizes() const;
  std::map<std::string, std::string> keptFiles() const;

  virtual ExampleTexts exampleTexts(DataSplit split, ExampleId example) const = 0;
  // Row of the example among those of its data file, from 0: another number than its own where the task
  // left examples of the file out or keeps a share of it apart.
  virtual std::int64_t fileRow(DataSplit split, ExampleId example) const;
  // A stack that is not named reads what the encoder reads. A task without tokens has none.
  virtual TokenRows pieces(const HostBatch& batch, std::int64_t row) const;
  // Fills text (and whatever else the task derives) of predictions from their ids.
  virtual void complete(std::vector<Prediction>& predictions) const = 0;
  // Scores of completed predictions against the references of the split. An error when an example is missing
  // or named twice. The first score is the one checkpoints are chosen by.
  virtual Result<std::vector<TaskScore>> score(DataSplit split,
                                               const std::vector<Prediction>& predictions) const = 0;
  // Completed predictions of a part in the files that the task's benchmark takes, by name; empty: it takes
  // none.
  virtual Result<std::map<std::string, std::string>> submission(
      DataSplit split, const std::vector<Prediction>& predictions) const;
  // Batches of free input, one line an example (example id = index of the line). `findings` may be null.
  virtual Result<std::vector<HostBatch>> batchesFromText(std::span<const std::string> lines,
                                                         TextFindings* findings = nullptr) const = 0;
  // The same of items that are lines (texts) or, where the task knows any, objects. Errors name the item.
  virtual Result<RequestBatches> batchesFromRequests(std::span<const Json> items) const;

 private:
  std::int64_t m_tokenRows = 0;
};
// Number of token rows that a run kept of setTokenRows(); 0: none.
std::int64_t keptTokenRows(const std::map<std::string, std::string>& artifacts);

// An entry of tasks.list. Reading reports to setup.progress and returns an interrupted error when setup.stop
// asks.
struct TaskEntry {
  std::string id, title, paper;
  std::vector<OptionField> fields;
  std::vector<OptionRule> rules = {};
  // Metrics of a run of the task beside the loss, its nll and its perplexity (run_metrics.h).
  Metrics metrics = {};
  std::function<Result<std::unique_ptr<Task>>(const OptionValues& options, const TaskSetup& setup)> create;
  std::vector<TextField> texts = {};
  std::vector<StatisticField> statistics = {};
  DataKeys data = {};
  std::vector<BatchKey> batch = {};  // the first one that is active counts
  DataMaker madeData = {};
  std::string inputExample = {};  // a line that batchesFromText takes, or empty
  std::string inputForm = {};     // what such a line consists of: "passage TAB question"
  PairedTest pairedTest = {};
  TaskReview review = {};
  TaskResults results = {};
  // The options with which the task reads text as a pre-trained encoder does, from {"kind", "file", "merges",
  // "lower_case", "next_sentence"} (core/nn/pretrained/encoder_folder.h). Null: it is not made from one.
  Json (*encoderOptions)(const Json& vocabulary) = nullptr;
};

const std::vector<TaskEntry>& taskEntries();     // generated from tasks.list
const TaskEntry* findTask(std::string_view id);  // null if unknown
// The task of the values, of a configuration or a run's; null where they name none that is known. Values
// without the option mean the first task: what its default was when they were recorded.
const TaskEntry* taskOf(const OptionValues& values);
const TaskEntry* taskOf(const Json& options);

// The option `task` and the fields of all tasks: a key listed by several tasks is declared once (the first
// one counts), and every field is active only under the tasks that list it. Rules are bound to their task
// alike.
std::vector<OptionField> taskOptionFields();
std::vector<OptionRule> taskOptionRules();

}  // namespace fathom
