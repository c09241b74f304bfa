// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/imports/folder_tree.h"
#include "core/imports/import_entry.h"
#include "core/imports/record_text.h"
#include "core/imports/tensorboard_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxEventFiles = 100'000;

class TensorboardSource : public ImportSource {
 public:
  TensorboardSource(std::string path, const Json& state)
      : m_path(std::move(path)), m_folder(folderExists(m_path)), m_tree(m_path) {
    for (const auto& [name, folder] : memberObject(state, "folders").items()) {
      TensorboardFolder& known = folderOf(ofRecord(name));
      known.restore(folder);
      for (const TensorboardFile& file : known.files) m_known.insert(file.path);
    }
    for (const auto& [name, run] : memberObject(state, "runs").items()) {
      runOf(ofRecord(name)).restore(run);
      m_given.insert(ofRecord(name));
    }
    for (const auto& [name, count] : memberObject(state, "kept").items())
      m_kept[ofRecord(name)] = count.get<std::int64_t>();
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(look(stop));
    for (auto& [name, folder] : m_folders) FATHOM_CHECK(folder->read(stop));
    // One file that is none does not take the others along.
    const bool hopeless = std::all_of(m_folders.begin(), m_folders.end(),
                                      [](const auto& item) { return item.second->isHopeless(); });
    if (hopeless) return m_folders.begin()->second->broken.begin()->second;
    FATHOM_CHECK(assign(false));
    FATHOM_CHECK(give(take, false));
    return SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    FATHOM_CHECK(assign(true));
    if (!m_folder) runOf({});  // one file is one run, even without a point
    return give(take, true);
  }

  // Events that nobody was given yet (of no known run, or of one with nothing but texts) are not said to
  // be read: it is read once more.
  Json state() const override {
    Json json = {{"folders", Json::object()}, {"runs", Json::object()}, {"kept", Json::object()}};
    for (const auto& [name, folder] : m_folders)
      if (folder->role != TensorboardFolder::Role::Unknown && m_given.contains(ownerOf(*folder)))
        json["folders"][recordText(name)] = folder->state();
    for (const std::string& name : m_given) {
      if (const auto run = m_runs.find(name); run != m_runs.end())
        json["runs"][recordText(name)] = run->second->state();
      if (const auto kept = m_kept.find(name); kept != m_kept.end())
        json["kept"][recordText(name)] = kept->second;
    }
    return json;
  }

 private:
  TensorboardFolder& folderOf(const std::string& name) {
    auto& folder = m_folders[name];
    if (folder == nullptr) {
      folder = std::make_unique<TensorboardFolder>();
      folder->name = name;
    }
    return *folder;
  }
  TensorboardRun& runOf(const std::string& name) {
    auto& run = m_runs[name];
    if (run == nullptr) run = std::make_unique<TensorboardRun>(name.empty() ? m_path : m_path + "/" + name);
    return *run;
  }

  void addFile(const std::string& folder, const std::string& path) {
    if (!m_known.insert(path).second) return;
    std::string former;
    if (folderOf(folder).renamed(path, former)) {
      m_known.erase(former);
      return;
    }
    folderOf(folder).files.emplace_back().path = path;
  }

  // Event files by the folder they are in; names hold the start time, so their order is that of the restarts.
  Status look(const StopToken& stop) {
    if (!m_folder) {
      addFile({}, m_path);
      return {};
    }
    FATHOM_TRY(const auto entries, m_tree.changed());
    if (entries) FATHOM_CHECK(addFiles(*entries, stop));
    if (m_folders.empty())
      return dataErrorAt(m_path, 0, Phrase::tr("no TensorBoard event file (…tfevents…) in this folder"));
    return {};
  }

  Status addFiles(const FolderTree::Entries& entries, const StopToken& stop) {
    std::vector<std::pair<std::string, std::string>> found;
    std::error_code code;
    for (const auto& entry : entries) {
      if (stop.stopRequested()) return interruptedError();
      if (entry.path().filename().string().find("tfevents") == std::string::npos) continue;
      const bool regular = entry.is_regular_file(code);
      if (code && code != std::errc::no_such_file_or_directory)
        return inputError(Phrase::tr("cannot look at"), entry.path().string(), code.value());
      if (!regular) continue;
      if (found.size() >= kMaxEventFiles)
        return dataErrorAt(m_path, 0, Phrase::tr("more than 100,000 event files"));
      const std::string parent = entry.path().parent_path().lexically_relative(m_path).string();
      found.emplace_back(parent == "." ? "" : parent, entry.path().string());
    }
    std::sort(found.begin(), found.end());
    for (const auto& [folder, path] : found) addFile(folder, path);
    return {};
  }

  // The folder right around one, "" where there is none that was named.
  static std::string around(const std::string& name) { return fs::path(name).parent_path().string(); }
  // The run that a folder belongs to, when it is known what it is.
  static std::string ownerOf(const TensorboardFolder& folder) {
    return folder.role == TensorboardFolder::Role::Run ? folder.name : around(folder.name);
  }
  bool hasPoints(const std::string& name) const {
    const auto run = m_runs.find(name);
    const auto folder = m_folders.find(name);
    return (run != m_runs.end() && !run->second->points.empty()) ||
           (folder != m_folders.end() && !folder->second->tags.empty());
  }

  // Sessions right inside a run that has points and no hyperparameters of its own: of a restart they are the
  // same once more, otherwise they are trials and stay apart.
  bool joinsRun(const TensorboardFolder& session) const {
    const std::string parent = around(session.name);
    const auto run = m_folders.find(parent);
    if (session.name.empty() || run == m_folders.end() || !hasPoints(parent) || !run->second->options.empty())
      return false;
    std::vector<Phrase> ignored;
    const Json options = session.options.finish(ignored);
    return std::all_of(m_folders.begin(), m_folders.end(), [&](const auto& other) {
      if (other.first.empty() || around(other.first) != parent || !other.second->isSession()) return true;
      return other.second->options.finish(ignored) == options;
    });
  }

  Status assign(bool closing) {
    for (auto& [name, folder] : m_folders) {
      const bool idle = folder->fresh.empty() && folder->texts.empty() && !folder->changed();
      if (folder->role != TensorboardFolder::Role::Unknown && idle) continue;
      if (folder->role == TensorboardFolder::Role::Unknown) {
        if (folder->tags.empty() && folder->options.empty() && folder->texts.empty()) continue;
        // The run around it may not have logged anything yet.
        if (!closing && !name.empty() && folder->isSession() && m_folders.contains(around(name)) &&
            !hasPoints(around(name)))
          continue;
        folder->curve = name.empty() ? "" : folder->curveName();
        if (!folder->curve.empty())
          folder->role = TensorboardFolder::Role::Curve;
        else if (folder->isSession() && joinsRun(*folder))
          folder->role = TensorboardFolder::Role::Session;
        else
          folder->role = TensorboardFolder::Role::Run;
      }
      const std::string owner = ownerOf(*folder);
      std::vector<std::string> names = folder->tags;
      if (!folder->curve.empty()) names = {folder->curve};
      if (!folder->curve.empty() && folder->tags.size() > 1)  // it turned out to be more than one curve
        for (std::size_t i = 1; i < folder->tags.size(); ++i)
          names.push_back(folder->name + "/" + folder->tags[i]);
      if (folder->changed()) m_changed.insert(owner);
      FATHOM_CHECK(runOf(owner).take(*folder, names, folder->role == TensorboardFolder::Role::Session));
      for (ImportedText& text : folder->texts.take()) m_texts[owner].push_back(std::move(text));
      folder->settled();
    }
    return {};
  }

  using Parts = std::map<std::string, std::vector<const TensorboardFolder*>>;
  // The folders of each run.
  Parts parts() const {
    Parts all;
    for (const auto& [name, folder] : m_folders)
      if (folder->role != TensorboardFolder::Role::Unknown) all[ownerOf(*folder)].push_back(folder.get());
    return all;
  }

  // The unreadable parts, by the run that says so: the one right around it, the first where there is none.
  std::map<std::string, std::vector<Phrase>> faults() const {
    std::map<std::string, std::vector<Phrase>> all;
    for (const auto& [name, folder] : m_folders) {
      if (folder->broken.empty() || m_runs.empty()) continue;
      std::string hearer = name;
      while (!hearer.empty() && !m_runs.contains(hearer)) hearer = around(hearer);
      if (!m_runs.contains(hearer)) hearer = m_runs.begin()->first;
      for (const auto& [path, error] : folder->broken) all[hearer].push_back(error.phrase());
    }
    return all;
  }

  ImportedRun describe(const std::string& name, const std::vector<const TensorboardFolder*>& folders,
                       bool closing) const {
    ImportedRun run;
    run.format = "tensorboard";
    run.name = name;
    ImportedOptions options;
    std::int64_t curves = 0;
    for (const TensorboardFolder* folder : folders) {
      std::vector<Phrase> ignored;
      options.add("", folder->options.finish(ignored));
      folder->warn(closing, run.warnings);
      if (folder->role == TensorboardFolder::Role::Curve) ++curves;
    }
    if (curves > 0)
      run.warnings.push_back(Phrase::tr("%1 folders of add_scalars are curves of this run")(curves));
    run.options = options.finish(run.warnings);
    if (const std::string group = around(name); !group.empty()) run.notes["group"] = plainText(group);
    return run;
  }

  // Texts of several folders of one run may be more than a run keeps.
  void giveTexts(const std::string& name, ImportedRun& run) {
    std::int64_t& kept = m_kept[name];
    run.texts = std::exchange(m_texts[name], {});
    kept += static_cast<std::int64_t>(run.texts.size());
    warnOfTexts(kept, 0, run.warnings);
  }

  Status give(const ImportSink& take, bool closing) {
    if (m_changed.empty() && !closing) return {};
    const Parts all = parts();
    const auto broken = faults();
    for (auto& [name, points] : m_runs) {
      if (!closing && !m_changed.contains(name)) continue;
      const auto folders = all.find(name);
      ImportedRun run = describe(
          name, folders == all.end() ? std::vector<const TensorboardFolder*>() : folders->second, closing);
      // A folder that only describes the experiment is no run, or none yet.
      if (m_folder && points->points.empty() && run.options.empty()) continue;
      if (const auto said = broken.find(name); said != broken.end())
        run.warnings.insert(run.warnings.end(), said->second.begin(), said->second.end());
      giveTexts(name, run);
      points->points.giveTo(run);
      m_given.insert(name);
      FATHOM_CHECK(take(std::move(run)));
    }
    m_changed.clear();
    return {};
  }

  std::string m_path;
  bool m_folder;
  FolderTree m_tree;
  std::map<std::string, std::unique_ptr<TensorboardFolder>> m_folders;
  std::map<std::string, std::unique_ptr<TensorboardRun>> m_runs;
  std::map<std::string, std::vector<ImportedText>> m_texts;
  std::map<std::string, std::int64_t> m_kept;
  std::set<std::string> m_known, m_changed;
  std::set<std::string> m_given;  // runs that were given once
};

// An event file begins with a length and its checksum; a folder may hold some.
// A folder that cannot be looked into is read, too: then it is said why.
bool mayHoldEventFiles(const std::string& folder) {
  const auto entries = treeBelow(folder);
  return !entries.ok() || std::any_of(entries->begin(), entries->end(), [](const auto& entry) {
    return entry.path().filename().string().find("tfevents") != std::string::npos;
  });
}

Claim tensorboardClaim(const SourceLook& look) {
  if (look.folder) return mayHoldEventFiles(look.path) ? Claim::Perhaps : Claim::Lacking;
  if (look.head.size() < 12) return Claim::No;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i)
    sum |= static_cast<std::uint32_t>(static_cast<unsigned char>(look.head[8 + i])) << (8 * i);
  return maskedCrc32c(std::string_view(look.head).substr(0, 8)) == sum ? Claim::Yes : Claim::No;
}

}  // namespace

// One event file, or a folder with one run in each sub-folder that holds event files; hyperparameters of the
// hparams plugin are the options. Sub-folders named by a time that hold nothing but hyperparameters and final
// values, all the same, belong to the run around them (PyTorch's add_hparams).
ImportEntry tensorboardRunEntry() {
  return {.id = "tensorboard",
          .title = "TensorBoard",
          .claims = tensorboardClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new TensorboardSource(path, options.state));
          }};
}

}  // namespace fathom
