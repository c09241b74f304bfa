// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/hotpotqa/hotpotqa_report.h"

#include <algorithm>

#include "core/tasks/hotpotqa/hotpotqa_scores.h"
#include "core/tasks/long_text/markup_words.h"

namespace fathom {

namespace {

TaskScore hotpotqaScore(const char* id, const char* title, double share, Json details = Json::object()) {
  return {id, title, 100 * share, std::move(details)};
}

Json precisionAndRecall(const HotpotScore::Part& part) {
  return {{"precision", 100 * part.precision}, {"recall", 100 * part.recall}};
}

}  // namespace

Json factsJson(const std::vector<SupportingFact>& facts) {
  Json list = Json::array();
  for (const SupportingFact& fact : facts) list.push_back({fact.title, fact.sentence});
  return list;
}

std::vector<SupportingFact> factsIn(const Json& list) {
  std::vector<SupportingFact> facts;
  for (const Json& one : list) facts.push_back({one.at(0).get<std::string>(), one.at(1).get<std::int64_t>()});
  return facts;
}

std::vector<TaskScore> hotpotqaScores(const std::vector<HotpotRecord>& records,
                                      const std::vector<const Prediction*>& predictions) {
  std::vector<HotpotScore> each;
  for (std::size_t i = 0; i < predictions.size(); ++i)
    each.push_back(hotpotScore({records[i].answer, records[i].facts}, predictions[i]->text,
                               factsIn(predictions[i]->details.at("facts"))));
  const HotpotScore mean = meanHotpotScore(each);
  return {
      hotpotqaScore("joint_f1", "Joint F1 (%)", mean.joint.f1, precisionAndRecall(mean.joint)),
      hotpotqaScore("joint_exact", "Joint exact match (%)", mean.joint.exact, {{"questions", each.size()}}),
      hotpotqaScore("answer_f1", "Answer F1 (%)", mean.answer.f1, precisionAndRecall(mean.answer)),
      hotpotqaScore("answer_exact", "Answer exact match (%)", mean.answer.exact),
      hotpotqaScore("facts_f1", "Supporting facts F1 (%)", mean.facts.f1, precisionAndRecall(mean.facts)),
      hotpotqaScore("facts_exact", "Supporting facts exact match (%)", mean.facts.exact)};
}

Metrics hotpotqaMetrics() {
  constexpr const char* kExample = "per example";
  return encodedTextMetrics(
      {{"facts_nll", "training nll of supporting facts", "", kExample, kLowerIsBetter, 0, 3},
       {"type_nll", "training nll of kinds of answers", "", kExample, kLowerIsBetter, 0, 3},
       {"span_nll", "training nll of ends of answers", "", kExample, kLowerIsBetter, 0, 3},
       {"valid.facts_nll", "validation nll of supporting facts", "", kExample, kLowerIsBetter, 0, 3},
       {"valid.type_nll", "validation nll of kinds of answers", "", kExample, kLowerIsBetter, 0, 3},
       {"valid.span_nll", "validation nll of ends of answers", "", kExample, kLowerIsBetter, 0, 3},
       {"valid.joint_f1", "validation joint F1", "joint F1", "%", kHigherIsBetter, 1, 2},
       {"valid.joint_exact", "validation joint exact match", "joint EM", "%", kHigherIsBetter, 0, 2},
       {"valid.answer_f1", "validation answer F1", "answer F1", "%", kHigherIsBetter, 0, 2},
       {"valid.answer_exact", "validation answer exact match", "answer EM", "%", kHigherIsBetter, 0, 2},
       {"valid.facts_f1", "validation supporting facts F1", "facts F1", "%", kHigherIsBetter, 0, 2},
       {"valid.facts_exact", "validation supporting facts exact match", "facts EM", "%", kHigherIsBetter, 0,
        2}});
}

std::vector<StatisticField> hotpotqaStatistics() {
  using Kind = StatisticField::Kind;
  std::vector<StatisticField> fields = {
      {Kind::Number, "questions", "Questions"},
      {Kind::Number, "examples", "Examples used"},
      {Kind::Number, "left_out", "Records left out"},
      {Kind::Number, "paragraphs", "Mean paragraphs", 1, 1},
      {Kind::Number, "sentences", "Mean sentences", 1, 1},
      {Kind::Number, "no_sentences", "Paragraphs without a sentence"},
      {Kind::Number, "leftovers", "Words that look like HTML"},
      {Kind::Number, "no_span", "Answers that are in no supporting fact"},
      {Kind::Number, "no_support", "Questions without a supporting fact in the input"},
      {Kind::Number, "lost_facts", "Supporting facts that are nowhere"},
      {Kind::Number, "cut", "Questions with texts that did not fit"},
      {Kind::Number, "cut_texts", "Titles and sentences left out"},
      {Kind::Counts, "types", "Kinds of answers"}};
  const std::vector<StatisticField> both = longStatisticFields();
  fields.insert(fields.end(), both.begin(), both.end());
  return fields;
}

void countHotpotqa(HotpotqaPart& part, const HotpotRecord& record, const HotpotExample& example) {
  ++part.read;
  part.cut += example.skipped.empty() ? 0 : 1;
  part.cutTexts += static_cast<std::int64_t>(example.skipped.size());
  part.paragraphs += static_cast<std::int64_t>(record.paragraphs.size());
  part.leftovers += markupWords(record.question);
  for (const auto& paragraph : record.paragraphs) {
    part.sentences += static_cast<std::int64_t>(paragraph.sentences.size());
    part.noSentences += paragraph.sentences.empty() ? 1 : 0;
    part.leftovers += markupWords(paragraph.title) + markupWords(paragraph.sentences);
  }
  if (!part.labelled) return;
  ++part.types[static_cast<std::size_t>(example.type)];
  for (const SupportingFact& fact : record.facts) {
    const bool there =
        std::any_of(record.paragraphs.begin(), record.paragraphs.end(), [&](const auto& paragraph) {
          return paragraph.title == fact.title && fact.sentence >= 0 &&
                 fact.sentence < static_cast<std::int64_t>(paragraph.sentences.size());
        });
    part.lostFacts += there ? 0 : 1;
  }
  const bool supported =
      std::find(example.supporting.begin(), example.supporting.end(), 1) != example.supporting.end();
  part.noSupport += supported ? 0 : 1;
  part.noSpan += supported && example.type == HotpotAnswer::Span && example.spans.empty() ? 1 : 0;
}

Json hotpotqaStatisticsOf(const HotpotqaPart& part) {
  const auto read = static_cast<double>(std::max<std::int64_t>(part.read, 1));
  Json json = {{"questions", part.read},
               {"examples", part.records.size()},
               {"paragraphs", static_cast<double>(part.paragraphs) / read},
               {"sentences", static_cast<double>(part.sentences) / read},
               {"cut", part.cut},
               {"cut_texts", part.cutTexts},
               {"no_sentences", part.noSentences},
               {"leftovers", part.leftovers}};
  if (!part.labelled) return json;
  json["no_span"] = part.noSpan;
  json["no_support"] = part.noSupport;
  json["lost_facts"] = part.lostFacts;
  json["types"] = {{"span", part.types[0]}, {"yes", part.types[1]}, {"no", part.types[2]}};
  return json;
}

}  // namespace fathom
