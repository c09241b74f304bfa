// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/figures/figure_recipe.h"
#include "core/record/results/analysis_variant.h"
#include "views/figure/figure_spec.h"
#include "views/panels/attention/checkpoint_bar.h"

namespace fathom {

struct AnalysisWish;

// A run as the window knows it.
struct AnalysisRun {
  std::string uuid, folder, name;
  bool foreign = false;  // of another program: what was not brought cannot be computed
};

// Request of the Attention workspace: what it wants to see.
struct AnalysisAsk {
  std::string project;
  std::vector<AnalysisRun> runs;
  bool chooseRun = false;         // none is chosen: of `runs`, the newest that has a result, else the newest
  FigureRecipe recipe;            // figure, its options without "checkpoint"; runs are filled in
  bool probed = true;             // the figure shows stored results of checkpoints
  bool initialOnly = false;       // of untrained nets
  std::int64_t step = -1;         // number of updates, 0 = before the first; -1 = the newest
  Json options = Json::object();  // of the probe, as far as the figure names them
  AnalysisVariant variant;        // what the results are computed from; its options are the other ones
  bool insists = false;           // that one, stored or not; else what most of the runs have
  std::string selection;          // a place to look closer at, or empty
};

// Everything that the workspace can show for one request.
struct LoadedAnalysis {
  std::vector<std::string> runs;  // as asked, or the chosen one
  QVector<CheckpointPlace> places;
  std::int64_t step = -1;
  std::vector<std::string> missing;               // runs without a result there; the others are shown
  std::map<std::string, std::int64_t> elsewhere;  // runs shown after another number of updates than `step`
  FigureRecipe recipe;                            // exactly what is shown
  std::optional<FigureSpec> figure;
  std::optional<Error> problem;
  bool canFollow = false;  // the problem is that of a run's states too few are computed; it has more
  std::map<std::string, std::vector<std::string>> offers;  // values of text options, of some choices
  AnalysisVariant variant;                                 // what was looked for
  std::vector<AnalysisVariant> variants;                   // what there is of these runs at any checkpoint
};

// Reads results and builds the figure. Any thread.
Result<LoadedAnalysis> loadAnalysis(const AnalysisAsk& ask, const StopToken& stop);

// More about one place of what is shown (ask.selection); nothing where the figure has no more to say.
Result<std::optional<FigureSpec>> loadDetail(const AnalysisAsk& ask, const FigureRecipe& recipe);

// The word for a place of the slider: "init", "600", or "<=600" for several runs, whose checkpoints lie at
// different updates.
std::string checkpointWord(std::int64_t step, std::size_t runs);

// Computes what is missing of `ask` at the given places, run by run, each run in one engine; `wish` names
// analysis, data and options. A run that fails keeps none of the others away; the error is that of the first
// one that failed, and says how many did. What was computed stays. Progress in checkpoints (kCheckpointUnit)
// where there are several. Returns how many results are new or were there.
Result<int> computeMissing(const AnalysisAsk& ask, const std::vector<std::int64_t>& steps, AnalysisWish wish,
                           Progress& progress, const StopToken& stop);

// The analysis whose states the figure of `ask` follows over training; empty: it follows none.
std::string followedAnalysis(const AnalysisAsk& ask);
// Computes that analysis at all checkpoints of the runs, from what most of its stored results are computed
// from. As computeMissing().
Result<int> computeFollowed(AnalysisAsk ask, std::function<void(const Phrase&)> say, Progress& progress,
                            const StopToken& stop);

struct ExportedFigure {
  std::string name;  // of the recipe
  Phrase notKept;    // why the project has no such recipe, empty when it has
  QStringList cut;   // texts of it that are cut
};
// Writes the figure of a recipe as `fathom export-figure` would, and keeps the recipe in the project.
Result<ExportedFigure> exportAnalysis(const AnalysisAsk& ask, FigureRecipe recipe, const std::string& file);

}  // namespace fathom
