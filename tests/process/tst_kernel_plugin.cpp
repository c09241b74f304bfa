// SPDX-License-Identifier: Apache-2.0
// The plug-in that nvcc built, without a card: what its host half launches, seen by a CUDA runtime that runs
// nothing; the error of the real runtime where there is no driver; and the registers and shared memory of
// every kernel against a table (FATHOM_REGENERATE=1 writes it).
#include <cxxabi.h>

#include <QDir>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTest>

#include "tests/process/support_kernels.h"

namespace {

const QString kBuild = QStringLiteral(FATHOM_BIN_DIR "/..");
const QString kPlugin = QStringLiteral(FATHOM_BIN_DIR "/libfathom-kernels-cuda.so");
const QString kTables = QStringLiteral(FATHOM_SOURCE_DIR "/tests/kernels/");

struct Launches {
  int exitCode = -1;
  QString out, err;
};

// With the runtime of that folder.
Launches launches(const QString& runtime, const QStringList& environment = {}) {
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert("LD_LIBRARY_PATH", runtime);
  for (const QString& pair : environment) surroundings.insert(pair.section('=', 0, 0), pair.section('=', 1));
  QProcess process;
  process.setProcessEnvironment(surroundings);
  process.start(kBuild + "/kernels/kernel_launches", {kPlugin});
  Launches seen;
  if (!process.waitForFinished(60'000)) return seen;
  seen.exitCode = process.exitCode();
  seen.out = QString::fromUtf8(process.readAllStandardOutput());
  seen.err = QString::fromUtf8(process.readAllStandardError());
  return seen;
}

QString kernelName(const QString& mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.toUtf8().constData(), nullptr, nullptr, &status);
  QString name = status == 0 ? QString::fromUtf8(text) : mangled;
  std::free(text);
  name.remove("(anonymous namespace)::");
  name.remove("fathom::");
  return name.section('(', 0, 0).remove("void ");
}

// "kernel architecture registers shared" of every kernel, as ptxas said it.
QStringList resources() {
  static const QRegularExpression entry("Compiling entry function '(\\w+)' for '(\\w+)'");
  static const QRegularExpression used("Used (\\d+) registers(.*)");
  static const QRegularExpression shared("(\\d+) bytes smem");
  QStringList lines;
  const QDir folder(kBuild + "/cuda");
  for (const QString& log : folder.entryList({"*.log"}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(log));
    if (!file.open(QIODevice::ReadOnly)) continue;
    QString kernel;
    for (const QByteArray& line : file.readAll().split('\n')) {
      const QString words = QString::fromUtf8(line);
      if (const auto match = entry.match(words); match.hasMatch())
        kernel = kernelName(match.captured(1)) + " " + match.captured(2);
      if (const auto match = used.match(words); match.hasMatch()) {
        const auto bytes = shared.match(match.captured(2));
        lines
            << QString("%1 %2 %3").arg(kernel, match.captured(1), bytes.hasMatch() ? bytes.captured(1) : "0");
      }
    }
  }
  lines.sort();
  return lines;
}

void compareWithTable(const QStringList& lines, const QString& table) {
  QFile file(kTables + table);
  const QByteArray text = lines.join('\n').toUtf8() + '\n';
  if (qEnvironmentVariableIsSet("FATHOM_REGENERATE")) {
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    return;
  }
  QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
  QCOMPARE(QString::fromUtf8(file.readAll()), QString::fromUtf8(text));
}

}  // namespace

class KernelPluginTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    if (const QString why = fathom::test::whyNoCudaKernels(); !why.isEmpty())
      QSKIP(qPrintable(QStringLiteral("skipped: ") + why));
    QVERIFY2(QFile::exists(kPlugin), "nvcc is there, and the plug-in was not built");
  }
  void launchesAreThoseOfTheTable();
  void errorsComeBack();
  void withoutADriverTheErrorIsNamed();
  void registersAreThoseOfTheTable();
};

void KernelPluginTest::launchesAreThoseOfTheTable() {
  const Launches seen = launches(kBuild + "/kernels/cudart");
  QVERIFY2(seen.exitCode == 0, qPrintable(seen.err));
  QStringList lines = seen.out.trimmed().split('\n');
  QVERIFY(lines.size() > 4);
  QVERIFY2(lines.takeFirst().startsWith("made by nvcc 13"), qPrintable(seen.out));
  compareWithTable(lines, "launches.txt");
}

void KernelPluginTest::errorsComeBack() {
  const Launches seen = launches(kBuild + "/kernels/cudart", {"FATHOM_FAKE_CUDART_ERROR=700"});
  // A shape that no kernel takes is refused before anything is launched.
  QVERIFY2(seen.out.contains("a head that is too wide returned 1"), qPrintable(seen.out));
  QCOMPARE(seen.out.count("returned 700"), seen.out.count("returned ") - 1);
}

void KernelPluginTest::withoutADriverTheErrorIsNamed() {
  if (QFile::exists("/dev/nvidia0")) QSKIP("there is a driver");
  const QString runtime = QStringLiteral(FATHOM_SOURCE_DIR "/build/deps/libtorch/nvidia/cu13/lib");
  if (!QFile::exists(runtime + "/libcudart.so.13")) QSKIP("no CUDA runtime beside LibTorch");
  const Launches seen = launches(runtime);
  QVERIFY2(seen.exitCode == 0, qPrintable(seen.err));
  QVERIFY2(seen.out.contains("returned 35: CUDA driver version is insufficient"), qPrintable(seen.out));
}

void KernelPluginTest::registersAreThoseOfTheTable() {
  const QStringList lines = resources();
  QVERIFY(lines.size() >= 9);
  compareWithTable(lines, "registers.txt");
}

QTEST_GUILESS_MAIN(KernelPluginTest)
#include "tst_kernel_plugin.moc"
