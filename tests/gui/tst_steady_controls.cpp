// SPDX-License-Identifier: Apache-2.0
// Controls never move under the pointer: the search while somebody types into it, the buttons that start
// while something is found to be wrong, the rows of the form while others come or say what is wrong with
// them.
#include <QCursor>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include "tests/gui/support_new_run_window.h"
#include "views/look/engine_text.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/option_row.h"
#include "views/panels/train/new_run_page.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

class SteadyControlsTest : public QObject, private test::NewRunWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    startUp();
    m_window->resize(1440, 900);
    QVERIFY(settled(m_window));
  }
  void cleanup() { shutDown(); }
  void theSearchStaysWhileItIsTypedInto();
  void theButtonsStayWhateverIsWrong();
  void rowsStayUnderThePointer();

 private:
  OptionForm* form() const { return m_window->train()->newRunPage()->form(); }
  QPoint placeOf(const QWidget* widget) const { return widget->mapTo(m_window, QPoint()); }
};

void SteadyControlsTest::theSearchStaysWhileItIsTypedInto() {
  QLineEdit* search = form()->searchBox();
  const QRect before(placeOf(search), search->size());
  search->setFocus();
  for (const char* letter : {"d", "r", "o", "p"}) {
    QTest::keyClicks(search, letter);
    QVERIFY(settled(m_window));
    QCOMPARE(QRect(placeOf(search), search->size()), before);
  }
  search->clear();
  QVERIFY(settled(m_window));
  QCOMPARE(QRect(placeOf(search), search->size()), before);
}

void SteadyControlsTest::theButtonsStayWhateverIsWrong() {
  const QVector<const char*> names = {"trainNow", "addToQueue", "gridOver", "checkTrainability",
                                      "savePreset"};
  QVector<QPoint> before;
  for (const char* name : names) before.append(placeOf(m_window->findChild<QWidget*>(name)));
  typeWidth("no number at all, and as long as it takes for the line below to be broken into several");
  for (const char* key : {"encoder.layers", "decoder.layers", "model.heads"})
    QVERIFY(!draft()->setText(QLatin1String(key), QStringLiteral("neither")));
  QVERIFY(settled(m_window));
  const auto* summary = m_window->findChild<QLabel*>("draftSummary");
  QVERIFY2(summary->height() > 2 * summary->fontMetrics().lineSpacing(), qPrintable(summary->text()));
  for (int i = 0; i < names.size(); ++i)
    QCOMPARE(placeOf(m_window->findChild<QWidget*>(names[i])), before[i]);
}

void SteadyControlsTest::rowsStayUnderThePointer() {
  form()->setAllShown(true);
  QVERIFY(settled(m_window));
  const OptionRow* row = form()->row(QStringLiteral("model.width"));
  QVERIFY(row != nullptr && row->isVisible());
  auto* scroll = form()->findChild<QScrollArea*>();
  scroll->ensureWidgetVisible(const_cast<OptionRow*>(row), 0, 200);
  scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->value() + 100);
  QVERIFY(settled(m_window));
  QTest::mouseMove(row->window()->windowHandle(), row->mapTo(row->window(), row->rect().center()));
  QCursor::setPos(row->mapToGlobal(row->rect().center()));
  const QPoint before = placeOf(row);
  // A row far above says in lines of its own what is wrong with it.
  const QString above = fromUtf8(draft()->schema().fields().front().key);
  QVERIFY(form()->row(above)->y() < row->y());
  const int height = form()->row(above)->height();
  draft()->refuse(above, QStringLiteral("This is why it cannot be so."));
  QVERIFY(waitUntil([&] { return form()->row(above)->height() > height; }));
  QVERIFY(settled(m_window));
  QCOMPARE(placeOf(row), before);
}

QTEST_MAIN(SteadyControlsTest)
#include "tst_steady_controls.moc"
