// SPDX-License-Identifier: Apache-2.0
#include "core/imports/preview/source_places.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/text/lines_of.h"
#include "core/imports/csv_columns.h"
#include "core/imports/grown_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/mlflow_files.h"
#include "core/imports/preview/table_columns.h"
#include "core/record/runs/project_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLogBeginning = 8192;
constexpr std::array<std::string_view, 3> kPackages = {"site-packages", "node_modules", "__pycache__"};
// The first of those that would have a folder has it.
constexpr std::string_view kEvents = "tensorboard", kEventMark = "tfevents";
constexpr std::array<std::string_view, 6> kKinds = {"hf_trainer", "mlflow",  "lightning",
                                                    "wandb",      "trackio", kEvents};

// A sign of a kind.
struct Trace {
  std::string kind;
  std::string root;  // the folder that a reader of the kind is given
  std::string unit;  // what it is given where that folder is another kind's
  std::string own;   // the folder in which nothing is anybody else's; "" = none
};

bool isBelow(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

std::string parentOf(const std::string& path) {
  return fs::path(path).parent_path().string();
}
std::string nameOf(const std::string& path) {
  return fs::path(path).filename().string();
}

// Without the ending of a packed file.
std::string plainEnding(const std::string& name) {
  fs::path file(name);
  if (file.extension() == ".gz" || file.extension() == ".zst") file = file.stem();
  return file.extension().string();
}

bool isWandbRunFolder(const std::string& name) {
  return name.starts_with("offline-run-") || name.starts_with("run-");
}

class Search {
 public:
  Search(const std::string& path, const StopToken& stop) : m_path(path), m_stop(stop) {}

  Result<std::vector<SourcePlace>> run() {
    FATHOM_CHECK(walk(m_path));
    leaveOwned();
    std::set<std::string> kinds;
    for (const Trace& trace : m_traces) kinds.insert(trace.kind);
    FATHOM_TRY(const ImportEntry* entry, claimedImport(m_path));
    const std::string whole = entry != nullptr ? entry->id : std::string();
    // The Trainer's reader finds the event files beside its folders, too.
    if (whole == "hf_trainer" && kinds.size() == 2) kinds.erase("tensorboard");
    const bool single = kinds.size() == 1 && !whole.empty();
    std::vector<SourcePlace> places;
    if (single && m_loose.empty()) return watched({{m_path}});
    if (single && kinds.contains(whole))
      places.push_back({m_path, whole});
    else
      places = placesOf();
    for (const std::string& file : m_loose) places.push_back({file});
    if (places.empty()) places.push_back({m_path});
    return watched(std::move(places));
  }

 private:
  std::vector<SourcePlace> watched(std::vector<SourcePlace> places) const {
    for (SourcePlace& place : places) place.around = m_path;
    return places;
  }

  Status walk(const std::string& folder) {
    if (m_stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const auto entries, folder == m_path ? contentsOf(folder) : entriesIn(folder));
    std::set<std::string> names;
    for (const auto& entry : entries) names.insert(entry.path().filename().string());
    const bool ownRun = names.contains("run.json") && names.contains("attempts");
    if (ownRun || names.contains(kLibraryName)) return {};
    for (const auto& entry : entries) {
      std::error_code code;
      const auto type = entry.symlink_status(code).type();
      const std::string name = entry.path().filename().string();
      if (type == fs::file_type::regular) note(folder, name, names);
      const bool inside = type == fs::file_type::directory && !name.starts_with('.') &&
                          std::find(kPackages.begin(), kPackages.end(), name) == kPackages.end();
      if (inside) FATHOM_CHECK(walk(entry.path().string()));
    }
    return {};
  }

  // Event files, tables and logs in the folder of a run are that run's.
  void leaveOwned() {
    std::set<std::string> owned;
    for (const Trace& trace : m_traces)
      if (!trace.own.empty()) owned.insert(trace.own);
    const auto isOwned = [&](std::string path) {
      for (; path.size() > m_path.size(); path = parentOf(path))
        if (owned.contains(path)) return true;
      return owned.contains(m_path);
    };
    m_hidden = std::erase_if(m_traces, [&](const Trace& trace) {
                 return trace.kind == kEvents && isOwned(trace.root);
               }) > 0;
    std::erase_if(m_loose, [&](const std::string& file) { return isOwned(file) || !isCurveFile(file); });
    std::sort(m_loose.begin(), m_loose.end());
  }

  // No higher than what was named.
  std::string above(const std::string& folder) const { return folder == m_path ? folder : parentOf(folder); }

  void note(const std::string& folder, const std::string& name, const std::set<std::string>& beside) {
    const std::string file = folder + "/" + name, ending = plainEnding(name);
    if (name.find(kEventMark) != std::string::npos) {
      m_traces.push_back({std::string(kEvents), folder, file, {}});
    } else if (ending == ".wandb") {
      const bool ofRun = isWandbRunFolder(nameOf(folder));
      m_traces.push_back({"wandb", ofRun ? above(folder) : folder, file, ofRun ? folder : std::string()});
    } else if (name == "trainer_state.json") {
      const std::string output = nameOf(folder).starts_with("checkpoint-") ? above(folder) : folder;
      m_traces.push_back({"hf_trainer", output, file, output});
    } else if (name == "metrics.csv" && beside.contains("hparams.yaml")) {
      m_traces.push_back({"lightning", above(folder), folder, folder});
    } else if (name == "meta.yaml") {
      if (isMlflowRun(folder)) m_traces.push_back({"mlflow", above(above(folder)), folder, folder});
    } else if (ending == ".db") {
      noteDatabase(folder, file);
    } else if (ending == ".jsonl" && nameOf(parentOf(folder)) == "inbox") {
      m_traces.push_back({"trackio", above(above(folder)), above(folder), above(folder)});
    } else if (ending == ".csv" || ending == ".tsv" || ending == ".jsonl" || ending == ".log" ||
               (ending == ".json" && downloadNames(file))) {
      m_loose.push_back(file);
    }
  }

  void noteDatabase(const std::string& folder, const std::string& file) {
    const auto entry = claimedImport(file);
    if (!entry.ok() || *entry == nullptr) return;
    const std::string kind = (*entry)->id;
    if (kind == "trackio" || kind == "mlflow")
      m_traces.push_back({kind, kind == "trackio" ? folder : file, file, {}});
  }

  // A table or a log whose beginning tells steps.
  static bool isCurveFile(const std::string& file) {
    const std::string ending = plainEnding(nameOf(file));
    if (ending == ".json") return true;
    if (ending == ".csv" || ending == ".tsv") return isCurveTable(file);
    GrownFile log(file);
    const auto head = log.more(kLogBeginning);
    if (!head.ok()) return false;
    std::string_view first;
    LinesOf(*head).next(first);
    if (ending == ".log")
      return head->find("num_updates") != std::string::npos || head->find("fairseq") != std::string::npos;
    constexpr std::array kNames = {"\"step\"", "\"_step\"", "\"global_step\"", "\"iteration\"",
                                   "\"iter\"", "\"epoch\"", "\"num_updates\"", "\"update\""};
    return first.starts_with('{') && std::any_of(kNames.begin(), kNames.end(), [&](const char* name) {
             return first.find(name) != std::string_view::npos;
           });
  }

  static bool isCurveTable(const std::string& file) {
    const auto columns = tableColumns(file, {});
    if (!columns.ok() || fileBytes(file) == 0) return false;
    const auto has = [&](std::initializer_list<std::string_view> uses) {
      return std::any_of(columns->begin(), columns->end(), [&](const SourceColumn& column) {
        return std::find(uses.begin(), uses.end(), column.use) != uses.end();
      });
    };
    if (downloadNames(file)) return true;
    // A chart that W&B exported has no columns of its own.
    return columns->empty() || (has({"step", "epoch"}) && has({"metric", "value"}));
  }

  std::vector<SourcePlace> placesOf() const {
    std::map<std::string, std::string> taken;  // path -> kind
    for (const std::string_view kind : kKinds) {
      const bool rootTaken = taken.contains(m_path);  // by a kind before
      for (const Trace& trace : m_traces) {
        if (trace.kind != kind) continue;
        std::string root = kind == kEvents ? eventRoot(trace.root, rootTaken) : trace.root;
        const auto known = taken.find(root);
        const bool apart = kind == kEvents && m_hidden && root == m_path;
        if (apart || (known != taken.end() && known->second != kind)) root = trace.unit;
        taken.emplace(root, kind);
      }
    }
    std::vector<SourcePlace> places;
    for (const auto& [path, kind] : taken) places.push_back({path, kind, nameFor(path, kind)});
    return places;
  }

  // Its runs are called as they would be by a reader of the folder that was named.
  std::string nameFor(const std::string& path, const std::string& kind) const {
    if (kind != kEvents || path == m_path) return {};
    const std::string folder = nameOf(path).find(kEventMark) == std::string::npos ? path : parentOf(path);
    return folder == m_path ? nameOf(m_path) : folder.substr(m_path.size() + 1);
  }

  // The folder that a reader of event files is given: what was named, unless some there are another run's or
  // it is another kind's; then the highest one around them that holds nothing else.
  std::string eventRoot(std::string folder, bool taken) const {
    if (!m_hidden && !taken) return m_path;
    while (folder != m_path && parentOf(folder) != m_path && !holdsOthers(parentOf(folder)))
      folder = parentOf(folder);
    return folder;
  }

  bool holdsOthers(const std::string& folder) const {
    return std::any_of(m_loose.begin(), m_loose.end(),
                       [&](const std::string& file) { return isBelow(file, folder); }) ||
           std::any_of(m_traces.begin(), m_traces.end(), [&](const Trace& trace) {
             return trace.kind != kEvents && (isBelow(trace.unit, folder) || isBelow(folder, trace.root));
           });
  }

  const std::string m_path;
  const StopToken& m_stop;
  std::vector<Trace> m_traces;
  std::vector<std::string> m_loose;
  bool m_hidden = false;  // some event files belong to runs of other kinds
};

}  // namespace

Result<std::vector<SourcePlace>> placesIn(const std::string& path, const StopToken& stop) {
  std::string folder = path;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  if (!folderExists(folder)) return std::vector<SourcePlace>{{path}};
  return Search(folder, stop).run();
}

}  // namespace fathom
