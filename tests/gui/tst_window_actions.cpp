// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QWidgetAction>

#include "app/command.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/action_keys.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::waitUntil;

namespace {

// Entries of a menu and of the menus in it.
void collectEntries(const QMenu* menu, QList<QAction*>& into) {
  for (QAction* action : menu->actions()) {
    if (action->menu() != nullptr) {
      collectEntries(action->menu(), into);
    } else if (!action->isSeparator() && !into.contains(action)) {
      into.append(action);
    }
  }
}

QString nameOf(const QAction* action) {
  return QStringLiteral("%1 “%2”").arg(action->objectName(), action->text());
}

bool conflict(const QAction* one, const QAction* other) {
  bool sameKeys = false;
  for (const QKeySequence& keys : one->shortcuts())
    sameKeys = sameKeys || (!keys.isEmpty() && other->shortcuts().contains(keys));
  return sameKeys && listenTogether(one, other);
}

}  // namespace

// Every entry of the menus and every action of the window: it has a text and says more than its text, its
// keys are its own where they are listened to, and the command palette has it (docs/architecture.md §10).
class WindowActionsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void entriesExplainThemselves_data() { languages(); }
  void entriesExplainThemselves();
  void keysAreUnique();
  void equalKeysAreSeen();
  void paletteHasEveryEntry_data() { languages(); }
  void paletteHasEveryEntry();
  void editMenuActsWhereTheKeyboardIs();
  void paletteKnowsOtherWords_data() { languages(); }
  void paletteKnowsOtherWords();
  void commandsHavePlacesOfTheirOwn_data() { languages(); }
  void commandsHavePlacesOfTheirOwn();
  void exportLeadsToWhatIsInSight();

 private:
  static void languages() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << language;
  }
  void open(const QString& language);
  QList<QAction*> entries() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void WindowActionsTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one");
}

void WindowActionsTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

// With every workspace and page made once: their panels have actions of their own.
void WindowActionsTest::open(const QString& language) {
  {
    SessionStore session(m_fixture->sessionFile());
    session.setText(session::kLanguage, language);
  }
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  const auto settled = [this] {
    return waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; });
  };
  QVERIFY(QTest::qWaitForWindowActive(m_window) && settled());
  for (const char* id :
       {"run.new", "view.attention", "view.errors", "errors.open", "view.figures", "view.train"}) {
    m_window->action(QString::fromLatin1(id))->trigger();
    QVERIFY(settled());
  }
}

QList<QAction*> WindowActionsTest::entries() const {
  QList<QAction*> all;
  for (const QAction* menu : m_window->menuBar()->actions())
    if (menu->menu() != nullptr) collectEntries(menu->menu(), all);
  for (const QToolBar* bar : m_window->findChildren<QToolBar*>())
    for (QAction* action : bar->actions())
      if (!action->isSeparator() && qobject_cast<QWidgetAction*>(action) == nullptr && !all.contains(action))
        all.append(action);
  return all;
}

void WindowActionsTest::entriesExplainThemselves() {
  QFETCH(QString, language);
  open(language);
  QStringList found;
  const QList<QAction*> all = entries();
  QVERIFY(all.size() > 80);
  for (const QAction* action : all) {
    const QString text = withoutMnemonic(action->text());
    if (text.trimmed().isEmpty()) found.append(action->objectName() + QStringLiteral(" has no text"));
    const QString tip = action->toolTip();
    if (tip.contains(QLatin1Char('&')) || tip.contains(QLatin1Char('\t')))
      found.append(nameOf(action) + QStringLiteral(" has marks of a menu in its tip"));
    // One of several to choose from, or a panel by its name, needs no more than its name.
    const bool choice =
        action->isCheckable() && (action->actionGroup() != nullptr || action->objectName().isEmpty());
    const bool plain = action->objectName() == QLatin1String("edit.redo") || action->objectName().isEmpty();
    QString bare = text;
    bare.remove(QChar(0x2026));
    if (!choice && !plain && (tip.isEmpty() || tip == text || tip == bare))
      found.append(nameOf(action) + QStringLiteral(" does not say what it does"));
  }
  QVERIFY2(found.isEmpty(), qUtf8Printable(found.join(QLatin1Char('\n'))));
}

void WindowActionsTest::keysAreUnique() {
  open(QStringLiteral("en"));
  QList<QAction*> keyed;
  for (QAction* action : m_window->findChildren<QAction*>())
    if (!action->shortcut().isEmpty()) keyed.append(action);
  QVERIFY(keyed.size() > 40);
  QStringList found;
  for (qsizetype i = 0; i < keyed.size(); ++i)
    for (qsizetype j = i + 1; j < keyed.size(); ++j)
      if (conflict(keyed[i], keyed[j]))
        found.append(keyed[i]->shortcut().toString() + QStringLiteral(": ") + nameOf(keyed[i]) +
                     QStringLiteral(" and ") + nameOf(keyed[j]));
  QVERIFY2(found.isEmpty(), qUtf8Printable(found.join(QLatin1Char('\n'))));
}

// The check above would see one.
void WindowActionsTest::equalKeysAreSeen() {
  open(QStringLiteral("en"));
  QAction* fresh = m_window->action("run.new");
  QAction other(m_window);
  other.setShortcut(fresh->shortcut());
  QVERIFY(!conflict(fresh, &other));  // nobody listens
  other.setShortcutContext(Qt::WidgetWithChildrenShortcut);
  m_window->train()->pages()->parentWidget()->addAction(&other);
  QVERIFY(conflict(fresh, &other));
}

void WindowActionsTest::paletteHasEveryEntry() {
  QFETCH(QString, language);
  open(language);
  QTest::keyClick(m_window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = m_window->palettePopup();
  QVERIFY(palette->isVisible());
  QSet<const QAction*> held;
  const QAbstractItemModel* rows = palette->list()->model();
  for (int row = 0; row < rows->rowCount(); ++row)
    held.insert(rows->index(row, 0).data(Qt::UserRole).value<QAction*>());
  QStringList missing;
  for (const QAction* action : entries())
    if (!held.contains(action)) missing.append(nameOf(action));
  // What has a name of its own is somewhere in the menus.
  for (const QAction* action : m_window->findChildren<QAction*>())
    if (action->objectName().contains(QLatin1Char('.')) && action->menu() == nullptr &&
        !held.contains(action))
      missing.append(nameOf(action));
  QVERIFY2(missing.isEmpty(), qUtf8Printable(missing.join(QLatin1Char('\n'))));
}

void WindowActionsTest::editMenuActsWhereTheKeyboardIs() {
  m_fixture->addRun("two");
  open(QStringLiteral("en"));
  QTest::keyClick(m_window, Qt::Key_F, Qt::ControlModifier);
  auto* filter = m_window->train()->runs()->filterBox();
  QTRY_VERIFY(filter->hasFocus());
  QGuiApplication::clipboard()->clear();
  const auto enabled = [&] {
    QString can;
    for (const char* id : {"edit.cut", "edit.copy", "edit.paste", "edit.all"})
      can += m_window->action(QString::fromLatin1(id))->isEnabled() ? QLatin1Char('1') : QLatin1Char('0');
    return can;
  };
  QString could;
  const auto choose = [&](Qt::Key letter) {
    QTest::keyClick(m_window, Qt::Key_E, Qt::AltModifier);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    could = enabled();
    if (menu != nullptr) QTest::keyClick(menu, letter);
    return menu != nullptr;
  };
  QVERIFY(choose(Qt::Key_Escape));
  QCOMPARE(could, QStringLiteral("0000"));  // nothing is typed, marked or kept
  QTest::keyClicks(filter, QStringLiteral("lazy"));
  QVERIFY(choose(Qt::Key_A));
  QCOMPARE(could, QStringLiteral("0001"));
  QCOMPARE(filter->selectedText(), QStringLiteral("lazy"));
  QVERIFY(choose(Qt::Key_C));
  QCOMPARE(could, QStringLiteral("1101"));
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("lazy"));
  const auto* said = m_window->findChild<QLabel*>("copiedNote");
  QCOMPARE(said->text(), QStringLiteral("Copied: lazy"));
  QVERIFY(choose(Qt::Key_T));
  QCOMPARE(filter->text(), QString());
  QVERIFY(choose(Qt::Key_P));
  QCOMPARE(could, QStringLiteral("0010"));
  QCOMPARE(filter->text(), QStringLiteral("lazy"));
  filter->clear();
  QTableView* table = m_window->train()->runs()->table();
  QTRY_VERIFY(table->model()->rowCount() > 1);
  table->setFocus();
  QVERIFY(choose(Qt::Key_A));
  QCOMPARE(table->selectionModel()->selectedRows().size(), table->model()->rowCount());
  QVERIFY(choose(Qt::Key_C));
  QVERIFY(could.startsWith(QStringLiteral("01")));
  const QString copied = QGuiApplication::clipboard()->text();
  QGuiApplication::clipboard()->clear();
  QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
  QVERIFY(!copied.isEmpty());
  QCOMPARE(copied, QGuiApplication::clipboard()->text());  // what the key copies
  const qsizetype lines = copied.count(QLatin1Char('\n')) + 1;
  QCOMPARE(said->text(), QStringLiteral("Copied: %1 lines").arg(lines));
  QVERIFY(QTest::qWaitFor([&] { return said->text().isEmpty(); }, 10000));  // goes by itself
}

// Words of both languages lead to the action in each; a title comes before what only means the same; where
// nothing is found that is said, and fewer letters bring the list back.
void WindowActionsTest::paletteKnowsOtherWords() {
  QFETCH(QString, language);
  open(language);
  QTest::keyClick(m_window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = m_window->palettePopup();
  auto* query = palette->findChild<QLineEdit*>(QStringLiteral("paletteQuery"));
  const auto* nothing = palette->findChild<QLabel*>(QStringLiteral("paletteNothing"));
  const QAbstractItemModel* rows = palette->list()->model();
  const auto found = [&](const QString& text) {
    query->clear();
    query->insert(text);  // QTest types Latin letters alone
    QStringList ids;
    for (int row = 0; row < rows->rowCount(); ++row)
      ids.append(rows->index(row, 0).data(Qt::UserRole).value<QAction*>()->objectName());
    return ids;
  };
  for (const QString& words : {QStringLiteral("night"), QStringLiteral("夜间")})
    QCOMPARE(found(words), QStringList(QStringLiteral("theme.dark")));
  QVERIFY(found(QStringLiteral("快捷键")).contains(QStringLiteral("help.keys")));
  QVERIFY(found(QStringLiteral("kill")).contains(QStringLiteral("run.abort")));
  if (language == QLatin1String("en")) {
    const QStringList full = found(QStringLiteral("filter"));
    QCOMPARE(full.value(0), QStringLiteral("edit.filter"));
    QVERIFY(palette->list()->isVisible() && !nothing->isVisible());
  }
  QVERIFY(found(QStringLiteral("xyzzy")).isEmpty());
  QVERIFY(nothing->isVisible() && !palette->list()->isVisible());
  QVERIFY2(nothing->text().contains(QStringLiteral("xyzzy")), qUtf8Printable(nothing->text()));
  QTest::keyClick(query, Qt::Key_Return);  // does nothing
  QVERIFY(palette->isVisible());
  query->clear();
  QVERIFY(palette->list()->isVisible() && !nothing->isVisible());
  palette->reject();
}

// No entry of a menu shows a form of options: what the shell's commands do, the window does in places of its
// own.
void WindowActionsTest::commandsHavePlacesOfTheirOwn() {
  QFETCH(QString, language);
  open(language);
  const QList<QAction*> all = entries();
  for (const Command& command : commandEntries())
    QVERIFY2(m_window->action(fromUtf8(command.id)) == nullptr, command.id.c_str());
  // By their titles they are found all the same, in both languages.
  const QList<std::pair<const char*, const char*>> ways = {
      {"spider-evaluate", "errors.open"}, {"spider-categorize", "errors.open"},
      {"spider-execute", "errors.open"},  {"spider-compare", "errors.open"},
      {"spider-slices", "errors.open"},   {"spider-sample", "errors.sample"},
      {"spider-link", "run.data"},        {"export-figure", "figures.curves"},
      {"export-run", "run.archive"},      {"import-attention", "file.import_attention"},
      {"restore", "run.restore"},         {"train-script", "run.script"}};
  QTest::keyClick(m_window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = m_window->palettePopup();
  auto* query = palette->findChild<QLineEdit*>(QStringLiteral("paletteQuery"));
  const QAbstractItemModel* rows = palette->list()->model();
  for (const auto& [id, way] : ways) {
    const Command* command = findCommand(id);
    QVERIFY2(command != nullptr && all.contains(m_window->action(QLatin1String(way))), id);
    const QString own = QCoreApplication::translate("Command", command->title.c_str());
    for (const QString& title : {fromUtf8(command->title), own}) {
      query->clear();
      query->insert(title);
      QStringList found;
      for (int row = 0; row < rows->rowCount(); ++row)
        found.append(rows->index(row, 0).data(Qt::UserRole).value<QAction*>()->objectName());
      QVERIFY2(found.contains(QLatin1String(way)), qPrintable(title + u' ' + found.join(u' ')));
    }
  }
  palette->reject();
}

// File › Export…: the curves on a page of their own, the page as a file; where there is nothing it says so.
void WindowActionsTest::exportLeadsToWhatIsInSight() {
  open(QStringLiteral("en"));
  const auto drawn = [&] { return m_window->train()->curves()->figureRecipe().runs.size() == 1; };
  QVERIFY(waitUntil(drawn));
  QAction* action = m_window->action(QStringLiteral("file.export"));
  QVERIFY(action->isEnabled());
  m_window->showWorkspace(QStringLiteral("errors"));
  action->trigger();
  QVERIFY2(
      m_window->messages()->currentText().contains(QStringLiteral("nothing here yet that could be exported")),
      qPrintable(m_window->messages()->currentText()));
  m_window->showWorkspace(QStringLiteral("train"));
  action->trigger();
  QVERIFY(m_window->figures()->widget()->isVisible());
  QVERIFY(waitUntil([&] { return m_window->figures()->settled(); }));
  QCOMPARE(m_window->figures()->composition()->panels.size(), std::size_t{1});
  // Now it is the page that is asked a file for.
  QString title;
  QTimer::singleShot(0, this, [&title] {
    if (QWidget* dialog = QApplication::activeModalWidget()) {
      title = dialog->windowTitle();
      dialog->close();
    }
  });
  action->trigger();
  QVERIFY2(title.startsWith(QStringLiteral("Export")), qPrintable(title));
}

QTEST_MAIN(WindowActionsTest)
#include "tst_window_actions.moc"
