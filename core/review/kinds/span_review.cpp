// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/json/json_members.h"
#include "core/review/gold_layout.h"
#include "core/review/gold_options.h"
#include "core/review/imported_predictions.h"
#include "core/review/kinds/shared_categories.h"
#include "core/review/review_kind.h"
#include "core/review/span_scores.h"
#include "core/review/text_difference.h"
#include "core/text/answers/answer_match.h"
#include "core/text/answers/squad_document.h"

namespace fathom {

namespace {

enum SpanCategory : std::uint8_t {
  kSpanRight,
  kOtherSentence,
  kTooLong,
  kTooShort,
  kPartly,
  kSameSentence,
  kUnanswerable,
  kAbstained,
  kNotInPassage,
  kSpanMissing
};

struct SpanReader {
  const std::string& path;
  const SquadDocument& document;
  ReviewGold& gold;
  std::size_t question = 0;  // that is read
  std::size_t notInPassage = 0, wrongStart = 0;
  std::string firstNot = {}, firstWrong = {};
  bool skipsBad = false;
  BadGold bad = {};
  std::int64_t questions = 0;  // of the file, those left out too
  std::set<std::string> ids = {};
  std::size_t unanswered = 0;
  std::string firstUnanswered = {};
};

Error spanError(const SpanReader& reader, const Phrase& what) {
  if (reader.bad.count > 0)
    return dataErrorAt(reader.path, 0, what);  // only of the first one the line is said
  return dataErrorAt(reader.path, reader.document.lineOf(reader.question), what);
}

Error spanError(const SpanReader& reader, const std::string& id, const Phrase& what) {
  return spanError(reader, Phrase::tr("question %1: %2")(id, what));
}

// The gold span in bytes: where answer_start says, else where the text is first.
void markAnswer(SpanReader& reader, const std::string& context, const std::vector<std::size_t>& offsets,
                const std::string& text, std::int64_t start, ReviewExample& example) {
  if (start >= 0 && static_cast<std::size_t>(start) < offsets.size()) {
    const std::size_t begin = offsets[static_cast<std::size_t>(start)];
    if (context.compare(begin, text.size(), text) == 0) {
      example.marks.push_back({begin, begin + text.size()});
      return;
    }
  }
  const std::size_t found = text.empty() ? std::string::npos : context.find(text);
  if (found == std::string::npos) {
    if (reader.notInPassage++ == 0) reader.firstNot = example.id;
    return;
  }
  if (reader.wrongStart++ == 0) reader.firstWrong = example.id;
  example.marks.push_back({found, found + text.size()});
}

// The right answers. Where neither answers nor is_impossible is said, as in a test part: unknown.
Status readAnswers(SpanReader& reader, const Json& question, const std::vector<std::size_t>& offsets,
                   ReviewExample& example) {
  if (memberFlag(question, "is_impossible", false)) return {};
  const auto answers = question.find("answers");
  if (answers != question.end() && !answers->is_array())
    return spanError(reader, example.id, Phrase::tr("\"answers\" is no list"));
  for (const Json& answer : memberList(question, "answers")) {
    const auto words = answer.find("text");
    if (!answer.is_object() || words == answer.end() || !words->is_string())
      return spanError(reader, example.id, Phrase::tr("an answer has no \"text\""));
    example.references.push_back(words->get<std::string>());
    example.normalized.push_back(normalizeAnswer(example.references.back()));
    markAnswer(reader, example.texts.front(), offsets, example.references.back(),
               memberInteger(answer, "answer_start", -1), example);
  }
  example.scored = !example.references.empty();
  return {};
}

Status readQuestion(SpanReader& reader, const Json& question, const std::string& title,
                    const std::string& context, const std::vector<std::size_t>& offsets) {
  ReviewExample example;
  const auto id = question.find("id");
  if (id == question.end() || (!id->is_string() && !id->is_number()))
    return spanError(reader, Phrase::tr("question %1 has no id")(reader.questions));
  example.id = asText(*id);
  const auto text = question.find("question");
  if (text == question.end() || !text->is_string())
    return spanError(reader, example.id, Phrase::tr("there is no \"question\""));
  example.texts = {context, text->get<std::string>(), title};
  FATHOM_CHECK(readAnswers(reader, question, offsets, example));
  if (!reader.ids.insert(example.id).second)
    return spanError(reader, Phrase::tr("the id \"%1\" is there twice")(example.id));
  example.place = reader.questions - 1;
  const bool impossible = example.scored && example.references.empty();
  reader.gold.unanswerable = reader.gold.unanswerable || impossible;
  if (!example.scored && reader.unanswered++ == 0) reader.firstUnanswered = example.id;
  reader.gold.examples.push_back(std::move(example));
  return {};
}

Status readQuestions(SpanReader& reader) {
  std::vector<std::size_t> offsets;
  std::size_t measured = SquadDocument::kNoPassage;
  for (const auto& [passage, value, fault] : reader.document.questions) {
    ++reader.questions;
    Status read;
    if (!fault.empty()) {
      const std::string id = value.is_object() && value.contains("id") ? asText(value["id"]) : "?";
      read = spanError(reader, id, fault);
    } else {
      const auto& [title, text, article] = reader.document.passages[passage];
      if (measured != passage) offsets = codePointOffsets(text);
      measured = passage;
      read = readQuestion(reader, value, title, text, offsets);
    }
    ++reader.question;
    if (read.ok()) continue;
    if (!reader.skipsBad) return read;
    reader.bad.add(read.error());
  }
  return {};
}

// Says what is odd with the questions that were read.
Status noteQuestions(const SpanReader& reader) {
  ReviewGold& gold = reader.gold;
  noteBadGold(gold, reader.bad);
  gold.records = reader.questions;
  if (reader.unanswered > 0 && reader.unanswered == gold.examples.size())
    return dataErrorAt(reader.path, 0, Phrase::tr("no question has an answer"),
                       Phrase::tr("the published test part has none: take the validation part"));
  if (reader.unanswered > 0)
    gold.notes.push_back(
        Phrase::tr("%1 questions have no answers, nor is is_impossible said: not scored; the first is %2")(
            reader.unanswered, reader.firstUnanswered));
  if (reader.notInPassage > 0)
    gold.notes.push_back(Phrase::tr("%1 gold answers do not stand in their passage; the first is of %2")(
        reader.notInPassage, reader.firstNot));
  if (reader.wrongStart > 0)
    gold.notes.push_back(Phrase::tr("%1 answer_start do not fit their answer; the first is of %2")(
        reader.wrongStart, reader.firstWrong));
  return {};
}

Result<ReviewGold> readSpanGold(const ReviewSources& sources) {
  FATHOM_TRY(const std::string head, readHead(sources.gold));
  if (const GoldLayout* layout = goldLayoutOf("span", head)) return readLayout(*layout, sources);
  FATHOM_TRY(const std::string bytes, readUnpacked(sources.gold));
  FATHOM_TRY(const SquadDocument document, SquadDocument::parse(bytes, sources.gold));
  ReviewGold gold;
  gold.texts = {{"context", Phrase::tr("Passage")},
                {"question", Phrase::tr("Question")},
                {"title", Phrase::tr("Article")}};
  SpanReader reader{sources.gold, document, gold};
  reader.skipsBad = skipsBadGold(sources);
  FATHOM_CHECK(readQuestions(reader));
  FATHOM_CHECK(noteQuestions(reader));
  return gold;
}

bool overlap(const TextSpan& a, const TextSpan& b) {
  return a.begin < b.end && b.begin < a.end;
}

// Of several places of the answer the one that meets gold, else the first.
TextSpan placeOf(const ReviewExample& example, const std::string& text) {
  const std::string& context = example.texts.front();
  TextSpan first;
  if (text.empty()) return first;
  constexpr int kMostPlaces = 100;
  std::size_t at = context.find(text);
  for (int k = 0; at != std::string::npos && k < kMostPlaces; ++k, at = context.find(text, at + 1)) {
    const TextSpan place{at, at + text.size()};
    if (first.empty()) first = place;
    for (const TextSpan& mark : example.marks)
      if (overlap(mark, place)) return place;
  }
  return first;
}

Status takeSpan(ReviewGold& gold, const ReviewExample& example, const ImportedPrediction& read,
                ReviewOutput& output) {
  if (!read.text) return dataError(Phrase::tr("a text is expected"));
  output.text = *read.text;
  output.mark = placeOf(example, output.text);
  if (gold.layout != nullptr) gold.layout->takeEvidence(example, read, output);
  return {};
}

bool sameSentence(const std::string& context, const TextSpan& a, const TextSpan& b) {
  const std::size_t begin = std::min(a.end, b.end), end = std::max(a.begin, b.begin);
  if (begin >= end) return true;
  for (std::size_t at = begin; at < end; ++at) {
    const char c = context[at > 0 ? at - 1 : 0];
    const bool stops = c == '.' || c == '!' || c == '?';
    if (stops && (context[at] == ' ' || context[at] == '\n')) return false;
  }
  return true;
}

std::uint8_t wrongSpan(const ReviewExample& example, const ReviewOutput& output) {
  if (example.references.empty()) return kUnanswerable;
  if (output.text.empty()) return kAbstained;
  if (output.mark.empty()) return kNotInPassage;
  bool near = false;
  for (const TextSpan& mark : example.marks) {
    if (overlap(mark, output.mark)) {
      if (output.mark.begin <= mark.begin && output.mark.end >= mark.end) return kTooLong;
      if (output.mark.begin >= mark.begin && output.mark.end <= mark.end) return kTooShort;
      return kPartly;
    }
    near = near || sameSentence(example.texts.front(), mark, output.mark);
  }
  return near ? kSameSentence : kOtherSentence;
}

void judgeSpan(const ReviewGold& gold, const ReviewExample& example, const ReviewOutput& output,
               ReviewVerdict& verdict, std::span<std::int32_t>) {
  if (!example.scored) return;
  const AnswerRules rules = gold.unanswerable ? AnswerRules::Unanswerable : AnswerRules::Answerable;
  AnswerScore best;
  if (output.given) {
    const std::string predicted = normalizeAnswer(output.text);
    bool compared = false;
    const auto compare = [&](const std::string& reference) {
      best.exact = std::max(best.exact, reference == predicted ? 1.0 : 0.0);
      best.f1 = std::max(best.f1, normalizedAnswerF1(predicted, reference, rules));
      compared = true;
    };
    for (const std::string& reference : example.normalized)
      if (!gold.unanswerable || !reference.empty()) compare(reference);
    if (!compared && gold.unanswerable) compare({});
  }
  if (gold.layout != nullptr) {
    const SupportedScore score = gold.layout->score(example, output);
    best.exact = score.exact;
    best.f1 = score.f1;
    verdict.numbers[3] = score.factsF1;
  }
  verdict.right = best.exact > 0;
  verdict.wrong = !verdict.right;
  verdict.score = best.exact;
  verdict.numbers[0] = best.f1;
  verdict.numbers[1] = best.exact;
  verdict.numbers[2] = output.nullScore;
  if (!output.given)
    verdict.category = kSpanMissing;
  else if (verdict.wrong)
    verdict.category = wrongSpan(example, output);
}

void judgeSpanAsRight(const ReviewGold&, const ReviewExample&, const ReviewOutput&, ReviewVerdict& verdict,
                      std::span<std::int32_t>) {
  verdict.score = verdict.numbers[0] = verdict.numbers[1] = 1;
}

std::vector<ReviewScore> scoresOfSpans(const ReviewGold& gold, const ReviewModel& model) {
  if (gold.layout != nullptr) return gold.layout->scores(gold, model);
  const SpanScores sums = spanScores(gold, model);
  std::vector<ReviewScore> scores;
  const auto share = [&scores](const char* id, const Phrase& title, double percent) {
    ReviewScore score{id, title, {}, 3, Phrase::tr("there is no such question")};
    if (!std::isnan(percent)) score.value = percent;
    scores.push_back(std::move(score));
  };
  share("exact", Phrase::tr("exact match, %"), sums.exact);
  share("f1", Phrase::tr("F1, %"), sums.f1);
  if (!gold.unanswerable) return scores;
  share("has_answer_exact", Phrase::tr("exact match of answerable questions, %"), sums.answerableExact);
  share("has_answer_f1", Phrase::tr("F1 of answerable questions, %"), sums.answerableF1);
  share("no_answer_exact", Phrase::tr("unanswerable questions right, %"), sums.unanswerableExact);
  const auto best = bestThreshold(gold, model);
  const Phrase why = Phrase::tr("no null scores");
  const auto add = [&](const char* id, const Phrase& title, double BestThreshold::*member) {
    ReviewScore score{id, title, {}, 3, why};
    if (best) score.value = (*best).*member;
    scores.push_back(std::move(score));
  };
  add("best_exact", Phrase::tr("exact match at the best threshold, %"), &BestThreshold::exact);
  add("best_exact_threshold", Phrase::tr("best threshold for exact match"), &BestThreshold::exactAt);
  add("best_f1", Phrase::tr("F1 at the best threshold, %"), &BestThreshold::f1);
  add("best_f1_threshold", Phrase::tr("best threshold for F1"), &BestThreshold::f1At);
  add("reachable_exact", Phrase::tr("exact match that a threshold can reach, %"),
      &BestThreshold::reachableExact);
  add("reachable_f1", Phrase::tr("F1 that a threshold can reach, %"), &BestThreshold::reachableF1);
  return scores;
}

ReviewFacet answerLength(const ReviewGold& gold) {
  ReviewFacet facet{"words", Phrase::tr("Words of the answer"), {}, {}, {}};
  constexpr std::size_t kLimits[] = {1, 2, 4, 8};
  for (const char* word : {"1", "2", "3-4", "5-8", "9+"}) facet.values.push_back({word, Phrase::words(word)});
  for (const ReviewExample& example : gold.examples) {
    if (example.references.empty()) {
      facet.ofExample.push_back(-1);
      continue;
    }
    const std::size_t words = wordCount(example.references.front());
    std::int32_t value = 0;
    for (const std::size_t limit : kLimits) value += words > limit;
    facet.ofExample.push_back(value);
  }
  return facet;
}

std::vector<ReviewFacet> spanFacets(const Review& review) {
  const ReviewGold& gold = review.gold;
  std::vector<ReviewFacet> facets = {questionWordFacet(gold, 1), answerLength(gold)};
  if (gold.unanswerable) {
    ReviewFacet answer{"answer",
                       Phrase::tr("Gold answer"),
                       {{"answerable", Phrase::tr("answerable")}, {"none", Phrase::tr("unanswerable")}},
                       {},
                       {}};
    for (const ReviewExample& example : gold.examples)
      answer.ofExample.push_back(example.scored ? static_cast<std::int32_t>(example.references.empty()) : -1);
    facets.push_back(std::move(answer));
  }
  ReviewFacet article{"article", Phrase::tr("Article"), {}, {}, {}};
  std::map<std::string, std::int32_t> known;
  for (const ReviewExample& example : gold.examples) {
    const auto [place, fresh] = known.emplace(example.texts[2], static_cast<std::int32_t>(known.size()));
    if (fresh) article.values.push_back({example.texts[2], Phrase::words(example.texts[2])});
    article.ofExample.push_back(place->second);
  }
  if (known.size() > 1) facets.push_back(std::move(article));
  return facets;
}

std::vector<ReviewCategory> spanCategories() {
  return {{"right", Phrase::tr("Right"), "✓", Phrase::tr("Exact match with one of the answers")},
          {"sentence", Phrase::tr("Wrong sentence"), "S",
           Phrase::tr("The span stands in another sentence; then the next one")},
          {"too_long", Phrase::tr("Too long"), "L",
           Phrase::tr("The span holds the answer and more; then the next one")},
          {"too_short", Phrase::tr("Too short"), "K",
           Phrase::tr("The span is a part of the answer; then the next one")},
          {"partly", Phrase::tr("Partly"), "P",
           Phrase::tr("Span and answer share a part at their ends; then the next one")},
          {"same_sentence", Phrase::tr("Wrong words"), "W",
           Phrase::tr("Other words of the right sentence; then the next one")},
          {"unanswerable", Phrase::tr("Unanswerable"), "U",
           Phrase::tr("The question has no answer, the model gives one; then the next one")},
          {"abstained", Phrase::tr("No answer given"), "N",
           Phrase::tr("The question has an answer, the model gives none"), false},
          {"not_in_passage", Phrase::tr("Not in the passage"), "X",
           Phrase::tr("The predicted text does not stand in the passage"), false},
          missingCategory(),
          {"ambiguous", Phrase::tr("Ambiguous"), "A",
           Phrase::tr("Both answers can be defended; then the next one")},
          goldErrorCategory(Phrase::tr("The answer of the file is wrong; then the next one")),
          rightAfterAllCategory()};
}

}  // namespace

ReviewKind spanReviewEntry() {
  return {
      .id = "span",
      .title = Phrase::tr("Spans"),
      .description = Phrase::tr("The answer to a question as a piece of a passage, as in SQuAD; with "
                                "supporting facts, as in HotpotQA"),
      .goldHelp = Phrase::tr("SQuAD's JSON of version 1.1 or 2.0, or HotpotQA's of the distractor setting"),
      .predictionsHelp = Phrase::tr("JSON: id and answer, as the official script reads it; null odds in "
                                    "null_odds.json beside it or by --null-odds"),
      .options = goldOptions(),
      .categories = spanCategories(),
      .numbers = {{"f1", Phrase::tr("F1"), 3},
                  {"exact", Phrase::tr("Exact"), 0},
                  {"null_score", Phrase::tr("Null score"), 3},
                  {"facts_f1", Phrase::tr("F1 of facts"), 3}},
      .test = PairTest::McNemar,
      .compared = Phrase::tr("exact match, points"),
      .linesAreTexts = true,
      .nullOdds = true,
      .figures = {"example_scores", "facet_scores"},
      .readGold = readSpanGold,
      .take = takeSpan,
      .judge = judgeSpan,
      .judgeAsRight = judgeSpanAsRight,
      .scores = scoresOfSpans,
      .facets = spanFacets};
}

}  // namespace fathom
