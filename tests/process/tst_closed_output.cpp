// SPDX-License-Identifier: Apache-2.0
// What our programs print to a reader that has gone (| head), to a full disk and into a limited file.
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class ClosedOutputTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void readerThatHasGoneIsNoFault_data() { programs(); }
  void readerThatHasGoneIsNoFault();
  void fullDiskIsAFault_data() { programs(); }
  void fullDiskIsAFault();

 private:
  static void programs();
  struct Ended {
    QByteArray out, err;
  };
  static Ended shell(const QString& line);
};

void ClosedOutputTest::programs() {
  QTest::addColumn<QString>("words");
  const QString bin = QStringLiteral(FATHOM_BIN_DIR "/");
  QTest::newRow("fathom") << bin + "fathom commands --json";
  QTest::newRow("fathom, help") << bin + "fathom --help";
  QTest::newRow("fathom, help of a command") << bin + "fathom train --help";
  QTest::newRow("fathom-sqlrun") << bin + "fathom-sqlrun --check .";
  if (QFile::exists(bin + "fathom-engine")) QTest::newRow("fathom-engine") << bin + "fathom-engine describe";
}

ClosedOutputTest::Ended ClosedOutputTest::shell(const QString& line) {
  QProcess process;
  process.start(QStringLiteral("bash"), {QStringLiteral("-c"), line});
  if (!process.waitForFinished(60000)) return {};
  return {process.readAllStandardOutput(), process.readAllStandardError()};
}

// Quietly, with the code a shell gives for a pipe that was closed, whether the signal may end it or not.
void ClosedOutputTest::readerThatHasGoneIsNoFault() {
  QFETCH(QString, words);
  for (const char* signal : {"", "trap '' PIPE; "}) {
    // ":" has ended long before the program prints.
    const Ended ended =
        shell(QString(QLatin1String(signal) + "{ sleep 0.3; %1; echo code $? >&2; } | :").arg(words));
    QCOMPARE(ended.err.trimmed(), QByteArray("code 141"));
    QVERIFY(ended.out.isEmpty());
  }
}

void ClosedOutputTest::fullDiskIsAFault() {
  QFETCH(QString, words);
  const Ended ended = shell(QString("%1 > /dev/full; echo code $?").arg(words));
  QCOMPARE(ended.out.trimmed(), QByteArray("code 50"));
  QVERIFY2(ended.err.contains("could not be written"), ended.err.constData());
}

QTEST_GUILESS_MAIN(ClosedOutputTest)
#include "tst_closed_output.moc"
