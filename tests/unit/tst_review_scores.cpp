// SPDX-License-Identifier: Apache-2.0
// Scores of reviews of classes and numbers: against formulas and fixtures; the same answers in any format.
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/correlation.h"
#include "core/review/class_scores.h"
#include "core/review/judgements.h"
#include "core/review/review.h"
#include "support_fixtures.h"
#include "support_npy_bytes.h"
#include "support_review_files.h"

using namespace fathom;
using test::openedReview;
using test::scoreOf;

class ReviewScoresTest : public QObject, private test::ReviewFiles {
  Q_OBJECT
 private Q_SLOTS:
  void classes();
  void classFormatsAreOne();
  void calibration();
  void oneClass();
  void loneLabels();
  void numbers();
  void correlationsOfFixtures();
};

void ReviewScoresTest::classes() {
  ReviewSources sources{"class", classGold()};
  sources.predictions = {
      {"a",
       write("a.tsv", "index\tprediction\n0\tentailment\n1\tentailment\n2\tentailment\n3\tnot_entailment\n")},
      {"b", write("b.txt", "1\n1\n0\n1\n")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.gold.labels, (std::vector<std::string>{"entailment", "not_entailment"}));
  QCOMPARE(review.gold.examples[0].texts, (std::vector<std::string>{"a b", "c"}));
  QCOMPARE(scoreOf(review.models[0], "accuracy"), 75.0);
  QCOMPARE(scoreOf(review.models[1], "accuracy"), 75.0);
  // TP 1, FN 1, FP 0, TN 2 of class 1: 2 / 3; Matthews 2 / sqrt(1 * 2 * 2 * 3), as runs say it times 100
  QVERIFY(std::abs(scoreOf(review.models[0], "f1") - 200.0 / 3) < 1e-9);
  QVERIFY(std::abs(scoreOf(review.models[0], "matthews") - 200 / std::sqrt(12.0)) < 1e-10);
  QVERIFY(std::isnan(scoreOf(review.models[0], "ece")));
  const ClassCounts counts = countClasses(review.gold, review.models[0]);
  QCOMPARE(counts.at(1, 0), 1);
  QCOMPARE(counts.at(0, 0), 2);
  const ReviewPair pair = comparePairs(review).value().front();
  QCOMPARE(pair.onlyFirst, 1);
  QCOMPARE(pair.onlySecond, 1);
  QCOMPARE(pair.p, 1.0);
  QCOMPARE(pair.difference, 0.0);
}

// The same answers in any format are one prediction set; unknown ids and missing ones are said and counted.
void ReviewScoresTest::classFormatsAreOne() {
  ReviewSources sources{"class", classGold()};
  const std::vector<std::int64_t> labels = {0, 0, 0, 1};
  const std::string array = m_folder.filePath("p.npy").toStdString();
  QVERIFY(writeFileAtomically(array, test::npyBytes("<i8", "(4,)", labels)).ok());
  sources.predictions = {
      {"tabs", write("t.tsv",
                     "\xEF\xBB\xBFindex\tprediction\r\n3\tnot_"
                     "entailment\r\n0\tentailment\r\n1\t0\r\n2\tentailment\r\n")},
      {"map", write("m.json", R"({"0": "entailment", "1": 0, "2": "entailment", "3": 1})")},
      {"list", write("l.json", R"(["entailment", 0, 0, 1])")},
      {"lines",
       write("j.jsonl",
             "{\"index\": 1, \"label\": 0}\n{\"index\": 0, \"label\": 0}\n{\"id\": \"2\", \"label\": "
             "0}\n{\"index\": 3, \"label\": 1}\n")},
      {"array", array},
      {"set",
       write(
           "s.jsonl",
           "{\"format\":1,\"split\":\"validation\",\"fields\":{\"input\":\"text\",\"reference\":\"label\"}}\n"
           "{\"example\":0,\"prediction\":\"entailment\",\"score\":-1}\n{\"example\":1,\"prediction\":"
           "\"entailment\"}\n"
           "{\"example\":2,\"prediction\":\"entailment\"}\n{\"example\":3,\"prediction\":\"not_entailment\"}"
           "\n")},
      {"scores",
       write("p.jsonl",
             "{\"index\":0,\"probabilities\":[0.9,0.1]}\n{\"index\":1,\"probabilities\":{\"not_entailment\":"
             "0.4,"
             "\"entailment\":0.6}}\n{\"index\":2,\"logits\":[2,-1]}\n{\"index\":3,\"logits\":[0,2]}\n")}};
  const Review review = openedReview(sources).value();
  for (const ReviewModel& model : review.models) {
    QCOMPARE(model.identity, review.models[0].identity);
    QCOMPARE(scoreOf(model, "accuracy"), 75.0);
    QVERIFY(model.notes.empty());
  }
  QVERIFY(std::abs(review.models[6].outputs[3].scores[1] - 1 / (1 + std::exp(-2.0f))) < 1e-6f);
  sources.predictions = {
      {"few",
       write("few.tsv", "index\tprediction\n0\tentailment\n7\tentailment\n1\tother\n2\tentailment\n")}};
  const Review few = openedReview(sources).value();
  QCOMPARE(few.models[0].missing, 1);
  QCOMPARE(few.models[0].notes.size(), std::size_t{2});
  QCOMPARE(few.gold.labels.size(), std::size_t{3});
  // An odd answer makes no other metric of two classes. TP 0, FN 2: 0.
  QCOMPARE(scoreOf(few.models[0], "f1"), 0.0);
  QCOMPARE(scoreOf(few.models[0], "accuracy"), 50.0);
  QCOMPARE(few.models[0].verdicts[3].category, std::uint8_t(*categoryIndex(*few.kind, "missing")));
}

void ReviewScoresTest::calibration() {
  ReviewSources sources{
      "class", write("c.jsonl", "{\"text\":\"x\",\"label\":\"a\"}\n{\"text\":\"y\",\"label\":\"b\"}\n")};
  sources.predictions = {
      {"m", write("c.p", "{\"index\":0,\"probs\":[0.85,0.15]}\n{\"index\":1,\"probs\":[0.95,0.05]}\n")}};
  const Review review = openedReview(sources).value();
  // Bins .8 and .9 with one prediction each: |1 - .85| / 2 + |0 - .95| / 2
  QVERIFY(std::abs(scoreOf(review.models[0], "ece") - 0.55) < 1e-6);
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("sure"));
}

// One class in the file: said, and no score is called after a class that only a model knows.
void ReviewScoresTest::oneClass() {
  ReviewSources sources{"class", write("one.tsv", "sentence\tlabel\nx\t1\ny\t1\n")};
  sources.predictions = {{"same", write("one.same", "1\n1\n")}, {"other", write("one.other", "1\n0\n")}};
  const Review review = openedReview(sources).value();
  bool said = false;
  for (const Phrase& note : review.gold.notes)
    said = said || note.english().find("every example has the label \"1\"") != std::string::npos;
  QVERIFY(said);
  for (const ReviewModel& model : review.models)
    for (const ReviewScore& score : model.scores) {
      QVERIFY(score.id != "f1");
      QVERIFY(!score.value || std::isfinite(*score.value));
    }
  QCOMPARE(scoreOf(review.models[0], "matthews"), 0.0);
  QCOMPARE(scoreOf(review.models[1], "accuracy"), 50.0);
  // A run's set names the classes that it knows, those too that do not occur here.
  sources.gold = sources.predictions[0].path = write(
      "one.jsonl",
      "{\"format\":1,\"split\":\"validation\",\"fields\":{\"input\":\"text\",\"reference\":\"label\"}}\n"
      "{\"example\":0,\"text\":\"x\",\"label\":\"b\",\"prediction\":\"b\",\"details\":{\"probabilities\":{"
      "\"a\":0.25,"
      "\"b\":0.75}}}\n"
      "{\"example\":1,\"text\":\"y\",\"label\":\"b\",\"prediction\":\"a\",\"details\":{\"probabilities\":{"
      "\"a\":0.875,"
      "\"b\":0.125}}}\n");
  sources.predictions.resize(1);
  const Review run = openedReview(sources).value();
  QCOMPARE(scoreOf(run.models[0], "accuracy"), 50.0);
  QCOMPARE(run.models[0].verdicts[1].numbers[0], 0.875);
  QCOMPARE(run.models[0].verdicts[1].numbers[1], 0.125);
  QVERIFY(std::isfinite(scoreOf(run.models[0], "ece")));
  // "b": 2 of 3; "a", predicted once: 0. A class that nobody names is in no mean.
  QVERIFY(std::abs(scoreOf(run.models[0], "macro_f1") - 100.0 / 3) < 1e-9);
  QCOMPARE(scoreOf(review.models[0], "macro_f1"), 100.0);
}

// A label that only one row of many has may be a mistake of the file: its line is said.
void ReviewScoresTest::loneLabels() {
  QByteArray gold = "sentence\tlabel\n", lines;
  for (int i = 0; i < 60; ++i) {
    gold += "x\t" + QByteArray(i == 7 ? "perhaps" : i % 2 == 0 ? "no" : "yes") + "\n";
    lines += "yes\n";
  }
  ReviewSources sources{"class", write("lone.tsv", gold)};
  sources.predictions = {{"m", write("lone.txt", lines)}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.gold.notes.size(), std::size_t{1});
  QCOMPARE(review.gold.notes.front().english(),
           std::string("the label \"perhaps\" stands in one row alone, line 9"));
}

void ReviewScoresTest::numbers() {
  ReviewSources sources{
      "number", write("n.tsv", "index\tsentence1\tsentence2\tscore\n0\ta\tb\t1\n1\tc\td\t2\n2\te\tf\t4\n")};
  sources.options["tolerance"] = "0.5";
  sources.predictions = {{"m", write("n.txt", "1.5\n3\n4\n")}, {"flat", write("flat.txt", "2\n2\n2\n")}};
  const Review review = openedReview(sources).value();
  // Gold 1 2 4, predicted 1.5 3 4: 11/3 / sqrt(14/3 * 19/6)
  const double wanted = 100 * (11.0 / 3) / std::sqrt(14.0 / 3 * 19.0 / 6);
  QVERIFY2(std::abs(scoreOf(review.models[0], "pearson") - wanted) < 1e-9,
           std::to_string(scoreOf(review.models[0], "pearson")).c_str());
  QCOMPARE(scoreOf(review.models[0], "spearman"), 100.0);
  QVERIFY(review.models[0].verdicts[0].right);  // exactly the tolerance
  QVERIFY(review.models[0].verdicts[1].wrong);
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("too_high"));
  QVERIFY(std::isnan(scoreOf(review.models[1], "pearson")));  // constant: said, not a number
  const ReviewPair pair = comparePairs(review).value().front();
  QVERIFY(std::abs(pair.difference - (0.5 - 1.0)) < 1e-6);
  QVERIFY(pair.low <= pair.difference && pair.difference <= pair.high);
}

void ReviewScoresTest::correlationsOfFixtures() {
  int rows = 0;
  for (const auto& one : fixtures::cases("glue")) {
    const Json json = fixtures::readJson(one.file(".json"));
    const std::string name = json.at("case").get<std::string>();
    if (name != "glue_metrics_correlation" && name != "glue_metrics_classification") continue;
    for (const auto& [what, row] : json.at("expected").items()) {
      if (!row.is_object() || !row.contains("predictions") || !row.contains("labels")) continue;
      ++rows;
      if (row.contains("pearson")) {
        const auto a = row.at("predictions").get<std::vector<double>>(),
                   b = row.at("labels").get<std::vector<double>>();
        for (const auto& [id, got] :
             {std::pair{"pearson", pearson(a, b)}, std::pair{"spearman", spearman(a, b)}}) {
          const double expected = realFromJson(row.at(id)).value();
          QCOMPARE(got.has_value(), !std::isnan(expected));
          if (got) QVERIFY2(std::abs(*got - expected) < 1e-9, what.c_str());
        }
        continue;
      }
      ReviewGold gold;
      gold.labels = {"0", "1"};
      ReviewModel model;
      for (const Json& label : row.at("labels")) gold.examples.emplace_back().label = label.get<int>();
      for (const Json& label : row.at("predictions")) {
        model.outputs.emplace_back().label = label.get<int>();
        model.outputs.back().given = true;
      }
      const ClassCounts counts = countClasses(gold, model);
      QVERIFY2(std::abs(counts.accuracy() - row.at("accuracy").get<double>()) < 1e-12, what.c_str());
      QVERIFY2(std::abs(counts.f1(1) - row.at("f1").get<double>()) < 1e-12, what.c_str());
      QVERIFY2(std::abs(counts.matthews() - row.at("matthews").get<double>()) < 1e-12, what.c_str());
    }
  }
  if (fixtures::cases("glue").empty()) QSKIP("no fixtures");
  QVERIFY(rows > 5);
}

QTEST_APPLESS_MAIN(ReviewScoresTest)
#include "tst_review_scores.moc"
