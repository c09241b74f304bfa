// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <QXmlStreamReader>

#include "app/window/figures/figures_workspace.h"
#include "app/window/main/run_notice.h"
#include "tests/gui/support_errors_window.h"
#include "views/panels/attention/checkpoint_bar.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/run_item.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// Small faults that were found by use: what moved under the pointer, what stayed after it was mended, what
// was called a failure and was none, what the desktop has to know.
class FurtherFaultsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void openButtonStaysWhereItIs();
  void errorsOfOpeningGoWithTheirCause();
  void checkpointSliderStaysWhereItIs();
  void abortedIsNoFailure();
  void wideSqlIsWrapped();
  void wordsOfAnEmptyPlaceAreWholeWhereItIsLow();
  void oneThingToDoFirstEverywhere();
  void desktopKnowsTheProgram();
  void doubleClickOpensTheProject();
};

namespace {

const QString kLong = QStringLiteral(
    "the file /somewhere/far/away/predictions_of_the_seventh_run.jsonl has 1,033 queries and "
    "the gold file has 1,034: a line is missing, or the two are of different splits; choose "
    "the predictions of the same split, or write an empty line for what was not predicted");

QPoint placeIn(const QWidget* widget, const QWidget* window) {
  return widget->mapTo(const_cast<QWidget*>(window), QPoint());
}

}  // namespace

void FurtherFaultsTest::openButtonStaysWhereItIs() {
  test::ErrorsWindow window;
  MainWindow* main = window.open();
  QVERIFY(main != nullptr);
  for (const QSize& size : {QSize(1024, 700), QSize(1280, 800)}) {
    main->resize(size);
    main->action(QStringLiteral("errors.open"))->trigger();
    OpenPage* page = window.errors()->openPage();
    QVERIFY(waitUntil([&] { return page->isVisible(); }) && settled(main));
    const QPoint before = placeIn(page->findChild<QPushButton*>("openFiles"), main);
    page->setProblem(kLong);
    QVERIFY(settled(main));
    const auto* problem = page->findChild<QLabel*>(QStringLiteral("openProblem"));
    QVERIFY(problem->isVisible());
    QVERIFY(problem->heightForWidth(problem->width()) <= problem->height());  // all of it
    QCOMPARE(placeIn(page->findChild<QPushButton*>("openFiles"), main), before);
    page->setProblem({});
    QVERIFY(settled(main));
    QCOMPARE(placeIn(page->findChild<QPushButton*>("openFiles"), main), before);
  }
}

// What was said about a file is not said any longer when it is another one.
void FurtherFaultsTest::errorsOfOpeningGoWithTheirCause() {
  OpenPage page;
  page.show();
  const auto* problem = page.findChild<QLabel*>(QStringLiteral("openProblem"));
  page.addPredictions({QStringLiteral("/tmp/a.sql")});
  page.setFileProblem(QStringLiteral("/tmp/a.sql"), kLong);
  QVERIFY(problem->isVisible());
  page.addPredictions({QStringLiteral("/tmp/b.sql")});
  QVERIFY(!problem->isVisible());
  page.setFileProblem(QStringLiteral("/tmp/a.sql"), kLong);
  page.files()->setCurrentItem(page.files()->topLevelItem(0));
  page.files()->setFocus();
  page.files()->actions().front()->trigger();
  QCOMPARE(page.files()->topLevelItemCount(), 1);
  QVERIFY(!problem->isVisible());
  page.setProblem(kLong);
  QTest::keyClicks(page.findChild<QLineEdit*>(QStringLiteral("gold")), "g");
  QVERIFY(!problem->isVisible());
}

void FurtherFaultsTest::checkpointSliderStaysWhereItIs() {
  QWidget side;  // as in Attention: something above, room below
  side.resize(260, 400);
  auto* column = new QVBoxLayout(&side);
  CheckpointBar bar;
  column->addWidget(&bar);
  column->addStretch();
  bar.setPlaces({{0, true}, {500, false}, {123456789, true}}, 0);
  side.show();
  QVERIFY(QTest::qWaitForWindowExposed(&side) && settled(&side));
  const QRect before(placeIn(bar.slider(), &side), bar.slider()->size());
  for (int step = 0; step < 2; ++step) {
    QTest::keyClick(bar.slider(), Qt::Key_Right);
    bar.setNote(step == 0 ? kLong : QString());
    QVERIFY(settled(&side));
    QCOMPARE(QRect(placeIn(bar.slider(), &side), bar.slider()->size()), before);
  }
}

// In words, colour, notices and sums.
void FurtherFaultsTest::abortedIsNoFailure() {
  RunItem run;
  run.name = QStringLiteral("deep");
  run.state = RunState::Killed;
  run.durationSeconds = RunNotice::kLongSeconds + 1;
  QVERIFY(factsOf(run).failed);
  run.cause = QStringLiteral("aborted");
  QCOMPARE(runStateLook(run.state, run.cause).colour, QStringLiteral("stopped"));
  QVERIFY(!factsOf(run).failed && !factsOf(run).open);
  QWidget window;
  RunNotice notice(&window);
  QString told;
  notice.setSender([&told](const QString& title, const QString&) { told = title; });
  notice.runEnded(run);
  QCOMPARE(told, QStringLiteral("deep: aborted"));
}

void FurtherFaultsTest::wideSqlIsWrapped() {
  test::ErrorsWindow window;
  QVERIFY(window.loadSample());
  window.window()->resize(1024, 700);
  QByteArray wide = "SELECT ";
  for (int i = 0; i < 60; ++i) wide += "a_rather_long_column_name_" + QByteArray::number(i) + ", ";
  wide += "b FROM t";
  int seen = 0;
  for (SqlEditor* editor : window.window()->findChildren<SqlEditor*>()) {
    QCOMPARE(editor->wrapMode(), QsciScintilla::WrapWord);
    if (!editor->isVisible()) continue;
    ++seen;
    editor->showSql(wide);
    QVERIFY(settled(window.window()));
    QVERIFY(!editor->horizontalScrollBar()->isVisible());
  }
  QVERIFY(seen > 0);
}

// Only the room around them is given up.
void FurtherFaultsTest::wordsOfAnEmptyPlaceAreWholeWhereItIsLow() {
  EmptyState state;
  state.setText(QStringLiteral("Nothing waits. “Add to queue” on the page of a new run puts runs here."));
  const auto* words = state.findChild<QLabel*>(QStringLiteral("emptyText"));
  state.show();
  for (const int height : {200, 90, 60}) {
    state.resize(240, height);
    QCoreApplication::processEvents();
    QVERIFY(words->heightForWidth(words->width()) > words->fontMetrics().height());
    QVERIFY2(words->height() >= words->heightForWidth(words->width()), qPrintable(QString::number(height)));
    QVERIFY(state.rect().contains(words->geometry()));
  }
}

// Without a project, and in each workspace of a fresh one: one button stands out.
void FurtherFaultsTest::oneThingToDoFirstEverywhere() {
  const auto primary = [](const QWidget* window, int* states) {
    int count = 0;
    for (const EmptyState* state : window->findChildren<EmptyState*>()) {
      if (!state->isVisible()) continue;
      ++*states;
      for (const QPushButton* button : state->findChildren<QPushButton*>())
        count += button->isVisible() && button->property("primary").toBool() ? 1 : 0;
    }
    return count;
  };
  int states = 0;
  {
    const test::WindowFixture fixture;
    WindowHost host(fixture.sessionFile());
    MainWindow* main = host.openWindow({});
    QVERIFY(QTest::qWaitForWindowActive(main));
    QCOMPARE(primary(main, &states), 1);
    QCOMPARE(states, 1);
  }
  test::ErrorsWindow window;
  MainWindow* main = window.openWindow();
  QVERIFY(main != nullptr);
  for (const char* workspace : {"train", "attention", "errors", "figures"}) {
    main->action(QStringLiteral("view.") + QLatin1String(workspace))->trigger();
    QVERIFY(waitUntil([&] { return main->jobs()->count() == 0; }) && settled(main));
    int found = 0;
    (void)waitUntil([&] {  // whether there are runs is read from the project
      states = 0;
      found = primary(main, &states);
      return found == 1;
    });
    QVERIFY2(found == 1 && states > 0,
             qPrintable(QStringLiteral("%1: %2 of %3").arg(QLatin1String(workspace)).arg(found).arg(states)));
  }
}

// One id for desktop file, icon and windows; what is said about the program is there in both languages.
void FurtherFaultsTest::desktopKnowsTheProgram() {
  const QString id = QStringLiteral("org.fathom.Fathom");
  QFile source(QStringLiteral(FATHOM_SOURCE_DIR "/app/window/main/window_host.cpp"));
  QVERIFY(source.open(QIODevice::ReadOnly));
  QVERIFY(source.readAll().contains("setDesktopFileName(QStringLiteral(\"org.fathom.Fathom\"))"));
  QVERIFY(!QIcon(QStringLiteral(":/desktop/org.fathom.Fathom.svg")).pixmap(64).toImage().isNull());
  const QString folder = QStringLiteral(FATHOM_SOURCE_DIR "/packaging/linux/") + id;
  const auto read = [](const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  };
  const QString desktop = read(folder + QStringLiteral(".desktop"));
  for (const char* line :
       {"StartupWMClass=org.fathom.Fathom", "Icon=org.fathom.Fathom", "Exec=fathom %f",
        "MimeType=application/x-fathom-project;", "Comment[zh_CN]=", "GenericName[zh_CN]="})
    QVERIFY2(desktop.contains(QLatin1String(line)), line);
  const QString mime = read(folder + QStringLiteral(".mime.xml"));
  QVERIFY(mime.contains("application/x-fathom-project") && mime.contains("library.sqlite"));
  QVERIFY(QFile::exists(folder + QStringLiteral(".svg")));
  QStringList elements, chinese;
  QXmlStreamReader xml(read(folder + QStringLiteral(".metainfo.xml")));
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    elements.append(xml.name().toString());
    for (const QXmlStreamAttribute& each : xml.attributes())
      if (each.value() == QLatin1String("zh_CN")) chinese.append(elements.last());
  }
  QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
  for (const char* needed : {"screenshot", "url", "developer_name", "mediatype", "launchable", "release"})
    QVERIFY2(elements.contains(QLatin1String(needed)), needed);
  for (const char* needed : {"summary", "developer_name", "p", "caption"})
    QVERIFY2(chinese.contains(QLatin1String(needed)), needed);
}

// As a desktop does it: the program and a path, that of the folder or of the library in it.
void FurtherFaultsTest::doubleClickOpensTheProject() {
  const test::WindowFixture fixture;
  for (const QString& path : {fixture.project(), fixture.project() + QStringLiteral("/library.sqlite")}) {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("FATHOM_REPORT_FIRST_PAINT"), QStringLiteral("1"));
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), {path});
    QVERIFY(program.waitForFinished(20000));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(program.readAllStandardOutput().trimmed().toLongLong() > 0);  // a window was painted
  }
  // What is no project is a command that is not there, and said to be.
  QProcess program;
  program.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), {fixture.project() + QStringLiteral("/none")});
  QVERIFY(program.waitForFinished(20000));
  QVERIFY(program.exitCode() != 0);
}

QTEST_MAIN(FurtherFaultsTest)
#include "tst_further_faults.moc"
