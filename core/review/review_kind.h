// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// A kind of review is an entry of reviews.list: what an example shows, which numbers, facets and categories
// there are, how a prediction is judged and how files of predictions are read (docs/review_kinds.md).
// Readers, judgements, table, filter, comparison and `fathom review` know the entry and no kind by name.

// --- what is read ---------------------------------------------------------------------------------------

// Bytes [begin, end) of a text; begin == end: nowhere.
struct TextSpan {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  bool operator==(const TextSpan&) const = default;
};

// A sentence of the first text, as files name it: its title and its number. An empty span: it stands nowhere.
struct KindSentence {
  std::string title;
  std::int64_t sentence = 0;
  TextSpan span;
};

struct KindExample {
  std::string id;                       // as the file says it; unique
  std::vector<std::string> texts;       // parallel to KindGold::texts
  std::vector<std::string> references;  // the right answers: a label, spans, a translation; may be empty
  std::vector<std::string> normalized;  // references as they are compared, where that is another text
  std::vector<std::string> options;     // of a choice
  int label = -1;                       // in KindGold::labels or options
  double value = kNaN;                  // a real number to be predicted
  std::vector<TextSpan> marks;          // where the references stand in the first text
  std::vector<KindSentence> sentences;  // where a prediction names those that support it
  std::vector<std::size_t> evidence;    // places in `sentences` that support the answer
  bool scored = true;                   // false: the file gives no answer
  std::int64_t line = 0;                // of the file, for messages
  // Its number among the examples of the file, from 0, as predictions that give an index mean it: what is
  // left out counts. -1: as it stands in KindGold::examples.
  std::int64_t place = -1;
};

struct KindText {
  std::string id;
  Phrase title;
};

struct KindGold {
  std::vector<KindText> texts;      // what every example shows, the longest part first
  std::vector<std::string> labels;  // of classes: those of the file, then what predictions have besides
  std::size_t ownLabels = 0;        // how many of them the file has
  std::vector<KindExample> examples;
  std::int64_t records = 0;   // of the file, what is left out counts; 0: examples
  bool unanswerable = false;  // there are examples whose right answer is none
  bool supported = false;     // sentences that support an answer are known
  double tolerance = 0;       // residuals up to this are right
  std::vector<Phrase> notes;
};

// One model's answer to one example.
struct KindOutput {
  bool given = false;
  std::string text;                   // as it is shown, searched and compared
  int label = -1;                     // class or option
  double value = kNaN;                // a real number
  std::vector<double> scores;         // of labels or options: probabilities, or any numbers
  double nullScore = kNaN;            // how much the model leans to "no answer"
  TextSpan mark;                      // where it stands in the first text
  std::vector<TextSpan> parts;        // of several pieces of the first text: the short answers on a page
  std::vector<std::size_t> evidence;  // in KindExample::sentences
  int strangeEvidence = 0;            // sentences it names that are not there
  std::string key;                    // what a person's verdict is about; set by the document
};

// What the program says about it. `numbers` are those of ReviewKind::numbers.
inline constexpr std::size_t kKindNumbers = 4;
struct KindVerdict {
  bool right = false;
  bool wrong = false;         // neither: the example is not scored
  std::uint8_t category = 0;  // in ReviewKind::categories; 0 = right
  double score = 0;           // what is averaged over examples: 0 or 1, F1, chrF
  std::array<double, kKindNumbers> numbers{kNaN, kNaN, kNaN, kNaN};
};

// A metric of a model over all examples, or why there is none.
struct KindScore {
  std::string id;
  Phrase title;
  std::optional<double> value;
  int decimals = 2;
  Phrase why = {};  // it has no value
};

struct KindModel {
  std::string name, path;
  std::string fileHash;  // SHA-256 of the file's bytes
  std::string identity;  // SHA-256 of data set and answers: the same in any file format
  std::vector<KindOutput> outputs;
  std::vector<KindVerdict> verdicts;
  std::vector<std::int32_t> counts;  // ReviewKind::counts of each example: what a metric of all of them sums
  std::vector<KindScore> scores;
  int missing = 0;
  std::vector<Phrase> notes;
};

// What can be ticked beside the table: one value for each example, or for each example of each model.
struct KindFacet {
  struct Value {
    std::string word;  // stable, for "facet:word" in a filter
    Phrase title;
  };
  std::string id;
  Phrase title;
  std::vector<Value> values;
  std::vector<std::int32_t> ofExample;             // -1: none; empty: it is of the models
  std::vector<std::vector<std::int32_t>> ofModel;  // [model][example]
  std::int32_t value(std::size_t model, std::size_t example) const {
    return ofExample.empty() ? ofModel[model][example] : ofExample[example];
  }
};

// --- what is asked for ----------------------------------------------------------------------------------

struct KindPredictions {
  std::string name, path;
  std::string nullOdds = {};  // SQuAD: a file of id -> number, or ""
};

struct KindSources {
  std::string kind, gold;
  std::map<std::string, std::string> files = {};  // by KindFile::key
  Json options = Json::object();                  // of ReviewKind::options
  std::vector<KindPredictions> predictions = {};
  Json toJson() const;
};

struct ReviewKind;

// Everything the program knows about any number of prediction files on one gold file. A value; readable from
// any thread while nobody changes it.
struct KindReview {
  const ReviewKind* kind = nullptr;
  KindSources sources;
  std::string dataset;  // SHA-256 of the examples
  KindGold gold;
  std::vector<KindModel> models;
  std::vector<KindFacet> facets;
  std::size_t examples() const { return gold.examples.size(); }
};

// --- the entry ------------------------------------------------------------------------------------------

struct KindCategory {
  std::string id;
  Phrase title;
  std::string letter;  // in a narrow column
  Phrase help;
  bool byPerson = true;  // a person may give it: the keys 1 … kMostCategoryKeys, in their order
};
inline constexpr std::size_t kMostCategoryKeys = 9;

struct KindNumber {
  std::string id;
  Phrase title;
  int decimals = 2;
};

// A file besides gold and predictions.
struct KindFile {
  std::string key;
  Phrase title, help;
  bool required = false;
};

struct KindOption {
  std::string key;
  Phrase title, help;
};

// A record of a foreign file as it was read (foreign_predictions.h).
struct ForeignPrediction;

// Two models on the same examples: what the difference is of, and how sure it is.
struct KindPair {
  std::size_t first = 0, second = 0;
  int onlyFirst = 0, onlySecond = 0;  // right for one of them alone
  double difference = 0;              // first - second of the compared metric
  double low = 0, high = 0;           // 95 %
  double p = 1;
};

// How pairs of models are tested: McNemar's exact test on right and wrong, or a paired bootstrap.
enum class KindTest : std::uint8_t { McNemar, Bootstrap };

struct ReviewKind {
  std::string id;
  Phrase title, description;
  Phrase goldHelp, predictionsHelp;
  std::vector<KindFile> files = {};
  std::vector<KindOption> options = {};
  std::vector<KindCategory> categories;  // the first is "right", the last "gold is wrong"
  std::vector<KindNumber> numbers = {};  // at most kKindNumbers; the first is shown in the table
  std::size_t counts = 0;                // numbers an example adds to KindModel::counts
  KindTest test = KindTest::McNemar;
  Phrase compared;                        // what pairs differ in: "accuracy, points"
  double comparedFactor = 100;            // from KindVerdict::score to that
  bool linesAreTexts = false;             // a file that is no JSON holds one text a line, tabs and all
  bool goldFolder = false;                // gold may be a folder of files
  bool setIsGold = false;                 // a prediction set holds everything that gold says of an example
  bool nullOdds = false;                  // predictions may have a file of null odds beside them
  std::vector<std::string> figures = {};  // ids of figures.list that are about this kind
  bool ownPanels = false;                 // the window has a workspace of its own for it

  Result<KindGold> (*readGold)(const KindSources& sources) = nullptr;
  // Null: every record is a text. A data error says what is wrong with the value; file and line are added.
  Status (*take)(KindGold& gold, const KindExample& example, const ForeignPrediction& read,
                 KindOutput& output) = nullptr;
  // Any thread.
  void (*judge)(const KindGold& gold, const KindExample& example, const KindOutput& output,
                KindVerdict& verdict, std::span<std::int32_t> counts) = nullptr;
  std::vector<KindScore> (*scores)(const KindGold& gold, const KindModel& model) = nullptr;
  // What of an output's text is wrong, for the eye. Null: its words that the first reference lacks.
  std::vector<TextSpan> (*wrongParts)(const KindExample& example, const KindOutput& output) = nullptr;
  // Where else than at KindOutput::mark an output stands in the first text, for the eye: too slow to be known
  // of every output of many models. Null: nowhere.
  std::vector<TextSpan> (*places)(const KindExample& example, const KindOutput& output) = nullptr;
  std::vector<KindFacet> (*facets)(const KindReview& review) = nullptr;
  // Null: by `test` on KindVerdict::right or score.
  Result<KindPair> (*compare)(const KindReview& review, std::size_t first, std::size_t second,
                              const StopToken& stop) = nullptr;
  // Null: by the functions above.
  Result<KindReview> (*open)(const KindSources& sources, int threads, Progress& progress,
                             const StopToken& stop) = nullptr;
};

const std::vector<ReviewKind>& reviewKinds();  // made of reviews.list
// Usage error with the known ids.
Result<const ReviewKind*> findReviewKind(const std::string& id);
// In ReviewKind::categories; none if there is no such one.
std::optional<std::size_t> categoryIndex(const ReviewKind& kind, std::string_view id);

}  // namespace fathom
