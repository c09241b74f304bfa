// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

#include "app/window/files/written_file.h"
#include "app/window/main/command_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// Takes what the desktop would open.
class OpenedOfCommand : public QObject {
  Q_OBJECT
 public:
  OpenedOfCommand() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
  ~OpenedOfCommand() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
  QStringList paths;
 public Q_SLOTS:
  void take(const QUrl& url) { paths.append(url.toLocalFile()); }
};

// Commands of commands.list from the menus of the window: the form, the job, the result.
class CommandDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void figureIsExported_data();
  void figureIsExported();
  void formAsksWhatTheFigureNeeds();
  void closingTheWindowWhileDrawing();
  void formsSpeakOfTheirFields_data();
  void formsSpeakOfTheirFields();
  void whatCameOutSpeaksOfFields();
  void foldersAreRemembered();
  void theWrittenFileIsOpened();
  void goesWithItsProject();

 private:
  MainWindow* open();
  static CommandDialog* ask(MainWindow* window, const char* id);
  static QLineEdit* line(CommandDialog* dialog, const char* key) {
    return dialog->findChild<QLineEdit*>(QString::fromLatin1(key));
  }
  static QPushButton* runButton(CommandDialog* dialog);
  QString browse(const char* command, const QString& file, QString* chosen);
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void CommandDialogTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one");
  m_fixture->addRun("two");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void CommandDialogTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* CommandDialogTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(window) || !waitUntil([&] {
        return !window->train()->details()->currentRun().isEmpty() && window->jobs()->count() == 0;
      }))
    return nullptr;
  window->train()->runs()->table()->selectAll();
  window->service()->drain();
  return window;
}

CommandDialog* CommandDialogTest::ask(MainWindow* window, const char* id) {
  window->action(QString::fromLatin1(id))->trigger();
  auto* dialog = window->findChild<CommandDialog*>();
  return dialog != nullptr && waitUntil([dialog] { return dialog->isVisible(); }) ? dialog : nullptr;
}

QPushButton* CommandDialogTest::runButton(CommandDialog* dialog) {
  for (auto* button : dialog->findChildren<QPushButton*>())
    if (button->isDefault()) return button;
  return nullptr;
}

void CommandDialogTest::figureIsExported_data() {
  QTest::addColumn<QByteArray>("start");
  QTest::newRow("pdf") << QByteArray("%PDF");
  QTest::newRow("svg") << QByteArray("<?xml");
  QTest::newRow("png") << QByteArray("\x89PNG");
  QTest::newRow("tex") << QByteArray("%");
}

// What the curves show, in the file: with the selected runs, metric, axis and scale.
void CommandDialogTest::figureIsExported() {
  QFETCH(QByteArray, start);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CurvePanel* panel = window->train()->curves()->panel();
  panel->setMetrics({"grad_norm"});
  QVERIFY(waitUntil([panel] { return panel->figureOptions().contains("metric=grad_norm"); }));
  CommandDialog* dialog = ask(window, "export-figure");
  QVERIFY(dialog != nullptr);
  QVERIFY(!runButton(dialog)->isEnabled());  // it needs a file
  QCOMPARE(line(dialog, "runs")->text().count(','), 1);
  QCOMPARE(line(dialog, "set")->text(), QStringLiteral("metric=grad_norm"));
  const QString file = m_fixture->project() + "/figure." + QString::fromLatin1(QTest::currentDataTag());
  line(dialog, "out")->setFocus();
  QTest::keyClicks(line(dialog, "out"), file);
  QTest::mouseClick(runButton(dialog), Qt::LeftButton);
  auto* output = dialog->findChild<QPlainTextEdit*>();
  QVERIFY(waitUntil([&] { return output->isVisible(); }));
  QVERIFY2(output->toPlainText().contains("wrote"), qPrintable(output->toPlainText()));
  QFile written(file);
  QVERIFY(written.open(QIODevice::ReadOnly));
  QVERIFY(written.readAll().startsWith(start));
}

void CommandDialogTest::formAsksWhatTheFigureNeeds() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CommandDialog* dialog = ask(window, "export-figure");
  QVERIFY(dialog != nullptr);
  auto* figure = dialog->findChild<QComboBox*>("figure");
  QCOMPARE(figure->currentData().toString(), QStringLiteral("training_curve"));
  QVERIFY(line(dialog, "runs")->isVisible() && !line(dialog, "gold")->isVisible());
  figure->setFocus();
  while (figure->currentData().toString() != QLatin1String("error_table"))
    QTest::keyClick(figure, Qt::Key_Down);
  Q_EMIT figure->activated(figure->currentIndex());
  QVERIFY(!line(dialog, "runs")->isVisible());
  auto* scroll = dialog->findChild<QScrollArea*>();
  QVERIFY(line(dialog, "gold")->isVisible() && scroll->widget()->isAncestorOf(line(dialog, "gold")));
}

// The drawing waits for the window's thread; a window that closes does not wait for itself.
void CommandDialogTest::closingTheWindowWhileDrawing() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CommandDialog* dialog = ask(window, "export-figure");
  QVERIFY(dialog != nullptr);
  const QString file = m_fixture->project() + "/figure.png";
  QTest::keyClicks(line(dialog, "out"), file);
  QTest::mouseClick(runButton(dialog), Qt::LeftButton);
  m_host.reset();
  QVERIFY(QFile::exists(file));
}

void CommandDialogTest::formsSpeakOfTheirFields_data() {
  QTest::addColumn<QString>("id");
  for (const Command& command : commandEntries())
    if (command.inMenu) QTest::newRow(command.id.c_str()) << QString::fromStdString(command.id);
}

// A window has no shell options.
void CommandDialogTest::formsSpeakOfTheirFields() {
  QFETCH(QString, id);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CommandDialog* dialog = ask(window, qPrintable(id));
  QVERIFY(dialog != nullptr);
  QString all;
  for (const QLabel* label : dialog->findChildren<QLabel*>()) all += label->text() + QLatin1Char('\n');
  QVERIFY2(!all.contains(QLatin1String("--")), qPrintable(all));
}

// An error of the shell's words names the fields of the form.
void CommandDialogTest::whatCameOutSpeaksOfFields() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CommandDialog* dialog = ask(window, "export-figure");
  QVERIFY(dialog != nullptr);
  line(dialog, "runs")->setFocus();
  QTest::keyClick(line(dialog, "runs"), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(line(dialog, "runs"), Qt::Key_Delete);
  QTest::keyClicks(line(dialog, "out"), m_fixture->project() + "/figure.png");
  QTest::mouseClick(runButton(dialog), Qt::LeftButton);
  auto* output = dialog->findChild<QPlainTextEdit*>();
  QVERIFY(waitUntil([&] { return output->isVisible(); }));
  const QString said = output->toPlainText();
  QVERIFY2(said.contains(QStringLiteral("“Runs”")) && !said.contains(QLatin1String("--")), qPrintable(said));
}

// The next dialog for a figure starts where the last figure was put, in the next session too; other kinds of
// files have folders of their own.
void CommandDialogTest::foldersAreRemembered() {
  const QString figures = m_fixture->project() + QStringLiteral("/paper/figures");
  const QString archives = m_fixture->project() + QStringLiteral("/archives");
  QVERIFY(QDir().mkpath(figures) && QDir().mkpath(archives));
  QString chosen;
  (void)browse("export-figure", figures + QStringLiteral("/one.pdf"), &chosen);
  QCOMPARE(chosen, figures + QStringLiteral("/one.pdf"));
  (void)browse("run.archive", archives + QStringLiteral("/run.tar"), &chosen);
  QCOMPARE(chosen, archives + QStringLiteral("/run.tar"));
  QCOMPARE(browse("export-figure", {}, &chosen), figures);
  QCOMPARE(chosen, QString());
  QCOMPARE(browse("run.archive", {}, &chosen), archives);
  QVERIFY(QDir().rmdir(figures));
  QVERIFY(browse("export-figure", {}, &chosen) != figures);
}

// A session of its own: the file dialog of the command's field "out" is left with `file`, or cancelled.
// Returns where it started.
QString CommandDialogTest::browse(const char* command, const QString& file, QString* chosen) {
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  MainWindow* window = open();
  CommandDialog* dialog = window != nullptr ? ask(window, command) : nullptr;
  if (dialog == nullptr) return {};
  QString started;
  QTimer::singleShot(0, dialog, [&started, &file] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (files == nullptr) return;
    started = files->directory().absolutePath();
    if (file.isEmpty()) return files->reject();
    auto* name = files->findChild<QLineEdit*>();
    name->setText(file);
    QTest::keyClick(name, Qt::Key_Return);
  });
  for (auto* button : line(dialog, "out")->parentWidget()->findChildren<QToolButton*>())
    if (button->accessibleName().startsWith(QLatin1String("Choose a file"))) button->click();
  *chosen = line(dialog, "out")->text();
  m_host.reset();
  return started;
}

// Also when the form names another one by then.
void CommandDialogTest::theWrittenFileIsOpened() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  CommandDialog* dialog = ask(window, "export-figure");
  QVERIFY(dialog != nullptr);
  const QString file = m_fixture->project() + "/first.svg";
  QTest::keyClicks(line(dialog, "out"), file);
  QTest::mouseClick(runButton(dialog), Qt::LeftButton);
  QPushButton* show = nullptr;
  for (auto* button : dialog->findChildren<QPushButton*>())
    if (button->text() == WrittenFile::openWord()) show = button;
  QVERIFY(show != nullptr && waitUntil([show] { return show->isVisible(); }));
  line(dialog, "out")->setFocus();
  QTest::keyClick(line(dialog, "out"), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(line(dialog, "out"), m_fixture->project() + "/second.svg");
  OpenedOfCommand opened;
  QTest::mouseClick(show, Qt::LeftButton);
  QCOMPARE(opened.paths, QStringList{file});
}

void CommandDialogTest::goesWithItsProject() {
  MainWindow* window = open();
  QVERIFY(window != nullptr && ask(window, "export-figure") != nullptr);
  const QString other = m_fixture->project() + QStringLiteral(".other");
  window->service()->open(other, true);
  QVERIFY(waitUntil([&] { return window->service()->path() == other; }));
  QVERIFY(waitUntil([&] { return window->findChild<CommandDialog*>() == nullptr; }));
}

QTEST_MAIN(CommandDialogTest)
#include "tst_command_dialog.moc"
