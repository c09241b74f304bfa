// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/window/train/new_run_controller.h"
#include "core/tasks/linked_examples.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr std::int64_t kExamplesPerSplit = 200;

}  // namespace

Result<DataSummary> readDataSummary(const OptionValues& options, Progress& progress, const StopToken& stop) {
  const TaskEntry* entry = taskOf(options);
  if (entry == nullptr)
    return usageError(Phrase::tr("task '%1' cannot be read by the window")(options.text("task")));
  TaskSetup setup;
  setup.progress = &progress;
  setup.stop = stop;
  FATHOM_TRY(auto made, entry->create(options, setup));
  const std::shared_ptr<const Task> task = std::move(made);
  DataSummary summary;
  if (const auto* links = dynamic_cast<const LinkedExamples*>(task.get()))
    summary.links = std::shared_ptr<const LinkedExamples>(task, links);
  for (const DataHash& hash : task->dataHashes()) summary.data += fromUtf8(hash.sha256) + QLatin1Char(' ');
  summary.statistics = task->statistics();
  summary.shown = entry->statistics;
  summary.texts = entry->texts;
  for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test}) {
    summary.counts[fromUtf8(dataSplitName(split))] = task->exampleCount(split);
    const std::int64_t count = std::min(kExamplesPerSplit, task->exampleCount(split));
    for (std::int64_t i = 0; i < count; ++i) {
      const ExampleTexts texts = task->exampleTexts(split, ExampleId{i});
      DataSummary::Example example{fromUtf8(dataSplitName(split)), i, {}};
      for (const auto& [name, text] : texts) example.texts.append(fromUtf8(text));
      summary.examples.append(example);
    }
  }
  return summary;
}

}  // namespace fathom
