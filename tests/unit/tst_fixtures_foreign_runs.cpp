// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// Files that the real packages wrote: every point, option, name and state, once as an import and once
// followed while the source is written piece by piece, with the follower started again in between.
#include <fnmatch.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "core/base/json/json_members.h"
#include "core/imports/imported_options.h"
#include "core/imports/preview/source_preview.h"
#include "core/imports/run_import.h"
#include "core/imports/source_follower.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kAreas = {
    "foreign_runs_tensorboard", "foreign_runs_wandb",   "foreign_runs_hf",    "foreign_runs_fairseq",
    "foreign_runs_lightning",   "foreign_runs_trackio", "foreign_runs_mlflow"};

struct Source {
  std::string path;                // to import
  std::vector<std::string> files;  // below the case's folder
};

double realOf(const Json& value) {
  return realFromJson(value).value();
}

bool sameReal(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// What differs between a run and what is expected of it, "" = nothing.
std::string difference(const std::string& runPath, const Json& expected, const std::string& source,
                       bool times) {
  const auto all = readRunScalars(runPath).value();
  std::map<std::string, const ScalarSeries*> curves;
  for (const ScalarSeries& series : all) curves[series.metric] = &series;
  double start = HUGE_VAL;
  Json metrics = memberObject(expected, "metrics");
  // Curves of add_scalars are metrics of the run around them; final values of add_hparams, too.
  const Json around = memberObject(expected, "add_scalars");
  for (const auto& [main, parts] : around.items())
    for (const auto& [key, points] : parts.items()) metrics[main + "/" + key] = points;
  for (const auto& [name, points] : metrics.items())
    if (points.contains("time"))
      for (const Json& time : points.at("time")) start = std::min(start, realOf(time));
  for (const auto& [name, points] : metrics.items()) {
    const auto curve = curves.find(name);
    if (curve == curves.end()) return name + " is missing";
    const ScalarSeries& series = *curve->second;
    if (series.value.size() != points.at("step").size())
      return name + ": " + std::to_string(series.value.size()) + " points instead of " +
             std::to_string(points.at("step").size());
    for (std::size_t i = 0; i < series.value.size(); ++i) {
      const std::string at = name + " at point " + std::to_string(i);
      if (series.step[i] != realOf(points.at("step")[i]))
        return at + ": step " + std::to_string(series.step[i]);
      if (!sameReal(series.value[i], realOf(points.at("value")[i])))
        return at + ": value " + jsonNumber(series.value[i]);
      if (times && points.contains("time") &&
          std::abs(series.time[i] + start - realOf(points.at("time")[i])) > 1e-5)
        return at + ": time " + jsonNumber(series.time[i]);
      if (points.contains("time") && realOf(points.at("time")[i]) > kFirstDate &&
          std::abs(series.clock[i] - realOf(points.at("time")[i])) > 1e-5)
        return at + ": date " + jsonNumber(series.clock[i]);
      if (points.contains("epoch") && !sameReal(series.epoch[i], realOf(points.at("epoch")[i])))
        return at + ": epoch " + jsonNumber(series.epoch[i]);
    }
  }
  // The final value that a writer put into its folder of hyperparameters is a metric, too.
  const std::size_t final = expected.contains("hparams_folder") ? 1 : 0;
  if (curves.size() != metrics.size() + final) return std::to_string(curves.size()) + " metrics";
  std::map<std::string, std::size_t> dropped;
  const DroppedScalars gone = readDroppedScalars(runPath).value();
  for (const ScalarSeries& tail : gone.tails) dropped[tail.metric] += tail.value.size();
  for (const auto& [name, points] : memberObject(expected, "superseded").items())
    if (dropped[name] < points.at("step").size()) return name + ": what was superseded is gone";
  const RunFolder run(runPath);
  if (source != "hf_trainer") {
    ImportedOptions options;
    Json config = memberObject(expected, "config");
    // torch writes truth values as numbers.
    for (auto& [key, value] : config.items())
      if (source == "tensorboard" && value.is_boolean()) value = value.get<bool>() ? 1 : 0;
    // MLflow writes every value as a text.
    for (const auto& [key, value] : config.items())
      if (source == "mlflow") options.addText(key, value.get<std::string>());
    if (source != "mlflow") options.add("", config);
    std::vector<Phrase> ignored;
    const Json wanted = options.finish(ignored),
               got = readRunConfig(run.configPath(run.lastAttempt())).value().options;
    if (wanted != got) return "options " + got.dump() + " instead of " + wanted.dump();
  }
  const RunIdentity identity = run.identity().value();
  for (const auto& [pattern, axis] : memberObject(expected, "step_metric").items())
    for (const auto& [name, points] : metrics.items()) {
      if (::fnmatch(pattern.c_str(), name.c_str(), 0) != 0 || axis == name) continue;
      const Metric* declared = findMetric(identity.metrics, name);
      if (declared == nullptr || axis != declared->stepMetric) return name + ": not over " + axis.dump();
    }
  for (const char* key : {"group", "job_type", "notes"}) {
    const std::string wanted = memberText(expected, key);
    if (!wanted.empty() && memberText(identity.provenance, key) != wanted) return key;
  }
  Json tags = expected.value("tags", Json::array());
  if (tags.is_object()) {  // MLflow's have a name and a text
    Json pairs = Json::array();
    for (const auto& [name, text] : tags.items()) pairs.push_back(name + ":" + text.get<std::string>());
    tags = pairs;
  }
  if (!tags.empty() && memberList(identity.provenance, "tags") != tags) return "tags";
  const std::string experiment = memberText(expected, "experiment");
  const std::string project = experiment.empty() ? memberText(expected, "project") : experiment;
  if (!project.empty() && memberText(identity.provenance, "project") != project) return "project";
  if ((source == "wandb" || source == "trackio" || source == "mlflow") &&
      identity.name != memberText(expected, "name"))
    return "name " + identity.name;
  return {};
}

std::string stateOf(const std::string& runPath) {
  return runStateName(RunFolder(runPath).state());
}

}  // namespace

class FixturesForeignRunsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void imported_data() { listCases(); }
  void imported();
  void followed_data() { listCases(); }
  void followed();

 private:
  void listCases() const {
    QTest::addColumn<QString>("file");
    for (const std::string& area : kAreas)
      for (const fixtures::Case& one : fixtures::cases(area))
        QTest::newRow(one.name.c_str())
            << QString::fromStdString(one.file(".json").empty() ? "" : caseFile(one));
    // One folder of two may have none of them: a skip before the first function would end both.
    if (!fixtures::absence(kAreas).empty()) QTest::newRow("none") << QString();
  }
  // The JSON beside the folder, not one inside of it.
  static std::string caseFile(const fixtures::Case& one) {
    std::string shortest;
    for (const std::string& file : one.files)
      if (file.ends_with(".json") && (shortest.empty() || file.size() < shortest.size())) shortest = file;
    return shortest;
  }
  static std::string folderOf(const std::string& file) { return file.substr(0, file.size() - 5); }
  // A fairseq log is a source of its own, everything else is the folder.
  static std::vector<std::string> sourcesIn(const std::string& folder, const std::string& kind) {
    if (kind != "fairseq") return {folder};
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
  }
  static void compare(const Json& expected, const std::string& runs, const std::string& kind, bool imported);
};

void FixturesForeignRunsTest::compare(const Json& expected, const std::string& runs, const std::string& kind,
                                      bool imported) {
  std::map<std::string, std::string> paths;  // by what the source calls them
  for (const auto& entry : fs::directory_iterator(runs)) {
    const RunFolder run(entry.path().string());
    if (!run.exists()) continue;
    const RunIdentity identity = run.identity().value();
    const std::string key = kind == "fairseq" ? memberText(identity.provenance, "imported_from")
                                              : memberText(identity.provenance, "run");
    QVERIFY2(paths.emplace(key, run.path()).second, key.c_str());
  }
  std::size_t found = 0;
  for (const Json& run : memberList(expected, "runs")) {
    const std::string name = memberText(run, "source_run");
    if (memberObject(run, "metrics").empty()) continue;  // a run without points, or none
    ++found;
    QVERIFY2(paths.contains(name), name.c_str());
    const std::string path = paths.at(name);
    const bool oneAttempt = RunFolder(path).attempts().size() == 1;
    const std::string differs = difference(path, run, kind, imported && oneAttempt);
    QVERIFY2(differs.empty(), (name + ": " + differs).c_str());
    const std::string status = memberText(run, "status");
    if (imported || status == "finished" || status == "failed")
      QCOMPARE(stateOf(path), status == "unknown" || status == "running" ? std::string("ended") : status);
  }
  QCOMPARE(paths.size(), found);
}

void FixturesForeignRunsTest::imported() {
  QFETCH(QString, file);
  if (file.isEmpty()) QSKIP(fixtures::absence(kAreas).c_str());
  const Json expected = fixtures::readJson(file.toStdString());
  const std::string kind = memberText(expected, "source");
  QTemporaryDir dir;
  const std::string runs = dir.path().toStdString() + "/runs";
  for (const std::string& source : sourcesIn(folderOf(file.toStdString()), kind)) {
    Progress progress;
    const auto seen = previewSource(source, {}, StopToken(), 60);
    const auto report = importRuns(source, runs, {}, progress, StopToken());
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
    // A look at it beforehand tells the same.
    QVERIFY(seen.ok() && !seen->fault && seen->whole);
    QCOMPARE(seen->format, report->format);
    QCOMPARE(seen->runs.size(), report->runs.size());
    for (std::size_t i = 0; i < seen->runs.size(); ++i) {
      QCOMPARE(seen->runs[i].name, report->runs[i].name);
      QCOMPARE(seen->runs[i].options, std::int64_t(report->runs[i].options.size()));
      QVERIFY(seen->runs[i].metrics >= std::int64_t(report->runs[i].metrics.size()));
    }
  }
  compare(expected, runs, kind, true);
}

void FixturesForeignRunsTest::followed() {
  QFETCH(QString, file);
  if (file.isEmpty()) QSKIP(fixtures::absence(kAreas).c_str());
  const Json expected = fixtures::readJson(file.toStdString());
  const std::string kind = memberText(expected, "source"), from = folderOf(file.toStdString());
  const char* given = std::getenv("SEED");
  const unsigned seed = given != nullptr ? static_cast<unsigned>(std::atoi(given)) : 17;
  std::mt19937 random(seed);
  qInfo("seed %u", seed);
  QTemporaryDir dir;
  const std::string base = dir.path().toStdString();
  const std::string copy = base + "/" + fs::path(from).filename().string(), runs = base + "/runs";
  fs::create_directories(copy);
  fs::create_directories(runs);
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(from))
    if (entry.is_regular_file()) files.push_back(entry.path());
  // In the order in which they were begun: the names say it.
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return a.filename() != b.filename() ? a.filename() < b.filename() : a < b;
  });
  std::map<std::string, std::unique_ptr<SourceFollower>> followers;
  const auto poll = [&](const std::string& source) {
    auto& follower = followers[source];
    if (follower == nullptr || random() % 3 == 0) {
      follower.reset();
      auto opened = SourceFollower::open({source, runs, followRecord(base, source), {}});
      // Before anything is there nobody knows what it is.
      if (!opened.ok()) return opened.error().kind == ErrorKind::Data;
      follower = std::move(opened).value();
    }
    const auto grown = follower->poll(StopToken());
    // A beginning of a source is none yet; once something came of it, nothing is an error.
    const bool early = !grown.ok() && grown.error().kind == ErrorKind::Data && follower->runPaths().empty();
    if (!grown.ok() && !early) qWarning("%s", grown.error().text().c_str());
    return grown.ok() || early;
  };
  for (const fs::path& path : files) {
    const fs::path relative = path.lexically_relative(from), to = fs::path(copy) / relative;
    const std::string source = kind == "fairseq" ? to.string() : copy;
    fs::create_directories(to.parent_path());
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    std::ofstream out(to, std::ios::binary);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t count =
          std::min<std::size_t>(bytes.size() - at, 1 + random() % (bytes.size() / 6 + 2));
      out.write(bytes.data() + at, static_cast<std::streamsize>(count));
      out.flush();
      at += count;
      QVERIFY(poll(source));
    }
  }
  followers.clear();
  compare(expected, runs, kind, false);
}

QTEST_APPLESS_MAIN(FixturesForeignRunsTest)
#include "tst_fixtures_foreign_runs.moc"
