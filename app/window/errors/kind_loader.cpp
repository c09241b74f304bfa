// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/kind_loader.h"

#include <algorithm>
#include <set>
#include <thread>

#include "core/base/files/path_facts.h"
#include "core/base/text/shell_word.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/moved_files.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr const char* kKindSetting = "errors.kind_review";
constexpr unsigned kMostKindThreads = 8;

}  // namespace

Result<std::unique_ptr<OpenKindReview>> loadKindReview(const std::string& project, const KindSources& sources,
                                                       Progress& progress, const StopToken& stop) {
  auto open = std::make_unique<OpenKindReview>();
  const int threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, kMostKindThreads));
  FATHOM_TRY(open->review, openKindReview(sources, threads, progress, stop));
  FATHOM_TRY(open->library, ProjectLibrary::open(project));
  FATHOM_TRY(auto judgements, KindJudgements::load(open->review, open->library.get()));
  open->judgements.emplace(std::move(judgements));
  if (!open->library->readOnly()) {
    FATHOM_TRY(const Json before, open->library->setSetting(kKindSetting, sources.toJson()));
  }
  return open;
}

Result<std::optional<KindSources>> rememberedKindReview(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const Json stored, library->setting(kKindSetting, Json()));
  if (!stored.is_object()) return std::optional<KindSources>();
  FATHOM_TRY(KindSources sources, kindSourcesFromJson(stored));
  return std::optional<KindSources>(std::move(sources));
}

Status forgetKindReview(ProjectLibrary& library) {
  FATHOM_TRY(const Json stored, library.setting(kKindSetting, Json()));
  if (!stored.is_object()) return {};
  FATHOM_TRY(const Json before, library.setSetting(kKindSetting, Json()));
  return {};
}

std::string reviewKindOfRun(const RunItem& run) {
  const Json options = run.config.toJson();
  const TaskEntry* task = taskOf(options);
  return task == nullptr ? std::string() : task->review.kindFor(options);
}

Result<KindSources> runKindSources(const RunItem& run, const std::string& project) {
  Json options = run.config.toJson();
  const TaskEntry* task = taskOf(options);
  if (task == nullptr || task->review.kind.empty())
    return usageError(Phrase::tr("the predictions of run %1 cannot be reviewed")(toUtf8(run.name)));
  std::vector<PredictionSet> sets = predictionSets(toUtf8(run.folder));
  std::erase_if(sets, [](const PredictionSet& set) { return set.split.empty(); });  // free input has no gold
  if (sets.empty())
    return dataError(
        Phrase::tr("run %1 has no stored predictions")(toUtf8(run.name)),
        Phrase::tr("make them with: fathom-engine evaluate --run %1")(shellWord(toUtf8(run.folder))));
  findMovedFiles(options, toUtf8(run.folder), project);
  const auto fileOf = [&](const std::string& part) -> std::string {
    const auto key = task->review.files.find(part);
    const Json value = key == task->review.files.end() ? Json() : options.value(key->second, Json());
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  KindSources sources;
  sources.kind = task->review.kindFor(options);
  const std::string split = sets.front().split;
  sources.gold = fileOf("gold." + split);
  if (sources.gold.empty() || !fileExists(sources.gold)) sources.gold = sets.front().path;
  if (const std::string source = fileOf("source." + split); !source.empty()) sources.files["source"] = source;
  std::set<std::string> taken;
  for (const PredictionSet& set : sets) {
    if (set.split != split) continue;
    const std::string base = toUtf8(run.name) + " · " + set.checkpoint;
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = base + " (" + std::to_string(i) + ")";
    sources.predictions.push_back({name, set.path});
  }
  return sources;
}

}  // namespace fathom
