// SPDX-License-Identifier: Apache-2.0
// One engine probes several checkpoints: the results of as many engines, with the data prepared once.
#include <QDir>
#include <QTest>
#include <csignal>
#include <iostream>
#include <map>
#include <sstream>

#include "core/analysis/analysis_entry.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_subject.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

// What a verb prints while this lives; a program that stops us at the first result, if it shall.
class Reader : public std::stringbuf {
 public:
  explicit Reader(bool stopsAtFirst = false) : m_stops(stopsAtFirst), m_before(std::cout.rdbuf(this)) {}
  ~Reader() override { std::cout.rdbuf(m_before); }
  std::vector<Json> lines(const char* member) const {
    std::vector<Json> found;
    std::istringstream all(str());
    for (std::string line; std::getline(all, line);)
      if (const auto json = parseJson(line); json.ok() && json->contains(member)) found.push_back(*json);
    return found;
  }

 protected:
  int sync() override {
    if (m_stops && !lines("result").empty()) {
      m_stops = false;
      std::raise(SIGTERM);
      QTest::qSleep(200);  // a thread takes it
    }
    return 0;
  }

 private:
  bool m_stops;
  std::streambuf* m_before;
};

ProbeVerb verbOf(const std::string& run, const std::string& analysis, const std::string& checkpoint,
                 const QTemporaryDir& out) {
  ProbeVerb verb;
  verb.run = run;
  verb.analysis = analysis;
  verb.checkpoint = checkpoint;
  if (probeTakesExamples(analysis)) verb.assignments = {"examples=12"};
  verb.out = out.path().toStdString();
  verb.progressLines = true;
  return verb;
}

// Text of the results by the name of their folder.
std::map<std::string, std::string> stored(const QTemporaryDir& out, const std::string& analysis) {
  std::map<std::string, std::string> results;
  for (const StoredAnalysis& each : listAnalyses(out.path().toStdString(), analysis))
    results[each.request.key()] = each.result.dump();
  return results;
}

// How often a phase of the progress began.
int begun(const std::vector<Json>& lines, const std::string& phase) {
  int times = 0;
  for (const Json& line : lines) times += line["phase"] == phase && line["done"] == 0.0 ? 1 : 0;
  return times;
}

}  // namespace

class TestProbeCheckpoints : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void wordsNameCheckpoints();
  void resultsAreThoseOfSingleProbes_data();
  void resultsAreThoseOfSingleProbes();
  void dataArePreparedOnce();
  void progressIsThatOfAll();
  void whatIsDoneStays();
  void untrainedNetsAreProbedOnce();
  void entropyAndDivergenceAreOnePass();
  void partIsTheAnalysisOwn();

 private:
  std::string run() const { return m_runs.path("run"); }
  TinyRuns m_runs;
};

// Checkpoints of the updates 5, 10, 15 and 20.
void TestProbeCheckpoints::initTestCase() {
  QCOMPARE(m_runs.train("run", {"encoder.layers=2"}).code, ExitCode::Finished);
  QCOMPARE(listCheckpoints(run()).size(), std::size_t{4});
}

void TestProbeCheckpoints::wordsNameCheckpoints() {
  using Words = std::vector<std::string>;
  QCOMPARE(checkpointWords(run(), kAllCheckpoints),
           (Words{"init", "0001-00000005", "0001-00000010", "0001-00000015", "0001-00000020"}));
  QCOMPARE(checkpointWords(run(), "10,,init,10"), (Words{"10", "init"}));
  QCOMPARE(checkpointWords(run(), ""), Words{""});
  QCOMPARE(checkpointWords(run(), ","), Words{","});
  const QTemporaryDir folder(QDir::tempPath() + QStringLiteral("/a,b-XXXXXX"));
  QCOMPARE(checkpointWords(run(), folder.path().toStdString()), Words{folder.path().toStdString()});
}

void TestProbeCheckpoints::resultsAreThoseOfSingleProbes_data() {
  QTest::addColumn<QString>("analysis");
  for (const char* id : {"attention_entropy", "attention_maps", "beta_dependency", "gradient_norm"})
    QTest::newRow(id) << QString::fromLatin1(id);
}

void TestProbeCheckpoints::resultsAreThoseOfSingleProbes() {
  QFETCH(QString, analysis);
  const std::string id = analysis.toStdString();
  const QTemporaryDir single, together;
  const Reader reader;
  for (const char* checkpoint : {"init", "5", "10", "15", ""})
    probeVerb(verbOf(run(), id, checkpoint, single));
  probeVerb(verbOf(run(), id, "all", together));
  QCOMPARE(stored(together, id).size(), std::size_t{5});
  QCOMPARE(stored(together, id), stored(single, id));
  QCOMPARE(reader.lines("result").size(), std::size_t{10});
}

// µ is a matter of the training data; what the model makes of text, of text it has not seen.
void TestProbeCheckpoints::partIsTheAnalysisOwn() {
  const QTemporaryDir out;
  const auto partOf = [&](const char* analysis, const std::string& asked) {
    const Reader reader;
    ProbeVerb verb = verbOf(run(), analysis, "init", out);
    verb.split = asked;
    probeVerb(verb);
    return reader.lines("result").front().at("request").at("split").get<std::string>();
  };
  QCOMPARE(partOf("input_norm", ""), std::string("train"));
  QCOMPARE(partOf("input_norm", "test"), std::string("test"));
  QCOMPARE(partOf("attention_entropy", ""), std::string("validation"));
}

void TestProbeCheckpoints::dataArePreparedOnce() {
  const QTemporaryDir single, together;
  std::vector<std::vector<Json>> printed;
  for (const auto& [words, out] : {std::pair{"15", &single}, std::pair{"5,init,15", &together}}) {
    const Reader reader;
    probeVerb(verbOf(run(), "gradient_norm", words, *out));
    printed.push_back(reader.lines("phase"));
  }
  for (const char* phase : {"cutting validation pairs into tokens", "cutting train pairs into tokens"}) {
    QCOMPARE(begun(printed[0], phase), 1);
    QCOMPARE(begun(printed[1], phase), 1);
  }
}

void TestProbeCheckpoints::progressIsThatOfAll() {
  const QTemporaryDir out;
  const Reader reader;
  probeVerb(verbOf(run(), "attention_entropy", "5,10,15", out));
  double before = 0;
  bool remaining = false;
  for (const Json& line : reader.lines("phase")) {
    if (line["unit"] != "checkpoints") continue;
    QCOMPARE(line["total"].get<double>(), 3.0);
    QVERIFY(line["done"].get<double>() >= before);
    before = line["done"].get<double>();
    remaining = remaining || line["remaining"].is_number();
  }
  QCOMPARE(before, 3.0);
  QVERIFY(remaining);
}

void TestProbeCheckpoints::whatIsDoneStays() {
  const QTemporaryDir out;
  const Reader reader(true);
  std::string words;
  try {
    probeVerb(verbOf(run(), "attention_entropy", "all", out));
  } catch (const Failure& failure) {
    words = failure.error().text();
  }
  QVERIFY2(words.find("stopped") != std::string::npos, words.c_str());
  QCOMPARE(stored(out, "attention_entropy").size(), std::size_t{1});
  // The next time only the others are computed.
  const Reader again;
  probeVerb(verbOf(run(), "attention_entropy", "init,5", out));
  QCOMPARE(stored(out, "attention_entropy").size(), std::size_t{2});
}

void TestProbeCheckpoints::untrainedNetsAreProbedOnce() {
  const QTemporaryDir out;
  const Reader reader;
  ProbeVerb verb = verbOf(run(), "output_shift", "all", out);
  verb.assignments = {"depths=1,2,3", "draws=1"};
  probeVerb(verb);
  QCOMPARE(reader.lines("result").size(), std::size_t{1});
}

// Whichever is asked for first; the other is found, and is what it would be alone.
void TestProbeCheckpoints::entropyAndDivergenceAreOnePass() {
  for (const auto& [first, second] :
       {std::pair{"attention_entropy", "attention_jsd"}, std::pair{"attention_jsd", "attention_entropy"}}) {
    const QTemporaryDir out;
    const Reader reader;
    for (const char* analysis : {first, second}) probeVerb(verbOf(run(), analysis, "10", out));
    QCOMPARE(begun(reader.lines("phase"), "watching attention"), 1);
    QCOMPARE(reader.lines("result").size(), std::size_t{2});
    StoredRun opened = openStoredRun({run(), "10", {}, false, nullptr, {}}).value();
    const ProbeEntry entry = findProbe(second).value();
    const OptionValues options = probeOptions(entry, {"examples=12"}).value();
    const ProbeSubject subject = probeSubject(opened.parts, opened.options, {"validation", 12}, nullptr, {});
    const Json single = withSample(entry.run(subject, options).value(), subject);
    int found = 0;
    for (const StoredAnalysis& each : listAnalyses(out.path().toStdString(), second))
      found += each.result == single ? 1 : 0;
    QCOMPARE(found, 1);
  }
}

QTEST_GUILESS_MAIN(TestProbeCheckpoints)
#include "tst_probe_checkpoints.moc"
