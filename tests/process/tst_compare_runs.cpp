// SPDX-License-Identifier: Apache-2.0
// ctest: engine
#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/base/numbers/random_stream.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

// `fathom compare` on runs that the real engine trained: predictions are made once and kept, the paired
// bootstrap is over the same sentences, runs on other data are refused.
class CompareRunsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void bootstrapComparesTwoRuns();
  void predictionsAreMadeOnce();
  void runsOnOtherDataAreRefused();
  void damagedCheckpointIsTold();

 private:
  void writePairs(const QString& file, std::uint64_t seed) const;
  void train(const QString& name, const QString& pairs, int width, const char* length) const;
  ShellResult compare(const QStringList& runs) const {
    return m_fixture->fathom(QStringList{"compare", "--project", QString::fromStdString(m_fixture->path())} +
                                 runs + QStringList{"--test", "bootstrap", "--resamples", "200", "--json"},
                             {m_engine}, 120);
  }
  qsizetype predictionFiles(const Json& run) const {
    return QDir(QString::fromStdString(run["path"].get<std::string>()) + "/predictions")
        .entryList({"*.jsonl"}, QDir::Files)
        .size();
  }
  std::unique_ptr<ProjectFixture> m_fixture;
  QString m_engine;
};

void CompareRunsTest::initTestCase() {
  const QString engine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
  QVERIFY2(QFile::exists(engine), "fathom-engine is not built");
  m_engine = "FATHOM_ENGINE=" + engine;
  m_fixture = std::make_unique<ProjectFixture>();
  writePairs(m_fixture->file("pairs.tsv"), 11);
  writePairs(m_fixture->file("others.tsv"), 12);
  train("longer", m_fixture->file("pairs.tsv"), 32, "200u");
  train("shorter", m_fixture->file("pairs.tsv"), 16, "20u");
  train("elsewhere", m_fixture->file("others.tsv"), 16, "20u");
}

// Every word becomes another one, in the same order: learned within seconds.
void CompareRunsTest::writePairs(const QString& file, std::uint64_t seed) const {
  const char* const words[] = {"ein", "zwei", "drei", "vier", "haus", "baum", "der", "die", "rot", "blau"};
  RandomStream random(seed);
  std::ofstream out(file.toStdString());
  for (int i = 0; i < 400; ++i) {
    std::string source, target;
    for (std::uint64_t left = 4 + random.below(5); left > 0; --left) {
      const std::string word = words[random.below(std::size(words))];
      source += (source.empty() ? "" : " ") + word;
      target += (target.empty() ? "" : " ") + word + "X";
    }
    out << source << '\t' << target << '\n';
  }
}

void CompareRunsTest::train(const QString& name, const QString& pairs, int width, const char* length) const {
  const Json config = {{"format", 1},
                       {"name", name.toStdString()},
                       {"options",
                        {{"data.train", pairs.toStdString()},
                         {"data.vocabulary.kind", "words"},
                         {"data.validation_size", 40},
                         {"data.test_size", 0},
                         {"batch.max_tokens", 256},
                         {"model.width", width},
                         {"model.heads", 2},
                         {"model.feed_forward", 2 * width},
                         {"encoder.layers", 1},
                         {"decoder.layers", 1},
                         {"training.length", length},
                         {"validation.interval", length},
                         {"checkpoint.interval", "10u"},
                         {"lr_schedule", "linear"},
                         {"lr_schedule.rate", 0.005},
                         {"lr_schedule.warmup", 10},
                         {"device", "cpu"},
                         {"threads", 1}}}};
  const QString file = m_fixture->file("config.json");
  std::ofstream(file.toStdString()) << config.dump();
  const ShellResult result =
      m_fixture->fathom({"train", "--project", QString::fromStdString(m_fixture->path()), "--config", file,
                         "--name", name, "--wait", "--json"},
                        {m_engine}, 120);
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
}

void CompareRunsTest::bootstrapComparesTwoRuns() {
  const ShellResult result = compare({"longer", "shorter"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  const Json json = result.json();
  QCOMPARE(json["test"]["kind"].get<std::string>(), std::string("bootstrap"));
  QCOMPARE(json["test"]["pairs"].size(), std::size_t{1});
  const Json& pair = json["test"]["pairs"][0];
  const double first = pair["first_bleu"], second = pair["second_bleu"], difference = pair["difference"];
  QVERIFY2(first > second + 5, qPrintable(result.out));
  QVERIFY(std::abs(std::abs(first - second) - std::abs(difference)) < 1e-9);
  QVERIFY(pair["difference_interval"][0].get<double>() <= difference);
  QVERIFY(pair["difference_interval"][1].get<double>() >= difference);
  QVERIFY(pair["p_value"].get<double>() < 0.05);
  // The interval does not reach zero where the test says the runs differ.
  QVERIFY(pair["difference_interval"][0].get<double>() * pair["difference_interval"][1].get<double>() > 0);
  QVERIFY(json["diff"].dump().find("model.width") != std::string::npos);
}

void CompareRunsTest::predictionsAreMadeOnce() {
  const Json json = compare({"longer", "shorter"}).json();
  const Json again = compare({"longer", "shorter"}).json();
  QVERIFY(json["test"] == again["test"]);  // the draws are seeded
  for (const Json& run : again["runs"]) QCOMPARE(predictionFiles(run), qsizetype{1});
}

void CompareRunsTest::runsOnOtherDataAreRefused() {
  const ShellResult result = compare({"longer", "elsewhere"});
  QCOMPARE(result.exitCode, 30);
  const Json error = result.json()["error"];
  QVERIFY2(error["message"].get<std::string>().find("elsewhere") != std::string::npos,
           qPrintable(result.out));
  QVERIFY(!error["hint"].get<std::string>().empty());
}

// Predictions of other weights than the newest are not made in silence.
void CompareRunsTest::damagedCheckpointIsTold() {
  const Json runs = compare({"longer", "shorter"}).json()["runs"];
  const QString shorter = QString::fromStdString(runs[1]["path"].get<std::string>());
  QFile file(shorter + "/checkpoints/0001-00000020/model.safetensors");
  QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 5) && file.write("?") == 1);
  file.close();
  QVERIFY(QDir(shorter + "/predictions").removeRecursively());
  const ShellResult result = compare({"longer", "shorter"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
  QVERIFY2(result.err.contains("0001-00000020 is damaged"), qPrintable(result.err));
}

QTEST_GUILESS_MAIN(CompareRunsTest)
#include "tst_compare_runs.moc"
