// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <map>

#include "core/text/answers/answer_match.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

bool nearScore(double a, double b) {
  return std::abs(a - b) <= 1e-12 + 1e-12 * std::abs(b);
}

struct AnswerSums {
  double exact = 0;
  double f1 = 0;
  int total = 0;

  void add(const AnswerScore& score) {
    exact += score.exact;
    f1 += score.f1;
    ++total;
  }
};

void checkNormalised(const Json& rows) {
  QVERIFY(!rows.empty());
  for (const Json& row : rows)
    QCOMPARE(normalizeAnswer(row.at("text").get<std::string>()), row.at("normalised").get<std::string>());
}

// Per question as the case states it; the rules are those of the version.
std::map<std::string, AnswerScore> checkQuestions(const Json& config, const Json& expected,
                                                  AnswerRules rules) {
  std::map<std::string, AnswerScore> scores;
  const Json& predictions = config.at("predictions");
  for (const Json& question : config.at("questions")) {
    const std::string id = question.at("id").get<std::string>();
    AnswerScore score;
    if (predictions.contains(id))
      score = bestAnswerScore(predictions.at(id).get<std::string>(),
                              question.at("golds").get<std::vector<std::string>>(), rules);
    const bool same = nearScore(score.exact, expected.at(id).at("exact").get<double>()) &&
                      nearScore(score.f1, expected.at(id).at("f1").get<double>());
    if (!same) QTest::qFail(("question " + id).c_str(), __FILE__, __LINE__);
    scores[id] = score;
  }
  return scores;
}

void checkFirstVersion(const Json& config, const Json& expected) {
  AnswerSums sums;
  for (const auto& [id, score] : checkQuestions(config, expected.at("per_question"), AnswerRules::Answerable))
    sums.add(score);
  QVERIFY(nearScore(100 * sums.exact / sums.total, expected.at("exact").get<double>()));
  QVERIFY(nearScore(100 * sums.f1 / sums.total, expected.at("f1").get<double>()));
}

}  // namespace

class AnswerMatchFixturesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"squad"}); !why.empty()) QSKIP(why.c_str());
  }

  void everyCase() {
    int checked = 0;
    for (const auto& one : fixtures::cases("squad")) {
      const Json json = fixtures::readJson(one.file(".json"));
      const Json expected = json.value("expected", Json::object());
      const std::string name = json.at("case").get<std::string>();
      if (name == "squad_normalise")
        checkNormalised(expected.at("rows"));
      else if (name == "squad_score_v1")
        checkFirstVersion(json.at("config"), expected);
      else if (name == "squad_score_v2")
        checkQuestions(json.at("config"), expected.at("raw"), AnswerRules::Unanswerable);
      else
        continue;
      ++checked;
    }
    QVERIFY(checked > 0);
  }

  // EM and F1 of two published systems on questions of SQuAD 1.1, as the data set states them.
  void publishedSystems() {
    const std::string folder = fixtures::dataPath("squad_v1.1_xquad_en");
    if (folder.empty()) QSKIP("no data");
    const Json gold = fixtures::readJson(folder + "/dev.json");
    int systems = 0;
    const auto table = fixtures::readLines(folder + "/expected_scores.dev.tsv");
    for (std::size_t row = 1; row < table.size(); ++row) {
      const QStringList columns = QString::fromStdString(table[row]).split(QLatin1Char('\t'));
      const Json predictions =
          fixtures::readJson(folder + "/pred.dev." + columns.at(0).toStdString() + ".json");
      AnswerSums sums;
      for (const Json& article : gold.at("data"))
        for (const Json& paragraph : article.at("paragraphs"))
          for (const Json& question : paragraph.at("qas")) {
            std::vector<std::string> texts;
            for (const Json& answer : question.at("answers"))
              texts.push_back(answer.at("text").get<std::string>());
            const auto found = predictions.find(question.at("id").get<std::string>());
            sums.add(found == predictions.end()
                         ? AnswerScore{}
                         : bestAnswerScore(found->get<std::string>(), texts, AnswerRules::Answerable));
          }
      qInfo("%s: EM %.3f F1 %.3f of %d", qPrintable(columns.at(0)), 100 * sums.exact / sums.total,
            100 * sums.f1 / sums.total, sums.total);
      QCOMPARE(QString::number(100 * sums.exact / sums.total, 'f', 3), columns.at(columns.size() - 2));
      QCOMPARE(QString::number(100 * sums.f1 / sums.total, 'f', 3), columns.at(columns.size() - 1));
      ++systems;
    }
    QCOMPARE(systems, 2);
  }
};

QTEST_APPLESS_MAIN(AnswerMatchFixturesTest)
#include "tst_fixtures_answer_match.moc"
