// SPDX-License-Identifier: Apache-2.0
// A selected run is packed into a file: a name that cannot be written to is red, what was written is told.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include "app/window/main/archive_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/base/threads/progress.h"
#include "core/record/runs/run_archive.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/theme.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class ArchiveDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void aRunIsPackedAndReadAgain();
  void ofSeveralRunsOneIsChosen();
  void aNameThatCannotBeIsRed_data();
  void aNameThatCannotBeIsRed();
  void theFolderIsRemembered();
  void goesWithItsProject();

 private:
  ArchiveDialog* open();
  static void type(ArchiveDialog* dialog, const QString& path) {
    dialog->file()->setFocus();
    dialog->file()->selectAll();
    QTest::keyClicks(dialog->file(), path);
  }
  static bool ready(const ArchiveDialog* dialog) {
    return waitUntil([dialog] { return dialog->exportButton()->isEnabled(); });
  }
  QString project() const { return m_fixture->project(); }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void ArchiveDialogTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one");
  m_fixture->addRun("two");
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void ArchiveDialogTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

// Both runs are selected.
ArchiveDialog* ArchiveDialogTest::open() {
  m_window = m_host->openWindow(project());
  const auto* model = m_window->train()->runModel();
  if (!QTest::qWaitForWindowActive(m_window) || !waitUntil([&] { return model->rowCount() == 2; }))
    return nullptr;
  m_window->train()->runs()->table()->selectAll();
  if (!waitUntil([this] { return m_window->action("run.archive")->isEnabled(); })) return nullptr;
  m_window->action("run.archive")->trigger();
  auto* dialog = m_window->findChild<ArchiveDialog*>();
  return dialog != nullptr && QTest::qWaitForWindowActive(dialog) ? dialog : nullptr;
}

void ArchiveDialogTest::aRunIsPackedAndReadAgain() {
  ArchiveDialog* dialog = open();
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->file()->text().endsWith(".tar.zst"), qPrintable(dialog->file()->text()));
  const QString file = project() + QStringLiteral("/packed.tar.gz");
  type(dialog, file);
  QVERIFY(ready(dialog));
  QTest::keyClick(dialog->file(), Qt::Key_Return);
  QVERIFY(waitUntil([this] { return m_window->findChild<ArchiveDialog*>() == nullptr; }));
  QVERIFY(QFile::exists(file));
  QVERIFY(waitUntil([&] { return m_window->messages()->currentText().contains(file); }));
  Progress silent([](const ProgressUpdate&) {});
  const std::string folder = (project() + QStringLiteral("/again")).toStdString();
  const Status read = importRunArchive(file.toStdString(), folder, silent, StopToken());
  QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
  QVERIFY(RunFolder(folder).identity().ok());
}

void ArchiveDialogTest::ofSeveralRunsOneIsChosen() {
  ArchiveDialog* dialog = open();
  QVERIFY(dialog != nullptr);
  auto* runs = dialog->findChild<QComboBox*>();
  QCOMPARE(runs->count(), 2);
  const QString first = dialog->file()->text();
  QVERIFY(first.contains(runs->currentText()));
  runs->setFocus();
  QTest::keyClick(runs, Qt::Key_Down);
  QVERIFY(dialog->file()->text() != first && dialog->file()->text().contains(runs->currentText()));
  // A name that somebody typed stays.
  type(dialog, QStringLiteral("/tmp/mine.tar"));
  QTest::keyClick(runs, Qt::Key_Up);
  QCOMPARE(dialog->file()->text(), QStringLiteral("/tmp/mine.tar"));
}

void ArchiveDialogTest::aNameThatCannotBeIsRed_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("said");
  QTest::newRow("no such folder") << QStringLiteral("/missing/run.tar") << QStringLiteral("no folder");
  QTest::newRow("another ending") << QStringLiteral("/run.zip") << QStringLiteral(".tar.zst");
  QTest::newRow("a folder") << QStringLiteral("/folder.tar") << QStringLiteral("is a folder");
}

void ArchiveDialogTest::aNameThatCannotBeIsRed() {
  QFETCH(QString, name);
  QFETCH(QString, said);
  ArchiveDialog* dialog = open();
  QVERIFY(dialog != nullptr);
  QVERIFY(QDir().mkpath(project() + QStringLiteral("/folder.tar")));
  const QColor usual = dialog->file()->palette().color(QPalette::Text);
  type(dialog, project() + name);
  QVERIFY(waitUntil([&] { return dialog->problem().contains(said); }));
  const Theme& theme = Theme::of(dialog->palette());
  QCOMPARE(dialog->file()->palette().color(QPalette::Text), theme.readable(theme.failed));
  QVERIFY(!dialog->exportButton()->isEnabled());
  type(dialog, project() + QStringLiteral("/right.tar"));
  QVERIFY(ready(dialog));
  QCOMPARE(dialog->problem(), QString());
  QCOMPARE(dialog->file()->palette().color(QPalette::Text), usual);
}

// By the button; the next dialog begins where the last archive was put.
void ArchiveDialogTest::theFolderIsRemembered() {
  ArchiveDialog* dialog = open();
  QVERIFY(dialog != nullptr);
  const QString folder = project() + QStringLiteral("/archives");
  QVERIFY(QDir().mkpath(folder));
  QTimer::singleShot(0, dialog, [&folder] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (files == nullptr) return;
    auto* name = files->findChild<QLineEdit*>();
    name->setText(folder + QStringLiteral("/run.tar"));
    QTest::keyClick(name, Qt::Key_Return);
  });
  for (auto* button : dialog->findChildren<QPushButton*>())
    if (button->text().remove(u'&') == QStringLiteral("Choose…")) QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(dialog->file()->text(), folder + QStringLiteral("/run.tar"));
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(waitUntil([this] { return m_window->findChild<ArchiveDialog*>() == nullptr; }));
  m_window->action("run.archive")->trigger();
  QVERIFY(m_window->findChild<ArchiveDialog*>()->file()->text().startsWith(folder));
}

void ArchiveDialogTest::goesWithItsProject() {
  QVERIFY(open() != nullptr);
  const QString other = project() + QStringLiteral(".other");
  m_window->service()->open(other, true);
  QVERIFY(waitUntil([&] { return m_window->service()->path() == other; }));
  QVERIFY(waitUntil([this] { return m_window->findChild<ArchiveDialog*>() == nullptr; }));
}

QTEST_MAIN(ArchiveDialogTest)
#include "tst_archive_dialog.moc"
