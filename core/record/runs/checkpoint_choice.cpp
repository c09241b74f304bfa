// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/checkpoint_choice.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

// Checkpoints that are there but cannot be used, by what is said about them.
std::map<std::string, Phrase> damagedCheckpoints(const std::string& runPath) {
  std::map<std::string, Phrase> damaged;
  for (const std::string& name : unreadableCheckpoints(runPath))
    damaged[name] = Phrase::tr("is damaged: its manifest cannot be read");
  for (const auto& entry : seenIn(RunFolder(runPath).checkpointsPath())) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(kDamagedSuffix)) continue;
    const std::string name = file.substr(0, file.size() - std::string(kDamagedSuffix).size());
    damaged.emplace(name, Phrase::tr("is damaged and was set aside as %1")(file));
  }
  return damaged;
}

Error noCheckpoint(const std::string& runPath, const Phrase& hint = {}) {
  return dataError(Phrase::tr("run %1 has no usable checkpoint")(runPath), hint);
}

Error noSuch(const std::string& runPath, const std::string& wanted,
             const std::vector<CheckpointManifest>& all) {
  const std::string known =
      joined(all, ", ", [](const CheckpointManifest& manifest) { return manifest.name; });
  const Phrase hint = known.empty() ? Phrase::tr("it has none at all") : Phrase::tr("there are: %1")(known);
  const auto damaged = damagedCheckpoints(runPath);
  std::vector<std::string> names;
  for (const auto& [name, how] : damaged) names.push_back(name);
  if (const auto named = chooseAmong(names, wanted)) {
    return dataError(Phrase::tr("checkpoint %1 of run %2 %3")(*named, runPath, damaged.at(*named)),
                     known.empty() ? Phrase::tr("it has no other") : hint);
  }
  return unavailableError(Phrase::tr("run %1 has no checkpoint '%2'")(runPath, wanted), hint);
}

}  // namespace

std::optional<std::int64_t> checkpointStep(const std::string& name) {
  if (name == "init") return 0;
  const auto dash = name.find('-');
  return dash == std::string::npos ? std::nullopt : numberFrom<std::int64_t>(name.substr(dash + 1));
}

std::optional<std::string> chooseAmong(const std::vector<std::string>& names, const std::string& wanted) {
  const bool until = wanted.rfind("<=", 0) == 0;
  const auto number = numberFrom<std::int64_t>(until ? wanted.substr(2) : wanted);
  std::int64_t best = -1;
  std::optional<std::string> chosen;
  for (const std::string& name : names) {
    if (name == wanted) return name;
    const std::int64_t step = checkpointStep(name).value_or(-1);
    if (!number || step < 0 || (until ? step > *number : step != *number) || step < best) continue;
    if (step == best && chosen && *chosen > name) continue;  // a later attempt has the larger name
    best = step;
    chosen = name;
  }
  return chosen;
}

Result<std::string> usableCheckpoint(const std::string& runPath, std::vector<std::string>& damaged) {
  FATHOM_CHECK(checkpointsCanBeSeen(runPath));
  if (const auto newest = newestGoodCheckpoint(runPath, &damaged)) return newest->path;
  return noCheckpoint(runPath, damaged.empty() ? Phrase() : Phrase::tr("damaged: %1")(joined(damaged)));
}

Result<CheckpointManifest> chooseCheckpoint(const std::string& runPath, const std::string& wanted) {
  FATHOM_CHECK(checkpointsCanBeSeen(runPath));
  const std::vector<CheckpointManifest> all = listCheckpoints(runPath);
  if (wanted.empty() && all.empty()) return noCheckpoint(runPath);
  if (wanted.empty()) return all.back();
  const CheckpointManifest* chosen = nullptr;
  std::vector<std::string> names;
  for (const CheckpointManifest& manifest : all) names.push_back(manifest.name);
  const auto named = chooseAmong(names, wanted);
  for (const CheckpointManifest& manifest : all) {
    const bool better =
        wanted == "best" && manifest.score() && (chosen == nullptr || *manifest.score() < *chosen->score());
    if (better || manifest.name == named) chosen = &manifest;
  }
  if (chosen != nullptr) return *chosen;
  if (wanted == "best")
    return unavailableError(Phrase::tr("run %1 has no checkpoint with a score")(runPath),
                            Phrase::tr("name one"));
  return noSuch(runPath, wanted, all);
}

std::vector<std::string> checkpointWords(const std::string& runPath, const std::string& argument) {
  std::vector<std::string> words;
  if (argument == kAllCheckpoints) {
    std::map<std::int64_t, std::string> byStep;
    for (const CheckpointManifest& manifest : listCheckpoints(runPath)) byStep[manifest.step] = manifest.name;
    words.emplace_back("init");
    for (const auto& [step, name] : byStep) words.push_back(name);
    return words;
  }
  if (argument.find(',') == std::string::npos || folderExists(argument)) return {argument};
  std::istringstream parts(argument);
  for (std::string word; std::getline(parts, word, ',');)
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  return words.empty() ? std::vector<std::string>{argument} : words;
}

}  // namespace fathom
