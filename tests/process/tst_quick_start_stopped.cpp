// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
// A quick start that is stopped ends its engines, and the same command goes on from there: the first time
// that it is said again.
#include <signal.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <algorithm>

#include "core/library/queue/queue_folder.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class QuickStartStopped : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void goesOnFromThere();

 private:
  // Starts it, and stops it when it has said `word` so many times; returns what it said.
  QString stoppedAfter(const QString& word, int times = 1);
  int stoppedRuns(int attempts) const;  // stopped in their n-th attempt
  const ProjectFixture m_fixture;
};

QString QuickStartStopped::stoppedAfter(const QString& word, int times) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  environment.insert("QT_QPA_PLATFORM", "offscreen");
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(FATHOM_BIN_DIR "/fathom", {"quick-start", "--out", m_fixture.file("out")});
  QString said;
  QElapsedTimer timer;
  timer.start();
  while (said.count(word) < times && timer.elapsed() < 120'000 && process.state() != QProcess::NotRunning) {
    process.waitForReadyRead(500);
    said += QString::fromUtf8(process.readAll());
  }
  ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
  if (!process.waitForFinished(60'000)) return said + "\ndid not end";
  said += QString::fromUtf8(process.readAll());
  return said + QStringLiteral("\nexit code %1").arg(process.exitCode());
}

int QuickStartStopped::stoppedRuns(int attempts) const {
  const ShellResult listed =
      m_fixture.fathom({"runs", "--project", m_fixture.file("out/sample.fathom"), "--json"});
  const Json runs = listed.json();
  int stopped = 0;
  for (const Json& run : runs.at("runs"))
    stopped += run.at("state") == "stopped" && run.at("attempts") == attempts ? 1 : 0;
  return stopped;
}

void QuickStartStopped::goesOnFromThere() {
  const QueueFolder queue(m_fixture.file("out/sample.fathom").toStdString());
  const auto entries = [&queue](bool claimed) {
    const auto all = queue.entries().value();
    return std::count_if(all.begin(), all.end(),
                         [claimed](const QueueEntry& entry) { return entry.claimed() == claimed; });
  };
  const QString first = stoppedAfter(QStringLiteral(": update 50:"));
  QVERIFY2(first.contains(": update 50:") && first.endsWith("exit code 10"), qPrintable(first.right(2000)));
  QCOMPARE(entries(true), 0);
  constexpr int all = 4;  // they train at once
  QCOMPARE(stoppedRuns(1), all);
  QCOMPARE(entries(false), 0);
  const QString again = stoppedAfter(QStringLiteral(": attempt 2"), all);  // updates of before are told again
  QVERIFY2(again.count(": attempt 2") == all && again.endsWith("exit code 10"),
           qPrintable(again.right(2000)));
  QCOMPARE(stoppedRuns(2), all);
  QCOMPARE(entries(false), 0);
}

QTEST_GUILESS_MAIN(QuickStartStopped)
#include "tst_quick_start_stopped.moc"
