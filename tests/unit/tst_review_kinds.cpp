// SPDX-License-Identifier: Apache-2.0
// Reviews of every kind: files are read, answers judged, scored and compared; people's categories win.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <set>

#include "core/library/project_library.h"
#include "core/record/formats/array_file.h"
#include "core/review/class_scores.h"
#include "core/review/foreign_predictions.h"
#include "core/review/kind_judgements.h"
#include "core/review/kind_review.h"
#include "core/review/number_scores.h"
#include "core/review/span_scores.h"
#include "core/review/text_difference.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

Result<KindReview> openedReview(const KindSources& sources) {
  Progress progress;
  return openKindReview(sources, 1, progress);
}

double scoreOf(const KindModel& model, const std::string& id) {
  for (const KindScore& score : model.scores)
    if (score.id == id) return score.value.value_or(kNaN);
  throw Failure(usageError("no score " + id));
}

}  // namespace

class ReviewKindsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void entries();
  void classes();
  void classFormatsAreOne();
  void calibration();
  void numbers();
  void correlationsOfFixtures();
  void spans();
  void unanswerable();
  void spanThresholdOfFixture();
  void publishedSpans();
  void choices();
  void choicesOfFixture();
  void publishedTranslations();
  void translationCategories();
  void differences();
  void judgements();
  void sets();
  void badFiles_data();
  void badFiles();
  void realFormats();

 private:
  std::string write(const char* name, const QByteArray& bytes) const {
    const QString path = m_folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
    return path.toStdString();
  }
  std::string classGold() const {
    return write("gold.tsv",
                 "index\tsentence1\tsentence2\tlabel\n0\ta b\tc\tentailment\n1\td\te\tnot_entailment\n"
                 "2\tf\tg\tentailment\n3\th\ti\tnot_entailment\n");
  }
  QTemporaryDir m_folder;
};

void ReviewKindsTest::entries() {
  std::set<std::string> ids;
  for (const ReviewKind& kind : reviewKinds()) {
    QVERIFY2(ids.insert(kind.id).second, kind.id.c_str());
    QVERIFY(kind.categories.size() <= kMostKindCategories && kind.numbers.size() <= kKindNumbers);
    QCOMPARE(kind.categories.back().id, std::string("gold_error"));
    std::set<std::string> categories, letters;
    std::size_t keys = 0;
    for (std::size_t k = 0; k < kind.categories.size(); ++k) {
      QVERIFY2(categories.insert(kind.categories[k].id).second, kind.categories[k].id.c_str());
      QVERIFY2(letters.insert(kind.categories[k].letter).second,
               (kind.id + kind.categories[k].letter).c_str());
      keys += k > 0 && kind.categories[k].byPerson;
    }
    QVERIFY(keys > 0 && keys <= kMostCategoryKeys);
    QVERIFY(kind.open != nullptr || (kind.readGold && kind.judge && kind.scores));
  }
  QCOMPARE(ids, (std::set<std::string>{"sql", "class", "number", "span", "choice", "translation"}));
  QVERIFY(!findReviewKind("clas").ok());
}

void ReviewKindsTest::classes() {
  KindSources sources{"class", classGold()};
  sources.predictions = {
      {"a",
       write("a.tsv", "index\tprediction\n0\tentailment\n1\tentailment\n2\tentailment\n3\tnot_entailment\n")},
      {"b", write("b.txt", "1\n1\n0\n1\n")}};
  const KindReview review = openedReview(sources).value();
  QCOMPARE(review.gold.labels, (std::vector<std::string>{"entailment", "not_entailment"}));
  QCOMPARE(review.gold.examples[0].texts, (std::vector<std::string>{"a b", "c"}));
  QCOMPARE(scoreOf(review.models[0], "accuracy"), 75.0);
  QCOMPARE(scoreOf(review.models[1], "accuracy"), 75.0);
  // TP 1, FN 1, FP 0, TN 2 of class 1: 2 / 3; Matthews 2 / sqrt(1 * 2 * 2 * 3)
  QVERIFY(std::abs(scoreOf(review.models[0], "f1") - 200.0 / 3) < 1e-9);
  QVERIFY(std::abs(scoreOf(review.models[0], "matthews") - 2 / std::sqrt(12.0)) < 1e-12);
  QVERIFY(std::isnan(scoreOf(review.models[0], "ece")));
  const ClassCounts counts = countClasses(review.gold, review.models[0]);
  QCOMPARE(counts.at(1, 0), 1);
  QCOMPARE(counts.at(0, 0), 2);
  const KindPair pair = compareKindModels(review).value().front();
  QCOMPARE(pair.onlyFirst, 1);
  QCOMPARE(pair.onlySecond, 1);
  QCOMPARE(pair.p, 1.0);
  QCOMPARE(pair.difference, 0.0);
}

// The same answers in any format are one prediction set; unknown ids and missing ones are said and counted.
void ReviewKindsTest::classFormatsAreOne() {
  KindSources sources{"class", classGold()};
  const std::vector<std::int64_t> labels = {0, 0, 0, 1};
  const std::string array = m_folder.filePath("p.npy").toStdString();
  QVERIFY(writeArrayFile(array, {4}, std::span<const std::int64_t>(labels)).ok());
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
  const KindReview review = openedReview(sources).value();
  for (const KindModel& model : review.models) {
    QCOMPARE(model.identity, review.models[0].identity);
    QCOMPARE(scoreOf(model, "accuracy"), 75.0);
    QVERIFY(model.notes.empty());
  }
  QVERIFY(std::abs(review.models[6].outputs[3].scores[1] - 1 / (1 + std::exp(-2.0f))) < 1e-6f);
  sources.predictions = {
      {"few",
       write("few.tsv", "index\tprediction\n0\tentailment\n7\tentailment\n1\tother\n2\tentailment\n")}};
  const KindReview few = openedReview(sources).value();
  QCOMPARE(few.models[0].missing, 1);
  QCOMPARE(few.models[0].notes.size(), std::size_t{2});
  QCOMPARE(few.gold.labels.size(), std::size_t{3});
  QCOMPARE(scoreOf(few.models[0], "accuracy"), 50.0);
  QCOMPARE(few.models[0].verdicts[3].category, std::uint8_t(*categoryIndex(*few.kind, "missing")));
}

void ReviewKindsTest::calibration() {
  KindSources sources{
      "class", write("c.jsonl", "{\"text\":\"x\",\"label\":\"a\"}\n{\"text\":\"y\",\"label\":\"b\"}\n")};
  sources.predictions = {
      {"m", write("c.p", "{\"index\":0,\"probs\":[0.85,0.15]}\n{\"index\":1,\"probs\":[0.95,0.05]}\n")}};
  const KindReview review = openedReview(sources).value();
  // Bins .8 and .9 with one prediction each: |1 - .85| / 2 + |0 - .95| / 2
  QVERIFY(std::abs(scoreOf(review.models[0], "ece") - 0.55) < 1e-6);
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("sure"));
}

void ReviewKindsTest::numbers() {
  KindSources sources{
      "number", write("n.tsv", "index\tsentence1\tsentence2\tscore\n0\ta\tb\t1\n1\tc\td\t2\n2\te\tf\t4\n")};
  sources.options["tolerance"] = "0.5";
  sources.predictions = {{"m", write("n.txt", "1.5\n3\n4\n")}, {"flat", write("flat.txt", "2\n2\n2\n")}};
  const KindReview review = openedReview(sources).value();
  // Gold 1 2 4, predicted 1.5 3 4: 11/3 / sqrt(14/3 * 19/6)
  const double wanted = 100 * (11.0 / 3) / std::sqrt(14.0 / 3 * 19.0 / 6);
  QVERIFY2(std::abs(scoreOf(review.models[0], "pearson") - wanted) < 1e-9,
           std::to_string(scoreOf(review.models[0], "pearson")).c_str());
  QCOMPARE(scoreOf(review.models[0], "spearman"), 100.0);
  QVERIFY(review.models[0].verdicts[0].right);  // exactly the tolerance
  QVERIFY(review.models[0].verdicts[1].wrong);
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("too_high"));
  QVERIFY(std::isnan(scoreOf(review.models[1], "pearson")));  // constant: said, not a number
  const KindPair pair = compareKindModels(review).value().front();
  QVERIFY(std::abs(pair.difference - (0.5 - 1.0)) < 1e-6);
  QVERIFY(pair.low <= pair.difference && pair.difference <= pair.high);
}

void ReviewKindsTest::correlationsOfFixtures() {
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
      KindGold gold;
      gold.labels = {"0", "1"};
      KindModel model;
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

void ReviewKindsTest::spans() {
  const char* gold =
      R"({"version":"1.1","data":[{"title":"T","paragraphs":[{"context":"Zoë sat in the old café. Later Bob came home. He slept.",
    "qas":[{"id":"q1","question":"Where sat Zoë?","answers":[{"text":"the old café","answer_start":11}]},
           {"id":"q2","question":"Who came?","answers":[{"text":"Bob","answer_start":31},{"text":"Bob","answer_start":31}]},
           {"id":"q3","question":"Who?","answers":[{"text":"Anna","answer_start":3}]}]}]}]})";
  KindSources sources{"span", write("squad.json", gold)};
  const auto with = [&](const char* name, const char* first, const char* second) {
    const Json json = {{"q1", first}, {"q2", second}, {"q3", "Anna"}};
    return KindPredictions{name, write(name, QByteArray::fromStdString(json.dump()))};
  };
  sources.predictions = {with("right", "old café", "bob!"), with("long", "in the old café", "Later Bob came"),
                         with("short", "café", "home"), with("far", "Bob", "slept"),
                         with("none", "", "Carl")};
  const KindReview review = openedReview(sources).value();
  QCOMPARE(review.gold.notes.size(), std::size_t{1});  // Anna
  const auto category = [&review](std::size_t model, std::size_t example) {
    return review.kind->categories[review.models[model].verdicts[example].category].id;
  };
  QCOMPARE(category(0, 0), std::string("right"));
  QCOMPARE(category(0, 1), std::string("right"));
  QCOMPARE(category(1, 0), std::string("too_long"));
  QCOMPARE(category(1, 1), std::string("too_long"));
  QCOMPARE(category(2, 0), std::string("too_short"));
  QCOMPARE(category(2, 1), std::string("same_sentence"));
  QCOMPARE(category(3, 0), std::string("sentence"));
  QCOMPARE(category(3, 1), std::string("sentence"));
  QCOMPARE(category(4, 0), std::string("abstained"));
  QCOMPARE(category(4, 1), std::string("not_in_passage"));
  const KindExample& first = review.gold.examples[0];
  QCOMPARE(first.texts[0].substr(first.marks[0].begin, first.marks[0].end - first.marks[0].begin),
           std::string("the old café"));
  QVERIFY(std::abs(double(review.models[1].verdicts[0].numbers[0]) - 0.8) < 1e-6);
}

void ReviewKindsTest::unanswerable() {
  const char* gold = R"({"version":"v2.0","data":[{"title":"T","paragraphs":[{"context":"Bob came home.",
    "qas":[{"id":"a","question":"Who?","is_impossible":false,"answers":[{"text":"Bob","answer_start":0}]},
           {"id":"b","question":"When?","is_impossible":true,"answers":[]}]}]}]})";
  KindSources sources{"span", write("v2.json", gold)};
  sources.predictions = {{"m", write("v2.p.json", R"({"a": "Bob", "b": "home"})"),
                          write("v2.odds.json", R"({"a": -3.5, "b": 2})")}};
  const KindReview review = openedReview(sources).value();
  QCOMPARE(scoreOf(review.models[0], "exact"), 50.0);
  QCOMPARE(scoreOf(review.models[0], "has_answer_exact"), 100.0);
  QCOMPARE(scoreOf(review.models[0], "no_answer_exact"), 0.0);
  QCOMPARE(scoreOf(review.models[0], "best_exact"), 100.0);
  QCOMPARE(scoreOf(review.models[0], "best_exact_threshold"), -3.5);
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("unanswerable"));
}

void ReviewKindsTest::spanThresholdOfFixture() {
  for (const auto& one : fixtures::cases("squad")) {
    const Json json = fixtures::readJson(one.file(".json"));
    if (json.at("case") != "squad_best_threshold") continue;
    const Json& config = json.at("config");
    Json questions = Json::array();
    for (const Json& question : config.at("questions")) {
      Json answers = Json::array();
      for (const Json& text : question.at("golds")) answers.push_back({{"text", text}, {"answer_start", 0}});
      questions.push_back({{"id", question.at("id")},
                           {"question", "?"},
                           {"is_impossible", answers.empty()},
                           {"answers", answers}});
    }
    const Json gold = {
        {"version", "v2.0"},
        {"data", {{{"title", "T"}, {"paragraphs", {{{"context", "text"}, {"qas", questions}}}}}}}};
    KindSources sources{"span", write("f.json", QByteArray::fromStdString(gold.dump()))};
    sources.predictions = {{"m",
                            write("f.p.json", QByteArray::fromStdString(config.at("predictions").dump())),
                            write("f.o.json", QByteArray::fromStdString(config.at("no_answer").dump()))}};
    const KindReview review = openedReview(sources).value();
    const Json& expected = json.at("expected");
    const Json& reachable = expected.at("by_trying_every_threshold");
    for (const std::string metric : {"exact", "f1"}) {
      const auto near = [&](const std::string& id, const Json& wanted) {
        return std::abs(scoreOf(review.models[0], id) - wanted.get<double>()) < 1e-5;
      };
      QVERIFY(near("best_" + metric, expected.at(metric).at("score")));
      QVERIFY(near("best_" + metric + "_threshold", expected.at(metric).at("threshold")));
      QVERIFY(near("reachable_" + metric, reachable.at(metric).at("score")));
    }
    return;
  }
  QSKIP("no fixtures");
}

// EM and F1 of two published systems as the data set states them.
void ReviewKindsTest::publishedSpans() {
  const std::string folder = fixtures::dataPath("squad_v1.1_xquad_en");
  if (folder.empty()) QSKIP("no data");
  KindSources sources{"span", folder + "/dev.json"};
  sources.predictions = {{"bert_ensemble", folder + "/pred.dev.bert_ensemble.json"},
                         {"logistic_regression", folder + "/pred.dev.logistic_regression.json"}};
  const KindReview review = openedReview(sources).value();
  const auto table = fixtures::readLines(folder + "/expected_scores.dev.tsv");
  QCOMPARE(table.size(), std::size_t{3});
  for (std::size_t m = 0; m < 2; ++m) {
    const QStringList cells = QString::fromStdString(table[m + 1]).split(QLatin1Char('\t'));
    QCOMPARE(QString::fromStdString(review.models[m].name), cells[0]);
    QCOMPARE(QString::number(scoreOf(review.models[m], "exact"), 'f', 3), cells[4]);
    QCOMPARE(QString::number(scoreOf(review.models[m], "f1"), 'f', 3), cells[5]);
  }
  QVERIFY(review.gold.notes.empty());
}

void ReviewKindsTest::choices() {
  KindSources sources{
      "choice",
      write(
          "r.json",
          R"([{"context":"c","question":"Which one?","answers":["w","x","y","z"],"label":2,"id_string":"val_0"},
    {"context":"d","question":"q","answers":["1","2"],"label":0,"id_string":"val_1"}])")};
  sources.predictions = {
      {"lines", write("r.txt", "2\n1\n")},
      {"letters", write("r.tsv", "id\tprediction\nval_1\tB\nval_0\tC\n")},
      {"words", write("rw.json", R"({"val_0": "y", "val_1": "2"})")},
      {"scores", write("rs.jsonl",
                       "{\"id\":\"val_0\",\"scores\":[0,0,3,1]}\n{\"id\":\"val_1\",\"scores\":[0.99,1]}\n")}};
  const KindReview review = openedReview(sources).value();
  for (const KindModel& model : review.models) {
    QCOMPARE(model.outputs[0].label, 2);
    QCOMPARE(model.outputs[1].label, 1);
    QCOMPARE(scoreOf(model, "accuracy"), 50.0);
    QCOMPARE(model.identity, review.models[0].identity);
  }
  QCOMPARE(review.kind->categories[review.models[3].verdicts[1].category].id, std::string("nearly"));
}

void ReviewKindsTest::choicesOfFixture() {
  for (const auto& one : fixtures::cases("multiple_choice")) {
    if (one.file(".npy").empty()) continue;
    const Json json = fixtures::readJson(one.file(".json"));
    const auto predicted = json.at("expected").at("predictions").get<std::vector<int>>();
    Json questions = Json::array();
    for (std::size_t i = 0; i < predicted.size(); ++i)
      questions.push_back({{"context", ""},
                           {"question", ""},
                           {"answers", {"a", "b", "c", "d"}},
                           {"label", 0},
                           {"id_string", json.at("config").at("ids")[i]}});
    KindSources sources{"choice", write("mc.json", QByteArray::fromStdString(questions.dump()))};
    sources.predictions = {{"m", one.file(".npy")}};
    const KindReview review = openedReview(sources).value();
    for (std::size_t i = 0; i < predicted.size(); ++i)
      QCOMPARE(review.models[0].outputs[i].label, predicted[i]);
    return;
  }
  QSKIP("no fixtures");
}

// Corpus BLEU as published; chrF2 and sentence scores as sacreBLEU 2.6.0 gives them.
void ReviewKindsTest::publishedTranslations() {
  const std::string folder = fixtures::dataPath("wmt17_en_de_systems");
  if (folder.empty()) QSKIP("no data");
  KindSources sources{"translation", folder + "/newstest2017.ref.de.gz"};
  struct Expected {
    const char* system;
    double bleu, chrf, sentenceChrf[3], sentenceBleu[3];
  };
  constexpr Expected kExpected[] = {{"C-3MA.4959",
                                     22.6746,
                                     51.95328040239268,
                                     {48.02481, 49.94205, 50.340227},
                                     {19.969396, 34.487397, 20.164946}},
                                    {"online-F.0",
                                     15.4517,
                                     49.25878359196682,
                                     {55.204965, 53.621328, 49.254133},
                                     {26.269099, 31.123452, 14.323145}},
                                    {"uedin-nmt.4722",
                                     28.3012,
                                     57.722703142284985,
                                     {57.057347, 51.263193, 70.833329},
                                     {24.384183, 13.951992, 46.713798}}};
  for (const Expected& each : kExpected)
    sources.predictions.push_back({each.system, folder + "/newstest2017." + each.system + ".de.gz"});
  const KindReview review = openedReview(sources).value();
  QCOMPARE(review.examples(), std::size_t{3004});
  for (std::size_t m = 0; m < 3; ++m) {
    const Expected& wanted = kExpected[m];
    QVERIFY(std::abs(scoreOf(review.models[m], "bleu") - wanted.bleu) < 5.1e-5);
    QVERIFY2(std::abs(scoreOf(review.models[m], "chrf") - wanted.chrf) < 1e-9,
             std::to_string(scoreOf(review.models[m], "chrf")).c_str());
    constexpr std::size_t kLines[] = {0, 7, 100};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& numbers = review.models[m].verdicts[kLines[k]].numbers;
      QVERIFY(std::abs(double(numbers[0]) - wanted.sentenceChrf[k]) < 1e-5);
      QVERIFY(std::abs(double(numbers[1]) - wanted.sentenceBleu[k]) < 1e-5);
    }
  }
}

void ReviewKindsTest::translationCategories() {
  KindSources sources{"translation", write("ref", "the small house is old\nit rains\n{ brace }\n")};
  sources.files["source"] = write("src", "das kleine Haus ist alt\nes regnet\n{ Klammer }\n");
  sources.predictions = {{"good", write("h1", "the small house is old\nit rains\n{ brace }\n")},
                         {"bad", write("h2", "das kleine Haus ist alt\n\nx y z x y z x y z x y z\n")}};
  const KindReview review = openedReview(sources).value();
  QVERIFY(std::abs(scoreOf(review.models[0], "bleu") - 100) < 1e-6);
  QCOMPARE(scoreOf(review.models[0], "chrf"), 100.0);
  const auto category = [&review](std::size_t example) {
    return review.kind->categories[review.models[1].verdicts[example].category].id;
  };
  QCOMPARE(category(0), std::string("copied"));
  QCOMPARE(category(1), std::string("short"));
  QCOMPARE(category(2), std::string("long"));
  const KindPair pair = compareKindModels(review).value().front();
  QCOMPARE(pair.onlyFirst, 3);
  QVERIFY(pair.difference > 50);
}

void ReviewKindsTest::differences() {
  const std::string a = "the old  house is here", b = "the new house was here today";
  const auto piece = [](const std::string& text, const TextSpan& span) {
    return text.substr(span.begin, span.end - span.begin);
  };
  const auto inA = differingWords(a, b), inB = differingWords(b, a);
  QCOMPARE(inA.size(), std::size_t{2});
  QCOMPARE(piece(a, inA[0]), std::string("old"));
  QCOMPARE(piece(a, inA[1]), std::string("is"));
  QCOMPARE(inB.size(), std::size_t{3});
  QCOMPARE(piece(b, inB[2]), std::string("today"));
  QVERIFY(differingWords(a, a).empty());
  QCOMPARE(differingWords("a b", "").size(), std::size_t{1});
  QCOMPARE(codePointOffsets("aé").size(), std::size_t{3});
  QCOMPARE(questionWord("In which \"year\"?"), questionWord("Which?"));
}

void ReviewKindsTest::judgements() {
  const std::string project = m_folder.filePath("p.fathom").toStdString();
  const auto library = ProjectLibrary::openOrCreate(project).value();
  KindSources sources{"class", classGold()};
  sources.predictions = {{"a", write("j1.txt", "1\n1\n0\n0\n")}, {"b", write("j2.txt", "1\n0\n0\n1\n")}};
  const KindReview review = openedReview(sources).value();
  auto judged = KindJudgements::load(review, library.get()).value();
  const std::size_t ambiguous = *categoryIndex(*review.kind, "ambiguous");
  QVERIFY(judged.setCategory(0, 0, ambiguous, "both fit", "me").ok());
  QCOMPARE(judged.category(1, 0), ambiguous);  // the same answer
  QVERIFY(judged.human(0, 1) == nullptr);
  QVERIFY(judged.setTags(2, {"b", "a", "a"}).ok());
  QVERIFY(judged.setNote(2, "look again").ok());
  QCOMPARE(judged.tags(2), (std::vector<std::string>{"a", "b"}));
  // The same predictions from another file find it; another answer of the system shows it as stale.
  sources.predictions = {{"a", write("j3.json", R"({"0":"entailment","1":1,"2":0,"3":0})")},
                         {"c", write("j4.tsv", "0\t1\n1\t0\n2\t0\n3\t1\n")}};
  const KindReview again = openedReview(sources).value();
  auto found = KindJudgements::load(again, library.get()).value();
  QCOMPARE(found.category(1, 0), ambiguous);
  QVERIFY(found.human(0, 0) == nullptr);
  QCOMPARE(found.stale(0, 0).size(), std::size_t{1});
  QCOMPARE(found.note(2), std::string("look again"));
  // Undo goes back through all of it, and the history keeps everything.
  QVERIFY(judged.undo().ok() && judged.undo().ok() && judged.canUndo());
  QVERIFY(judged.tags(2).empty());
  QCOMPARE(judged.undo().value().value(), std::size_t{0});
  QVERIFY(judged.human(0, 0) == nullptr && !judged.canUndo() && judged.canRedo());
  QVERIFY(judged.redo().ok());
  QCOMPARE(judged.category(0, 0), ambiguous);
  QCOMPARE(judged.history(0, 0).value().size(), std::size_t{3});
}

void ReviewKindsTest::sets() {
  KindSources sources{"class", classGold()};
  sources.predictions = {{"a", write("s1.txt", "1\n1\n1\n1\n")}, {"b", write("s2.txt", "0\n1\n1\n0\n")}};
  const KindReview review = openedReview(sources).value();
  const auto sets = wrongSets(review);  // a: 0, 2; b: 2, 3
  QCOMPARE(sets.size(), std::size_t{3});
  QVERIFY(isWrongInAll(review, 2) && isWrongInAny(review, 0) && !isWrongInAny(review, 1));
  QCOMPARE(onlyFirstRight(review, 0, 1), std::vector<std::size_t>{3});
  std::uint64_t seen = 0;
  for (const WrongSet& set : sets) seen |= std::uint64_t{1} << set.models;
  QCOMPARE(seen, std::uint64_t{0b1110});
}

void ReviewKindsTest::badFiles_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QByteArray>("gold");
  QTest::addColumn<QByteArray>("predictions");
  QTest::addColumn<QString>("said");  // file, line and value
  const QByteArray gold = "sentence\tlabel\nx\ta\ny\tb\n";
  const auto row = [](const char* name, const char* kind, const QByteArray& g, const QByteArray& p,
                      const char* said) {
    QTest::newRow(name) << QString::fromLatin1(kind) << g << p << QString::fromLatin1(said);
  };
  row("twice", "class", gold, "index\tprediction\n0\ta\n0\tb\n", "pred:3: example \"0\" is answered twice");
  row("count", "class", gold, "a\nb\na\n", "3 predictions for 2 examples");
  row("unknown ids", "class", gold, "index\tprediction\n8\ta\n9\tb\n",
      "pred:2: the gold file has no example \"8\"");
  row("extra column", "class", gold, "index\tprediction\n0\ta\tz\n",
      "pred:2: 3 columns where the first line has 2");
  row("short gold row", "class", "sentence\tlabel\nx\n", "a\n",
      "gold:2: 1 columns where the first line has 2");
  row("NUL", "class", gold, QByteArray("a\nb\0", 4), "pred:2: a NUL byte");
  row("no UTF-8", "class", gold, "a\n\xff\n", "pred:2: byte 2 is not UTF-8");
  row("empty", "class", gold, "\n", "pred:1: the file holds no predictions");
  row("empty label", "class", "sentence\tlabel\nx\t\n", "a\n", "gold:2: the label is empty");
  row("scores", "class", gold, "{\"index\":0,\"probs\":[1]}\n{\"index\":1,\"probs\":[1]}\n",
      "pred:1: 1 scores for 2 labels");
  row("score name", "class", gold, "{\"index\":0,\"probs\":{\"z\":1}}\n{\"index\":1,\"label\":\"a\"}\n",
      "pred:1: the gold file has no label \"z\"");
  row("no answer", "class", gold, "{\"index\":0,\"label\":\"a\"}\n{\"index\":1}\n",
      "pred:2: the record has no answer");
  row("cut JSON", "class", gold, "{\"0\": \"a\"", "pred");
  row("words", "number", "sentence\tscore\nx\t1\n", "one\n", "pred:1: a number is expected, not \"one\"");
  row("gold words", "number", "sentence\tscore\nx\tone\n", "1\n", "gold:2: \"one\" is no number");
  row("not finite", "number", "sentence\tscore\nx\t1\n", "nan\n", "pred:1: a number is expected");
  row("option", "choice", R"([{"context":"","question":"","answers":["a","b"],"label":0}])", "5\n",
      "pred:1: \"5\" is none of the 2 options");
  row("label", "choice", R"([{"context":"","question":"","answers":["a","b"],"label":2}])", "0\n",
      "label 2 of 2 options");
  row("hidden labels", "choice", R"([{"context":"","question":"","answers":["a","b"]}])", "0\n",
      "no question has a label");
  row("ids twice", "choice", R"([{"id_string":"v","context":"","question":"","answers":["a","b"],"label":0},
    {"id_string":"v","context":"","question":"","answers":["a","b"],"label":0}])",
      "0\n0\n", "the id \"v\" is there twice");
  row("no data", "span", "{}", "{}", "there is no list \"data\"");
  row("no answers", "span",
      R"({"data":[{"title":"t","paragraphs":[{"context":"c","qas":[{"id":"i","question":"q","answers":[]}]}]}]})",
      "{}", "question i: there are no answers");
  row("same ids", "span",
      R"({"data":[{"title":"t","paragraphs":[{"context":"c","qas":[{"id":"i","question":"q","is_impossible":true},
    {"id":"i","question":"q","is_impossible":true}]}]}]})",
      "{\"i\":\"\"}", "the id \"i\" is there twice");
  row("lines", "translation", "a\nb\n", "a\n", "1 predictions for 2 examples");
}

void ReviewKindsTest::badFiles() {
  QFETCH(const QString, kind);
  QFETCH(const QByteArray, gold);
  QFETCH(const QByteArray, predictions);
  QFETCH(const QString, said);
  KindSources sources{kind.toStdString(), write("gold", gold)};
  sources.predictions = {{"m", write("pred", predictions)}};
  const auto review = openedReview(sources);
  QVERIFY(!review.ok());
  QVERIFY(review.error().kind == ErrorKind::Data);
  const QString text =
      QString::fromStdString(review.error().text()).replace(m_folder.path() + "/", QString());
  QVERIFY2(text.contains(said), qPrintable(text));
}

// The real files of the data sets are read as they are.
void ReviewKindsTest::realFormats() {
  if (fixtures::dataFolder().empty()) QSKIP("no data");
  struct Real {
    const char *kind, *file;
    std::size_t examples, texts;
  };
  for (const Real& real :
       {Real{"class", "folio_rte_format/dev.tsv", 0, 2}, Real{"class", "blimp_cola_format/dev.tsv", 1072, 1},
        Real{"choice", "cosmosqa_reclor_format/val.json", 494, 2}}) {
    const std::string path = fixtures::dataPath(real.file);
    QVERIFY2(!path.empty(), real.file);
    const KindGold gold = findReviewKind(real.kind).value()->readGold({real.kind, path}).value();
    QVERIFY(gold.examples.size() > 100);
    if (real.examples > 0) QCOMPARE(gold.examples.size(), real.examples);
    QCOMPARE(gold.examples.front().texts.size(), real.texts);
    QVERIFY(gold.examples.front().label >= 0 && gold.notes.empty());
  }
}

QTEST_APPLESS_MAIN(ReviewKindsTest)
#include "tst_review_kinds.moc"
