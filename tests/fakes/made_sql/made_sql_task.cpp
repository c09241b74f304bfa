// SPDX-License-Identifier: Apache-2.0
// A task whose predictions are SQL, for the tests of their review. It has no objective: its runs and
// prediction sets are written by the tests.
#include "core/tasks/data_options.h"
#include "core/tasks/task.h"

namespace fathom {

TaskEntry madeSqlTaskEntry() {
  return {.id = "made_sql",
          .title = "Made SQL",
          .paper = "made for tests",
          .fields = {validationFileField(), testFileField()},
          .create = [](const OptionValues&, const TaskSetup&) -> Result<std::unique_ptr<Task>> {
            return usageError("task 'made_sql' cannot be trained");
          },
          .texts = {{"question", "Question", TextField::Role::Input}},
          .review = {"sql", {{"gold.validation", "data.validation"}, {"gold.test", "data.test"}}}};
}

}  // namespace fathom
