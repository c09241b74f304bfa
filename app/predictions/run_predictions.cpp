// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/predictions/run_predictions.h"

#include <algorithm>
#include <set>

#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"
#include "core/record/import/foreign_run.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_folder.h"
#include "core/review/review.h"
#include "core/tasks/task.h"

namespace fathom {

std::string RunPredictions::file(const std::string& part) const {
  const auto found = files.find(part);
  return found == files.end() ? std::string() : found->second;
}

Result<RunPredictions> runPredictions(const ReviewedRun& run, const std::string& project) {
  const TaskEntry* task = taskOf(run.options);
  if (task == nullptr || task->review.kind.empty())
    return usageError(Phrase::tr("the predictions of run %1 cannot be reviewed")(run.name));
  FATHOM_TRY(std::vector<PredictionSet> sets, predictionSets(run.folder));
  std::erase_if(sets, [](const PredictionSet& set) { return set.split.empty(); });  // free input has no gold
  if (sets.empty())
    return dataError(Phrase::tr("run %1 has no stored predictions")(run.name),
                     Phrase::tr("make them with: fathom-engine evaluate --run %1")(shellWord(run.folder)));
  RunPredictions found;
  found.split = sets.front().split;
  std::set<std::string> taken;
  for (const PredictionSet& set : sets) {
    if (set.split != found.split) continue;
    const std::string base = run.name + " · " + set.checkpoint;
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = base + " (" + std::to_string(i) + ")";
    found.sets.push_back({name, set.path});
  }
  Json options = run.options;
  findMovedFiles(options, run.folder, project);
  for (const auto& [part, key] : task->review.files)
    if (const Json value = options.value(key, Json()); value.is_string())
      found.files[part] = value.get<std::string>();
  // The run may have read its data in a folder that the options name, or as a share of the training file.
  if (const auto identity = RunFolder(run.folder).identity(); identity.ok())
    for (const Json& data : memberList(identity->provenance, "data"))
      found.read[memberText(data, "role")] = memberText(data, "path");
  return found;
}

namespace {

// A run of another program: its sets name their kind of review in place of a task and hold what is right.
Result<ReviewSources> foreignReviewSources(const ReviewedRun& run) {
  FATHOM_TRY(std::vector<PredictionSet> sets, predictionSets(run.folder));
  std::erase_if(sets, [](const PredictionSet& set) { return set.split.empty(); });
  if (sets.empty())
    return dataError(Phrase::tr("run %1 has no stored predictions")(run.name),
                     Phrase::tr("its program has to log a table of predictions and right answers"));
  const PredictionSet& newest = sets.front();
  const auto kind = findReviewKind(newest.task);
  if (!kind.ok() || !(*kind)->setIsGold)
    return dataErrorAt(newest.path, 1,
                       Phrase::tr("\"%1\" is no kind of review that a set is enough for")(newest.task),
                       Phrase::tr("its \"task\" may be class, number or translation"));
  ReviewSources sources;
  sources.kind = newest.task;
  sources.gold = newest.path;
  for (const PredictionSet& set : sets)
    if (set.split == newest.split && set.task == newest.task)
      sources.predictions.push_back({run.name + " · " + set.split + " · " + set.checkpoint, set.path});
  return sources;
}

bool isForeign(const ReviewedRun& run) {
  const auto identity = RunFolder(run.folder).identity();
  return identity.ok() && !importOrigin(identity->provenance).empty();
}

}  // namespace

Result<ReviewSources> runReviewSources(const ReviewedRun& run, const std::string& project) {
  if (isForeign(run)) return foreignReviewSources(run);
  FATHOM_TRY(const RunPredictions stored, runPredictions(run, project));
  const Json& options = run.options;
  const TaskEntry* task = taskOf(options);
  ReviewSources sources;
  sources.kind = task->review.kindFor(options);
  sources.gold = stored.file("gold." + stored.split);
  // The part is a file inside a folder, or what was kept apart of the training file.
  const auto readFrom = [&stored](const std::string& role) {
    const auto found = stored.read.find(role);
    return found != stored.read.end() && fileExists(found->second) ? found->second : std::string();
  };
  FATHOM_TRY(const ReviewKind* kind, findReviewKind(sources.kind));
  const auto isThere = [kind](const std::string& path) {
    return fileExists(path) || (kind->goldFolder && folderExists(path));
  };
  if (!task->review.files.empty() && !isThere(sources.gold)) {
    sources.gold = readFrom(stored.split);
    if (sources.gold.empty()) sources.gold = readFrom("train");
    sources.options["examples"] = "predicted";
  }
  if (sources.gold.empty() || !isThere(sources.gold)) {
    sources.gold = stored.sets.front().path;
    sources.options = Json::object();
  } else {
    if (memberText(options, "data.bad_lines") == "skip") sources.options["bad_lines"] = "skip";
    // A run that was not asked for an option makes no mistake by leaving it out.
    const auto isExamples = [](const ReviewOption& option) { return option.key == "examples"; };
    if (std::any_of(kind->options.begin(), kind->options.end(), isExamples))
      sources.options["examples"] = "predicted";
  }
  if (const std::string source = stored.file("source." + stored.split); !source.empty())
    sources.files["source"] = source;
  for (const ReviewFile& file : kind->files)
    if (const std::string path = stored.file(file.key); !path.empty()) sources.files[file.key] = path;
  for (const RunPredictions::Set& set : stored.sets) sources.predictions.push_back({set.name, set.path});
  return sources;
}

}  // namespace fathom
