// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// Layers and kernels on the stand-in device against the processor (tests/device): every attention with every
// score chain and residual scheme, and each family of kernels, as host code, against its ATen version. With
// every change each combination is compared in float64; other formats, and dropout with the kernels, on a
// part of them, with FATHOM_ALL_TESTS on all. What no kernel takes is refused or computed without one.
#include <QTest>

#include "tests/all_tests.h"
#include "tests/process/support_device_run.h"

using namespace fathom::test;

namespace {

const QString kProgram = DeviceRuns::deviceFolder() + "/device_checks";
const QString kExecutorKernels =
    "FATHOM_KERNELS=" + DeviceRuns::deviceFolder() + "/libfathom-kernels-executor.so";

}  // namespace

class DeviceStacks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing())); }
  void stacksEqualTheProcessor_data();
  void stacksEqualTheProcessor();
  void idleKernelsAreSeen();
  void kernelsEqualTheirReferences();
  void whatNoKernelTakesIsComputed_data();
  void whatNoKernelTakesIsComputed();
  void withoutKernelsNothingIsClaimed();
  void aStandInHasNoSpeed();

 private:
  DeviceRuns m_runs;
};

void DeviceStacks::stacksEqualTheProcessor_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("dropout");
  QTest::addColumn<bool>("kernels");
  QTest::addColumn<int>("every");  // with each change
  const auto row = [](const char* name, const char* format, const char* dropout, bool kernels, int every) {
    QTest::newRow(name) << QString(format) << QString(dropout) << kernels << every;
  };
  row("float64", "float64", "0", false, 1);
  row("float32", "float32", "0", false, 7);
  row("float64, kernels and dropout", "float64", "0.1", true, 7);
  row("float32, kernels", "float32", "0", true, 11);
}

void DeviceStacks::stacksEqualTheProcessor() {
  QFETCH(QString, format);
  QFETCH(QString, dropout);
  QFETCH(bool, kernels);
  QFETCH(int, every);
  QStringList words = {"stacks", format, dropout};
  if (every > 1 && !fathom::test::allTests()) words << QString::number(every) << "1";
  const DeviceOutcome compared =
      m_runs.program(kProgram, words, kernels ? QStringList{kExecutorKernels} : QStringList());
  QVERIFY2(compared.exitCode == 0, qPrintable(compared.out.left(4000) + compared.err.right(1000)));
  const int stacks = compared.out.section(QStringLiteral(" stacks"), 0, 0).section(u'\n', -1).toInt();
  const int all = 8 * 8 * 3;  // networks, schemes, chains
  QVERIFY2(words.size() == 3 ? stacks == all : stacks >= all / every, qPrintable(compared.out));
  qInfo("%s", qPrintable(compared.out.trimmed()));
}

// The comparison can fail: kernels that do nothing leave what memory held.
void DeviceStacks::idleKernelsAreSeen() {
  const DeviceOutcome compared =
      m_runs.program(kProgram, {"stacks", "float64", "0.1", "48"},
                     {QStringLiteral("FATHOM_KERNELS=" FATHOM_BIN_DIR "/../kernels/libplugin_idle.so")});
  QCOMPARE(compared.exitCode, 1);
  QVERIFY2(compared.out.contains("FAILED"), qPrintable(compared.out));
}

void DeviceStacks::kernelsEqualTheirReferences() {
  const DeviceOutcome compared = m_runs.program(kProgram, {"kernels"}, {kExecutorKernels});
  QVERIFY2(compared.exitCode == 0, qPrintable(compared.out.left(4000) + compared.err.right(1000)));
  for (const char* family : {"seeded_dropout", "norm_join", "chain_softmax", "relation_attention"})
    for (const char* format : {"Float", "BFloat16", "Double"})
      QVERIFY2(compared.out.contains(QString("%1 %2: ").arg(family, format)), qPrintable(compared.out));
}

void DeviceStacks::whatNoKernelTakesIsComputed_data() {
  QTest::addColumn<QString>("kernels");
  QTest::newRow("with kernels") << kExecutorKernels;
  QTest::newRow("without") << QStringLiteral("FATHOM_KERNELS=off");
}

void DeviceStacks::whatNoKernelTakesIsComputed() {
  QFETCH(const QString, kernels);
  const DeviceOutcome compared = m_runs.program(kProgram, {"bounds"}, {kernels});
  QVERIFY2(compared.exitCode == 0, qPrintable(compared.out.left(4000) + compared.err.right(1000)));
  QVERIFY2(compared.out.contains("bounds: "), qPrintable(compared.out));
}

void DeviceStacks::withoutKernelsNothingIsClaimed() {
  const DeviceOutcome compared = m_runs.program(kProgram, {"kernels"}, {"FATHOM_KERNELS=off"});
  QCOMPARE(compared.exitCode, 2);
  QVERIFY2(compared.err.contains("switched off by FATHOM_KERNELS"), qPrintable(compared.err));
}

void DeviceStacks::aStandInHasNoSpeed() {
  const DeviceOutcome measured = m_runs.program(kProgram, {"roofline"}, {kExecutorKernels});
  QCOMPARE(measured.exitCode, 2);
  QVERIFY2(measured.err.contains("a stand-in has no speed"), qPrintable(measured.err));
}

QTEST_GUILESS_MAIN(DeviceStacks)
#include "tst_device_stacks.moc"
