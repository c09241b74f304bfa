// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// Graphs of the device (option device.graphs, docs/device.md §7) on the stand-in, whose graphs have no
// numbers before they are launched: runs with graphs log and save the bits of runs without, and what cannot
// be recorded is said once and computed plainly.
#include <QDir>
#include <QFile>
#include <QMap>
#include <QTest>
#include <algorithm>

#include "core/base/json/json.h"
#include "tests/process/support_device_run.h"

using namespace fathom;
using namespace fathom::test;

namespace {

// The kernels as host code, for this device (core/kernels/host).
const QString kExecutorKernels = DeviceRuns::deviceFolder() + "/libfathom-kernels-executor.so";
const QStringList kLong = {"device=cuda:0", "training.length=40u", "validation.interval=40u",
                           "validation.score_interval=40u", "checkpoint.interval=40u"};

// Rows of all lengths go through the layers together: groups by length have other shapes in each batch.
const QMap<QString, QStringList> kWhole = {{"glue", {"model.bert.row_groups=1"}},
                                           {"squad", {"model.bert.row_groups=1"}},
                                           {"reclor", {"model.bert.row_groups=1"}}};

// Updates of a log of the stand-in.
QVector<Json> updatesOf(const QString& log) {
  QVector<Json> updates;
  QFile file(log);
  if (!file.open(QIODevice::ReadOnly)) return updates;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (!line.isEmpty()) updates.append(Json::parse(line.toStdString()));
  return updates;
}

int graphsIn(const QVector<Json>& updates) {
  int graphs = 0;
  for (const Json& update : updates) graphs += update.at("names").value("fathom::graph", 0);
  return graphs;
}

// Warnings of the option in the first attempt of a run.
QStringList warningsOf(const QString& run) {
  QStringList warnings;
  QFile file(run + "/attempts/0001/events.jsonl");
  if (!file.open(QIODevice::ReadOnly)) return warnings;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const Json event = Json::parse(line.toStdString(), nullptr, false);
    if (event.is_object() && event.value("k", "") == "warning" && event.value("cause", "") == "graphs_off")
      warnings.append(QString::fromStdString(event.dump()));
  }
  return warnings;
}

QByteArray weightsOf(const QString& run, const QString& checkpoint) {
  QFile model(run + "/checkpoints/" + checkpoint + "/model.safetensors");
  return model.open(QIODevice::ReadOnly) ? model.readAll() : QByteArray();
}

}  // namespace

class DeviceGraphs : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing())); }
  void bitsAreTheSame_data();
  void bitsAreTheSame();
  void whatCannotBeRecordedIsSaidOnce_data();
  void whatCannotBeRecordedIsSaidOnce();
  void aRunGoesOnWithoutTheirMemory();
  void resumesToTheSameBits();

 private:
  DeviceOutcome train(const QString& task, const QString& run, const QString& graphs, const QStringList& more,
                      const QStringList& environment = {}) {
    return m_runs.train(task, run, kLong + kWhole.value(task) + QStringList{"device.graphs=" + graphs} + more,
                        environment);
  }
  DeviceRuns m_runs;
  QMap<QString, LoggedNumbers> m_without;  // of trainings without graphs
};

void DeviceGraphs::bitsAreTheSame_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QStringList>("assignments");
  QTest::addColumn<bool>("kernels");
  const auto row = [](const char* name, const char* task, const QStringList& assignments = {},
                      bool kernels = false) {
    QTest::newRow(name) << QString::fromLatin1(task) << assignments << kernels;
  };
  const QStringList drops = {"model.dropout=0.1", "model.attention_dropout=0.1"};
  row("sentences", "glue");
  row("sentences, bfloat16, groups", "glue",
      {"precision=bfloat16", "optimizer.rate_groups=encoder.=0.5:3", "clip.norm=0.1"});
  row("means of micro-batches, float64", "glue",
      {"training.accumulation=2", "training.normalisation=mean_of_micro_batches", "precision=float64",
       "training.length=30u"});
  row("masks of LibTorch's operators", "glue", drops);
  // The executor is no fast device.
  const QStringList narrow = drops + QStringList{"model.width=32", "model.heads=2", "model.feed_forward=64"};
  row("masks of our kernels", "glue", narrow, true);
  row("masks of our kernels, score chain, accumulation", "mlm",
      narrow + QStringList{"encoder.self_attention.score_chain=sum", "training.accumulation=2",
                           "batch.sequences=4", "mlm.max_length=32", "training.length=30u"},
      true);
  row("answers", "squad");
  row("choices", "reclor");
  row("masked words, mean of a score chain", "mlm",
      {"encoder.self_attention.score_chain=mean", "model.width=48", "model.feed_forward=64",
       "training.length=60u"});
  row("next words", "causal_lm", {"training.length=60u"});
  row("translation", "nmt", {"data.max_pairs=60", "training.length=60u"});
}

void DeviceGraphs::bitsAreTheSame() {
  QFETCH(QString, task);
  QFETCH(QStringList, assignments);
  QFETCH(bool, kernels);
  QVector<LoggedNumbers> numbers;
  QVector<QByteArray> weights;
  QVector<QVector<Json>> updates;
  for (const char* graphs : {"off", "auto"}) {
    const QString run = m_runs.file(QString("bits_%1_%2").arg(QTest::currentDataTag(), QString(graphs)));
    const DeviceOutcome trained = train(task, run, graphs, assignments,
                                        {"FATHOM_DEVICE_LOG=" + run + ".jsonl", "FATHOM_DEVICE_NAMES=1",
                                         "FATHOM_KERNELS=" + (kernels ? kExecutorKernels : QString("off"))});
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
    QVERIFY2(warningsOf(run).isEmpty(), qPrintable(warningsOf(run).join('\n')));
    numbers.append(loggedNumbers(run));
    updates.append(updatesOf(run + ".jsonl"));
    weights.append(weightsOf(run, QString("0001-%1").arg(updates.last().size(), 8, 10, QChar('0'))));
  }
  QVERIFY(numbers[0].size() > 20);
  QCOMPARE(numbers[1], numbers[0]);
  QVERIFY(weights[0].size() > 1000);
  QVERIFY(weights[1] == weights[0]);
  // They were launched, and a launched update asks for little.
  QCOMPARE(graphsIn(updates[0]), 0);
  QVERIFY2(graphsIn(updates[1]) > 0, "no update was a graph");
  for (qsizetype i = 0; i < updates[1].size(); ++i) {
    const Json& update = updates[1][i];
    const int plain = updates[0][i].at("operators").get<int>(), own = update.at("operators").get<int>();
    QCOMPARE(update.at("waits").get<int>(), 0);
    if (i < 2 || update.at("names").value("fathom::graph", 0) == 0) continue;
    if (own < plain) QVERIFY2(own <= 40, update.dump().c_str());  // a captured one asks for both
  }
}

void DeviceGraphs::whatCannotBeRecordedIsSaidOnce_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QStringList>("assignments");
  QTest::addColumn<QStringList>("environment");
  QTest::addColumn<QString>("said");
  const auto row = [](const char* name, const char* task, const QStringList& assignments,
                      const QStringList& environment, const char* said) {
    QTest::newRow(name) << QString::fromLatin1(task) << assignments << environment
                        << QString::fromLatin1(said);
  };
  row("processor", "glue", {"device=cpu"}, {}, "the processor computes each operator at once");
  row("switched off", "glue", {}, {"FATHOM_GRAPHS=off"}, "switched off by FATHOM_GRAPHS");
  row("no plug-in", "glue", {}, {"FATHOM_GRAPHS=/nowhere/graphs.so"}, "do not load");
  row("another plug-in", "glue", {}, {"FATHOM_GRAPHS=" + kExecutorKernels}, "has no fathomGraphTable");
  row("float16", "glue", {"precision=float16"}, {}, "loss scale of float16");
  row("a task that does not tell", "text_to_sql", {"training.length=4u"}, {}, "does not tell beforehand");
  row("groups of rows", "glue", {"model.bert.row_groups=4"}, {}, "does not tell beforehand");
  row("a wait", "glue", {}, {"FATHOM_DEVICE_WAITS=aten::gelu"}, "aten::gelu makes the host wait");
  row("a wait in the backward pass", "glue", {}, {"FATHOM_DEVICE_WAITS=aten::gelu_backward"},
      "aten::gelu_backward makes the host wait");
  row("a capture that fails", "glue", {}, {"FATHOM_DEVICE_GRAPHS=fail"}, "planted");
}

void DeviceGraphs::whatCannotBeRecordedIsSaidOnce() {
  QFETCH(QString, task);
  QFETCH(QStringList, assignments);
  QFETCH(QStringList, environment);
  QFETCH(QString, said);
  const auto trainedWith = [&](const QString& graphs, const QStringList& around, qsizetype told) {
    const QString run = m_runs.file(QString("said_%1_%2").arg(QTest::currentDataTag(), graphs));
    const QString log = run + ".jsonl";
    const DeviceOutcome trained =
        train(task, run, graphs, QStringList{"training.length=20u"} + assignments,
              around + QStringList{"FATHOM_DEVICE_LOG=" + log, "FATHOM_DEVICE_NAMES=1"});
    const QStringList warnings = warningsOf(run);
    const bool right = trained.exitCode == 0 && graphsIn(updatesOf(log)) == 0 && warnings.size() == told &&
                       warnings.filter(said).size() == told;
    if (!right) qWarning("%s\n%s", qPrintable(warnings.join('\n')), qPrintable(trained.err.right(2000)));
    return right ? loggedNumbers(run) : LoggedNumbers();
  };
  // Many rows are of one training.
  LoggedNumbers& without = m_without[task + assignments.join(' ')];
  if (without.isEmpty()) without = trainedWith("off", {}, 0);
  QVERIFY(without.size() > 6);
  QCOMPARE(trainedWith("auto", environment, 1), without);
}

// A device that holds the run and not its graphs.
void DeviceGraphs::aRunGoesOnWithoutTheirMemory() {
  const QString log = m_runs.file("room.jsonl"), run = m_runs.file("narrow");
  const DeviceOutcome room = train("glue", m_runs.file("room"), "off", {}, {"FATHOM_DEVICE_LOG=" + log});
  QVERIFY2(room.exitCode == 0, qPrintable(room.err.right(2000)));
  double peak = 0;
  for (const Json& update : updatesOf(log)) peak = std::max(peak, update.at("peak_bytes").get<double>());
  const DeviceOutcome narrow = train(
      "glue", run, "auto", {}, {QString("FATHOM_DEVICE_MEMORY=%1").arg(static_cast<qint64>(peak * 1.1))});
  QVERIFY2(narrow.exitCode == 0, qPrintable(narrow.err.right(2000)));
  QCOMPARE(warningsOf(run).size(), 1);
  QCOMPARE(loggedNumbers(run), loggedNumbers(m_runs.file("room")));
}

// Killed when graphs were there, and gone on with: nothing of them is stored.
void DeviceGraphs::resumesToTheSameBits() {
  const QString whole = m_runs.file("run_whole"), cut = m_runs.file("run_cut");
  const QStringList often = {"checkpoint.interval=10u"};
  QCOMPARE(train("glue", whole, "auto", often).exitCode, 0);
  const DeviceOutcome killed = m_runs.engine(
      m_runs.trainingWords("glue", cut,
                           kLong + kWhole.value("glue") + QStringList{"device.graphs=auto"} + often),
      {"FATHOM_FAULT=rename:12:kill"});
  QVERIFY2(killed.crashed, qPrintable(killed.err.right(1000)));
  const QStringList kept = QDir(cut + "/checkpoints").entryList({"0001-*"}, QDir::Dirs);
  QVERIFY2(!kept.isEmpty() && !kept.contains("0001-00000040"), qPrintable(kept.join(' ')));
  const DeviceOutcome resumed = m_runs.engine({"resume", "--run", cut});
  QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.err.right(2000)));
  QVERIFY(weightsOf(whole, "0001-00000040").size() > 1000);
  QVERIFY(weightsOf(whole, "0001-00000040") == weightsOf(cut, "0002-00000040"));
}

QTEST_GUILESS_MAIN(DeviceGraphs)
#include "tst_device_graphs.moc"
