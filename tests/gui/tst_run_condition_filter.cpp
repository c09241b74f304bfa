// SPDX-License-Identifier: Apache-2.0
// A condition typed into the filter of the run table.
#include <QAbstractItemView>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <limits>

#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;

namespace {

RunItem conditionRun(int i) {
  RunItem run;
  run.uuid = QStringLiteral("run-%1").arg(i);
  run.name = QStringLiteral("nmt seed %1").arg(i);
  run.state = i % 5 == 0 ? RunState::Diverged : RunState::Finished;
  run.best["valid.bleu"] = 20 + i % 20;
  run.last["valid.bleu"] = 19;
  if (i % 20 == 0) run.job.place = QStringLiteral("box");
  if (i == 1) run.origin = QStringLiteral("wandb /there");
  Json options = {{"model.layers", 6 * (1 + i % 3)}, {"seed", i}, {"task", "nmt"}};
  for (int k = 0; k < 80; ++k) options["encoder.option" + std::to_string(k)] = k;
  run.config = options;
  return run;
}

QVector<RunItem> conditionRuns(int count) {
  QVector<RunItem> runs;
  for (int i = 0; i < count; ++i) runs.append(conditionRun(i));
  return runs;
}

}  // namespace

class RunConditionFilterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { m_panel.reset(); }
  void conditionIsTyped();
  void errorStandsThereWhileItIsTyped();
  void wordsStayASearch();
  void namesAreOffered();
  void unknownNameIsTold();
  void tenThousandRunsWithinAFrame();

 private:
  int shown() const { return m_panel->table()->model()->rowCount(); }
  QLabel* problem() const;
  std::unique_ptr<RunTableModel> m_model;
  std::unique_ptr<RunTablePanel> m_panel;
};

void RunConditionFilterTest::init() {
  m_panel.reset();
  m_model = std::make_unique<RunTableModel>();
  m_model->setRuns(conditionRuns(60));
  m_panel = std::make_unique<RunTablePanel>(m_model.get());
  m_panel->resize(900, 400);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
  m_panel->filterBox()->setFocus();
}

QLabel* RunConditionFilterTest::problem() const {
  return m_panel->findChild<QLabel*>(QStringLiteral("filterProblem"));
}

void RunConditionFilterTest::conditionIsTyped() {
  QTest::keyClicks(m_panel->filterBox(), "valid.bleu > 30 and layers >= 12");
  QTRY_COMPARE(shown(), 18);
  QVERIFY(problem()->isHidden());
  m_panel->filterBox()->clear();
  QTest::keyClicks(m_panel->filterBox(), "state = diverged and not name ~ 5");
  QTRY_COMPARE(shown(), 5);
  m_panel->filterBox()->clear();
  QTest::keyClicks(m_panel->filterBox(), "place = box");
  QTRY_COMPARE(shown(), 3);
  m_panel->filterBox()->clear();
  QTest::keyClicks(m_panel->filterBox(), "place = local");
  QTRY_COMPARE(shown(), 56);  // one of the others is another program's
}

// What was shown stays until the condition is whole.
void RunConditionFilterTest::errorStandsThereWhileItIsTyped() {
  QTest::keyClicks(m_panel->filterBox(), "valid.bleu > 30");
  QTRY_COMPARE(shown(), 27);
  QTest::keyClicks(m_panel->filterBox(), " and layers >");
  QVERIFY(problem()->isVisible());
  QVERIFY2(problem()->text().contains("a number"), qPrintable(problem()->text()));
  QCOMPARE(shown(), 27);
  QTest::keyClicks(m_panel->filterBox(), " 12");
  QTRY_VERIFY(problem()->isHidden());
  QTRY_COMPARE(shown(), 9);
}

void RunConditionFilterTest::wordsStayASearch() {
  QTest::keyClicks(m_panel->filterBox(), "layers=12 diverged");
  QTRY_COMPARE(shown(), 4);
  m_panel->filterBox()->clear();
  QTest::keyClicks(m_panel->filterBox(), "/seed 1$/");
  QTRY_COMPARE(shown(), 1);
}

void RunConditionFilterTest::namesAreOffered() {
  QLineEdit* box = m_panel->filterBox();
  QTest::keyClicks(box, "va");
  QTest::keyClick(box, Qt::Key_Space, Qt::ControlModifier);
  QWidget* list = nullptr;
  QTRY_VERIFY((list = QApplication::activePopupWidget()) != nullptr);
  QCOMPARE(list->objectName(), QStringLiteral("conditionNames"));
  QTest::keyClick(list, Qt::Key_Down);
  QTest::keyClick(list, Qt::Key_Return);
  QTRY_COMPARE(box->text(), QStringLiteral("valid.bleu"));
  QTest::keyClicks(box, " > 30 and lay");
  QTRY_VERIFY((list = QApplication::activePopupWidget()) != nullptr);
  QTest::keyClick(list, Qt::Key_Down);
  QTest::keyClick(list, Qt::Key_Return);
  QTRY_COMPARE(box->text(), QStringLiteral("valid.bleu > 30 and model.layers"));
  QTest::keyClicks(box, " > 6");
  QVERIFY(QApplication::activePopupWidget() == nullptr);
  QTRY_COMPARE(shown(), 18);
}

void RunConditionFilterTest::unknownNameIsTold() {
  QTest::keyClicks(m_panel->filterBox(), "vaild.bleu > 30");
  QTRY_COMPARE(shown(), 0);
  const auto* text = m_panel->findChild<QLabel*>(QStringLiteral("emptyText"));
  bool told = false;
  for (const QLabel* label : m_panel->findChildren<QLabel*>(text->objectName()))
    told = told || (label->isVisible() && label->text().contains("did you mean 'valid.bleu'?"));
  QVERIFY(told);
}

void RunConditionFilterTest::tenThousandRunsWithinAFrame() {
  const QVector<RunItem> runs = conditionRuns(10000);
  RunTableModel model;
  model.setRuns(runs);
  RunFilterModel filter;
  filter.setSourceModel(&model);
  qint64 least = std::numeric_limits<qint64>::max();
  for (int round = 0; round < 5; ++round) {
    filter.setFilter({});
    QElapsedTimer timer;
    timer.start();
    QVERIFY(filter.setFilter(QStringLiteral("valid.bleu > 38 and layers >= 12")));
    least = qMin(least, timer.nsecsElapsed());
  }
  QCOMPARE(filter.rowCount(), 333);
  QVERIFY2(least < 16'000'000, qPrintable(QString::number(least)));
}

QTEST_MAIN(RunConditionFilterTest)
#include "tst_run_condition_filter.moc"
