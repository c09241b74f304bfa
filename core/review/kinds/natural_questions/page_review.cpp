// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text/text_list.h"
#include "core/review/gold_options.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"
#include "core/review/text_difference.h"
#include "core/tasks/long_text/record_file.h"
#include "core/tasks/natural_questions/nq_scores.h"

namespace fathom {

namespace {

// Words of a page are told by their bytes in its text, tags among them: two answers are the same words where
// they are the same bytes.
constexpr const char* kLongAnswer = "long";
constexpr const char* kShortAnswer = "short";
constexpr std::size_t kShownBytes = 400;  // of a long answer

enum PageCategory : std::uint8_t { kPageRight, kOtherPlace, kMeetsAnswer, kNoLongAnswer, kPageMissing };
enum PageNumber : std::uint8_t { kLongRight, kShortRight, kLongScore, kShortScore };

TextSpan bytesOf(const std::vector<TextSpan>& words, const WordRange& range) {
  return {words[static_cast<std::size_t>(range.first)].begin,
          words[static_cast<std::size_t>(range.second - 1)].end};
}

WordRange rangeOfBytes(const TextSpan& span) {
  return {static_cast<std::int64_t>(span.begin), static_cast<std::int64_t>(span.end)};
}

std::string piece(const std::string& page, const TextSpan& span) {
  return page.substr(span.begin, span.end - span.begin);
}

// As a person reads it: the short answers, YES or NO, else the beginning of the long one.
std::string answerText(const std::string& page, const TextSpan& whole, const std::vector<TextSpan>& parts,
                       const std::string& yesNo) {
  if (yesNo != "NONE") return yesNo;
  if (!parts.empty())
    return joined(parts, " | ", [&page](const TextSpan& part) { return piece(page, part); });
  std::string text = piece(page, whole);
  if (text.size() <= kShownBytes) return text;
  return text.substr(0, text.rfind(' ', kShownBytes)) + " …";
}

// The spans of a page's words in its text, in which one blank stands between two of them.
std::vector<TextSpan> pageWordSpans(const std::string& page) {
  std::vector<TextSpan> words;
  for (std::size_t at = 0; at <= page.size();) {
    const std::size_t end = std::min(page.find(' ', at), page.size());
    words.push_back({at, end});
    at = end + 1;
  }
  return words;
}

void addAnnotation(const NqAnnotation& annotation, const std::vector<TextSpan>& words,
                   ReviewExample& example) {
  const std::string& page = example.texts.front();
  const auto number = static_cast<std::int64_t>(example.normalized.size());
  TextSpan whole;
  std::vector<TextSpan> parts;
  if (annotation.longAnswer) {
    whole = bytesOf(words, *annotation.longAnswer);
    example.sentences.push_back({kLongAnswer, number, whole});
  }
  for (const WordRange& range : annotation.shortAnswers) {
    parts.push_back(bytesOf(words, range));
    example.sentences.push_back({kShortAnswer, number, parts.back()});
  }
  example.normalized.push_back(annotation.yesNo);
  example.marks.insert(example.marks.end(), parts.begin(), parts.end());
  if (parts.empty() && !whole.empty()) example.marks.push_back(whole);
  const std::string text = answerText(page, whole, parts, annotation.yesNo);
  if (!text.empty() &&
      std::find(example.references.begin(), example.references.end(), text) == example.references.end())
    example.references.push_back(text);
}

// The annotations of an example, in bytes of the page: one for each of `normalized`, its yes or no.
std::vector<NqAnnotation> annotationsOf(const ReviewExample& example) {
  std::vector<NqAnnotation> all(example.normalized.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].yesNo = example.normalized[i];
  for (const ReviewSentence& one : example.sentences) {
    NqAnnotation& annotation = all[static_cast<std::size_t>(one.sentence)];
    if (one.title == kLongAnswer)
      annotation.longAnswer = rangeOfBytes(one.span);
    else
      annotation.shortAnswers.push_back(rangeOfBytes(one.span));
  }
  return all;
}

bool isYesOrNo(const ReviewOutput& output) {
  return output.parts.empty() && (output.text == "YES" || output.text == "NO");
}

NqPrediction predictionOf(const ReviewOutput& output) {
  NqPrediction prediction;
  if (!output.given) return prediction;
  if (!output.mark.empty()) prediction.answer.longAnswer = rangeOfBytes(output.mark);
  for (const TextSpan& part : output.parts) prediction.answer.shortAnswers.push_back(rangeOfBytes(part));
  if (isYesOrNo(output)) prediction.answer.yesNo = output.text;
  prediction.longScore = output.scores.empty() ? 0 : output.scores[0];
  prediction.shortScore = output.scores.empty() ? 0 : output.scores[1];
  return prediction;
}

// True if the official script counts the page as one with such an answer: two annotations of several say so.
bool hasGold(const ReviewExample& example, bool shorts) {
  return nqScore({annotationsOf(example)}, {NqPrediction{}}, shorts).gold > 0;
}

bool isRightPage(const ReviewExample& example, const ReviewOutput& output, bool shorts) {
  return nqScore({annotationsOf(example)}, {predictionOf(output)}, shorts).f1 > 0;
}

Result<ReviewGold> readPageGold(const ReviewSources& sources) {
  ReviewGold gold;
  gold.texts = {{"page", Phrase::tr("Page")}, {"question", Phrase::tr("Question")}};
  gold.unanswerable = true;
  FATHOM_TRY(const std::vector<std::string> files, nqFiles(sources.gold));
  std::size_t unanswered = 0;
  BadGold bad;
  const auto take = [&](const Json& json, const std::string& place) -> Status {
    const bool answered = json.is_object() && json.contains("annotations");
    FATHOM_TRY(const NqRecord record, nqRecord(json, place, answered));
    ReviewExample example;
    example.id = record.id;
    example.texts = {joined(record.words, " "), record.question};
    const std::vector<TextSpan> words = pageWordSpans(example.texts.front());
    for (const NqAnnotation& annotation : record.annotations) addAnnotation(annotation, words, example);
    example.scored = answered && hasGold(example, false);
    unanswered += !example.scored;
    gold.examples.push_back(std::move(example));
    return {};
  };
  for (const std::string& file : files) {
    FATHOM_TRY(const RecordFile read, readRecordFile({file, skipsBadGold(sources)}, take));
    bad.count += static_cast<std::size_t>(read.left);
    if (bad.first.empty()) bad.first = Phrase::words(read.firstLeft);
  }
  noteBadGold(gold, bad);
  if (unanswered == gold.examples.size())
    return dataErrorAt(sources.gold, 0, Phrase::tr("no page has a long answer"),
                       Phrase::tr("the published test part has none: take the validation part"));
  if (unanswered > 0)
    gold.notes.push_back(Phrase::tr(
        "%1 pages have no long answer: neither right nor wrong, they count in F1 at the threshold")(
        unanswered));
  return gold;
}

// Words of the page that a file names; none where both ends are negative.
Result<TextSpan> spanOfWords(const std::vector<TextSpan>& words, const PageWords& range) {
  if (range.first < 0 && range.second < 0) return TextSpan{};
  if (range.first < 0 || range.second <= range.first ||
      range.second > static_cast<std::int64_t>(words.size()))
    return dataError(
        Phrase::tr("the words %1 to %2 are not in a page of %3")(range.first, range.second, words.size()));
  return bytesOf(words, range);
}

Status takePage(ReviewGold&, const ReviewExample& example, const ImportedPrediction& read,
                ReviewOutput& output) {
  if (!read.page)
    return dataError(Phrase::tr("words of a page are expected"),
                     Phrase::tr("long_answer and short_answers with start_token and end_token, as in the "
                                "benchmark's predictions.json, or a prediction set"));
  const std::string& page = example.texts.front();
  const std::vector<TextSpan> words = pageWordSpans(page);
  FATHOM_TRY(output.mark, spanOfWords(words, read.page->whole));
  for (const PageWords& range : read.page->parts) {
    FATHOM_TRY(const TextSpan part, spanOfWords(words, range));
    if (!part.empty()) output.parts.push_back(part);
  }
  if (read.page->yesNo != "NONE") output.parts.clear();
  output.scores = {read.page->wholeScore, read.page->partScore};
  output.text = answerText(page, output.mark, output.parts, read.page->yesNo);
  return {};
}

void judgePage(const ReviewGold&, const ReviewExample& example, const ReviewOutput& output,
               ReviewVerdict& verdict, std::span<std::int32_t>) {
  if (output.given && !output.scores.empty()) {
    verdict.numbers[kLongScore] = output.scores[0];
    verdict.numbers[kShortScore] = output.scores[1];
  }
  if (hasGold(example, true)) verdict.numbers[kShortRight] = isRightPage(example, output, true) ? 1 : 0;
  if (!example.scored) return;
  verdict.right = isRightPage(example, output, false);
  verdict.wrong = !verdict.right;
  verdict.score = verdict.right ? 1 : 0;
  verdict.numbers[kLongRight] = verdict.score;
  if (verdict.right) return;
  const bool meets =
      std::any_of(example.sentences.begin(), example.sentences.end(), [&output](const ReviewSentence& one) {
        return one.title == kLongAnswer && one.span.begin < output.mark.end &&
               output.mark.begin < one.span.end;
      });
  verdict.category = !output.given         ? kPageMissing
                     : output.mark.empty() ? kNoLongAnswer
                     : meets               ? kMeetsAnswer
                                           : kOtherPlace;
}

void judgePageAsRight(const ReviewGold&, const ReviewExample&, const ReviewOutput&, ReviewVerdict& verdict,
                      std::span<std::int32_t>) {
  verdict.score = verdict.numbers[kLongRight] = 1;
}

std::vector<ReviewScore> pageScores(const ReviewGold& gold, const ReviewModel& model) {
  std::vector<std::vector<NqAnnotation>> pages;
  std::vector<NqPrediction> predictions;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    pages.push_back(annotationsOf(gold.examples[i]));
    predictions.push_back(predictionOf(model.outputs[i]));
  }
  const NqScore longs = nqScore(pages, predictions, false), shorts = nqScore(pages, predictions, true);
  const Phrase none = Phrase::tr("no page has such an answer"), never = Phrase::tr("none is right");
  std::vector<ReviewScore> scores;
  const auto add = [&](const char* id, const Phrase& title, const NqScore& score, double value) {
    ReviewScore one{id, title, {}, 2, none};
    if (score.gold > 0) one.value = 100 * value;
    scores.push_back(std::move(one));
  };
  const auto threshold = [&](const char* id, const Phrase& title, const NqScore& score) {
    scores.push_back({id, title, score.threshold, 3, score.gold > 0 ? never : none});
  };
  ReviewScore average{"average_f1", Phrase::tr("F1, mean of long and short answers, %"), {}, 2, none};
  if (longs.gold > 0 && shorts.gold > 0) average.value = 50 * (longs.f1 + shorts.f1);
  scores.push_back(std::move(average));
  add("long_f1", Phrase::tr("F1 of long answers, %"), longs, longs.f1);
  add("short_f1", Phrase::tr("F1 of short answers, %"), shorts, shorts.f1);
  add("long_precision", Phrase::tr("precision of long answers, %"), longs, longs.precision);
  add("long_recall", Phrase::tr("recall of long answers, %"), longs, longs.recall);
  add("short_precision", Phrase::tr("precision of short answers, %"), shorts, shorts.precision);
  add("short_recall", Phrase::tr("recall of short answers, %"), shorts, shorts.recall);
  threshold("long_threshold", Phrase::tr("best threshold for long answers"), longs);
  threshold("short_threshold", Phrase::tr("best threshold for short answers"), shorts);
  return scores;
}

std::vector<TextSpan> shortPlaces(const ReviewExample&, const ReviewOutput& output) {
  return output.parts;
}

std::vector<ReviewFacet> pageFacets(const Review& review) {
  ReviewFacet answer{"answer",
                     Phrase::tr("Gold answer"),
                     {{"short", Phrase::tr("short answer")},
                      {"yes_no", Phrase::tr("yes or no")},
                      {"long", Phrase::tr("long answer alone")},
                      {"none", Phrase::tr("unanswerable")}},
                     {},
                     {}};
  for (const ReviewExample& example : review.gold.examples) {
    const bool yesNo = std::any_of(example.normalized.begin(), example.normalized.end(),
                                   [](const std::string& word) { return word != "NONE"; });
    const bool shorts = hasGold(example, true);
    answer.ofExample.push_back(shorts && yesNo ? 1 : shorts ? 0 : example.scored ? 2 : 3);
  }
  return {std::move(answer), questionWordFacet(review.gold, 1)};
}

}  // namespace

ReviewKind pageReviewEntry() {
  return {
      .id = "page",
      .title = Phrase::tr("Answers on a page"),
      .description = Phrase::tr("Long and short answers in the words of a page, as in Natural Questions"),
      .goldHelp = Phrase::tr("Natural Questions' JSON lines of either layout, plain or gzip; or a folder of "
                             "such files"),
      .predictionsHelp = Phrase::tr("The benchmark's predictions.json, or a prediction set"),
      .options = goldOptions(),
      .categories = {{"right", Phrase::tr("Right"), "✓",
                      Phrase::tr("The long answer is that of an annotation")},
                     {"other", Phrase::tr("Other place"), "O",
                      Phrase::tr("The long answer stands elsewhere; then the next one")},
                     {"meets", Phrase::tr("Partly"), "P",
                      Phrase::tr("Long answer and gold share words; then the next one")},
                     {"abstained", Phrase::tr("No answer given"), "N",
                      Phrase::tr("The page has a long answer, the model gives none"), false},
                     missingCategory(),
                     {"ambiguous", Phrase::tr("Ambiguous"), "A",
                      Phrase::tr("Both answers can be defended; then the next one")},
                     goldErrorCategory(Phrase::tr("The answer of the file is wrong; then the next one")),
                     rightAfterAllCategory()},
      .numbers = {{"long_right", Phrase::tr("Long answer right"), 0},
                  {"short_right", Phrase::tr("Short answer right"), 0},
                  {"long_score", Phrase::tr("Score of the long answer"), 3},
                  {"short_score", Phrase::tr("Score of the short answer"), 3}},
      .test = PairTest::McNemar,
      .compared = Phrase::tr("long answers right, points"),
      .goldFolder = true,
      .figures = {"example_scores", "facet_scores"},
      .readGold = readPageGold,
      .take = takePage,
      .judge = judgePage,
      .judgeAsRight = judgePageAsRight,
      .scores = pageScores,
      .places = shortPlaces,
      .facets = pageFacets};
}

}  // namespace fathom
