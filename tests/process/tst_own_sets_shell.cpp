// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Every task with a review: the predictions that its run stores are reviewed as they are, beside the files
// that the run read, and score as the run did; two runs are compared by what that review tests,
// with a change one pair of each kind of predictions.
#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>

#include "app/predictions/run_predictions.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/task.h"
#include "tests/all_tests.h"
#include "tests/process/support_engine_forks.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

namespace {

// The score of a run and what the review calls it.
struct SameScore {
  const char *task, *run, *review;
};
constexpr SameScore kSameScores[] = {{"glue", "accuracy", "accuracy"},
                                     {"squad", "f1", "f1"},
                                     {"reclor", "accuracy", "accuracy"},
                                     {"wikihop", "accuracy", "accuracy"},
                                     {"hotpotqa", "joint_f1", "joint_f1"},
                                     {"openkp", "f1_at_3", "f1_at_3"},
                                     {"natural_questions", "average_f1", "average_f1"},
                                     {"text_to_sql", "exact_match", "exact_match"},
                                     {"nmt", "bleu", "bleu"}};

// What a score is made of is the same in the smallest model.
void makeSmall(Json& options) {
  for (const auto& [key, value] : {std::pair{"model.width", 32},
                                   {"model.heads", 2},
                                   {"model.feed_forward", 64},
                                   {"encoder.layers", 1},
                                   {"decoder.layers", 1},
                                   {"hotpotqa.max_length", 512},
                                   {"wikihop.max_length", 512},
                                   {"batch.examples", 2},
                                   {"batch.max_tokens", 512}})
    if (options.contains(key)) options[key] = value;
}

// Two runs are compared in the way of the kind of their predictions.
bool isFirstOfItsKind(const TaskEntry& task) {
  for (const TaskEntry& other : taskEntries())
    if (other.review.kind == task.review.kind) return other.id == task.id;
  return false;
}

// The options of the quick preset of a task.
Json quickOptions(const std::string& task) {
  const QDir presets(QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets"));
  for (const QString& name : presets.entryList({"*_quick.json"})) {
    Json options = readJsonFile(presets.filePath(name).toStdString()).value()["options"];
    if (options.value("task", "nmt") == task) return options;
  }
  return {};
}

}  // namespace

class OwnSetsShellTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    m_engine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
    QVERIFY2(QFile::exists(m_engine), "fathom-engine is not built");
  }

  void everyTask_data() {
    QTest::addColumn<QString>("task");
    for (const TaskEntry& task : taskEntries())
      if (!task.review.kind.empty()) QTest::newRow(task.id.c_str()) << QString::fromStdString(task.id);
  }

  void everyTask() {
    QFETCH(const QString, task);
    const TaskEntry* entry = findTask(task.toStdString());
    train(*entry, "first", 1);
    const std::string run = m_runs.back();
    const Json scores = evaluate(run);
    // As the window opens it, and with the same sources in the shell.
    const RunFolder folder(run);
    const Json options = folder.config(folder.lastAttempt()).value()["options"];
    const auto sources = runReviewSources({"first", run, options}, m_fixture.path());
    QVERIFY2(sources.ok(), sources.ok() ? "" : sources.error().text().c_str());
    QStringList words = {"review",
                         "--kind",
                         QString::fromStdString(sources->kind),
                         "--gold",
                         QString::fromStdString(sources->gold),
                         "--predictions",
                         "own=" + QString::fromStdString(sources->predictions.front().path),
                         "--json"};
    for (const auto& [key, path] : sources->files)
      words << QString::fromStdString("--" + key) << QString::fromStdString(path);
    for (const auto& [key, value] : sources->options.items())
      words << QString::fromStdString("--" + key) << QString::fromStdString(value.get<std::string>());
    const ShellResult reviewed = m_fixture.fathom(words);
    QVERIFY2(reviewed.exitCode == 0, qPrintable(reviewed.out + reviewed.err));
    const Json model = reviewed.json()["models"][0];
    QCOMPARE(model["missing"].get<int>(), 0);
    for (const SameScore& same : kSameScores) {
      if (task != QLatin1String(same.task)) continue;
      const double ours = model["scores"][same.review], its = scores["values"][same.run];
      QVERIFY2(
          std::abs(ours - its) <= 1e-9,
          qPrintable(
              QStringLiteral("%1 in the review, %2 in the run").arg(ours, 0, 'g', 17).arg(its, 0, 'g', 17)));
    }
    if (test::allTests() || isFirstOfItsKind(*entry)) compareTwo(*entry);
  }

 private:
  void train(const TaskEntry& task, const char* name, int seed) {
    const std::string data = m_fixture.path() + "/data_" + task.id;
    Json options = quickOptions(task.id);
    QVERIFY2(!options.empty(), task.id.c_str());
    const auto sample = task.madeData.write(data, 1, MadeDataSize::Check);
    QVERIFY2(sample.ok(), sample.ok() ? "" : sample.error().text().c_str());
    options.update(sample->options);
    makeSmall(options);
    options.update({{"training.length", "2u"},
                    {"validation.interval", "2u"},
                    {"validation.score_interval", "100u"},
                    {"checkpoint.interval", "2u"},
                    {"seed", seed},
                    {"device", "cpu"},
                    {"threads", 1}});
    const QString file = m_fixture.file("config.json");
    const Json config{{"format", 1}, {"name", task.id + "_" + name}, {"options", options}};
    QVERIFY(writeFileAtomically(file.toStdString(), config.dump()).ok());
    const ShellResult trained =
        m_fixture.fathom({"train", "--project", QString::fromStdString(m_fixture.path()), "--config", file,
                          "--name", QString::fromStdString(task.id + "_" + name), "--wait", "--json"},
                         {"FATHOM_ENGINE=" + m_engine}, 240);
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.out + trained.err));
    const Json json = trained.json();
    m_runs.push_back(json["run"]["path"].get<std::string>());
  }

  Json evaluate(const std::string& run) {
    const test::Ended judged =
        m_forks.run({"evaluate", "--run", QString::fromStdString(run), "--split", "validation"});
    if (judged.code != 0) qWarning("%s", (judged.out + judged.err).constData());
    return judged.code == 0 ? judged.json() : Json();
  }

  // Another seed on the same data: tested in pairs, whatever the task.
  void compareTwo(const TaskEntry& task) {
    train(task, "second", 2);
    const ShellResult compared =
        m_fixture.fathom({"compare", "--project", QString::fromStdString(m_fixture.path()),
                          QString::fromStdString(task.id + "_first"),
                          QString::fromStdString(task.id + "_second"), "--test", "bootstrap", "--json"},
                         {"FATHOM_ENGINE=" + m_engine}, 240);
    QVERIFY2(compared.exitCode == 0, qPrintable(compared.out + compared.err));
    const Json test = compared.json()["test"];
    QCOMPARE(test["pairs"].size(), std::size_t{1});
    const double p = test["pairs"][0]["p_value"], difference = test["pairs"][0]["difference"];
    QVERIFY(p > 0 && p <= 1);
    const Json& interval = test["pairs"][0]["difference_interval"];
    QVERIFY(interval[0].get<double>() <= difference + 1e-9 && difference <= interval[1].get<double>() + 1e-9);
  }

  ProjectFixture m_fixture;
  test::EngineForks m_forks;
  QString m_engine;
  std::vector<std::string> m_runs;
};

QTEST_GUILESS_MAIN(OwnSetsShellTest)
#include "tst_own_sets_shell.moc"
