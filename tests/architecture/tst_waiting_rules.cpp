// SPDX-License-Identifier: Apache-2.0
// Tests wait for conditions, with deadlines. A pause of a fixed length is too short on a slow machine and too
// long on any other: it stands in the few places that make waiting, or says in its line why nothing can be
// asked.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

class WaitingRulesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aPauseSaysWhy() {
    const QString root = QStringLiteral(FATHOM_SOURCE_DIR "/tests");
    const QRegularExpression pause(QStringLiteral("\\b(?:qWait|qSleep|usleep|nanosleep|sleep_for|sleep)\\("));
    const QStringList allowed{"gui/support_window_fixture.cpp", "unit/support_waiting.h",
                              "architecture/tst_waiting_rules.cpp", "fakes/fake_engine.cpp"};
    QStringList broken;
    int met = 0;
    QDirIterator it(root, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QString name = QDir(root).relativeFilePath(file.fileName());
      int number = 0;
      for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        ++number;
        const auto call = pause.match(line);
        if (!call.hasMatch()) continue;
        ++met;
        const bool reason = line.indexOf("// ", call.capturedEnd()) > 0;
        if (!reason && !allowed.contains(name))
          broken << QStringLiteral("tests/%1:%2: %3").arg(name).arg(number).arg(line.trimmed());
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY(met > 5);
  }

  // A loop that only asks again would hang the whole suite where the answer never comes.
  void loopsHaveDeadlines() {
    const QString root = QStringLiteral(FATHOM_SOURCE_DIR "/tests");
    const QRegularExpression asking(
        QStringLiteral("while \\([^;{]*\\) (?:QTest::q(?:Wait|Sleep)|::usleep|std::this_thread::sleep)"));
    QStringList broken;
    int files = 0;
    QDirIterator it(root, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      ++files;
      auto loops = asking.globalMatch(QString::fromUtf8(file.readAll()));
      while (loops.hasNext())
        if (const QString loop = loops.next().captured(); !loop.contains("elapsed()"))
          broken << QDir(root).relativeFilePath(file.fileName()) + ": " + loop;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY(files > 200);
  }
};

QTEST_APPLESS_MAIN(WaitingRulesTest)
#include "tst_waiting_rules.moc"
