// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/library/figures/figure_recipe.h"
#include "core/review/stored_review.h"
#include "views/figure/figure_spec.h"
#include "views/figures/review_figure.h"
#include "views/files/figure_export.h"

namespace fathom {

// Definition of a figure in figures.list.
struct FigureEntry {
  std::string id;  // as in `fathom export-figure --figure ID`
  std::string title = {};
  std::string reference = {};
  std::vector<OptionField> fields = {};
  // The figure in a sentence, as a caption would say it, with the keys of options in braces where their
  // values stand; parts are set apart by " · ". Options that it does not name follow it in the window.
  Phrase sentence = {};
  // A figure of runs, or of predictions: of the kinds that list it (ReviewKind::figures), or of every kind.
  std::function<Result<FigureSpec>(AnalysisSource&, const OptionValues&)> build = {};
  std::function<Result<ReviewFigure>(const ReviewFigureInput&, const OptionValues&)> buildReview = {};
  bool ofEveryKind = false;
  bool ofPredictions() const { return buildReview != nullptr; }
  bool isTable = false;  // a .tex file is the table instead of a drawing
  // More about what a mark's selection string names; empty where there is no more to see.
  std::function<Result<FigureSpec>(AnalysisSource&, const OptionValues&, const std::string& selection)>
      detail = {};
  // Its axes are options: their titles, as the engine tells them, stand there
  // (core/library/runs/short_names.h).
  bool ofOptions = false;
  // True for results on states of a network: a run that has only logged values has no place in it.
  bool ofStates = false;
  // True where Train shows it beside the runs: it is no analysis of Attention.
  bool inTrain = false;
};

// With title and reference of the analysis of the same id, whose results the figure shows.
FigureEntry figureOfAnalysis(FigureEntry entry);

const std::vector<FigureEntry>& figures();
// Usage error with the known ids.
Result<FigureEntry> findFigure(const std::string& id);

// Builds the figure of a stored recipe; the source offers the runs that the recipe names. Usage error for a
// figure of a review.
Result<FigureSpec> buildFigure(const FigureRecipe& recipe, AnalysisSource& source);
// Detail of a part of the figure, by its entry; usage error for a figure that has no detail.
Result<FigureSpec> buildDetail(const FigureRecipe& recipe, AnalysisSource& source,
                               const std::string& selection);
// Writes what buildFigure gave. The ending of the path is the format; the numbers go beside as <stem>.csv,
// alone for a path that ends in .csv.
// `found` takes what a reader of the file would stumble over (nothing for .csv), and the names of the files.
// Unavailable, and nothing written, where a file beside is not Fathom's (views/files/neighbour_file.h).
Status exportBuilt(const FigureRecipe& recipe, FigureSpec spec, const std::string& path,
                   FigureChecks* found = nullptr);

// The same for a figure of a review; usage error for a figure of runs, or of another kind. Exporting writes
// the numbers as <stem>.csv beside; a path that ends in .csv gets nothing else.
Result<ReviewFigure> buildReviewFigure(const FigureRecipe& recipe, const ReviewFigureInput& input);
Status exportReviewRecipe(const FigureRecipe& recipe, const ReviewFigureInput& input, const std::string& path,
                          FigureChecks* found = nullptr);
// Figures that can be drawn of this kind, its own first.
std::vector<FigureEntry> figuresOfKind(const ReviewKind& kind);
// The figure can count people's verdicts instead of the metric's (verdictsField).
bool hasVerdicts(const FigureEntry& entry);
// True if a figure can be made of a stored review.
bool canBeOf(const FigureEntry& entry, const StoredReview& review);
bool canBeOf(const FigureEntry& entry, const ReviewKind& kind);

}  // namespace fathom
