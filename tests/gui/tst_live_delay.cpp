// SPDX-License-Identifier: Apache-2.0
// ctest: two_cores
// A training that fathom.py writes (tests/process/foreign_writer.py), watched in a window: a number is drawn
// within a second of the call that logged it. Skipped where there is no python3.
#include <QDateTime>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <map>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"

using namespace fathom;
using test::waitUntil;

class LiveDelayTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void drawnWithinASecond();
};

void LiveDelayTest::drawnWithinASecond() {
  constexpr int kSteps = 16;
  const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
  const QString ask = QStringLiteral("import sys; sys.exit(sys.version_info < (3, 8))");
  if (python.isEmpty() || QProcess::execute(python, {QStringLiteral("-c"), ask}) != 0)
    QSKIP("SKIPPED-ALL no python3 of version 3.8 or newer on this machine");
  const test::WindowFixture fixture;
  WindowHost host(fixture.sessionFile());
  QProcess training;
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  values.insert(QStringLiteral("PYTHONPATH"), QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python"));
  values.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
  training.setProcessEnvironment(values);
  training.start(python, {QStringLiteral(FATHOM_SOURCE_DIR "/tests/process/foreign_writer.py"),
                          QStringLiteral("fathom"), fixture.project(), QString::number(kSteps)});
  std::map<int, double> logged, drawn;  // step, seconds since 1970
  QByteArray said;
  const auto listen = [&] {
    said += training.readAllStandardOutput();
    for (const QByteArray& line : said.left(said.lastIndexOf('\n') + 1).split('\n'))
      if (const auto words = line.split(' '); words.size() == 3 && words[0] == "step")
        logged.emplace(words[1].toInt(), words[2].toDouble());
  };
  QVERIFY(waitUntil([&] { return listen(), !logged.empty(); }));
  MainWindow* window = host.openWindow(fixture.project());
  QVERIFY(QTest::qWaitForWindowActive(window));
  CurvePanel* curves = window->train()->curves()->panel();
  curves->restoreView("{\"axis\":0,\"metrics\":[\"loss\"]}");
  QVERIFY(waitUntil([&] {
    listen();
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
    for (const FigurePanel& panel : curves->canvas()->spec().panels)
      for (const FigureMark& mark : panel.marks)
        if (const auto* line = std::get_if<LineMark>(&mark.shape))
          for (const double step : line->x) drawn.emplace(static_cast<int>(step), now);
    return drawn.size() == std::size_t{kSteps};
  }));
  // It may have ended while its last number was waited for.
  QVERIFY2(training.state() == QProcess::NotRunning || training.waitForFinished(),
           training.readAllStandardError().constData());
  listen();
  QCOMPARE(logged.size(), std::size_t{kSteps});
  double worst = 0;
  // The first ones wait for the window.
  for (const auto& [step, when] : logged)
    if (step > kSteps / 2) worst = std::max(worst, drawn.at(step) - when);
  qInfo("a number is drawn after %.2f s at the latest", worst);
  QVERIFY2(worst <= 1.0, qPrintable(QString::number(worst)));
}

QTEST_MAIN(LiveDelayTest)
#include "tst_live_delay.moc"
