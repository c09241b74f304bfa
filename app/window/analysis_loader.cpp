// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/analysis_loader.h"

#include <algorithm>
#include <set>

#include "app/library_source.h"
#include "core/record/checkpoint_choice.h"
#include "views/figures/figure_entry.h"

namespace fathom {

namespace {

// `wanted` empty: all of them.
Result<std::vector<RunRow>> rowsOf(const std::vector<AnalysisRun>& runs,
                                   const std::vector<std::string>& wanted = {}) {
  std::vector<RunRow> rows;
  for (const AnalysisRun& run : runs) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), run.uuid) == wanted.end()) continue;
    FATHOM_TRY(RunRow row, readRunRow(run.folder));
    row.name = run.name;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<AnalysisRun> chosenRuns(const AnalysisAsk& ask) {
  if (!ask.chooseRun || ask.runs.empty()) return ask.runs;
  for (auto run = ask.runs.rbegin(); run != ask.runs.rend(); ++run) {
    RunRow row;
    row.path = run->folder;
    row.identity.uuid = run->uuid;
    if (!storedRequests(ask.project, row, ask.recipe.figure).empty()) return {*run};
  }
  return {ask.runs.back()};
}

// Of the probe's options those that the figure has too: they say which result is meant.
bool hasResult(LibrarySource& source, const AnalysisAsk& ask, const std::string& run, std::int64_t step,
               std::size_t runs) {
  return source.hasProbed(run, ask.recipe.figure, checkpointWord(step, runs), ask.options);
}

void findPlaces(LibrarySource& source, const AnalysisAsk& ask, LoadedAnalysis* loaded) {
  std::set<std::int64_t> steps = {0};
  for (const RunRow& row : source.rows()) {
    if (ask.initialOnly) break;
    for (const CheckpointManifest& kept : listCheckpoints(row.path)) steps.insert(kept.step);
    for (const std::string& name : source.probedCheckpoints(row.identity.uuid, ask.recipe.figure))
      if (const auto step = checkpointStep(name)) steps.insert(*step);
  }
  for (const std::int64_t step : steps) {
    bool complete = true;
    for (const std::string& run : loaded->runs)
      complete = complete && hasResult(source, ask, run, step, loaded->runs.size());
    loaded->places.append({step, complete});
  }
  // The place asked for, or the nearest; the newest that is computed where nothing was asked for.
  const auto distance = [&](const CheckpointPlace& place) { return std::abs(place.step - ask.step); };
  loaded->step = loaded->places.last().step;
  if (ask.step >= 0) {
    loaded->step = std::min_element(loaded->places.begin(), loaded->places.end(), [&](auto& a, auto& b) {
                     return distance(a) < distance(b);
                   })->step;
  } else {
    for (const CheckpointPlace& place : loaded->places)
      if (place.complete) loaded->step = place.step;
  }
}

// What text options may be: attentions and stacks of the model, checkpoints.
void findOffers(LibrarySource& source, const AnalysisAsk& ask, const std::string& checkpoint,
                LoadedAnalysis* loaded) {
  std::vector<std::string>& beside = loaded->offers["beside"];
  for (const CheckpointPlace& place : loaded->places)
    if (place.complete && place.step != loaded->step)
      beside.push_back(checkpointWord(place.step, loaded->runs.size()));
  const auto there = std::find_if(loaded->runs.begin(), loaded->runs.end(), [&](const std::string& run) {
    return std::find(loaded->missing.begin(), loaded->missing.end(), run) == loaded->missing.end();
  });
  const auto probed = source.probedWith(*there, ask.recipe.figure, checkpoint, ask.options);
  if (!probed.ok() || !probed->result.is_object()) return;
  const auto text = [](const Json& json, const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>()
                                                                           : std::string();
  };
  for (const Json& attention : probed->result.value("attentions", Json::array()))
    loaded->offers["attention"].push_back(text(attention, "stack") + "." + text(attention, "kind"));
  for (const Json& stack : probed->result.value("stacks", Json::array()))
    loaded->offers["stack"].push_back(text(stack, "stack"));
}

// What is missing does not hide what is there.
std::vector<RunRow> rowsWithResult(const LibrarySource& source, const LoadedAnalysis& loaded) {
  std::vector<RunRow> rows;
  for (const RunRow& row : source.rows())
    if (std::find(loaded.missing.begin(), loaded.missing.end(), row.identity.uuid) == loaded.missing.end())
      rows.push_back(row);
  return rows;
}

void build(LibrarySource& source, LoadedAnalysis* loaded) {
  auto figure = buildFigure(loaded->recipe, source);
  if (!figure.ok()) {
    loaded->problem = figure.error();
    return;
  }
  loaded->figure = std::move(*figure);
}

}  // namespace

std::string checkpointWord(std::int64_t step, std::size_t runs) {
  if (step == 0) return "init";
  return (runs > 1 ? "<=" : "") + std::to_string(step);
}

Result<LoadedAnalysis> loadAnalysis(const AnalysisAsk& ask, const StopToken& stop) {
  const std::vector<AnalysisRun> runs = chosenRuns(ask);
  FATHOM_TRY(auto rows, rowsOf(runs));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, std::move(rows)));
  LoadedAnalysis loaded;
  for (const AnalysisRun& run : runs) loaded.runs.push_back(run.uuid);
  loaded.recipe = ask.recipe;
  loaded.recipe.runs = loaded.runs;
  if (loaded.runs.empty()) return loaded;
  if (ask.probed) {
    findPlaces(*source, ask, &loaded);
    if (stop.stopRequested()) return interruptedError();
    const std::string word = checkpointWord(loaded.step, runs.size());
    loaded.recipe.options["checkpoint"] = word;
    for (const std::string& run : loaded.runs)
      if (!hasResult(*source, ask, run, loaded.step, runs.size())) loaded.missing.push_back(run);
    if (loaded.missing.size() == loaded.runs.size()) return loaded;
    findOffers(*source, ask, word, &loaded);
  }
  FATHOM_TRY(const auto drawn, LibrarySource::open(ask.project, rowsWithResult(*source, loaded)));
  loaded.recipe.runs = drawn->runs();
  build(*drawn, &loaded);
  return loaded;
}

Result<std::optional<FigureSpec>> loadDetail(const AnalysisAsk& ask, const FigureRecipe& recipe) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  std::optional<FigureSpec> detail;
  if (!entry.detail || ask.selection.empty()) return detail;
  FATHOM_TRY(auto rows, rowsOf(ask.runs, recipe.runs));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, std::move(rows)));
  // What is selected may be of another figure: then there is nothing more to see.
  if (auto built = buildDetail(recipe, *source, ask.selection); built.ok()) detail = std::move(*built);
  return detail;
}

Result<int> computeAnalyses(const AnalysisAsk& ask, const std::vector<std::int64_t>& steps, AnalysisWish wish,
                            Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto rows, rowsOf(ask.runs));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, rows));
  int computed = 0;
  for (const std::int64_t step : steps) {
    for (const RunRow& row : rows) {
      if (stop.stopRequested()) return interruptedError();
      if (hasResult(*source, ask, row.identity.uuid, step, rows.size())) continue;
      wish.checkpoint = source->checkpointOf(row.identity.uuid, checkpointWord(step, rows.size()));
      FATHOM_TRY(const StoredAnalysis stored, computeAnalysis(ask.project, row, wish, progress, stop));
      computed += stored.path.empty() ? 0 : 1;
    }
  }
  return computed;
}

Result<FigureRecipe> exportAnalysis(const AnalysisAsk& ask, FigureRecipe recipe, const std::string& file) {
  FATHOM_TRY(auto rows, rowsOf(ask.runs, recipe.runs));
  FATHOM_TRY(const auto library, ProjectLibrary::open(ask.project));
  if (!library->readOnly()) FATHOM_CHECK(keepFigureRecipe(*library, recipe));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, std::move(rows)));
  FATHOM_CHECK(exportRecipe(recipe, *source, file));
  return recipe;
}

}  // namespace fathom
