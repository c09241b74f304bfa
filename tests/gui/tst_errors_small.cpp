// SPDX-License-Identifier: Apache-2.0
// Errors where there is little room: small windows and large texts.
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/pictures/view_faults.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/session/appearance.h"
#include "tests/gui/support_errors_window.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/hypothesis_panel.h"
#include "views/panels/errors/judgement_history.h"
#include "views/panels/errors/note_lines.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/schema_panel.h"
#include "views/panels/errors/sql_editor.h"
#include "views/tables/prediction_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

class ErrorsSmallTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() {
    m_errors->host().appearance()->setTextPercent(100);
    m_errors.reset();
  }
  void everyExampleIsUsable_data();
  void everyExampleIsUsable();
  void foldedPartsAreTabs();

 private:
  bool open(const QSize& size, int percent) {
    if (!m_errors->loadSample()) return false;
    m_errors->host().appearance()->setTextPercent(percent);
    m_errors->window()->resize(size);
    return settled(m_errors->window()) && m_errors->window()->size() == size;
  }
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  QTabWidget* tabs() const { return errors()->sqlPage()->example()->tabs(); }
  // Overlaps, squeezed parts and cut texts of what is in view.
  QStringList faults() const {
    QStringList found;
    QWidget* view = errors()->widget();
    for (const ViewFault& fault : viewFaults(view, view->grab().toImage()))
      if (fault.kind != ViewFault::Kind::Contrast)
        found.append(faultWord(fault.kind) + u' ' + fault.where + u' ' + fault.what);
    return found;
  }
  // By the mouse.
  void show(const QString& tab) const {
    QTabBar* bar = tabs()->tabBar();
    for (int i = 0; i < bar->count(); ++i)
      if (bar->tabText(i) == tab) QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
  }
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void ErrorsSmallTest::everyExampleIsUsable_data() {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<int>("percent");
  QTest::newRow("small, large texts") << QSize(1024, 700) << 130;
  QTest::newRow("small") << QSize(1024, 700) << 100;
  QTest::newRow("usual, large texts") << QSize(1280, 800) << 130;
}

// With the keys through the list: nothing lies over anything else, whatever the lengths of question and SQL.
void ErrorsSmallTest::everyExampleIsUsable() {
  QFETCH(QSize, size);
  QFETCH(int, percent);
  QVERIFY(open(size, percent));
  constexpr int kLooked = 12;
  QSet<int> seen;
  for (int i = 0; i < kLooked; ++i) {
    test::ErrorsWindow::press(Qt::Key_N);
    QVERIFY(settled(m_errors->window()));
    seen.insert(m_errors->review()->currentExample());
    const QStringList found = faults();
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    const auto* example = errors()->sqlPage()->example();
    const auto* gold = example->findChild<SqlEditor*>("goldSql");
    QVERIFY(gold->isVisible() && example->notes()->isVisible());
    const int line = example->fontMetrics().lineSpacing();
    QVERIFY2(gold->height() >= 3 * line, qPrintable(QString::number(gold->height())));
    QVERIFY2(tabs()->currentWidget()->height() >= 4 * line,
             qPrintable(QString::number(tabs()->currentWidget()->height())));
  }
  QVERIFY(seen.size() >= kLooked - 1);
  // What people said: the list and its button.
  test::ErrorsWindow::press(Qt::Key_P);
  test::ErrorsWindow::press(Qt::Key_2);
  for (const QString& tab :
       {QStringLiteral("History"), QStringLiteral("Hypotheses"), QStringLiteral("Why")}) {
    show(tab);
    QVERIFY(settled(m_errors->window()));
    QCOMPARE(tabs()->tabText(tabs()->currentIndex()), tab);
    QVERIFY2(faults().isEmpty(), qPrintable(faults().join(u'\n')));
  }
  const auto* again = errors()->sqlPage()->example()->history()->findChild<QPushButton*>();
  show(QStringLiteral("History"));
  QVERIFY(settled(m_errors->window()));
  QVERIFY(again->isVisible() && again->height() >= again->sizeHint().height());
}

// Schema and results stand beside the example, or are tabs of it.
void ErrorsSmallTest::foldedPartsAreTabs() {
  QVERIFY(open({1600, 1000}, 100));
  const auto titles = [this] {
    QStringList all;
    for (int i = 0; i < tabs()->count(); ++i) all.append(tabs()->tabText(i));
    return all;
  };
  QVERIFY(errors()->sqlPage()->schema()->isVisible() && errors()->sqlPage()->results()->isVisible());
  QCOMPARE(titles(), QStringList({"Why", "History", "Hypotheses"}));
  m_errors->window()->resize(1024, 700);
  m_errors->host().appearance()->setTextPercent(130);
  QVERIFY(waitUntil([&] { return tabs()->count() == 5; }) && settled(m_errors->window()));
  QVERIFY(!errors()->sqlPage()->schema()->isVisible() && !errors()->sqlPage()->results()->isVisible());
  show(QStringLiteral("Results"));
  QVERIFY(errors()->sqlPage()->results()->isVisible());
  QVERIFY(waitUntil([&] {
    return !errors()->sqlPage()->results()->findChild<QLabel*>("resultsVerdict")->text().isEmpty();
  }));
  show(QStringLiteral("Schema"));
  QVERIFY(errors()->sqlPage()->schema()->isVisible() && settled(m_errors->window()));
  QVERIFY2(faults().isEmpty(), qPrintable(faults().join(u'\n')));
  m_errors->host().appearance()->setTextPercent(100);
  m_errors->window()->resize(1600, 1000);
  QVERIFY(waitUntil([&] { return tabs()->count() == 3; }) && settled(m_errors->window()));
  QVERIFY(errors()->sqlPage()->schema()->isVisible() && errors()->sqlPage()->results()->isVisible());
  QVERIFY(errors()->sqlPage()->schema()->height() > 300 && errors()->sqlPage()->results()->height() > 100);
}

QTEST_MAIN(ErrorsSmallTest)
#include "tst_errors_small.moc"
