// SPDX-License-Identifier: Apache-2.0
// Runs of other programs come in by menu and by dropping: the preview, the columns of a table, faults,
// following.
#include <sys/stat.h>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#include "app/runner/followed_sources.h"
#include "app/window/imports/import_columns.h"
#include "app/window/imports/import_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class ImportDialogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void twoRunsInThreeClicks();
  void anEmptyProjectLeadsToTheFile();
  void aDroppedTableNeedsOneMoreClick();
  void folderIsChosen();
  void columnsAreSaidOnce();
  void faultsAreSaid_data();
  void faultsAreSaid();
  void goodAndBadTogether();
  void droppedFolderIsShown();
  void longNamesFit();
  void escapeLeavesNothing();
  void goesWithItsProject();
  void withoutAProjectOneIsMade();
  void followedSourceGrows();
  void followingGoesOnWithTheWindow();
  void aSourceThatIsGoneIsLeft();

 private:
  MainWindow* open();
  QString write(const QString& name, const QByteArray& content) const;
  void drop(const QStringList& paths) const;
  // The dialog once it has looked, null if none comes.
  ImportDialog* shown() const;
  ImportDialog* dropped(const QStringList& paths) const;
  QString writeChart() const;
  void click(QWidget* widget, const QPoint& at = {});
  // Both runs are there, and what is drawn is theirs.
  bool twoRunsAreDrawn() const;
  int runs() const { return m_window->train()->runModel()->rowCount(); }
  bool wasSaid(const char* words) const { return m_said.join('\n').contains(QLatin1String(words)); }
  static void chooseUse(ImportDialog* dialog, int column, const char* use);
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  int m_clicks = 0;
  QTimer m_listening;
  QStringList m_said;  // by the window, notes that have gone again among it
};

void ImportDialogTest::init() {
  m_said.clear();
  m_clicks = 0;
  m_dir = std::make_unique<QTemporaryDir>();
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void ImportDialogTest::cleanup() {
  m_listening.stop();
  m_listening.disconnect();
  m_host.reset();
  m_fixture.reset();
  m_dir.reset();
}

MainWindow* ImportDialogTest::open() {
  m_window = m_host->openWindow(m_fixture->project());
  connect(&m_listening, &QTimer::timeout, this, [this] {
    const QString text = m_window->messages()->currentText();
    if (!text.isEmpty() && (m_said.isEmpty() || m_said.last() != text)) m_said.append(text);
  });
  m_listening.start(50);
  const bool ready = QTest::qWaitForWindowActive(m_window) && waitUntil([&] {
                       return m_window->service()->isReady() && m_window->jobs()->count() == 0;
                     });
  return ready ? m_window : nullptr;
}

QString ImportDialogTest::write(const QString& name, const QByteArray& content) const {
  const QString path = m_dir->filePath(name);
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(content);
  return path;
}

void ImportDialogTest::drop(const QStringList& paths) const {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& path : paths) urls.append(QUrl::fromLocalFile(path));
  data.setUrls(urls);
  const QPoint at = m_window->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QApplication::sendEvent(m_window, &event);
}

ImportDialog* ImportDialogTest::shown() const {
  ImportDialog* dialog = nullptr;
  const bool there = waitUntil([&] {
    dialog = m_window->findChild<ImportDialog*>();
    return dialog != nullptr && dialog->isVisible() && dialog->isIdle();
  });
  return there ? dialog : nullptr;
}

ImportDialog* ImportDialogTest::dropped(const QStringList& paths) const {
  drop(paths);
  return shown();
}

// By the keyboard, as in any list.
void ImportDialogTest::chooseUse(ImportDialog* dialog, int column, const char* use) {
  QComboBox* box = dialog->columns()->choice(column);
  QVERIFY(box != nullptr);
  box->setFocus();
  const int wanted = box->findData(QLatin1String(use));
  QVERIFY(wanted >= 0);
  while (box->currentIndex() != wanted)
    QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
  Q_EMIT box->activated(wanted);  // a closed list tells keys by that alone on some desktops
}

// Two runs in a chart that W&B exported.
QString ImportDialogTest::writeChart() const {
  return write("wandb_export.csv",
               "Step,plum - loss,plum - loss__MIN,plum - loss__MAX,pear - loss,pear - "
               "loss__MIN,pear - loss__MAX\n"
               "1,3,3,3,4,4,4\n2,2,2,2,3,3,3\n3,1,1,1,2,2,2\n");
}

void ImportDialogTest::click(QWidget* widget, const QPoint& at) {
  QVERIFY(widget != nullptr && widget->isVisible() && widget->isEnabled());
  QTest::mouseClick(widget, Qt::LeftButton, {}, at);
  ++m_clicks;
}

bool ImportDialogTest::twoRunsAreDrawn() const {
  return waitUntil([this] { return runs() == 2; }) &&
         waitUntil([this] { return m_window->selection()->of(Dimension::Run).items.size() == 2; }) &&
         waitUntil([this] { return m_window->train()->curves()->panel()->metrics() == QStringList{"loss"}; });
}

// A button of the empty window, the file, Import: no menu.
void ImportDialogTest::anEmptyProjectLeadsToTheFile() {
  QVERIFY(open() != nullptr);
  const QString chart = writeChart();
  QPushButton* import = nullptr;
  QVERIFY(waitUntil([&] {
    for (auto* each : m_window->train()->curves()->findChildren<QPushButton*>())
      if (each->isVisible() && each->text().remove(u'&') == QStringLiteral("Import…")) import = each;
    return import != nullptr;
  }));
  QTimer::singleShot(0, m_window, [this, chart] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (files == nullptr || !QTest::qWaitForWindowActive(files)) return;
    auto* name = files->findChild<QLineEdit*>();
    name->setText(chart);
    QTest::keyClick(name, Qt::Key_Return);
    ++m_clicks;  // on the file
  });
  click(import, import->rect().center());
  ImportDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  click(dialog->importButton(), dialog->importButton()->rect().center());
  QVERIFY(twoRunsAreDrawn());
  QVERIFY2(m_clicks <= 3, qPrintable(QString::number(m_clicks)));
}

void ImportDialogTest::aDroppedTableNeedsOneMoreClick() {
  QVERIFY(open() != nullptr);
  ImportDialog* dialog = dropped({writeChart()});
  ++m_clicks;  // a drop is one
  QVERIFY(dialog != nullptr);
  click(dialog->importButton(), dialog->importButton()->rect().center());
  QVERIFY(twoRunsAreDrawn());
  QCOMPARE(m_clicks, 2);
}

// One click in the menu, one for the file, one on Import.
void ImportDialogTest::twoRunsInThreeClicks() {
  QVERIFY(open() != nullptr);
  const QString chart = writeChart();
  QMenu* file = m_window->menuBar()->actions().first()->menu();
  file->popup(QPoint(0, 0));
  QTimer::singleShot(0, m_window, [chart] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (files == nullptr) return;
    auto* name = files->findChild<QLineEdit*>();
    name->setText(chart);
    QTest::keyClick(name, Qt::Key_Return);
  });
  QTest::mouseClick(file, Qt::LeftButton, {}, file->actionGeometry(m_window->action("file.import")).center());
  ImportDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 2);
  QCOMPARE(dialog->list()->topLevelItem(0)->text(0), QStringLiteral("plum"));
  QVERIFY2(dialog->summary().contains("Runs: 2"), qPrintable(dialog->summary()));
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return runs() == 2; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
  // What came in is selected, and its curves are in view.
  QVERIFY(waitUntil([&] { return m_window->selection()->of(Dimension::Run).items.size() == 2; }));
  QCOMPARE(m_window->train()->curves()->panel()->metrics(), QStringList{"loss"});
  QVERIFY(waitUntil([&] { return wasSaid("imported: 2"); }));
}

void ImportDialogTest::folderIsChosen() {
  QVERIFY(open() != nullptr);
  write("out/trainer_state.json",
        R"({"global_step": 20, "log_history": [{"step": 10, "epoch": 1, "loss": 2.5},
            {"step": 20, "epoch": 2, "loss": 1.5}, {"step": 20, "epoch": 2, "eval_loss": 1.25}]})");
  QTimer::singleShot(0, m_window, [this] {
    auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (files == nullptr) return;
    files->setDirectory(m_dir->filePath("out"));
    QTest::mouseClick(files->findChild<QPushButton*>("takeFolder"), Qt::LeftButton);
  });
  QTest::keyClick(m_window, Qt::Key_I, Qt::ControlModifier);
  ImportDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 1);
  QVERIFY(dialog->list()->topLevelItem(0)->text(2).contains("Hugging Face"));
  QVERIFY(!dialog->columns()->isVisible());
  QTest::keyClick(dialog, Qt::Key_Return);
  QVERIFY(waitUntil([&] { return runs() == 1; }));
  QVERIFY(waitUntil([&] {
    return m_window->train()->curves()->panel()->metrics() == (QStringList{"eval_loss", "loss"}) ||
           m_window->train()->curves()->panel()->metrics() == (QStringList{"loss", "eval_loss"});
  }));
}

// A table that nobody can read by its names: what is said of it holds for the next one of its kind, too.
void ImportDialogTest::columnsAreSaidOnce() {
  QVERIFY(open() != nullptr);
  ImportDialog* dialog = dropped({write("odd.csv", "n,who,reward\n1,x,3\n2,x,4\n1,y,5\n")});
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->notes().contains("no column tells the step"), qPrintable(dialog->notes()));
  QVERIFY(!dialog->importButton()->isEnabled());
  QVERIFY(dialog->columns()->isVisible());
  QCOMPARE(dialog->columns()->list()->topLevelItemCount(), 3);
  chooseUse(dialog, 0, "step");
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->importButton()->isEnabled(); }));
  QCOMPARE(dialog->list()->topLevelItemCount(), 1);
  QVERIFY(dialog->columns()->choice(0)->hasFocus());
  chooseUse(dialog, 1, "run");
  QVERIFY(waitUntil([&] { return dialog->isIdle() && dialog->list()->topLevelItemCount() == 2; }));
  QCOMPARE(dialog->notes(), QString());
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return runs() == 2; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
  dialog = dropped({write("next.csv", "n,who,reward\n1,z,3\n2,z,4\n")});
  QVERIFY(dialog != nullptr);
  QVERIFY(dialog->importButton()->isEnabled());
  QCOMPARE(dialog->columns()->choice(1)->currentData().toString(), QStringLiteral("run"));
  QCOMPARE(dialog->list()->topLevelItem(0)->text(0), QStringLiteral("z"));
}

void ImportDialogTest::faultsAreSaid_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("content");
  QTest::addColumn<QString>("said");
  QTest::newRow("bad cell") << "bad.csv" << QByteArray("step,loss\n1,3\ntwo,2\n") << "bad.csv:3";
  QTest::newRow("nothing in it") << "hollow.csv" << QByteArray("step,loss\n") << "hollow.csv";
  QTest::newRow("pipe") << "pipe" << QByteArray() << "named pipe";
  QTest::newRow("device") << "/dev/zero" << QByteArray() << "device";
  QTest::newRow("torn database") << "torn.db" << QByteArray("SQLite format 3\0torn", 20) << "torn.db";
  QTest::newRow("empty folder") << "nothing/" << QByteArray() << "nothing";
}

// Nothing hangs, nothing comes in, and the place is named.
void ImportDialogTest::faultsAreSaid() {
  QFETCH(QString, name);
  QFETCH(QByteArray, content);
  QFETCH(QString, said);
  QVERIFY(open() != nullptr);
  QString path = name;
  if (name == "pipe") {
    path = m_dir->filePath(name);
    QCOMPARE(::mkfifo(path.toUtf8().constData(), 0600), 0);
  } else if (name.endsWith('/')) {
    path = m_dir->filePath(name.chopped(1));
    QVERIFY(QDir().mkpath(path));
  } else if (!name.startsWith('/')) {
    path = write(name, content);
  }
  ImportDialog* dialog = dropped({path});
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->notes().contains(said), qPrintable(dialog->notes()));
  QVERIFY(!dialog->importButton()->isEnabled() && !dialog->followButton()->isEnabled());
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
  QCOMPARE(runs(), 0);
}

void ImportDialogTest::goodAndBadTogether() {
  QVERIFY(open() != nullptr);
  ImportDialog* dialog =
      dropped({write("good.csv", "step,loss\n1,3\n2,2\n"), write("bad.csv", "step,loss\nx,3\n")});
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 2);
  QVERIFY(!dialog->list()->isColumnHidden(1));
  QVERIFY(dialog->notes().contains("bad.csv:2"));
  QVERIFY(dialog->summary().contains("Runs: 1"));
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return runs() == 1; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
}

// A folder of any program's, not only of event files.
void ImportDialogTest::droppedFolderIsShown() {
  QVERIFY(open() != nullptr);
  for (const char* version : {"version_0", "version_1"}) {
    write(QStringLiteral("logs/demo/%1/metrics.csv").arg(version), "epoch,step,loss\n0,1,3\n0,2,2\n");
    write(QStringLiteral("logs/demo/%1/hparams.yaml").arg(version), "lr: 0.1\n");
  }
  ImportDialog* dialog = dropped({m_dir->filePath("logs")});
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->list()->topLevelItemCount(), 2);
  QCOMPARE(dialog->list()->topLevelItem(0)->text(2), QStringLiteral("Lightning"));
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return runs() == 2; }));
}

void ImportDialogTest::longNamesFit() {
  QVERIFY(open() != nullptr);
  const QByteArray name(10'000, 'n');
  ImportDialog* dialog = dropped({write("long.csv", "step," + name + "\n1,3\n2,2\n")});
  QVERIFY(dialog != nullptr);
  QVERIFY(dialog->width() <= m_window->width() && dialog->minimumSizeHint().width() <= m_window->width());
  for (int row = 0; row < dialog->columns()->list()->topLevelItemCount(); ++row)
    QVERIFY(dialog->columns()->list()->topLevelItem(row)->text(0).size() <= 300);
  QVERIFY(dialog->notes().size() < 100'000);
}

void ImportDialogTest::escapeLeavesNothing() {
  QVERIFY(open() != nullptr);
  ImportDialog* dialog = dropped({write("one.csv", "step,loss\n1,3\n2,2\n")});
  QVERIFY(dialog != nullptr);
  QTest::mouseClick(dialog->cancelButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
  QVERIFY(QDir(m_fixture->project() + "/runs")
              .entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden)
              .isEmpty());
}

void ImportDialogTest::goesWithItsProject() {
  QVERIFY(open() != nullptr);
  QVERIFY(dropped({write("curve.csv", "step,loss\n1,2\n2,1\n")}) != nullptr);
  const QString other = m_dir->filePath("other.fathom");
  m_window->service()->open(other, true);
  QVERIFY(waitUntil([&] { return m_window->service()->path() == other; }));
  QVERIFY(waitUntil([&] { return m_window->findChild<ImportDialog*>() == nullptr; }));
}

// By the menu, where the dialog for the project may be closed; what needs runs is refused as before.
void ImportDialogTest::withoutAProjectOneIsMade() {
  m_window = m_host->openWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(m_window->action("file.import")->isEnabled());
  QVERIFY(!m_window->action("file.import_attention")->isEnabled());
  drop({write("one.npy", "no array")});
  QVERIFY(waitUntil([&] { return m_window->messages()->currentText().contains("only in a project"); }));
  const QString log = write("plum/logs/one.csv", "step,loss\n1,3\n2,2\n"),
                made = m_dir->filePath("made.fathom");
  for (const QString& project : {QString(), made}) {
    QStringList asked = {log, project}, offered;
    QTimer answer;
    connect(&answer, &QTimer::timeout, this, [&] {
      auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (files == nullptr || asked.isEmpty()) return;
      auto* name = files->findChild<QLineEdit*>();
      offered.append(name->text());
      name->setText(asked.takeFirst());
      QTest::keyClick(name, name->text().isEmpty() ? Qt::Key_Escape : Qt::Key_Return);
    });
    answer.start(10);
    m_window->action("file.import_follow")->trigger();
    QVERIFY(waitUntil([&] { return asked.isEmpty() && QApplication::activeModalWidget() == nullptr; }));
    QCOMPARE(offered, QStringList({QString(), QStringLiteral("one.fathom")}));
    if (!project.isEmpty()) break;
    QVERIFY(!m_window->service()->isOpen() && m_window->findChild<ImportDialog*>() == nullptr);
  }
  ImportDialog* dialog = shown();
  QVERIFY(dialog != nullptr);
  QCOMPARE(m_window->service()->path(), made);
  QVERIFY(dialog->followButton()->isDefault());
  QTest::mouseClick(dialog->importButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return runs() == 1; }));
}

// The window starts who goes on reading; what comes to the file is in the run.
void ImportDialogTest::followedSourceGrows() {
  QVERIFY(open() != nullptr);
  const QString source = write("live.csv", "step,loss\n1,3\n2,2\n");
  ImportDialog* dialog = dropped({source});
  QVERIFY(dialog != nullptr);
  QTest::mouseClick(dialog->followButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return runs() == 1; }));
  QVERIFY(waitUntil([&] { return wasSaid("read from now on"); }));
  const RunTableModel* model = m_window->train()->runModel();
  QVERIFY(waitUntil([&] { return model->runs().first().step == 2; }));
  QFile file(source);
  QVERIFY(file.open(QIODevice::Append));
  file.write("3,1\n4,0.5\n");
  file.close();
  QVERIFY(waitUntil([&] { return model->runs().first().step == 4; }));
  QCOMPARE(model->runs().first().state, RunState::Running);
  const QModelIndex cell = model->index(0, RunTableModel::State);
  QVERIFY(cell.data().toString().contains("followed"));
  QVERIFY(cell.data(Qt::ToolTipRole).toString().contains("last grew"));
  // It does not look dead, and what ends it is no Stop of the program that trains.
  const auto* said = m_window->train()->details()->findChild<QLabel*>("detailsState");
  QVERIFY(waitUntil([&] { return said->text().contains("last grew"); }));
  QVERIFY(!m_window->action("run.stop")->isEnabled() && !m_window->action("run.abort")->isEnabled());
  const std::string project = m_fixture->project().toStdString();
  QCOMPARE(startFollowing(project).value(), 0);  // somebody follows it
  QVERIFY(m_window->action("run.unfollow")->isEnabled());
  m_window->action("run.unfollow")->trigger();
  QVERIFY(waitUntil([&] { return followedSources(project).empty(); }));
  QVERIFY(waitUntil([&] { return !isLive(model->runs().first().state); }));
  QVERIFY(waitUntil([&] { return !m_window->action("run.unfollow")->isEnabled(); }));
}

// Whoever followed it is gone; the window starts another one and says so.
void ImportDialogTest::followingGoesOnWithTheWindow() {
  const QString source = write("left.csv", "step,loss\n1,3\n");
  const std::string project = m_fixture->project().toStdString();
  SourceFollower::Options options{
      source.toStdString(), project + "/runs", followRecord(project, source.toStdString()), {}};
  options.import.follow = true;
  const auto begun = beginFollowing(options, StopToken());
  QVERIFY2(begun.ok(), begun.ok() ? "" : begun.error().text().c_str());
  QVERIFY(open() != nullptr);
  QVERIFY(waitUntil([&] { return wasSaid("read on as they grow: 1"); }));
  QFile file(source);
  QVERIFY(file.open(QIODevice::Append));
  file.write("2,2\n3,1\n");
  file.close();
  const RunTableModel* model = m_window->train()->runModel();
  QVERIFY(waitUntil([&] { return model->runs().size() == 1 && model->runs().first().step == 3; }));
  QVERIFY(endFollowing(project, source.toStdString()).ok());
  QVERIFY(waitUntil([&] { return followedSources(project).empty(); }));
}

void ImportDialogTest::aSourceThatIsGoneIsLeft() {
  const QString source = write("gone.csv", "step,loss\n1,3\n");
  const std::string project = m_fixture->project().toStdString();
  QVERIFY(endFollowing(project, source.toStdString()).ok());  // never followed
  SourceFollower::Options options{
      source.toStdString(), project + "/runs", followRecord(project, source.toStdString()), {}};
  options.import.follow = true;
  QVERIFY(beginFollowing(options, StopToken()).ok());
  QCOMPARE(followedSources(project).size(), std::size_t{1});
  QVERIFY(QFile::remove(source));
  QVERIFY(endFollowing(project, source.toStdString()).ok());
  QVERIFY(followedSources(project).empty());
}

QTEST_MAIN(ImportDialogTest)
#include "tst_import_dialog.moc"
