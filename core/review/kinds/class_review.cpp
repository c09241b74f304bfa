// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/review/class_scores.h"
#include "core/review/gold_options.h"
#include "core/review/gold_table.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"

namespace fathom {

namespace {

constexpr std::size_t kMostLabels = 256;
constexpr double kConfident = 0.9;

enum ClassCategory : std::uint8_t { kClassRight, kWrongClass, kSureWrong, kClassMissing };

int labelOf(const ReviewGold& gold, std::string_view name) {
  const auto found = std::find(gold.labels.begin(), gold.labels.end(), name);
  return found == gold.labels.end() ? -1 : static_cast<int>(found - gold.labels.begin());
}

// In their order: numbers by value, else by name.
std::vector<std::string> sortedLabels(const std::set<std::string>& names) {
  std::vector<std::string> labels(names.begin(), names.end());
  const bool numbers = std::all_of(labels.begin(), labels.end(), [](const std::string& name) {
    return numberFrom<std::int64_t>(name).has_value();
  });
  if (numbers)
    std::sort(labels.begin(), labels.end(), [](const std::string& a, const std::string& b) {
      return *numberFrom<std::int64_t>(a) < *numberFrom<std::int64_t>(b);
    });
  return labels;
}

// Labels of one row alone may be slips of the pen; in a small file they are usual.
void noteLoneLabels(const std::vector<GoldTable::Row>& rows, ReviewGold& gold) {
  constexpr std::size_t kSmallFile = 50;
  if (rows.size() < kSmallFile) return;
  std::map<std::string_view, std::pair<std::size_t, std::int64_t>> seen;  // how often, and the line
  for (const GoldTable::Row& row : rows) {
    auto& [count, line] = seen[row.label];
    ++count;
    line = row.line;
  }
  for (const std::string& label : gold.labels)
    if (const auto& [count, line] = seen[label]; count == 1)
      gold.notes.push_back(Phrase::tr("the label \"%1\" stands in one row alone, line %2")(label, line));
}

Result<ReviewGold> readClassGold(const ReviewSources& sources) {
  FATHOM_TRY(GoldTable table, readGoldTable(sources));
  ReviewGold gold;
  gold.texts = std::move(table.texts);
  gold.notes = std::move(table.notes);
  std::set<std::string> names;
  if (skipsBadGold(sources))
    std::erase_if(table.rows, [&table](const GoldTable::Row& row) {
      if (row.label.empty()) table.bad.add(row.line, Phrase::tr("the label is empty"));
      return row.label.empty();
    });
  noteBadGold(gold, table.bad);
  gold.records = table.records;
  for (const GoldTable::Row& row : table.rows) {
    if (row.label.empty()) return dataErrorAt(sources.gold, row.line, Phrase::tr("the label is empty"));
    names.insert(row.label);
    if (names.size() > kMostLabels)
      return dataErrorAt(
          sources.gold, row.line,
          Phrase::tr("more than %1 different labels: \"%2\" is one more")(kMostLabels, shownValue(row.label)),
          Phrase::tr("real numbers are the kind \"number\"; or name another label_column"));
  }
  gold.labels = sortedLabels(names);
  gold.ownLabels = gold.labels.size();
  if (gold.labels.size() == 1)
    gold.notes.push_back(
        Phrase::tr("every example has the label \"%1\": some scores have no meaning")(gold.labels.front()));
  noteLoneLabels(table.rows, gold);
  for (GoldTable::Row& row : table.rows) {
    ReviewExample example;
    example.id = std::move(row.id);
    example.texts = std::move(row.texts);
    example.references = {row.label};
    example.label = labelOf(gold, row.label);
    example.line = row.line;
    example.place = row.place;
    gold.examples.push_back(std::move(example));
  }
  return gold;
}

// Scores by name. Names beside those of the file are classes that do not occur in this part of the data.
Status takeNamed(ReviewGold& gold, const ImportedPrediction& read, std::vector<double>& scores) {
  const auto own = std::span(gold.labels).first(gold.ownLabels);
  const auto isNamed = [&read](const std::string& label) {
    return std::find(read.names.begin(), read.names.end(), label) != read.names.end();
  };
  std::vector<std::string> rest;
  for (const std::string& name : read.names)
    if (std::find(own.begin(), own.end(), name) == own.end()) rest.push_back(name);
  const bool tooMany = gold.labels.size() + rest.size() > kMostLabels;
  if (!rest.empty() && (tooMany || !std::all_of(own.begin(), own.end(), isNamed)))
    return dataError(Phrase::tr("the gold file has no label \"%1\"")(rest.front()),
                     Phrase::tr("its labels are: %1")(gold.labels.front() + ", …"));
  for (std::string& name : rest)
    if (labelOf(gold, name) < 0) gold.labels.push_back(std::move(name));
  scores.assign(gold.labels.size(), 0);
  for (std::size_t i = 0; i < read.names.size(); ++i)
    scores[static_cast<std::size_t>(labelOf(gold, read.names[i]))] = read.scores[i];
  return {};
}

Status takeScores(ReviewGold& gold, const ImportedPrediction& read, ReviewOutput& output) {
  std::vector<double> scores = read.scores;
  if (!read.names.empty()) {
    FATHOM_CHECK(takeNamed(gold, read, scores));
  } else if (scores.size() != gold.ownLabels) {
    return dataError(Phrase::tr("%1 scores for %2 labels")(scores.size(), gold.ownLabels));
  }
  FATHOM_TRY(output.scores, probabilitiesOf(scores));
  return {};
}

// A name of a label, or its number where the names are words.
Status takeLabel(ReviewGold& gold, const std::string& word, ReviewOutput& output) {
  output.label = labelOf(gold, word);
  if (output.label >= 0) return {};
  const auto number = numberFrom<double>(word);
  if (number && *number >= 0 && *number == std::floor(*number)) {
    const std::string whole = std::to_string(static_cast<std::int64_t>(*number));
    output.label = labelOf(gold, whole);  // 1.0 for 1
    const bool words = !numberFrom<std::int64_t>(gold.labels.front());
    if (output.label < 0 && words && *number < static_cast<double>(gold.ownLabels))
      output.label = static_cast<int>(*number);
  }
  if (output.label >= 0) return {};
  if (word.empty()) return dataError(Phrase::tr("the answer is empty"));
  if (gold.labels.size() >= kMostLabels)
    return dataError(Phrase::tr("\"%1\" is no label of the gold file")(shownValue(word)));
  // A class that does not occur in this part of the data.
  gold.notes.push_back(
      Phrase::tr("\"%1\" is predicted and is no label of the gold file: counted as wrong")(word));
  gold.labels.push_back(word);
  output.label = static_cast<int>(gold.labels.size()) - 1;
  return {};
}

Status takeClass(ReviewGold& gold, const ReviewExample&, const ImportedPrediction& read,
                 ReviewOutput& output) {
  if (!read.scores.empty()) FATHOM_CHECK(takeScores(gold, read, output));
  if (read.text) {
    FATHOM_CHECK(takeLabel(gold, *read.text, output));
  } else if (!output.scores.empty()) {
    output.label = static_cast<int>(std::max_element(output.scores.begin(), output.scores.end()) -
                                    output.scores.begin());
  } else {
    return dataError(Phrase::tr("a label or probabilities are expected"));
  }
  output.text = gold.labels[static_cast<std::size_t>(output.label)];
  return {};
}

void judgeClass(const ReviewGold&, const ReviewExample& example, const ReviewOutput& output,
                ReviewVerdict& verdict, std::span<std::int32_t>) {
  verdict.right = output.given && output.label == example.label;
  verdict.wrong = !verdict.right;
  verdict.score = verdict.right ? 1 : 0;
  double confidence = kNaN;
  if (!output.scores.empty() && static_cast<std::size_t>(output.label) < output.scores.size())
    confidence = output.scores[static_cast<std::size_t>(output.label)];
  verdict.numbers[0] = confidence;
  if (!output.scores.empty() && static_cast<std::size_t>(example.label) < output.scores.size())
    verdict.numbers[1] = output.scores[static_cast<std::size_t>(example.label)];
  if (!output.given)
    verdict.category = kClassMissing;
  else if (verdict.wrong)
    verdict.category = confidence >= kConfident ? kSureWrong : kWrongClass;
}

std::vector<ReviewScore> classScores(const ReviewGold& gold, const ReviewModel& model) {
  const ClassCounts counts = countClasses(gold, model);
  std::vector<ReviewScore> scores = {
      {"accuracy", Phrase::tr("accuracy, %"), 100 * counts.accuracy(), 1},
      {"matthews", Phrase::tr("Matthews correlation (×100)"), 100 * counts.matthews(), 2}};
  // Of the file's own labels: one odd answer of one model makes no other metric of it.
  if (gold.ownLabels == 2)
    scores.push_back({"f1", Phrase::tr("F1 of class 1, %"), 100 * counts.f1(1), 1});
  else
    scores.push_back({"macro_f1", Phrase::tr("mean F1 of the classes, %"), 100 * counts.macroF1(), 1});
  const Calibration calibration = calibrationOf(model);
  ReviewScore ece{"ece", Phrase::tr("calibration error ECE"), {}, 4, Phrase::tr("no probabilities")};
  if (calibration.count > 0) ece.value = calibration.error;
  scores.push_back(std::move(ece));
  return scores;
}

std::vector<ReviewFacet> classFacets(const Review& review) {
  const ReviewGold& gold = review.gold;
  ReviewFacet wanted{"gold", Phrase::tr("Gold label"), {}, {}, {}};
  for (const std::string& label : gold.labels) wanted.values.push_back({label, Phrase::words(label)});
  ReviewFacet predicted{"predicted", Phrase::tr("Predicted label"), wanted.values, {}, {}};
  ReviewFacet sure{"confidence", Phrase::tr("Confidence"), {}, {}, {}};
  constexpr const char* kBins[] = {"0-0.5", "0.5-0.6", "0.6-0.7", "0.7-0.8", "0.8-0.9", "0.9-1"};
  for (const char* bin : kBins) sure.values.push_back({bin, Phrase::words(bin)});
  for (const ReviewExample& example : gold.examples) wanted.ofExample.push_back(example.label);
  bool any = false;
  for (const ReviewModel& model : review.models) {
    auto& labels = predicted.ofModel.emplace_back();
    auto& bins = sure.ofModel.emplace_back();
    for (std::size_t i = 0; i < review.examples(); ++i) {
      labels.push_back(model.outputs[i].label);
      const double confidence = model.verdicts[i].numbers[0];
      const bool known = !std::isnan(confidence);
      any = any || known;
      bins.push_back(known ? std::clamp(static_cast<int>(std::floor(confidence * 10)) - 4, 0, 5) : -1);
    }
  }
  std::vector<ReviewFacet> facets = {std::move(wanted), std::move(predicted)};
  if (any) facets.push_back(std::move(sure));
  return facets;
}

}  // namespace

ReviewKind classReviewEntry() {
  return {.id = "class",
          .title = Phrase::tr("Class labels"),
          .description = Phrase::tr("One label of a few for a text or a pair of texts, as in GLUE"),
          .goldHelp = Phrase::tr("A table with tabs as GLUE ships it, JSON lines with \"label\", or a "
                                 "prediction set"),
          .predictionsHelp = Phrase::tr("Tabs: index and prediction; JSON lines with \"prediction\" and "
                                        "\"probabilities\"; .npy; or one label a line"),
          .options = goldTableOptions(),
          .categories = {{"right", Phrase::tr("Right"), "✓",
                          Phrase::tr("The predicted class is that of the file")},
                         {"wrong", Phrase::tr("Wrong class"), "W",
                          Phrase::tr("Another class; then the next one")},
                         {"sure", Phrase::tr("Wrong and sure"), "S",
                          Phrase::tr("Another class with a probability of at least .9"), false},
                         missingCategory(),
                         {"ambiguous", Phrase::tr("Ambiguous"), "A",
                          Phrase::tr("Both classes can be defended; then the next one")},
                         needsKnowledgeCategory(),
                         {"shallow", Phrase::tr("Shallow cue"), "C",
                          Phrase::tr("Overlap of words, a negation, a length misled it; then the next one")},
                         goldErrorCategory(Phrase::tr("The label of the file is wrong; then the next one")),
                         rightAfterAllCategory()},
          .numbers = {confidenceNumber(), goldProbabilityNumber()},
          .test = PairTest::McNemar,
          .compared = Phrase::tr("accuracy, points"),
          .setIsGold = true,
          .figures = {"confusion_matrix", "calibration_curve", "facet_scores"},
          .readGold = readClassGold,
          .take = takeClass,
          .judge = judgeClass,
          .scores = classScores,
          .facets = classFacets};
}

}  // namespace fathom
