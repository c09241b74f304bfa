// SPDX-License-Identifier: Apache-2.0
// The kernels as host code in the executor: equal to formulas in float64, the same bits in any order of
// threads, clean under each sanitizer; and every planted fault is reported with its line, so that the judges
// can be believed.
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

#include "core/base/threads/sanitizers.h"

namespace {

// Those that the build makes the kernels' programs for (tests/kernels/CMakeLists.txt).
QStringList judges() {
#if defined(__clang__)
  if (!fathom::kSanitized) return {"plain", "asan", "tsan"};
#endif
  return {"plain"};
}

const QString kPrograms = QStringLiteral(FATHOM_BIN_DIR "/../kernels/");
const QString kFaultSource = QStringLiteral(FATHOM_SOURCE_DIR "/tests/kernels/kernel_faults_main.cpp");

struct Run {
  int code = -1;  // 128 + signal where one ended it
  QString said;
};

Run runProgram(const QString& name, const QString& word) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("TSAN_OPTIONS", "halt_on_error=1");
  environment.insert("ASAN_OPTIONS", "detect_stack_use_after_return=1");
  environment.insert("UBSAN_OPTIONS", "print_stacktrace=1");
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(kPrograms + name, {word});
  Run run;
  if (!process.waitForFinished(300'000)) return run;
  run.code = process.exitStatus() == QProcess::CrashExit ? 128 + process.exitCode() : process.exitCode();
  run.said = QString::fromUtf8(process.readAll());
  return run;
}

// The line of the source that ends with `fault: NAME`; 0 where there is none.
int lineOfFault(const QString& fault) {
  QFile source(kFaultSource);
  if (!source.open(QIODevice::ReadOnly)) return 0;
  int number = 0;
  for (const QByteArray& line : source.readAll().split('\n')) {
    ++number;
    if (line.endsWith("fault: " + fault.toUtf8())) return number;
  }
  return 0;
}

}  // namespace

class KernelExecutor : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void kernelsEqualFormulas_data();
  void kernelsEqualFormulas();
  void faultsAreReported_data();
  void faultsAreReported();
  void whatIsAllowedPasses();
};

void KernelExecutor::kernelsEqualFormulas_data() {
  QTest::addColumn<QString>("program");
  for (const QString& kind : judges()) QTest::newRow(qPrintable(kind)) << "kernel_cases_" + kind;
}

void KernelExecutor::kernelsEqualFormulas() {
  QFETCH(QString, program);
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  if (!program.endsWith("plain")) {  // slower by an order
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!environment.contains("N")) environment.insert("N", "1");
    process.setProcessEnvironment(environment);
  }
  process.start(kPrograms + program, QStringList());
  QVERIFY(process.waitForFinished(400'000));
  const QByteArray said = process.readAll();
  QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
           said.left(4000).constData());
  qInfo("%s", said.trimmed().constData());
}

void KernelExecutor::faultsAreReported_data() {
  QTest::addColumn<QString>("judge");
  QTest::addColumn<QString>("fault");
  QTest::addColumn<QString>("report");
  const auto row = [](const char* judge, const char* fault, const char* report) {
    if (!judges().contains(QLatin1String(judge))) return;
    QTest::newRow(qPrintable(QString(judge) + " " + fault))
        << QString(judge) << QString(fault) << QString(report);
  };
  for (const char* fault :
       {"missing_syncthreads", "missing_syncwarp", "shuffle_as_barrier", "two_blocks_one_cell"})
    row("tsan", fault, "ThreadSanitizer: data race");
  row("asan", "write_behind_shared", "AddressSanitizer: use-after-poison");
  row("asan", "write_behind_global", "AddressSanitizer: heap-buffer-overflow");
  row("asan", "index_overflow", "signed integer overflow");
  for (const char* judge : {"asan", "tsan"}) {
    row(judge, "read_unwritten_shared", "shared memory is read that nobody wrote");
    row(judge, "barrier_in_branch", "not reached by every thread");
    row(judge, "different_barriers", "meet at different barriers");
    row(judge, "shuffle_from_absent_lane", "a lane that does not take part");
    row(judge, "ended_lane", "has ended");
    row(judge, "different_shuffles", "lanes of a warp meet at different operations");
    row(judge, "too_much_shared", "more shared memory than the launch gives");
  }
}

void KernelExecutor::faultsAreReported() {
  QFETCH(QString, judge);
  QFETCH(QString, fault);
  QFETCH(QString, report);
  const QString program = "kernel_faults_" + judge;
  const int line = lineOfFault(fault);
  QVERIFY2(line > 0, "no line is marked with the fault");
  const Run run = runProgram(program, fault);
  QVERIFY2(run.code > 0, "the fault passed");
  QVERIFY2(run.said.contains(report), qPrintable(run.said.left(3000)));
  const QString place = QStringLiteral("kernel_faults_main.cpp:%1").arg(line);
  QVERIFY2(run.said.contains(place + ":") || run.said.contains(place + "\n"),
           qPrintable("no " + place + " in\n" + run.said.left(3000)));
}

void KernelExecutor::whatIsAllowedPasses() {
  for (const QString& kind : judges()) {
    const QString program = "kernel_faults_" + kind;
    const Run run = runProgram(program, "clean");
    QVERIFY2(run.code == 0, qPrintable(program + ": " + run.said.left(3000)));
  }
}

QTEST_GUILESS_MAIN(KernelExecutor)
#include "tst_kernel_executor.moc"
