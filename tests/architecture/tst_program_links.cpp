// SPDX-License-Identifier: Apache-2.0
// The installed programs must not name what docs/architecture.md §1 forbids.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

namespace {
// What `readelf -d` lists as NEEDED.
QStringList dynamicNeeds(const QString& program) {
  QProcess readelf;
  readelf.start(QStringLiteral("readelf"), {"-d", QStringLiteral(FATHOM_BIN_DIR) + "/" + program});
  if (!readelf.waitForFinished()) return {};
  QStringList needs;
  for (const QString& line : QString::fromUtf8(readelf.readAllStandardOutput()).split('\n')) {
    if (line.contains("(NEEDED)")) needs << line.section('[', 1).section(']', 0, 0);
  }
  return needs;
}
}  // namespace

class ProgramLinksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void needsOf_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("required");
    QTest::addColumn<QStringList>("forbidden");
    QTest::newRow("window") << "fathom" << QStringList{"libQt6Widgets"}
                            << QStringList{"torch", "c10", "cuda"};
    QTest::newRow("engine") << "fathom-engine" << QStringList{"libtorch_cpu"}
                            << QStringList{"Qt6", "sqlite", "libtorch_cuda"};
  }
  void needsOf() {
    QFETCH(QString, program);
    QFETCH(QStringList, required);
    QFETCH(QStringList, forbidden);
    if (!QFile::exists(QStringLiteral(FATHOM_BIN_DIR) + "/" + program))
      QSKIP("this program is not part of the build");
    const QString needs = dynamicNeeds(program).join(' ');
    for (const QString& word : required) QVERIFY2(needs.contains(word), qPrintable(needs));
    for (const QString& word : forbidden) QVERIFY2(!needs.contains(word), qPrintable(needs));
  }
};

QTEST_GUILESS_MAIN(ProgramLinksTest)
#include "tst_program_links.moc"
