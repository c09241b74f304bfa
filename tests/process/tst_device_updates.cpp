// SPDX-License-Identifier: Apache-2.0
// ctest: engine bench
// What an update asks of a device, counted on the stand-in (docs/device.md): nothing in its middle makes the
// host wait, numbers that are read late are those that would have been read at once, and what goes wrong is
// told as it is on the processor.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>
#include <cmath>

#include "core/base/json/json.h"
#include "core/serve/serve_client.h"
#include "tests/process/support_device_run.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using namespace fathom::test;

namespace {

constexpr double kSameNumber = 1e-12;  // relative, of float64
constexpr int kDiverged = 20, kExhausted = 41;
const QStringList kRoom = {"device=cuda:0", "batch.sequences=16", "training.length=2u",
                           "validation.interval=2u", "validation.score_interval=2u"};

QString difference(const LoggedNumbers& one, const LoggedNumbers& other, double tolerance) {
  if (one.size() != other.size()) return QString("%1 and %2 numbers").arg(one.size()).arg(other.size());
  for (qsizetype i = 0; i < one.size(); ++i) {
    const auto& [name, a] = one[i];
    const double b = other[i].second;
    if (name != other[i].first) return name + " and " + other[i].first;
    if (std::isnan(a) && std::isnan(b)) continue;
    if (!(std::abs(a - b) <= tolerance * std::max(1.0, std::abs(a))))
      return QString("%1: %2 and %3").arg(name).arg(a, 0, 'g', 17).arg(b, 0, 'g', 17);
  }
  return {};
}

}  // namespace

class DeviceUpdates : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QVERIFY2(DeviceRuns::missing().isEmpty(), qPrintable(DeviceRuns::missing())); }
  void nothingWaits_data();
  void nothingWaits();
  void operatorsAreBounded_data();
  void operatorsAreBounded();
  void lateNumbersAreTheSame_data();
  void lateNumbersAreTheSame();
  void aLateDivergenceIsTheSame();
  void anOverflowIsLeftOut();
  void badDevicesAreNamed_data();
  void badDevicesAreNamed();
  void anyDeviceOfSeveralTrains();
  void exhaustedMemorySaysWhatFits_data();
  void exhaustedMemorySaysWhatFits();
  void trainingsLookAround_data();
  void trainingsLookAround();
  void anEncoderGoesRound();
  void aServerAnswers();

 private:
  DeviceRuns m_runs;
};

void DeviceUpdates::nothingWaits_data() {
  QTest::addColumn<QString>("task");
  for (const char* task : {"nmt", "mlm", "causal_lm", "glue", "squad", "reclor", "text_to_sql", "wikihop",
                           "natural_questions", "openkp", "hotpotqa"})
    QTest::newRow(task) << QString::fromLatin1(task);
}

// With dropout, in float32; a wait, a copy of pageable memory or a shape that depends on data ends the run.
void DeviceUpdates::nothingWaits() {
  QFETCH(QString, task);
  const DeviceOutcome trained =
      m_runs.train(task, m_runs.file("strict_" + task),
                   {"device=cuda:0", "training.length=5u", "validation.interval=5u",
                    "validation.score_interval=5u", "model.dropout=0.1", "model.attention_dropout=0.1"},
                   {"FATHOM_DEVICE_STRICT=3"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
}

void DeviceUpdates::operatorsAreBounded_data() {
  QTest::addColumn<QString>("dropout");
  QTest::addColumn<QMap<QString, int>>("operators");
  QTest::newRow("none") << "0" << QMap<QString, int>{{"translation", 755}, {"bert", 626}, {"sql-sp", 3686}};
  QTest::newRow("0.1, masks without kernels")
      << "0.1" << QMap<QString, int>{{"translation", 2345}, {"bert", 1625}, {"sql-sp", 6131}};
}

// Bounds only go down. A mask that no kernel of ours draws is written in 27 operators of LibTorch.
void DeviceUpdates::operatorsAreBounded() {
  QFETCH(const QString, dropout);
  using Bounds = QMap<QString, int>;
  QFETCH(const Bounds, operators);
  const Bounds copies = {{"translation", 2}, {"bert", 1}, {"sql-sp", 11}};  // to the device
  const QString kBench = QStringLiteral(FATHOM_BIN_DIR "/fathom-bench-engine");
  const DeviceOutcome counted =
      m_runs.program(kBench, {"device-step", "--updates", "3", "--dropout", dropout}, {"FATHOM_KERNELS=off"});
  QVERIFY2(counted.exitCode == 0, qPrintable(counted.err.right(2000)));
  int seen = 0;
  for (const QString& line : counted.out.split(u'\n')) {
    const QStringList words = line.split(u' ', Qt::SkipEmptyParts);
    if (words.size() < 8 || !operators.contains(words[0])) continue;
    ++seen;
    QVERIFY2(words[1].toInt() > 300 && words[1].toInt() <= operators[words[0]], qPrintable(line));
    QVERIFY2(words[2] == "0", qPrintable(line));  // waits
    QVERIFY2(words[3].toInt() > 0 && words[3].toInt() <= copies[words[0]], qPrintable(line));
  }
  QVERIFY2(seen == operators.size(), qPrintable(counted.out));
  const DeviceOutcome processor = m_runs.program(kBench, {"device-step", "--device", "cpu"});
  QVERIFY(processor.exitCode != 0);
  QVERIFY2(processor.err.contains("counts no operators"), qPrintable(processor.err));
}

void DeviceUpdates::lateNumbersAreTheSame_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QStringList>("assignments");
  const auto row = [](const char* name, const char* task, const QStringList& assignments) {
    QTest::newRow(name) << QString::fromLatin1(task) << assignments;
  };
  row("adam, decay before, torch's clipping", "glue",
      {"optimizer=adam", "optimizer.weight_decay=0.1", "clip.norm=0.1", "clip.rule=torch"});
  row("adam, decay after, plain epsilon, groups", "glue",
      {"optimizer=adam", "optimizer.adam.eps_place=plain", "optimizer.adam.decay_place=after",
       "optimizer.weight_decay=0.1", "optimizer.rate_groups=encoder.=0.5:3", "clip.norm=0.1",
       "clip.rule=fairseq"});
  row("bert, averages", "glue",
      {"optimizer=bert_adamw", "optimizer.weight_decay=0.1", "optimizer.average_decay=0.5", "clip.norm=0.1",
       "clip.rule=bert"});
  row("radam that waits and decays, accumulation", "nmt",
      {"optimizer=radam", "optimizer.weight_decay=0.1", "training.accumulation=2"});
  row("score chain", "mlm", {"encoder.self_attention.score_chain=mean"});
  // Rounding grows with every update, in this training to 1e-13 after 50 and 1e-12 after 110.
  row("epochs", "glue", {"training.length=2e", "validation.interval=1e", "validation.score_interval=2e"});
}

void DeviceUpdates::lateNumbersAreTheSame() {
  QFETCH(QString, task);
  QFETCH(QStringList, assignments);
  QVector<LoggedNumbers> numbers;
  for (const char* device : {"cpu", "cuda:0"}) {
    const QString run =
        m_runs.file(QString("late_%1_%2").arg(QTest::currentDataTag()).arg(QString(device).left(3)));
    const DeviceOutcome trained = m_runs.train(
        task, run,
        QStringList{"training.length=7u", "validation.interval=3u", "validation.score_interval=7u",
                    "precision=float64", QString("device=") + device} +
            assignments);
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
    numbers.append(loggedNumbers(run));
  }
  QVERIFY(numbers[0].size() > 20);
  const QString other = difference(numbers[0], numbers[1], kSameNumber);
  QVERIFY2(other.isEmpty(), qPrintable(other));
}

// The rate makes weights that give no finite loss. Both name the same update and the same cause, and have
// logged the same numbers until then; the update behind it, which the device was asked for, leaves no trace.
void DeviceUpdates::aLateDivergenceIsTheSame() {
  QVector<LoggedNumbers> numbers;
  QVector<Json> ends;
  for (const char* device : {"cpu", "cuda:0"}) {
    const QString run = m_runs.file(QString("diverged_") + QString(device).left(3));
    const DeviceOutcome trained =
        m_runs.train("nmt", run,
                     {"training.length=40u", "validation.interval=40u", "validation.score_interval=40u",
                      "checkpoint.interval=40u", "optimizer=adam", "lr_schedule.rate=1e150",
                      "precision=float64", QString("device=") + device});
    QVERIFY2(trained.exitCode == kDiverged, qPrintable(trained.err.right(2000)));
    const QVector<Json> diverged = eventsOf(run, "diverged");
    QCOMPARE(diverged.size(), 1);
    ends.append(diverged.first());
    numbers.append(loggedNumbers(run));
  }
  for (const char* member : {"cause", "step", "last_finite_step", "first_module"})
    QVERIFY2(ends[0].at(member) == ends[1].at(member),
             (std::string(member) + ": " + ends[0].at(member).dump() + " and " + ends[1].at(member).dump())
                 .c_str());
  const QString other = difference(numbers[0], numbers[1], 1e-6);  // of weights near 1e150
  QVERIFY2(other.isEmpty(), qPrintable(other));
}

// Overflows of float16: an update is left out and the one behind it asked for anew. Where every update is
// validated each is read at once, and logs the same.
void DeviceUpdates::anOverflowIsLeftOut() {
  QVector<LoggedNumbers> numbers;
  for (const char* interval : {"1u", "6u"}) {
    const QString run = m_runs.file(QString("overflow_") + interval);
    const DeviceOutcome trained =
        m_runs.train("nmt", run,
                     {"device=cuda:0", "precision=float16", "loss_scale.initial=4e7", "batch.max_tokens=256",
                      "model.width=32", "model.feed_forward=64", "training.length=6u",
                      QString("validation.interval=") + interval, "validation.score_interval=6u",
                      "checkpoint.interval=6u", "model.dropout=0.1"});
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
    LoggedNumbers steps;
    for (const auto& one : loggedNumbers(run))
      if (one.first.startsWith("step")) steps.append(one);
    numbers.append(steps);
    const QVector<Json> logged = eventsOf(run, "step");
    QCOMPARE(logged.size(), 6);
    const Json& first = logged.first();
    QVERIFY2(first.at("m").at("loss_scale").get<double>() < 4e7, first.dump().c_str());
  }
  const QString other = difference(numbers[0], numbers[1], 0);
  QVERIFY2(other.isEmpty(), qPrintable(other));
}

void DeviceUpdates::badDevicesAreNamed_data() {
  QTest::addColumn<QString>("device");
  QTest::addColumn<QString>(
      "library");                     // what lies where the device's library is looked for; "": the stand-in
  QTest::addColumn<QString>("said");  // "": it runs
  QTest::newRow("beyond the count") << "cuda:7"
                                    << ""
                                    << "there are 1 CUDA devices";
  QTest::newRow("no number") << "cuda:x"
                             << ""
                             << "write cuda:0";
  QTest::newRow("cut short") << "cuda:0"
                             << "not a library"
                             << "does not load";
  QTest::newRow("cut short, whatever there is") << "auto"
                                                << "not a library"
                                                << "";
}

void DeviceUpdates::badDevicesAreNamed() {
  QFETCH(QString, device);
  QFETCH(QString, library);
  QFETCH(QString, said);
  QStringList environment;
  if (!library.isEmpty()) {
    const QString folder = m_runs.file("library");
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + "/libtorch_cuda.so");
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(library.toUtf8()) > 0);
    environment = {"LD_LIBRARY_PATH=" + folder};
  }
  const QString run = m_runs.file(QString("bad_") + QTest::currentDataTag());
  const QStringList assignments = {"device=" + device};
  // Which library there is, is decided where a process begins.
  const DeviceOutcome trained =
      library.isEmpty() ? m_runs.train("glue", run, assignments)
                        : m_runs.engine(m_runs.trainingWords("glue", run, assignments), environment);
  QVERIFY(!trained.crashed);
  QCOMPARE(trained.exitCode == 0, said.isEmpty());
  QVERIFY2(trained.err.contains(said), qPrintable(trained.err.right(1000)));
}

void DeviceUpdates::anyDeviceOfSeveralTrains() {
  const QString run = m_runs.file("second");
  const DeviceOutcome trained = m_runs.train("glue", run, {"device=cuda:1"}, {"FATHOM_DEVICE_COUNT=2"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
  QCOMPARE(eventsOf(run, "run_started").first().at("device").get<std::string>(), std::string("cuda:1"));
}

void DeviceUpdates::exhaustedMemorySaysWhatFits_data() {
  QTest::addColumn<double>("share");  // of the peak of a run that has room
  QTest::addColumn<QString>("said");
  QTest::newRow("0.2") << 0.2 << "use smaller batches or a smaller model";  // nothing that is tried fits
  for (const double share : {0.4, 0.6, 0.8, 0.95})
    QTest::newRow(qPrintable(QString::number(share))) << share << "1 layer fits";  // of two
}

void DeviceUpdates::exhaustedMemorySaysWhatFits() {
  QFETCH(double, share);
  QFETCH(QString, said);
  const QString log = m_runs.file("peaks.jsonl");
  if (!QFile::exists(log)) {
    const DeviceOutcome whole = m_runs.train("mlm", m_runs.file("room"), kRoom, {"FATHOM_DEVICE_LOG=" + log});
    QVERIFY2(whole.exitCode == 0, qPrintable(whole.err.right(1000)));
  }
  QFile lines(log);
  QVERIFY(lines.open(QIODevice::ReadOnly));
  const Json first = Json::parse(lines.readLine().toStdString());
  const auto bytes = static_cast<qint64>(first.at("peak_bytes").get<double>() * share);
  const QString run = m_runs.file(QString("narrow_%1").arg(share));
  const DeviceOutcome trained =
      m_runs.train("mlm", run, kRoom, {QString("FATHOM_DEVICE_MEMORY=%1").arg(bytes)});
  QVERIFY2(trained.exitCode == kExhausted && !trained.crashed, qPrintable(trained.err.right(2000)));
  QVERIFY2(trained.err.contains(said), qPrintable(trained.err.right(2000)));
}

void DeviceUpdates::trainingsLookAround_data() {
  QTest::addColumn<QString>("task");
  QTest::addColumn<QStringList>("assignments");
  const auto row = [](const char* name, const char* task, const QStringList& assignments) {
    QTest::newRow(name) << QString::fromLatin1(task) << assignments;
  };
  row("analyses between the updates", "nmt",
      {"analysis.interval=1u", "analysis.examples=4",
       "analysis.ids=attention_entropy,attention_jsd,beta_dependency,gradient_norm,input_norm,attention_"
       "maps"});
  row("norms of epochs", "reclor", {"training.length=1e", "analysis.epoch_norms=true"});
  row("profile of Admin", "nmt", {"encoder.residual=admin", "decoder.residual=admin", "init=admin_profile"});
  row("mu of a learning encoder", "text_to_sql",
      {"model.sql_sp.encoder=trained", "model.width=48", "model.heads=4", "model.feed_forward=64",
       "encoder.layers=2"});
  row("bfloat16 and RealFormer", "mlm",
      {"precision=bfloat16", "encoder.self_attention.score_chain=sum", "training.accumulation=2"});
  row("float16 and its scaler", "glue", {"precision=float16", "training.accumulation=2"});
}

void DeviceUpdates::trainingsLookAround() {
  QFETCH(QString, task);
  QFETCH(QStringList, assignments);
  const QString run = m_runs.file(QString("look_") + QTest::currentDataTag());
  const DeviceOutcome trained = m_runs.train(task, run, QStringList{"device=cuda:0"} + assignments);
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(2000)));
  const QVector<Json> warnings = eventsOf(run, "warning");
  for (const Json& warning : warnings)
    QVERIFY2(warning.value("cause", "") != "analysis_failed", warning.dump().c_str());
  for (const auto& [name, value] : loggedNumbers(run)) QVERIFY2(std::isfinite(value), qPrintable(name));
}

// Trained, exported, imported and fine-tuned on the device; and what a dry run says of it.
void DeviceUpdates::anEncoderGoesRound() {
  const QString run = m_runs.file("encoder_run"), out = m_runs.file("exported"), in = m_runs.file("imported");
  const DeviceOutcome trained = m_runs.train("mlm", run, {"device=cuda:0"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(1000)));
  const DeviceOutcome exported = m_runs.command({"export-encoder", "--run", run, "--out", out});
  QVERIFY2(exported.exitCode == 0, qPrintable(exported.err.right(1000)));
  const DeviceOutcome imported = m_runs.command({"import-encoder", "--from", out, "--out", in});
  QVERIFY2(imported.exitCode == 0, qPrintable(imported.err.right(1000)));
  const DeviceOutcome again =
      m_runs.train("mlm", m_runs.file("encoder_again"), {"device=cuda:0", "model.bert.weights=" + in});
  QVERIFY2(again.exitCode == 0, qPrintable(again.err.right(1000)));
  const QString preset = QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets/sample_small.json");
  const DeviceOutcome dry = m_runs.command(
      {"estimate", "--config", preset, "--json", "--seconds", "0.3", "--set", "device=cuda:0"});
  QVERIFY2(dry.exitCode == 0, qPrintable(dry.err.right(1000)));
  QVERIFY2(dry.out.contains("cuda:0"), qPrintable(dry.out.left(400)));
}

void DeviceUpdates::aServerAnswers() {
  const QString run = m_runs.file("served"), socket = m_runs.file("s");
  const DeviceOutcome trained = m_runs.train("nmt", run, {"device=cuda:0"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err.right(1000)));
  QProcess server;
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert("LD_LIBRARY_PATH", DeviceRuns::deviceFolder());
  server.setProcessEnvironment(surroundings);
  server.start(DeviceRuns::engineProgram(), {"serve", "--run", run, "--socket", socket});
  QVERIFY(server.waitForStarted(30'000));
  waitFor([&] { return ServeClient::connect(socket.toStdString()).ok(); });
  const auto ask = [&](ServeOp op, std::vector<Json> items) {
    ServeRequest request;
    request.id = 1;
    request.op = op;
    request.items = std::move(items);
    Progress progress;
    auto client = ServeClient::connect(socket.toStdString());
    return client.ok() ? client->ask(request, 60, progress, {}) : Result<Json>(client.error());
  };
  const auto answer = ask(ServeOp::Predict, {"zwei und drei"});
  QVERIFY2(answer.ok(), answer.ok() ? "" : answer.error().text().c_str());
  QCOMPARE(answer->at("results").size(), std::size_t{1});
  QVERIFY(ask(ServeOp::End, {}).ok());
  QVERIFY(server.waitForFinished(30'000));
  QCOMPARE(server.exitCode(), 0);
}

QTEST_GUILESS_MAIN(DeviceUpdates)
#include "tst_device_updates.moc"
