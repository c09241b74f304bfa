// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// Which example a prediction is of: sets of this program number what their task kept and are written batch by
// batch, gold files hold bad examples and parts that were not predicted.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <ctime>

#include "core/base/files/atomic_file.h"
#include "core/review/review.h"

using namespace fathom;

namespace {

constexpr const char* kHead =
    R"({"format":1,"split":"validation","fields":{"input":"text","reference":"label"}})"
    "\n";

std::string setLine(int example, int row, const std::string& label, const std::string& prediction) {
  Json line = {{"example", example}, {"text", "t" + std::to_string(row)}, {"label", label}};
  if (row != example) line["row"] = row;
  line["prediction"] = prediction;
  return line.dump() + "\n";
}

double accuracyOf(const Review& review) {
  for (const ReviewScore& score : review.models.front().scores)
    if (score.id == "accuracy") return *score.value;
  throw Failure(usageError("no accuracy"));
}

bool isSaid(const std::vector<Phrase>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const Phrase& note) { return note.english().find(words) != std::string::npos; });
}

}  // namespace

class ReviewPlacesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void setsAgainstThemselves();
  void translationsAgainstThemselves();
  void rowsOfTheFile();
  void anotherFile();
  void numbersOfPairsAndOfRows();
  void rowsWithoutIds();
  void choicesByRow();
  void spansById();
  void orderAlone();
  void manyBadQuestions();
  void manyOptions();
  void badGold_data();
  void badGold();
  void wordsOfOptions();
  void nullOddsOfOthers();

 private:
  std::string put(const std::string& name, const std::string& text) const {
    const std::string path = m_folder.filePath(QString::fromStdString(name)).toStdString();
    writeFileAtomically(path, text).value();
    return path;
  }
  static Result<Review> open(ReviewSources sources) {
    Progress progress;
    return openReview(sources, 1, progress);
  }
  QTemporaryDir m_folder;
};

// As a validation writes them: short examples first.
void ReviewPlacesTest::setsAgainstThemselves() {
  const std::string set = put("set.jsonl", kHead + setLine(2, 2, "a", "a") + setLine(0, 0, "b", "b") +
                                               setLine(3, 3, "b", "a") + setLine(1, 1, "a", "a"));
  const Review review = open({"class", set, {}, Json::object(), {{"A", set}}}).value();
  QCOMPARE(accuracyOf(review), 75.0);
  QCOMPARE(review.gold.examples[0].texts[0], std::string("t0"));
  QCOMPARE(review.gold.examples[3].texts[0], std::string("t3"));
  QVERIFY(review.models[0].verdicts[3].wrong);
}

void ReviewPlacesTest::translationsAgainstThemselves() {
  const std::string head =
      R"({"format":1,"split":"test","fields":{"input":"source","reference":"reference"}})"
      "\n";
  const std::string set =
      put("nmt.jsonl",
          head + R"({"example":1,"source":"zwei","reference":"two of them","prediction":"two of them"})"
                 "\n"
                 R"({"example":0,"source":"eins","reference":"this is one","prediction":"this is one"})"
                 "\n");
  const Review review = open({"translation", set, {}, Json::object(), {{"A", set}}}).value();
  QCOMPARE(review.gold.examples[0].texts[0], std::string("eins"));
  for (const ReviewVerdict& verdict : review.models[0].verdicts) QVERIFY(verdict.right);
}

// Rows 1 and 4 of six were kept apart.
void ReviewPlacesTest::rowsOfTheFile() {
  const std::string gold = put("train.tsv", "sentence\tlabel\nt0\ta\nt1\tb\nt2\ta\nt3\ta\nt4\ta\nt5\tb\n");
  const std::string set = put("apart.jsonl", kHead + setLine(1, 4, "a", "b") + setLine(0, 1, "b", "b"));
  ReviewSources sources{"class", gold, {}, Json::object(), {{"A", set}}};
  const Review all = open(sources).value();
  QVERIFY(all.models[0].verdicts[1].right);
  QCOMPARE(all.models[0].missing, 4);
  sources.options["examples"] = "predicted";
  const Review review = open(sources).value();
  QCOMPARE(review.examples(), std::size_t{2});
  QCOMPARE(review.models[0].missing, 0);
  QCOMPARE(accuracyOf(review), 50.0);
  QCOMPARE(review.dataset, all.dataset);  // verdicts of people are found again
  QVERIFY(isSaid(review.gold.notes, "4 examples of the gold file have no prediction and are left out"));
}

// A set without rows, or another part: its answers do not fit those of the file.
void ReviewPlacesTest::anotherFile() {
  const std::string gold = put("gold.tsv", "sentence\tlabel\nt0\ta\nt1\tb\nt2\ta\n");
  const std::string set = put("old.jsonl", kHead + setLine(0, 0, "a", "a") + setLine(1, 1, "a", "a"));
  const auto review = open({"class", gold, {}, Json::object(), {{"A", set}}});
  QVERIFY(!review.ok());
  const std::string said = review.error().text();
  for (const char* words : {"old.jsonl:3", "example 1 was \"a\"", "the gold file says \"b\""})
    QVERIFY2(said.find(words) != std::string::npos, said.c_str());
  const std::string numbers = put("gold_numbers.tsv", "sentence\tscore\nt0\t5.000\nt1\t2.50\n");
  const std::string same = put("numbers.jsonl", kHead + setLine(0, 0, "5", "5") + setLine(1, 1, "2.5", "2"));
  QVERIFY(open({"number", numbers, {}, Json::object(), {{"A", same}}}).ok());
}

// QQP: pairs have numbers of their own, a file of predictions for the benchmark counts rows; each number here
// is both. One that is neither is said, and taken for nothing else.
void ReviewPlacesTest::numbersOfPairsAndOfRows() {
  const std::string gold = put("qqp.tsv",
                               "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
                               "2\t1\t2\ta\tb\t1\n0\t3\t4\tc\td\t0\n9\t5\t6\te\tf\t1\n");
  const auto with = [&](const std::string& predictions) {
    return open({"class", gold, {}, Json::object(), {{"A", put("qqp_pred.tsv", predictions)}}});
  };
  QCOMPARE(accuracyOf(with("index\tprediction\n0\t1\n1\t0\n2\t1\n").value()), 100.0);
  QCOMPARE(accuracyOf(with("id\tprediction\n9\t1\n0\t0\n2\t1\n").value()), 100.0);
  const Review one = with("id\tprediction\n9\t1\n0\t0\n1\t1\n").value();
  QCOMPARE(one.models[0].missing, 1);
  QVERIFY(!one.models[0].outputs[0].given);
  QVERIFY(isSaid(one.models[0].notes, "the first is \"1\", line 4"));
}

// CoLA: what stands nowhere is the row's number, lines that are left out count.
void ReviewPlacesTest::rowsWithoutIds() {
  const std::string gold = put("cola.tsv", "s\t1\t\tt0\ns\t0\ns\t0\t*\tt2\ns\t1\t\tt3\n");
  const std::string predictions = put("cola_pred.tsv", "index\tprediction\n0\t1\n2\t0\n3\t1\n");
  const Review review = open({"class", gold, {}, {{"bad_lines", "skip"}}, {{"A", predictions}}}).value();
  QCOMPARE(review.examples(), std::size_t{3});
  QCOMPARE(review.models[0].missing, 0);
  QVERIFY(review.models[0].notes.empty());
  QCOMPARE(accuracyOf(review), 100.0);
  QCOMPARE(review.gold.examples[2].id, std::string("3"));
}

void ReviewPlacesTest::choicesByRow() {
  const std::string gold = put("choice.json",
                               R"([{"context":"c","question":"q","answers":["x","y"],"label":0},
      {"context":"c","question":"q","answers":["x","y"],"label":7},
      {"context":"c","question":"q","answers":["x","y"],"label":1}])");
  // The bad question was left out: what was the third is the second.
  const std::string set = put("choice.jsonl", kHead + setLine(1, 2, "B", "B") + setLine(0, 0, "A", "A"));
  ReviewSources sources{"choice", gold, {}, Json::object(), {{"A", set}}};
  QCOMPARE(open(sources).error().line, std::int64_t{2});
  sources.options["bad_lines"] = "skip";
  const Review review = open(sources).value();
  QCOMPARE(accuracyOf(review), 100.0);
  QVERIFY(isSaid(review.gold.notes, "1 bad examples of the gold file are left out"));
  QVERIFY(isSaid(review.gold.notes, "line 2: question 2: label 7 of 2 options"));
}

void ReviewPlacesTest::spansById() {
  const std::string gold =
      put("span.json", R"({"data":[{"title":"t","paragraphs":[{"context":"one two","qas":[
      {"id":"p","question":"?"},
      {"id":"q","question":"?","answers":[{"text":"one","answer_start":0}]},
      {"id":"r","question":"?","answers":[{"text":"two","answer_start":4}]},
      {"id":"q","question":"?","answers":[{"text":"two","answer_start":4}]}]}]}]})");
  const std::string set = put(
      "span.jsonl", R"({"format":1,"split":"validation","fields":{"input":"question","reference":"answer"}})"
                    "\n"
                    R"({"example":1,"row":2,"question":"?","answer":"two","id":"r","prediction":"two"})"
                    "\n"
                    R"({"example":0,"row":1,"question":"?","answer":"one","id":"q","prediction":"one"})"
                    "\n");
  const Review review = open({"span", gold, {}, {{"bad_lines", "skip"}}, {{"A", set}}}).value();
  // What has no answer and is not said to have none is kept and not scored.
  QCOMPARE(review.examples(), std::size_t{3});
  QVERIFY(!review.models[0].verdicts[0].right && !review.models[0].verdicts[0].wrong);
  QCOMPARE(review.models[0].missing, 0);
  QVERIFY(review.models[0].verdicts[1].right && review.models[0].verdicts[2].right);
  QCOMPARE(*review.models[0].scores[0].value, 100.0);
  QVERIFY(isSaid(review.gold.notes, "1 questions have no answers"));
  QVERIFY(isSaid(review.gold.notes, "1 bad examples of the gold file are left out; the first: line 5: "));
}

// A file of nothing but bad questions is looked through once, not once for each.
void ReviewPlacesTest::manyBadQuestions() {
  constexpr int kQuestions = 60000;
  std::string questions, choices = R"([{"context":"c","question":"q","answers":["x","y"],"label":0})";
  for (int i = 0; i < kQuestions; ++i) {
    questions += R"({"id":"q)" + std::to_string(i) + R"("},)";
    choices += R"(,{"context":"c"})";
  }
  const std::string spans = R"({"data":[{"paragraphs":[{"context":"one two","qas":[)" + questions +
                            R"({"id":"p","question":"?","answers":[{"text":"one","answer_start":0}]}]}]}]})";
  const std::clock_t begin = std::clock();
  for (const auto& [kind, text] : {std::pair{"span", spans}, std::pair{"choice", choices + "]"}}) {
    const auto gold = findReviewKind(kind).value()->readGold(
        {kind, put("many_bad.json", text), {}, {{"bad_lines", "skip"}}, {}});
    QVERIFY2(gold.ok(), gold.ok() ? "" : gold.error().text().c_str());
    QCOMPARE(gold->examples.size(), std::size_t{1});
    QVERIFY(isSaid(gold->notes, std::to_string(kQuestions) + " bad examples"));
  }
  // Some 60 thousand million bytes when each bad one is looked for from the beginning.
  QVERIFY(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 20);
}

// Predictions that are told by their order alone: one of each record of the file, or of each that was kept.
void ReviewPlacesTest::orderAlone() {
  struct Kind {
    const char *kind, *gold, *ofRecords, *ofKept;
  };
  for (const Kind& each :
       {Kind{"class", "sentence\tlabel\nx\ta\ny\nz\tb\n", "a\nb\nb\n", "a\nb\n"},
        Kind{"class", "{\"s\":\"x\",\"label\":\"a\"}\n{\"s\":\n{\"s\":\"z\",\"label\":\"b\"}\n", "a\nb\nb\n",
             "a\nb\n"},
        Kind{"choice",
             R"([{"context":"","question":"","answers":["a","b"],"label":0}, 4,
                 {"context":"","question":"","answers":["a","b"],"label":1}])",
             "0\n0\n1\n", "0\n1\n"}}) {
    ReviewSources sources{each.kind, put("order", each.gold), {}, {{"bad_lines", "skip"}}, {}};
    for (const char* predictions : {each.ofRecords, each.ofKept}) {
      sources.predictions = {{"A", put("order.txt", predictions)}};
      const auto review = open(sources);
      QVERIFY2(review.ok(), review.ok() ? "" : review.error().text().c_str());
      QCOMPARE(review->examples(), std::size_t{2});
      QCOMPARE(accuracyOf(*review), 100.0);
    }
    sources.predictions = {{"A", put("order.txt", "0\n1\n0\n1\n")}};
    QVERIFY(open(sources).error().text().find("4 predictions for 2 examples") != std::string::npos);
  }
}

// Beyond Z they are called AA, AB, …; a number is a place from 0.
void ReviewPlacesTest::manyOptions() {
  Json answers = Json::array();
  for (int i = 0; i < 30; ++i) answers.push_back("o" + std::to_string(i));
  Json questions = Json::array();
  for (int i = 0; i < 3; ++i)
    questions.push_back({{"context", "c"}, {"question", "q"}, {"answers", answers}, {"label", 28}});
  const Review review = open({"choice",
                              put("many.json", questions.dump()),
                              {},
                              Json::object(),
                              {{"A", put("many.txt", "AC\n28\no28\n")}}})
                            .value();
  QCOMPARE(accuracyOf(review), 100.0);
}

void ReviewPlacesTest::badGold_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QByteArray>("gold");
  QTest::addColumn<QByteArray>("predictions");
  QTest::newRow("class") << "class" << QByteArray("sentence\tlabel\nx\ta\ny\nz\t\nv\tb\n")
                         << QByteArray("index\tprediction\n0\ta\n3\tb\n");
  QTest::newRow("ids") << "class" << QByteArray("index\tsentence\tlabel\n4\tx\ta\n4\ty\tb\n5\tv\tb\n")
                       << QByteArray("index\tprediction\n4\ta\n5\tb\n");
  QTest::newRow("number") << "number" << QByteArray("sentence\tscore\nx\t1\ny\tno\nv\t2\n")
                          << QByteArray("index\tprediction\n0\t1\n2\t2\n");
  Json feature = Json::array();
  for (int i = 0; i < 20; ++i) feature.push_back(0);
  const Json page = {{"url", "u"},
                     {"VDOM", Json::array({{{"text", "a b"}, {"feature", feature}}}).dump()},
                     {"KeyPhrases", Json::array({Json::array({"a"})})}};
  QTest::newRow("phrases") << "phrases" << QByteArray::fromStdString(page.dump() + "\n{\"url\":3}\n")
                           << QByteArray(R"({"url":"u","KeyPhrases":[["a"]]})");
}

void ReviewPlacesTest::badGold() {
  QFETCH(QString, kind);
  QFETCH(QByteArray, gold);
  QFETCH(QByteArray, predictions);
  ReviewSources sources{kind.toStdString(),
                        put("bad_gold", gold.toStdString()),
                        {},
                        Json::object(),
                        {{"A", put("bad_pred", predictions.toStdString())}}};
  QVERIFY(!open(sources).ok());
  sources.options["bad_lines"] = "skip";
  const auto review = open(sources);
  QVERIFY2(review.ok(), review.ok() ? "" : review.error().text().c_str());
  QVERIFY(isSaid(review->gold.notes, "bad examples of the gold file are left out; the first: line "));
  QCOMPARE(review->models[0].missing, 0);
}

void ReviewPlacesTest::wordsOfOptions() {
  const std::string gold = put("words.tsv", "sentence\tlabel\nx\ta\ny\tb\n");
  for (const char* key : {"bad_lines", "examples"}) {
    const auto review = open({"class", gold, {}, {{key, "some"}}, {{"A", put("words.txt", "a\nb\n")}}});
    QVERIFY(!review.ok());
    QCOMPARE(review.error().kind, ErrorKind::Usage);
    QVERIFY(review.error().text().find("\"some\"") != std::string::npos);
  }
}

// Null odds are put to questions by id: what fits none is said, a file of another part is refused.
void ReviewPlacesTest::nullOddsOfOthers() {
  const std::string gold =
      put("null.json", R"({"data":[{"title":"t","paragraphs":[{"context":"one two","qas":[
      {"id":"p","question":"?","is_impossible":true,"answers":[]},
      {"id":"q","question":"?","answers":[{"text":"one","answer_start":0}]}]}]}]})");
  const std::string answers = put("null_answers.json", R"({"p":"","q":"one"})");
  const auto with = [&](const std::string& odds) {
    return open({"span", gold, {}, Json::object(), {{"A", answers, put("odds.json", odds)}}});
  };
  const Review review = with(R"({"p":3.5,"z":1})").value();
  QCOMPARE(review.models[0].outputs[0].nullScore, 3.5);
  QVERIFY(isSaid(review.models[0].notes, "1 null odds are for questions that the gold file does not have"));
  QVERIFY(isSaid(review.models[0].notes, "1 questions have no null odds"));
  const auto other = with(R"({"y":3.5,"z":1})");
  QVERIFY(!other.ok());
  QVERIFY(other.error().text().find("odds.json: the gold file has none of the 2 questions") !=
          std::string::npos);
  QVERIFY(!with(R"({"p":"much"})").ok());
}

QTEST_GUILESS_MAIN(ReviewPlacesTest)
#include "tst_review_places.moc"
