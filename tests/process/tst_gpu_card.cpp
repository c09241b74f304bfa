// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// What needs a real card (packaging/test.sh -L gpu): the checks of packaging/gpu_check.sh, each a row. Where
// there is none they are skipped with the reason that LibTorch gives.
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

#include "tests/process/support_device_run.h"
#include "tests/process/support_kernels.h"

using namespace fathom::test;

namespace {

struct Report {
  int exitCode = -1;
  QString text;
};

// With the programs of this build; the device is whatever LibTorch finds.
Report report(const QStringList& checks) {
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert("FATHOM_DEVICE_CHECKS", DeviceRuns::deviceFolder() + "/device_checks");
  const QString kernels = QStringLiteral(FATHOM_BIN_DIR "/libfathom-kernels-cuda.so");
  if (QFile::exists(kernels)) surroundings.insert("FATHOM_KERNELS", kernels);
  const QString graphs = QStringLiteral(FATHOM_BIN_DIR "/libfathom-graphs-cuda.so");
  if (QFile::exists(graphs)) surroundings.insert("FATHOM_GRAPHS", graphs);
  const QString nccl = QStringLiteral(FATHOM_BIN_DIR "/libfathom-nccl.so");
  if (QFile::exists(nccl)) surroundings.insert("FATHOM_NCCL", nccl);
  QProcess process;
  process.setProcessEnvironment(surroundings);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(FATHOM_SOURCE_DIR "/packaging/gpu_check.sh"), checks);
  Report said;
  if (!process.waitForFinished(550'000)) return said;
  said.exitCode = process.exitCode();
  said.text = QString::fromUtf8(process.readAll());
  return said;
}

constexpr int kNoCard = 3;

}  // namespace

class GpuCard : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void holds_data();
  void holds();
};

void GpuCard::initTestCase() {
  QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing()));
  const Report found = report({"describe"});
  if (found.exitCode == kNoCard) QSKIP(qPrintable("SKIPPED-ALL " + found.text.section("\n", 1).trimmed()));
  QVERIFY2(found.exitCode == 0, qPrintable(found.text));
  qInfo("%s", qPrintable(found.text));
}

void GpuCard::holds_data() {
  QTest::addColumn<QString>("check");
  for (const char* check :
       {"kernels", "stacks", "dropout", "tasks", "graphs", "ranks", "sanitizer", "roofline"})
    QTest::newRow(check) << QString(check);
}

void GpuCard::holds() {
  QFETCH(QString, check);
  const Report said = report({check});
  qInfo("%s", qPrintable(said.text));
  QVERIFY2(said.exitCode == 0, qPrintable(said.text.right(4000)));
  if (said.text.contains(": not tried, ")) QSKIP(qPrintable(said.text.section("==", 1).trimmed()));
}

QTEST_GUILESS_MAIN(GpuCard)
#include "tst_gpu_card.moc"
