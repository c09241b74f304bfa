// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/nq_report.h"

#include "core/base/text/number_text.h"
#include "core/tasks/encoded_text_task.h"

namespace fathom {

namespace {

Json rangeJson(const WordRange& range) {
  return Json{range.first, range.second};
}
WordRange rangeFrom(const Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>()};
}

// The measured curve of thresholds, thinned out.
Json curveJson(const std::vector<std::array<double, 4>>& curve) {
  constexpr std::size_t kMostPoints = 20;
  const std::size_t step = std::max<std::size_t>(1, curve.size() / kMostPoints);
  Json list = Json::array();
  for (std::size_t i = 0; i < curve.size(); i += step)
    list.push_back({jsonReal(curve[i][0]), curve[i][1], curve[i][2], curve[i][3]});
  return list;
}

TaskScore nqTaskScore(const char* id, const char* title, const NqScore& score) {
  TaskScore one;
  one.id = id;
  one.title = title;
  one.value = 100 * score.f1;
  one.details = {{"precision", score.precision},
                 {"recall", score.recall},
                 {"threshold", score.threshold ? jsonReal(*score.threshold) : Json()},
                 {"gold", score.gold},
                 {"curve", curveJson(score.curve)}};
  return one;
}

Json spanEntry(const WordRange& range) {
  return {{"start_byte", -1}, {"end_byte", -1}, {"start_token", range.first}, {"end_token", range.second}};
}

}  // namespace

Json nqAnswerJson(const NqPrediction& prediction) {
  Json shorts = Json::array();
  for (const WordRange& range : prediction.answer.shortAnswers) shorts.push_back(rangeJson(range));
  return {{"long", prediction.answer.longAnswer ? rangeJson(*prediction.answer.longAnswer) : Json()},
          {"long_score", jsonReal(prediction.longScore)},
          {"short", std::move(shorts)},
          {"short_score", jsonReal(prediction.shortScore)},
          {"yes_no", prediction.answer.yesNo}};
}

NqPrediction nqAnswerFrom(const Json& details) {
  NqPrediction prediction;
  if (!details.at("long").is_null()) prediction.answer.longAnswer = rangeFrom(details.at("long"));
  for (const Json& range : details.at("short")) prediction.answer.shortAnswers.push_back(rangeFrom(range));
  prediction.answer.yesNo = details.at("yes_no").get<std::string>();
  prediction.longScore = realFromJson(details.at("long_score")).value();
  prediction.shortScore = realFromJson(details.at("short_score")).value();
  return prediction;
}

std::vector<TaskScore> nqScores(const std::vector<std::vector<NqAnnotation>>& pages,
                                const std::vector<NqPrediction>& predictions) {
  const NqScore longs = nqScore(pages, predictions, false), shorts = nqScore(pages, predictions, true);
  TaskScore average;
  average.id = "average_f1";
  average.title = "Mean of long and short F1 (%)";
  average.value = 50 * (longs.f1 + shorts.f1);
  average.details = {{"pages", pages.size()}};
  return {std::move(average), nqTaskScore("long_f1", "F1 of long answers (%)", longs),
          nqTaskScore("short_f1", "F1 of short answers (%)", shorts)};
}

Metrics nqMetrics() {
  return encodedTextMetrics(
      {{"valid.average_f1", "validation F1, mean of long and short answers", "F1, long and short", "%",
        kHigherIsBetter, 1, 2},
       {"valid.long_f1", "validation F1 of long answers", "F1, long", "%", kHigherIsBetter, 7, 2},
       {"valid.short_f1", "validation F1 of short answers", "F1, short", "%", kHigherIsBetter, 0, 2}});
}

Json nqSubmissionEntry(const std::string& id, const NqPrediction& prediction) {
  const WordRange none{-1, -1};
  Json shorts = Json::array();
  for (const WordRange& range : prediction.answer.shortAnswers) shorts.push_back(spanEntry(range));
  const auto number = numberFrom<std::int64_t>(id);
  return {{"example_id", number ? Json(*number) : Json(id)},
          {"long_answer", spanEntry(prediction.answer.longAnswer.value_or(none))},
          {"long_answer_score", jsonReal(prediction.longScore)},
          {"short_answers", std::move(shorts)},
          {"short_answers_score", jsonReal(prediction.shortScore)},
          {"yes_no_answer", prediction.answer.yesNo}};
}

}  // namespace fathom
