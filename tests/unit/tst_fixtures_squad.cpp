// SPDX-License-Identifier: Apache-2.0
// Windows, answers and scores of SQuAD against values computed elsewhere.
#include <QTest>
#include <cmath>

#include "core/tasks/squad/squad_decoding.h"
#include "core/text/answers/answer_score.h"
#include "core/text/answers/answer_text.h"
#include "tests/unit/support_reading_case.h"

using namespace fathom;
using namespace fathom::golden;

namespace {

// Passages, questions and their windows as the squad cases give them.
struct PassageCase {
  TextEncoding encoding;
  SquadLayout layout;
  std::vector<SquadPassage> passages;
  explicit PassageCase(const Json& config) : encoding(wordPieces(config.at("vocabulary"))) {
    layout.maxLength = config.value("max_length", layout.maxLength);
    layout.stride = config.value("stride", layout.stride);
    layout.maxQuery = config.value("max_query", layout.maxQuery);
    for (const Json& context : config.at("contexts"))
      passages.push_back(makeSquadPassage(context.get<std::string>(), encoding));
  }
  static SquadQuestion question(const Json& json) {
    SquadQuestion made;
    made.id = json.at("id").get<std::string>();
    made.question = json.at("question").get<std::string>();
    made.passage = json.at("context").get<std::int64_t>();
    const Json answer = json.value("answer", Json());
    made.impossible = json.value("impossible", false) || answer.is_null();
    if (!made.impossible)
      made.answers.push_back({answer.get<std::string>(), json.at("answer_start").get<std::int64_t>()});
    return made;
  }
};

std::vector<AnsweredQuestion> answered(const Json& config) {
  std::vector<AnsweredQuestion> questions;
  for (const Json& json : config.at("questions")) {
    AnsweredQuestion one;
    one.id = json.at("id").get<std::string>();
    one.gold = json.at("golds").get<std::vector<std::string>>();
    if (config.at("predictions").contains(one.id))
      one.prediction = config.at("predictions").at(one.id).get<std::string>();
    if (config.contains("no_answer")) one.noAnswer = config.at("no_answer").at(one.id).get<double>();
    questions.push_back(std::move(one));
  }
  return questions;
}

}  // namespace

class FixturesSquadTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"squad"}); !why.empty()) QSKIP(why.c_str());
  }

  void words() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_words");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const PassageCase made(one.json.at("config"));
    for (std::size_t i = 0; i < made.passages.size(); ++i) {
      std::vector<std::string> own;
      for (std::size_t w = 0; w < made.passages[i].words.size(); ++w)
        own.emplace_back(made.passages[i].word(w));
      QCOMPARE(own, one.json.at("expected").at("words")[i].get<std::vector<std::string>>());
    }
    const Json& questions = one.json.at("config").at("questions");
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Json& expected = one.json.at("expected").at("examples")[i];
      const SquadQuestion question = PassageCase::question(questions[i]);
      const SquadSpan span =
          findSquadSpan(question, made.passages[static_cast<std::size_t>(question.passage)], made.encoding);
      QCOMPARE(span.firstWord, expected.at("words")[0].get<std::int64_t>());
      QCOMPARE(span.lastWord, expected.at("words")[1].get<std::int64_t>());
      QCOMPARE(span.trained(), expected.at("used_in_training").get<bool>());
    }
  }

  void windows() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_features");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const PassageCase made(one.json.at("config"));
    const Json& questions = one.json.at("config").at("questions");
    for (std::size_t i = 0; i < questions.size(); ++i)
      checkWindows(made, PassageCase::question(questions[i]), one.json.at("expected").at("examples")[i]);
  }

  void decoding_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("1.1") << "squad_decode_v1";
    QTest::newRow("2.0") << "squad_decode_v2";
  }

  void decoding() {
    QFETCH(const QString, name);
    const auto found = caseNamed(golden::casesOf("squad"), name.toStdString());
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const Json& config = one.json.at("config");
    const PassageCase made(config);
    SquadDecoding how{config.at("version_2").get<bool>(), config.at("n_best").get<std::int64_t>(),
                      config.at("max_answer").get<std::int64_t>(), 0};
    const std::vector<double> starts = one.tensor("input.start_logits"),
                              ends = one.tensor("input.end_logits");
    const auto width = static_cast<std::size_t>(one.shape("input.start_logits").at(1));
    for (const Json& expected : one.json.at("expected").at("examples")) {
      const Json* context = nullptr;
      SquadRows rows;
      std::vector<SquadWindowScores> scores;
      for (std::size_t w = 0; w < config.at("windows").size(); ++w) {
        const Json& window = config.at("windows")[w];
        if (window.at("id") != expected.at("id")) continue;
        context = &window;
        rows.windows.push_back(
            {window.at("start").get<std::int64_t>(), window.at("length").get<std::int64_t>()});
        scores.push_back(squadWindowScores({starts.data() + w * width, width},
                                           {ends.data() + w * width, width}, how.nBest));
      }
      QVERIFY(context != nullptr);
      const SquadPassage& passage = passageOf(made, *context, rows);
      checkDecoded(how, rows, scores, passage, made.encoding, expected);
    }
  }

  void recovery() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_text_recovery");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    for (const char* list : {"rows", "cased"}) {
      for (const Json& row : one.json.at("expected").at(list))
        QCOMPARE(recoveredText(row.at("predicted").get<std::string>(), row.at("original").get<std::string>(),
                               std::string(list) == "rows"),
                 row.at("text").get<std::string>());
    }
  }

  void normalising() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_normalise");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    for (const Json& row : one.json.at("expected").at("rows"))
      QCOMPARE(normalizeAnswer(row.at("text").get<std::string>()), row.at("normalised").get<std::string>());
  }

  void scoresOfVersion1() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_score_v1");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const auto questions = answered(one.json.at("config"));
    const AnswerEvaluation own = evaluateAnswers(questions, AnswerRules::Answerable);
    checkEach(one, questions, own, one.json.at("expected").at("per_question"));
    QVERIFY(near(own.all.exact, one.json.at("expected").at("exact"), 1e-12, 1e-12));
    QVERIFY(near(own.all.f1, one.json.at("expected").at("f1"), 1e-12, 1e-12));
  }

  void scoresOfVersion2() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_score_v2");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const auto questions = answered(one.json.at("config"));
    checkEach(one, questions, evaluateAnswers(questions, AnswerRules::Unanswerable),
              one.json.at("expected").at("raw"));
    for (const auto& [threshold, expected] : one.json.at("expected").at("at_threshold").items()) {
      const AnswerEvaluation own =
          evaluateAnswers(questions, AnswerRules::Unanswerable, std::stod(threshold));
      const std::map<std::string, double> values = {
          {"exact", own.all.exact},
          {"f1", own.all.f1},
          {"total", static_cast<double>(own.all.total)},
          {"HasAns_exact", own.answerable.exact},
          {"HasAns_f1", own.answerable.f1},
          {"HasAns_total", static_cast<double>(own.answerable.total)},
          {"NoAns_exact", own.unanswerable.exact},
          {"NoAns_f1", own.unanswerable.f1},
          {"NoAns_total", static_cast<double>(own.unanswerable.total)}};
      for (const auto& [name, value] : expected.items())
        QVERIFY2(near(values.at(name), value, 1e-12, 1e-12), (threshold + " " + name).c_str());
    }
  }

  void thresholds() {
    const auto found = caseNamed(golden::casesOf("squad"), "squad_best_threshold");
    if (!found) QSKIP(kAbsentCase);
    const golden::Case& one = *found;
    const auto questions = answered(one.json.at("config"));
    const AnswerThresholds own =
        bestAnswerThresholds(questions, evaluateAnswers(questions, AnswerRules::Unanswerable).each);
    const Json& expected = one.json.at("expected");
    const auto check = [](const AnswerThreshold& mine, const Json& theirs) {
      QVERIFY(near(mine.score, theirs.at("score"), 1e-12, 1e-12));
      QCOMPARE(mine.threshold, theirs.at("threshold").get<double>());
    };
    check(own.exact, expected.at("exact"));
    check(own.f1, expected.at("f1"));
    check(own.reachableExact, expected.at("by_trying_every_threshold").at("exact"));
    check(own.reachableF1, expected.at("by_trying_every_threshold").at("f1"));
  }

  // Last: every array of the cases that need no torch was looked at.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays("squad", [](const Json& json) {
      return json.at("case").get<std::string>().starts_with("squad_decode");
    });
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  // The passage of a window, and the question's pieces from its ids.
  static const SquadPassage& passageOf(const PassageCase& made, const Json& window, SquadRows& rows) {
    const auto ids = window.at("ids").get<std::vector<std::int32_t>>();
    for (std::size_t i = 1; ids[i] != made.encoding.sep(); ++i) rows.query.push_back(ids[i]);
    for (const SquadPassage& passage : made.passages) {
      const SquadWindow own{window.at("start").get<std::int64_t>(), window.at("length").get<std::int64_t>()};
      if (own.start + own.length > static_cast<std::int64_t>(passage.pieces.size())) continue;
      if (differs(squadRow(rows, own, passage, made.encoding), window, made.encoding.pad()).empty())
        return passage;
    }
    throw Failure(dataError("no passage fits the window"));
  }

  static void checkWindows(const PassageCase& made, const SquadQuestion& question, const Json& expected) {
    const SquadPassage& passage = made.passages[static_cast<std::size_t>(question.passage)];
    const SquadRows rows = squadRows(question.question, passage, made.layout, made.encoding);
    const SquadSpan span = findSquadSpan(question, passage, made.encoding);
    const auto best = bestWindows(rows.windows, static_cast<std::int64_t>(passage.pieces.size()));
    QCOMPARE(span.trained(), expected.at("used_in_training").get<bool>());
    QCOMPARE(rows.windows.size(), expected.at("windows").size());
    const std::int64_t offset = squadOffset(rows, made.encoding);
    for (std::size_t w = 0; w < rows.windows.size(); ++w) {
      const Json& window = expected.at("windows")[w];
      const SquadWindow& own = rows.windows[w];
      QCOMPARE(own.start, window.at("start").get<std::int64_t>());
      QCOMPARE(own.length, window.at("length").get<std::int64_t>());
      const TextRow row = squadRow(rows, own, passage, made.encoding);
      const std::string wrong = differs(row, window, made.encoding.pad());
      QVERIFY2(wrong.empty(), (question.id + " window " + std::to_string(w) + ": " + wrong).c_str());
      for (std::size_t place = 0; place < window.at("word").size(); ++place) {
        const std::int64_t piece = static_cast<std::int64_t>(place) - offset;
        const bool inside = piece >= 0 && piece < own.length;
        const auto at = static_cast<std::size_t>(own.start + piece);
        QCOMPARE(inside ? passage.wordOfPiece[at] : -1, window.at("word")[place].get<int>());
        QCOMPARE(inside && best[at] == static_cast<std::int32_t>(w) ? 1 : 0,
                 window.at("max_context")[place].get<int>());
      }
      if (!window.contains("target")) continue;
      const SquadTarget target = squadTarget(span, own, offset);
      QCOMPARE(target.start, window.at("target")[0].get<std::int64_t>());
      QCOMPARE(target.end, window.at("target")[1].get<std::int64_t>());
    }
  }

  static void checkDecoded(SquadDecoding how, const SquadRows& rows,
                           const std::vector<SquadWindowScores>& scores, const SquadPassage& passage,
                           const TextEncoding& encoding, const Json& expected) {
    const SquadDecoded own = decodeSquad(rows, scores, passage, how, encoding);
    QCOMPARE(own.nBest.size(), expected.at("n_best").size());
    for (std::size_t i = 0; i < own.nBest.size(); ++i) {
      const Json& guess = expected.at("n_best")[i];
      QCOMPARE(own.nBest[i].text, guess.at("text").get<std::string>());
      QCOMPARE(own.nBest[i].startLogit, guess.at("start_logit").get<double>());
      QCOMPARE(own.nBest[i].endLogit, guess.at("end_logit").get<double>());
      QVERIFY(near(own.nBest[i].probability, guess.at("probability"), 1e-12, 1e-12));
    }
    if (expected.contains("answer")) QCOMPARE(own.text, expected.at("answer").get<std::string>());
    if (!how.version2) return;
    QVERIFY(near(own.nullScore, expected.at("null_score"), 1e-12, 1e-12));
    QCOMPARE(own.nullDifference.has_value(), !expected.at("null_difference").is_null());
    if (own.nullDifference) QVERIFY(near(*own.nullDifference, expected.at("null_difference"), 1e-12, 1e-12));
    QCOMPARE(own.best.has_value(), !expected.at("best_non_null").is_null());
    if (own.best) QCOMPARE(own.nBest[*own.best].text, expected.at("best_non_null").get<std::string>());
    for (const auto& [threshold, text] : expected.at("answers").items()) {
      how.threshold = std::stod(threshold);
      QCOMPARE(decodeSquad(rows, scores, passage, how, encoding).text, text.get<std::string>());
    }
  }

  static void checkEach(const golden::Case& one, const std::vector<AnsweredQuestion>& questions,
                        const AnswerEvaluation& own, const Json& expected) {
    const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
    QCOMPARE(questions.size(), expected.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Json& score = expected.at(questions[i].id);
      QVERIFY2(near(own.each[i].exact, score.at("exact"), abs, rel), questions[i].id.c_str());
      QVERIFY2(near(own.each[i].f1, score.at("f1"), abs, rel), questions[i].id.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(FixturesSquadTest)
#include "tst_fixtures_squad.moc"
