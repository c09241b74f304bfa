// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/analysis_loader.h"

#include <algorithm>
#include <set>

#include "app/recipes/figure_builder.h"
#include "app/recipes/library_source.h"
#include "app/requests/analysis_job.h"
#include "app/runner/engine_progress.h"
#include "app/window/attention/analysis_offers.h"
#include "core/base/errors/error_words.h"
#include "core/base/options/option_field.h"
#include "core/base/text/text_list.h"
#include "core/record/runs/checkpoint_choice.h"
#include "views/figures/figure_entry.h"

namespace fathom {

namespace {

// `wanted` empty: all of them. A folder that cannot be read keeps none of the others away.
Result<std::vector<RunRow>> rowsOf(const std::vector<AnalysisRun>& runs,
                                   const std::vector<std::string>& wanted = {}) {
  std::vector<RunRow> rows;
  std::optional<Error> first;
  for (const AnalysisRun& run : runs) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), run.uuid) == wanted.end()) continue;
    auto row = readRunRow(run.folder);
    if (!row.ok()) {
      if (!first) first = row.error();
      continue;
    }
    row->name = run.name;
    rows.push_back(*std::move(row));
  }
  if (rows.empty() && first) return *first;
  return rows;
}

std::vector<AnalysisRun> chosenRuns(const AnalysisAsk& ask) {
  if (!ask.chooseRun || ask.runs.empty()) return ask.runs;
  const std::string followed = followedAnalysis(ask),
                    analysis = followed.empty() ? ask.recipe.figure : followed;
  for (auto run = ask.runs.rbegin(); run != ask.runs.rend(); ++run) {
    RunRow row;
    row.path = run->folder;
    row.identity.uuid = run->uuid;
    // One that cannot be looked into is chosen, so that it is said.
    const auto stored = storedRequests(ask.project, row, analysis);
    if (!stored.ok() || !stored->empty()) return {*run};
  }
  return {ask.runs.back()};
}

// The probe's options that the figure has too say which result is meant; the variant gives the others.
Json wantedOf(const AnalysisAsk& ask, const AnalysisVariant& variant) {
  Json wanted = wantedVariant(variantText(variant)).value();
  for (const auto& option : ask.options.items()) wanted[option.key()] = option.value();
  return wanted;
}

// True where this run's results are its own net's: it can be computed.
bool hasNet(const AnalysisAsk& ask, const std::string& run) {
  return std::none_of(ask.runs.begin(), ask.runs.end(),
                      [&](const AnalysisRun& each) { return each.uuid == run && each.foreign; });
}

bool hasResult(LibrarySource& source, const AnalysisAsk& ask, const Json& wanted, const std::string& run,
               std::int64_t step, std::size_t runs) {
  return source.hasProbed(run, ask.recipe.figure, checkpointWord(step, runs), wanted);
}

// Collects the stored results of these runs and the variant looked for: the one asked for, else that of most
// of the runs; within it the checkpoint that was asked for, or the newest.
Status chooseVariant(const LibrarySource& source, const AnalysisAsk& ask, LoadedAnalysis* loaded) {
  std::vector<std::set<std::string>> having;  // runs, of each variant
  for (const RunRow& row : source.rows()) {
    FATHOM_TRY(const auto all, storedRequests(ask.project, row, ask.recipe.figure));
    for (const StoredRequest& stored : all) {
      AnalysisVariant variant = AnalysisVariant::of(stored.request);
      for (const auto& option : ask.options.items()) variant.options.erase(option.key());
      const auto known = std::find(loaded->variants.begin(), loaded->variants.end(), variant);
      const auto at = static_cast<std::size_t>(known - loaded->variants.begin());
      if (known == loaded->variants.end()) {
        loaded->variants.push_back(std::move(variant));
        having.emplace_back();
      }
      having[at].insert(row.identity.uuid);
    }
  }
  loaded->variant = ask.variant;
  const auto stored = std::find(loaded->variants.begin(), loaded->variants.end(), ask.variant);
  if (ask.insists || having.empty()) return {};
  std::size_t best = 0;
  for (std::size_t i = 1; i < having.size(); ++i)
    if (having[i].size() >= having[best].size()) best = i;
  const auto asked = static_cast<std::size_t>(stored - loaded->variants.begin());
  if (asked < having.size() && having[asked].size() == having[best].size()) return {};
  loaded->variant = loaded->variants[best];
  return {};
}

void findPlaces(LibrarySource& source, const AnalysisAsk& ask, const Json& wanted, LoadedAnalysis* loaded) {
  std::set<std::int64_t> steps;
  for (const RunRow& row : source.rows()) {
    if (hasNet(ask, row.identity.uuid)) steps.insert(0);
    if (ask.initialOnly) continue;
    for (const CheckpointManifest& kept : listCheckpoints(row.path)) steps.insert(kept.step);
    for (const std::string& name : source.probedCheckpoints(row.identity.uuid, ask.recipe.figure))
      if (const auto step = checkpointStep(name)) steps.insert(*step);
  }
  if (steps.empty()) steps.insert(0);
  for (const std::int64_t step : steps) {
    bool complete = true;
    for (const std::string& run : loaded->runs)
      complete =
          complete && (!hasNet(ask, run) || hasResult(source, ask, wanted, run, step, loaded->runs.size()));
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

// The runs that have a result; those without one do not hide the others.
std::vector<RunRow> rowsWithResult(const LibrarySource& source, const LoadedAnalysis& loaded) {
  std::vector<RunRow> rows;
  for (const RunRow& row : source.rows())
    if (std::find(loaded.missing.begin(), loaded.missing.end(), row.identity.uuid) == loaded.missing.end())
      rows.push_back(row);
  return rows;
}

// "<=600" means an earlier checkpoint for a run that has none there.
void findElsewhere(const LibrarySource& source, const AnalysisAsk& ask, const Json& wanted,
                   LoadedAnalysis* loaded) {
  const std::string word = checkpointWord(loaded->step, loaded->runs.size());
  for (const RunRow& row : rowsWithResult(source, *loaded)) {
    const std::string& run = row.identity.uuid;
    const auto step = checkpointStep(source.checkpointOf(run, ask.recipe.figure, word, wanted));
    if (step && *step != loaded->step) loaded->elsewhere[run] = *step;
  }
}

// Which run it was; the words of the engine name a file of it at most.
Error failureOf(const RunRow& row, const Error& error) {
  return withMessage(error, Phrase::tr("“%1” could not be analysed: %2")(row.name, error.messagePhrase()));
}

std::vector<std::int64_t> missingSteps(const LoadedAnalysis& loaded) {
  std::vector<std::int64_t> steps;
  for (const CheckpointPlace& place : loaded.places)
    if (!place.complete) steps.push_back(place.step);
  return steps;
}

void build(LibrarySource& source, const AnalysisAsk& ask, LoadedAnalysis* loaded) {
  auto figure = buildFigure(loaded->recipe, source);
  if (figure.ok()) {
    loaded->figure = std::move(*figure);
    return;
  }
  loaded->problem = figure.error();
  if (followedAnalysis(ask).empty()) return;
  const auto states = [&](const RunRow& row) {
    return source.probedCheckpoints(row.identity.uuid, followedAnalysis(ask)).size();
  };
  const auto kept = [](const RunRow& row) { return !listCheckpoints(row.path).empty(); };
  const auto& rows = source.rows();
  loaded->canFollow =
      std::any_of(rows.begin(), rows.end(), [&](const RunRow& row) { return states(row) < 2; }) &&
      std::all_of(rows.begin(), rows.end(), [&](const RunRow& row) { return states(row) > 1 || kept(row); });
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
    FATHOM_CHECK(chooseVariant(*source, ask, &loaded));
    const Json wanted = wantedOf(ask, loaded.variant);
    findPlaces(*source, ask, wanted, &loaded);
    if (stop.stopRequested()) return interruptedError();
    loaded.recipe.options["checkpoint"] = checkpointWord(loaded.step, runs.size());
    loaded.recipe.options["computed"] = variantText(loaded.variant);
    for (const std::string& run : loaded.runs)
      if (!hasResult(*source, ask, wanted, run, loaded.step, runs.size())) loaded.missing.push_back(run);
    findElsewhere(*source, ask, wanted, &loaded);
    if (loaded.missing.size() == loaded.runs.size()) return loaded;
    offerProbedParts(*source, ask, wanted, &loaded);
  }
  offerParts(*source, ask, &loaded);
  FATHOM_TRY(const auto drawn, LibrarySource::open(ask.project, rowsWithResult(*source, loaded)));
  loaded.recipe.runs = drawn->runs();
  build(*drawn, ask, &loaded);
  return loaded;
}

Result<std::optional<FigureSpec>> loadDetail(const AnalysisAsk& ask, const FigureRecipe& recipe) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  std::optional<FigureSpec> detail;
  if (!entry.detail || ask.selection.empty()) return detail;
  FATHOM_TRY(auto rows, rowsOf(ask.runs, recipe.runs));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, std::move(rows)));
  // A selection may be of another figure: then there is nothing more to see.
  if (auto built = buildDetail(recipe, *source, ask.selection); built.ok()) detail = std::move(*built);
  return detail;
}

Result<int> computeMissing(const AnalysisAsk& ask, const std::vector<std::int64_t>& steps, AnalysisWish wish,
                           Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto rows, rowsOf(ask.runs));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, rows));
  const Json wanted = wantedOf(ask, ask.variant);
  std::vector<std::set<std::string>> missing(rows.size());  // checkpoints of each run
  double all = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& run = rows[i].identity.uuid;
    for (const std::int64_t step : steps)
      if (hasNet(ask, run) && !hasResult(*source, ask, wanted, run, step, rows.size()))
        missing[i].insert(source->checkpointOf(run, checkpointWord(step, rows.size())));
    all += static_cast<double>(missing[i].size());
  }
  const auto incomplete =
      std::count_if(missing.begin(), missing.end(), [](const auto& names) { return !names.empty(); });
  std::optional<CheckpointCount> count;  // of several runs
  if (incomplete > 1) count.emplace(progress, "", all);
  int computed = 0, failed = 0;
  std::optional<Error> first;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (missing[i].empty()) continue;
    if (stop.stopRequested()) return interruptedError();
    wish.checkpoint = joined(missing[i], ",");
    const auto stored = computeAnalyses(ask.project, rows[i], wish, count ? count->engine() : progress, stop);
    if (!stored.ok() && stop.stopRequested()) return stored.error();
    if (stored.ok()) computed += static_cast<int>(stored->size());
    if (!stored.ok() && ++failed == 1) first = failureOf(rows[i], stored.error());
    if (count) count->add(static_cast<double>(missing[i].size()));
  }
  if (failed > 1)
    first = withMessage(*first, Phrase::tr("%1 of %2 runs could not be analysed; the first: %3")(
                                    failed, incomplete, first->messagePhrase()));
  if (first) return *first;
  return computed;
}

std::string followedAnalysis(const AnalysisAsk& ask) {
  if (ask.recipe.figure != "over_training") return {};
  return ask.recipe.options.value("analysis", std::string("attention_entropy"));
}

Result<int> computeFollowed(AnalysisAsk ask, std::function<void(const Phrase&)> say, Progress& progress,
                            const StopToken& stop) {
  ask.runs = chosenRuns(ask);
  ask.chooseRun = false;
  ask.recipe.figure = followedAnalysis(ask);
  FATHOM_TRY(auto rows, rowsOf(ask.runs));
  FATHOM_TRY(const auto source, LibrarySource::open(ask.project, std::move(rows)));
  LoadedAnalysis loaded;
  for (const AnalysisRun& run : ask.runs) loaded.runs.push_back(run.uuid);
  FATHOM_CHECK(chooseVariant(*source, ask, &loaded));
  ask.variant = loaded.variant;
  findPlaces(*source, ask, wantedOf(ask, ask.variant), &loaded);
  AnalysisWish wish;
  wish.analysis = ask.recipe.figure;
  wish.say = std::move(say);
  if (!loaded.variants.empty()) wish.split = ask.variant.split;
  for (const auto& option : ask.variant.options.items())
    wish.assignments.push_back(option.key() + "=" + optionValueText({}, option.value()));
  for (const auto& option : ask.variant.runOptions.items())
    wish.runAssignments.push_back(option.key() + "=" + optionValueText({}, option.value()));
  return computeMissing(ask, missingSteps(loaded), wish, progress, stop);
}

Result<ExportedFigure> exportAnalysis(const AnalysisAsk& ask, FigureRecipe recipe, const std::string& file) {
  FATHOM_TRY(auto rows, rowsOf(ask.runs, recipe.runs));
  FATHOM_TRY(const auto library, ProjectLibrary::open(ask.project));
  FATHOM_TRY(FigureSpec spec, buildAndPin(recipe, ask.project, std::move(rows)));
  FATHOM_TRY(const Phrase notKept, keepOrSayWhyNot(*library, recipe));
  FigureChecks found;
  FATHOM_CHECK(exportBuilt(recipe, std::move(spec), file, &found));
  return ExportedFigure{recipe.name, notKept, found.cut};
}

}  // namespace fathom
