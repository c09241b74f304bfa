// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The engine on the stand-in device (tests/fakes/device): what runs on `cuda:0` gives the processor's
// numbers, whatever reads the device's memory on the host ends, and the device's log says what an update
// costs.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <cmath>
#include <csignal>

#include "core/base/json/json.h"
#include "core/tasks/task.h"
#include "tests/process/support_device_run.h"
#include "tests/process/support_kernels.h"

using namespace fathom;
using namespace fathom::test;

namespace {

constexpr double kTolerance = 1e-12;      // relative, of float64
constexpr double kFloatTolerance = 5e-4;  // of float32
constexpr int kDeviceFault = 75;
constexpr int kOperatorsOfGlue =
    480;  // of an update of the two layers of glue_sample: a bound that only goes down
// The kernels as host code, for this device (core/kernels/host).
const QString kExecutorKernels =
    "FATHOM_KERNELS=" + DeviceRuns::deviceFolder() + "/libfathom-kernels-executor.so";

}  // namespace

class StandInDevice : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing())); }
  void describeNamesIt();
  void everyTaskEqualsTheProcessor();
  void equalsTheProcessorWithDropout_data();
  void equalsTheProcessorWithDropout();
  void equalsTheProcessorWithoutKernels_data();
  void equalsTheProcessorWithoutKernels();
  void kernelsThatCannotBeUsedAreNamed_data();
  void kernelsThatCannotBeUsedAreNamed();
  void aFamilyIsAListLine();
  void aLaunchThatFailsIsNamed();
  void otherNumberFormatsTrain_data();
  void otherNumberFormatsTrain();
  void resumesToTheSameBits();
  void otherVerbsRun_data();
  void otherVerbsRun();
  void aWaitInsideOfAnUpdateIsNamed();
  void theLogCountsAnUpdate();
  void exhaustedMemoryIsAnOutcome();
  void faultsOfHostsAreFound_data();
  void faultsOfHostsAreFound();

 private:
  DeviceOutcome engine(const QStringList& words, const QStringList& environment = {}) const {
    return m_runs.engine(words, environment);
  }
  // As a fork: one process loads LibTorch for all of them.
  DeviceOutcome command(const QStringList& words, const QStringList& environment = {}) {
    return m_runs.command(words, environment);
  }
  DeviceOutcome train(const QString& task, const QString& run, const QStringList& more,
                      const QStringList& environment = {}) {
    return m_runs.train(task, run, more, environment);
  }
  // Trains on the processor and on the device; every logged number must agree.
  void compareDevices(const QString& task, const QStringList& assignments, double tolerance,
                      const QStringList& environment);
  QString file(const QString& name) const { return m_runs.file(name); }
  DeviceRuns m_runs;
};

void StandInDevice::describeNamesIt() {
  const DeviceOutcome described = engine({"describe"});
  QCOMPARE(described.exitCode, 0);
  const Json devices = Json::parse(described.out.toStdString()).at("devices");
  QCOMPARE(devices[0].at("id").get<std::string>(), std::string("cuda:0"));
  QVERIFY(devices[0].at("available").get<bool>());
  QVERIFY(QString::fromStdString(devices[0].at("title").get<std::string>()).contains("no GPU"));
  const DeviceOutcome withKernels = command({"describe"}, {kExecutorKernels});
  const Json kernels = Json::parse(withKernels.out.toStdString()).at("kernels");
  QVERIFY2(kernels.at("available").get<bool>(), kernels.dump().c_str());
  QVERIFY(!kernels.at("families").empty());
}

// Each task of tasks.list, in float64 without dropout: four updates and a validation on both, in one process
// (tests/device/task_checks.cpp), as it is compared on a card.
void StandInDevice::everyTaskEqualsTheProcessor() {
  const DeviceOutcome compared = m_runs.program(DeviceRuns::deviceFolder() + "/device_checks", {"tasks"});
  QVERIFY2(compared.exitCode == 0, qPrintable(compared.out.left(4000) + compared.err.right(1000)));
  for (const TaskEntry& task : taskEntries())
    QVERIFY2(compared.out.contains(QString::fromStdString(task.id) + ": "), task.id.c_str());
  qInfo("%s", qPrintable(compared.out.trimmed()));
  const DeviceOutcome unknown =
      m_runs.program(DeviceRuns::deviceFolder() + "/device_checks", {"tasks", "painting"});
  QVERIFY2(unknown.exitCode == 2 && unknown.err.contains("no task 'painting'"), qPrintable(unknown.err));
}

// Masks are functions of seed and place in the tensor, so both devices drop the same numbers.
void StandInDevice::equalsTheProcessorWithDropout_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QStringList>("assignments");
  QTest::addColumn<QStringList>("kernels");
  QTest::addColumn<double>("tolerance");
  // The executor is no fast device: small models and batches, and no search for translations.
  const QStringList drops = {"model.dropout=0.1", "model.attention_dropout=0.1", "training.length=2u",
                             "validation.interval=2u", "validation.score_interval=100u"};
  const QStringList narrow = {"model.width=32", "model.feed_forward=64"};
  const QStringList both = drops + narrow + QStringList{"precision=float64"};
  const QStringList softmax = {"fathom::chain_softmax", "fathom::chain_softmax_backward"};
  const QStringList joined = softmax + QStringList{"fathom::seeded_dropout", "fathom::norm_join_backward"};
  QTest::newRow("nmt") << QStringLiteral("nmt") << both + QStringList{"batch.max_tokens=128"} << joined
                       << kTolerance;
  QTest::newRow("glue") << QStringLiteral("glue") << both + QStringList{"batch.examples=4"} << joined
                        << kTolerance;
  // A running gradient for all layers.
  QTest::newRow("mean of a score chain")
      << QStringLiteral("mlm")
      << both + QStringList{"encoder.self_attention.score_chain=mean", "batch.sequences=4"} << softmax
      << kTolerance;
  QTest::newRow("sum of a score chain, float32")
      << QStringLiteral("glue")
      << drops + narrow +
             QStringList{"precision=float32", "encoder.self_attention.score_chain=sum", "batch.examples=4"}
      << softmax << kFloatTolerance;
  // Its encoder is frozen, and its layers drop what they add to: no join of theirs has a norm behind it.
  const QStringList parts = {"model.extra_layers.heads=2",
                             "batch.examples=2",
                             "model.extra_layers.dropout=0.1",
                             "model.sql_sp.question_dropout=0.1",
                             "model.sql_sp.schema_dropout=0.1",
                             "model.sql_sp.vector_dropout=0.1",
                             "training.length=2u",
                             "validation.interval=2u",
                             "validation.score_interval=100u"};
  QTest::newRow("text_to_sql") << QStringLiteral("text_to_sql") << parts + QStringList{"precision=float64"}
                               << softmax + QStringList{"fathom::seeded_dropout"} << kTolerance;
  // Streams are packed in float32, there as here, and masks count their rows.
  QTest::newRow("relations of packed rows, float32")
      << QStringLiteral("text_to_sql") << parts + QStringList{"precision=float32"}
      << QStringList{"fathom::relation_attention", "fathom::relation_attention_backward"} << kFloatTolerance;
}

void StandInDevice::equalsTheProcessorWithDropout() {
  QFETCH(QString, task);
  QFETCH(QStringList, assignments);
  QFETCH(QStringList, kernels);
  QFETCH(double, tolerance);
  const QString log = file(QString("kernels_%1.jsonl").arg(QTest::currentDataTag()));
  compareDevices(task, assignments, tolerance,
                 {kExecutorKernels, "FATHOM_DEVICE_LOG=" + log, "FATHOM_DEVICE_NAMES=1"});
  // It is the kernels that did it.
  QFile lines(log);
  QVERIFY(lines.open(QIODevice::ReadOnly));
  const Json update = Json::parse(lines.readLine().toStdString());
  for (const QString& kernel : kernels)
    QVERIFY2(update.at("names").value(kernel.toStdString(), 0) > 1, qPrintable(kernel));
  QVERIFY(!update.at("names").contains("aten::native_dropout"));
}

void StandInDevice::equalsTheProcessorWithoutKernels_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QStringList>("assignments");
  const QStringList drops = {"precision=float64", "model.dropout=0.1", "model.attention_dropout=0.1"};
  QTest::newRow("nmt") << QStringLiteral("nmt") << drops + QStringList{"data.max_pairs=1000"};
  QTest::newRow("glue") << QStringLiteral("glue") << drops;
  QTest::newRow("mean of a score chain")
      << QStringLiteral("mlm") << drops + QStringList{"encoder.self_attention.score_chain=mean"};
  QTest::newRow("two streams") << QStringLiteral("wikihop") << drops;
  QTest::newRow("text_to_sql") << QStringLiteral("text_to_sql")
                               << QStringList{"precision=float64", "model.extra_layers.dropout=0.1",
                                              "model.sql_sp.question_dropout=0.1",
                                              "model.sql_sp.schema_dropout=0.1",
                                              "model.sql_sp.vector_dropout=0.1"};
}

// LibTorch's operations write the same masks.
void StandInDevice::equalsTheProcessorWithoutKernels() {
  QFETCH(QString, task);
  QFETCH(QStringList, assignments);
  compareDevices(task, assignments, kTolerance, {"FATHOM_KERNELS=off"});
}

void StandInDevice::compareDevices(const QString& task, const QStringList& assignments, double tolerance,
                                   const QStringList& environment) {
  QVector<LoggedNumbers> numbers;
  for (const char* device : {"cpu", "cuda:0"}) {
    const QString run = file(QString("run_%1_%2_%3")
                                 .arg(QTest::currentDataTag(), QString(device).left(3))
                                 .arg(environment.size()));
    const DeviceOutcome trained =
        train(task, run, assignments + QStringList{QString("device=") + device}, environment);
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
    numbers.append(loggedNumbers(run));
  }
  QVERIFY(numbers[0].size() > 6);
  QCOMPARE(numbers[1].size(), numbers[0].size());
  for (qsizetype i = 0; i < numbers[0].size(); ++i) {
    const auto& [name, cpu] = numbers[0][i];
    QCOMPARE(numbers[1][i].first, name);
    const double difference = std::abs(numbers[1][i].second - cpu);
    QVERIFY2(
        difference <= tolerance * std::max(1.0, std::abs(cpu)),
        qPrintable(
            QString("%1: %2 and %3").arg(name).arg(cpu, 0, 'g', 17).arg(numbers[1][i].second, 0, 'g', 17)));
  }
}

void StandInDevice::kernelsThatCannotBeUsedAreNamed_data() {
  QTest::addColumn<QString>("kernels");
  QTest::addColumn<QString>("reason");
  const QString kernels = QStringLiteral(FATHOM_BIN_DIR "/../kernels/");
  QTest::newRow("off") << QStringLiteral("off") << QStringLiteral("switched off");
  QTest::newRow("not there") << file("none.so") << QStringLiteral("none.so");
  QTest::newRow("cut short") << QStringLiteral("CUT") << QStringLiteral("cut.so");
  QTest::newRow("without the symbol")
      << kernels + "libplugin_no_table.so" << QStringLiteral("has no fathomKernelTable");
  QTest::newRow("of another version")
      << kernels + "libplugin_other_version.so" << QStringLiteral("this engine needs");
  QTest::newRow("without a pass") << kernels + "libplugin_without_pass.so"
                                  << QStringLiteral("has no pass 'norm_join'");
  QTest::newRow("of other structures")
      << kernels + "libplugin_other_structures.so" << QStringLiteral("its pass 'norm_join_backward' takes");
  QTest::newRow("for a card") << QStringLiteral(FATHOM_BIN_DIR "/libfathom-kernels-cuda.so")
                              << QStringLiteral("this device is a stand-in");
}

// Each in a sentence of `describe`, and a training takes the plain operations.
void StandInDevice::kernelsThatCannotBeUsedAreNamed() {
  QFETCH(QString, kernels);
  QFETCH(QString, reason);
  if (kernels == QLatin1String("CUT")) {
    kernels = file("cut.so");
    QFile whole(DeviceRuns::deviceFolder() + "/libfathom-kernels-executor.so"), cut(kernels);
    QVERIFY(whole.open(QIODevice::ReadOnly) && cut.open(QIODevice::WriteOnly));
    cut.write(whole.read(whole.size() / 3));
  }
  const QString none = fathom::test::whyNoCudaKernels();
  if (kernels.endsWith(QLatin1String("cuda.so")) && !none.isEmpty()) QSKIP(qPrintable(none));
  const QStringList environment = {"FATHOM_KERNELS=" + kernels};
  const DeviceOutcome described = command({"describe"}, environment);
  QCOMPARE(described.exitCode, 0);
  const Json found = Json::parse(described.out.toStdString()).at("kernels");
  QVERIFY(!found.at("available").get<bool>());
  const QString said = QString::fromStdString(found.at("reason").get<std::string>());
  QVERIFY2(said.contains(reason) && said.contains("LibTorch's operations alone"), qPrintable(said));
  if (reason != QLatin1String("switched off")) return;
  const DeviceOutcome trained =
      train("glue", file("run_without"), {"device=cuda:0", "model.dropout=0.1"}, environment);
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
}

// One more family, added by its files and a line of tests/fakes/kernels.list: the engine that has it tells
// it, refuses by its name a plug-in without it, and takes one that has it, which any other engine takes as
// well.
void StandInDevice::aFamilyIsAListLine() {
  const QString made = QStringLiteral(FATHOM_BIN_DIR "/../made/");
  const QString more = "FATHOM_KERNELS=" + made + "libmade_kernels_plugin.so";
  const auto described = [&](const QString& program, const QString& kernels) {
    const DeviceOutcome outcome = m_runs.program(program, {"describe"}, {kernels});
    return outcome.exitCode == 0 ? Json::parse(outcome.out.toStdString()).at("kernels") : Json();
  };
  const QString engine = made + "fathom-engine";
  const Json without = described(engine, kExecutorKernels);
  QVERIFY2(without.is_object() && !without.at("available").get<bool>(), without.dump().c_str());
  QVERIFY(without.at("reason").get<std::string>().find("it has no pass 'doubled_rows'") != std::string::npos);
  QCOMPARE(without.at("families").back().at("id").get<std::string>(), std::string("doubled_rows"));
  const Json with = described(engine, more);
  QVERIFY2(with.is_object() && with.at("available").get<bool>(), with.dump().c_str());
  const Json other = described(DeviceRuns::engineProgram(), more);
  QVERIFY2(other.is_object() && other.at("available").get<bool>(), other.dump().c_str());
  QCOMPARE(other.at("families").size() + 1, with.at("families").size());
}

// The kernel by its name, with what CUDA said; what was logged before stays, and the run can be resumed
// without our kernels.
void StandInDevice::aLaunchThatFailsIsNamed() {
  const QString plugin = QStringLiteral(FATHOM_BIN_DIR "/../kernels/libplugin_failing_launch.so");
  const QString run = file("run_failing");
  const DeviceOutcome failed =
      train("glue", run, {"device=cuda:0", "model.dropout=0.1"}, {"FATHOM_KERNELS=" + plugin});
  QVERIFY2(failed.exitCode == kDeviceFault && !failed.crashed, qPrintable(failed.err.right(2000)));
  for (const char* said :
       {"cannot be launched", "an illegal memory access was encountered", "700", "FATHOM_KERNELS=off"})
    QVERIFY2(failed.err.contains(said), qPrintable(failed.err.right(2000)));
  const DeviceOutcome resumed =
      command({"resume", "--run", run, "--checkpoint", "none"}, {"FATHOM_KERNELS=off"});
  QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err.right(2000)));
}

void StandInDevice::otherNumberFormatsTrain_data() {
  QTest::addColumn<QString>("precision");
  QTest::newRow("bfloat16") << QStringLiteral("bfloat16");
  QTest::newRow("float16 with its scaler") << QStringLiteral("float16");
}

void StandInDevice::otherNumberFormatsTrain() {
  QFETCH(QString, precision);
  const QString run = file("run_" + precision);
  const DeviceOutcome trained = train("nmt", run,
                                      {"precision=" + precision, "device=cuda:0", "training.accumulation=2",
                                       "model.dropout=0.1", "model.attention_dropout=0.1"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
  for (const auto& [name, value] : loggedNumbers(run)) QVERIFY2(std::isfinite(value), qPrintable(name));
}

// With dropout; killed behind the second update's checkpoint, and gone on with.
void StandInDevice::resumesToTheSameBits() {
  const QStringList more = {"device=cuda:0", "model.dropout=0.1", "checkpoint.interval=1u"};
  const QString whole = file("run_whole"), cut = file("run_cut");
  QCOMPARE(train("glue", whole, more).exitCode, 0);
  const DeviceOutcome killed =
      engine(m_runs.trainingWords("glue", cut, more), {"FATHOM_FAULT=rename:8:kill"});
  QVERIFY2(killed.crashed, qPrintable(killed.err.right(1000)));
  QVERIFY(!QDir(cut + "/checkpoints").entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
  const DeviceOutcome resumed = engine({"resume", "--run", cut});
  QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err.right(2000)));
  QVector<QByteArray> weights;
  for (const auto& [run, attempt] : {std::pair{whole, "0001"}, std::pair{cut, "0002"}}) {
    QFile model(run + "/checkpoints/" + attempt + "-00000004/model.safetensors");
    QVERIFY2(model.open(QIODevice::ReadOnly), qPrintable(model.fileName()));
    weights.append(model.readAll());
  }
  QVERIFY(weights[0].size() > 1000);
  QVERIFY(weights[0] == weights[1]);
}

void StandInDevice::otherVerbsRun_data() {
  QTest::addColumn<QStringList>("words");
  const auto row = [](const char* name, const QStringList& words) { QTest::newRow(name) << words; };
  row("evaluate", {"evaluate", "--run", "RUN"});
  row("predict", {"predict", "--run", "RUN", "--input", "LINES"});
  row("average", {"average", "--run", "RUN", "--last", "2", "--out", "AVERAGE"});
  for (const char* analysis : {"attention_entropy", "attention_jsd", "attention_maps", "beta_dependency",
                               "gradient_norm", "input_norm"})
    row(analysis, {"probe", "--run", "RUN", "--analysis", analysis});
}

// On the run of the first row, whose configuration names the device.
void StandInDevice::otherVerbsRun() {
  QFETCH(QStringList, words);
  const QString run = file("run_verbs"), lines = file("lines.txt");
  if (!QDir(run).exists()) {
    const DeviceOutcome trained = train("nmt", run, {"device=cuda:0"});
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
    QFile text(lines);
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("zwei und drei\n") > 0);
  }
  for (QString& word : words) {
    if (word == QLatin1String("RUN")) word = run;
    if (word == QLatin1String("LINES")) word = lines;
    if (word == QLatin1String("AVERAGE")) word = file("average");
  }
  const DeviceOutcome done = command(words);
  QVERIFY2(done.exitCode == 0, qPrintable(done.err.right(2000)));
}

void StandInDevice::aWaitInsideOfAnUpdateIsNamed() {
  const DeviceOutcome strict = train("wikihop", file("run_strict"), {"device=cuda:0"},
                                     {"FATHOM_DEVICE_STRICT=2", "FATHOM_DEVICE_WAITS=aten::gelu"});
  QVERIFY(strict.exitCode != 0 && !strict.crashed);
  QVERIFY2(strict.err.contains("strict device: in update 2 aten::"), qPrintable(strict.err.right(2000)));
  QVERIFY2(strict.err.contains("called by fathom::"), qPrintable(strict.err.right(2000)));
}

void StandInDevice::theLogCountsAnUpdate() {
  const QString log = file("device.jsonl");
  const DeviceOutcome trained = train("glue", file("run_log"), {"device=cuda:0"},
                                      {"FATHOM_DEVICE_LOG=" + log, "FATHOM_DEVICE_NAMES=1"});
  QCOMPARE(trained.exitCode, 0);
  QFile lines(log);
  QVERIFY(lines.open(QIODevice::ReadOnly));
  const QList<QByteArray> updates = lines.readAll().trimmed().split('\n');
  QCOMPARE(updates.size(), 4);
  const Json second = Json::parse(updates[1].toStdString());
  QCOMPARE(second.at("update").get<int>(), 2);
  QVERIFY(second.at("operators").get<int>() > 100);
  // The batch of an update goes there while the one before it is computed.
  const Json first = Json::parse(updates[0].toStdString());
  QVERIFY(first.at("bytes_to_device").get<int>() > 1000);
  QVERIFY(second.at("peak_bytes").get<int>() > 1'000'000);
  QCOMPARE(second.at("names").at("aten::_foreach_norm").get<int>(), 1);  // however many tensors there are
  QVERIFY2(second.at("operators").get<int>() <= kOperatorsOfGlue, updates[1].constData());
  std::int64_t named = 0;
  for (const auto& [name, count] : second.at("names").items()) named += count.get<std::int64_t>();
  QCOMPARE(named, second.at("operators").get<std::int64_t>());
}

void StandInDevice::exhaustedMemoryIsAnOutcome() {
  const DeviceOutcome trained =
      train("glue", file("run_small"), {"device=cuda:0"}, {"FATHOM_DEVICE_MEMORY=1200000"});
  QVERIFY2(trained.exitCode == 41, qPrintable(trained.err.right(2000)));
}

void StandInDevice::faultsOfHostsAreFound_data() {
  QTest::addColumn<QString>("fault");
  QTest::addColumn<int>("signal");  // 0: it must pass
  QTest::newRow("pointer of the device read on the host") << QStringLiteral("host_pointer") << int(SIGSEGV);
  QTest::newRow("pinned buffer reused too early") << QStringLiteral("pinned_reuse") << int(SIGABRT);
  QTest::newRow("pinned buffer reused behind a wait") << QStringLiteral("pinned_waited") << 0;
  QTest::newRow("memory that nobody wrote") << QStringLiteral("fresh_memory") << 0;
  QTest::newRow("operators that CUDA alone has") << QStringLiteral("twins") << 0;
  QTest::newRow("results of other shapes") << QStringLiteral("shapes") << 0;
}

void StandInDevice::faultsOfHostsAreFound() {
  QFETCH(QString, fault);
  QFETCH(int, signal);
  QProcess process;
  process.start(QStringLiteral(FATHOM_BIN_DIR "/../device/device_faults"),
                {DeviceRuns::deviceFolder() + "/libtorch_cuda.so", fault});
  QVERIFY(process.waitForFinished(60'000));
  const QByteArray said = process.readAllStandardError();
  if (signal == 0) {
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said.constData());
  } else {
    QVERIFY2(process.exitStatus() == QProcess::CrashExit && process.exitCode() == signal, said.constData());
  }
}

QTEST_GUILESS_MAIN(StandInDevice)
#include "tst_stand_in_device.moc"
