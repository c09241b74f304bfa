// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_report.h"

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/tasks/length_statistics.h"
#include "core/text/answers/answer_score.h"

namespace fathom {

namespace {

TaskScore squadScore(const char* id, const char* title, double value, Json details = Json::object()) {
  return {id, title, value, std::move(details)};
}

void addThresholds(std::vector<TaskScore>& scores, const AnswerThresholds& best) {
  scores.push_back(squadScore("best_exact", "Exact match, best threshold (%)", best.exact.score,
                              {{"threshold", best.exact.threshold},
                               {"reachable", best.reachableExact.score},
                               {"reachable_threshold", best.reachableExact.threshold}}));
  scores.push_back(squadScore("best_f1", "F1, best threshold (%)", best.f1.score,
                              {{"threshold", best.f1.threshold},
                               {"reachable", best.reachableF1.score},
                               {"reachable_threshold", best.reachableF1.threshold}}));
}

}  // namespace

std::vector<TaskScore> squadScores(const SquadPart& part, const std::vector<std::int64_t>& questions,
                                   const std::vector<const Prediction*>& predictions, bool version2) {
  std::vector<AnsweredQuestion> answered;
  bool windows = false;  // a training part: its examples are windows
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const SquadQuestion& question = part.file.questions[static_cast<std::size_t>(questions[i])];
    AnsweredQuestion one{question.id, {}, predictions[i]->text, 0};
    for (const SquadAnswer& answer : question.answers) one.gold.push_back(answer.text);
    if (version2 && predictions[i]->details.contains("null_difference"))
      one.noAnswer = realFromJson(predictions[i]->details.at("null_difference")).value();
    answered.push_back(std::move(one));
    windows = windows || !part.trained.empty();
  }
  const AnswerRules rules = version2 ? AnswerRules::Unanswerable : AnswerRules::Answerable;
  const AnswerEvaluation all = evaluateAnswers(answered, rules);
  std::vector<TaskScore> scores = {
      squadScore("f1", "F1 (%)", all.all.f1, {{"questions", all.all.total}, {"windows", windows}}),
      squadScore("exact", "Exact match (%)", all.all.exact, {{"questions", all.all.total}})};
  if (!version2) return scores;
  if (all.answerable.total > 0) {
    scores.push_back(squadScore("has_answer_f1", "F1, answerable (%)", all.answerable.f1));
    scores.push_back(squadScore("has_answer_exact", "Exact match, answerable (%)", all.answerable.exact));
  }
  if (all.unanswerable.total > 0)
    scores.push_back(squadScore("no_answer_exact", "Exact match, unanswerable (%)", all.unanswerable.exact));
  addThresholds(scores, bestAnswerThresholds(answered, all.each));
  return scores;
}

Metrics squadMetrics() {
  return encodedTextMetrics(
      {{"valid.f1", "validation F1", "F1", "%", kHigherIsBetter, 1, 2},
       {"valid.exact", "validation exact match of answers", "EM", "%", kHigherIsBetter, 7, 2},
       {"valid.has_answer_f1", "validation F1, answerable", "F1, answerable", "%", kHigherIsBetter, 0, 2},
       {"valid.has_answer_exact", "validation exact match, answerable", "EM, answerable", "%",
        kHigherIsBetter, 0, 2},
       {"valid.no_answer_exact", "validation exact match, unanswerable", "EM, unanswerable", "%",
        kHigherIsBetter, 0, 2},
       {"valid.best_exact", "validation exact match, best threshold", "EM, best threshold", "%",
        kHigherIsBetter, 0, 2},
       {"valid.best_f1", "validation F1, best threshold", "F1, best threshold", "%", kHigherIsBetter, 0, 2}});
}

std::vector<ResultLine> squadResultLines(const Json& options) {
  const std::string version = options.value("squad.version", "1.1");
  const int place = version == "2.0" ? 2 : 0;
  return {{"v" + version, "SQuAD " + version + " F1", "valid.f1", place},
          {"v" + version, "SQuAD " + version + " EM", "valid.exact", place + 1}};
}

std::vector<StatisticField> squadStatistics() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "questions", "Questions"},
          {Kind::Number, "passages", "Passages"},
          {Kind::Number, "examples", "Examples used"},
          {Kind::Number, "windows", "Windows"},
          {Kind::Number, "impossible", "Questions without an answer"},
          {Kind::Number, "not_found", "Answers not found again"},
          {Kind::Number, "wrong_start", "Answers with a wrong place"},
          {Kind::Number, "empty_answers", "Empty answers"},
          {Kind::Number, "empty_questions", "Empty questions"},
          {Kind::Number, "cut_questions", "Questions that were cut"},
          {Kind::Number, "left_out", "Questions left out"},
          {Kind::Number, "pieces.mean", "Mean passage (pieces)", 1, 1},
          {Kind::Number, "pieces.longest", "Longest passage"},
          {Kind::Lengths, "pieces", "Lengths of passages"}};
}

std::vector<std::string> squadOddities(const SquadPart& part) {
  using Fate = SquadSpan::Fate;
  std::vector<std::string> notes;
  for (const auto& [fate, what] : {std::pair{Fate::NotFound, "answers are not found again in their passage"},
                                   std::pair{Fate::WrongStart, "answers begin outside of their passage"},
                                   std::pair{Fate::Empty, "answers are empty"}}) {
    std::int64_t count = 0;
    std::string first;
    for (std::size_t q = 0; q < part.spans.size(); ++q) {
      if (part.spans[q].fate != fate) continue;
      if (count++ == 0) first = part.file.questions[q].id;
    }
    if (count > 0)
      notes.push_back(std::to_string(count) + " " + what + " (first: question \"" + first + "\")");
  }
  return notes;
}

Json squadStatisticsOf(const SquadPart& part, const TextEncoding&) {
  using Fate = SquadSpan::Fate;
  std::int64_t windows = 0, cut = 0;
  std::map<Fate, std::int64_t> fates;
  for (const SquadRows& rows : part.rows) {
    windows += static_cast<std::int64_t>(rows.windows.size());
    cut += rows.cutQuery ? 1 : 0;
  }
  for (const SquadSpan& span : part.spans) ++fates[span.fate];
  std::vector<std::int32_t> lengths;
  for (const SquadPassage& passage : part.passages)
    if (!passage.text.empty()) lengths.push_back(static_cast<std::int32_t>(passage.pieces.size()));
  const auto questions = static_cast<std::int64_t>(part.file.questions.size());
  return {{"questions", questions},
          {"passages", lengths.size()},
          {"examples", part.trained.empty() ? questions : static_cast<std::int64_t>(part.trained.size())},
          {"windows", windows},
          {"impossible", fates[Fate::Impossible]},
          {"not_found", fates[Fate::NotFound]},
          {"wrong_start", fates[Fate::WrongStart]},
          {"empty_answers", fates[Fate::Empty]},
          {"empty_questions", std::count_if(part.file.questions.begin(), part.file.questions.end(),
                                            [](const auto& one) { return strip(one.question).empty(); })},
          {"cut_questions", cut},
          {"left_out", part.file.left},
          {"pieces", lengthStatisticsJson(lengthStatistics(lengths))}};
}

}  // namespace fathom
