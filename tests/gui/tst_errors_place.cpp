// SPDX-License-Identifier: Apache-2.0
// Where somebody is in Errors: the row, the filter and the part stay with the person, whatever is done around
// them.
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWindow>

#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/jobs/job_center.h"
#include "tests/gui/support_errors_window.h"
#include "views/figure/figure_colours.h"
#include "views/look/theme.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;
using test::waitUntil;

namespace {

class LayoutRequests : public QObject {
 public:
  explicit LayoutRequests(QWidget* widget) { widget->installEventFilter(this); }
  int count = 0;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) ++count;
    return false;
  }
};

}  // namespace

class ErrorsPlaceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void anotherLanguageKeepsThePlace();
  void aRestartExecutesNothing();
  void oneRowIsSelectedAfterOpeningAndUndo();
  void filterMovesIntoItsList();
  void returnGoesToTheList();
  void setsSayHowMany();
  void aKeyLaysNothingOut();
  void chosenCategoryStandsOut();
  void theMenuMarksTheLanguage();

 private:
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  PredictionPanel* predictions() const { return errors()->sqlPage()->predictions(); }
  QLineEdit* filter() const { return predictions()->filterBox(); }
  ReviewedPredictions* review() const { return m_errors->review(); }
  QModelIndexList selected() const { return predictions()->table()->selectionModel()->selectedRows(); }
  // Rows that are painted as selected.
  int paintedRows() const;
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

int ErrorsPlaceTest::paintedRows() const {
  QTableView* table = predictions()->table();
  const QImage picture = table->viewport()->grab().toImage();
  const QColor selection = Theme::of(table->palette()).selection;
  const double ratio = picture.devicePixelRatio();
  int rows = 0;
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const QRect cell = table->visualRect(table->model()->index(row, 1));
    if (!table->viewport()->rect().contains(cell)) continue;
    const QPoint corner = (cell.topLeft() + QPoint(2, 2)) * ratio;
    // Under the pointer it is darker still; a row that is only pointed at is paler.
    rows += picture.pixelColor(corner).red() <= selection.red() ? 1 : 0;
  }
  return rows;
}

// A language makes the window anew: example, filter, set, facets, tab and part are those of before.
void ErrorsPlaceTest::anotherLanguageKeepsThePlace() {
  QVERIFY(m_errors->loadSample());
  QTest::keyClicks(filter(), "count");
  predictions()->showSubset(int(ReviewSubset::WrongInAny));
  Q_EMIT predictions()->facets()->ticked(ReviewFacets::kOwn, 0, true);
  errors()->sqlPage()->example()->tabs()->setCurrentIndex(1);
  const int rows = errors()->sqlPage()->model()->rowCount(),
            example = errors()->sqlPage()->model()->exampleOfRow(rows - 1);
  QVERIFY(rows > 1 && rows < review()->examples());
  review()->choose(1, example, nullptr);
  errors()->sqlPage()->comparison()->showFigure(errors()->sqlPage()->comparison()->figureIds().last());
  const QString figure = errors()->sqlPage()->comparison()->figureIds().last();
  m_errors->window()->action("errors.compare")->trigger();
  QVERIFY(m_errors->changeLanguage("zh_CN"));
  QCOMPARE(errors()->page(), ErrorsWorkspace::kCompare);
  QCOMPARE(errors()->sqlPage()->comparison()->figureBox()->currentData().toString(), figure);
  QCOMPARE(filter()->text(), QStringLiteral("count"));
  QCOMPARE(errors()->sqlPage()->model()->filter().subset(), ReviewSubset::WrongInAny);
  QVERIFY(errors()->sqlPage()->model()->filter().ticked(ReviewFacets::kOwn, 0));
  QCOMPARE(errors()->sqlPage()->model()->rowCount(), rows);
  QCOMPARE(review()->currentExample(), example);
  QCOMPARE(review()->currentModel(), 1);
  QCOMPARE(errors()->sqlPage()->example()->tabs()->currentIndex(), 1);
  QVERIFY(m_errors->changeLanguage("en"));
  QCOMPARE(filter()->text(), QStringLiteral("count"));
  QCOMPARE(errors()->sqlPage()->model()->rowCount(), rows);
}

// Executing the queries of a review may take minutes: what they gave is there after a restart, without the
// sandbox, and computed again when a database has changed or the store is damaged.
void ErrorsPlaceTest::aRestartExecutesNothing() {
  QTemporaryDir folder;
  const QString program = folder.filePath("sandbox"), off = folder.filePath("off"),
                log = folder.filePath("log");
  QFile script(program);
  QVERIFY(script.open(QFile::WriteOnly));
  script.write(QStringLiteral("#!/bin/sh\necho start >> %1\n[ -e %2 ] && exit 1\nexec %3 \"$@\"\n")
                   .arg(log, off, QLatin1String(FATHOM_BIN_DIR "/fathom-sqlrun"))
                   .toUtf8());
  script.close();
  QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  qputenv("FATHOM_SQLRUN", program.toUtf8());
  const auto starts = [&] {
    QFile file(log);
    return file.open(QFile::ReadOnly) ? int(file.readAll().count('\n')) : 0;
  };
  const auto executed = [this] {
    std::vector<std::string> said;
    for (const SpiderModel& model : sqlOf(*review()).models)
      for (const CategoryVerdict& verdict : model.verdicts) {
        said.push_back(errorCategoryId(verdict.category) + (" " + verdict.subType));
        for (const CategoryReason& reason : verdict.reasons)
          if (reason.rule == "F12" || reason.rule == "5.3(2)") said.push_back(reason.text());
      }
    return said;
  };
  QVERIFY(m_errors->loadSample());
  QVERIFY(starts() > 0);
  const auto before = executed();
  QVERIFY(before.size() > std::size_t(2 * review()->examples()));  // there are reasons of executed results
  // The results of the example in view are run when they are shown: they find no sandbox now.
  QFile(off).open(QFile::WriteOnly);
  const int notes = int(review()->review().gold.notes.size());
  QVERIFY(m_errors->restart());
  QVERIFY(waitUntil([this] { return m_errors->window()->jobs()->count() == 0; }));
  QCOMPARE(executed(), before);
  QCOMPARE(int(review()->review().gold.notes.size()), notes);
  // Damaged: a word, and everything is executed again.
  QFile::remove(off);
  const QDir kept(m_errors->project() + QStringLiteral("/cache/executions"));
  const QStringList files = kept.entryList({QStringLiteral("*.json")}, QDir::Files);
  QCOMPARE(files.size(), 2);
  for (const QString& name : files) {
    QFile file(kept.filePath(name));
    QVERIFY(file.open(QFile::ReadWrite) && file.seek(file.size() / 2) && file.write("#") == 1);
  }
  QVERIFY(m_errors->restart());
  QCOMPARE(executed(), before);
  QCOMPARE(int(review()->review().gold.notes.size()), notes + 2);
  QVERIFY(QString::fromStdString(review()->review().gold.notes.back().english()).contains("computed again"));
  QVERIFY(m_errors->restart());
  QCOMPARE(int(review()->review().gold.notes.size()), notes);
}

void ErrorsPlaceTest::oneRowIsSelectedAfterOpeningAndUndo() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(test::settled(m_errors->window()));
  QCOMPARE(selected().size(), 1);
  QCOMPARE(paintedRows(), 1);
  QTableView* table = predictions()->table();
  int row = 0;
  while (row < table->model()->rowCount() &&
         !review()->isWrong(review()->currentModel(), errors()->sqlPage()->model()->exampleOfRow(row)))
    ++row;
  QVERIFY(row < table->model()->rowCount());
  const QPoint at = table->visualRect(table->model()->index(row, 1)).center();
  QTest::mouseClick(m_errors->window()->windowHandle(), Qt::LeftButton, {},
                    table->viewport()->mapTo(m_errors->window(), at));
  QCOMPARE(review()->currentExample(), errors()->sqlPage()->model()->exampleOfRow(row));
  test::ErrorsWindow::press(Qt::Key_3);
  test::ErrorsWindow::press(Qt::Key_4);
  for (int i = 0; i < 2; ++i) {
    QTest::keyClick(m_errors->window()->windowHandle(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(selected().size(), 1);
    QCOMPARE(selected().first().row(), table->currentIndex().row());
    table->scrollTo(table->currentIndex());
    QVERIFY(test::settled(m_errors->window()));
    QCOMPARE(paintedRows(), 1);
  }
}

// What the filter leaves out is not looked at any longer: the first of its list is.
void ErrorsPlaceTest::filterMovesIntoItsList() {
  QVERIFY(m_errors->loadSample());
  PredictionTableModel* model = errors()->sqlPage()->model();
  const auto shownIsListed = [&] { return model->rowOfExample(review()->currentExample()) >= 0; };
  filter()->setFocus();
  filter()->setText(QStringLiteral("hardness:hard"));
  const int hard = model->exampleOfRow(0);
  review()->choose(0, hard, nullptr);
  filter()->setText(QStringLiteral("hardness:easy"));
  QVERIFY(!shownIsListed());
  QVERIFY(waitUntil(shownIsListed));
  QCOMPARE(review()->currentExample(), model->exampleOfRow(0));
  // One that stays in the list stays in view.
  review()->choose(0, model->exampleOfRow(model->rowCount() - 1), nullptr);
  const int last = review()->currentExample();
  filter()->clear();
  QTest::keyClicks(filter(), "easy");
  filter()->clear();
  QTest::qWait(400);  // longer than the pause after which it would move
  QCOMPARE(review()->currentExample(), last);
  // Nothing is left: that is said, and the example stays.
  QTest::keyClicks(filter(), "no such thing anywhere");
  QTest::qWait(400);  // longer than the pause after which it would move
  QCOMPARE(review()->currentExample(), last);
  bool said = false;
  for (const QLabel* label : predictions()->findChildren<QLabel*>())
    said = said || (label->isVisible() && label->text().contains(QStringLiteral("#%1 is not in").arg(last)));
  QVERIFY(said);
}

void ErrorsPlaceTest::returnGoesToTheList() {
  QVERIFY(m_errors->loadSample());
  test::ErrorsWindow::press(Qt::Key_F, Qt::ControlModifier);
  QVERIFY(filter()->hasFocus());
  QTest::keyClicks(filter(), "hardness:hard");
  QTest::keyClick(filter(), Qt::Key_Return);
  QVERIFY(predictions()->table()->hasFocus());
  QCOMPARE(review()->currentExample(), errors()->sqlPage()->model()->exampleOfRow(0));
  QCOMPARE(selected().size(), 1);
  QCOMPARE(selected().first().row(), 0);
}

void ErrorsPlaceTest::setsSayHowMany() {
  QVERIFY(m_errors->loadSample());
  int right = 0;
  for (int i = 0; i < review()->examples(); ++i) right += review()->isRight(review()->currentModel(), i);
  bool found = false;
  for (const QComboBox* box : predictions()->findChildren<QComboBox*>())
    found = found || box->findText(QStringLiteral("right here (%1)").arg(right)) >= 0;
  QVERIFY(found && right > 0);
}

// Laying out means painting all panels, at every key of the filter; counts that stay as they are ask for
// none.
void ErrorsPlaceTest::aKeyLaysNothingOut() {
  QVERIFY(m_errors->loadSample());
  // An example that no key leaves out: one that is left out is said, in more words than the counts.
  QTest::keyClicks(filter(), "count");
  QTest::keyClick(filter(), Qt::Key_Return);
  filter()->clear();
  filter()->setFocus();
  QTest::keyClicks(filter(), "c");
  QVERIFY(test::settled(m_errors->window()));
  LayoutRequests requests(predictions());
  const int before = errors()->sqlPage()->model()->rowCount();
  QTest::keyClicks(filter(), "ount");
  QVERIFY(test::settled(m_errors->window()));
  QVERIFY(errors()->sqlPage()->model()->rowCount() < before);
  QCOMPARE(requests.count, 0);
  predictions()->filterBox()->updateGeometry();
  QVERIFY2(waitUntil([&] { return requests.count > 0; }), "requests are not counted");
}

// The button of the category that a person chose is filled with the accent, its text is readable on it.
void ErrorsPlaceTest::chosenCategoryStandsOut() {
  QVERIFY(m_errors->loadSample());
  test::ErrorsWindow::press(Qt::Key_N);
  const int example = review()->currentExample();
  test::ErrorsWindow::press(Qt::Key_3);
  review()->choose(review()->currentModel(), example, nullptr);
  for (const char* look : {"theme.dark", "theme.light", "theme.contrast"}) {
    m_errors->window()->action(QLatin1String(look))->trigger();
    QVERIFY(test::settled(m_errors->window()));
    const Theme& theme = Theme::of(predictions()->palette());
    for (int i = 1; i <= 4; ++i) {
      auto* button =
          errors()->sqlPage()->example()->findChild<QToolButton*>(QStringLiteral("errors.category%1").arg(i));
      QCOMPARE(button->isChecked(), i == 3);
      const QImage picture = button->grab().toImage();
      const QColor fill = picture.pixelColor(int(4 * picture.devicePixelRatio()), picture.height() / 2);
      QVERIFY2((fill.rgb() == theme.accent.rgb()) == (i == 3), qPrintable(fill.name()));
      if (i != 3) continue;
      double best = 0;
      for (int x = 0; x < picture.width(); ++x)
        best = qMax(best, contrastRatio(picture.pixelColor(x, picture.height() / 2), fill));
      QVERIFY2(best >= 4.5, qPrintable(QString::number(best)));
    }
  }
  m_errors->window()->action("theme.light")->trigger();
}

void ErrorsPlaceTest::theMenuMarksTheLanguage() {
  QVERIFY(m_errors->openWindow() != nullptr);
  QVERIFY(m_errors->window()->action("language.en")->isChecked());
  QVERIFY(!m_errors->window()->action("language.zh_CN")->isChecked());
}

QTEST_MAIN(ErrorsPlaceTest)
#include "tst_errors_place.moc"
