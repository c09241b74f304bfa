// SPDX-License-Identifier: Apache-2.0
// Weights that no update changes lie once beside the checkpoints of a run (docs/project_files.md §4).
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_archive.h"
#include "core/train/state/checkpoint.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_sql_runs.h"

using namespace fathom;
using namespace fathom::test;

namespace {

namespace fs = std::filesystem;
using Weights = std::map<std::string, torch::Tensor>;

std::string checkpointOf(const std::string& run, const char* name) {
  return RunFolder(run).checkpointsPath() + "/" + name;
}

std::vector<std::string> sharedFiles(const std::string& run) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(RunFolder(run).checkpointsPath()))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  return files;
}

bool ofEncoder(const std::string& name) {
  return name.starts_with("encoder.") || name.starts_with("embedding.") || name.starts_with("pooler.");
}

bool sameWeights(const Weights& a, const Weights& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.equal(other.second);
  });
}

Weights opened(const std::string& run, const std::string& checkpoint) {
  StoredRunRequest request;
  request.runPath = run;
  request.checkpoint = checkpoint;
  const auto state = openStoredRun(request).value().parts.model->parameters().state();
  return {state.begin(), state.end()};
}

// Everything in one file, as checkpoints were before there were shared ones.
void writeOldCheckpoint(const std::string& run, const CheckpointManifest& of) {
  const Weights weights = readWeights(of.path).value();
  auto writer = CheckpointWriter::begin(run, of.attempt, of.step).value();
  writeTensors(writer.folder() + "/" + kModelFile, {weights.begin(), weights.end()}).value();
  for (const CheckpointFile& file : of.files)
    if (file.name != kModelFile) fs::copy(of.path + "/" + file.name, writer.folder() + "/" + file.name);
  writer.commit(of.details).value();
}

}  // namespace

class TestFrozenWeights : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void storedOnce() {
    QCOMPARE(m_runs.train("trained").code, ExitCode::Finished);
    const RunReport report = m_runs.train("frozen", kFrozen);
    QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
    const std::string run = m_runs.path("frozen");
    const auto all = listCheckpoints(run), before = listCheckpoints(m_runs.path("trained"));
    QCOMPARE(all.size(), std::size_t{4});
    QCOMPARE(sharedFiles(run).size(), std::size_t{1});
    QVERIFY(sharedFiles(m_runs.path("trained")).empty() && before[0].shared.empty());
    const std::set<std::string> frozen = [&] {
      std::set<std::string> names;
      for (const auto& [name, tensor] : readTensors(sharedFiles(run)[0]).value()) names.insert(name);
      return names;
    }();
    QVERIFY(std::all_of(frozen.begin(), frozen.end(), ofEncoder));
    for (std::size_t i = 0; i < all.size(); ++i) {
      QCOMPARE(all[i].shared.size(), std::size_t{1});
      QVERIFY(verifyCheckpoint(all[i].path).ok());
      QCOMPARE(sharedFilePath(all[i].path, all[i].shared[0]), sharedFiles(run)[0]);
      const Weights own = readTensors(all[i].path + "/" + kModelFile).value();
      for (const auto& [name, tensor] : own) QVERIFY2(!ofEncoder(name), name.c_str());
      QCOMPARE(own.size() + frozen.size(), readWeights(before[i].path).value().size());
      // Neither weights nor moments: both files shrink by what is frozen.
      for (const auto& [name, tensor] : readTensors(all[i].path + "/optimizer.safetensors").value())
        QVERIFY2(!ofEncoder(name), name.c_str());
      QVERIFY(all[i].bytes() + 3 * all[i].shared[0].bytes < before[i].bytes() + 20'000);
    }
    QVERIFY(sameWeights(opened(run, ""), readWeights(all.back().path).value()));
  }

  void resumesFromIt() {
    const std::string run = m_runs.path("frozen");
    const auto whole = stepLosses(run, 1);
    QCOMPARE(m_runs.resume("frozen", "0001-00000004").code, ExitCode::Finished);
    const auto rest = stepLosses(run, 2);
    QCOMPARE(rest.size(), std::size_t{4});
    QVERIFY(std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
    // The same weights under the same name: there is still one file.
    QCOMPARE(sharedFiles(run).size(), std::size_t{1});
  }

  void averagesAndArchivesHoldIt() {
    const std::string run = m_runs.path("frozen");
    const AverageReport average = averageCheckpoints({run, 3, -1, false, ""}).value();
    const Weights mean = readWeights(average.path).value();
    const Weights last = readWeights(listCheckpoints(run).back().path).value();
    QCOMPARE(mean.size(), last.size());
    for (const auto& [name, tensor] : mean) QVERIFY(!ofEncoder(name) || tensor.equal(last.at(name)));
    QVERIFY(sameWeights(opened(run, average.path), mean));
    Progress progress;
    const std::string archive = m_runs.path("frozen.tar.gz"), copy = m_runs.path("copy");
    fs::create_directories(run + "/cache");
    writeFileAtomically(run + "/cache/encoder-1.safetensors", "made again when needed").value();
    exportRunArchive(run, archive, true, progress, {}).value();
    importRunArchive(archive, copy, progress, {}).value();
    QVERIFY(!fs::exists(copy + "/cache"));
    QVERIFY(sameWeights(opened(copy, "0001-00000006"), opened(run, "0001-00000006")));
    exportRunArchive(run, m_runs.path("small.tar.gz"), false, progress, {}).value();
    QVERIFY(fs::file_size(m_runs.path("small.tar.gz")) < fs::file_size(archive) / 2);
  }

  // Damage is no fault of a checkpoint: none is set aside, nothing starts from the beginning.
  void damageIsSaid() {
    const std::string run = m_runs.path("frozen"), file = sharedFiles(run)[0];
    const std::string good = readFile(file).value(), aside = m_runs.path("aside");
    const int attempts = RunFolder(run).lastAttempt();
    const auto names = listCheckpoints(run).size();
    std::string flipped = good;
    flipped[flipped.size() - 10] = static_cast<char>(flipped[flipped.size() - 10] ^ 1);
    const auto refused = [&](const char* word) {
      StoredRunRequest request;
      request.runPath = run;
      const auto stored = openStoredRun(request);
      const auto mean = averageCheckpoints({run, 2, -1, false, m_runs.path("mean")});
      const RunReport newest = m_runs.resume("frozen"), named = m_runs.resume("frozen", "0001-00000004");
      for (const std::string& text :
           {stored.ok() ? "" : stored.error().text(), mean.ok() ? "" : mean.error().text(),
            newest.error.text(), named.error.text()})
        QVERIFY2(text.find(file) != std::string::npos && text.find(word) != std::string::npos, text.c_str());
      QCOMPARE(newest.code, ExitCode::BadInput);
      QCOMPARE(RunFolder(run).lastAttempt(), attempts);
      QCOMPARE(listCheckpoints(run).size(), names);
    };
    writeFileAtomically(file, flipped).value();
    refused("its bytes were changed");
    writeFileAtomically(file, good.substr(0, good.size() / 2)).value();
    refused("bytes instead of");
    writeFileAtomically(file, good).value();
    fs::rename(file, aside);
    refused("frozen weights that the checkpoints of the run share are missing");
    fs::rename(aside, file);
    QCOMPARE(m_runs.resume("frozen", "0001-00000004").code, ExitCode::Finished);
  }

  // A file that goes while the run writes its checkpoints is written again with the next one.
  void lostFileIsWrittenAgain() {
    class Remover : public RunWatcher {
     public:
      explicit Remover(std::string run) : m_run(std::move(run)) {}
      void step(const StepReport& report) override {
        if (report.step == 3) fs::remove(sharedFiles(m_run).at(0));
      }

     private:
      std::string m_run;
    } remover(m_runs.path("lost"));
    QCOMPARE(m_runs.train("lost", kFrozen, &remover).code, ExitCode::Finished);
    for (const CheckpointManifest& manifest : listCheckpoints(m_runs.path("lost")))
      QVERIFY(verifyCheckpoint(manifest.path).ok());
  }

  void oldCheckpointsStillOpen() {
    QCOMPARE(m_runs.train("old", kFrozen).code, ExitCode::Finished);
    const std::string run = m_runs.path("old");
    const auto whole = stepLosses(run, 1);
    const Weights weights = opened(run, "0001-00000004");
    for (const CheckpointManifest& manifest : listCheckpoints(run)) writeOldCheckpoint(run, manifest);
    fs::remove(sharedFiles(run).at(0));
    const Json manifest = readJsonFile(checkpointOf(run, "0001-00000004/manifest.json")).value();
    QCOMPARE(manifest.at("format").get<int>(), 1);
    QVERIFY(sameWeights(opened(run, "0001-00000004"), weights));
    QCOMPARE(m_runs.resume("old", "0001-00000004").code, ExitCode::Finished);
    const auto rest = stepLosses(run, 2);
    QVERIFY(rest.size() == 4 && std::equal(rest.rbegin(), rest.rend(), whole.rbegin()));
    // Old and new ones are averaged alike.
    QCOMPARE(averageCheckpoints({run, 10, -1, false, ""}).value().names.size(), std::size_t{4});
  }

  // Of an encoder whose top learns, the top stays with the checkpoints and the rest is shared; it alone
  // moves.
  void partlyTrained() {
    QCOMPARE(m_runs.train("top", {"model.sql_sp.encoder=top", "model.sql_sp.trained_layers=1"}).code,
             ExitCode::Finished);
    const std::string run = m_runs.path("top");
    const Weights shared = readTensors(sharedFiles(run).at(0)).value();
    const Weights own = readTensors(checkpointOf(run, "0001-00000008/model.safetensors")).value();
    QVERIFY(shared.contains("embedding.token.weight"));
    const std::string map = ".feed_forward.input.weight";
    QVERIFY(shared.contains("encoder.layers.0" + map) && !shared.contains("encoder.layers.1" + map));
    QVERIFY(own.contains("encoder.layers.1" + map) && !own.contains("encoder.layers.0" + map));
    const Weights first = opened(run, kInitialWeights), last = opened(run, "");
    for (const auto& [name, tensor] : first) {
      const bool learns = name.starts_with("encoder.layers.1.") || !ofEncoder(name);
      if (!learns) QVERIFY2(tensor.equal(last.at(name)), name.c_str());
      if (learns && tensor.dim() > 1) QVERIFY2(!tensor.equal(last.at(name)), name.c_str());
    }
  }

  // Only what no checkpoint names goes.
  void unsharedFilesGo() {
    const std::string run = m_runs.path("frozen"), file = sharedFiles(run).at(0);
    const std::string stale = RunFolder(run).checkpointsPath() + "/frozen-0123.safetensors";
    fs::copy(file, stale);
    applyRetention(run, {100, 100, 0}).value();
    removeUnsharedFiles(run);
    QVERIFY(fs::exists(file) && !fs::exists(stale));
    applyRetention(run, {1, 0, 0}).value();
    QVERIFY(fs::exists(file));
    QVERIFY(verifyCheckpoint(listCheckpoints(run).at(0).path).ok());
  }

 private:
  const std::vector<std::string> kFrozen = {"model.sql_sp.encoder=frozen"};
  SqlRuns m_runs;
};

QTEST_GUILESS_MAIN(TestFrozenWeights)
#include "tst_frozen_weights.moc"
