// SPDX-License-Identifier: Apache-2.0
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/tables/queue_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// The Train workspace without a mouse: real key events only.
class TrainKeyboardTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void tabReachesEverything_data();
  void tabReachesEverything();
  void tabGoesInReadingOrder();
  void paletteHoldsEveryAction();
  void runIsEdited();
  void curvesAreReadAndChosen();
  void queueIsArranged();
  void experimentIsMadeAndQueued();
  void panelsAreReachedByF6();

 private:
  MainWindow* open(int runs = 3);
  static QString nameOf(const QWidget* widget);
  // Where Tab goes from the widget in focus until it comes round.
  static QList<QWidget*> tabRound();
  static QWidget* key(int key, Qt::KeyboardModifiers modifiers = {});
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void TrainKeyboardTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void TrainKeyboardTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* TrainKeyboardTest::open(int runs) {
  for (int i = 0; i < runs; ++i) m_fixture->addRun("run " + std::to_string(i), 10 + i);
  MainWindow* window = m_host->openWindow(m_fixture->project());
  bool changed = false;
  connect(window->service(), &ProjectService::changed, window, [&changed] { changed = true; });
  if (!QTest::qWaitForWindowActive(window) || !waitUntil([&] {
        return changed && window->jobs()->count() == 0 && window->train()->newRun()->engine() != nullptr;
      }))
    return nullptr;
  window->service()->drain();
  return settled(window) ? window : nullptr;
}

QString TrainKeyboardTest::nameOf(const QWidget* widget) {
  return QStringLiteral("%1 '%2' '%3'")
      .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName(),
           widget->accessibleName());
}

QWidget* TrainKeyboardTest::key(int key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key), modifiers);
  return QApplication::focusWidget();
}

QList<QWidget*> TrainKeyboardTest::tabRound() {
  QList<QWidget*> seen;
  for (QWidget* focus = QApplication::focusWidget(); focus != nullptr && !seen.contains(focus);
       focus = key(Qt::Key_Tab))
    seen.append(focus);
  return seen;
}

void TrainKeyboardTest::tabReachesEverything_data() {
  QTest::addColumn<int>("page");
  QTest::newRow("curves and docks") << 0;
  QTest::newRow("new run") << 1;
  QTest::newRow("data") << 2;
}

void TrainKeyboardTest::tabReachesEverything() {
  QFETCH(int, page);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  if (page == 1) {
    window->train()->showNewRun();
    window->train()->newRunPage()->form()->finishBuilding();
  }
  if (page == 2) window->train()->showData();
  QVERIFY(settled(window));
  QWidget* start = page == 0 ? window->train()->runs()->filterBox() : nullptr;
  for (QWidget* widget : window->train()->pages()->currentWidget()->findChildren<QWidget*>())
    if (start == nullptr && widget->isVisible() && widget->isEnabled() &&
        (widget->focusPolicy() & Qt::TabFocus))
      start = widget;
  QVERIFY(start != nullptr);
  start->setFocus();
  const QList<QWidget*> reached = tabRound();
  QStringList missing, nameless;
  for (const QWidget* widget : window->findChildren<QWidget*>()) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);  // its rows cover it
    const QWidget* shown = area != nullptr ? area->viewport() : widget;
    const bool wanted = widget->isVisible() && widget->isEnabled() && !shown->visibleRegion().isEmpty() &&
                        (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus &&
                        widget->focusProxy() == nullptr && widget->window() == window;
    if (wanted && !reached.contains(widget)) missing << nameOf(widget);
  }
  for (QWidget* widget : reached) {
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(widget);
    if (told == nullptr || told->text(QAccessible::Name).isEmpty()) nameless << nameOf(widget);
  }
  QVERIFY2(missing.isEmpty(), qPrintable("not reached: " + missing.join(", ")));
  QVERIFY2(nameless.isEmpty(), qPrintable("without a name for screen readers: " + nameless.join(", ")));
}

// Panels from left to right, and within a panel from the top down, as one reads.
void TrainKeyboardTest::tabGoesInReadingOrder() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->resize(1440, 800);
  QVERIFY(test::settled(window));
  TrainWorkspace* train = window->train();
  train->runs()->filterBox()->setFocus();
  const QList<QWidget*> reached = tabRound();
  const auto first = [&reached](const QWidget* within) {
    for (int i = 0; i < reached.size(); ++i)
      if (within->isAncestorOf(reached[i])) return i;
    return -1;
  };
  const int runs = first(train->runs()), curves = first(train->pages()), details = first(train->details());
  QVERIFY2(runs == 0 && runs < curves && curves < details,
           qPrintable(QStringLiteral("runs %1 curves %2 details %3").arg(runs).arg(curves).arg(details)));
  for (const QWidget* panel :
       {static_cast<const QWidget*>(train->runs()), static_cast<const QWidget*>(train->details()),
        static_cast<const QWidget*>(train->pages())}) {
    int lowest = -1;
    for (const QWidget* widget : reached) {
      if (!panel->isAncestorOf(widget)) continue;
      const QRect area(widget->mapTo(panel, QPoint(0, 0)), widget->size());
      QVERIFY2(area.bottom() >= lowest, qPrintable(nameOf(widget) + " comes after something below it"));
      lowest = qMax(lowest, area.top());
    }
  }
}

void TrainKeyboardTest::paletteHoldsEveryAction() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QTest::keyClick(window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = window->palettePopup();
  QVERIFY(palette->isVisible());
  QStringList texts;
  const QAbstractItemModel* model = palette->list()->model();
  for (int row = 0; row < model->rowCount(); ++row) texts << model->index(row, 0).data().toString();
  const QString all = texts.join('\n');
  for (const char* id : {"run.new",     "run.stop",    "run.abort",   "run.checkpoint", "run.resume",
                         "run.retry",   "run.clone",   "run.star",    "run.rename",     "run.tags",
                         "run.notes",   "run.reveal",  "run.archive", "run.trash",      "run.data",
                         "view.curves", "view.reset",  "edit.undo",   "edit.filter",    "theme.dark",
                         "run.restore", "run.compare", "run.grid",    "file.clean",     "file.import"}) {
    const QAction* action = window->action(QString::fromLatin1(id));
    QVERIFY2(action != nullptr, id);
    QVERIFY2(all.contains(action->iconText().remove(QChar(0x2026))), id);
  }
  QTest::keyClick(palette->findChild<QLineEdit*>("paletteQuery"), Qt::Key_Escape);
  QVERIFY(!palette->isVisible());
}

void TrainKeyboardTest::runIsEdited() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  TrainWorkspace* train = window->train();
  QTableView* table = train->runs()->table();
  QTest::keyClick(window, Qt::Key_F, Qt::ControlModifier);
  QVERIFY(train->runs()->filterBox()->hasFocus());
  for (int i = 0; i < 100 && !table->hasFocus(); ++i) key(Qt::Key_Tab);
  QVERIFY(table->hasFocus());
  key(Qt::Key_Home, Qt::ControlModifier);
  key(Qt::Key_Down);
  QCOMPARE(train->details()->currentRun(), train->runs()->currentRun());
  const QString uuid = train->runs()->currentRun();
  // Star: space in the column of stars.
  key(Qt::Key_Home);
  key(Qt::Key_Right);  // past the eye
  key(Qt::Key_Space);
  QVERIFY(waitUntil([&] { return train->runModel()->run(uuid)->star; }));
  // Rename: F2 on the name.
  table->setCurrentIndex(table->currentIndex().siblingAtColumn(RunTableModel::Name));
  key(Qt::Key_F2);
  auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  QVERIFY(editor != nullptr);
  editor->selectAll();
  QTest::keyClicks(editor, "by hand");
  QTest::keyClick(editor, Qt::Key_Return);
  QVERIFY(waitUntil([&] { return train->runModel()->run(uuid)->name == "by hand"; }));
  // Tags and notes stand in the details; the actions lead there.
  window->action(QStringLiteral("run.tags"))->trigger();
  QTest::keyClicks(QApplication::focusWidget(), "good, fast");
  key(Qt::Key_Return);
  QVERIFY(waitUntil([&] { return train->runModel()->run(uuid)->tags == QStringList({"fast", "good"}); }));
  window->action(QStringLiteral("run.notes"))->trigger();
  QVERIFY(qobject_cast<QPlainTextEdit*>(QApplication::focusWidget()) != nullptr);
  QTest::keyClicks(QApplication::focusWidget(), "a note");
  key(Qt::Key_Tab);  // Tab leaves, it does not indent
  QVERIFY(waitUntil([&] { return train->runModel()->run(uuid)->note == "a note"; }));
  for (int i = 0; i < 4; ++i) QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(waitUntil([&] {
    const RunItem* run = train->runModel()->run(uuid);
    return !run->star && run->name != "by hand" && run->tags.isEmpty() && run->note.isEmpty();
  }));
  table->setFocus();
  key(Qt::Key_Delete);
  QVERIFY(waitUntil([&] { return train->runModel()->rowCount() == 2; }));
  QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return train->runModel()->rowCount() == 3; }));
}

// Curves, table and details are about the same runs.
void TrainKeyboardTest::curvesAreReadAndChosen() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  TrainWorkspace* train = window->train();
  train->runs()->table()->setFocus();
  key(Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(window->selection()->of(Dimension::Run).items.size(), 3);
  CurvePanel* curves = train->curves()->panel();
  QVERIFY(
      waitUntil([&] { return curves->summary().contains("run 0") && curves->summary().contains("run 2"); }));
  curves->drawNow();
  curves->canvas()->setFocus();
  key(Qt::Key_Down);
  key(Qt::Key_Down);
  const QString picked = curves->currentRun();
  key(Qt::Key_Return);
  QCOMPARE(window->selection()->current(Dimension::Run), picked);
  QCOMPARE(window->selection()->of(Dimension::Run).items.size(), 3);  // the others stay in sight
  QCOMPARE(train->details()->currentRun(), picked);
  QCOMPARE(train->runs()->currentRun(), picked);
  QCOMPARE(train->runs()->selectedRuns().size(), 3);
  key(Qt::Key_Return, Qt::ControlModifier);  // out of the selection
  QCOMPARE(window->selection()->of(Dimension::Run).items.size(), 2);
  QVERIFY(!train->runs()->selectedRuns().contains(picked));
  QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(train->runs()->selectedRuns().size(), 3);
  QTest::keyClick(window, Qt::Key_Y, Qt::ControlModifier);
  QCOMPARE(train->runs()->selectedRuns().size(), 2);
}

void TrainKeyboardTest::queueIsArranged() {
  QueueFolder queue(m_fixture->project().toStdString());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue.setSettings(paused).ok());
  MainWindow* window = open(0);
  QVERIFY(window != nullptr);
  for (const char* name : {"a", "b", "c"}) {
    NewRun run;
    run.config.name = name;
    run.config.options["fake.steps"] = 5;
    window->service()->enqueue(run);
  }
  auto* model = window->findChild<QueueModel*>();
  QVERIFY(waitUntil([&] { return model->rowCount() == 3; }));
  const auto names = [model] {
    QString text;
    for (const QueueRow& row : model->rows()) text += row.name;
    return text;
  };
  QCOMPARE(names(), QStringLiteral("abc"));
  QTest::mouseClick(window->findChild<QToolButton*>("fold.queue"), Qt::LeftButton);
  auto* table = window->findChild<QTableView*>("queueTable");
  QVERIFY(waitUntil([&] { return table->isVisible(); }));
  table->setFocus();
  table->selectRow(0);
  key(Qt::Key_Down, Qt::AltModifier);
  QVERIFY(waitUntil([&] { return names() == "bac"; }));
  key(Qt::Key_Down, Qt::AltModifier);
  QVERIFY(waitUntil([&] { return names() == "bca"; }));
  key(Qt::Key_Up, Qt::AltModifier);
  QVERIFY(waitUntil([&] { return names() == "bac"; }));
  table->selectRow(0);
  key(Qt::Key_Delete);
  QVERIFY(waitUntil([&] { return names() == "ac"; }));
  QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return model->rowCount() == 3; }));
}

void TrainKeyboardTest::experimentIsMadeAndQueued() {
  QueueFolder queue(m_fixture->project().toStdString());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue.setSettings(paused).ok());
  MainWindow* window = open(0);
  QVERIFY(window != nullptr);
  QTest::keyClick(window, Qt::Key_R, Qt::ControlModifier);
  window->train()->newRunPage()->form()->finishBuilding();
  auto* name = window->findChild<QLineEdit*>("runName");
  QVERIFY(waitUntil([&] { return name->hasFocus(); }));  // the page takes the focus
  QTest::keyClicks(name, "typed");
  // At first the form has what decides what a run is; the rest is a key away.
  auto* all = window->findChild<QPushButton*>("allOptions");
  for (int i = 0; i < 60 && !all->hasFocus(); ++i) key(Qt::Key_Tab);
  QVERIFY(all->hasFocus());
  auto* steps = window->findChild<QLineEdit*>("fake.steps");
  QVERIFY(!steps->isVisible());
  key(Qt::Key_Space);
  QVERIFY(steps->isVisible());
  for (int i = 0; i < 60 && !steps->hasFocus(); ++i) key(Qt::Key_Tab);
  QVERIFY(steps->hasFocus());
  key(Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(steps, "9");
  auto* train = window->findChild<QPushButton*>("addToQueue");
  for (int i = 0; i < 60 && !train->hasFocus(); ++i) key(Qt::Key_Tab);
  QVERIFY(train->hasFocus());
  key(Qt::Key_Space);
  QVERIFY(waitUntil([&] { return queue.entries().value().size() == 1; }));
  QCOMPARE(queue.entries().value().front().config["options"]["fake.steps"].get<int>(), 9);
  QVERIFY(waitUntil([&] { return window->train()->pages()->currentIndex() == 0; }));
}

void TrainKeyboardTest::panelsAreReachedByF6() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  TrainWorkspace* train = window->train();
  // A narrow window keeps the details away until they are wanted.
  window->resize(1600, 900);
  QVERIFY(waitUntil([&] { return train->details()->isVisible(); }));
  QSet<QWidget*> panels;
  train->runs()->filterBox()->setFocus();
  for (int i = 0; i < 8; ++i) {
    QTest::keyClick(window, Qt::Key_F6);
    for (QWidget* panel : {static_cast<QWidget*>(train->pages()), static_cast<QWidget*>(train->runs()),
                           static_cast<QWidget*>(train->details())})
      if (panel->isAncestorOf(QApplication::focusWidget())) panels.insert(panel);
  }
  QCOMPARE(panels.size(), 3);
}

QTEST_MAIN(TrainKeyboardTest)
#include "tst_train_keyboard.moc"
