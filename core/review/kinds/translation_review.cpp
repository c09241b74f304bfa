// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/json/json_members.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/review/gold_table.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"
#include "core/review/text_difference.h"
#include "core/text/bleu.h"
#include "core/text/bootstrap_test.h"
#include "core/text/chrf.h"

namespace fathom {

namespace {

enum TranslationCategory : std::uint8_t {
  kFairTranslation,
  kPoor,
  kShortOutput,
  kLongOutput,
  kCopiedSource,
  kTranslationMissing
};
constexpr double kPoorChrf = 40;
constexpr double kShort = 0.7, kLong = 1.5;  // characters of hypothesis per character of reference
// BLEU: matches and totals of four orders, both lengths; chrF: three numbers of six orders.
constexpr std::size_t kBleuNumbers = 2 * kBleuOrders + 2;
constexpr std::size_t kTranslationCounts = kBleuNumbers + 3 * kChrfOrders;

Result<ReviewGold> fromSet(const ReviewSources& sources) {
  FATHOM_TRY(GoldTable table, readGoldTable(sources));
  ReviewGold gold;
  gold.texts = {{"source", Phrase::tr("Source")}};
  for (GoldTable::Row& row : table.rows) {
    ReviewExample example;
    example.id = std::move(row.id);
    example.texts = {row.texts.empty() ? std::string() : std::move(row.texts.front())};
    example.references = {std::move(row.label)};
    example.line = row.line;
    example.place = row.place;
    gold.examples.push_back(std::move(example));
  }
  return gold;
}

Result<ReviewGold> readTranslationGold(const ReviewSources& sources) {
  FATHOM_TRY(const std::string bytes, readUnpacked(sources.gold));
  std::string_view first;
  LinesOf(bytes).next(first);
  const auto head = parseJson(first);
  if (head.ok() && head->is_object() && head->contains("split") && head->contains("fields"))
    return fromSet(sources);
  FATHOM_TRY(const auto references, textLines(bytes, sources.gold));
  ReviewGold gold;
  const auto named = sources.files.find("source");
  std::string sourceBytes;
  std::vector<std::string_view> source;
  if (named != sources.files.end() && !named->second.empty()) {
    FATHOM_TRY(sourceBytes, readUnpacked(named->second));
    FATHOM_TRY(source, textLines(sourceBytes, named->second));
    if (source.size() != references.size())
      return dataErrorAt(named->second, 0,
                         Phrase::tr("%1 lines for %2 references")(source.size(), references.size()),
                         Phrase::tr("source and references must be of the same part, line by line"));
    gold.texts = {{"source", Phrase::tr("Source")}};
  }
  std::size_t empty = 0;
  for (std::size_t i = 0; i < references.size(); ++i) {
    ReviewExample example;
    example.id = std::to_string(i);
    if (!source.empty()) example.texts = {std::string(source[i])};
    example.references = {std::string(references[i])};
    example.line = static_cast<std::int64_t>(i) + 1;
    empty += trimmed(references[i]).empty();
    gold.examples.push_back(std::move(example));
  }
  if (empty > 0) gold.notes.push_back(Phrase::tr("%1 references are empty")(empty));
  return gold;
}

Status takeTranslation(ReviewGold&, const ReviewExample&, const ImportedPrediction& read,
                       ReviewOutput& output) {
  if (!read.text) return dataError(Phrase::tr("a text is expected"));
  output.text = *read.text;
  return {};
}

BleuCounts bleuCounts(std::span<const std::int32_t> counts) {
  BleuCounts result;
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    result.match[n] = counts[n];
    result.total[n] = counts[kBleuOrders + n];
  }
  result.systemLength = counts[2 * kBleuOrders];
  result.referenceLength = counts[2 * kBleuOrders + 1];
  return result;
}

// As sacreBLEU's sentence BLEU: exponential smoothing, orders that the sentence is too short for left out.
double sentenceBleu(const BleuCounts& counts) {
  double logs = 0, smooth = 1;
  int orders = 0;
  if (counts.match[0] == 0) return 0;
  for (std::size_t n = 0; n < kBleuOrders && counts.total[n] > 0; ++n) {
    const auto total = static_cast<double>(counts.total[n]);
    double precision = static_cast<double>(counts.match[n]) / total;
    if (counts.match[n] == 0) precision = 1 / ((smooth *= 2) * total);
    logs += std::log(precision);
    ++orders;
  }
  const auto system = static_cast<double>(counts.systemLength);
  const auto reference = static_cast<double>(counts.referenceLength);
  const double brevity = system < reference ? std::exp(1 - reference / system) : 1;
  return 100 * brevity * std::exp(logs / orders);
}

std::uint8_t poorTranslation(const ReviewExample& example, const ReviewOutput& output, double ratio) {
  if (!example.texts.empty() && trimmed(output.text) == trimmed(example.texts.front())) return kCopiedSource;
  if (ratio < kShort) return kShortOutput;
  return ratio > kLong ? kLongOutput : kPoor;
}

void judgeTranslation(const ReviewGold&, const ReviewExample& example, const ReviewOutput& output,
                      ReviewVerdict& verdict, std::span<std::int32_t> counts) {
  thread_local BleuCounter bleuCounter;
  thread_local ChrfCounter chrfCounter;
  const std::string_view reference = stripRight(example.references.front());
  const std::string_view hypothesis = stripRight(output.text);
  const BleuCounts bleu = bleuCounter.count(hypothesis, {&reference, 1});
  const ChrfCounts chrf = chrfCounter.count(hypothesis, reference);
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    counts[n] = static_cast<std::int32_t>(bleu.match[n]);
    counts[kBleuOrders + n] = static_cast<std::int32_t>(bleu.total[n]);
  }
  counts[2 * kBleuOrders] = static_cast<std::int32_t>(bleu.systemLength);
  counts[2 * kBleuOrders + 1] = static_cast<std::int32_t>(bleu.referenceLength);
  for (std::size_t n = 0; n < kChrfOrders; ++n) {
    counts[kBleuNumbers + n] = chrf.hypothesis[n];
    counts[kBleuNumbers + kChrfOrders + n] = chrf.reference[n];
    counts[kBleuNumbers + 2 * kChrfOrders + n] = chrf.match[n];
  }
  const double score = chrfFromCounts(chrf);
  const double ratio = chrf.reference[0] == 0 ? 1 : double(chrf.hypothesis[0]) / double(chrf.reference[0]);
  verdict.numbers = {score, sentenceBleu(bleu), ratio, kNaN};
  verdict.score = verdict.numbers[0];
  verdict.right = output.given && score >= kPoorChrf;
  verdict.wrong = !verdict.right;
  if (!output.given)
    verdict.category = kTranslationMissing;
  else if (verdict.wrong)
    verdict.category = poorTranslation(example, output, ratio);
}

// As good as the reference itself.
void judgeTranslationAsRight(const ReviewGold& gold, const ReviewExample& example, const ReviewOutput&,
                             ReviewVerdict& verdict, std::span<std::int32_t> counts) {
  ReviewOutput reference;
  reference.given = true;
  reference.text = example.references.front();
  judgeTranslation(gold, example, reference, verdict, counts);
}

// Counts of the examples that count: people leave out those whose reference is wrong.
std::vector<BleuCounts> segmentsOf(const ReviewModel& model) {
  std::vector<BleuCounts> segments;
  for (std::size_t i = 0; i < model.verdicts.size(); ++i)
    if (model.verdicts[i].right || model.verdicts[i].wrong)
      segments.push_back(
          bleuCounts(std::span(model.counts).subspan(i * kTranslationCounts, kTranslationCounts)));
  return segments;
}

std::vector<ReviewScore> translationScores(const ReviewGold&, const ReviewModel& model) {
  BleuCounts sum;
  for (const BleuCounts& segment : segmentsOf(model)) sum += segment;
  std::array<std::array<double, kChrfOrders>, 3> chrf{};
  for (std::size_t at = 0; at < model.counts.size(); at += kTranslationCounts)
    for (std::size_t part = 0; part < chrf.size(); ++part)
      for (std::size_t n = 0; n < kChrfOrders; ++n)
        chrf[part][n] += model.counts[at + kBleuNumbers + part * kChrfOrders + n];
  const BleuScore bleu = bleuFromCounts(sum);
  return {{"bleu", Phrase::tr("BLEU (13a)"), bleu.score, 2},
          {"chrf", Phrase::tr("chrF2"), chrfFromCounts(chrf[0], chrf[1], chrf[2]), 2},
          {"length_ratio", Phrase::tr("length ratio"), bleu.ratio(), 3}};
}

ReviewFacet binned(const char* id, const Phrase& title, std::vector<double> limits, const char* unit) {
  ReviewFacet facet{id, title, {}, {}, {}};
  for (std::size_t k = 0; k <= limits.size(); ++k) {
    std::string word = k == 0 ? "<" + shortestText(limits[0]) : "≥" + shortestText(limits[k - 1]);
    if (k > 0 && k < limits.size()) word = shortestText(limits[k - 1]) + "-" + shortestText(limits[k]);
    facet.values.push_back({word, Phrase::words(word + unit)});
  }
  return facet;
}

std::int32_t binOf(double value, const std::vector<double>& limits) {
  return static_cast<std::int32_t>(std::upper_bound(limits.begin(), limits.end(), value) - limits.begin());
}

std::vector<ReviewFacet> translationFacets(const Review& review) {
  static const std::vector<double> kLengths = {10, 20, 30, 40, 50, 60};
  static const std::vector<double> kScores = {20, 40, 60, 80};
  static const std::vector<double> kRatios = {0.7, 0.9, 1.1, 1.5};
  ReviewFacet length = binned("length", Phrase::tr("Words of the reference"), kLengths, "");
  for (const ReviewExample& example : review.gold.examples)
    length.ofExample.push_back(binOf(static_cast<double>(wordCount(example.references.front())), kLengths));
  ReviewFacet chrf = binned("chrf", Phrase::tr("chrF"), kScores, "");
  ReviewFacet bleu = binned("bleu", Phrase::tr("Sentence BLEU"), kScores, "");
  ReviewFacet ratio = binned("ratio", Phrase::tr("Length ratio"), kRatios, "");
  for (const ReviewModel& model : review.models) {
    auto& ofChrf = chrf.ofModel.emplace_back();
    auto& ofBleu = bleu.ofModel.emplace_back();
    auto& ofRatio = ratio.ofModel.emplace_back();
    for (const ReviewVerdict& verdict : model.verdicts) {
      ofChrf.push_back(binOf(verdict.numbers[0], kScores));
      ofBleu.push_back(binOf(verdict.numbers[1], kScores));
      ofRatio.push_back(binOf(verdict.numbers[2], kRatios));
    }
  }
  return {std::move(length), std::move(chrf), std::move(bleu), std::move(ratio)};
}

// Other words than the reference has, also where the translation is fair.
std::vector<TextSpan> otherWords(const ReviewExample& example, const ReviewOutput& output) {
  return differingWords(output.text, example.references.front());
}

// Corpus BLEU under resampled segments.
Result<ReviewPair> compareTranslations(const Review& review, std::size_t first, std::size_t second,
                                       const StopToken& stop) {
  ReviewPair pair;
  pair.first = first;
  pair.second = second;
  pair.onlyFirst = 0;
  for (std::size_t i = 0; i < review.examples(); ++i) {
    const ReviewVerdict &a = review.models[first].verdicts[i], &b = review.models[second].verdicts[i];
    pair.onlyFirst += a.right && b.wrong;
    pair.onlySecond += b.right && a.wrong;
  }
  const auto ofFirst = segmentsOf(review.models[first]), ofSecond = segmentsOf(review.models[second]);
  FATHOM_TRY(const BleuBootstrap test, pairedBootstrap(ofSecond, ofFirst, {}, {}, stop));
  pair.difference = test.difference;
  pair.low = test.differenceInterval.low;
  pair.high = test.differenceInterval.high;
  pair.p = test.pValue;
  return pair;
}

}  // namespace

ReviewKind translationReviewEntry() {
  return {.id = "translation",
          .title = Phrase::tr("Translations"),
          .description = Phrase::tr("A text for a text: a reference and the output of any number of systems"),
          .goldHelp = Phrase::tr("One reference a line, or a prediction set; may be packed"),
          .predictionsHelp = Phrase::tr("One translation a line, or a prediction set; may be packed"),
          .files = {{"source", Phrase::tr("Source texts"), Phrase::tr("One a line, beside the references")}},
          .categories = {{"right", Phrase::tr("Fair"), "✓", Phrase::tr("chrF of 40 or more")},
                         {"poor", Phrase::tr("Mistranslation"), "P",
                          Phrase::tr("It says something else; then the next one")},
                         {"short", Phrase::tr("Omission"), "O",
                          Phrase::tr("Something is left out; then the next one")},
                         {"long", Phrase::tr("Addition"), "L",
                          Phrase::tr("Something is there that the source does not say; then the next one")},
                         {"copied", Phrase::tr("Not translated"), "C",
                          Phrase::tr("The source as it is; then the next one")},
                         missingCategory(),
                         {"grammar", Phrase::tr("Grammar"), "G",
                          Phrase::tr("The right words in wrong forms or order; then the next one")},
                         {"fluent", Phrase::tr("Good after all"), "F",
                          Phrase::tr("Other words than the reference, and right; then the next one"), true,
                          Counting::AsRight},
                         {"gold_error", Phrase::tr("Reference is wrong"), "R",
                          Phrase::tr("The reference does not translate the source; then the next one"), true,
                          Counting::NotAtAll}},
          .numbers = {{"chrf", Phrase::tr("chrF"), 1},
                      {"bleu", Phrase::tr("BLEU"), 1},
                      {"ratio", Phrase::tr("Length ratio"), 2}},
          .counts = kTranslationCounts,
          .test = PairTest::Bootstrap,
          .compared = Phrase::tr("BLEU"),
          .comparedFactor = 1,
          .linesAreTexts = true,
          .setIsGold = true,
          .figures = {"example_scores", "facet_scores"},
          .readGold = readTranslationGold,
          .take = takeTranslation,
          .judge = judgeTranslation,
          .judgeAsRight = judgeTranslationAsRight,
          .scores = translationScores,
          .wrongParts = otherWords,
          .facets = translationFacets,
          .compare = compareTranslations};
}

}  // namespace fathom
