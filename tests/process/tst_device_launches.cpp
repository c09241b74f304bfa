// SPDX-License-Identifier: Apache-2.0
// ctest: engine bench
// What a whole update launches on a card with the plug-in that nvcc built: LibTorch's operators, counted by
// the stand-in device, and the launches of the plug-in's own host half, counted by a CUDA runtime that runs
// nothing (tests/kernels/counted_plugin.cpp).
#include <QFile>
#include <QMap>
#include <QTest>

#include "core/base/json/json.h"
#include "tests/process/support_device_run.h"
#include "tests/process/support_kernels.h"

using namespace fathom;
using namespace fathom::test;

namespace {

const QString kBench = QStringLiteral(FATHOM_BIN_DIR "/fathom-bench-engine");
const QString kCountedKernels =
    "FATHOM_KERNELS=" + QStringLiteral(FATHOM_BIN_DIR "/../kernels/libcounted_plugin.so");
constexpr int kUpdates = 3;  // of each model; the last but one is the one that is counted

// A kernel of nvcc's plug-in, by its name without parameters: "relationByKey".
QString kernelOf(const std::string& launched) {
  const QString whole = QString::fromStdString(launched);
  return whole.section(u'<', 0, 0).section(u':', -1);
}

// Each call of the engine, and the kernels that the plug-in launches for it.
const QMap<QString, QStringList>& kernelsOfCalls() {
  static const QMap<QString, QStringList> kKernels = {
      {"fathom::seeded_dropout", {"seededDropoutKernel"}},
      {"fathom::norm_join", {"normJoinKernel"}},
      {"fathom::norm_join_backward", {"normRowGradients", "normShareSums", "normSumShares"}},
      {"fathom::chain_softmax", {"chainSoftmaxKernel"}},
      {"fathom::chain_softmax_backward", {"chainSoftmaxGradients"}},
      {"fathom::relation_attention", {"relationForward"}},
      {"fathom::relation_attention_backward", {"relationByQuery", "relationByKey"}}};
  return kKernels;
}

}  // namespace

class DeviceLaunches : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void anUpdateLaunchesAtMost_data();
  void anUpdateLaunchesAtMost();
  void everyCallLaunchesItsKernels();

 private:
  DeviceRuns m_runs;
  QVector<Json> m_updates;  // of all models, one behind the other
};

void DeviceLaunches::initTestCase() {
  QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing()));
  if (const QString why = whyNoCudaKernels(); !why.isEmpty())
    QSKIP(qPrintable(QStringLiteral("skipped: ") + why));
  const QString log = m_runs.file("updates.jsonl");
  const DeviceOutcome counted =
      m_runs.program(kBench, {"device-step", "--updates", QString::number(kUpdates), "--dropout", "0.1"},
                     {kCountedKernels, "FATHOM_DEVICE_LOG=" + log, "FATHOM_DEVICE_NAMES=1"});
  QVERIFY2(counted.exitCode == 0 && !counted.crashed, qPrintable(counted.err.right(2000)));
  QFile file(log);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  for (const QByteArray& line : lines) m_updates.append(Json::parse(line.toStdString()));
  QCOMPARE(m_updates.size(), 3 * kUpdates);
}

void DeviceLaunches::anUpdateLaunchesAtMost_data() {
  QTest::addColumn<int>("model");
  QTest::addColumn<int>("launches");
  QTest::addColumn<int>("ours");
  QTest::newRow("translation, 6 + 6 layers") << 0 << 825 << 160;
  QTest::newRow("bert, 12 layers") << 1 << 629 << 122;
  QTest::newRow("sql-sp, 24 + 24 layers") << 2 << 3289 << 319;
}

// Bounds only go down: an operator of LibTorch is one launch, a call of ours as many as nvcc's plug-in makes.
void DeviceLaunches::anUpdateLaunchesAtMost() {
  QFETCH(const int, model);
  QFETCH(const int, launches);
  QFETCH(const int, ours);
  const Json& update = m_updates[model * kUpdates + kUpdates - 2];
  QCOMPARE(update.at("update").get<int>(), kUpdates - 1);
  const int own = update.at("launches").get<int>();
  const int all = update.at("operators").get<int>() - update.at("kernels").get<int>() + own;
  QVERIFY2(own > 0 && own <= ours, update.dump().c_str());
  QVERIFY2(all > 2 * own && all <= launches, qPrintable(QString("%1 launches").arg(all)));
}

void DeviceLaunches::everyCallLaunchesItsKernels() {
  QMap<QString, int> called;
  for (const Json& update : m_updates) {
    QMap<QString, int> expected, seen;
    for (const auto& [name, count] : update.at("names").items()) {
      const QString call = QString::fromStdString(name);
      if (!call.startsWith(QLatin1String("fathom::"))) continue;
      QVERIFY2(kernelsOfCalls().contains(call), name.c_str());
      for (const QString& kernel : kernelsOfCalls()[call]) expected[kernel] += count.get<int>();
      called[call] += count.get<int>();
    }
    for (const auto& [name, count] : update.at("launched").items()) seen[kernelOf(name)] += count.get<int>();
    QCOMPARE(seen, expected);
  }
  // No family was left out by all three models.
  QCOMPARE(called.keys(), kernelsOfCalls().keys());
}

QTEST_GUILESS_MAIN(DeviceLaunches)
#include "tst_device_launches.moc"
