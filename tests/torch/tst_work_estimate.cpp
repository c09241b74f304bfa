// SPDX-License-Identifier: Apache-2.0
// Probes that go on for minutes say how long, after their first piece of work and before the rest.
#include <QTest>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "core/engine/probe_progress.h"
#include "core/engine/probe_subject.h"
#include "core/probe/probe_entry.h"
#include "core/probe/work_estimate.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;
using namespace fathom::test;

class TestWorkEstimate : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void wordsAreRough();
  void tenthsAreRound();
  void inputNormsSayIt();
  void sweepsSayIt_data();
  void sweepsSayIt();
  void quickOnesSayNothing();
  void linesCarryIt();

 private:
  // What the probe says until it ends; the first word stops it. Slow: a second for each batch or net.
  std::string said(const char* analysis, const std::vector<std::string>& assignments, bool slow);
  TinyRuns m_runs;
};

void TestWorkEstimate::initTestCase() {
  QCOMPARE(m_runs.train("run", {"training.length=1u"}).code, ExitCode::Finished);
}

void TestWorkEstimate::wordsAreRough() {
  const ProbeWork work{Phrase::tr("%1 examples")(4000), 500, "examples", 4000, 400};
  QCOMPARE(workEstimate(work, 0.05), Phrase());
  QCOMPARE(workEstimate(work, 1.8).english(),
           std::string("about 15 min for 4000 examples; with the option examples=400 about 90 s"));
  QCOMPARE(workEstimate(work, 18).english(),
           std::string("about 2.5 h for 4000 examples; with the option examples=400 about 15 min"));
  // Twelve short looks are a long one.
  ProbeWork states{Phrase::tr("%1 examples")(40), 5, "examples", 40, 4};
  QCOMPARE(workEstimate(states, 3), Phrase());
  states.states = 12;
  QCOMPARE(workEstimate(states, 3).english(),
           std::string("about 3 min for 40 examples at each of 12 "
                       "checkpoints; with the option examples=4 about 20 s"));
  const ProbeWork single{Phrase::tr("%1 examples")(1), 100, "examples", 1, 1};
  QCOMPARE(workEstimate(single, 0.31).english(), std::string("about 30 s for 1 examples"));
}

void TestWorkEstimate::tenthsAreRound() {
  QCOMPARE(roundTenth(4000), std::int64_t{400});
  QCOMPARE(roundTenth(3870), std::int64_t{300});
  QCOMPARE(roundTenth(12), std::int64_t{1});
  QCOMPARE(roundTenth(1), std::int64_t{1});
}

std::string TestWorkEstimate::said(const char* analysis, const std::vector<std::string>& assignments,
                                   bool slow) {
  const ProbeEntry entry = findProbe(analysis).value();
  const OptionValues options = probeOptions(entry, assignments).value();
  StoredRun stored = openStoredRun({m_runs.path("run"), "init", {}, false, nullptr, {}}).value();
  StopToken stop;
  const ProbeData data{entry.part, chosenExamples(options), sampleSeed(options)};
  ProbeSubject subject = probeSubject(stored.parts, stored.options, data, nullptr, stop);
  if (slow && !entry.initialOnly) {
    subject.batch = [read = subject.batch, count = subject.batches](std::int64_t index) {
      QTest::qSleep(1000);  // so long that all of them take minutes
      return read(index % count);
    };
    subject.batches = 100;
  } else if (slow) {
    subject.build = [build = subject.build](const std::vector<std::string>& changes) {
      QTest::qSleep(1000);  // so long that all of them take minutes
      return build(changes);
    };
  }
  std::string words;
  subject.say = [&](const Phrase& phrase) {
    words += phrase.english() + "\n";
    stop.requestStop();
  };
  try {
    (void)entry.run(subject, options);
  } catch (const Failure& failure) {
    if (failure.error().kind != interruptedError().kind) throw;
  }
  return words;
}

void TestWorkEstimate::inputNormsSayIt() {
  const std::string words = said("input_norm", {}, true);
  QVERIFY2(words.starts_with("about ") && words.ends_with("\n"), words.c_str());
  QVERIFY2(words.find(" for 400 examples; with the option examples=40 about ") != std::string::npos,
           words.c_str());
  QCOMPARE(std::count(words.begin(), words.end(), '\n'), 1);
}

void TestWorkEstimate::sweepsSayIt_data() {
  QTest::addColumn<QString>("option");
  QTest::newRow("one net for all depths") << QStringLiteral("path=auto");
  QTest::newRow("one net for each depth") << QStringLiteral("path=one_net_per_depth");
}

void TestWorkEstimate::sweepsSayIt() {
  QFETCH(QString, option);
  const std::string words = said("output_shift", {"depths=1,2,4", "draws=300", option.toStdString()}, true);
  QVERIFY2(words.starts_with("about "), words.c_str());
  QVERIFY2(words.find(" for 300 draws of nets of up to 4 layers; with the option draws=3 about ") !=
               std::string::npos,
           words.c_str());
  QCOMPARE(std::count(words.begin(), words.end(), '\n'), 1);
}

void TestWorkEstimate::quickOnesSayNothing() {
  QCOMPARE(said("output_shift", {"depths=1,2,4", "draws=1"}, false), std::string());
}

void TestWorkEstimate::linesCarryIt() {
  std::ostringstream text;
  std::streambuf* before = std::cout.rdbuf(text.rdbuf());
  ProbeProgress shown(true);
  shown.beginPart(0, 3);
  shown.note(Phrase::tr("%1 examples")(5));
  shown.beginPart(1, 3);
  shown.note(Phrase::tr("%1 examples")(5));
  std::cout.rdbuf(before);
  QCOMPARE(parseJson(text.str()).value().at("note").get<std::string>(), std::string("5 examples"));
}

QTEST_GUILESS_MAIN(TestWorkEstimate)
#include "tst_work_estimate.moc"
