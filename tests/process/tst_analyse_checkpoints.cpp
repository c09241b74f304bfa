// SPDX-License-Identifier: Apache-2.0
// `fathom analyse` at several checkpoints: one engine for all that is missing.
#include <QFile>
#include <QTest>
#include <chrono>
#include <filesystem>
#include <set>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/base/files/atomic_file.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/runs/run_listing.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_folder.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class AnalyseCheckpoints : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void listsAreComputedInOneEngine();
  void onlyWhatIsMissing();
  void figuresShowTheLast();
  void recipesShowWhatTheyWereMadeOf();
  void recipesWithoutPinsSaySo();
  void pinsOutliveAVersion();
  void pinnedResultsThatAreGoneAreNamed();
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
  // Draws a figure or a page; returns its bytes, with the lines that were said about it in `said`.
  QByteArray drawn(const QStringList& what, QString* said = nullptr, int exitCode = 0) {
    const QString file = m_fixture.file("drawn.pdf");
    QFile::remove(file);
    const ShellResult result = m_fixture.fathom(
        QStringList{"export-figure", "--out", file, "--project", QString::fromStdString(m_fixture.path())} +
        what);
    if (said != nullptr) *said = result.err;
    if (result.exitCode != exitCode) throw Failure(internalError((result.out + result.err).toStdString()));
    QFile written(file);
    return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
  }
  std::unique_ptr<ProjectLibrary> library() { return ProjectLibrary::open(m_fixture.path()).value(); }
  RunRow run() { return listRuns(*library()).value().front(); }
  // Another result of the same checkpoint: what is computed later.
  void storeLater(double value) {
    AnalysisRequest request;
    request.analysis = "beta_dependency";
    request.checkpoint = "init";
    request.version = probeVersion(request.analysis);
    request.split = "test";
    request.options["later"] = value;
    StackDependency stack;
    stack.stack = "encoder";
    stack.residual = "pre_ln";
    stack.tokens = 10;
    stack.beta.sublayers = 2;
    stack.sublayers = {"encoder.layers.0.self_attention", "encoder.layers.0.feed_forward"};
    stack.beta.meanTokenStd = stack.beta.globalStd = {value, 1 - value, 0, value, value, 1 - value};
    stack.beta.biasShare = {0, 0};
    const std::string root = RunFolder(run().path).analysesPath();
    const std::string path = storeAnalysis(root, request, dependenciesToJson({stack})).value();
    // Later by more than a file system's clock tells.
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + m_later);
    m_later += std::chrono::seconds(10);
  }
  std::chrono::seconds m_later{10};
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

// An empty checkpoint, and options that leave open which result is meant.
void AnalyseCheckpoints::recipesShowWhatTheyWereMadeOf() {
  analyse("init");
  for (const QStringList& options :
       {QStringList{}, {"--set", "checkpoint=init"}, {"--set", "form=diagonal"}}) {
    const QString name = "pinned" + options.join("");
    const QByteArray first =
        drawn(QStringList{"--figure", "beta_dependency", "--runs", "run", "--name", name} + options);
    const FigureRecipe stored = figureRecipe(*library(), name.toStdString()).value();
    QVERIFY(stored.pins && !stored.pins->results.empty());
    const PinnedResult& pin = stored.pins->results.front();
    QVERIFY(pin.found.size() > 3 && pin.key.size() == 16 && pin.sha256.size() == 64);
    FigureComposition page;
    page.name = name.toStdString() + " page";
    page.created = "2026-01-01T00:00:00Z";
    page.panels.resize(1);
    page.panels[0].recipe = stored;
    QVERIFY(saveFigureComposition(*library(), page).ok());
    const QByteArray firstPage = drawn({"--composition", QString::fromStdString(page.name)});
    storeLater(0.25);
    storeLater(0.75);
    QString said;
    QVERIFY(drawn({"--recipe", name}, &said) == first);
    QVERIFY2(!said.contains("not pinned"), qPrintable(said));
    QVERIFY(drawn({"--composition", QString::fromStdString(page.name)}, &said) == firstPage);
    QVERIFY2(!said.contains("not pinned"), qPrintable(said));
    // Made anew it shows what is newest now, under a recipe of its own.
    const QString anew = name + " anew";
    QVERIFY(drawn(QStringList{"--figure", "beta_dependency", "--runs", "run", "--name", anew} + options) !=
            first);
    QVERIFY(figureRecipe(*library(), anew.toStdString())->pins != stored.pins);
    std::filesystem::remove_all(RunFolder(run().path).analysesPath());
    analyse("init");
  }
}

void AnalyseCheckpoints::recipesWithoutPinsSaySo() {
  analyse("init");
  FigureRecipe old;
  old.name = "old";
  old.figure = "beta_dependency";
  old.style = "acl";
  old.runs = {run().identity.uuid};
  QVERIFY(saveFigureRecipe(*library(), old).ok());
  QString said;
  const QByteArray before = drawn({"--recipe", "old"}, &said);
  QVERIFY(before.startsWith("%PDF"));
  QVERIFY2(said.contains("the figure old is not pinned"), qPrintable(said));
  storeLater(0.5);
  const QByteArray later = drawn({"--recipe", "old"});
  QVERIFY(later != before);
  // Made anew it is pinned, and still the one of that name.
  drawn({"--figure", "beta_dependency", "--runs", "run", "--style", "acl", "--name", "old"}, &said);
  QVERIFY2(!said.contains("not pinned"), qPrintable(said));
  storeLater(0.25);
  QVERIFY(drawn({"--recipe", "old"}, &said) == later);
  QVERIFY2(!said.contains("not pinned"), qPrintable(said));
  // Metrics of runs are no stored results: nothing to pin, nothing to say.
  old.name = "curve";
  old.figure = "training_curve";
  old.options = {{"metric", "nll"}};
  QVERIFY(saveFigureRecipe(*library(), old).ok());
  drawn({"--recipe", "curve"}, &said);
  QVERIFY2(!said.contains("not pinned"), qPrintable(said));
}

// A newer version of the analysis computes anew; what a figure was made of stays what it is made of.
void AnalyseCheckpoints::pinsOutliveAVersion() {
  namespace fs = std::filesystem;
  const std::string root = RunFolder(run().path).analysesPath() + "/beta_dependency/";
  fs::remove_all(root);
  const std::string made = analyse("init")["results"][0]["path"];
  // As results are since they say what they were computed from.
  Json result = parseJson(readFile(made + "/result.json").value()).value();
  result["sample"] = {{"chosen", "all"}, {"examples", 3}, {"of", 3}, {"part", "validation"}, {"seed", 1}};
  writeFileAtomically(made + "/result.json", result.dump()).value();
  const QByteArray first = drawn({"--figure", "beta_dependency", "--runs", "run", "--name", "outlived"});
  // It becomes one of the version before.
  FigureRecipe recipe = figureRecipe(*library(), "outlived").value();
  PinnedResult& pin = recipe.pins->results.front();
  AnalysisRequest request = analysisRequestFromJson(pin.request, "pin").value();
  --request.version;
  QVERIFY(request.version > 0);
  fs::rename(made, root + request.key());
  writeFileAtomically(root + request.key() + "/request.json", request.toJson().dump()).value();
  pin.key = request.key();
  pin.request = request.toJson();
  QVERIFY(saveFigureRecipe(*library(), recipe).ok());
  QVERIFY(drawn({"--recipe", "outlived"}) == first);
  // Who asks now is not given it, from the shell or by a new figure.
  drawn({"--figure", "beta_dependency", "--runs", "run", "--name", "none yet"}, nullptr, 30);
  const Json anew = analyse("init")["results"][0];
  QVERIFY(anew["path"] == made);
  QCOMPARE(anew["request"]["version"].get<int>(), request.version + 1);
  QVERIFY(!anew["result"].contains("sample"));
  QString said;
  QVERIFY(drawn({"--recipe", "outlived"}, &said) == first);
  QVERIFY2(!said.contains("not pinned"), qPrintable(said));
  fs::remove_all(root);
}

void AnalyseCheckpoints::pinnedResultsThatAreGoneAreNamed() {
  analyse("init");
  drawn({"--figure", "beta_dependency", "--runs", "run", "--name", "kept"});
  const PinnedResult pin = figureRecipe(*library(), "kept")->pins->results.front();
  const std::string folder = RunFolder(run().path).analysesPath() + "/beta_dependency/" + pin.key;
  const std::string whole = readFile(folder + "/result.json").value();
  Json changed = parseJson(whole, "result").value();
  changed["process"] = 1;
  writeFileAtomically(folder + "/result.json", changed.dump()).value();
  QString said;
  drawn({"--recipe", "kept"}, &said, 30);
  QVERIFY2(said.contains("have changed") && said.contains("--project"), qPrintable(said));
  storeLater(0.5);
  std::filesystem::remove_all(folder);
  drawn({"--recipe", "kept"}, &said, 30);
  QVERIFY2(said.contains("not there any more") && said.contains(QString::fromStdString(pin.key)),
           qPrintable(said));
  // Two figures of one name: neither is meant.
  drawn({"--figure", "beta_dependency", "--runs", "run", "--name", "kept"});
  drawn({"--recipe", "kept"}, &said, 2);
  QVERIFY2(said.contains("2 figures are named"), qPrintable(said));
}

void AnalyseCheckpoints::wrongWordsAreNamed() {
  const Json json = analyse("10,30", {}, 30);
  QVERIFY(json["error"]["message"].get<std::string>().find("'30'") != std::string::npos);
}

QTEST_GUILESS_MAIN(AnalyseCheckpoints)
#include "tst_analyse_checkpoints.moc"
