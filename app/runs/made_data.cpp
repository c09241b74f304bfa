// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/made_data.h"

#include <algorithm>

#include "core/base/files/path_facts.h"
#include "core/base/options/entry_table.h"
#include "core/record/presets.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr std::uint64_t kGeneratedSeed = 1;

const DataMaker* makerOf(const TaskEntry* task) {
  return task != nullptr && task->madeData.write != nullptr ? &task->madeData : nullptr;
}

// Tasks name their files alike, so each has a folder of its own; the first one's lie where they always did.
std::string folderOf(const std::string& project, const TaskEntry& task) {
  const std::string data = project + "/data";
  return task.id == taskEntries().front().id ? data : data + "/" + task.id;
}

}  // namespace

bool usesMadeData(const std::string& preset) {
  const Preset* found = findEntry(presets(), preset);
  return found != nullptr && found->madeData;
}

Json madeDataFiles(const std::string& project, const TaskEntry* task) {
  const DataMaker* maker = makerOf(task);
  return maker == nullptr ? Json::object() : maker->files(folderOf(project, *task));
}

Status writeMadeData(const std::string& project, const TaskEntry* task) {
  const DataMaker* maker = makerOf(task);
  if (maker == nullptr) return usageError(Phrase::tr("this task has no made data"));
  FATHOM_TRY(const MadeData made,
             maker->write(folderOf(project, *task), kGeneratedSeed, MadeDataSize::Training));
  return {};
}

Status makeMissingData(const std::string& project, const OptionValues& values) {
  const TaskEntry* task = taskOf(values);
  const Json files = madeDataFiles(project, task);
  const std::string key = task == nullptr ? "" : task->data.train;
  if (project.empty() || !files.contains(key) || !values.schema().find(key) ||
      values.text(key) != files[key].get<std::string>())
    return {};
  const bool any = std::any_of(files.begin(), files.end(),
                               [](const Json& file) { return fileExists(file.get<std::string>()); });
  return any ? Status() : writeMadeData(project, task);
}

}  // namespace fathom
