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
struct ReviewSentence {
  std::string title;
  std::int64_t sentence = 0;
  TextSpan span;
};

struct ReviewExample {
  std::string id;                         // as the file says it; unique
  std::vector<std::string> texts;         // parallel to ReviewGold::texts
  std::vector<std::string> references;    // the right answers: a label, spans, a translation; may be empty
  std::vector<std::string> normalized;    // references as they are compared, where that is another text
  std::vector<std::string> options;       // of a choice
  int label = -1;                         // in ReviewGold::labels or options
  double value = kNaN;                    // a real number to be predicted
  std::vector<TextSpan> marks;            // where the references stand in the first text
  std::vector<ReviewSentence> sentences;  // where a prediction names those that support it
  std::vector<std::size_t> evidence;      // places in `sentences` that support the answer
  bool scored = true;                     // false: the file gives no answer
  std::int64_t line = 0;                  // of the file, for messages
  // Its number among the examples of the file, from 0, as predictions that give an index mean it: what is
  // left out counts. -1: as it stands in ReviewGold::examples.
  std::int64_t place = -1;
};

struct ReviewText {
  std::string id;
  Phrase title;
};

struct GoldLayout;

struct ReviewGold {
  std::vector<ReviewText> texts;    // what every example shows, the longest part first
  std::vector<std::string> labels;  // of classes: those of the file, then what predictions have besides
  std::size_t ownLabels = 0;        // how many of them the file has
  std::vector<ReviewExample> examples;
  std::int64_t records = 0;            // of the file, what is left out counts; 0: examples
  bool unanswerable = false;           // there are examples whose right answer is none
  const GoldLayout* layout = nullptr;  // null: the kind's own form
  double tolerance = 0;                // residuals up to this are right
  std::vector<Phrase> notes;
};

// One model's answer to one example.
struct ReviewOutput {
  bool given = false;
  std::string text;                   // as it is shown, searched and compared
  int label = -1;                     // class or option
  double value = kNaN;                // a real number
  std::vector<double> scores;         // of labels or options: probabilities, or any numbers
  double nullScore = kNaN;            // how much the model leans to "no answer"
  TextSpan mark;                      // where it stands in the first text
  std::vector<TextSpan> parts;        // of several pieces of the first text: the short answers on a page
  std::vector<std::size_t> evidence;  // in ReviewExample::sentences
  int strangeEvidence = 0;            // sentences it names that are not there
  std::string key;                    // what a person's verdict is about; set by the document
};

// What the program says about it. `numbers` are those of ReviewKind::numbers.
inline constexpr std::size_t kReviewNumbers = 4;
struct ReviewVerdict {
  bool right = false;
  bool wrong = false;         // neither: the example is not scored
  std::uint8_t category = 0;  // in ReviewKind::categories; 0 = right
  double score = 0;           // what is averaged over examples: 0 or 1, F1, chrF
  std::array<double, kReviewNumbers> numbers{kNaN, kNaN, kNaN, kNaN};
};

// A metric of a model over all examples, or why there is none.
struct ReviewScore {
  std::string id;
  Phrase title;
  std::optional<double> value;
  int decimals = 2;
  Phrase why = {};  // it has no value
};

struct ReviewModel {
  std::string name, path;
  std::string fileHash;  // SHA-256 of the file's bytes
  std::string identity;  // SHA-256 of data set and answers: the same in any file format
  std::vector<ReviewOutput> outputs;
  std::vector<ReviewVerdict> verdicts;
  std::vector<std::int32_t> counts;  // ReviewKind::counts of each example: what a metric of all of them sums
  std::vector<ReviewScore> scores;
  int missing = 0;
  std::vector<Phrase> notes;
};

// What can be ticked beside the table: one value for each example, or for each example of each model.
struct ReviewFacet {
  struct Value {
    std::string word;  // stable, for "facet:word" in a filter
    Phrase title;
  };
  std::string id;
  Phrase title;
  std::vector<Value> values;
  std::vector<std::int32_t> ofExample;             // -1: none; empty: it is of the models
  std::vector<std::vector<std::int32_t>> ofModel;  // [model][example]
  // Examples that have several values at once: bit v stands for value v, and the two above are empty.
  std::vector<std::uint64_t> setsOfExample = {};
  std::vector<std::vector<std::uint64_t>> setsOfModel = {};  // [model][example]
  bool isOfSets() const { return !setsOfExample.empty() || !setsOfModel.empty(); }
  // The value of a facet that has one for each; -1 = none.
  std::int32_t value(std::size_t model, std::size_t example) const {
    return ofExample.empty() ? ofModel[model][example] : ofExample[example];
  }
  // The values of a facet that may have several, as bits.
  std::uint64_t set(std::size_t model, std::size_t example) const {
    return setsOfExample.empty() ? setsOfModel[model][example] : setsOfExample[example];
  }
  bool has(std::size_t model, std::size_t example, std::size_t which) const {
    return isOfSets() ? (set(model, example) >> which & 1) != 0
                      : value(model, example) == static_cast<std::int32_t>(which);
  }
};

// --- what is asked for ----------------------------------------------------------------------------------

struct ReviewPredictions {
  std::string name, path;
  std::string nullOdds = {};  // SQuAD: a file of id -> number, or ""
  std::string column = {};    // of a table or of objects: what holds the answer; "" = it is found
};

struct ReviewSources {
  std::string kind, gold;
  std::map<std::string, std::string> files = {};  // by ReviewFile::key
  Json options = Json::object();                  // of ReviewKind::options
  std::vector<ReviewPredictions> predictions = {};
  Json toJson() const;
};

struct ReviewKind;

// What a review holds that only its kind can look at (core/review/reviewed_sql.h).
struct ReviewOwn {
  virtual ~ReviewOwn() = default;
};

// Everything the program knows about any number of prediction files on one gold file. A value; readable from
// any thread while nobody changes it.
struct Review {
  const ReviewKind* kind = nullptr;
  ReviewSources sources;
  std::string dataset;  // SHA-256 of the examples
  ReviewGold gold;
  std::vector<ReviewModel> models;
  std::vector<ReviewFacet> facets;
  std::shared_ptr<ReviewOwn> own = nullptr;
  std::size_t examples() const { return gold.examples.size(); }
};

// --- the entry ------------------------------------------------------------------------------------------

// How an answer counts by people's verdicts to which a person gives a category (judged_review.h).
enum class Counting : std::uint8_t { AsScored, AsRight, NotAtAll };

struct ReviewCategory {
  std::string id;
  Phrase title;
  std::string letter;  // in a narrow column
  Phrase help;
  bool byPerson = true;  // a person may give it: the keys 1 … kMostCategoryKeys, in their order
  Counting counting = Counting::AsScored;  // NotAtAll: gold is wrong, for every answer to the example
};
inline constexpr std::size_t kMostCategoryKeys = 9;

struct ReviewNumber {
  std::string id;
  Phrase title;
  int decimals = 2;
};

// A file besides gold and predictions.
struct ReviewFile {
  std::string key;
  Phrase title, help;
  bool required = false;
  // What it is usually called beside the gold file; "%1" is the part of the data that gold is of ("dev").
  std::vector<std::string> beside = {};
};

struct ReviewOption {
  std::string key;
  Phrase title, help;
  // What it can be, the usual one first; none: any text.
  struct Choice {
    std::string id;
    Phrase title;
  };
  std::vector<Choice> choices = {};
};

// A record of a foreign file as it was read (imported_predictions.h).
struct ImportedPrediction;

// Two models on the same examples: what the difference is of, and how sure it is.
struct ReviewPair {
  std::size_t first = 0, second = 0;
  int onlyFirst = 0, onlySecond = 0;  // right for one of them alone
  double difference = 0;              // first - second of the compared metric
  double low = 0, high = 0;           // 95 %
  double p = 1;
};

// How pairs of models are tested: McNemar's exact test on right and wrong, or a paired bootstrap.
enum class PairTest : std::uint8_t { McNemar, Bootstrap };

struct ReviewKind {
  std::string id;
  Phrase title, description;
  Phrase goldHelp, predictionsHelp;
  std::vector<ReviewFile> files = {};
  std::vector<ReviewOption> options = {};
  std::vector<ReviewCategory> categories;  // the first is "right"; one says that gold is wrong
  std::vector<ReviewNumber> numbers = {};  // at most kReviewNumbers; the first is shown in the table
  std::size_t counts = 0;                  // numbers an example adds to ReviewModel::counts
  PairTest test = PairTest::McNemar;
  Phrase compared;                        // what pairs differ in: "accuracy, points"
  double comparedFactor = 100;            // from ReviewVerdict::score to that
  bool linesAreTexts = false;             // a file that is no JSON holds one text a line, tabs and all
  bool goldFolder = false;                // gold may be a folder of files
  bool setIsGold = false;                 // a prediction set holds everything that gold says of an example
  bool nullOdds = false;                  // predictions may have a file of null odds beside them
  std::vector<std::string> figures = {};  // ids of figures.list that are about this kind
  // What the window shows beside the list of predictions (app/window/errors/panel_sets.list).
  std::string panels = "texts";
  std::vector<std::string> columns = {};  // facets of the examples that are columns of the table
  bool answerColumns = false;             // each file of predictions may have a column that holds the answers
  Phrase right = Phrase::tr("right");     // what the metric counts as right is called
  Phrase headline = Phrase::tr("Example");  // what the text is called that says most about an example

  Result<ReviewGold> (*readGold)(const ReviewSources& sources) = nullptr;
  // Null: every record is a text. A data error says what is wrong with the value; file and line are added.
  Status (*take)(ReviewGold& gold, const ReviewExample& example, const ImportedPrediction& read,
                 ReviewOutput& output) = nullptr;
  // Any thread.
  void (*judge)(const ReviewGold& gold, const ReviewExample& example, const ReviewOutput& output,
                ReviewVerdict& verdict, std::span<std::int32_t> counts) = nullptr;
  // What an answer gets, after judge(), that a person calls right. Null: the score 1.
  void (*judgeAsRight)(const ReviewGold& gold, const ReviewExample& example, const ReviewOutput& output,
                       ReviewVerdict& verdict, std::span<std::int32_t> counts) = nullptr;
  std::vector<ReviewScore> (*scores)(const ReviewGold& gold, const ReviewModel& model) = nullptr;
  // What of an output's text is wrong, for the eye. Null: its words that the first reference lacks.
  std::vector<TextSpan> (*wrongParts)(const ReviewExample& example, const ReviewOutput& output) = nullptr;
  // Where else than at ReviewOutput::mark an output stands in the first text, for the eye: too slow to be
  // known of every output of many models. Null: nowhere.
  std::vector<TextSpan> (*places)(const ReviewExample& example, const ReviewOutput& output) = nullptr;
  std::vector<ReviewFacet> (*facets)(const Review& review) = nullptr;
  // Null: by `test` on ReviewVerdict::right or score.
  Result<ReviewPair> (*compare)(const Review& review, std::size_t first, std::size_t second,
                                const StopToken& stop) = nullptr;
  // More about what the program says of a prediction, for a tool tip. Null: nothing.
  Phrase (*remark)(const Review& review, std::size_t model, std::size_t example) = nullptr;
  // Preset and version of the definitions that a person's verdict is kept under. Null: "<id>/1".
  std::string (*rules)(const ReviewSources& sources) = nullptr;
  // Null: by the functions above.
  Result<Review> (*open)(const ReviewSources& sources, int threads, Progress& progress,
                         const StopToken& stop) = nullptr;
};

const std::vector<ReviewKind>& reviewKinds();  // made of reviews.list
// Usage error with the known ids.
Result<const ReviewKind*> findReviewKind(const std::string& id);
// In ReviewKind::categories; none if there is no such one.
std::optional<std::size_t> categoryIndex(const ReviewKind& kind, std::string_view id);

}  // namespace fathom
