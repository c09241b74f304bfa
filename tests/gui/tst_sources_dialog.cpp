// SPDX-License-Identifier: Apache-2.0
// Followed sources in the window: the column of the run table, the list with pause, resume and remove.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include "app/runner/followed_sources.h"
#include "app/window/imports/sources_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/imports/formats/event_file_writer.h"
#include "core/imports/preview/source_places.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class SourcesDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void tableSaysWhereRunsComeFrom();
  void pauseResumeRemove();
  void kindsThatComeLater();
  void emptyListSaysWhatToDo();
  void goesWithItsProject();

 private:
  std::string follow(const char* name);
  SourcesDialog* shown() const;
  QString state(const SourcesDialog* dialog) const { return dialog->list()->topLevelItem(0)->text(2); }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void SourcesDialogTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void SourcesDialogTest::cleanup() {
  m_host.reset();
  for (const auto& each : followedSources(m_fixture->project().toStdString()))
    (void)endFollowing(m_fixture->project().toStdString(), each.source);
  QVERIFY(waitUntil([&] { return followedSources(m_fixture->project().toStdString()).empty(); }));
  m_fixture.reset();
}

// Read once, and paused.
std::string SourcesDialogTest::follow(const char* name) {
  const QString path = m_dir->filePath(QString::fromLatin1(name));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write("step,loss\n1,3\n2,2\n") < 0) return {};
  file.close();
  const std::string project = m_fixture->project().toStdString(), source = path.toStdString();
  SourceFollower::Options options{source, project + "/runs", followRecord(project, source), {}};
  options.import.follow = true;
  (void)beginFollowing(options, StopToken()).value();
  endFollowing(project, source).value();
  return source;
}

SourcesDialog* SourcesDialogTest::shown() const {
  m_window->action("file.sources")->trigger();
  auto* dialog = m_window->findChild<SourcesDialog*>();
  return waitUntil([&] { return dialog->hasLooked(); }) ? dialog : nullptr;
}

void SourcesDialogTest::tableSaysWhereRunsComeFrom() {
  const std::string source = follow("live.csv");
  m_fixture->addRun("ours");
  m_window = m_host->openWindow(m_fixture->project());
  const RunTableModel* model = m_window->train()->runModel();
  QVERIFY(waitUntil([&] { return model->rowCount() == 2; }));
  for (const RunItem& run : model->runs()) {
    const QModelIndex cell = model->index(model->rowOf(run.uuid), RunTableModel::Source);
    const bool ours = run.name == QLatin1String("ours");
    QCOMPARE(cell.data().toString(), ours ? QString() : QStringLiteral("CSV · ") + source.c_str());
    QCOMPARE(cell.data(RunTableModel::SourceRole).toString(), ours ? "" : "import");
  }
  QTest::keyClicks(m_window->train()->runs()->filterBox(), "source ~ live.csv");
  QTRY_COMPARE(m_window->train()->runs()->table()->model()->rowCount(), 1);
}

void SourcesDialogTest::pauseResumeRemove() {
  const std::string source = follow("live.csv");
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->rowCount() == 1; }));
  SourcesDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 1);
  QCOMPARE(dialog->list()->topLevelItem(0)->text(0), QString::fromStdString(source));
  QCOMPARE(state(dialog), QStringLiteral("paused"));
  // Its run says so in the table, too, as long as it is.
  const auto inRow = [this] {
    const RunTableModel* model = m_window->train()->runModel();
    return model->index(0, RunTableModel::State).data().toString();
  };
  QVERIFY2(waitUntil([&] { return inRow().contains("paused"); }), qPrintable(inRow()));
  dialog->list()->topLevelItem(0)->setSelected(true);
  QVERIFY(!dialog->pauseButton()->isEnabled() && dialog->resumeButton()->isEnabled());
  QTest::mouseClick(dialog->resumeButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return state(dialog) == QLatin1String("followed"); }));
  QVERIFY2(waitUntil([&] { return inRow().contains("followed"); }), qPrintable(inRow()));
  QFile file(QString::fromStdString(source));
  QVERIFY(file.open(QIODevice::Append));
  file.write("3,1\n");
  file.close();
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->runs().first().step == 3; }));
  QVERIFY(waitUntil([&] { return dialog->pauseButton()->isEnabled(); }));
  QTest::mouseClick(dialog->pauseButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return state(dialog) == QLatin1String("paused"); }));
  QVERIFY2(waitUntil([&] { return inRow().contains("paused"); }), qPrintable(inRow()));
  QTest::mouseClick(dialog->removeButton(), Qt::LeftButton);
  auto* box = dialog->findChild<QMessageBox*>();
  QVERIFY(box != nullptr && box->text().contains("Its runs stay"));
  for (QAbstractButton* button : box->buttons())
    if (box->buttonRole(button) == QMessageBox::DestructiveRole) QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return dialog->list()->topLevelItemCount() == 0; }));
  QVERIFY(dialog->message().contains("Nothing is followed"));
  QCOMPARE(m_window->train()->runModel()->rowCount(), 1);
}

// A folder that held two kinds from the start has a row for each; what comes later stands in the row that it
// is paused with.
void SourcesDialogTest::kindsThatComeLater() {
  const QString folder = m_dir->filePath("lab");
  QVERIFY(QDir().mkpath(folder));
  const auto write = [&](const char* name, const char* rows) {
    QFile file(folder + name);
    return file.open(QIODevice::WriteOnly) && file.write(rows) > 0;
  };
  EventFileWriter events(1.7e9);
  events.scalar("loss", 1, 1.7e9, 1);
  QVERIFY(write("/live.csv", "step,loss\n1,3\n"));
  events.write((folder + "/events.out.tfevents.1700000000.host.1.0").toStdString());
  const std::string project = m_fixture->project().toStdString();
  const auto places = placesIn(folder.toStdString(), StopToken()).value();
  QCOMPARE(places.size(), std::size_t{2});
  for (const SourcePlace& place : places) {
    SourceFollower::Options options{place.path, project + "/runs", followRecord(project, place.path), {}};
    options.import.follow = true;
    options.import.format = place.format;
    options.import.around = place.around;
    options.import.placesIn = placesIn;
    QVERIFY(beginFollowing(options, StopToken()).ok());
  }
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->rowCount() == 2; }));
  const SourcesDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 2);
  const QTreeWidgetItem *whole = dialog->list()->topLevelItem(0), *table = dialog->list()->topLevelItem(1);
  QCOMPARE(whole->text(1), QStringLiteral("TensorBoard"));
  QCOMPARE(table->text(1), QStringLiteral("CSV"));
  QVERIFY(waitUntil([&] { return state(dialog) == QLatin1String("followed"); }));
  QVERIFY(write("/more.jsonl", "{\"step\": 1, \"acc\": 1}\n"));
  QVERIFY2(waitUntil([&] { return whole->text(1).startsWith("TensorBoard, JSON"); }),
           qPrintable(whole->text(1)));
  QCOMPARE(table->text(1), QStringLiteral("CSV"));
  for (const int role : {int(Qt::ToolTipRole), int(Qt::AccessibleDescriptionRole)})
    QVERIFY(whole->data(1, role).toString().contains("more.jsonl"));
  QTest::mouseClick(dialog->list()->viewport(), Qt::LeftButton, {},
                    dialog->list()->visualItemRect(whole).center());
  QVERIFY(waitUntil([&] { return dialog->pauseButton()->isEnabled(); }));
  QTest::keyClick(dialog->pauseButton(), Qt::Key_Space);
  QVERIFY(waitUntil([&] { return state(dialog) == QLatin1String("paused"); }));
  QCOMPARE(table->text(2), QStringLiteral("followed"));
}

void SourcesDialogTest::emptyListSaysWhatToDo() {
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([&] { return m_window->service()->isReady(); }));
  SourcesDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  QVERIFY(dialog->message().contains("Follow another"));
  QVERIFY(!dialog->pauseButton()->isEnabled() && !dialog->removeButton()->isEnabled());
  QCOMPARE(shown(), dialog);  // one is enough
  QCOMPARE(m_window->findChildren<SourcesDialog*>().size(), 1);
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(waitUntil([&] { return m_window->findChild<SourcesDialog*>() == nullptr; }));
}

void SourcesDialogTest::goesWithItsProject() {
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([&] { return m_window->service()->isReady(); }));
  const SourcesDialog* dialog = shown();
  QVERIFY(dialog != nullptr &&
          dialog->windowTitle().contains(QFileInfo(m_fixture->project()).completeBaseName()));
  const QString other = m_dir->filePath("other.fathom");
  m_window->service()->open(other, true);
  QVERIFY(waitUntil([&] { return m_window->service()->path() == other; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<SourcesDialog*>() == nullptr; }));
}

QTEST_MAIN(SourcesDialogTest)
#include "tst_sources_dialog.moc"
