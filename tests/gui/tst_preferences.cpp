// SPDX-License-Identifier: Apache-2.0
// Preferences act at once, are there at the next start, and keys that are taken are refused by the name of
// who has them.
#include <QComboBox>
#include <QFile>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>

#include "app/runner/device_slots.h"
#include "app/runner/machine_settings.h"
#include "app/window/main/main_window.h"
#include "app/window/main/preferences_dialog.h"
#include "app/window/main/training_preferences.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::waitUntil;

class PreferencesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void appearanceActsAtOnce();
  void keysAreChosenRefusedAndReset();
  void theEngineIsAskedBeforeItIsTaken();
  void coresAndFoldersAreKept();
  void theWindowGoesWithThePreferences();
  void keysChosenTwiceAreSaid();

 private:
  void open();
  PreferencesDialog* preferences();
  QAction* action(const char* id) const { return m_window->action(QString::fromLatin1(id)); }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void PreferencesTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one");
}

void PreferencesTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

void PreferencesTest::open() {
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }));
}

// By its key, which any part of the window may have the keyboard for.
PreferencesDialog* PreferencesTest::preferences() {
  QTest::keyClick(m_window, Qt::Key_Comma, Qt::ControlModifier);
  auto* dialog = m_window->findChild<PreferencesDialog*>();
  return dialog != nullptr && QTest::qWaitForWindowActive(dialog) ? dialog : nullptr;
}

void PreferencesTest::appearanceActsAtOnce() {
  open();
  PreferencesDialog* dialog = preferences();
  QVERIFY(dialog != nullptr);
  auto* theme = dialog->findChild<QComboBox*>(QStringLiteral("preferredTheme"));
  theme->setFocus();
  QTest::keyClick(theme, Qt::Key_Down);
  QTest::keyClick(theme, Qt::Key_Down);
  QCOMPARE(m_host->appearance()->theme(), QStringLiteral("dark"));
  QVERIFY(action("theme.dark")->isChecked());
  auto* size = dialog->findChild<QSpinBox*>(QStringLiteral("preferredTextSize"));
  size->setFocus();
  QTest::keyClick(size, Qt::Key_Up);
  QVERIFY(waitUntil([&] { return m_host->appearance()->textPercent() == 110; }));
  auto* language = dialog->findChild<QComboBox*>(QStringLiteral("preferredLanguage"));
  language->setFocus();
  QTest::keyClick(language, Qt::Key_Down);
  // The new window shows the preferences in its language.
  const auto next = [&]() -> PreferencesDialog* {
    for (QWidget* each : QApplication::topLevelWidgets())
      if (auto* found = qobject_cast<PreferencesDialog*>(each);
          found != nullptr && found->isVisible() && found->windowTitle() == QStringLiteral("首选项"))
        return found;
    return nullptr;
  };
  QVERIFY(waitUntil([&] { return next() != nullptr; }));
  QCOMPARE(next()->findChild<QSpinBox*>(QStringLiteral("preferredTextSize"))->value(), 110);
  m_host->appearance()->setLanguage(QStringLiteral("en"));
  m_host->appearance()->setTheme(QStringLiteral("light"));
  m_host->appearance()->setTextPercent(100);
}

void PreferencesTest::keysAreChosenRefusedAndReset() {
  open();
  PreferencesDialog* dialog = preferences();
  QVERIFY(dialog != nullptr);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(3);
  auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("preferredKeysSearch"));
  QTest::keyClicks(search, QStringLiteral("full screen"));
  QTableWidget* table = dialog->table();
  int shown = 0, row = -1;
  for (int i = 0; i < table->rowCount(); ++i)
    if (!table->isRowHidden(i)) ++shown, row = i;
  QCOMPARE(shown, 1);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualItemRect(table->item(row, 0)).center());
  const QKeySequence usual = action("view.full")->shortcut();
  auto* verdict = dialog->findChild<QLabel*>(QStringLiteral("preferredKeysVerdict"));
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
    verdict->clear();
    dialog->keysEdit()->clear();
    dialog->keysEdit()->setFocus();
    QTest::keyClick(dialog->keysEdit(), key, modifiers);
    QVERIFY(waitUntil([&] { return !verdict->text().isEmpty(); }));
  };
  press(Qt::Key_R, Qt::ControlModifier);
  QVERIFY2(verdict->text().contains(QStringLiteral("New run")), qPrintable(verdict->text()));
  QCOMPARE(action("view.full")->shortcut(), usual);
  press(Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
  QCOMPARE(action("view.full")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+J")));
  QVERIFY(table->item(row, 2)->font().bold());
  dialog->close();
  m_window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QTest::keyClick(m_window, Qt::Key_J, Qt::ControlModifier | Qt::AltModifier);
  QTRY_VERIFY(m_window->isFullScreen());
  open();  // the next start
  QCOMPARE(action("view.full")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+J")));
  dialog = preferences();
  QVERIFY(dialog != nullptr);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(3);
  table = dialog->table();
  for (int i = 0; i < table->rowCount(); ++i)
    if (table->item(i, 0)->data(Qt::UserRole).value<QAction*>() == action("view.full")) table->selectRow(i);
  for (QPushButton* each : dialog->findChildren<QPushButton*>())
    if (each->text() == QStringLiteral("&Usual keys")) QTest::mouseClick(each, Qt::LeftButton);
  QCOMPARE(action("view.full")->shortcut(), usual);
}

// What is no engine is refused with its name, and the former one stays.
void PreferencesTest::theEngineIsAskedBeforeItIsTaken() {
  open();
  const QString engine = qEnvironmentVariable("FATHOM_ENGINE");
  qunsetenv("FATHOM_ENGINE");
  const auto asBefore = qScopeGuard([&] {
    qputenv("FATHOM_ENGINE", engine.toUtf8());
    setMachineSettings({});
  });
  PreferencesDialog* dialog = preferences();
  QVERIFY(dialog != nullptr);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
  auto* page = dialog->findChild<TrainingPreferences*>();
  const QString none = m_fixture->project() + QStringLiteral("/no-engine");
  QTest::keyClicks(page->engine(), none);
  QVERIFY(waitUntil([&] { return page->verdict()->text().startsWith(QStringLiteral("Not taken: ")); }));
  QVERIFY2(page->verdict()->text().contains(none), qPrintable(page->verdict()->text()));
  QCOMPARE(machineSettings().engine, std::string());
  const QString linked = m_fixture->project() + QStringLiteral("/linked-engine");
  QVERIFY(QFile(engine).link(linked));
  page->engine()->setFocus();
  page->engine()->selectAll();
  QSignalSpy changed(page, &TrainingPreferences::engineChanged);
  QTest::keyClicks(page->engine(), linked);
  QVERIFY(waitUntil([&] { return changed.count() == 1; }));
  QCOMPARE(fromUtf8(machineSettings().engine), linked);
  QVERIFY2(page->verdict()->text().contains(linked), qPrintable(page->verdict()->text()));
  QCOMPARE(findEngine().value(), toUtf8(linked));
}

void PreferencesTest::coresAndFoldersAreKept() {
  open();
  PreferencesDialog* dialog = preferences();
  QVERIFY(dialog != nullptr);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
  auto* cores = dialog->findChild<QSpinBox*>(QStringLiteral("preferredCores"));
  cores->setFocus();
  QTest::keyClick(cores, Qt::Key_Up);
  QCOMPARE(machineSettings().cores, 1);
  QCOMPARE(usableCores(), 1);
  QTest::keyClick(cores, Qt::Key_Down);
  QCOMPARE(machineSettings().cores, 0);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(2);
  auto* figures = dialog->findChild<QLineEdit*>(QString::fromLatin1(session::kFolders[1]));
  auto* verdict = dialog->findChild<QLabel*>(QStringLiteral("preferredFolderVerdict"));
  const auto type = [&](const QString& path) {
    figures->setFocus();
    figures->selectAll();
    QTest::keyClicks(figures, path);
    QTest::keyClick(figures, Qt::Key_Return);
  };
  type(m_fixture->project());
  QCOMPARE(m_host->session()->text(session::kFolders[1]), m_fixture->project());
  type(QStringLiteral("/nowhere/at/all"));
  QVERIFY2(verdict->text().contains(QStringLiteral("/nowhere/at/all")), qPrintable(verdict->text()));
  QCOMPARE(m_host->session()->text(session::kFolders[1]), m_fixture->project());
}

// Its table says that its rows go, when the actions of the window are gone.
void PreferencesTest::theWindowGoesWithThePreferences() {
  open();
  PreferencesDialog* dialog = preferences();
  QVERIFY(dialog != nullptr);
  dialog->findChild<QTabWidget*>()->setCurrentIndex(3);
  dialog->table()->selectRow(0);
  m_host.reset();
}

// A session that two hands wrote.
void PreferencesTest::keysChosenTwiceAreSaid() {
  {
    SessionStore session(m_fixture->sessionFile());
    session.setText(session::kKeys,
                    QStringLiteral(R"({"view.full":"Ctrl+R","help.about":"Ctrl+Alt+H","x":3})"));
  }
  open();
  QCOMPARE(action("run.new")->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
  QVERIFY(action("view.full")->shortcut() != action("run.new")->shortcut());
  QCOMPARE(action("help.about")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+H")));
  QVERIFY2(m_window->messages()->currentText().contains(QStringLiteral("Full screen")),
           qPrintable(m_window->messages()->currentText()));
}

QTEST_MAIN(PreferencesTest)
#include "tst_preferences.moc"
