// SPDX-License-Identifier: Apache-2.0
// W&B's own files (…/wandb/offline-run-…/run-<id>.wandb), as a run writes them: one file, one run folder, or
// a folder of many.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/imports/folder_tree.h"
#include "core/imports/formats/wandb_log.h"
#include "core/imports/grown_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"
#include "core/imports/wandb_records.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// One file and how far it was read.
struct WandbFile {
  explicit WandbFile(const std::string& file) : path(file), points(file) {}
  std::string path;
  std::uint64_t position = 0, inode = 0, size = 0;
  std::int64_t bad = 0;
  std::uint32_t sum = 0;  // CRC-32C of what was read, known where `summed`
  bool summed = true;
  bool torn = false, changed = false;
  bool beginsAttempt = false;  // with what is given next
  WandbFacts facts;
  ImportedPoints points;
  ImportedLoads loads;
  std::optional<Error> broken;  // what it could not be read for
};

// Files of one id with different start times are attempts of one run, in their order; copies of one attempt
// are runs of their own.
struct WandbRun {
  std::vector<std::string> attempts;  // paths, in order of start
};

class WandbSource : public ImportSource {
 public:
  WandbSource(const std::string& path, const Json& state)
      : m_path(path), m_folder(folderExists(path)), m_tree(path) {
    for (const Json& item : memberList(state, "files")) {
      WandbFile& file = fileOf(ofRecord(memberText(item, "path")));
      file.position = static_cast<std::uint64_t>(memberInteger(item, "position"));
      file.inode = static_cast<std::uint64_t>(memberInteger(item, "inode"));
      file.bad = memberInteger(item, "bad");
      file.sum = static_cast<std::uint32_t>(memberInteger(item, "sum"));
      file.summed = file.position == 0 || memberFlag(item, "summed", false);
      file.facts.restore(memberObject(item, "facts"));
      file.points.restore(memberObject(item, "points"));
      file.loads.restore(memberObject(item, "loads"));
    }
    for (const auto& [name, attempts] : memberObject(state, "runs").items())
      for (const Json& file : attempts)
        m_runs[ofRecord(name)].attempts.push_back(ofRecord(file.get<std::string>()));
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(look(stop));
    for (auto& [path, file] : m_files) FATHOM_CHECK(readFile(*file, stop));
    // One file that is none does not take the others along.
    if (m_files.size() == 1 && m_files.begin()->second->broken) return *m_files.begin()->second->broken;
    assign();
    FATHOM_CHECK(give(take, false));
    return SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    for (const auto& [path, file] : m_files)
      if (m_runs.empty() && file->broken) return *file->broken;
    return give(take, true);
  }

  Json state() const override {
    Json json = {{"files", Json::array()}, {"runs", Json::object()}};
    for (const auto& [path, file] : m_files)
      json["files"].push_back({{"path", recordText(path)},
                               {"position", file->position},
                               {"inode", file->inode},
                               {"bad", file->bad},
                               {"sum", file->sum},
                               {"summed", file->summed},
                               {"facts", file->facts.state()},
                               {"points", file->points.state()},
                               {"loads", file->loads.state()}});
    for (const auto& [name, run] : m_runs) {
      Json& attempts = json["runs"][recordText(name)] = Json::array();
      for (const std::string& path : run.attempts) attempts.push_back(recordText(path));
    }
    return json;
  }

 private:
  WandbFile& fileOf(const std::string& path) {
    auto& file = m_files[path];
    if (file == nullptr) file = std::make_unique<WandbFile>(path);
    return *file;
  }

  // One of the files may have been given another name: it is read on there.
  bool takeRenamed(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return false;
    const auto known = std::find_if(m_files.begin(), m_files.end(), [&](const auto& item) {
      return item.second->inode == info.st_ino && !fileExists(item.first) && goesOn(*item.second, path);
    });
    if (known == m_files.end()) return false;
    for (auto& [name, run] : m_runs)
      std::replace(run.attempts.begin(), run.attempts.end(), known->first, path);
    auto moved = m_files.extract(known);
    moved.key() = moved.mapped()->path = path;
    m_files.insert(std::move(moved));
    return true;
  }

  Status look(const StopToken& stop) {
    if (!m_folder) {
      fileOf(m_path);
      return {};
    }
    FATHOM_TRY(const auto entries, m_tree.changed());
    for (const auto& entry : entries.value_or(FolderTree::Entries())) {
      if (stop.stopRequested()) return interruptedError();
      std::error_code code;
      // W&B links its newest run: links are not followed, so it is found once.
      if (entry.path().extension() != ".wandb" || !entry.is_regular_file(code) || entry.is_symlink(code))
        continue;
      const std::string path = entry.path().string();
      if (!m_files.contains(path) && !takeRenamed(path)) fileOf(path);
    }
    return m_files.empty() ? Status(dataErrorAt(m_path, 0, Phrase::tr("no .wandb file in this folder")))
                           : Status();
  }

  // A copy that holds more takes the place of the file: it begins with all that was read.
  static bool goesOn(const WandbFile& file, const std::string& path) {
    if (!file.summed) return false;
    const auto sum = sumUpTo(path, 0, file.position, 0);
    return sum.ok() && *sum && **sum == file.sum;
  }

  static Status readFile(WandbFile& file, const StopToken& stop) {
    struct stat info {};
    if (::stat(file.path.c_str(), &info) != 0) return {};  // it vanished: what is known stays
    const auto size = static_cast<std::uint64_t>(info.st_size);
    const bool another = file.inode != 0 && file.inode != info.st_ino;
    if ((another && !goesOn(file, file.path)) || (file.inode != 0 && size < file.position)) {
      file.position = 0;
      file.sum = 0;
      file.summed = true;
      file.facts = {};
      file.points.beginAnew();
      file.loads.beginAnew();
    } else if (file.inode != 0 && !another && size == file.size) {
      return {};
    }
    file.inode = info.st_ino;
    file.size = size;
    file.broken.reset();
    const std::uint64_t before = file.position;
    const Status read = readRecords(file, stop);
    if (const auto sum = sumUpTo(file.path, before, file.position, file.sum); sum.ok() && *sum)
      file.sum = **sum;
    else
      file.summed = false;
    if (read.ok() || read.error().kind != ErrorKind::Data) return read;
    file.broken = read.error();
    return {};
  }

  static Status readRecords(WandbFile& file, const StopToken& stop) {
    FATHOM_TRY(WandbLog log, WandbLog::open(file.path, file.position));
    const std::int64_t bad = file.bad;
    std::string record;
    while (true) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_TRY(const bool more, log.next(record));
      // A record that cannot be taken is behind us, too.
      file.position = log.position();
      file.bad = bad + log.badChunks();
      file.torn = log.torn();
      if (!more) return {};
      file.changed = true;
      FATHOM_TRY(const bool good, takeWandbRecord(record, file.facts, file.points));
      (void)good;
    }
  }

  // A file whose run record is there becomes an attempt of its run.
  void assign() {
    std::vector<WandbFile*> fresh;
    for (const auto& item : m_files) {
      const bool known = std::any_of(m_runs.begin(), m_runs.end(), [&](const auto& run) {
        const auto& attempts = run.second.attempts;
        return std::find(attempts.begin(), attempts.end(), item.first) != attempts.end();
      });
      if (item.second->facts.told && !known) fresh.push_back(item.second.get());
    }
    std::stable_sort(fresh.begin(), fresh.end(), [](const WandbFile* a, const WandbFile* b) {
      return a->facts.started != b->facts.started ? a->facts.started < b->facts.started : a->path < b->path;
    });
    for (WandbFile* file : fresh) {
      std::string name = file->facts.id.empty() ? fs::path(file->path).stem().string() : file->facts.id;
      const auto known = m_runs.find(name);
      if (known != m_runs.end()) {
        const auto& attempts = known->second.attempts;
        const bool copy = std::any_of(attempts.begin(), attempts.end(), [&](const std::string& other) {
          return m_files.at(other)->facts.started >= file->facts.started;
        });
        if (copy) {
          name = fs::path(file->path).stem().string();  // "run-<id>"
          if (name.starts_with("run-")) name.erase(0, 4);
          while (m_runs.contains(name)) name += "'";
        }
      }
      file->beginsAttempt = m_runs.contains(name);
      m_runs[name].attempts.push_back(file->path);
    }
  }

  Status give(const ImportSink& take, bool closing) {
    for (auto& [name, run] : m_runs) {
      for (const std::string& path : run.attempts) {
        WandbFile& file = *m_files.at(path);
        if (!std::exchange(file.changed, false) && !(closing && path == run.attempts.back())) continue;
        FATHOM_CHECK(take(pieceOf(name, run, file, closing)));
      }
    }
    return {};
  }

  ImportedRun pieceOf(const std::string& name, const WandbRun& run, WandbFile& file, bool closing) {
    // Name and options of the run are those of its last attempt.
    const WandbFacts& facts = m_files.at(run.attempts.back())->facts;
    ImportedRun piece;
    piece.format = "wandb";
    piece.name = name;
    piece.title = facts.name.empty() ? name : facts.name;
    ImportedOptions options;
    for (const auto& [key, value] : facts.config.items())
      if (key != "_wandb") options.add(key, value);
    piece.options = options.finish(piece.warnings);
    if (!facts.group.empty()) piece.notes["group"] = facts.group;
    if (!facts.jobType.empty()) piece.notes["job_type"] = facts.jobType;
    if (!facts.notes.empty()) piece.notes["notes"] = facts.notes;
    if (!facts.tags.empty()) piece.notes["tags"] = facts.tags;
    if (!facts.project.empty()) piece.notes["project"] = facts.project;
    if (!facts.host.empty()) piece.notes["host"] = facts.host;
    std::int64_t others = 0, bad = 0, strange = 0, texts = 0, textsLeft = 0;
    for (const std::string& path : run.attempts) {
      const WandbFile& one = *m_files.at(path);
      for (const auto& [key, count] : one.facts.others) others += count;
      bad += one.bad;
      strange += one.facts.strange;
      texts += one.facts.texts.kept();
      textsLeft += one.facts.texts.leftOut();
    }
    warnOfTexts(texts, textsLeft, piece.warnings);
    if (others > 0)
      piece.warnings.push_back(Phrase::tr("%1 tables, pictures and other values are no curves")(others));
    for (const auto& [path, one] : m_files)
      if (one->broken && hears(name, path)) piece.warnings.push_back(one->broken->phrase());
    if (bad > 0)
      piece.warnings.push_back(Phrase::tr("%1: %2 damaged records skipped")(plainText(file.path), bad));
    if (strange > 0)
      piece.warnings.push_back(
          Phrase::tr("%1: %2 records are not understood")(plainText(file.path), strange));
    if (closing && file.torn)
      piece.warnings.push_back(Phrase::tr("%1: the last record is cut off")(plainText(file.path)));
    for (const auto& [key, value] : facts.summary.items()) {
      if (key == "_wandb" || key == "_step" || key == "_runtime" || key == "_timestamp") continue;
      eachLeaf(value, key, [&](const std::string& leaf, const Json& what) {
        const auto number = what.is_string() ? std::nullopt : jsonReading(what);
        // Last values of curves are known from the curves.
        if (number && !file.points.has(leaf)) piece.scores[leaf] = jsonReal(*number);
      });
    }
    file.points.giveTo(piece);
    file.loads.give(std::exchange(file.facts.loads, {}), piece);
    piece.texts = file.facts.texts.take();
    if (std::exchange(file.beginsAttempt, false))
      piece.marks.insert(piece.marks.begin(), ImportedMark{ImportedMark::Kind::Attempt, 0, {}, 0});
    std::set<std::string> named;
    for (const std::string& path : run.attempts)
      for (std::string& metric : m_files.at(path)->points.metrics()) named.insert(std::move(metric));
    piece.declared = facts.declaredOf(named);
    if (file.path == run.attempts.back()) piece.end = endOf(facts, closing);
    return piece;
  }

  // An unreadable part is said by the run it belongs to, by the first where it is nobody's.
  bool hears(const std::string& name, const std::string& path) const {
    const auto has = [&path](const auto& run) {
      const auto& attempts = run.second.attempts;
      return std::find(attempts.begin(), attempts.end(), path) != attempts.end();
    };
    const auto own = std::find_if(m_runs.begin(), m_runs.end(), has);
    return (own != m_runs.end() ? own : m_runs.begin())->first == name;
  }

  // 0 finished, 1 an exception, 255 Ctrl-C, else what the script said; without the record it was lost, or
  // goes on.
  static std::optional<ImportedEnd> endOf(const WandbFacts& facts, bool closing) {
    if (!facts.ended) return closing ? std::optional(ImportedEnd{RunState::Lost, 0, kNaN}) : std::nullopt;
    const int code = static_cast<int>(facts.exitCode & 0xFF);
    return ImportedEnd{code == 0     ? RunState::Finished
                       : code == 255 ? RunState::Stopped
                                     : RunState::Failed,
                       code, kNaN};
  }

  std::string m_path;
  bool m_folder;
  FolderTree m_tree;
  std::map<std::string, std::unique_ptr<WandbFile>> m_files;
  std::map<std::string, WandbRun> m_runs;
};

bool holdsWandb(const std::string& folder) {
  const auto inside = entriesIn(folder);
  return inside.ok() && std::any_of(inside->begin(), inside->end(), [](const auto& entry) {
           const std::string name = entry.path().filename().string();
           return entry.path().extension() == ".wandb" || name.starts_with("offline-run-") ||
                  (name.starts_with("run-") && name.size() > 20 && folderExists(entry.path().string()));
         });
}

Claim wandbClaim(const SourceLook& look) {
  if (!look.folder) return look.head.starts_with(":W&B") ? Claim::Yes : Claim::No;
  return holdsWandb(look.path) || holdsWandb(look.path + "/wandb") ? Claim::Yes : Claim::No;
}

}  // namespace

ImportEntry wandbRunEntry() {
  return {.id = "wandb",
          .title = "W&B",
          .claims = wandbClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new WandbSource(path, options.state));
          }};
}

}  // namespace fathom
