// SPDX-License-Identifier: Apache-2.0
// A task whose predictions are SQL, for the tests of their review. It has no objective: its runs and
// prediction sets are written by the tests.
#include "core/tasks/data_options.h"
#include "core/tasks/task.h"

namespace fathom {

TaskEntry madeSqlTaskEntry() {
  TaskEntry entry;
  entry.id = "made_sql";
  entry.title = "Made SQL";
  entry.paper = "made for tests";
  entry.fields = {validationFileField(), testFileField()};
  entry.create = [](const OptionValues&, const TaskSetup&) -> Result<std::unique_ptr<Task>> {
    return usageError("task 'made_sql' cannot be trained");
  };
  entry.texts = {{"question", "Question", TextField::Role::Input}};
  entry.review = {"sql", {{"gold.validation", "data.validation"}, {"gold.test", "data.test"}}};
  return entry;
}

}  // namespace fathom
