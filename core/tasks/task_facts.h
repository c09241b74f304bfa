// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// Facts of a task for whoever shows or uses it: everything outside the task's folder and its
// objective learns it here and names no task. Titles are English; the window translates them.

// One of the named texts of an example, in the order of Task::exampleTexts.
struct TextField {
  enum class Role { Input, Reference, Other };
  std::string id;     // key in samples and prediction sets: "source", "reference"
  std::string title;  // "Source"
  Role role = Role::Other;
};

// A field of Task::statistics() on the data page, in this order. `path`: members joined with dots, from the
// object of a part inwards ("source_lengths.mean"); what a part does not have is left out.
struct StatisticField {
  enum class Kind {
    Number,   // a row, one cell a part
    Lengths,  // a picture: what lengthStatisticsJson wrote
    Counts,   // a picture: an object {label: count}
    Overlap   // a number of each pair of parts: `path` within statistics()["overlap"][pair]
  };
  Kind kind = Kind::Number;
  std::string path, title;
  double factor = 1;
  int decimals = 0;
  std::string unit = {};  // behind the number
};

// Option keys of the data, for messages about them; empty: the task has none, its data are made.
struct DataKeys {
  std::string train = "data.train", validation = "data.validation";
  std::string maxLineBytes = "data.max_line_bytes";
};

// An option that says how much a batch holds: tokens, or examples of at most as many tokens as the option
// `tokens` says.
struct BatchKey {
  std::string key;
  std::string tokens;
};

enum class MadeDataSize {
  Training,  // thousands of examples, learned in minutes
  Check      // enough to look at a model at its initial weights
};

// Generated data of a task, for whoever has none.
struct MadeData {
  Json options;    // key: value, of every option that says what is read and how
  int pieces = 0;  // size of the vocabulary that is trained on them
};

struct DataMaker {
  // {"data.train": <folder>/train.tsv, ...}, there or not.
  Json (*files)(const std::string& folder) = nullptr;
  // Writes them into the folder, which is made if it is missing. A function of seed and size. Null: the task
  // has no made data.
  Result<MadeData> (*write)(const std::string& folder, std::uint64_t seed, MadeDataSize size) = nullptr;
  // By this word they are asked for, too ("long"); empty: by the task alone.
  std::string kind = {};
};

// Two systems on the same examples, in the same order.
struct PairedTexts {
  std::span<const std::string> first, second, references;
};
struct PairedOutcome {
  double first = 0, second = 0, difference = 0;  // of the metric; second - first
  double low = 0, high = 0;                      // 95 % interval of the difference
  double secondWins = 0, pValue = 1;
};
// Paired bootstrap of two prediction sets. Null: the task has none.
struct PairedTest {
  std::string metric, title;  // "bleu", "BLEU"
  Result<PairedOutcome> (*run)(const PairedTexts& texts, std::int64_t resamples,
                               const StopToken& stop) = nullptr;
};

// Review of the task's prediction sets: the kind of review, and which option names each of its files.
// An empty kind: they cannot be reviewed.
struct TaskReview {
  std::string kind;  // "sql"
  // "gold.validation", "gold.test", "tables", "databases", "questions" -> option key; "execution" -> the flag
  // that asks for executed predictions after a scored validation
  std::map<std::string, std::string> files = {};
  // Option value with which predictions are of another kind: a number instead of a class.
  struct Other {
    std::string key, value, kind;
  };
  std::vector<Other> others = {};
  bool ofValidations = false;  // every scored validation of a training leaves a set
  std::string kindFor(const Json& options) const;
};

// A line of a table of several tasks and models, as papers print them (RealFormer Table 3).
struct ResultLine {
  std::string entry;   // lines of one entry are averaged before entries are: "qqp"
  std::string title;   // "QQP F1"
  std::string metric;  // "valid.f1"; that of an entry's first line chooses among settings
  int place = 0;       // order among the lines of the task
};
struct TaskResults {
  // The lines of a run with these options, the one that chooses among settings first. Null: one line, the
  // task's title with the metric that says most about the run.
  std::vector<ResultLine> (*lines)(const Json& options) = nullptr;
  // The average of a benchmark over the entries of a column, as fractions or per cent alike; nothing while
  // some are missing. Null: there is none.
  std::optional<double> (*average)(const std::map<std::string, std::vector<double>>& entries) = nullptr;
};

Json textFieldsJson(const std::vector<TextField>& fields);
Json statisticFieldsJson(const std::vector<StatisticField>& fields);
// {"input": id, "reference": id} of the first text of each role there is: what samples and prediction sets
// say about the keys of their lines.
Json roleFields(const std::vector<TextField>& fields);

}  // namespace fathom
