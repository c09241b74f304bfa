// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_attention_window.h"

#include <QAction>
#include <QListWidget>
#include <QTest>

#include "tests/gui/support_analysis_results.h"

namespace fathom::test {

bool AttentionWindow::settle() {
  return waitUntil([this] { return idle(); });
}

void AttentionWindow::choose(const char* analysis) {
  side()->setAnalysis(QString::fromLatin1(analysis));
  QVERIFY(settle());
}

bool AttentionWindow::open() {
  m_analysed = m_fixture->addRun("analysed");
  m_plain = m_fixture->addRun("plain");
  storeResult(m_analysed, "attention_entropy", "0001-00000005", madeEntropy(3, 4, 0));
  storeResult(m_analysed, "attention_entropy", "0001-00000010", madeEntropy(3, 4, 0.3));
  m_window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(m_window)) return false;
  if (!waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }))
    return false;
  m_window->service()->drain();
  if (!settled(m_window)) return false;
  m_window->selection()->set(Dimension::Run, {}, {}, nullptr);
  m_window->action("view.attention")->trigger();
  return settle();
}

void AttentionWindow::tick(const QString& run, bool on) {
  QListWidget* list = side()->runs();
  const QList<QListWidgetItem*> found = list->findItems(run, Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  found.front()->setCheckState(on ? Qt::Checked : Qt::Unchecked);
  QVERIFY(settle());
}

void AttentionWindow::click(AnalysisCanvas* on, const QString& selection) {
  const auto place = on->placeOf(selection);
  QVERIFY2(place.has_value(), qPrintable(selection));
  QTest::mouseClick(on, Qt::LeftButton, {}, place->toPoint());
  QVERIFY(settle());
}

}  // namespace fathom::test
