// SPDX-License-Identifier: Apache-2.0
#include "core/engine/bench/bench_squad_score.h"

#include "core/base/numbers/random_stream.h"
#include "core/text/answers/answer_score.h"

namespace fathom {

namespace {

constexpr std::uint64_t kQuestionSeed = 1;
constexpr double kAnswerScoreGap = 1e-12;  // relative: the order of a sum, no more
constexpr double kAlwaysAnswered = 1;
constexpr const char* kAnswerWords[] = {
    "the",   "a",       "An",     "The",    "Bridge",   "of",      "River",    "Warsaw", "1884",
    "in",    "(north)", "Élan",   "São",    "Kenya's",  "café",    "\"Blue\"", "U.S.",   "twenty-five",
    "and",   "Normans", "oxygen", "16th",   "century,", "$3.5",    "million",  "Müller", "parliament",
    "Tesla", "force",   "by",     "theory", "anthem",   "another", "theatre",  "an"};

std::string phrase(RandomStream& random, std::uint64_t words) {
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    if (i > 0) text += ' ';
    text += kAnswerWords[random.below(std::size(kAnswerWords))];
  }
  return text;
}

std::string withoutLastWord(const std::string& text) {
  const std::size_t space = text.rfind(' ');
  return space == std::string::npos ? text : text.substr(0, space);
}

std::string guess(RandomStream& random, const std::vector<std::string>& gold) {
  const std::uint64_t kind = random.below(10);
  if (kind == 0) return {};
  if (gold.empty() || kind == 1) return phrase(random, 1 + random.below(4));
  const std::string& answer = gold[random.below(gold.size())];
  if (kind == 2) return withoutLastWord(answer);
  if (kind == 3) return answer + " " + phrase(random, 1 + random.below(3));
  return answer;
}

std::vector<AnsweredQuestion> makeQuestions(const SquadScoreBench& bench) {
  RandomStream random(kQuestionSeed);
  std::vector<AnsweredQuestion> questions;
  for (std::int64_t i = 0; i < bench.questions; ++i) {
    AnsweredQuestion question;
    question.id = "question " + std::to_string(i);
    if (random.uniform() >= bench.unanswerable) {
      const std::uint64_t references = 1 + random.below(5);
      const std::string first = phrase(random, 1 + random.below(5));
      for (std::uint64_t r = 0; r < references; ++r)
        question.gold.push_back(r == 0 || random.below(2) == 0 ? first : phrase(random, 1 + random.below(5)));
    }
    question.prediction = guess(random, question.gold);
    // Few values, so that some are equal; more of them where there is no answer.
    question.noAnswer = static_cast<double>(random.below(1000) + (question.gold.empty() ? 300 : 0)) / 2000;
    questions.push_back(std::move(question));
  }
  return questions;
}

std::vector<BenchCheck> evaluateQuestions(const std::vector<AnsweredQuestion>& questions) {
  const AnswerEvaluation all = evaluateAnswers(questions, AnswerRules::Unanswerable, kAlwaysAnswered);
  const AnswerThresholds best = bestAnswerThresholds(questions, all.each);
  std::vector<BenchCheck> check = {{"exact", all.all.exact, kAnswerScoreGap},
                                   {"f1", all.all.f1, kAnswerScoreGap},
                                   {"best_exact", best.exact.score, kAnswerScoreGap},
                                   {"best_exact_thresh", best.exact.threshold, kAnswerScoreGap},
                                   {"best_f1", best.f1.score, kAnswerScoreGap},
                                   {"best_f1_thresh", best.f1.threshold, kAnswerScoreGap}};
  if (all.answerable.total > 0) {
    check.push_back({"HasAns_exact", all.answerable.exact, kAnswerScoreGap});
    check.push_back({"HasAns_f1", all.answerable.f1, kAnswerScoreGap});
  }
  if (all.unanswerable.total > 0) check.push_back({"NoAns_exact", all.unanswerable.exact, kAnswerScoreGap});
  return check;
}

Status writeQuestions(const std::vector<AnsweredQuestion>& questions, const std::string& folder) {
  Json list = Json::array();
  for (const AnsweredQuestion& question : questions)
    list.push_back({{"id", question.id},
                    {"gold", question.gold},
                    {"prediction", *question.prediction},
                    {"no_answer", question.noAnswer}});
  return writePeerConfig(folder, Json{{"questions", list}});
}

}  // namespace

Status benchSquadScore(const SquadScoreBench& bench) {
  const std::vector<AnsweredQuestion> questions = makeQuestions(bench);
  PairBench pairs = pairBench("squad-score", "squad_score.py", bench.settings);
  pairs.check = evaluateQuestions(questions);
  pairs.step = [&] { evaluateQuestions(questions); };
  Result<Json> result =
      runPairBench(pairs, [&](const std::string& folder) { return writeQuestions(questions, folder); });
  if (result.ok()) (*result)["questions"] = bench.questions;
  return finishBench(result, 1);
}

}  // namespace fathom
