// SPDX-License-Identifier: Apache-2.0
// A command of one's own goes into the queue by Run › Run a script…, as one run or as a grid, and that of a
// run that is there by Retry.
#include <QAction>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/script_dialog.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/process_identity.h"
#include "core/library/records/project_library.h"
#include "tests/gui/support_window_fixture.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class ScriptDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void aCommandIsQueuedAndRemembered();
  void severalValuesAreAGrid();
  void faultsAreSaidInTheDialog();
  void retryOfAnotherProgramsRun();

 private:
  std::string project() const { return m_fixture->project().toStdString(); }
  QueueFolder queue() const { return QueueFolder(project()); }
  ScriptDialog* open(const char* action);
  template <typename Field>
  static void type(ScriptDialog* dialog, const char* name, const QString& text) {
    auto* field = dialog->findChild<Field*>(QLatin1String(name));
    const QStringList lines = text.split(u'\n');
    field->setFocus();
    field->selectAll();
    QTest::keyClick(field, Qt::Key_Delete);
    for (const QString& line : lines) {
      if (&line != &lines.first()) QTest::keyClick(field, Qt::Key_Return);
      QTest::keyClicks(field, line);
    }
  }
  static void add(ScriptDialog* dialog) {
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("scriptQueue")), Qt::LeftButton);
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void ScriptDialogTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  const std::string run = m_fixture->addRun("theirs", 20, RunState::Stopped);
  RunIdentity identity = RunFolder(run).identity().value();
  identity.provenance = {{"writer", {{"program", "fathom.py"}, {"version", "1.0"}}},
                         {"command", {"/bin/sh", "-c", "exit 0"}},
                         {"folder", project()},
                         {"host", hostName()}};
  QVERIFY(RunFolder(run).describe(identity).ok());
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue().setSettings(paused).ok());
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  const auto* model = m_window->train()->runModel();
  QVERIFY(QTest::qWaitForWindowActive(m_window) && waitUntil([&] { return model->rowCount() == 1; }));
}

void ScriptDialogTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

ScriptDialog* ScriptDialogTest::open(const char* action) {
  m_window->action(QLatin1String(action))->trigger();
  auto* dialog = m_window->findChild<ScriptDialog*>();
  return dialog != nullptr && QTest::qWaitForWindowActive(dialog) ? dialog : nullptr;
}

void ScriptDialogTest::aCommandIsQueuedAndRemembered() {
  ScriptDialog* dialog = open("run.script");
  QVERIFY(dialog != nullptr);
  type<QLineEdit>(dialog, "scriptCommand", QStringLiteral("sh -c 'exit 0' \"two words\""));
  type<QLineEdit>(dialog, "scriptFolder", m_fixture->project());
  type<QPlainTextEdit>(dialog, "scriptOptions", QStringLiteral("lr=0.5\nname_of=a b"));
  type<QLineEdit>(dialog, "scriptGroup", QStringLiteral("mine"));
  add(dialog);
  QVERIFY(waitUntil([this] { return queue().entries()->size() == 1; }));
  const QueueEntry entry = queue().entries()->front();
  QCOMPARE(entry.script.command.size(), std::size_t{4});
  QVERIFY(entry.script.command[0].ends_with("/sh") && entry.script.command[3] == "two words");
  QCOMPARE(entry.script.folder, project());
  QCOMPARE(entry.script.group, std::string("mine"));
  QCOMPARE(entry.script.options, (Json{{"lr", 0.5}, {"name_of", "a b"}}));
  QVERIFY(waitUntil([this] { return m_window->findChild<ScriptDialog*>() == nullptr; }));
  QVERIFY(waitUntil([this] { return m_window->train()->runModel()->rowCount() == 2; }));
  dialog = open("run.script");
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->findChild<QLineEdit*>("scriptCommand")->text(),
           QStringLiteral("sh -c 'exit 0' \"two words\""));
  QCOMPARE(dialog->findChild<QPlainTextEdit*>("scriptOptions")->toPlainText(),
           QStringLiteral("lr=0.5\nname_of=a b"));
}

void ScriptDialogTest::severalValuesAreAGrid() {
  ScriptDialog* dialog = open("run.script");
  QVERIFY(dialog != nullptr);
  type<QLineEdit>(dialog, "scriptCommand", QStringLiteral("true"));
  type<QLineEdit>(dialog, "scriptName", QStringLiteral("sweep"));
  type<QPlainTextEdit>(dialog, "scriptVary", QStringLiteral("lr=1,2\nseed=1,2,3"));
  QVERIFY2(dialog->said().contains(u'6'), qPrintable(dialog->said()));
  add(dialog);
  QVERIFY(waitUntil([this] { return queue().entries()->size() == 6; }));
  const QueueEntry last = queue().entries()->back();
  QCOMPARE(last.script.options, (Json{{"lr", 2}, {"seed", 3}}));
  QCOMPARE(last.config["name"].get<std::string>(), std::string("sweep 2 seed 3"));
  const auto library = ProjectLibrary::open(project()).value();
  QCOMPARE(library->grids()->size(), std::size_t{1});
  QCOMPARE(library->grids()->front().runs.size(), std::size_t{6});
}

void ScriptDialogTest::faultsAreSaidInTheDialog() {
  ScriptDialog* dialog = open("run.script");
  QVERIFY(dialog != nullptr);
  const auto refused = [&](const char* word) {
    add(dialog);
    return waitUntil([&] { return dialog->said().contains(QLatin1String(word)); });
  };
  type<QLineEdit>(dialog, "scriptCommand", QStringLiteral("no-such-program-here --epochs 3"));
  QVERIFY2(refused("no-such-program-here"), qPrintable(dialog->said()));
  type<QLineEdit>(dialog, "scriptCommand", QStringLiteral("true 'open"));
  QVERIFY2(refused("quote"), qPrintable(dialog->said()));
  type<QLineEdit>(dialog, "scriptCommand", QStringLiteral("true"));
  type<QLineEdit>(dialog, "scriptFolder", QStringLiteral("/nowhere/at/all"));
  QVERIFY2(refused("/nowhere/at/all"), qPrintable(dialog->said()));
  type<QLineEdit>(dialog, "scriptFolder", m_fixture->project());
  type<QPlainTextEdit>(dialog, "scriptOptions", QStringLiteral("no value"));
  QVERIFY2(refused("key=value"), qPrintable(dialog->said()));
  QVERIFY(queue().entries()->empty());
}

void ScriptDialogTest::retryOfAnotherProgramsRun() {
  const QString uuid = m_window->train()->runModel()->runs().first().uuid;
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QVERIFY(waitUntil([this] { return m_window->action("run.retry")->isEnabled(); }));
  ScriptDialog* dialog = open("run.retry");
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->findChild<QLineEdit*>("scriptCommand")->text(), QStringLiteral("/bin/sh -c 'exit 0'"));
  add(dialog);
  QVERIFY(waitUntil([this] { return queue().entries()->size() == 1; }));
  QVERIFY(queue().entries()->front().uuid != uuid.toStdString());
  QVERIFY(queue().remove(queue().entries()->front().uuid).ok());
  // Its own next attempt needs no form.
  QVERIFY(m_window->action("run.resume")->isEnabled());
  m_window->action("run.resume")->trigger();
  QVERIFY(waitUntil([this] { return queue().entries()->size() == 1; }));
  const QueueEntry entry = queue().entries()->front();
  QVERIFY(entry.resume && entry.uuid == uuid.toStdString());
  QCOMPARE(entry.script.command.front(), std::string("/bin/sh"));
}

QTEST_MAIN(ScriptDialogTest)
#include "tst_script_dialog.moc"
