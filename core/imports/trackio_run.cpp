// SPDX-License-Identifier: Apache-2.0
// Projects of trackio: their databases, and the inbox that it writes on network file systems.
#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/imports/formats/python_json.h"
#include "core/imports/grown_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/imported_texts.h"
#include "core/imports/record_text.h"
#include "core/imports/trackio_rows.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestRecord = std::size_t{8} << 20, kMostTrackioRuns = 10'000;
constexpr JsonLimits kTrackioJson{32, kLongestRecord, true};
constexpr int kDeepestValue = 16;

struct TrackioRun {
  TrackioRun(TrackioOwner whose, std::string project, const std::string& path)
      : owner(std::move(whose)), project(std::move(project)), points(path) {}
  TrackioOwner owner;
  std::string project, name;  // `name` tells it from all others of the source
  ImportedPoints points;
  Json config = Json::object();
  std::int64_t others = 0, strange = 0;
  std::map<std::string, std::int64_t> unread;  // rows by table
  ImportedTexts texts;                         // alerts and histograms, too
  std::vector<ImportedLoad> loads;             // not given yet
  ImportedLoads given;
  bool changed = false;
};

// What one call logged, by name, joined with '.'.
struct TrackioValues {
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, const Json*>> objects;  // texts, and objects of trackio's own

  void take(const Json& value, const std::string& name, int depth = 0) {
    if (value.is_null()) return;
    if (value.is_object() && !value.contains("_type") && depth < kDeepestValue) {
      for (const auto& [key, member] : value.items())
        take(member, name.empty() ? key : name + "." + key, depth + 1);
      return;
    }
    if (const auto number = jsonReading(value))
      numbers.emplace_back(name, *number);
    else
      objects.push_back({name, &value});
  }
};

// Texts and histograms are kept, tables and images counted.
void keepOther(const std::string& name, const Json& value, double step, double time, TrackioRun& run) {
  ImportedText text{.tag = name, .step = step, .time = time};
  if (value.is_string())
    text.text = value.get<std::string>();
  else if (memberText(value, "_type") == "trackio.histogram")
    text.histogram = histogramOfLists(memberList(value, "values"), memberList(value, "bins"));
  if (value.is_string() || !text.histogram.is_null())
    run.texts.keep(std::move(text));
  else
    ++run.others;
}

class TrackioSource : public ImportSource {
 public:
  TrackioSource(const std::string& path, const Json& state) : m_path(path), m_folder(folderExists(path)) {
    for (const auto& [file, item] : memberObject(state, "databases").items())
      databaseOf(ofRecord(file)).place.restore(item);
    for (const auto& [file, item] : memberObject(state, "inbox").items())
      inboxOf(ofRecord(file)).restore(item);
    for (const Json& id : memberList(state, "logs")) m_logs.insert(id.get<std::string>());
    for (const Json& item : memberList(state, "runs")) restoreRun(item);
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(look(stop));
    for (auto& [path, file] : m_inbox) FATHOM_CHECK(readInbox(*file, stop, false));
    for (auto& [path, database] : m_databases) FATHOM_CHECK(readDatabase(database, stop, take));
    // One that is none does not take the others along.
    if (m_databases.size() == 1 && m_inbox.empty() && m_databases.begin()->second.broken)
      return *m_databases.begin()->second.broken;
    FATHOM_CHECK(give(take));
    return SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    for (auto& [path, file] : m_inbox) FATHOM_CHECK(readInbox(*file, StopToken(), true));
    FATHOM_CHECK(give(take));
    const bool any =
        std::any_of(m_runs.begin(), m_runs.end(), [](const auto& run) { return !run.points.empty(); });
    if (any) return {};
    for (const auto& [path, database] : m_databases) {
      if (database.broken) return *database.broken;
      if (database.waiting)
        return dataErrorAt(path, 0,
                           Phrase::tr("the database is half written, or another program writes to it "
                                      "all the time"),
                           Phrase::tr("try again when it is complete"));
    }
    return {};
  }

  Json state() const override {
    Json json = {
        {"databases", Json::object()}, {"inbox", Json::object()}, {"logs", m_logs}, {"runs", Json::array()}};
    for (const auto& [path, database] : m_databases)
      json["databases"][recordText(path)] = database.place.state();
    for (const auto& [path, file] : m_inbox) json["inbox"][recordText(path)] = file->state();
    for (const TrackioRun& run : m_runs) json["runs"].push_back(stateOf(run));
    return json;
  }

 private:
  struct Base {
    explicit Base(const std::string& path) : database(path) {}
    ForeignDatabase database;
    TrackioPlace place;
    std::int64_t version = 0;
    bool waiting = false;
    std::optional<Error> broken;
  };

  Base& databaseOf(const std::string& path) { return m_databases.try_emplace(path, path).first->second; }
  GrownFile& inboxOf(const std::string& path) {
    auto& file = m_inbox[path];
    if (file == nullptr) file = std::make_unique<GrownFile>(path);
    return *file;
  }

  static Json stateOf(const TrackioRun& run) {
    return {{"id", recordText(run.owner.id)},
            {"title", recordText(run.owner.name)},
            {"project", recordText(run.project)},
            {"name", recordText(run.name)},
            {"config", run.config},
            {"others", run.others},
            {"strange", run.strange},
            {"points", run.points.state()},
            {"loads", run.given.state()},
            {"texts", run.texts.state()}};
  }

  void restoreRun(const Json& item) {
    TrackioRun& run = m_runs.emplace_back(
        TrackioOwner{ofRecord(memberText(item, "id")), ofRecord(memberText(item, "title"))},
        ofRecord(memberText(item, "project")), m_path);
    run.name = ofRecord(memberText(item, "name"));
    run.config = memberObject(item, "config");
    run.others = memberInteger(item, "others");
    run.strange = memberInteger(item, "strange");
    run.points.restore(memberObject(item, "points"));
    run.given.restore(memberObject(item, "loads"));
    run.texts.restore(memberObject(item, "texts"));
    note(run);
  }

  // Ids are looked for in all spellings of a project: the name of a database lacks some of its letters.
  static std::array<std::string, 3> keyOf(const TrackioOwner& owner, const std::string& project) {
    if (owner.id.empty()) return {project, "", owner.name};
    std::string letters;
    for (const char c : project)
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += c;
    return {letters, owner.id, ""};
  }

  void note(TrackioRun& run) {
    m_names.insert(run.name);
    m_byOwner[keyOf(run.owner, run.project)] = &run;
  }

  // Runs are told apart by their ids; one that was read before there were ids gets its own.
  TrackioRun* runOf(const TrackioOwner& owner, const std::string& project) {
    if (const auto known = m_byOwner.find(keyOf(owner, project)); known != m_byOwner.end()) {
      known->second->project = project;
      return known->second;
    }
    const auto byName = m_byOwner.find({project, "", owner.name});
    if (byName != m_byOwner.end()) {
      TrackioRun& run = *byName->second;
      m_byOwner.erase(byName);
      run.owner.id = owner.id;
      note(run);
      return &run;
    }
    if (m_runs.size() >= kMostTrackioRuns) return nullptr;
    TrackioRun& run = m_runs.emplace_back(owner, project, m_path);
    run.name = owner.name;
    if (m_names.contains(run.name)) run.name = project + "/" + owner.name;
    constexpr std::size_t kShortId = 8;
    if (m_names.contains(run.name)) run.name += " " + owner.id.substr(0, kShortId);
    while (m_names.contains(run.name)) run.name += "'";
    note(run);
    return &run;
  }

  Status look(const StopToken& stop) {
    if (!m_folder) {
      databaseOf(m_path);
      return {};
    }
    FATHOM_TRY(const auto entries, entriesIn(m_path));
    for (const auto& entry : entries)
      if (entry.path().extension() == ".db") databaseOf(entry.path().string());
    const std::string inbox = fs::path(m_path).filename() == "inbox" ? m_path : m_path + "/inbox";
    if (folderExists(inbox)) {
      FATHOM_TRY(const auto writers, entriesIn(inbox));
      for (const auto& writer : writers) {
        if (stop.stopRequested()) return interruptedError();
        if (!folderExists(writer.path().string())) continue;
        FATHOM_TRY(const auto files, entriesIn(writer.path().string()));
        for (const auto& file : files)
          if (file.path().extension() == ".jsonl") inboxOf(file.path().string());
      }
    }
    return m_databases.empty() && m_inbox.empty()
               ? Status(dataErrorAt(m_path, 0, Phrase::tr("no database of trackio in this folder")))
               : Status();
  }

  // Lines that are moved into a database are deleted here.
  Status readInbox(GrownFile& file, const StopToken& stop, bool last) {
    const GrownFile::Change change = file.look();
    if (change == GrownFile::Change::Gone || (change == GrownFile::Change::Same && !last)) return {};
    if (change == GrownFile::Change::Replaced) file.startOver();
    return file.lines(stop, last, kLongestRecord, [this](std::string_view line) { return takeRecord(line); });
  }

  Status takeRecord(std::string_view line) {
    const auto record = parsePythonJson(line, {}, kTrackioJson);
    if (!record.ok() || !record->is_object()) {
      ++m_strange;
      return {};
    }
    const std::string log = memberText(*record, "log_id");
    if (memberText(*record, "kind") != "metric" || (!log.empty() && !m_logs.insert(log).second)) return {};
    TrackioRun* run =
        runOf({memberText(*record, "run_id"), memberText(*record, "run")}, memberText(*record, "project"));
    if (run == nullptr) return {};
    takeConfig(*run, memberObject(*record, "config"));
    return takeMetrics(*run, memberReal(*record, "step", 0), isoSeconds(memberText(*record, "timestamp")),
                       memberObject(*record, "metrics"));
  }

  static void takeConfig(TrackioRun& run, const Json& config) {
    if (config.empty() || run.config == config) return;
    run.config = config;
    run.changed = true;
  }

  static Status takeMetrics(TrackioRun& run, double step, double time, const Json& metrics) {
    TrackioValues values;
    values.take(metrics, "");
    run.changed = true;
    for (const auto& [name, value] : values.objects) keepOther(name, *value, step, time, run);
    for (const auto& [name, value] : values.numbers)
      FATHOM_CHECK(run.points.add(name, {.step = step, .time = time}, value));
    return {};
  }

  // Names of trackio, with what it is of: its values have their own units.
  static void takeLoad(TrackioRun& run, const TrackioLoad& row) {
    const auto metrics = parsePythonJson(row.metrics, {}, kTrackioJson);
    if (!metrics.ok() || !metrics->is_object()) {
      ++run.strange;
      return;
    }
    TrackioValues values;
    values.take(*metrics, "trackio");
    run.others += static_cast<std::int64_t>(values.objects.size());
    if (values.numbers.empty()) return;
    run.loads.push_back({row.time, std::move(values.numbers)});
    run.changed = true;
  }

  Status readDatabase(Base& base, const StopToken& stop, const ImportSink& take) {
    if (!base.database.changed()) return {};
    while (true) {
      TrackioRows rows;
      base.broken.reset();
      const auto outcome = readTrackioRows(base.database, base.place, stop, rows);
      if (!outcome.ok() && outcome.error().kind != ErrorKind::Data) return outcome.error();
      if (!outcome.ok()) base.broken = outcome.error();
      base.waiting = outcome.ok() && *outcome == ForeignDatabase::Outcome::Waiting;
      if (!outcome.ok() || *outcome != ForeignDatabase::Outcome::Read) return {};
      FATHOM_CHECK(takeRows(base, rows));
      if (!rows.more) return {};
      FATHOM_CHECK(give(take));
    }
  }

  Status takeRows(Base& base, TrackioRows& rows) {
    const std::string project = fs::path(base.database.path()).stem().string();
    base.version = rows.version;
    if (rows.anew)
      for (TrackioRun& run : m_runs)
        if (run.project == project) {
          run.points.beginAnew();
          run.given.beginAnew();
        }
    for (const TrackioRow& row : rows.rows) {
      // It was read in the inbox, before it was moved.
      if (!row.log.empty() && m_logs.erase(row.log) > 0) continue;
      TrackioRun* run = runOf(row.owner, project);
      if (run == nullptr) continue;
      const auto metrics = parsePythonJson(row.metrics, {}, kTrackioJson);
      if (metrics.ok() && metrics->is_object())
        FATHOM_CHECK(takeMetrics(*run, row.step, row.time, *metrics));
      else
        ++run->strange;
    }
    for (const auto& [owner, text] : rows.configs)
      if (const auto config = parsePythonJson(text, {}, kTrackioJson); config.ok() && config->is_object())
        if (TrackioRun* run = runOf(owner, project)) takeConfig(*run, *config);
    for (const TrackioAlert& alert : rows.alerts)
      if (TrackioRun* run = runOf(alert.owner, project)) {
        run->texts.keep({.tag = "alert", .step = alert.step, .time = alert.time, .text = alert.text});
        run->changed = true;
      }
    for (const TrackioLoad& load : rows.loads)
      if (TrackioRun* run = runOf(load.owner, project)) takeLoad(*run, load);
    for (const auto& [owner, table] : rows.unread)
      if (TrackioRun* run = runOf(owner, project)) run->unread[table.first] = table.second;
    return {};
  }

  Status give(const ImportSink& take) {
    bool first = true;
    for (TrackioRun& run : m_runs) {
      if (run.points.empty() || !std::exchange(run.changed, false)) continue;
      FATHOM_CHECK(take(pieceOf(run, std::exchange(first, false))));
    }
    return {};
  }

  ImportedRun pieceOf(TrackioRun& run, bool first) {
    ImportedRun piece;
    piece.format = "trackio";
    piece.name = piece.title = run.name;
    ImportedOptions options;
    for (const auto& [key, value] : run.config.items())
      if (key != "_Username" && key != "_Created" && key != "_Group") options.add(key, value);
    piece.options = options.finish(piece.warnings);
    if (const std::string group = memberText(run.config, "_Group"); !group.empty())
      piece.notes["group"] = group;
    if (!run.project.empty()) piece.notes["project"] = plainText(run.project);
    piece.texts = run.texts.take();
    warnOfTexts(run.texts.kept(), run.texts.leftOut(), piece.warnings);
    run.given.give(std::exchange(run.loads, {}), piece);
    if (run.others > 0)
      piece.warnings.push_back(Phrase::tr("%1 tables, pictures and other values are no curves")(run.others));
    for (const auto& [table, count] : run.unread)
      piece.warnings.push_back(Phrase::tr("%1 rows of the table %2 are not read")(count, table));
    if (run.strange > 0) piece.warnings.push_back(Phrase::tr("%1 rows are not understood")(run.strange));
    warnOfSources(run.project, first, piece.warnings);
    run.points.giveTo(piece);
    return piece;
  }

  // A warning on a whole file is said by its runs, by the first where it has none.
  void warnOfSources(const std::string& project, bool first, std::vector<Phrase>& warnings) const {
    for (const auto& [path, base] : m_databases) {
      if (base.version > kKnownTrackioSchema && fs::path(path).stem() == project)
        warnings.push_back(
            Phrase::tr("%1: schema %2 of trackio is newer than %3: what is known of it is read")(
                plainText(path), base.version, kKnownTrackioSchema));
      if (base.broken && first) warnings.push_back(base.broken->phrase());
    }
    if (m_strange > 0 && first)
      warnings.push_back(Phrase::tr("%1 lines of the inbox are not understood")(m_strange));
  }

  std::string m_path;
  bool m_folder;
  std::map<std::string, Base> m_databases;
  std::map<std::string, std::unique_ptr<GrownFile>> m_inbox;
  std::set<std::string> m_logs;  // calls that were read in the inbox and may come again in a database
  std::deque<TrackioRun> m_runs;
  std::set<std::string> m_names;
  std::map<std::array<std::string, 3>, TrackioRun*> m_byOwner;  // project, and id or name
  std::int64_t m_strange = 0;
};

bool trackioFile(const std::string& path) {
  bool known = false;
  ForeignDatabase database(path);
  const auto seen = database.read(StopToken(), [&](SQLite::Database& open) -> Status {
    known = isTrackio(open);
    return {};
  });
  return seen.ok() && known;
}

bool holdsEnding(const std::string& folder, const char* ending) {
  const auto inside = entriesIn(folder);
  return inside.ok() && std::any_of(inside->begin(), inside->end(),
                                    [&](const auto& entry) { return entry.path().extension() == ending; });
}

bool hasInbox(const std::string& folder) {
  const auto writers = entriesIn(folder);
  return writers.ok() && std::any_of(writers->begin(), writers->end(), [](const auto& writer) {
           return holdsEnding(writer.path().string(), ".jsonl");
         });
}

// A database that is nobody's is read, too: then it is said what it is.
Claim trackioClaim(const SourceLook& look) {
  if (!look.folder) {
    if (!isDatabaseHead(look.head)) return Claim::No;
    return trackioFile(look.path) ? Claim::Yes : Claim::Perhaps;
  }
  if (fs::path(look.path).filename() == "inbox" ? hasInbox(look.path) : hasInbox(look.path + "/inbox"))
    return Claim::Yes;
  const auto inside = entriesIn(look.path);
  const bool any = inside.ok() && std::any_of(inside->begin(), inside->end(), [](const auto& entry) {
                     return entry.path().extension() == ".db" && trackioFile(entry.path().string());
                   });
  return any ? Claim::Yes : Claim::No;
}

}  // namespace

// A database `PROJECT.db`, a folder of some, or one with an inbox.
ImportEntry trackioRunEntry() {
  return {.id = "trackio",
          .title = "trackio",
          .claims = trackioClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new TrackioSource(path, options.state));
          }};
}

}  // namespace fathom
