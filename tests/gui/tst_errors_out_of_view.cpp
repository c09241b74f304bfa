// SPDX-License-Identifier: Apache-2.0
// A review that is not in view is not changed: by keys behind the page that opens files, by lines that
// somebody types in while another example or another review comes.
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <QTreeWidget>

#include "app/window/errors/errors_actions.h"
#include "tests/gui/support_errors_window.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/sql_editor.h"

using namespace fathom;
using test::ErrorsWindow;
using test::settled;

class ErrorsOutOfViewTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_errors = std::make_unique<ErrorsWindow>();
    QVERIFY(m_errors->loadSample());
    ErrorsWindow::press(Qt::Key_N);  // a wrong one
    QVERIFY(settled(m_errors->window()));
  }
  void cleanup() { m_errors.reset(); }
  void keysBehindTheFormJudgeNothing();
  void theFormIsKeptForEachSide();
  void anotherKindAsksNoColumn();
  void tagsStayWithTheirExample();
  void whoLeavesNoLongerEdits();
  void theFilterComesIntoView();

 private:
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  ReviewedPredictions* review() const { return m_errors->review(); }
  QAction* action(const char* id) const { return m_errors->window()->action(QLatin1String(id)); }
  NoteLines* notes() const { return errors()->sqlPage()->example()->notes(); }
  std::unique_ptr<ErrorsWindow> m_errors;
};

void ErrorsOutOfViewTest::keysBehindTheFormJudgeNothing() {
  const int model = review()->currentModel(), example = review()->currentExample();
  ErrorsWindow::press(Qt::Key_1);
  QVERIFY(review()->isHuman(model, example));
  const int next = review()->currentExample();
  action("errors.open")->trigger();
  QCOMPARE(errors()->page(), ErrorsWorkspace::kOpen);
  errors()->openPage()->files()->setFocus();
  ErrorsWindow::press(Qt::Key_1);
  ErrorsWindow::press(Qt::Key_N);
  ErrorsWindow::press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!action("errors.next")->isEnabled() && !action("errors.clear")->isEnabled());
  QCOMPARE(review()->currentExample(), next);
  QVERIFY(!review()->isHuman(model, next));
  QVERIFY(review()->isHuman(model, example));  // nothing was undone
  action("errors.review")->trigger();
  ErrorsWindow::press(Qt::Key_1);
  QVERIFY(review()->isHuman(model, next));
}

void ErrorsOutOfViewTest::theFormIsKeptForEachSide() {
  action("errors.open_kind")->trigger();
  auto* gold = errors()->openPage()->findChild<QLineEdit*>(QStringLiteral("gold"));
  QTest::keyClicks(gold, QStringLiteral("labels.tsv"));
  ErrorsWindow::press(Qt::Key_Escape);
  action("errors.open")->trigger();
  QVERIFY(errors()->openPage()->sources().gold != "labels.tsv");
  ErrorsWindow::press(Qt::Key_Escape);
  action("errors.open_kind")->trigger();
  QCOMPARE(errors()->openPage()->sources().gold, std::string("labels.tsv"));
}

void ErrorsOutOfViewTest::anotherKindAsksNoColumn() {
  action("errors.open")->trigger();
  OpenPage* page = errors()->openPage();
  page->setSources({"sql", {}});
  page->addPredictions({QStringLiteral("/nowhere/answers.csv")});
  page->setColumns(QStringLiteral("/nowhere/answers.csv"), {QStringLiteral("id"), QStringLiteral("label")},
                   {});
  QTreeWidgetItem* file = page->files()->topLevelItem(0);
  const int third = page->files()->columnCount() - 1;
  QVERIFY(page->files()->itemWidget(file, third) != nullptr);
  page->setFileProblem(QStringLiteral("/nowhere/answers.csv"), QStringLiteral("no SQL"));
  page->setKind(QStringLiteral("class"));
  QCOMPARE(page->files()->topLevelItemCount(), 1);
  QVERIFY(page->files()->itemWidget(file, third) == nullptr);
  QVERIFY(file->text(third).isEmpty() && file->icon(1).isNull());
  QVERIFY(page->sources().predictions.front().column.empty());
}

void ErrorsOutOfViewTest::tagsStayWithTheirExample() {
  const int example = review()->currentExample();
  const QList<QLineEdit*> lines = notes()->findChildren<QLineEdit*>();
  QLineEdit* tags = lines.at(0) == notes()->line() ? lines.at(1) : lines.at(0);
  tags->setFocus();
  QTest::keyClicks(tags, QStringLiteral("join, odd"));
  action("errors.next")->trigger();  // by the menu: the line keeps the focus
  const int next = review()->currentExample();
  QVERIFY(next != example);
  QVERIFY(tags->text().isEmpty());
  QCOMPARE(review()->judgements().tags(std::size_t(example)).size(), std::size_t(2));
  QVERIFY(review()->judgements().tags(std::size_t(next)).empty());
}

void ErrorsOutOfViewTest::whoLeavesNoLongerEdits() {
  action("errors.edit")->trigger();
  QVERIFY(errors()->sqlPage()->example()->editing());
  QVERIFY(action("errors.edit")->isChecked());
  action("errors.compare")->trigger();
  action("errors.review")->trigger();
  QVERIFY(!action("errors.edit")->isChecked());
  QVERIFY(!errors()->sqlPage()->example()->editing());
}

void ErrorsOutOfViewTest::theFilterComesIntoView() {
  action("errors.compare")->trigger();
  QCOMPARE(errors()->page(), ErrorsWorkspace::kCompare);
  ErrorsWindow::press(Qt::Key_F, Qt::ControlModifier);
  QCOMPARE(errors()->page(), ErrorsWorkspace::kReview);
  QVERIFY(errors()->sqlPage()->predictions()->filterBox()->hasFocus());
}

QTEST_MAIN(ErrorsOutOfViewTest)
#include "tst_errors_out_of_view.moc"
