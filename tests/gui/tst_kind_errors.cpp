// SPDX-License-Identifier: Apache-2.0
// Predictions that are no SQL in the Errors workspace, with real keys and clicks.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

#include "app/window/errors/kind_review_page.h"
#include "tests/gui/support_errors_window.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/kind_comparison_panel.h"
#include "views/panels/errors/kind_example_panel.h"
#include "views/panels/errors/kind_open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/help_text.h"
#include "views/tables/kind_table_model.h"

using namespace fathom;
using test::waitUntil;

class KindErrorsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void filesAreOpenedFromThePage();
  void keysJudgeAndUndo();
  void filterFacetsAndSets();
  void comparisonLeadsToExamples();
  void wrongFilesAreExplained();
  void spansAreMarked();
  void sqlComesBack();

 private:
  QString write(const char* name, const QByteArray& bytes) const {
    QFile file(m_folder.filePath(QString::fromLatin1(name)));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
  }
  // Ten examples; "good" has 7 right, "poor" 4.
  KindSources classes() const {
    QByteArray gold = "sentence\tlabel\n", good, poor;
    for (int i = 0; i < 10; ++i) {
      gold += "text number " + QByteArray::number(i) + "\t" + (i % 2 ? "yes" : "no") + "\n";
      good += QByteArray((i < 7) == bool(i % 2) ? "yes\n" : "no\n");
      poor += QByteArray((i < 4) == bool(i % 2) ? "yes\n" : "no\n");
    }
    KindSources sources{"class", write("gold.tsv", gold).toStdString()};
    sources.predictions = {{"good", write("good.txt", good).toStdString()},
                           {"poor", write("poor.txt", poor).toStdString()}};
    return sources;
  }
  bool openClasses() {
    if (m_errors->open() == nullptr) return false;
    errors()->openKind(classes());
    return waitUntil([this] { return errors()->pages()->currentIndex() == ErrorsWorkspace::kKind; });
  }
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  KindReviewPage* page() const { return errors()->kindPage(); }
  KindErrorReview* review() const { return page()->review(); }
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    test::ErrorsWindow::press(key, modifiers);
  }
  QTemporaryDir m_folder;
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void KindErrorsTest::filesAreOpenedFromThePage() {
  QVERIFY(m_errors->open() != nullptr);
  m_errors->window()->action("errors.open_kind")->trigger();
  KindOpenPage* form = errors()->kindOpenPage();
  QVERIFY(form->isVisible() && !form->openButton()->isEnabled());
  const KindSources sources = classes();
  form->setKind(QStringLiteral("choice"));
  QVERIFY(form->field(QStringLiteral("label_column")) == nullptr);
  form->setKind(QStringLiteral("class"));
  QVERIFY(form->field(QStringLiteral("label_column")) != nullptr);
  QTest::keyClicks(form->field(QStringLiteral("gold")), QString::fromStdString(sources.gold));
  form->addPredictions({QString::fromStdString(sources.predictions[0].path)});
  QVERIFY(form->openButton()->isEnabled());
  QTest::mouseClick(form->openButton(), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return errors()->pages()->currentIndex() == ErrorsWorkspace::kKind; }));
  QCOMPARE(review()->examples(), 10);
  QCOMPARE(page()->predictions()->progressText(), QStringLiteral("0 of 3 reviewed"));
  // The next session opens it again.
  QVERIFY(m_errors->restart() ||
          waitUntil([this] { return errors()->pages()->currentIndex() == ErrorsWorkspace::kKind; }));
}

void KindErrorsTest::keysJudgeAndUndo() {
  QVERIFY(openClasses());
  QVERIFY(page()->predictions()->table()->hasFocus());
  press(Qt::Key_N);
  QCOMPARE(review()->currentExample(), 7);
  press(Qt::Key_2);  // ambiguous; then the next one
  QCOMPARE(review()->currentExample(), 8);
  QCOMPARE(review()->category(0, 7), int(*categoryIndex(review()->kind(), "ambiguous")));
  QVERIFY(review()->isHuman(0, 7));
  QCOMPARE(page()->predictions()->progressText(), QStringLiteral("1 of 3 reviewed"));
  press(Qt::Key_5);
  QCOMPARE(review()->category(0, 8), int(*categoryIndex(review()->kind(), "gold_error")));
  press(Qt::Key_P);
  QCOMPARE(review()->currentExample(), 8);
  press(Qt::Key_0);
  QVERIFY(!review()->isHuman(0, 8));
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(review()->isHuman(0, 8));
  press(Qt::Key_Z, Qt::ControlModifier);
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!review()->isHuman(0, 7));
  QCOMPARE(review()->currentExample(), 7);
  QVERIFY(page()->example()->history()->topLevelItemCount() == 2);
  press(Qt::Key_B);
  QCOMPARE(page()->example()->pinned(), 7);
  press(Qt::Key_N);
  QVERIFY(page()->example()->pinnedText()->isVisible());
  QVERIFY(page()->example()->pinnedText()->toPlainText().contains(QStringLiteral("text number 7")));
  QVERIFY(page()->example()->text()->toPlainText().contains(QStringLiteral("text number 8")));
  press(Qt::Key_T);
  QVERIFY(page()->example()->noteLine()->hasFocus());
  QTest::keyClicks(page()->example()->noteLine(), QStringLiteral("quokka"));
  press(Qt::Key_Return);
  QCOMPARE(review()->judgements().note(8), std::string("quokka"));
}

void KindErrorsTest::filterFacetsAndSets() {
  QVERIFY(openClasses());
  KindTableModel* model = page()->model();
  QCOMPARE(model->rowCount(), 10);
  QLineEdit* box = page()->predictions()->filterBox();
  box->setText(QStringLiteral("number 3"));
  QCOMPARE(model->filter().rows(), std::vector<int>{3});
  box->setText(QStringLiteral("/number [89]/"));
  QCOMPARE(model->filter().rows(), (std::vector<int>{8, 9}));
  box->setText(QStringLiteral("gold:yes is:unreviewed"));
  QCOMPARE(model->filter().rows(), (std::vector<int>{7, 9}));
  box->clear();
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAll));
  QCOMPARE(model->filter().rows(), (std::vector<int>{7, 8, 9}));
  page()->predictions()->showSubset(int(ReviewSubset::WrongInAny));
  QCOMPARE(model->rowCount(), 6);
  page()->predictions()->showSubset(int(ReviewSubset::All));
  QVERIFY(review()->setTags(5, {QStringLiteral("odd")}).ok());
  box->setText(QStringLiteral("tag:odd"));
  QCOMPARE(model->filter().rows(), std::vector<int>{5});
  // Sorting and every facet count agree with a plain look.
  box->clear();
  model->sort(model->categoryColumn(), Qt::DescendingOrder);
  QCOMPARE(model->exampleOfRow(0), 7);
  for (const ReviewFacet& facet : model->filter().facets())
    if (facet.id == QLatin1String("gold")) QCOMPARE(facet.values[0].count + facet.values[1].count, 10);
}

void KindErrorsTest::comparisonLeadsToExamples() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  QVERIFY(page()->comparing());
  QVERIFY(waitUntil([this] { return page()->comparison()->hasPairs(); }));
  QTableView* pairs = page()->comparison()->pairsView();
  QCOMPARE(pairs->model()->index(0, 2).data().toString(), QStringLiteral("3"));
  Q_EMIT pairs->clicked(pairs->model()->index(0, 2));
  QVERIFY(!page()->comparing());
  QCOMPARE(page()->model()->filter().rows(), (std::vector<int>{4, 5, 6}));
  const QString figure = m_folder.filePath(QStringLiteral("m.svg"));
  page()->exportFigure(figure);
  QVERIFY(QFile(figure).size() > 1000);
  const QString table = m_folder.filePath(QStringLiteral("t.csv"));
  page()->exportTable(table);
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("good"));
}

void KindErrorsTest::wrongFilesAreExplained() {
  QVERIFY(m_errors->open() != nullptr);
  KindSources sources = classes();
  sources.predictions[0].path = write("bad.tsv", "index\tprediction\n0\tyes\n0\tno\n").toStdString();
  errors()->openKind(sources);
  QVERIFY(waitUntil([this] { return errors()->pages()->currentIndex() == ErrorsWorkspace::kOpenKind; }));
  bool said = false;
  for (const QLabel* label : errors()->kindOpenPage()->findChildren<QLabel*>())
    said = said || label->text().contains(QStringLiteral("bad.tsv:3"));
  QVERIFY(said);
}

void KindErrorsTest::spansAreMarked() {
  QVERIFY(m_errors->open() != nullptr);
  KindSources sources{
      "span", write("s.json", R"({"data":[{"title":"T","paragraphs":[{"context":"Bob sat in the old cafe.",
    "qas":[{"id":"q","question":"Where?","answers":[{"text":"the old cafe","answer_start":11}]}]}]}]})")
                  .toStdString()};
  sources.predictions = {{"m", write("p.json", R"({"q":"in the old"})").toStdString()}};
  errors()->openKind(sources);
  QVERIFY(waitUntil([this] { return errors()->pages()->currentIndex() == ErrorsWorkspace::kKind; }));
  QCOMPARE(review()->categoryTitle(review()->category(0, 0)), QStringLiteral("Partly"));
  const QString html = page()->example()->html(0);
  QVERIFY(html.contains(QStringLiteral("background-color")) && html.contains(QStringLiteral("underline")));
  press(Qt::Key_6);  // unanswerable: a key that SQL does not have
  QCOMPARE(review()->category(0, 0), int(*categoryIndex(review()->kind(), "unanswerable")));
}

// SQL opened afterwards has its own keys and panels again.
void KindErrorsTest::sqlComesBack() {
  QVERIFY(openClasses());
  QVERIFY(m_errors->window()->action("errors.category1")->text().contains(QStringLiteral("Wrong class")));
  errors()->openSample();
  QVERIFY(waitUntil([this] { return errors()->pages()->currentIndex() == ErrorsWorkspace::kReview; }));
  QVERIFY(m_errors->window()->action("errors.category1")->text().contains(QStringLiteral("False neg.")));
  QVERIFY(!m_errors->window()->action("errors.category6")->isVisible());
  QVERIFY(review()->empty());
}

QTEST_MAIN(KindErrorsTest)
#include "tst_kind_errors.moc"
