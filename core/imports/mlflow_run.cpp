// SPDX-License-Identifier: Apache-2.0
// Experiments of MLflow: the file store mlruns and SQLite databases.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/mlflow_files.h"
#include "core/imports/mlflow_rows.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kNoteTag = "mlflow.note.content";
constexpr const char* kParentTag = "mlflow.parentRunId";
constexpr const char* kNameTag = "mlflow.runName";

struct MlflowRun {
  explicit MlflowRun(const std::string& path) : points(path) {}
  MlflowFacts facts;
  ImportedPoints points;
  std::map<std::string, std::int64_t> taken;    // lines of each metric
  std::map<std::string, std::int64_t> skipped;  // of these, when they come again
  std::string store;                            // where it was found first
  std::int64_t strange = 0;
  bool changed = false;
};

class MlflowSource : public ImportSource {
 public:
  MlflowSource(const std::string& path, const Json& state) : m_path(path), m_isFolder(folderExists(path)) {
    for (const auto& [file, item] : memberObject(state, "databases").items())
      m_bases.try_emplace(ofRecord(file), ofRecord(file)).first->second.place.restore(item);
    for (const Json& item : memberList(state, "folders"))
      folderOf(ofRecord(memberText(item, "folder"))).restore(item);
    for (const auto& [id, item] : memberObject(state, "runs").items()) restoreRun(runOf(ofRecord(id)), item);
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(look(stop));
    FATHOM_CHECK(readFolders(stop, false));
    for (auto& [path, base] : m_bases) FATHOM_CHECK(readBase(base, stop, take));
    if (m_bases.size() == 1 && m_folders.empty() && m_bases.begin()->second.broken)
      return *m_bases.begin()->second.broken;
    FATHOM_CHECK(give(take, false));
    return SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    FATHOM_CHECK(readFolders(StopToken(), true));
    FATHOM_CHECK(give(take, true));
    const bool any = std::any_of(m_runs.begin(), m_runs.end(),
                                 [](const auto& run) { return !run.second->points.empty(); });
    for (const auto& [path, base] : m_bases) {
      if (any) break;
      if (base.broken) return *base.broken;
      if (base.waiting)
        return dataErrorAt(path, 0,
                           Phrase::tr("the database is half written, or another program writes to it "
                                      "all the time"),
                           Phrase::tr("try again when it is complete"));
    }
    return {};
  }

  Json state() const override {
    Json json = {{"databases", Json::object()}, {"folders", Json::array()}, {"runs", Json::object()}};
    for (const auto& [path, base] : m_bases) json["databases"][recordText(path)] = base.place.state();
    for (const auto& [path, folder] : m_folders) json["folders"].push_back(folder->state());
    for (const auto& [id, run] : m_runs)
      json["runs"][recordText(id)] = {{"facts", run->facts.state()},
                                      {"points", run->points.state()},
                                      {"taken", takenOf(*run)},
                                      {"strange", run->strange},
                                      {"store", recordText(run->store)}};
    return json;
  }

 private:
  struct Base {
    explicit Base(const std::string& path) : database(path) {}
    ForeignDatabase database;
    MlflowPlace place;
    bool waiting = false;
    std::optional<Error> broken;
  };

  static Json takenOf(const MlflowRun& run) {
    Json json = Json::object();
    for (const auto& [metric, count] : run.taken) json[recordText(metric)] = count;
    return json;
  }

  static void restoreRun(MlflowRun& run, const Json& item) {
    run.facts.restore(memberObject(item, "facts"));
    run.points.restore(memberObject(item, "points"));
    run.strange = memberInteger(item, "strange");
    run.store = ofRecord(memberText(item, "store"));
    for (const auto& [metric, count] : memberObject(item, "taken").items())
      run.taken[ofRecord(metric)] = count.get<std::int64_t>();
  }

  MlflowRun& runOf(const std::string& id) {
    auto& run = m_runs[id];
    if (run == nullptr) run = std::make_unique<MlflowRun>(m_path);
    return *run;
  }

  MlflowRunFolder& folderOf(const std::string& path) {
    auto& folder = m_folders[path];
    if (folder == nullptr) folder = std::make_unique<MlflowRunFolder>(path);
    return *folder;
  }

  Status look(const StopToken& stop) {
    if (!m_isFolder) {
      m_bases.try_emplace(m_path, m_path);
      return {};
    }
    FATHOM_TRY(const auto runs, mlflowRunsIn(m_path, stop));
    for (const std::string& run : runs) folderOf(run);
    FATHOM_TRY(const auto entries, entriesIn(m_path));
    for (const auto& entry : entries) {
      const std::string path = entry.path().string();
      if (entry.path().extension() == ".db" && !m_bases.contains(path) && isMlflowDatabase(path))
        m_bases.try_emplace(path, path);
    }
    return m_folders.empty() && m_bases.empty()
               ? Status(dataErrorAt(m_path, 0, Phrase::tr("no run of MLflow in this folder")))
               : Status();
  }

  // A store that was moved into a database may lie beside it: the run is found once.
  MlflowRun* runIn(const std::string& store, const std::string& id) {
    MlflowRun& run = runOf(id);
    if (run.store.empty()) run.store = store;
    return run.store == store ? &run : nullptr;
  }

  Status readFolders(const StopToken& stop, bool last) {
    for (auto& item : m_folders) {
      MlflowRunFolder& folder = *item.second;
      MlflowRun* run = runIn(item.first, fs::path(item.first).filename().string());
      if (run == nullptr) continue;
      FATHOM_CHECK(
          folder.read(stop, last, [&](const std::string& metric, double time, double value, double step) {
            return takePoint(*run, {{}, metric, step, time, value});
          }));
      if (folder.takeReplaced()) run->points.beginAnew();
      run->strange = folder.strange();
      takeFacts(*run, folder.facts());
    }
    return {};
  }

  static void takeFacts(MlflowRun& run, const MlflowFacts& facts) {
    if (run.facts == facts) return;
    run.facts = facts;
    run.changed = true;
  }

  // Old lines have no step: it is their place.
  static Status takePoint(MlflowRun& run, const MlflowRow& row) {
    if (auto skip = run.skipped.find(row.metric); skip != run.skipped.end() && skip->second > 0) {
      --skip->second;
      return {};
    }
    std::int64_t& taken = run.taken[row.metric];
    const double step = std::isnan(row.step) ? static_cast<double>(taken) : row.step;
    ++taken;
    run.changed = true;
    return run.points.add(row.metric, {.step = step, .time = row.time}, row.value);
  }

  Status readBase(Base& base, const StopToken& stop, const ImportSink& take) {
    if (!base.database.changed()) return {};
    while (true) {
      MlflowRows rows;
      base.broken.reset();
      const auto outcome = readMlflowRows(base.database, base.place, stop, rows);
      if (!outcome.ok() && outcome.error().kind != ErrorKind::Data) return outcome.error();
      if (!outcome.ok()) base.broken = outcome.error();
      base.waiting = outcome.ok() && *outcome == ForeignDatabase::Outcome::Waiting;
      if (!outcome.ok() || *outcome != ForeignDatabase::Outcome::Read) return {};
      const std::string& store = base.database.path();
      if (rows.anew)
        for (auto& [id, run] : m_runs)
          if (run->store == store) run->skipped = run->taken;
      for (const auto& [id, facts] : rows.runs)
        if (MlflowRun* run = runIn(store, id)) takeFacts(*run, facts);
      for (const MlflowRow& row : rows.rows)
        if (MlflowRun* run = runIn(store, row.run)) FATHOM_CHECK(takePoint(*run, row));
      if (!rows.more) return {};
      FATHOM_CHECK(give(take, false));
    }
  }

  Status give(const ImportSink& take, bool closing) {
    bool first = true;
    for (auto& [id, run] : m_runs) {
      const bool goesOn =
          run->facts.status == MlflowStatus::Running || run->facts.status == MlflowStatus::Scheduled;
      if (run->points.empty() || run->facts.deleted) continue;
      if (!std::exchange(run->changed, false) && !(closing && goesOn)) continue;
      ImportedRun piece = pieceOf(id, *run);
      if (closing && goesOn) piece.warnings.push_back(Phrase::tr("MLflow calls the run a running one"));
      for (const auto& [path, base] : m_bases)
        if (base.broken && first) piece.warnings.push_back(base.broken->phrase());
      first = false;
      FATHOM_CHECK(take(std::move(piece)));
    }
    return {};
  }

  static std::string titleOf(const std::string& id, const MlflowFacts& facts) {
    const auto tag = facts.tags.find(kNameTag);
    if (!facts.name.empty()) return plainText(facts.name);
    return tag != facts.tags.end() ? plainText(tag->second) : id;
  }

  // The parent of a sweep, otherwise the experiment.
  std::string groupOf(const MlflowFacts& facts) const {
    const auto parent = facts.tags.find(kParentTag);
    if (parent == facts.tags.end()) return plainText(facts.experiment);
    const auto run = m_runs.find(parent->second);
    return run == m_runs.end() ? plainText(parent->second) : titleOf(run->first, run->second->facts);
  }

  ImportedRun pieceOf(const std::string& id, MlflowRun& run) const {
    const MlflowFacts& facts = run.facts;
    ImportedRun piece;
    piece.format = "mlflow";
    piece.name = id;
    piece.title = titleOf(id, facts);
    ImportedOptions options;
    for (const auto& [name, text] : facts.params) options.addText(name, text);
    piece.options = options.finish(piece.warnings);
    if (const std::string group = groupOf(facts); !group.empty()) piece.notes["group"] = group;
    if (!facts.experiment.empty()) piece.notes["project"] = plainText(facts.experiment);
    Json tags = Json::array();
    for (const auto& [name, text] : facts.tags) {
      if (name == kNoteTag) piece.notes["notes"] = plainText(text);
      if (!name.starts_with("mlflow.")) tags.push_back(plainText(text.empty() ? name : name + ":" + text));
    }
    if (!tags.empty()) piece.notes["tags"] = tags;
    if (run.strange > 0) piece.warnings.push_back(Phrase::tr("%1 lines are not understood")(run.strange));
    run.points.giveTo(piece);
    piece.end = endOf(facts);
    return piece;
  }

  static std::optional<ImportedEnd> endOf(const MlflowFacts& facts) {
    switch (facts.status) {
      case MlflowStatus::Finished:
        return ImportedEnd{RunState::Finished, 0, facts.end};
      case MlflowStatus::Failed:
        return ImportedEnd{RunState::Failed, 0, facts.end};
      case MlflowStatus::Killed:
        return ImportedEnd{RunState::Killed, 0, facts.end};
      default:
        return std::nullopt;
    }
  }

  std::string m_path;
  bool m_isFolder;
  std::map<std::string, Base> m_bases;
  std::map<std::string, std::unique_ptr<MlflowRunFolder>> m_folders;
  std::map<std::string, std::unique_ptr<MlflowRun>> m_runs;  // by id
};

// Its database, or a store, an experiment or a run of the file store, or a folder with one of them.
Claim mlflowClaim(const SourceLook& look) {
  if (!look.folder) return isDatabaseHead(look.head) && isMlflowDatabase(look.path) ? Claim::Yes : Claim::No;
  const auto inside = entriesIn(look.path);
  if (!inside.ok()) return Claim::No;
  for (const auto& entry : *inside)
    if (entry.path().extension() == ".db" && isMlflowDatabase(entry.path().string())) return Claim::Yes;
  const auto runs = mlflowRunsIn(look.path, StopToken());
  if (!runs.ok()) return Claim::No;
  return std::any_of(runs->begin(), runs->end(), isMlflowRun) ? Claim::Yes : Claim::No;
}

}  // namespace

ImportEntry mlflowRunEntry() {
  return {.id = "mlflow",
          .title = "MLflow",
          .claims = mlflowClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new MlflowSource(path, options.state));
          }};
}

}  // namespace fathom
