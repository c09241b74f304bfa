// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_entry.h"

#include <algorithm>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/options/entry_table.h"
#include "views/figure/figure_arrangement.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_style.h"
#include "views/figures/composition_page.h"
#include "views/figures/figure_height.h"
#include "views/figures/own_texts.h"
#include "views/figures/sample_notes.h"
#include "views/files/neighbour_file.h"

namespace fathom {

namespace {

Result<OptionValues> optionsOf(const FigureEntry& entry, const FigureRecipe& recipe) {
  OptionValues options(OptionSchema(entry.fields, {}));
  FATHOM_CHECK(options.merge(recipe.options, "figure recipe"));
  FATHOM_CHECK(options.check());
  return options;
}

}  // namespace

FigureEntry figureOfAnalysis(FigureEntry entry) {
  if (const AnalysisEntry* analysis = findAnalysisEntry(entry.id)) {
    entry.title = analysis->title;
    entry.reference = analysis->reference;
  }
  entry.ofStates = true;
  return entry;
}

Result<FigureEntry> findFigure(const std::string& id) {
  if (const FigureEntry* entry = findEntry(figures(), id)) return *entry;
  return usageError(Phrase::tr("there is no figure \"%1\"")(id),
                    Phrase::tr("one of %1")(knownIds(figures())));
}

bool canBeOf(const FigureEntry& entry, const StoredReview& review) {
  const auto kind = findReviewKind(review.sources.kind);
  return kind.ok() && canBeOf(entry, **kind);
}

bool canBeOf(const FigureEntry& entry, const ReviewKind& kind) {
  const auto listed = std::find(kind.figures.begin(), kind.figures.end(), entry.id);
  return entry.ofPredictions() && (entry.ofEveryKind || listed != kind.figures.end());
}

Result<FigureSpec> buildFigure(const FigureRecipe& recipe, AnalysisSource& source) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  if (!entry.build)
    return usageError(Phrase::tr("the figure \"%1\" is of predictions, not of runs")(entry.id),
                      Phrase::tr("name a review"));
  FATHOM_TRY(const OptionValues options, optionsOf(entry, recipe));
  SampledSource sampled(source);
  FATHOM_TRY(FigureSpec spec, entry.build(sampled, options));
  for (Phrase& note : sampled.notes()) spec.notes.push_back(std::move(note));
  spec.id = entry.id;
  spec.style = recipe.style;
  FATHOM_CHECK(checkFigure(spec));
  return spec;
}

Result<FigureSpec> buildDetail(const FigureRecipe& recipe, AnalysisSource& source,
                               const std::string& selection) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  if (!entry.detail) return usageError(Phrase::tr("the figure \"%1\" has no detail")(entry.id));
  FATHOM_TRY(const OptionValues options, optionsOf(entry, recipe));
  FATHOM_TRY(FigureSpec spec, entry.detail(source, options, selection));
  spec.id = entry.id;
  FATHOM_CHECK(checkFigure(spec));
  return spec;
}

namespace {

// With what would make it whole where it is not.
Status drawToFile(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style,
                  const std::string& path, FigureChecks* found) {
  const FigureSpec drawn = figureAlone(recipe, spec, style);
  FATHOM_CHECK(checkOnSlide(recipe, drawn, style));
  FATHOM_CHECK(exportFigure(drawn, style, path, exportOptionsAt(recipe.created, found)));
  if (found != nullptr && (!found->cut.isEmpty() || found->tooHighMm > 0))
    found->wouldFit = whatWouldFit(spec, style);
  return {};
}

}  // namespace

Status exportBuilt(const FigureRecipe& recipe, FigureSpec spec, const std::string& path,
                   FigureChecks* found) {
  const bool onlyCsv = path.ends_with(".csv");
  if (!onlyCsv) FATHOM_CHECK(figureFormatOf(path));
  FATHOM_CHECK(checkFigureNeighbours(path));
  FATHOM_TRY(const FigureStyle style, figureStyle(QString::fromStdString(recipe.style)));
  spec = withOwnTexts(std::move(spec), recipe.texts);
  if (!onlyCsv) FATHOM_CHECK(drawToFile(recipe, spec, style, path, found));
  return writeNumbers(path, figureCsv(spec), found);
}

Result<ReviewFigure> buildReviewFigure(const FigureRecipe& recipe, const ReviewFigureInput& input) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  if (!entry.ofPredictions())
    return usageError(Phrase::tr("the figure \"%1\" is of runs, not of predictions")(entry.id),
                      Phrase::tr("name runs"));
  if (!canBeOf(entry, *input.review.kind))
    return usageError(Phrase::tr("the figure \"%1\" is not of predictions of the kind \"%2\"")(
        entry.id, input.review.kind->id));
  FATHOM_TRY(const OptionValues options, optionsOf(entry, recipe));
  FATHOM_TRY(ReviewFigure figure, entry.buildReview(input, options));
  figure.spec.id = entry.id;
  figure.spec.style = recipe.style;
  FATHOM_CHECK(checkFigure(figure.spec));
  return figure;
}

namespace {

// A figure of predictions with its numbers beside it.
Status exportReviewFigure(const FigureRecipe& recipe, ReviewFigure figure, bool isTable,
                          const std::string& path, FigureChecks* found) {
  const bool onlyCsv = path.ends_with(".csv");
  const bool tableText = isTable && path.ends_with(".tex");
  if (!onlyCsv) FATHOM_CHECK(figureFormatOf(path));
  FATHOM_CHECK(checkFigureNeighbours(path));
  FATHOM_TRY(const FigureStyle style, figureStyle(QString::fromStdString(recipe.style)));
  FATHOM_TRY(const std::string csv, csvTable(figure.table));
  figure.spec = withOwnTexts(std::move(figure.spec), recipe.texts);
  if (tableText) {
    FATHOM_TRY(const std::string latex, latexTable(figure.table));
    FATHOM_CHECK(writeNamedFile(path, latex));
    if (found != nullptr) found->files.push_back(path);
  } else if (!onlyCsv) {
    FATHOM_CHECK(drawToFile(recipe, figure.spec, style, path, found));
  }
  return writeNumbers(path, withOwnHead(csv), found);
}

}  // namespace

Status exportReviewRecipe(const FigureRecipe& recipe, const ReviewFigureInput& input, const std::string& path,
                          FigureChecks* found) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  if (!path.ends_with(".csv")) FATHOM_CHECK(figureFormatOf(path));
  FATHOM_TRY(const FigureStyle known, figureStyle(QString::fromStdString(recipe.style)));
  (void)known;
  FATHOM_TRY(ReviewFigure figure, buildReviewFigure(recipe, input));
  return exportReviewFigure(recipe, std::move(figure), entry.isTable, path, found);
}

bool hasVerdicts(const FigureEntry& entry) {
  return std::any_of(entry.fields.begin(), entry.fields.end(),
                     [](const OptionField& field) { return field.key == "verdicts"; });
}

std::vector<FigureEntry> figuresOfKind(const ReviewKind& kind) {
  std::vector<FigureEntry> own;
  for (const std::string& id : kind.figures)
    if (const FigureEntry* entry = findEntry(figures(), id)) own.push_back(*entry);
  for (const FigureEntry& entry : figures())
    if (entry.ofEveryKind) own.push_back(entry);
  return own;
}

}  // namespace fathom
