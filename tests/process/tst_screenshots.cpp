// SPDX-License-Identifier: Apache-2.0
// ctest: engine pictures
// `fathom-pictures` shows every page, dialog and state: no class of the window is left out, every picture
// is taken on a project with a run, each shows the parts that it is of, and none has a fault in the one look
// in which it is drawn here (in the others: tst_view_faults_slow).
#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <future>
#include <vector>

#include "app/pictures/screenshot_stage.h"
#include "core/library/runs/run_listing.h"
#include "core/tasks/task.h"
#include "tests/process/support_pictured_runs.h"
#include "tests/process/support_project_fixture.h"
#include "views/figures/figure_entry.h"

using namespace fathom;

namespace {

// The views in two processes at once: a window waits as long as it draws.
std::vector<ShellResult> takeShares(const ProjectFixture& fixture) {
  constexpr int kShares = 2;
  const auto take = [&fixture](int share) {
    return fixture.beside(
        "fathom-pictures",
        {"--project", QString::fromStdString(fixture.path()), "--out",
         fixture.file(qPrintable(QStringLiteral("pictures%1").arg(share))), "--looks", "dark", "--check",
         "--keep", "--json", "--share", QString::number(share), "--shares", QString::number(kShares)},
        {}, 420);
  };
  std::vector<std::future<ShellResult>> taken;
  for (int share = 1; share <= kShares; ++share) taken.push_back(std::async(std::launch::async, take, share));
  std::vector<ShellResult> results;
  for (std::future<ShellResult>& each : taken) results.push_back(each.get());
  return results;
}

}  // namespace

class ScreenshotsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyPartOfTheWindowIsInAView();
  void everyKindIsInAView();
  void everyPictureIsTaken();
};

// All classes of widgets that the window is made of, from their headers.
void ScreenshotsTest::everyPartOfTheWindowIsInAView() {
  QSet<QString> classes;
  static const QRegularExpression kClass(
      QStringLiteral("class (\\w+)(?: final)? : public (\\w+)[^{;]*\\{\\s*Q_OBJECT"));
  // What a widget is derived from; the others are models, actions and helpers without a face.
  QSet<QString> widgets = {"QWidget",      "QDialog",       "QMainWindow",         "QTreeWidget", "QLabel",
                           "QTextBrowser", "QsciScintilla", "QAbstractScrollArea", "QCustomPlot", "QFrame",
                           "QTableView",   "QTreeView",     "QListView",           "QListWidget"};
  QMap<QString, QString> bases;
  for (const char* part : {"app", "views"}) {
    QDirIterator headers(QStringLiteral(FATHOM_SOURCE_DIR "/") + QLatin1String(part), {QStringLiteral("*.h")},
                         QDir::Files, QDirIterator::Subdirectories);
    while (headers.hasNext()) {
      QFile file(headers.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      for (auto matches = kClass.globalMatch(QString::fromUtf8(file.readAll())); matches.hasNext();) {
        const auto match = matches.next();
        bases.insert(match.captured(1), match.captured(2));
      }
    }
  }
  for (qsizetype before = -1; before != classes.size();) {
    before = classes.size();
    for (auto it = bases.cbegin(); it != bases.cend(); ++it)
      if (widgets.contains(it.value()) || classes.contains(it.value())) classes.insert(it.key());
  }
  QVERIFY(classes.size() > 40);
  for (const ScreenshotView& view : screenshotViews())
    for (const QString& part : view.shows) {
      QVERIFY2(bases.contains(part), qPrintable(view.name + QStringLiteral(" names no class: ") + part));
      // A class stands for those it is derived from.
      for (QString type = part; !type.isEmpty(); type = bases.value(type)) classes.remove(type);
    }
  // Small parts of others, which are visible wherever those are, or while a table is scrolled sideways
  // (tst_train_layout).
  for (const char* part : {"ElidedLabel", "FrozenColumns"}) classes.remove(QLatin1String(part));
  QVERIFY2(classes.isEmpty(),
           qPrintable(QStringList(classes.begin(), classes.end()).join(QStringLiteral(", "))));
}

void ScreenshotsTest::everyKindIsInAView() {
  QSet<QString> names;
  for (const ScreenshotView& view : screenshotViews()) {
    QVERIFY2(!names.contains(view.name), qPrintable(view.name));
    names.insert(view.name);
    QVERIFY(bool(view.show));
  }
  // Those that stand for many.
  for (const char* name : {"attention", "attention_none", "import_attention", "help", "details", "run",
                           "errors_figure", "task_form", "task_data", "streams"})
    QVERIFY2(names.contains(QLatin1String(name)), name);
}

void ScreenshotsTest::everyPictureIsTaken() {
  const QString engine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
  QVERIFY2(QFile::exists(engine), "fathom-engine is not built");
  ProjectFixture fixture;
  qputenv("FATHOM_ENGINE", engine.toUtf8());
  makePicturedRuns(fixture);
  QMap<QString, QString> paths;
  for (const ShellResult& result : takeShares(fixture)) {
    QVERIFY2(result.exitCode == 0, qPrintable(result.out.right(600) + result.err.right(900)));
    const Json told = result.json();
    for (const Json& file : told["files"]) {
      const QString path = QString::fromStdString(file.get<std::string>());
      const QImage image(path);
      QVERIFY2(image.width() > 200 && image.height() > 60, qPrintable(path));
      paths.insert(QFileInfo(path).completeBaseName(), path);
    }
    for (const Json& fault : told["faults"]) QVERIFY2(false, fault.dump().c_str());
    // The project of two finished runs lacks nothing else than results of some analyses; those have a picture
    // of their own.
    for (const Json& missing : told["missing"]) QVERIFY2(false, missing.dump().c_str());
  }
  const QStringList pictures = paths.keys();
  for (const FigureEntry& entry : figures()) {
    if (!entry.build || entry.inTrain) continue;
    const QString id = QString::fromStdString(entry.id);
    QVERIFY2(pictures.contains(QStringLiteral("attention_%1_dark").arg(id)) ||
                 pictures.contains(QStringLiteral("attention_none_%1_dark").arg(id)),
             qPrintable(id + QStringLiteral(": ") + pictures.filter("attention").join(u' ')));
  }
  // Every dialog that stands for a command of the shell.
  for (const char* dialog : {"trash", "archive", "clean_up", "import_attention_arrays"})
    QVERIFY2(pictures.contains(QLatin1String(dialog) + QStringLiteral("_dark")), dialog);
  // Every task has its form and its data.
  for (const TaskEntry& task : taskEntries())
    for (const char* view : {"task_form", "task_data"})
      QVERIFY2(pictures.contains(
                   QStringLiteral("%1_%2_dark").arg(QLatin1String(view), QString::fromStdString(task.id))),
               task.id.c_str());
  QVERIFY(pictures.contains(QStringLiteral("run_of_nmt_dark")));
  for (const QStringList& wrong : {QStringList{"--views", "nothing"}, QStringList{"--looks", "sepia"}})
    QCOMPARE(fixture
                 .beside("fathom-pictures", QStringList{"--project", QString::fromStdString(fixture.path()),
                                                        "--out", fixture.file("pictures")} +
                                                wrong)
                 .exitCode,
             2);
  // What a picture is taken for is in it.
  const auto picture = [&](const char* name) {
    return QImage(paths.value(QStringLiteral("%1_dark").arg(QString::fromLatin1(name))));
  };
  QVERIFY(picture("curve_table") != picture("train"));
  QVERIFY(pictures.contains(QStringLiteral("attention_attention_entropy_dark")));
  // Attention of two streams: the band and the global queries are other figures than all heads.
  QVERIFY(picture("streams_band") != picture("streams_heads"));
  QVERIFY(picture("streams_band") != picture("streams_global"));
  QVERIFY(picture("streams_heads").width() > 200);
  QVERIFY(pictures.contains(QStringLiteral("run_finished_dark")));
  QVERIFY(pictures.contains(QStringLiteral("help_beta_dependency_dark")));
}

QTEST_GUILESS_MAIN(ScreenshotsTest)
#include "tst_screenshots.moc"
