// SPDX-License-Identifier: Apache-2.0
// `fathom analyse` at several checkpoints: one engine for all that is missing.
#include <QFile>
#include <QTest>
#include <set>

#include "core/base/atomic_file.h"
#include "core/record/checkpoint_folder.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class AnalyseCheckpoints : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void listsAreComputedInOneEngine();
  void onlyWhatIsMissing();
  void figuresShowTheLast();
  void wrongWordsAreNamed();

 private:
  Json analyse(const char* checkpoints, const QStringList& more = {}, int exitCode = 0) {
    const QStringList words = {
        "analyse",      "beta_dependency", "--run",     "run",
        "--checkpoint", checkpoints,       "--project", QString::fromStdString(m_fixture.path()),
        "--json"};
    const ShellResult result = m_fixture.fathom(words + more);
    if (result.exitCode != exitCode) throw Failure(internalError((result.out + result.err).toStdString()));
    return result.json();
  }
  static std::set<int> processes(const Json& json) {
    std::set<int> all;
    for (const Json& each : json["results"]) all.insert(each["result"]["process"].get<int>());
    return all;
  }
  static std::vector<std::string> names(const Json& json) {
    std::vector<std::string> all;
    for (const Json& each : json["results"]) all.push_back(each["request"]["checkpoint"]);
    return all;
  }
  ProjectFixture m_fixture;
};

// The second attempt came to update 20 once more.
void AnalyseCheckpoints::initTestCase() {
  const ShellResult trained =
      m_fixture.fathom({"train", "--name", "run", "--set", "fake.steps=5", "--wait", "--json", "--project",
                        QString::fromStdString(m_fixture.path())});
  QCOMPARE(trained.exitCode, 0);
  const std::string path = trained.json()["run"]["path"];
  for (const auto& [attempt, step] : {std::pair{1, 10}, std::pair{1, 20}, std::pair{2, 20}}) {
    CheckpointWriter writer = CheckpointWriter::begin(path, attempt, step).value();
    writeFileAtomically(writer.folder() + "/model.safetensors", std::to_string(attempt)).value();
    writer.commit(Json::object()).value();
  }
}

void AnalyseCheckpoints::listsAreComputedInOneEngine() {
  const Json json = analyse("20,init");
  QCOMPARE(names(json), (std::vector<std::string>{"0002-00000020", "init"}));
  QCOMPARE(processes(json).size(), std::size_t{1});
}

void AnalyseCheckpoints::onlyWhatIsMissing() {
  const std::set<int> before = processes(analyse("20,init"));
  const Json json = analyse("all");
  QCOMPARE(names(json), (std::vector<std::string>{"init", "0001-00000010", "0002-00000020"}));
  const std::set<int> after = processes(json);
  QCOMPARE(after.size(), std::size_t{2});
  QVERIFY(after.contains(*before.begin()));
}

void AnalyseCheckpoints::figuresShowTheLast() {
  for (const char* words : {"init,10", "all"}) {
    const QString file = m_fixture.file("beta.svg");
    QFile::remove(file);
    analyse(words, {"--figure", file});
    QVERIFY(QFile::exists(file));
  }
}

void AnalyseCheckpoints::wrongWordsAreNamed() {
  const Json json = analyse("10,30", {}, 2);
  QVERIFY(json["error"]["message"].get<std::string>().find("'30'") != std::string::npos);
}

QTEST_GUILESS_MAIN(AnalyseCheckpoints)
#include "tst_analyse_checkpoints.moc"
