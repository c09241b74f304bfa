// SPDX-License-Identifier: Apache-2.0
// trainer_state.json of Hugging Face's Trainer: the whole history stands in that of the highest checkpoint-N,
// or in that of the output folder.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/text/number_text.h"
#include "core/imports/event_files_beside.h"
#include "core/imports/formats/python_json.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStateName = "trainer_state.json";
constexpr std::size_t kMaxStateBytes = std::size_t{512} << 20;

// N of ".../checkpoint-N", -1 for another folder.
std::int64_t checkpointNumber(const fs::path& folder) {
  const std::string name = folder.filename().string();
  constexpr std::string_view kBegin = "checkpoint-";
  return name.starts_with(kBegin) ? numberFrom<std::int64_t>(name.substr(kBegin.size())).value_or(-1) : -1;
}

class TrainerSource : public ImportSource {
 public:
  TrainerSource(const std::string& path, const Json& state) : m_path(path), m_folder(folderExists(path)) {
    for (const auto& [name, item] : memberObject(state, "runs").items()) {
      Run& run = runOf(ofRecord(name));
      run.points.restore(memberObject(item, "points"));
      run.stamp = ofRecord(memberText(item, "stamp"));
      for (const Json& sum : memberList(item, "entries")) run.entries.push_back(sum.get<std::uint32_t>());
    }
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_TRY(const auto files, stateFiles(stop));
    if (files.empty()) return dataErrorAt(m_path, 0, Phrase::tr("no trainer_state.json in this folder"));
    for (const auto& [name, file] : files) {
      Run& run = runOf(name);
      const std::string stamp = stampOf(file);
      if (stamp.empty() || stamp == run.stamp) continue;
      const Status status = readState(file, run);
      // It is written whole, in its place: half a file is looked at again.
      if (!status.ok()) {
        m_broken.insert_or_assign(name, status.error());
        continue;
      }
      m_broken.erase(name);
      run.stamp = stamp;
      FATHOM_CHECK(give(name, run, {}, take));
    }
    return SourceState::Later;
  }

  // One state that is none does not take the others along: the run it belongs to says so, or the first.
  Status close(const ImportSink& take) override {
    const auto readOnce = [](const auto& item) { return !item.second->stamp.empty(); };
    const auto first = std::find_if(m_runs.begin(), m_runs.end(), readOnce);
    for (const auto& [name, error] : m_broken) {
      if (first == m_runs.end()) return error;
      const auto own = m_runs.find(name);
      const auto hearer = own != m_runs.end() && readOnce(*own) ? own : first;
      hearer->second->faults.push_back(error.phrase());
    }
    for (const auto& [name, run] : m_runs)
      if (!run->faults.empty()) FATHOM_CHECK(give(name, *run, run->faults, take));
    return {};
  }

  Json state() const override {
    Json json = {{"runs", Json::object()}};
    for (const auto& [name, run] : m_runs)
      json["runs"][recordText(name)] = {
          {"points", run->points.state()}, {"stamp", recordText(run->stamp)}, {"entries", run->entries}};
    return json;
  }

 private:
  struct Run {
    explicit Run(const std::string& path) : points(path) {}
    ImportedPoints points;
    ImportedOptions options;
    Json scores = Json::object();
    std::string stamp;
    std::vector<std::uint32_t> entries;  // sums of those of the history that were taken
    std::vector<Phrase> faults;
  };

  Run& runOf(const std::string& name) {
    auto& run = m_runs[name];
    if (run == nullptr) run = std::make_unique<Run>(m_path);
    return *run;
  }

  static std::string stampOf(const std::string& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) return {};
    return file + ":" + std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" +
           std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
  }

  // The step that a state was saved at, the last one of all where it does not say; it is read when it
  // changed.
  double stepOf(const std::string& file) {
    const std::string stamp = stampOf(file);
    auto& [known, step] = m_steps[file];
    if (known == stamp) return step;
    known = stamp;
    step = std::numeric_limits<double>::infinity();
    const auto text = readFile(file, kMaxStateBytes);
    if (!text.ok()) return step;
    const auto json = parsePythonJson(*text, file, {64, kMaxStateBytes, true});
    if (json.ok()) step = jsonReading(memberOr(*json, "global_step")).value_or(step);
    return step;
  }

  // True if the state of an output folder is newer than that of its highest checkpoint, by the step and, at
  // the same one, by the clock: what was trained on since then has newer checkpoints.
  bool outranks(const std::string& root, const std::string& checkpoint, std::int64_t number) {
    const double step = stepOf(root);
    if (step != static_cast<double>(number)) return step > static_cast<double>(number);
    std::error_code first, second;
    const auto own = fs::last_write_time(root, first), other = fs::last_write_time(checkpoint, second);
    return first || second || own >= other;
  }

  // The newest state of each output folder, by its name below the folder that was named.
  Result<std::map<std::string, std::string>> stateFiles(const StopToken& stop) {
    std::map<std::string, std::string> files;
    if (!m_folder) {
      files[""] = m_path;
      return files;
    }
    std::map<std::string, std::int64_t> best;
    std::map<std::string, std::string> roots;
    FATHOM_TRY(const auto entries, treeBelow(m_path));
    for (const auto& entry : entries) {
      if (stop.stopRequested()) return interruptedError();
      if (entry.path().filename() != kStateName) continue;
      const fs::path folder = entry.path().parent_path();
      const std::int64_t number = checkpointNumber(folder);
      const fs::path output = number < 0 ? folder : folder.parent_path();
      std::string name = output.lexically_relative(m_path).string();
      // The folder that was named may be a checkpoint itself.
      if (name == "." || name.starts_with("..")) name.clear();
      if (number < 0) {
        roots[name] = entry.path().string();
        continue;
      }
      const auto [known, added] = best.try_emplace(name, number);
      if (!added && known->second >= number) continue;
      known->second = number;
      files[name] = entry.path().string();
    }
    for (const auto& [name, root] : roots) {
      const auto checkpoint = files.find(name);
      if (checkpoint == files.end() || outranks(root, checkpoint->second, best.at(name))) files[name] = root;
    }
    return files;
  }

  static Status readState(const std::string& file, Run& run) {
    FATHOM_TRY(const std::string text, readFile(file, kMaxStateBytes));
    FATHOM_TRY(const Json json, parsePythonJson(text, file, {64, kMaxStateBytes, true}));
    const Json& history = memberList(json, "log_history");
    if (!json.is_object() || !json.contains("log_history"))
      return dataErrorAt(file, 0, Phrase::tr("there is no log_history in it"));
    std::vector<std::uint32_t> sums;
    for (const Json& entry : history)
      sums.push_back(crc32c(entry.dump(-1, ' ', false, Json::error_handler_t::replace)));
    // Older states are the beginning of newer ones; another list is another training.
    std::size_t same = 0;
    while (same < sums.size() && same < run.entries.size() && sums[same] == run.entries[same]) ++same;
    double from = std::numeric_limits<double>::infinity();  // what gives way, and comes again
    if (same < run.entries.size() && same < sums.size()) {
      from = leastStep(history, same);
      run.points.beginAttempt();
      run.points.giveWay({}, from);
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (i >= same || jsonReading(memberOr(history[i], "step")).value_or(-1) >= from)
        FATHOM_CHECK(takeEntry(history[i], run));
    if (sums.size() > same) run.entries = std::move(sums);
    run.options.add("", memberObject(json, "trial_params"));
    readModel(file, run);
    return {};
  }

  static const Json& memberOr(const Json& entry, const char* key) {
    static const Json kNone;
    const auto found = entry.is_object() ? entry.find(key) : entry.end();
    return entry.is_object() && found != entry.end() ? *found : kNone;
  }

  // The least step of the entries from `begin` on, 0 where none has one.
  static double leastStep(const Json& history, std::size_t begin) {
    std::optional<double> least;
    for (std::size_t i = begin; i < history.size(); ++i)
      if (const auto step = jsonReading(memberOr(history[i], "step")))
        least = std::min(least.value_or(*step), *step);
    return least.value_or(0);
  }

  static Status takeEntry(const Json& entry, Run& run) {
    const auto step = jsonReading(memberOr(entry, "step"));
    if (!step) return {};
    // The last entry states what the whole run came to.
    const bool final = entry.contains("train_runtime");
    const ImportedPoints::Axes axes{
        .step = *step,
        .epoch = jsonReading(memberOr(entry, "epoch")).value_or(kNaN),
        .tokens = jsonReading(memberOr(entry, "num_input_tokens_seen")).value_or(kNaN)};
    for (const auto& [key, value] : entry.items()) {
      const auto number = jsonReading(value);
      if (!number || key == "step" || key == "epoch" || key == "num_input_tokens_seen") continue;
      if (final)
        run.scores[key] = jsonReal(*number);
      else
        FATHOM_CHECK(run.points.add(key, axes, *number));
    }
    return {};
  }

  // The model's config.json lies beside it.
  static void readModel(const std::string& file, Run& run) {
    const auto json = readJsonFile((fs::path(file).parent_path() / "config.json").string(),
                                   {32, std::size_t{4} << 20, true});
    if (!json.ok() || !json->is_object()) return;
    for (const char* key :
         {"model_type", "num_hidden_layers", "num_attention_heads", "hidden_size", "vocab_size"})
      if (const auto found = json->find(key); found != json->end())
        run.options.add(std::string("model.") + key, *found);
  }

  static Status give(const std::string& name, Run& from, const std::vector<Phrase>& faults,
                     const ImportSink& take) {
    ImportedRun run;
    run.format = "hf_trainer";
    run.name = name;
    run.warnings = faults;
    run.options = from.options.finish(run.warnings);
    run.scores = from.scores;
    from.points.giveTo(run);
    return take(std::move(run));
  }

  std::string m_path;
  bool m_folder;
  std::map<std::string, std::pair<std::string, double>> m_steps;  // of states: stamp and step
  std::map<std::string, Error> m_broken;  // by run: its newest state, while it is none
  std::map<std::string, std::unique_ptr<Run>> m_runs;
};

// A state, an output folder, or a folder of some; TensorBoard's files may lie below them, too.
Claim trainerClaim(const SourceLook& look) {
  if (!look.folder)
    return fs::path(look.path).filename() == kStateName ||
                   look.head.find("\"log_history\"") != std::string::npos
               ? Claim::Yes
               : Claim::No;
  const auto holds = [](const fs::path& folder) {
    if (fileExists((folder / kStateName).string())) return true;
    const auto inside = entriesIn(folder.string());
    return inside.ok() && std::any_of(inside->begin(), inside->end(), [](const auto& entry) {
             return checkpointNumber(entry.path()) >= 0 && fileExists((entry.path() / kStateName).string());
           });
  };
  if (holds(look.path)) return Claim::Yes;
  const auto inside = entriesIn(look.path);
  const bool any = inside.ok() && std::any_of(inside->begin(), inside->end(),
                                              [&](const auto& entry) { return holds(entry.path()); });
  return any ? Claim::Yes : Claim::No;
}

}  // namespace

ImportEntry hfTrainerRunEntry() {
  return {.id = "hf_trainer",
          .title = "Hugging Face Trainer",
          .claims = trainerClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            auto source = std::make_unique<TrainerSource>(path, stateBesideEvents(options.state));
            if (!folderExists(path) || options.eventsElsewhere)
              return std::unique_ptr<ImportSource>(std::move(source));
            return withEventFiles(std::move(source), path, options.state);
          }};
}

}  // namespace fathom
