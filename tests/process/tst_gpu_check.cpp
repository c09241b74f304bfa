// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The folder that packaging/gpu-check.sh packs, as far as a machine without a card goes: its size, what it
// says without a driver, and its report on the stand-in device.
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "tests/process/support_device_run.h"

using namespace fathom::test;

namespace {

struct Said {
  int exitCode = -1;
  QString text;
};

Said run(const QString& program, const QStringList& words, const QStringList& environment = {}) {
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert("FATHOM_BUILD", QStringLiteral(FATHOM_BIN_DIR "/.."));
  for (const QString& pair : environment) surroundings.insert(pair.section('=', 0, 0), pair.section('=', 1));
  QProcess process;
  process.setProcessEnvironment(surroundings);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, words);
  Said said;
  if (!process.waitForFinished(240'000)) return said;
  said.exitCode = process.exitCode();
  said.text = QString::fromUtf8(process.readAll());
  return said;
}

// The LibTorch of this build.
QString libTorch() {
  QFile cache(QStringLiteral(FATHOM_BIN_DIR "/../CMakeCache.txt"));
  QString folder = QStringLiteral(FATHOM_SOURCE_DIR "/build/deps/libtorch/torch");
  if (cache.open(QIODevice::ReadOnly))
    for (const QByteArray& line : cache.readAll().split('\n'))
      if (line.startsWith("FATHOM_LIBTORCH:")) folder = QString::fromUtf8(line.mid(line.indexOf('=') + 1));
  return folder;
}

}  // namespace

class GpuCheck : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void theFolderIsSmallAndWhole();
  void withoutADriverTheReasonIsNamed();
  void itReportsOnTheStandIn();
  void badWordsAreNamed();

 private:
  QString packed() const { return m_folder.filePath("card"); }
  QString check() const { return packed() + "/check.sh"; }
  QTemporaryDir m_folder;
  const QString m_pack = QStringLiteral(FATHOM_SOURCE_DIR "/packaging/gpu-check.sh");
};

void GpuCheck::initTestCase() {
  QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing()));
  const Said said = run(m_pack, {packed()});
  QVERIFY2(said.exitCode == 0, qPrintable(said.text));
}

void GpuCheck::theFolderIsSmallAndWhole() {
  qint64 bytes = 0;
  QStringList names;
  for (QDirIterator it(packed(), QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
    names << QFileInfo(it.next()).fileName();
    bytes += it.fileInfo().size();
  }
  QVERIFY2(bytes > 10'000'000 && bytes <= 60'000'000, qPrintable(QString::number(bytes)));
  for (const char* name : {"check.sh", "device_checks", "fathom-sqlrun", "version"})
    QVERIFY2(names.contains(name), name);
  // What is LibTorch's, the driver's or the C library's belongs to the machine.
  for (const QString& name : names)
    QVERIFY2(!name.startsWith("libtorch") && !name.startsWith("libcuda") && !name.startsWith("libc."),
             qPrintable(name));
}

void GpuCheck::withoutADriverTheReasonIsNamed() {
  if (QFile::exists("/dev/nvidia0")) QSKIP("there is a driver");
  const Said said = run(check(), {}, {"FATHOM_LIBTORCH=" + libTorch()});
  QVERIFY2(said.exitCode == 3, qPrintable(said.text));
  QVERIFY2(said.text.contains("no card can be used: "), qPrintable(said.text));
  QVERIFY2(said.text.contains("cuda"), qPrintable(said.text));
}

void GpuCheck::itReportsOnTheStandIn() {
  const QStringList standIn = {
      "FATHOM_LIBTORCH=" + libTorch(), "LD_LIBRARY_PATH=" + DeviceRuns::deviceFolder(),
      "FATHOM_KERNELS=" + DeviceRuns::deviceFolder() + "/libfathom-kernels-executor.so"};
  const Said said = run(check(), {"describe", "kernels", "ranks", "roofline"}, standIn);
  QVERIFY2(said.exitCode == 0, qPrintable(said.text));
  for (const char* line : {"== what the engine found: ok", "== kernels against LibTorch's operations: ok",
                           "== ranks on cards, by NCCL: ok", "1 device: several ranks were not tried",
                           "== share of the roofline: not tried", "a stand-in has no speed"})
    QVERIFY2(said.text.contains(line), qPrintable(said.text));
  const Said off = run(check(), {"kernels"}, standIn + QStringList{"FATHOM_KERNELS=off"});
  QVERIFY2(off.text.contains("not tried") && off.text.contains("switched off"), qPrintable(off.text));
}

void GpuCheck::badWordsAreNamed() {
  QVERIFY(run(m_pack, {packed()}).text.contains("is there already"));
  const Said nowhere = run(check(), {}, {"FATHOM_LIBTORCH=" + m_folder.path()});
  QVERIFY2(nowhere.exitCode == 2 && nowhere.text.contains("libtorch_cpu.so"), qPrintable(nowhere.text));
}

QTEST_GUILESS_MAIN(GpuCheck)
#include "tst_gpu_check.moc"
