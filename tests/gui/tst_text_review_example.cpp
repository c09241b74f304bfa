// SPDX-License-Identifier: Apache-2.0
// One example of predictions that are no SQL in the Errors workspace: its table, its marks, its verdict.
#include <QFile>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "tests/gui/support_text_review.h"
#include "views/figures/review_tables.h"
#include "views/look/theme.h"
#include "views/panels/errors/open_page.h"

using namespace fathom;
using test::waitUntil;

class TextExampleTest : public test::TextReviewTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void examplesAreATable();
  void mostConfidentErrorsComeFirst();
  void nullOddsBelongToPredictions();
  void spansAreMarked();
  void longPassagesShowTheirAnswer();
  void wrongPhrasesAreMarkedWhole();
  void judgementIsMarkedWhereItCounts();
};

// The rows of the list as a table: what the filter shows, as CSV and LaTeX.
void TextExampleTest::examplesAreATable() {
  QVERIFY(openClasses());
  page()->predictions()->filterBox()->setText(QStringLiteral("is:unreviewed"));
  const auto exported = [&](const char* name) {
    page()->exportTable(m_folder.filePath(QLatin1String(name)));
    QFile file(m_folder.filePath(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray csv = exported("examples.csv"), latex = exported("examples.tex");
  QCOMPARE(csv.trimmed().split('\n').size(), 4);  // a heading and 7, 8, 9
  QVERIFY2(csv.contains("8,text number 8,no,yes,Wrong class,yes,Wrong class"), csv.constData());
  QVERIFY(latex.contains("\\toprule") && latex.contains("text number 9"));
}

// Sorted by confidence, the largest first, among those that are wrong.
void TextExampleTest::mostConfidentErrorsComeFirst() {
  QVERIFY(m_errors->open() != nullptr);
  QByteArray gold = "sentence\tlabel\n", lines;
  for (int i = 0; i < 6; ++i) {
    gold += "text\t0\n";
    const double wrong = i < 4 ? 0.6 + 0.1 * ((i + 2) % 4) : 0.1;  // .8 .9 .6 .7, then right
    lines += "{\"index\":" + QByteArray::number(i) + ",\"probs\":[" + QByteArray::number(1 - wrong) + "," +
             QByteArray::number(wrong) + "]}\n";
  }
  gold += "text\t1\n";
  lines += "{\"index\":6,\"probs\":[0.1,0.9]}\n";
  ReviewSources sources{"class", write("sure.tsv", gold).toStdString()};
  sources.predictions = {{"m", write("sure.jsonl", lines).toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  page()->predictions()->showSubset(int(ReviewSubset::WrongHere));
  page()->predictions()->table()->sortByColumn(page()->model()->categoryColumn() + 1, Qt::DescendingOrder);
  QCOMPARE(page()->model()->filter().rows(), (std::vector<int>{1, 0, 3, 2}));
}

// SQuAD's null odds have a place in the form: a column of the list, a button that chooses the file.
void TextExampleTest::nullOddsBelongToPredictions() {
  QVERIFY(m_errors->open() != nullptr);
  m_errors->window()->action("errors.open_kind")->trigger();
  OpenPage* form = errors()->openPage();
  form->setKind(QStringLiteral("class"));
  QVERIFY(!form->findChild<QPushButton*>("nullOdds")->isVisible() && form->files()->isColumnHidden(2));
  form->setKind(QStringLiteral("span"));
  QVERIFY(form->findChild<QPushButton*>("nullOdds")->isVisible() && !form->files()->isColumnHidden(2));
  QVERIFY(!form->findChild<QPushButton*>("nullOdds")->isEnabled());
  form->setPath(QStringLiteral("gold"),
                write("n.json", R"({"data":[{"title":"T","paragraphs":[{"context":"Bob sat.","qas":[
    {"id":"a","question":"Who?","answers":[{"text":"Bob","answer_start":0}]},
    {"id":"b","question":"Why?","answers":[],"is_impossible":true}]}]}]})"));
  form->addPredictions({write("spans.json", R"({"a":"Bob","b":"sat"})")});
  QVERIFY(form->findChild<QPushButton*>("nullOdds")->isEnabled());
  form->setPath(QStringLiteral("null_odds"), write("odds.json", R"({"a":-3.5,"b":2.25})"));
  QCOMPARE(form->sources().predictions[0].nullOdds, m_folder.filePath("odds.json").toStdString());
  QTest::mouseClick(form->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QCOMPARE(review()->output(0, 1).nullScore, 2.25);
  // They are part of what the project remembers.
  form->setSources(review()->review().sources);
  QCOMPARE(form->sources().predictions[0].nullOdds, m_folder.filePath("odds.json").toStdString());
}

void TextExampleTest::spansAreMarked() {
  QVERIFY(m_errors->open() != nullptr);
  ReviewSources sources{
      "span", write("s.json", R"({"data":[{"title":"T","paragraphs":[{"context":"Bob sat in the old cafe.",
    "qas":[{"id":"q","question":"Where?","answers":[{"text":"the old cafe","answer_start":11}]}]}]}]})")
                  .toStdString()};
  sources.predictions = {{"m", write("p.json", R"({"q":"in the old"})").toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  QCOMPARE(review()->categoryTitle(review()->category(0, 0)), QStringLiteral("Partly"));
  const QString html = page()->example()->html(0);
  QVERIFY(html.contains(QStringLiteral("background-color")) && html.contains(QStringLiteral("underline")));
  press(Qt::Key_6);  // unanswerable: a key that SQL does not have
  QCOMPARE(review()->category(0, 0), int(*categoryIndex(review()->kind(), "unanswerable")));
}

// Of a passage of 100,000 words the part around the answer is shown.
void TextExampleTest::longPassagesShowTheirAnswer() {
  QVERIFY(m_errors->open() != nullptr);
  std::string passage;
  for (int i = 0; i < 100000; ++i) passage += "élan ";
  const std::size_t start = 5 * 100000;
  passage += "quokka";
  Json question = {{"id", "q"}, {"question", "Which?"}};
  question["answers"] = Json::array({{{"text", "quokka"}, {"answer_start", start}}});
  const Json paragraph = {{"context", passage}, {"qas", Json::array({question})}};
  const Json gold = {{"data", Json::array({{{"title", "T"}, {"paragraphs", Json::array({paragraph})}}})}};
  ReviewSources sources{"span", write("long.json", gold.dump().c_str()).toStdString()};
  sources.predictions = {{"m", write("long.p.json", R"({"q":"élan élan"})").toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  const QString html = page()->example()->html(0);
  QVERIFY(html.contains(QStringLiteral(">quokka</span>")) && html.contains(QStringLiteral("… ")));
  QVERIFY(!html.contains(QChar::ReplacementCharacter) && html.size() < 400000);
}

// A phrase that is right is not marked for its neighbour's sake.
void TextExampleTest::wrongPhrasesAreMarkedWhole() {
  QVERIFY(m_errors->open() != nullptr);
  Json record = {{"url", "u"},
                 {"VDOM", Json::array({{{"text", "Velmora ferry"}, {"feature", std::vector<int>(20, 1)}}})},
                 {"KeyPhrases", Json::array({Json{"velmora", "ferry"}})}};
  ReviewSources sources{"phrases", write("p.jsonl", record.dump().c_str()).toStdString()};
  record.erase("VDOM");
  record["KeyPhrases"] = Json::array({Json{"Velmora", "boat"}, Json{"Velmora", "ferry"}});
  sources.predictions = {{"m", write("k.jsonl", record.dump().c_str()).toStdString()}};
  errors()->open(sources);
  QVERIFY(waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; }));
  const QString html = page()->example()->html(0);
  QVERIFY2(html.contains(QStringLiteral(">Velmora boat</span>; Velmora ferry")), qPrintable(html));
}

// The button of what a person chose is filled with the accent, on the examples where that counts.
void TextExampleTest::judgementIsMarkedWhereItCounts() {
  QVERIFY(openClasses());
  const auto marked = [this] {
    QList<int> numbers;
    const QColor accent = Theme::of(page()->palette()).accent;
    for (int i = 1; i <= 4; ++i) {
      QToolButton* button = category(i);
      const QImage picture = button->grab().toImage();
      const QColor fill = picture.pixelColor(int(4 * picture.devicePixelRatio()), picture.height() / 2);
      if (button->isChecked() && fill.rgb() == accent.rgb()) numbers.append(i);
      if (button->isChecked() != (fill.rgb() == accent.rgb())) numbers.append(-i);
    }
    return numbers;
  };
  QCOMPARE(review()->currentExample(), 7);  // the first wrong one
  QCOMPARE(marked(), QList<int>());
  QToolButton* second = category(2);
  QTest::mouseClick(second, Qt::LeftButton);
  QCOMPARE(review()->currentExample(), 8);  // the next one, of which nothing was said
  QCOMPARE(marked(), QList<int>());
  review()->choose(0, 7, nullptr);
  QCOMPARE(marked(), QList<int>{2});
  press(Qt::Key_0);
  QCOMPARE(marked(), QList<int>());
  // Of the last one nothing follows: it stays, and what was said of it is marked.
  review()->choose(0, 9, nullptr);
  QTest::mouseClick(second, Qt::LeftButton);
  QCOMPARE(review()->currentExample(), 9);
  QCOMPARE(marked(), QList<int>{2});
  // A prediction that is right has no error to name.
  review()->choose(0, 0, nullptr);
  QVERIFY(!second->isEnabled());
  QCOMPARE(marked(), QList<int>());
}

QTEST_MAIN(TextExampleTest)
#include "tst_text_review_example.moc"
