// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/run_predictions.h"

#include <set>

#include "core/base/json/json_members.h"
#include "core/base/text/shell_word.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"

namespace fathom {

std::string RunPredictions::file(const std::string& part) const {
  const auto found = files.find(part);
  return found == files.end() ? std::string() : found->second;
}

Result<RunPredictions> runPredictions(const RunItem& run, const TaskEntry& task, const std::string& project) {
  std::vector<PredictionSet> sets = predictionSets(toUtf8(run.folder));
  std::erase_if(sets, [](const PredictionSet& set) { return set.split.empty(); });  // free input has no gold
  if (sets.empty())
    return dataError(
        Phrase::tr("run %1 has no stored predictions")(toUtf8(run.name)),
        Phrase::tr("make them with: fathom-engine evaluate --run %1")(shellWord(toUtf8(run.folder))));
  RunPredictions found;
  found.split = sets.front().split;
  std::set<std::string> taken;
  for (const PredictionSet& set : sets) {
    if (set.split != found.split) continue;
    const std::string base = toUtf8(run.name) + " · " + set.checkpoint;
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = base + " (" + std::to_string(i) + ")";
    found.sets.push_back({name, set.path});
  }
  Json options = run.config.toJson();
  findMovedFiles(options, toUtf8(run.folder), project);
  for (const auto& [part, key] : task.review.files)
    if (const Json value = options.value(key, Json()); value.is_string())
      found.files[part] = value.get<std::string>();
  // What was read may lie in a folder that the options name, or be a share of the training file.
  if (const auto identity = RunFolder(toUtf8(run.folder)).identity(); identity.ok())
    for (const Json& data : memberList(identity->provenance, "data"))
      found.read[memberText(data, "role")] = memberText(data, "path");
  return found;
}

}  // namespace fathom
