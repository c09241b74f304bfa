// SPDX-License-Identifier: Apache-2.0
#include "core/engine/task_help.h"

#include <filesystem>

#include "core/base/text/text_list.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr std::size_t kTaskColumn = 20;

std::string inColumn(const std::string& word) {
  return "  " + word + std::string(word.size() < kTaskColumn ? kTaskColumn - word.size() : 1, ' ');
}

}  // namespace

std::string inputFormsHelp(const std::string& title) {
  std::string text = title + "\n";
  for (const TaskEntry& task : taskEntries()) {
    std::string example = task.inputExample;
    replaceAll(example, "\t", " TAB ");
    text += inColumn(task.id) + task.inputForm + "\n" + inColumn("") + "  " + example + "\n";
  }
  return text + "\n";
}

std::vector<std::string> tasksWithMadeData() {
  std::vector<std::string> ids;
  for (const TaskEntry& task : taskEntries())
    if (task.madeData.write != nullptr) ids.push_back(task.id);
  return ids;
}

std::string madeFilesHelp() {
  std::string text = "Tasks, and the files of each:\n";
  for (const std::string& id : tasksWithMadeData()) {
    const TaskEntry& task = *findTask(id);
    std::vector<std::string> names;
    for (const Json& file : task.madeData.files(""))
      names.push_back(std::filesystem::path(file.get<std::string>()).filename().string());
    text += inColumn(id) + task.title + ": " + joined(names) + "\n";
  }
  return text + "\n";
}

}  // namespace fathom
