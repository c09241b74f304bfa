// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
// The real engine on a host over a real sshd of this user: what it trains there is what it trains here.
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/system_samples.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/tasks/made_sentences.h"
#include "tests/process/support_ssh.h"
#include "tests/process/support_word_pairs.h"

using namespace fathom;

namespace {

// What a run has logged that no clock has a part in, in order.
std::vector<std::string> numbersOf(const RunFolder& run) {
  std::vector<std::string> numbers;
  EventReader reader(run.eventsPath(1));
  for (auto events = reader.poll().value(); !events.empty(); events = reader.poll().value())
    for (const Event& event : events) {
      if (event.kind != "step" && event.kind != "validation" && event.kind != "epoch") continue;
      Json line = {event.kind, event.step, event.epoch, event.tokens};
      for (const auto& [metric, value] : event.scalars)
        if (metric != "tokens_per_s") line.push_back({metric, value});
      numbers.push_back(line.dump());
    }
  return numbers;
}

std::string lastWeights(const RunFolder& run) {
  const auto last = newestGoodCheckpoint(run.path());
  return last && last->step == 12 ? readFile(last->path + "/model.safetensors").value() : std::string();
}

}  // namespace

class SshEngineTest : public QObject, private test::SshFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup() { leaveProject(); }
  void cleanupTestCase() { stop(); }
  void sameBitsThereAsHere();
  void sumsAreMeasuredThere();
};

void SshEngineTest::initTestCase() {
  const QString why = start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no sshd: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
}

void SshEngineTest::sameBitsThereAsHere() {
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  const QString data = project().file("data");
  QVERIFY(writeMadeSentences(data.toStdString(), 1, {200, 30, 30}).ok());
  QStringList options;
  const Json tiny = test::tinyTranslation(data, {{"validation.interval", "4u"}});
  for (const auto& [name, value] : tiny["options"].items())
    options << QStringLiteral("--set")
            << QString::fromStdString(name + "=" +
                                      (value.is_string() ? value.get<std::string>() : value.dump()));
  addPlace({"--set", QStringLiteral("engine=") + FATHOM_BIN_DIR "/fathom-engine", "--before",
            "export FATHOM_SAMPLE_SECONDS=0.01"});
  const ShellResult checked = ask({"check-place", "there", "--json"});
  QVERIFY2(checked.exitCode == 0 && checked.json()["troubles"].empty(), qPrintable(checked.out));
  const std::string there = train(options + QStringList{"--name", "there"});
  QVERIFY(!there.empty() && emptied(120));
  const ShellResult local = ask(QStringList{"train", "--json", "--name", "here"} + options);
  QVERIFY2(local.exitCode == 0, qPrintable(local.err));
  const auto here = local.json()["run"]["uuid"].get<std::string>();
  QVERIFY(emptied(120));
  for (const std::string& run : {there, here}) QCOMPARE(folder(run).state(), RunState::Finished);
  QCOMPARE(folder(there).outcome(1)->step, std::int64_t{12});
  const auto numbers = numbersOf(folder(here));
  QVERIFY(numbers.size() > 12);
  QCOMPARE(numbersOf(folder(there)), numbers);
  const std::string weights = lastWeights(folder(here));
  QVERIFY(!weights.empty());
  QVERIFY(lastWeights(folder(there)).empty());
  const ShellResult fetched = ask({"fetch", QString::fromStdString(there), "--checkpoints"});
  QVERIFY2(fetched.exitCode == 0, qPrintable(fetched.err));
  QVERIFY(lastWeights(folder(there)) == weights);
  QVERIFY(lastWeights(original(there)) == weights);
  QVERIFY(!original(here).exists());
  // The load of the host is in the copy.
  const RunSystem load = readRunSystem(folder(there).path());
  QVERIFY(load.badLines == 0 && load.machine.cores > 0);
  QCOMPARE(load.machine.device, std::string("cpu"));
  QVERIFY(measuredMemory(load, false) > 0.05);
}

// It stays with the place, and dry runs of what is to be trained there predict from it.
void SshEngineTest::sumsAreMeasuredThere() {
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  addPlace({"--set", QStringLiteral("engine=") + FATHOM_BIN_DIR "/fathom-engine"});
  const ShellResult measured = ask({"check-place", "there", "--all-reduce", "--json"});
  QVERIFY2(measured.exitCode == 0 && measured.json()["troubles"].empty(), qPrintable(measured.out));
  const Json sums = measured.json()["facts"]["all_reduce"];
  QVERIFY2(sums["bandwidth"].get<double>() > 1e7 && sums["latency"].get<double>() > 1e-7,
           sums.dump().c_str());
  const ShellResult words = ask({"check-place", "there"});
  QVERIFY2(words.out.contains("Sum over processes") && words.out.contains("ms a message"),
           qPrintable(words.out));
  const QStringList dry = {"train",
                           "--dry-run",
                           "--json",
                           "--preset",
                           "sample_small",
                           "--set",
                           "parallel.ranks=2",
                           "--set",
                           "training.accumulation=2",
                           "--place",
                           "there"};
  const ShellResult predicted = ask(dry);
  QVERIFY2(predicted.exitCode == 0, qPrintable(predicted.err));
  const Json link = predicted.json()["ranks"]["links"][0];
  QCOMPARE(link["name"].get<std::string>(), std::string("At there, as measured"));
  const double bandwidth = sums["bandwidth"].get<double>();
  QVERIFY(std::abs(link["bandwidth"].get<double>() - bandwidth) < 1e-6 * bandwidth);
}

QTEST_GUILESS_MAIN(SshEngineTest)
#include "tst_ssh_engine.moc"
