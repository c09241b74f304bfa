// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// What a device cannot do, on the stand-in: libraries that do not fit, drivers that are missing or too old,
// memory that ends in the optimiser or in a validation, a kernel whose fault shows at the next wait. Each is
// said in a sentence with what to do, and nothing that was there before is lost.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include "core/base/json/json.h"
#include "tests/process/support_device_run.h"

using namespace fathom;
using namespace fathom::test;

namespace {

constexpr int kUnavailable = 30, kExhausted = 41, kDeviceFault = 75;
const QString kKernels = QStringLiteral(FATHOM_BIN_DIR "/../kernels/");

// The first third of a library.
bool cutLibrary(const QString& from, const QString& to) {
  QFile whole(from), cut(to);
  return whole.open(QIODevice::ReadOnly) && cut.open(QIODevice::WriteOnly) &&
         cut.write(whole.read(whole.size() / 3)) > 0;
}

QVector<Json> linesOf(const QString& log) {
  QVector<Json> lines;
  QFile file(log);
  if (!file.open(QIODevice::ReadOnly)) return lines;
  const QList<QByteArray> texts = file.readAll().trimmed().split('\n');
  for (const QByteArray& line : texts) lines.append(Json::parse(line.toStdString()));
  return lines;
}

QByteArray weightsOf(const QString& run, const char* attempt) {
  QFile model(run + "/checkpoints/" + attempt + "-00000004/model.safetensors");
  return model.open(QIODevice::ReadOnly) ? model.readAll() : QByteArray();
}

}  // namespace

class DeviceBadInput : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing())); }
  void librariesThatDoNotFitAreNamed_data();
  void librariesThatDoNotFitAreNamed();
  void driversAreNamed_data();
  void driversAreNamed();
  void kernelsOfAnotherCudaAreNamed();
  void memoryEndsInTheOptimiser();
  void memoryEndsInAValidation();
  void aFaultShowsAtTheNextWait();

 private:
  // Trained without a limit, and once more with so many bytes: ends with 41, in a sentence with what to do.
  void trainNarrow(const QString& task, const QString& run, const QStringList& assignments,
                   std::int64_t bytes, const QStringList& environment = {});
  // Goes on with all the memory there is.
  void resumes(const QString& run, const QString& checkpoint = {});
  QString file(const QString& name) const { return m_runs.file(name); }
  DeviceRuns m_runs;
};

void DeviceBadInput::librariesThatDoNotFitAreNamed_data() {
  QTest::addColumn<QString>("folder");
  QTest::addColumn<QString>("said");
  QTest::newRow("cut short") << file("cut") << "libtorch_cuda.so is cut short; install LibTorch again";
  QTest::newRow("of another LibTorch") << kKernels + "other_libtorch"
                                       << "undefined symbol: functionOfAnotherLibTorch";
}

// `describe` says why, which is what the window and `auto` go by; a run that names the device does not begin.
void DeviceBadInput::librariesThatDoNotFitAreNamed() {
  QFETCH(const QString, folder);
  QFETCH(const QString, said);
  if (!QDir(folder).exists()) {
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(cutLibrary(DeviceRuns::deviceFolder() + "/libtorch_cuda.so", folder + "/libtorch_cuda.so"));
  }
  const QStringList environment = {"LD_LIBRARY_PATH=" + folder};
  const DeviceOutcome described = m_runs.engine({"describe"}, environment);
  QVERIFY2(described.exitCode == 0 && !described.crashed, qPrintable(described.err));
  const Json device = Json::parse(described.out.toStdString()).at("devices")[0];
  QVERIFY2(!device.at("available").get<bool>(), device.dump().c_str());
  QVERIFY2(QString::fromStdString(device.at("reason").get<std::string>()).contains(said),
           device.dump().c_str());
  const DeviceOutcome trained =
      m_runs.engine(m_runs.trainingWords("glue", file("run_library"), {"device=cuda:0"}), environment);
  QVERIFY2(trained.exitCode == kUnavailable && !trained.crashed, qPrintable(trained.err.right(1000)));
  QVERIFY2(trained.err.contains(said) && trained.err.contains("use device=cpu"),
           qPrintable(trained.err.right(1000)));
}

void DeviceBadInput::driversAreNamed_data() {
  QTest::addColumn<QString>("driver");
  QTest::addColumn<QString>("said");
  QTest::newRow("none") << "0"
                        << "there is no NVIDIA driver: install one";
  QTest::newRow("too old") << "12040"
                           << "it is for CUDA 12.4, this LibTorch needs CUDA 13.0; install a newer driver";
  QTest::newRow("newer, without a card") << "13010"
                                         << "no CUDA device was found";
}

void DeviceBadInput::driversAreNamed() {
  QFETCH(const QString, driver);
  QFETCH(const QString, said);
  const QStringList environment = {"FATHOM_DEVICE_DRIVER=" + driver, "FATHOM_DEVICE_COUNT=0"};
  const DeviceOutcome trained = m_runs.train("glue", file("run_driver"), {"device=cuda:0"}, environment);
  QVERIFY2(trained.exitCode == kUnavailable, qPrintable(trained.err.right(1000)));
  QVERIFY2(trained.err.contains(said) && trained.err.contains("use device=cpu"),
           qPrintable(trained.err.right(1000)));
}

// The plug-in links no LibTorch: what it can miss is the CUDA runtime that LibTorch brought.
void DeviceBadInput::kernelsOfAnotherCudaAreNamed() {
  const DeviceOutcome described =
      m_runs.command({"describe"}, {"FATHOM_KERNELS=" + kKernels + "libplugin_other_runtime.so"});
  QCOMPARE(described.exitCode, 0);
  const Json kernels = Json::parse(described.out.toStdString()).at("kernels");
  QVERIFY(!kernels.at("available").get<bool>());
  const QString said = QString::fromStdString(kernels.at("reason").get<std::string>());
  QVERIFY2(said.contains("libcudart.so.99") && said.contains("LibTorch's operations alone"),
           qPrintable(said));
}

void DeviceBadInput::trainNarrow(const QString& task, const QString& run, const QStringList& assignments,
                                 std::int64_t bytes, const QStringList& environment) {
  const DeviceOutcome trained = m_runs.train(
      task, run, assignments, environment + QStringList{QString("FATHOM_DEVICE_MEMORY=%1").arg(bytes)});
  QVERIFY2(trained.exitCode == kExhausted && !trained.crashed, qPrintable(trained.err.right(2000)));
  QVERIFY2(trained.err.contains("out of CUDA memory"), qPrintable(trained.err.right(2000)));
  QVERIFY2(trained.err.contains(" fit") || trained.err.contains("use smaller batches"),
           qPrintable(trained.err.right(2000)));
  const QVector<Json> failed = eventsOf(run, "run_failed");
  QCOMPARE(failed.size(), 1);
  QCOMPARE(failed.first().at("cause").get<std::string>(), std::string("oom"));
}

void DeviceBadInput::resumes(const QString& run, const QString& checkpoint) {
  QStringList words = {"resume", "--run", run};
  if (!checkpoint.isEmpty()) words << "--checkpoint" << checkpoint;
  const DeviceOutcome resumed = m_runs.command(words);
  QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err.right(2000)));
}

// Wide parameters and a batch of one: of four parts of the peak the weights are one, the gradients another,
// and two are the moments, which are made before the first update. Weights alone fit into half of it.
void DeviceBadInput::memoryEndsInTheOptimiser() {
  const QStringList wide = {"device=cuda:0", "batch.examples=1", "model.width=256", "validation.interval=4u",
                            "optimizer=adam"};
  const QString log = file("optimiser.jsonl"), whole = file("run_wide"), run = file("run_moments");
  QCOMPARE(m_runs.train("glue", whole, wide, {"FATHOM_DEVICE_LOG=" + log}).exitCode, 0);
  const auto peak = linesOf(log).first().at("peak_bytes").get<std::int64_t>();
  const QString cutLog = file("optimiser_cut.jsonl");
  trainNarrow("glue", run, wide, peak / 2, {"FATHOM_DEVICE_LOG=" + cutLog});
  if (QTest::currentTestFailed()) return;
  QVERIFY(!QFile::exists(cutLog));  // not one update was begun
  const std::int64_t weights = QFileInfo(whole + "/checkpoints/0001-00000004/model.safetensors").size();
  QVERIFY2(weights < peak / 3, qPrintable(QString("%1 of %2").arg(weights).arg(peak)));
  resumes(run, "none");
  QVERIFY(!weightsOf(whole, "0001").isEmpty());
  QCOMPARE(weightsOf(run, "0002"), weightsOf(whole, "0001"));
}

// Small batches of training, and all of the validation at once; the checkpoint before it stays.
void DeviceBadInput::memoryEndsInAValidation() {
  const QStringList uneven = {
      "device=cuda:0",          "batch.max_tokens=32",          "batch.evaluation_max_tokens=4096",
      "validation.interval=3u", "validation.score_interval=3u", "checkpoint.interval=2u"};
  const QString log = file("validation.jsonl"), whole = file("run_uneven"), run = file("run_validation");
  QCOMPARE(m_runs.train("nmt", whole, uneven, {"FATHOM_DEVICE_LOG=" + log}).exitCode, 0);
  std::int64_t peak = 0;
  for (const Json& update : linesOf(log)) peak = std::max(peak, update.at("peak_bytes").get<std::int64_t>());
  trainNarrow("nmt", run, uneven, peak + 4096);
  if (QTest::currentTestFailed()) return;
  QCOMPARE(eventsOf(run, "step").size(), 3);
  QVERIFY(eventsOf(run, "validation").isEmpty());
  QVERIFY(QDir(run + "/checkpoints/0001-00000002").exists());
  resumes(run);
  QVERIFY(!weightsOf(whole, "0001").isEmpty());
  QCOMPARE(weightsOf(run, "0002"), weightsOf(whole, "0001"));
}

// A kernel of update 4 fails, and every call behind it, as on a card; what was saved before goes on to the
// same bits.
void DeviceBadInput::aFaultShowsAtTheNextWait() {
  const QString whole = file("run_whole"), run = file("run_fault");
  const QStringList words = {"device=cuda:0", "model.dropout=0.1"};
  QCOMPARE(m_runs.train("glue", whole, words).exitCode, 0);
  const DeviceOutcome failed = m_runs.train("glue", run, words, {"FATHOM_DEVICE_FAULT=4"});
  QVERIFY2(failed.exitCode == kDeviceFault && !failed.crashed, qPrintable(failed.err.right(2000)));
  for (const char* said : {"an illegal memory access was encountered", "start again", "FATHOM_KERNELS=off"})
    QVERIFY2(failed.err.contains(said), qPrintable(failed.err.right(2000)));
  QCOMPARE(eventsOf(run, "run_failed").first().at("cause").get<std::string>(), std::string("device_fault"));
  QVERIFY(QDir(run + "/checkpoints/0001-00000002").exists());
  resumes(run);
  QVERIFY(!weightsOf(whole, "0001").isEmpty());
  QCOMPARE(weightsOf(run, "0002"), weightsOf(whole, "0001"));
}

QTEST_GUILESS_MAIN(DeviceBadInput)
#include "tst_device_bad_input.moc"
