// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sample/sample_project.h"

#include <algorithm>

#include "app/runs/made_data.h"
#include "app/runs/run_control.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/record/presets.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

Result<RunConfig> sampleConfig(const EngineDescription& engine, const SampleRun& run,
                               const std::string& project) {
  TrainingRequest request;
  request.preset = run.preset;
  request.name = run.name;
  request.project = project;
  request.assignments.insert(
      request.assignments.end(),
      {"encoder.residual=" + run.scheme, "decoder.residual=" + run.scheme, "device=cpu", "threads=1",
       "analysis.epoch_norms=true"});  // one backward pass an epoch
  return trainingConfig(engine, request);
}

}  // namespace

const std::vector<SampleRun>& sampleRuns() {
  static const std::vector<SampleRun> runs = {{"2 layers Post-LN", "sample_small", "post_ln", 1, 800},
                                              {"12 layers Post-LN", "sample_deep_short", "post_ln", 5, 500},
                                              {"12 layers Pre-LN", "sample_deep_short", "pre_ln", 5, 500},
                                              {"12 layers Admin", "sample_deep_short", "admin", 5, 500}};
  return runs;
}

Result<std::unique_ptr<ProjectLibrary>> openSampleProject(const std::string& project) {
  FATHOM_TRY(auto library, ProjectLibrary::openOrCreate(project));
  FATHOM_TRY(const Preset preset, findPreset(sampleRuns().front().preset));
  const TaskEntry* task = taskOf(preset.options);
  const Json files = madeDataFiles(project, task);
  const std::string mark = project + kSampleMark;
  if (!library->readOnly() && !fileExists(mark)) FATHOM_CHECK(writeFileAtomically(mark, "{\"format\": 1}\n"));
  const bool all = std::all_of(files.begin(), files.end(),
                               [](const Json& file) { return fileExists(file.get<std::string>()); });
  if (!all) FATHOM_CHECK(writeMadeData(project, task));
  return library;
}

Result<std::vector<QueueEntry>> sampleEntries(ProjectLibrary& library, const EngineDescription& engine) {
  const QueueFolder queue(library.path());
  FATHOM_TRY(QueueSettings settings, queue.settings());
  settings.concurrentCpuRuns = std::max(settings.concurrentCpuRuns, static_cast<int>(sampleRuns().size()));
  FATHOM_CHECK(queue.setSettings(settings));
  FATHOM_TRY(const auto rows, sampleRunRows(library));
  FATHOM_TRY(const auto entries, queue.entries());
  std::vector<QueueEntry> missing;
  for (const SampleRun& run : sampleRuns()) {
    const bool waits = std::any_of(entries.begin(), entries.end(), [&](const QueueEntry& entry) {
      return entry.config.value("name", "") == run.name;
    });
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const RunRow& r) { return r.name == run.name; });
    if (waits || (row != rows.end() && (isDone(row->state) || isOpen(row->state)))) continue;
    if (row != rows.end() && row->state == RunState::Stopped) {
      FATHOM_TRY(QueueEntry entry, resumeEntry(library.path(), row->path));
      missing.push_back(std::move(entry));
    } else {
      FATHOM_TRY(const RunConfig config, sampleConfig(engine, run, library.path()));
      missing.push_back(trainingEntry(library.path(), config));
    }
  }
  return missing;
}

Result<std::vector<RunRow>> sampleRunRows(ProjectLibrary& library) {
  FATHOM_TRY(const auto all, listRuns(library));
  std::vector<RunRow> rows;
  for (const SampleRun& run : sampleRuns()) {
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [&](const RunRow& r) { return r.name == run.name; });
    if (found != all.rend()) rows.push_back(*found);
  }
  return rows;
}

}  // namespace fathom
