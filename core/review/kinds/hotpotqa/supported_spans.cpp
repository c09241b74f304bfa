// SPDX-License-Identifier: Apache-2.0
// Spans whose supporting sentences are known: HotpotQA's records (docs/review_kinds.md §3).
#include <algorithm>

#include "core/review/gold_layout.h"
#include "core/review/gold_options.h"
#include "core/tasks/hotpotqa/hotpotqa_scores.h"
#include "core/tasks/long_text/record_file.h"
#include "core/text/answers/answer_match.h"

namespace fathom {

namespace {

// Paragraphs of a HotpotQA record as one passage, and the places of its sentences there.
std::string passageOf(const HotpotRecord& record, std::vector<ReviewSentence>& sentences) {
  std::string passage;
  for (const HotpotRecord::Paragraph& paragraph : record.paragraphs) {
    if (!passage.empty()) passage += "\n\n";
    passage += paragraph.title + "\n";
    for (std::size_t s = 0; s < paragraph.sentences.size(); ++s) {
      if (s > 0 && !paragraph.sentences[s].starts_with(' ')) passage += ' ';
      const std::size_t begin = passage.size();
      passage += paragraph.sentences[s];
      sentences.push_back({paragraph.title, static_cast<std::int64_t>(s), {begin, passage.size()}});
    }
  }
  return passage;
}

std::size_t sentenceOf(const ReviewExample& example, const std::string& title, std::int64_t sentence) {
  const auto found =
      std::find_if(example.sentences.begin(), example.sentences.end(),
                   [&](const ReviewSentence& one) { return one.sentence == sentence && one.title == title; });
  return static_cast<std::size_t>(found - example.sentences.begin());
}

// Every place of the answer in a supporting sentence.
void markSupported(ReviewExample& example, const std::string& answer) {
  if (answer.empty()) return;
  for (const std::size_t fact : example.evidence) {
    const TextSpan& in = example.sentences[fact].span;
    for (std::size_t at = example.texts.front().find(answer, in.begin); at < in.end;
         at = example.texts.front().find(answer, at + 1))
      if (at + answer.size() <= in.end) example.marks.push_back({at, at + answer.size()});
  }
}

HotpotScore officialScore(const ReviewExample& example, const ReviewOutput& output) {
  const auto facts = [&](const std::vector<std::size_t>& places) {
    std::vector<SupportingFact> list;
    for (const std::size_t at : places)
      list.push_back({example.sentences[at].title, example.sentences[at].sentence});
    return list;
  };
  if (!output.given) return {};
  std::vector<SupportingFact> own = facts(output.evidence);
  for (int k = 0; k < output.strangeEvidence; ++k) own.push_back({"", -1 - k});  // of no passage
  return hotpotScore({example.references.front(), facts(example.evidence)}, output.text, own);
}

// Paragraphs as one passage; a supporting fact that is nowhere in it has an empty span and counts all the
// same.
Result<ReviewGold> readSupportedGold(const std::string& path, bool skipBad) {
  ReviewGold gold;
  gold.texts = {{"context", Phrase::tr("Passage")},
                {"question", Phrase::tr("Question")},
                {"title", Phrase::tr("Article")}};
  std::size_t lost = 0;
  const auto take = [&](const Json& json, const std::string& place) -> Status {
    FATHOM_TRY(const HotpotRecord record, hotpotRecord(json, place));
    ReviewExample example;
    example.id = record.id;
    example.texts = {passageOf(record, example.sentences), record.question, std::string()};
    example.references = {record.answer};
    example.normalized = {normalizeAnswer(record.answer)};
    for (const SupportingFact& fact : record.facts) {
      const std::size_t at = sentenceOf(example, fact.title, fact.sentence);
      if (at == example.sentences.size()) {  // it counts, though it stands nowhere
        example.sentences.push_back({fact.title, fact.sentence, {}});
        ++lost;
      }
      example.evidence.push_back(at);
    }
    markSupported(example, record.answer);
    gold.examples.push_back(std::move(example));
    return {};
  };
  FATHOM_TRY(const RecordFile read, readRecordFile({path, skipBad}, take));
  noteBadGold(gold, {static_cast<std::size_t>(read.left), Phrase::words(read.firstLeft)});
  if (lost > 0)
    gold.notes.push_back(Phrase::tr("%1 supporting facts are no sentence of their passage")(lost));
  return gold;
}

bool holdsSupportedAnswers(std::string_view head) {
  return head.find("\"supporting_facts\"") != std::string_view::npos &&
         head.find("\"_id\"") != std::string_view::npos;
}

void takeEvidence(const ReviewExample& example, const ImportedPrediction& read, ReviewOutput& output) {
  for (const auto& [title, sentence] : read.facts) {
    const std::size_t at = sentenceOf(example, title, sentence);
    if (at < example.sentences.size())
      output.evidence.push_back(at);
    else
      ++output.strangeEvidence;
  }
}

SupportedScore supportedScore(const ReviewExample& example, const ReviewOutput& output) {
  const HotpotScore score = officialScore(example, output);
  return {score.answer.exact, score.answer.f1, score.facts.f1};
}

std::vector<ReviewScore> scoresOfSupported(const ReviewGold& gold, const ReviewModel& model) {
  std::vector<HotpotScore> each;
  for (std::size_t i = 0; i < gold.examples.size(); ++i)
    each.push_back(officialScore(gold.examples[i], model.outputs[i]));
  const HotpotScore mean = meanHotpotScore(each);
  const auto score = [](const char* id, const Phrase& title, double share) {
    return ReviewScore{id, title, 100 * share, 3};
  };
  return {score("exact", Phrase::tr("exact match, %"), mean.answer.exact),
          score("f1", Phrase::tr("F1, %"), mean.answer.f1),
          score("facts_exact", Phrase::tr("exact match of supporting facts, %"), mean.facts.exact),
          score("facts_f1", Phrase::tr("F1 of supporting facts, %"), mean.facts.f1),
          score("joint_exact", Phrase::tr("joint exact match, %"), mean.joint.exact),
          score("joint_f1", Phrase::tr("joint F1, %"), mean.joint.f1)};
}

}  // namespace

GoldLayout supportedSpansEntry() {
  return {.kind = "span",
          .holds = holdsSupportedAnswers,
          .read = readSupportedGold,
          .takeEvidence = takeEvidence,
          .score = supportedScore,
          .scores = scoresOfSupported};
}

}  // namespace fathom
