// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/json/json_line.h"
#include "core/base/json/json_members.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"
#include "core/review/class_scores.h"
#include "core/review/gold_layout.h"
#include "core/review/gold_options.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"
#include "core/review/text_difference.h"

namespace fathom {

namespace {

constexpr std::size_t kMostOptions = 256;
constexpr std::size_t kAlphabet = 26;
enum ChoiceCategory : std::uint8_t { kChoiceRight, kWrongOption, kNearly, kChoiceMissing };
constexpr double kNearlyRight = 0.1;

// A … Z, AA … IV, as predictions of this program call them; numbers in files are from 0.
std::string optionLetter(std::size_t option) {
  const std::string last(1, static_cast<char>('A' + option % kAlphabet));
  return option < kAlphabet ? last : static_cast<char>('A' + option / kAlphabet - 1) + last;
}

// Place of the option that is called so.
std::optional<std::size_t> optionCalled(std::string_view word, std::size_t options) {
  for (std::size_t option = 0; option < options; ++option)
    if (optionLetter(option) == word) return option;
  return std::nullopt;
}

Status readChoice(const Json& json, std::size_t place, ReviewGold& gold) {
  if (!json.is_object()) return dataError(Phrase::tr("a question must be an object"));
  ReviewExample example;
  example.id = memberText(json, "id_string", memberText(json, "id"));
  if (example.id.empty()) example.id = std::to_string(place);
  example.place = static_cast<std::int64_t>(place);
  for (const char* key : {"context", "question"}) {
    const auto text = json.find(key);
    if (text == json.end() || !text->is_string()) return dataError(Phrase::tr("there is no \"%1\"")(key));
    example.texts.push_back(text->get<std::string>());
  }
  for (const Json& option : memberList(json, "answers")) {
    if (!option.is_string()) return dataError(Phrase::tr("an option is no text"));
    example.options.push_back(option.get<std::string>());
  }
  if (example.options.size() < 2 || example.options.size() > kMostOptions)
    return dataError(
        Phrase::tr("%1 options in \"answers\": 2 to %2 are expected")(example.options.size(), kMostOptions));
  const auto label = json.find("label");
  example.scored = label != json.end() && !label->is_null();
  if (example.scored) {
    const auto value = label->is_number_integer() ? label->get<std::int64_t>() : -1;
    if (value < 0 || value >= static_cast<std::int64_t>(example.options.size()))
      return dataError(
          Phrase::tr("label %1 of %2 options")(shownValue(label->dump()), example.options.size()));
    example.label = static_cast<int>(value);
    example.references = {example.options[static_cast<std::size_t>(value)]};
  }
  gold.examples.push_back(std::move(example));
  return {};
}

Result<ReviewGold> readChoiceGold(const ReviewSources& sources) {
  FATHOM_TRY(const std::string head, readHead(sources.gold));
  if (const GoldLayout* layout = goldLayoutOf("choice", head)) return readLayout(*layout, sources);
  FATHOM_TRY(const std::string bytes, readUnpacked(sources.gold));
  FATHOM_TRY(const Json json, parseJson(bytes, sources.gold));
  if (!json.is_array())
    return dataErrorAt(sources.gold, 1, Phrase::tr("a list of questions is expected"),
                       Phrase::tr("ReClor's JSON: context, question, answers, label, id_string"));
  ReviewGold gold;
  gold.texts = {{"context", Phrase::tr("Context")}, {"question", Phrase::tr("Question")}};
  std::size_t unlabelled = 0;
  BadGold bad;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < json.size(); ++i) {
    Status read = readChoice(json[i], i, gold);
    if (read.ok() && !ids.insert(gold.examples.back().id).second) {
      read = dataError(Phrase::tr("the id \"%1\" is there twice")(gold.examples.back().id));
      gold.examples.pop_back();
    }
    if (read.ok()) {
      unlabelled += !gold.examples.back().scored;
      continue;
    }
    const JsonStep place[] = {i};
    const std::int64_t line = bad.count == 0 ? lineOfJson(bytes, place) : 0;  // of the first one it is said
    const Phrase what = Phrase::tr("question %1: %2")(i + 1, read.error().messagePhrase());
    if (!skipsBadGold(sources)) return dataErrorAt(sources.gold, line, what);
    bad.add(line, what);
  }
  noteBadGold(gold, bad);
  gold.records = static_cast<std::int64_t>(json.size());
  if (unlabelled > 0 && unlabelled == gold.examples.size())
    return dataErrorAt(sources.gold, 0, Phrase::tr("no question has a label"),
                       Phrase::tr("the published test part has none: take the validation part"));
  if (unlabelled > 0) gold.notes.push_back(Phrase::tr("%1 questions have no label: not scored")(unlabelled));
  return gold;
}

// A candidate is given in its words, which may be a number.
Status takeCandidate(const ReviewExample& example, const ImportedPrediction& read, ReviewOutput& output) {
  const auto& all = example.options;
  const auto found = read.text ? std::find(all.begin(), all.end(), *read.text) : all.end();
  if (found == all.end())
    return dataError(Phrase::tr("\"%1\" is none of the %2 candidates")(
        read.text ? shownValue(*read.text) : std::string(), all.size()));
  output.label = static_cast<int>(found - all.begin());
  return {};
}

Status takeOption(const ReviewExample& example, const ImportedPrediction& read, ReviewOutput& output) {
  const auto count = static_cast<double>(example.options.size());
  if (read.number && *read.number >= 0 && *read.number < count && *read.number == std::floor(*read.number)) {
    output.label = static_cast<int>(*read.number);
    return {};
  }
  if (read.text) {
    const std::string& word = *read.text;
    if (const auto called = optionCalled(word, word.size() > 2 ? 0 : example.options.size())) {
      output.label = static_cast<int>(*called);
      return {};
    }
    const auto found = std::find(example.options.begin(), example.options.end(), word);
    if (found != example.options.end()) {
      output.label = static_cast<int>(found - example.options.begin());
      return {};
    }
  }
  return dataError(Phrase::tr("\"%1\" is none of the %2 options")(
                       read.text ? shownValue(*read.text) : std::string(), example.options.size()),
                   Phrase::tr("options are numbered from 0, called A, B, … or given in their words"));
}

Status takeChoice(ReviewGold& gold, const ReviewExample& example, const ImportedPrediction& read,
                  ReviewOutput& output) {
  if (!read.scores.empty()) {
    if (read.scores.size() < example.options.size())
      return dataError(Phrase::tr("%1 scores for %2 options")(read.scores.size(), example.options.size()));
    const std::span scores = std::span(read.scores).first(example.options.size());
    FATHOM_TRY(output.scores, probabilitiesOf(scores));
    output.label = static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
  if (read.text || read.number) {
    const bool candidates = gold.layout != nullptr;
    FATHOM_CHECK(candidates ? takeCandidate(example, read, output) : takeOption(example, read, output));
  }
  if (output.label < 0) return dataError(Phrase::tr("an option or scores are expected"));
  output.text = example.options[static_cast<std::size_t>(output.label)];
  return {};
}

void judgeChoice(const ReviewGold&, const ReviewExample& example, const ReviewOutput& output,
                 ReviewVerdict& verdict, std::span<std::int32_t>) {
  if (!example.scored) return;
  verdict.right = output.given && output.label == example.label;
  verdict.wrong = !verdict.right;
  verdict.score = verdict.right ? 1 : 0;
  if (!output.given) {
    verdict.category = kChoiceMissing;
    return;
  }
  if (!output.scores.empty()) {
    verdict.numbers[0] = output.scores[static_cast<std::size_t>(output.label)];
    verdict.numbers[1] = output.scores[static_cast<std::size_t>(example.label)];
  }
  if (!verdict.wrong) return;
  const bool nearly = !output.scores.empty() && verdict.numbers[0] - verdict.numbers[1] < kNearlyRight;
  verdict.category = nearly ? kNearly : kWrongOption;
}

std::vector<ReviewScore> choiceScores(const ReviewGold& gold, const ReviewModel& model) {
  int right = 0, scored = 0;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    scored += gold.examples[i].scored;
    right += model.verdicts[i].right;
  }
  ReviewScore accuracy{"accuracy", Phrase::tr("accuracy, %"), {}, 1, Phrase::tr("no example is scored")};
  if (scored > 0) accuracy.value = 100.0 * right / scored;
  return {std::move(accuracy), {"right", Phrase::tr("right"), static_cast<double>(right), 0}};
}

// ReClor's ids do not say it; files that were split by difficulty do.
std::int32_t difficultyOf(const std::string& id) {
  std::string lower = id;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower.find("easy") != std::string::npos) return 0;
  return lower.find("hard") != std::string::npos ? 1 : -1;
}

std::vector<ReviewFacet> choiceFacets(const Review& review) {
  const ReviewGold& gold = review.gold;
  ReviewFacet wanted{"gold", Phrase::tr("Right option"), {}, {}, {}};
  std::size_t options = 0;
  bool split = false;
  ReviewFacet difficulty{"difficulty",
                         Phrase::tr("Difficulty"),
                         {{"easy", Phrase::tr("easy")}, {"hard", Phrase::tr("hard")}},
                         {},
                         {}};
  for (const ReviewExample& example : gold.examples) {
    options = std::max(options, example.options.size());
    wanted.ofExample.push_back(example.label);
    difficulty.ofExample.push_back(difficultyOf(example.id));
    split = split || difficulty.ofExample.back() >= 0;
  }
  for (std::size_t k = 0; k < options; ++k)
    wanted.values.push_back({optionLetter(k), Phrase::words(optionLetter(k))});
  ReviewFacet predicted{"predicted", Phrase::tr("Predicted option"), wanted.values, {}, {}};
  for (const ReviewModel& model : review.models) {
    auto& labels = predicted.ofModel.emplace_back();
    for (const ReviewOutput& output : model.outputs) labels.push_back(output.label);
  }
  std::vector<ReviewFacet> facets = {std::move(wanted), std::move(predicted), questionWordFacet(gold, 1)};
  if (split) facets.push_back(std::move(difficulty));
  return facets;
}

}  // namespace

ReviewKind choiceReviewEntry() {
  return {
      .id = "choice",
      .title = Phrase::tr("Choices"),
      .description =
          Phrase::tr("One of several options for a context and a question, as in ReClor and WikiHop"),
      .goldHelp = Phrase::tr("ReClor's JSON: context, question, answers, label, id_string; WikiHop's: id, "
                             "query, supports, candidates, answer"),
      .predictionsHelp = Phrase::tr(".npy as ReClor takes it, or rows of scores; JSON: id and option; "
                                    "JSON lines; tabs; or one option a line"),
      .options = goldOptions(),
      .categories = {{"right", Phrase::tr("Right"), "✓", Phrase::tr("The right option")},
                     {"wrong", Phrase::tr("Wrong option"), "W",
                      Phrase::tr("Another option; then the next one")},
                     {"nearly", Phrase::tr("Nearly"), "N",
                      Phrase::tr("The right option is less than .1 behind"), false},
                     missingCategory(),
                     {"distractor", Phrase::tr("Distractor"), "D",
                      Phrase::tr("Words of the context misled it; then the next one")},
                     {"reasoning", Phrase::tr("Reasoning"), "R",
                      Phrase::tr("A step of reasoning fails; then the next one")},
                     {"ambiguous", Phrase::tr("Ambiguous"), "A",
                      Phrase::tr("Both options can be defended; then the next one")},
                     goldErrorCategory(Phrase::tr("The label of the file is wrong; then the next one")),
                     rightAfterAllCategory()},
      .numbers = {confidenceNumber(), goldProbabilityNumber()},
      .test = PairTest::McNemar,
      .compared = Phrase::tr("accuracy, points"),
      .figures = {"calibration_curve", "facet_scores"},
      .readGold = readChoiceGold,
      .take = takeChoice,
      .judge = judgeChoice,
      .scores = choiceScores,
      .facets = choiceFacets};
}

}  // namespace fathom
