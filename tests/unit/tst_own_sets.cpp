// SPDX-License-Identifier: Apache-2.0
// Sets of predictions as runs store them, read by reviews: texts of the example are no predictions, and a set
// is gold where it holds all that gold says.
#include <QTest>
#include <cmath>

#include "support_review_files.h"

using namespace fathom;
using test::openedReview;
using test::scoreOf;

namespace {

QByteArray setOf(const char* reference, const std::vector<Json>& lines) {
  std::string text = Json{{"format", 1},
                          {"checkpoint", "0001-00000001"},
                          {"split", "validation"},
                          {"fields", {{"reference", reference}}}}
                         .dump() +
                     "\n";
  for (const Json& line : lines) text += line.dump() + "\n";
  return QByteArray::fromStdString(text);
}

const char* const kHotpotGold = R"([{"_id":"h1","question":"Where?","answer":"Paris",
  "supporting_facts":[["The tower",1]],"context":[["The tower",["It is old."," It stands in Paris."]]]}])";

// The fact that the run gave: a sentence of the only page.
Json factsOf(int sentence) {
  return Json::array({Json::array({"The tower", sentence})});
}

Json hotpotLine(const Json& facts) {
  return {{"example", 0},
          {"question", "Where?"},
          {"answer", "Paris"},
          {"facts", "The tower: 1"},
          {"context", "The tower: It is old. It stands in Paris."},
          {"id", "h1"},
          {"prediction", "Paris"},
          {"details", {{"facts", facts}, {"answer_type", "span"}, {"id", "h1"}}}};
}

}  // namespace

class OwnSetsTest : public QObject, private test::ReviewFiles {
  Q_OBJECT
 private Q_SLOTS:
  // "facts" beside the prediction is gold's, as a text.
  void factsOfTheExample() {
    ReviewSources sources{"span", write("hotpot.json", kHotpotGold)};
    sources.predictions = {{"right", write("right.jsonl", setOf("answer", {hotpotLine(factsOf(1))}))},
                           {"wrong", write("wrong.jsonl", setOf("answer", {hotpotLine(factsOf(0))}))}};
    const auto review = openedReview(sources);
    QVERIFY2(review.ok(), review.ok() ? "" : review.error().text().c_str());
    QCOMPARE(scoreOf(review->models[0], "joint_exact"), 100.0);
    QCOMPARE(scoreOf(review->models[1], "exact"), 100.0);
    QCOMPARE(scoreOf(review->models[1], "facts_exact"), 0.0);
    // What is no list of facts in what the run said is refused.
    sources.predictions.resize(1);
    sources.predictions[0].path = write("odd.jsonl", setOf("answer", {hotpotLine("The tower: 1")}));
    QVERIFY(!openedReview(sources).ok());
  }

  // A text of the example may be called like anything that a prediction says.
  void anyTextOfTheExample() {
    for (const char* name : {"facts", "sp", "scores", "probabilities", "logits", "null_odds", "phrases",
                             "label", "answer", "text", "output", "short", "long_answer", "short_answers"}) {
      Json line = hotpotLine(factsOf(1));
      line[name] = "a text of the example";
      ReviewSources sources{"span", write("hotpot.json", kHotpotGold)};
      sources.predictions = {{"m", write("named.jsonl", setOf("question", {line}))}};
      const auto review = openedReview(sources);
      QVERIFY2(review.ok(), (std::string(name) + ": " + (review.ok() ? "" : review.error().text())).c_str());
      QVERIFY2(scoreOf(review->models[0], "joint_exact") == 100.0, name);
    }
  }

  void setsAsGold() {
    const auto line = [](int example, const char* label, const char* prediction) {
      return Json{{"example", example},
                  {"text", "t" + std::to_string(example)},
                  {"label", label},
                  {"second", ""},
                  {"prediction", prediction}};
    };
    const auto review = [&](const char* kind, const QByteArray& set) {
      ReviewSources sources{kind, write("own.jsonl", set)};
      sources.predictions = {{"m", sources.gold}};
      return openedReview(sources);
    };
    const auto classes = review("class", setOf("label", {line(1, "b", "b"), line(0, "a", "b")}));
    QVERIFY2(classes.ok(), classes.ok() ? "" : classes.error().text().c_str());
    QCOMPARE(scoreOf(classes->models[0], "accuracy"), 50.0);
    const auto numbers = review("number", setOf("label", {line(0, "1.5", "1"), line(1, "3", "4")}));
    QVERIFY2(numbers.ok(), numbers.ok() ? "" : numbers.error().text().c_str());
    QCOMPARE(scoreOf(numbers->models[0], "mean_absolute_error"), 0.75);
    const auto texts =
        review("translation", setOf("label", {line(0, "a b c d", "a b c d"), line(1, "e", "e")}));
    QVERIFY2(texts.ok(), texts.ok() ? "" : texts.error().text().c_str());
    // Spans, options and phrases have more right answers than a set holds: said at once.
    for (const char* kind : {"span", "choice", "phrases", "page"}) {
      const auto refused = review(kind, setOf("label", {line(0, "a", "a")}));
      QVERIFY2(!refused.ok() && refused.error().text().find("own.jsonl") != std::string::npos &&
                   refused.error().text().find("data.validation") != std::string::npos,
               refused.ok() ? kind : refused.error().text().c_str());
    }
  }

  void sqlAsGold() {
    const char* tables = R"([{"db_id":"clubs","table_names_original":["person"],"table_names":["person"],
      "column_names_original":[[-1,"*"],[0,"id"],[0,"name"]],"column_names":[[-1,"*"],[0,"id"],[0,"name"]],
      "column_types":["text","number","text"],"primary_keys":[1],"foreign_keys":[]}])";
    const auto line = [](int example, const char* sql, const char* prediction) {
      return Json{{"example", example},
                  {"question", "q"},
                  {"sql", sql},
                  {"database", "clubs"},
                  {"prediction", prediction}};
    };
    const char *names = "SELECT name FROM person", *ids = "SELECT id FROM person";
    ReviewSources sources{"sql",
                          write("sql.jsonl", setOf("sql", {line(1, ids, names), line(0, names, names)}))};
    sources.files["tables"] = write("tables.json", tables);
    sources.predictions = {{"m", sources.gold}};
    const auto review = openedReview(sources);
    QVERIFY2(review.ok(), review.ok() ? "" : review.error().text().c_str());
    QCOMPARE(review->gold.examples[1].references.front(), std::string(ids));
    QCOMPARE(scoreOf(review->models[0], "exact_match"), 50.0);
    sources.gold = write("gap.jsonl", setOf("sql", {line(1, ids, names)}));
    QVERIFY(!openedReview(sources).ok());
  }

  // What is all right is 100, whatever the number of examples; what there is nothing of has no share.
  void wholeAndNothing() {
    Json gold = Json::array();
    std::vector<Json> lines;
    for (int i = 0; i < 199; ++i) {
      Json record = Json::parse(kHotpotGold)[0];
      record["_id"] = "h" + std::to_string(i);
      gold.push_back(record);
      Json line = hotpotLine(factsOf(1));
      line["id"] = record["_id"];
      line["example"] = i;
      lines.push_back(line);
    }
    ReviewSources sources{"span", write("many.json", QByteArray::fromStdString(gold.dump()))};
    sources.predictions = {{"m", write("many.jsonl", setOf("answer", lines))}};
    const Review review = openedReview(sources).value();
    for (const ReviewScore& score : review.models[0].scores) QCOMPARE(*score.value, 100.0);
    ReviewSources squad{"span", write("v2.json", R"({"version":"v2.0","data":[{"title":"T","paragraphs":[
      {"context":"A b.","qas":[{"id":"q","question":"?","answers":[],"is_impossible":true}]}]}]})")};
    squad.predictions = {{"m", write("v2.p.json", R"({"q":""})")}};
    const Review nothing = openedReview(squad).value();
    QCOMPARE(scoreOf(nothing.models[0], "no_answer_exact"), 100.0);
    QVERIFY(std::isnan(scoreOf(nothing.models[0], "has_answer_exact")));
  }

  // Doubles throughout: the same numbers as a run computes.
  void numbersKeepTheirWidth() {
    std::vector<Json> lines;
    for (int i = 0; i < 3; ++i) {
      Json line{{"example", i}, {"text", "t"}, {"label", i == 0 ? "a" : "b"}, {"prediction", "a"}};
      line["details"] = {
          {"probabilities", {{"a", 0.1 + 0.2 * (i + 1) + 1e-10}, {"b", 0.9 - 0.2 * (i + 1) - 1e-10}}}};
      lines.push_back(line);
    }
    ReviewSources sources{"class", write("width.jsonl", setOf("label", lines))};
    sources.predictions = {{"m", sources.gold}};
    const Review review = openedReview(sources).value();
    QCOMPARE(review.models[0].verdicts[0].numbers[0], 0.1 + 0.2 * 1 + 1e-10);
    // Confidences .3, .5, .7 (and 1e-10), right, wrong, wrong.
    const double expected = (0.7 - 1e-10 + 0.5 + 1e-10 + 0.7 + 1e-10) / 3;
    QVERIFY(std::abs(scoreOf(review.models[0], "ece") - expected) < 1e-14);
  }
};

QTEST_APPLESS_MAIN(OwnSetsTest)
#include "tst_own_sets.moc"
