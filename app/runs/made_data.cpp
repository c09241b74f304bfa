// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/made_data.h"

#include <algorithm>

#include "core/base/files/path_facts.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr std::uint64_t kGeneratedSeed = 1;

const DataMaker* makerOf(const TaskEntry* task) {
  return task != nullptr && task->madeData.write != nullptr ? &task->madeData : nullptr;
}

std::string folderOf(const std::string& project) {
  return project + "/data";
}

}  // namespace

bool usesMadeData(const std::string& preset) {
  return preset.rfind("sample_", 0) == 0;
}

Json madeDataFiles(const std::string& project, const TaskEntry* task) {
  const DataMaker* maker = makerOf(task);
  return maker == nullptr ? Json::object() : maker->files(folderOf(project));
}

Status writeMadeData(const std::string& project, const TaskEntry* task) {
  const DataMaker* maker = makerOf(task);
  if (maker == nullptr) return usageError(Phrase::tr("this task has no generated sample"));
  FATHOM_TRY(const MadeData made, maker->write(folderOf(project), kGeneratedSeed, MadeDataSize::Training));
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
