// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/imports/formats/yaml_options.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTableName = "metrics.csv";
constexpr const char* kOptionsName = "hparams.yaml";
constexpr std::size_t kMostOptionBytes = std::size_t{1} << 20;
constexpr int kDeepest = 3;  // save_dir/name/version_N

// One folder version_N: a table, and the options that save_hyperparameters kept beside it.
struct LightningVersion {
  std::string folder;
  std::unique_ptr<ImportSource> table;
  std::string stamp;                                   // of the options that were read
  Json hparams = Json::object();                       // flat
  Json columns = Json::object();                       // options that the table told itself
  std::vector<Phrase> faults, leftOut, tableWarnings;  // the first two are of the options
  bool given = false;
  // The reason why its table could not be read, and what the table was then; it is read again when it is
  // another.
  std::optional<Error> broken;
  std::string brokenStamp, toldBroken;
  std::vector<Phrase> orphans;  // of versions that gave nothing, which this one tells
};

std::string stampOfOptions(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

// The group is the folder above, however the path was typed.
std::string wholePath(const std::string& path) {
  std::string whole = fs::path(absolutePath(path)).lexically_normal().string();
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

class LightningSource : public ImportSource {
 public:
  LightningSource(const std::string& path, ImportOptions options)
      : m_path(wholePath(path)), m_isTable(!folderExists(m_path)), m_options(std::move(options)) {
    for (const auto& [name, item] : memberObject(m_options.state, "versions").items()) {
      LightningVersion& version = m_versions[ofRecord(name)];
      version.folder = ofRecord(memberText(item, "folder"));
      version.hparams = memberObject(item, "hparams");
      version.columns = memberObject(item, "columns");
      version.given = memberFlag(item, "given", false);
      m_tables[ofRecord(name)] = memberObject(item, "table");
    }
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    if (m_isTable)
      m_versions[""].folder = fs::path(m_path).parent_path().string();
    else
      FATHOM_CHECK(findVersions(m_path, "", 0, stop));
    if (m_versions.empty()) return dataErrorAt(m_path, 0, Phrase::tr("no metrics.csv in this folder"));
    for (auto& [name, version] : m_versions) FATHOM_CHECK(readVersion(name, version, stop, take));
    FATHOM_CHECK(tellBroken(take));
    return SourceState::Later;
  }

  // A version without a row is one that has just begun, unless it is the only one.
  Status close(const ImportSink& take) override {
    std::optional<Error> first;
    bool any = false;
    for (auto& item : m_versions) {
      const std::string& name = item.first;
      LightningVersion& version = item.second;
      any = any || version.given;
      if (version.broken) continue;
      FATHOM_CHECK(openTable(name, version));
      const Status closed = version.table->close(
          [&](ImportedRun piece) { return give(name, version, std::move(piece), take); });
      any = any || version.given;
      if (closed.ok()) continue;
      if (closed.error().kind != ErrorKind::Data || m_isTable) return closed;
      if (version.given) version.broken = closed.error();
      if (!first) first = closed.error();
    }
    FATHOM_CHECK(tellBroken(take));
    return any || !first ? Status() : *first;
  }

  Json state() const override {
    Json json = {{"versions", Json::object()}};
    for (const auto& [name, version] : m_versions)
      json["versions"][recordText(name)] = {
          {"folder", recordText(version.folder)},
          {"hparams", version.hparams},
          {"columns", version.columns},
          {"given", version.given},
          {"table", version.table != nullptr ? version.table->state() : tableState(name)}};
    return json;
  }

 private:
  Status findVersions(const std::string& folder, const std::string& name, int depth, const StopToken& stop) {
    if (stop.stopRequested()) return interruptedError();
    if (fileExists(folder + "/" + kTableName)) m_versions[name].folder = folder;
    if (depth == kDeepest) return {};
    FATHOM_TRY(const auto entries, entriesIn(folder));
    for (const auto& entry : entries) {
      std::error_code code;
      if (entry.symlink_status(code).type() != fs::file_type::directory || code) continue;
      const std::string own = entry.path().filename().string();
      FATHOM_CHECK(
          findVersions(entry.path().string(), name.empty() ? own : name + "/" + own, depth + 1, stop));
    }
    return {};
  }

  std::string tableOf(const LightningVersion& version) const {
    return m_isTable ? m_path : version.folder + "/" + kTableName;
  }

  Json tableState(const std::string& name) const {
    const auto known = m_tables.find(name);
    return known != m_tables.end() ? known->second : Json();
  }

  // A table that is none fails itself alone: what was read of it before stays, and the others come.
  Status readVersion(const std::string& name, LightningVersion& version, const StopToken& stop,
                     const ImportSink& take) {
    const std::string stamp = stampOfOptions(tableOf(version));
    if (version.broken && stamp == version.brokenStamp) return {};
    const bool wasBroken = version.broken.has_value();
    version.broken.reset();
    FATHOM_CHECK(openTable(name, version));
    const bool changed = readOptions(version) || wasBroken;
    bool came = false;
    const auto read = version.table->read(stop, [&](ImportedRun piece) -> Status {
      came = true;
      return give(name, version, std::move(piece), take);
    });
    if (!read.ok() && (m_isTable || read.error().kind != ErrorKind::Data)) return read.error();
    if (!read.ok()) {
      // The reader is somewhere in the middle.
      version.table.reset();
      version.broken = read.error();
      version.brokenStamp = stamp;
      return {};
    }
    if (came) m_tables[name] = version.table->state();
    return changed && !came && version.given ? give(name, version, {}, take) : Status();
  }

  // It is said by the version itself where it gave anything, by the first of the others where it did not;
  // and it is the error of all where nothing else was found.
  Status tellBroken(const ImportSink& take) {
    std::vector<Phrase> orphans;
    std::optional<Error> first;
    for (auto& [name, version] : m_versions) {
      if (!version.broken) continue;
      if (!first) first = version.broken;
      if (!version.given) orphans.push_back(version.broken->phrase());
    }
    const auto hearer = std::find_if(m_versions.begin(), m_versions.end(),
                                     [](const auto& item) { return item.second.given; });
    if (hearer == m_versions.end()) return first ? Status(*first) : Status();
    if (hearer->second.orphans != orphans) {
      hearer->second.orphans = orphans;
      FATHOM_CHECK(give(hearer->first, hearer->second, {}, take));
    }
    for (auto& [name, version] : m_versions) {
      if (!version.broken || !version.given || version.toldBroken == version.broken->text()) continue;
      version.toldBroken = version.broken->text();
      FATHOM_CHECK(give(name, version, {}, take));
    }
    return {};
  }

  Status openTable(const std::string& name, LightningVersion& version) {
    if (version.table != nullptr) return {};
    ImportOptions options = m_options;
    options.state = tableState(name);
    FATHOM_TRY(version.table, findImport("csv")->open(tableOf(version), options));
    return {};
  }

  // True if the options are others than before. What cannot be read is said, and what was known stays: the
  // file may be half written.
  static bool readOptions(LightningVersion& version) {
    const std::string file = version.folder + "/" + kOptionsName;
    const std::string stamp = stampOfOptions(file);
    if (stamp.empty() || stamp == version.stamp) return false;
    version.stamp = stamp;
    const bool wasFaulty = !version.faults.empty();
    version.faults.clear();
    version.leftOut.clear();
    const auto text = readFile(file, kMostOptionBytes);
    // Truncated, and about to be written: nothing is known of it yet.
    if (text.ok() && text->empty() && !version.hparams.empty()) return wasFaulty;
    auto read = text.ok() ? parseYamlOptions(*text, file) : Result<Json>(text.error());
    if (!read.ok()) {
      version.faults.push_back(read.error().phrase());
      return true;
    }
    ImportedOptions options;
    options.add("", *read);
    Json found = options.finish(version.leftOut);
    const bool changed = wasFaulty || found != version.hparams;
    version.hparams = std::move(found);
    return changed;
  }

  Status give(const std::string& name, LightningVersion& version, ImportedRun piece, const ImportSink& take) {
    // The table's own words stay when only something else is told.
    if (piece.format.empty()) {
      piece.warnings = version.tableWarnings;
    } else {
      version.columns = piece.options;
      version.tableWarnings = piece.warnings;
    }
    version.given = true;
    piece.format = "lightning";
    const std::string own = piece.name;
    piece.name = own.empty() ? name : name.empty() ? own : name + "/" + own;
    const fs::path folder = fs::path(version.folder).lexically_normal();
    const std::string group = folder.parent_path().filename().string();
    const bool counted = folder.filename().string().starts_with("version_");
    if (counted && !group.empty()) piece.notes["group"] = plainText(group);
    if (counted && piece.name.empty()) piece.title = plainText(group + "/" + folder.filename().string());
    piece.options = version.columns;
    piece.options.update(version.hparams);
    piece.warnings.insert(piece.warnings.end(), version.faults.begin(), version.faults.end());
    piece.warnings.insert(piece.warnings.end(), version.leftOut.begin(), version.leftOut.end());
    piece.warnings.insert(piece.warnings.end(), version.orphans.begin(), version.orphans.end());
    if (version.broken) piece.warnings.push_back(version.broken->phrase());
    return take(std::move(piece));
  }

  std::string m_path;
  bool m_isTable;  // metrics.csv itself, not a folder; told when it is opened
  ImportOptions m_options;
  std::map<std::string, LightningVersion> m_versions;
  std::map<std::string, Json> m_tables;  // of the record
};

bool isVersion(const fs::path& folder) {
  const std::string place = wholePath(folder.string());
  return fileExists(place + "/" + kTableName) && fileExists(place + "/" + kOptionsName);
}

struct Holdings {
  bool versions = false, events = false;  // of Lightning, of TensorBoard
};

Holdings holdingsOf(const fs::path& folder, int depth) {
  Holdings found{isVersion(folder), false};
  const auto inside = entriesIn(folder.string());
  if (!inside.ok()) return found;
  std::error_code code;
  for (const auto& entry : *inside) {
    const bool deeper = entry.symlink_status(code).type() == fs::file_type::directory;
    if (!deeper)
      found.events = found.events || entry.path().filename().string().find("tfevents") != std::string::npos;
    if (!deeper || depth == kDeepest) continue;
    const Holdings below = holdingsOf(entry.path(), depth + 1);
    found.versions = found.versions || below.versions;
    found.events = found.events || below.events;
  }
  return found;
}

// A folder with metrics.csv and hparams.yaml, or such a table itself, or a folder that holds some; only
// perhaps where it holds TensorBoard's files, too: its reader finds more runs there.
Claim lightningClaim(const SourceLook& look) {
  if (!look.folder)
    return fs::path(look.path).filename() == kTableName && isVersion(fs::path(look.path).parent_path())
               ? Claim::Yes
               : Claim::No;
  if (isVersion(look.path)) return Claim::Yes;
  const Holdings found = holdingsOf(look.path, 0);
  if (!found.versions) return Claim::No;
  return found.events ? Claim::Perhaps : Claim::Yes;
}

}  // namespace

// Lightning's CSVLogger: each folder version_N is a run with the options of its hparams.yaml.
ImportEntry lightningRunEntry() {
  return {.id = "lightning",
          .title = "Lightning",
          .claims = lightningClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new LightningSource(path, options));
          }};
}

}  // namespace fathom
