// SPDX-License-Identifier: Apache-2.0
// Reviews of every kind: files are read, answers judged, scored and compared; people's categories win.
#include <QTest>
#include <cmath>
#include <ctime>
#include <set>

#include "core/library/records/project_library.h"
#include "core/record/formats/array_file.h"
#include "core/review/class_scores.h"
#include "core/review/imported_predictions.h"
#include "core/review/judgements.h"
#include "core/review/review.h"
#include "core/review/text_difference.h"
#include "support_fixtures.h"
#include "support_memory_peak.h"
#include "support_odd_json.h"
#include "support_review_files.h"

using namespace fathom;
using test::openedReview;
using test::scoreOf;
using tests::peakMegabytesOf;

class ReviewKindsTest : public QObject, private test::ReviewFiles {
  Q_OBJECT
 private Q_SLOTS:
  void entries();
  void differences();
  void judgements();
  void sets();
  void badFiles_data();
  void badFiles();
  void firstRowsAreKept();
  void goldWithQuotes();
  void realFormats();
  void manyRecords();
  void filesOfNothing();
  void oddMembers();
};

void ReviewKindsTest::entries() {
  std::set<std::string> ids;
  for (const ReviewKind& kind : reviewKinds()) {
    QVERIFY2(ids.insert(kind.id).second, kind.id.c_str());
    QVERIFY(kind.categories.size() <= 256 && kind.numbers.size() <= kReviewNumbers);
    // Of every kind people can say that gold is wrong, and that an answer is right after all.
    std::set<Counting> countings;
    for (const ReviewCategory& category : kind.categories)
      if (category.counting != Counting::AsScored)
        QVERIFY2(category.byPerson && countings.insert(category.counting).second, category.id.c_str());
    QCOMPARE(countings.size(), std::size_t{2});
    QCOMPARE(kind.categories[*categoryIndex(kind, "gold_error")].counting, Counting::NotAtAll);
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
  QCOMPARE(ids, (std::set<std::string>{"sql", "class", "number", "span", "choice", "translation", "phrases",
                                       "page"}));
  QVERIFY(!findReviewKind("clas").ok());
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
  ReviewSources sources{"class", classGold()};
  sources.predictions = {{"a", write("j1.txt", "1\n1\n0\n0\n")}, {"b", write("j2.txt", "1\n0\n0\n1\n")}};
  const Review review = openedReview(sources).value();
  auto judged = Judgements::load(review, library.get()).value();
  const std::size_t ambiguous = *categoryIndex(*review.kind, "ambiguous");
  QVERIFY(judged.setVerdict(0, 0, "ambiguous", "both fit", "me").ok());
  QCOMPARE(judged.category(1, 0), ambiguous);  // the same answer
  QVERIFY(judged.human(0, 1) == nullptr);
  QVERIFY(judged.setTags(2, {"b", "a", "a"}).ok());
  QVERIFY(judged.setNote(2, "look again").ok());
  QCOMPARE(judged.tags(2), (std::vector<std::string>{"a", "b"}));
  // The same predictions from another file find it; another answer of the system shows it as stale.
  sources.predictions = {{"a", write("j3.json", R"({"0":"entailment","1":1,"2":0,"3":0})")},
                         {"c", write("j4.tsv", "0\t1\n1\t0\n2\t0\n3\t1\n")}};
  const Review again = openedReview(sources).value();
  auto found = Judgements::load(again, library.get()).value();
  QCOMPARE(found.category(1, 0), ambiguous);
  QVERIFY(found.human(0, 0) == nullptr);
  QCOMPARE(found.stale(0, 0).size(), std::size_t{1});
  QCOMPARE(found.note(2), std::string("look again"));
  // Undo goes back through all of it, and the history keeps everything.
  QVERIFY(judged.undo().ok() && judged.undo().ok());
  QVERIFY(judged.tags(2).empty());
  QCOMPARE(judged.undo().value().value(), std::size_t{0});
  QVERIFY(judged.human(0, 0) == nullptr && !judged.undo().value());
  QCOMPARE(judged.redo().value().value(), std::size_t{0});
  QCOMPARE(judged.category(0, 0), ambiguous);
  QCOMPARE(judged.history(0, 0).value().size(), std::size_t{3});
}

void ReviewKindsTest::sets() {
  ReviewSources sources{"class", classGold()};
  sources.predictions = {{"a", write("s1.txt", "1\n1\n1\n1\n")}, {"b", write("s2.txt", "0\n1\n1\n0\n")}};
  const Review review = openedReview(sources).value();
  // Wrong: 0, 2 of a; 2, 3 of b.
  QVERIFY(isWrongInAll(review, 2) && isWrongInAny(review, 0) && !isWrongInAny(review, 1));
  QCOMPARE(onlyFirstRight(review, 0, 1), std::vector<std::size_t>{3});
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
  row("blank lines in front", "class", "\n\nsentence\tlabel\nx\n", "a\n",
      "gold:4: 1 columns where the first line has 2");
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
  const QByteArray spans = R"({"data":[{"paragraphs":[{"context":"a b","qas":[
      {"id":"p","question":"q","answers":[{"text":"a","answer_start":0}]},
      {"id":"q","question":"q","answers":[{"text":"b","answer_start":2}]}]}]}]})";
  row("cut answers", "span", spans, "{\"p\": \"a\",\n \"q\": \"b", "pred:2: not valid JSON");
  row("cut list", "span", spans, "[{\"id\": \"p\", \"answer\"", "pred:1: not valid JSON");
  row("list of texts", "span", spans, R"({"p": "a", "q": ["b", "c"]})",
      "pred:2: answer to q: a text is expected");
  row("an id twice", "span", spans, R"({"p": "a", "q": "b", "p": "b"})", "\"p\"");
  row("words", "number", "sentence\tscore\nx\t1\n", "one\n", "pred:1: a number is expected, not \"one\"");
  row("gold words", "number", "sentence\tscore\nx\tone\n", "1\n", "gold:2: \"one\" is no number");
  row("not finite", "number", "sentence\tscore\nx\t1\n", "nan\n", "pred:1: a number is expected");
  row("option", "choice", R"([{"context":"","question":"","answers":["a","b"],"label":0}])", "5\n",
      "pred:1: \"5\" is none of the 2 options");
  row("label", "choice", R"([{"context":"","question":"","answers":["a","b"],"label":2}])", "0\n",
      "label 2 of 2 options");
  row("label of text", "choice", R"([{"context":"","question":"","answers":["a","b"],"label":"1"}])", "0\n",
      "gold:1: question 1: label \"1\" of 2 options");
  row("hidden labels", "choice", R"([{"context":"","question":"","answers":["a","b"]}])", "0\n",
      "no question has a label");
  row("ids twice", "choice", R"([{"id_string":"v","context":"","question":"","answers":["a","b"],"label":0},
    {"id_string":"v","context":"","question":"","answers":["a","b"],"label":0}])",
      "0\n0\n", "gold:2: question 2: the id \"v\" is there twice");
  row("no data", "span", "{}", "{}", "there is no list \"data\"");
  row("no answers", "span",
      R"({"data":[{"title":"t","paragraphs":[{"context":"c","qas":[{"id":"i","question":"q","answers":[]}]}]}]})",
      "{}", "no question has an answer");
  row("answers", "span",
      "{\"data\":[{\"paragraphs\":[{\"context\":\"c\",\"qas\":[\n{\"id\":\"i\",\"question\":\"q\","
      "\"answers\":4}]}]}]}",
      "{}", "gold:2: question i: \"answers\" is no list");
  row("same ids", "span",
      R"({"data":[{"title":"t","paragraphs":[{"context":"c","qas":[{"id":"i","question":"q","is_impossible":true},
    {"id":"i","question":"q","is_impossible":true}]}]}]})",
      "{\"i\":\"\"}", "gold:2: the id \"i\" is there twice");
  row("lines", "translation", "a\nb\n", "a\n", "1 predictions for 2 examples");
}

void ReviewKindsTest::badFiles() {
  QFETCH(const QString, kind);
  QFETCH(const QByteArray, gold);
  QFETCH(const QByteArray, predictions);
  QFETCH(const QString, said);
  ReviewSources sources{kind.toStdString(), write("gold", gold)};
  sources.predictions = {{"m", write("pred", predictions)}};
  const auto review = openedReview(sources);
  QVERIFY(!review.ok());
  QVERIFY(review.error().kind == ErrorKind::Data);
  const QString text =
      QString::fromStdString(review.error().text()).replace(m_folder.path() + "/", QString());
  QVERIFY2(text.contains(said), qPrintable(text));
}

// Without headings a number names a column, also where the first row has it as a label.
void ReviewKindsTest::firstRowsAreKept() {
  const std::string rows = "the bay\t1\nthe ferry\t0\nit is\t1\n";
  ReviewSources sources;
  sources.kind = "class";
  sources.predictions = {{"a", write("a.tsv", "0\t1\n1\t1\n2\t0\n")}};
  const auto labelsOf = [&sources] {
    const Review review = openedReview(sources).value();
    std::string labels;
    for (const ReviewExample& example : review.gold.examples) labels += example.references.front();
    return labels + "/" + std::to_string(review.models[0].missing);
  };
  for (const char* label : {"", "1"})
    for (const char* texts : {"", "0"}) {
      sources.options = Json::object();
      if (*label != 0) sources.options["label_column"] = label;
      if (*texts != 0) sources.options["text_columns"] = texts;
      sources.gold = write("bare.tsv", QByteArray::fromStdString(rows));
      QCOMPARE(labelsOf(), std::string("101/0"));
    }
  sources.gold = write("numbered.tsv", QByteArray::fromStdString("0\t1\n" + rows));
  QCOMPARE(labelsOf(), std::string("101/0"));
  sources.options = {{"label_column", "kind"}, {"text_columns", "0"}};
  sources.gold = write("named.tsv", QByteArray::fromStdString("said\tkind\n" + rows));
  QCOMPARE(labelsOf(), std::string("101/0"));
  // Predictions without a heading: each line is one, and what fits no example is said.
  sources.predictions = {{"a", write("b.tsv", "number\tclass\n0\t1\n1\t1\n2\t0\n")}};
  const Review noted = openedReview(sources).value();
  QCOMPARE(noted.models[0].missing, 0);
  QVERIFY(!noted.models[0].notes.empty());
  QVERIFY(noted.models[0].notes.front().english().find("\"number\"") != std::string::npos);
}

// A table with quotes is told by its first lines, or by the option.
void ReviewKindsTest::goldWithQuotes() {
  const QByteArray csv = "text,label\n\"a ferry, \"\"old\"\"\",yes\n\"two\nlines\",no\nthe bay,yes\n";
  ReviewSources sources{"class", write("gold.csv", csv)};
  sources.predictions = {{"m", write("pred.txt", "yes\nno\nno\n")}};
  const Review review = openedReview(sources).value();
  QCOMPARE(review.examples(), std::size_t{3});
  QCOMPARE(review.gold.examples[0].texts[0], std::string("a ferry, \"old\""));
  QCOMPARE(review.gold.examples[1].texts[0], std::string("two\nlines"));
  QCOMPARE(review.gold.examples[2].line, std::int64_t{5});
  QVERIFY(!review.gold.notes.empty() && review.gold.notes.front().english().find("CSV") != std::string::npos);
  QByteArray tabs = csv;
  tabs.replace(',', '\t');
  sources.gold = write("gold.tsv", tabs);
  sources.options = {{"table_format", "csv"}};
  QCOMPARE(openedReview(sources).value().gold.examples[0].texts[0], std::string("a ferry\t \"old\""));
  sources.options = {{"table_format", "xls"}};
  QVERIFY(openedReview(sources).error().text().find("xls") != std::string::npos);
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
    const ReviewGold gold = findReviewKind(real.kind).value()->readGold({real.kind, path}).value();
    QVERIFY(gold.examples.size() > 100);
    if (real.examples > 0) QCOMPARE(gold.examples.size(), real.examples);
    QCOMPARE(gold.examples.front().texts.size(), real.texts);
    QVERIFY(gold.examples.front().label >= 0 && gold.notes.empty());
  }
}

// What a file asks for is bounded by its size: as many ids as there may be, and one record too many.
void ReviewKindsTest::manyRecords() {
  constexpr int kIds = 150000;
  std::string answers, facts;
  for (int i = 0; i < kIds; ++i) {
    answers += (i > 0 ? ",\"a" : "\"a") + std::to_string(i) + "\":\"x\"";
    facts += (i > 0 ? ",\"b" : "\"b") + std::to_string(i) + "\":[]";
  }
  const std::clock_t begin = std::clock();
  const auto file =
      parseImportedPredictions("{\"answer\":{" + answers + "},\"sp\":{" + facts + "}}", "h.json", false);
  QVERIFY2(file.ok(), file.ok() ? "" : file.error().text().c_str());
  QCOMPARE(file->records.size(), std::size_t{2 * kIds});
  // 45 thousand million comparisons when each id is looked for among all.
  QVERIFY(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 60);

  std::string zeros = "[0";
  while (zeros.size() < 12'000'000) zeros += ",0";
  zeros += "]";
  bool refused = false;
  const double megabytes =
      peakMegabytesOf([&] { refused = !parseImportedPredictions(zeros, "many.json", false).ok(); });
  QVERIFY(refused);
  QVERIFY2(megabytes < 700, qPrintable(QString::number(megabytes)));
}

// Files of right answers and of predictions with every member of every other type.
void ReviewKindsTest::oddMembers() {
  const auto lines = [](const Json& list) {
    QByteArray text;
    for (const Json& one : list) text += QByteArray::fromStdString(one.dump()) + '\n';
    return list.is_array() ? text : QByteArray::fromStdString(list.dump());
  };
  const auto whole = [](const Json& json) { return QByteArray::fromStdString(json.dump()); };
  const auto golds = [&](const char* kind, const char* json,
                         const std::function<QByteArray(const Json&)>& text) {
    const ReviewKind& review = *findReviewKind(kind).value();
    test::withEveryPartOdd(Json::parse(json), [&](const Json& odd) {
      for (const char* bad : {"refuse", "skip"})
        (void)review.readGold({kind, write("gold.json", text(odd)), {}, {{"bad_lines", bad}}});
    });
  };
  golds("class", R"([{"sentence": "a", "label": 1, "idx": 4}])", lines);
  golds("choice",
        R"([{"context": "c", "question": "q", "answers": ["a", "b"], "label": 0, "id_string": "1"}])", whole);
  golds("choice",
        R"([{"id": "1", "query": "q r", "candidates": ["a", "b"], "answer": "a", "supports": ["a b"]}])",
        whole);
  golds("span", R"({"version": "1.1", "data": [{"title": "t", "paragraphs": [{"context": "a b",
      "qas": [{"id": "1", "question": "q", "answers": [{"text": "a", "answer_start": 0}]}]}]}]})",
        whole);
  golds("span", R"([{"_id": "1", "question": "q", "answer": "a", "supporting_facts": [["t", 0]],
      "context": [["t", ["a b"]]]}])",
        whole);
  golds("phrases", R"([{"url": "u", "VDOM": "[]", "KeyPhrases": [["a"]]}])", lines);
  for (const char* json : {R"({"1": "a", "2": "b"})", R"({"answer": {"1": "a"}, "sp": {"1": [["t", 0]]}})",
                           R"([{"id": "1", "prediction": "a", "probabilities": [0.1, 0.9], "null_odds": 0.5,
             "facts": [["t", 0]], "details": {"phrases": [["a", "b"], "c"], "scores": {"a": 1}}}])"}) {
    test::withEveryPartOdd(Json::parse(json), [&](const Json& odd) {
      for (const bool texts : {false, true}) {
        (void)parseImportedPredictions(whole(odd).toStdString(), "odd.json", texts);
        (void)parseImportedPredictions(lines(odd).toStdString(), "odd.json", texts);
      }
      (void)readNullOdds(write("odds.json", whole(odd)));
    });
  }
  const Json set = Json::parse(R"([{"format": 1, "split": "test", "fields": {"reference": "gold"}},
      {"example": 0, "row": 3, "id": "x", "gold": "a", "prediction": "a", "details": {"null_odds": 1}}])");
  test::withEveryPartOdd(set, [&](const Json& odd) {
    (void)parseImportedPredictions(lines(odd).toStdString(), "odd.jsonl", false);
  });
}

// Lines and columns are looked at one by one: so many that only a mistake or malice makes them are refused,
// and many blank ones in front are passed over at once.
void ReviewKindsTest::filesOfNothing() {
  const auto read = [this](const char* kind, const QByteArray& gold) {
    return findReviewKind(kind).value()->readGold({kind, write("odd.tsv", gold)});
  };
  const auto refusal = [&read](const QByteArray& gold, const char* kind) {
    const Result<ReviewGold> made = read(kind, gold);
    return made.ok() ? std::string("read") : made.error().text();
  };
  const auto says = [](const std::string& text, const char* words) {
    QVERIFY2(text.find("odd.tsv") != std::string::npos && text.find(words) != std::string::npos,
             text.c_str());
  };
  const std::clock_t begin = std::clock();
  for (const char* kind : {"class", "number", "translation", "phrases"})
    says(refusal(QByteArray(10'000'001, '\n'), kind), "more than 10000000 lines");
  const QByteArray blank(2'000'000, '\n');
  QVERIFY(read("class", blank + "sentence\tlabel\na\tno\n").ok());
  says(refusal(QByteArray(5000, '\t') + "a\n", "class"), "odd.tsv:1: more than 4096 columns");
  says(refusal("sentence\tlabel\na\tno\nb\t" + QByteArray(5000, '\t'), "class"),
       "odd.tsv:3: more than 4096 columns");
  QVERIFY(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 60);
  const std::string cells = std::string(5000, '\t') + "a\n";
  QVERIFY(!parseImportedPredictions(cells, "predictions.tsv", false).ok());
  QVERIFY(!parseImportedPredictions("0\tyes\n1\t" + cells, "predictions.tsv", false).ok());
}

QTEST_APPLESS_MAIN(ReviewKindsTest)
#include "tst_review_kinds.moc"
