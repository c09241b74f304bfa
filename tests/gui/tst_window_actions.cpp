// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QDockWidget>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QToolBar>
#include <QWidgetAction>

#include "app/command.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/command_palette.h"

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

// Where the keys of an action are listened to: everywhere in the window (null), in a widget with what is in
// it, or in the widget alone.
struct Place {
  const QWidget* widget;
  bool withChildren;
};

QList<Place> placesOf(const QAction* action) {
  QList<Place> places;
  const Qt::ShortcutContext context = action->shortcutContext();
  for (const QObject* object : action->associatedObjects()) {
    const auto* widget = qobject_cast<const QWidget*>(object);
    if (widget == nullptr) continue;
    if (context == Qt::WindowShortcut || context == Qt::ApplicationShortcut) {
      places.append({nullptr, true});
    } else if (qobject_cast<const QMenu*>(widget) == nullptr) {
      places.append({widget, context == Qt::WidgetWithChildrenShortcut});
    }
  }
  return places;
}

// Is there a widget that both listen at?
bool meet(const Place& one, const Place& other) {
  if (one.widget == nullptr || other.widget == nullptr) return true;
  if (one.widget == other.widget) return true;
  return (one.withChildren && one.widget->isAncestorOf(other.widget)) ||
         (other.withChildren && other.widget->isAncestorOf(one.widget));
}

bool conflict(const QAction* one, const QAction* other) {
  bool sameKeys = false;
  for (const QKeySequence& keys : one->shortcuts())
    sameKeys = sameKeys || (!keys.isEmpty() && other->shortcuts().contains(keys));
  if (!sameKeys) return false;
  for (const Place& first : placesOf(one))
    for (const Place& second : placesOf(other))
      if (meet(first, second)) return true;
  return false;
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
  void commandsOfMenusAreThere();

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
    return waitUntil([this] { return m_window->service()->isOpen() && m_window->jobs()->count() == 0; });
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

void WindowActionsTest::commandsOfMenusAreThere() {
  open(QStringLiteral("en"));
  const QList<QAction*> all = entries();
  int offered = 0;
  for (const Command& command : commandEntries()) {
    if (!command.inMenu) continue;
    ++offered;
    const QAction* action = m_window->action(fromUtf8(command.id));
    QVERIFY2(action != nullptr && all.contains(action), command.id.c_str());
    QCOMPARE(action->toolTip(), fromUtf8(command.description));
  }
  QVERIFY(offered > 5);
}

QTEST_MAIN(WindowActionsTest)
#include "tst_window_actions.moc"
