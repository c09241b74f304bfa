// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recipes/figure_builder.h"

#include <algorithm>
#include <utility>

#include "app/predictions/review_execution.h"
#include "app/predictions/review_inputs.h"
#include "app/recipes/pinned_source.h"
#include "app/runs/names_of_rows.h"
#include "core/base/errors/error_words.h"
#include "core/library/queue/queue_folder.h"
#include "core/review/review.h"

namespace fathom {

namespace {

// By the names that tell them apart; options are read of those only that are called the same.
Result<std::vector<FigureShelf::Run>> shelfRuns(ProjectLibrary& library, CurveIndex& index) {
  RunListing listing(library, &index);
  std::vector<RunRow> rows;
  std::map<std::string, std::vector<std::string>> byName;
  FATHOM_CHECK(listing.names([&](const std::string& uuid, const std::string& name) {
    RunRow row;
    row.identity.uuid = uuid;
    row.name = name;
    rows.push_back(std::move(row));
    byName[name].push_back(uuid);
  }));
  std::map<std::string, Json> options;
  for (const auto& [name, uuids] : byName)
    if (uuids.size() > 1)
      FATHOM_CHECK(
          listing.select(uuids, [&](RunRow row) { options[row.identity.uuid] = std::move(row.options); }));
  for (RunRow& row : rows)
    if (const auto known = options.find(row.identity.uuid); known != options.end())
      row.options = known->second;
  const std::vector<std::string> names = namesOfRows(library, rows);
  std::vector<FigureShelf::Run> runs;
  for (std::size_t i = 0; i < rows.size(); ++i)
    runs.push_back({rows[i].identity.uuid, names[i], rows[i].name});
  return runs;
}

}  // namespace

Result<std::unique_ptr<FigureBuilder>> FigureBuilder::open(const std::string& project) {
  std::unique_ptr<FigureBuilder> builder(new FigureBuilder);
  builder->m_project = project;
  FATHOM_TRY(builder->m_library, ProjectLibrary::open(project));
  FATHOM_TRY(builder->m_index, CurveIndex::open(project));
  builder->m_listing = std::make_unique<RunListing>(*builder->m_library, builder->m_index.get());
  return builder;
}

namespace {

std::map<std::string, std::string> namesOf(const std::vector<RunRow>& rows) {
  std::map<std::string, std::string> names;
  for (const RunRow& row : rows) names[row.identity.uuid] = row.name;
  return names;
}

// A run that is queued has no folder before it begins.
bool waitsInQueue(const std::string& project, const std::string& uuid) {
  const auto entries = QueueFolder(project).entries();
  return entries.ok() && std::any_of(entries->begin(), entries->end(),
                                     [&](const QueueEntry& entry) { return entry.uuid == uuid; });
}

}  // namespace

Result<std::vector<RunRow>> FigureBuilder::runs(const FigureRecipe& recipe) {
  std::vector<std::string> fresh;
  for (const std::string& uuid : recipe.runs)
    if (!m_rows.contains(uuid)) fresh.push_back(uuid);
  FATHOM_CHECK(m_listing->select(fresh, [this](RunRow row) {
    const std::string uuid = row.identity.uuid;
    m_rows.insert_or_assign(uuid, std::move(row));
  }));
  std::vector<RunRow> chosen;
  int waiting = 0;
  for (const std::string& uuid : recipe.runs) {
    const auto row = m_rows.find(uuid);
    const bool queued = row == m_rows.end() && waitsInQueue(m_project, uuid);
    // A run that has only just begun has no curve yet; its other results may be there.
    const bool noPoints = row != m_rows.end() && recipe.figure == "training_curve" &&
                          isOpen(row->second.state) && row->second.step == 0;
    if (queued || noPoints) {
      ++waiting;
      continue;
    }
    if (const auto name = recipe.runNames.find(uuid); row == m_rows.end() && name != recipe.runNames.end())
      return unavailableError(Phrase::tr("the run \"%1\" of the figure is not in this project")(name->second),
                              Phrase::tr("choose other runs for it, or restore the run"));
    if (row == m_rows.end())
      return unavailableError(Phrase::tr("the run %1 of the figure is not in this project")(uuid),
                              Phrase::tr("choose other runs for it, or restore the run"));
    chosen.push_back(row->second);
  }
  if (chosen.empty() && waiting > 0)
    return unavailableError(Phrase::tr("no run of the figure has begun"), Phrase::tr("wait until one has"));
  if (chosen.empty()) return usageError(Phrase::tr("the figure names no runs"), Phrase::tr("choose some"));
  if (waiting > 0)
    m_notes.push_back(
        Phrase::tr("%1 runs of the figure wait in the queue and are left out")(waiting).english());
  return chosen;
}

Result<const FigureReview*> FigureBuilder::review(const FigureRecipe& recipe, Progress& progress,
                                                  const StopToken& stop) {
  if (recipe.review.is_null())
    return usageError(Phrase::tr("the figure names no predictions"), Phrase::tr("choose a stored review"));
  std::unique_ptr<FigureReview>& known = m_reviews[recipe.review.dump()];
  if (known != nullptr) return known.get();
  FATHOM_TRY(const StoredReview stored, storedReviewFromJson(recipe.review));
  auto opened = std::make_unique<FigureReview>();
  const KeptExecutions kept = keptExecutions(m_library->path(), !m_library->readOnly());
  FATHOM_TRY(opened->review, openExecutedReview(stored.sources, kept, progress, stop));
  for (const Phrase& note : changedSince(stored, opened->review)) m_notes.push_back(note.english());
  FATHOM_TRY(opened->judgements, Judgements::load(opened->review, m_library.get()));
  known = std::move(opened);
  return known.get();
}

Result<FigureBuilder::Built> FigureBuilder::make(const FigureRecipe& recipe, Progress& progress,
                                                 const StopToken& stop) {
  m_missing.reset();
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  if (entry.ofPredictions()) {
    FATHOM_TRY(const FigureReview* opened, review(recipe, progress, stop));
    FATHOM_TRY(ReviewFigure figure, buildReviewFigure(recipe, opened->input()));
    return Built{std::move(figure.spec), {}, true};
  }
  if (entry.ofOptions) askForOptionTitles();
  FATHOM_TRY(auto rows, runs(recipe));
  auto names = namesOf(rows);
  FATHOM_TRY(const auto source, LibrarySource::open(m_project, std::move(rows)));
  PinnedSource pinned(*source, recipe.pins);
  auto spec = buildFigure(recipe, pinned);
  if (!spec.ok()) {
    m_missing = source->missing();
    return spec.error();
  }
  return Built{std::move(*spec), pinned.answers(), pinned.allPinned(), std::move(names)};
}

Result<FigureSpec> FigureBuilder::build(const FigureRecipe& recipe, Progress& progress,
                                        const StopToken& stop) {
  FATHOM_TRY(Built built, make(recipe, progress, stop));
  m_allPinned = m_allPinned && built.allPinned;
  if (!built.allPinned)
    m_notes.push_back("the figure " + (recipe.name.empty() ? recipe.figure : recipe.name) +
                      " is not pinned: it shows what was computed last; make it anew, or regenerate its "
                      "page, to pin the results it shows now");
  return std::move(built.spec);
}

Result<FigureSpec> FigureBuilder::buildAndPin(FigureRecipe& recipe, Progress& progress,
                                              const StopToken& stop) {
  FATHOM_TRY(Built built, make(recipe, progress, stop));
  recipe.pins = std::move(built.answers);
  recipe.runNames = std::move(built.runNames);
  return std::move(built.spec);
}

Result<FigureSpec> buildAndPin(FigureRecipe& recipe, const std::string& project, std::vector<RunRow> rows) {
  auto names = namesOf(rows);
  FATHOM_TRY(const auto source, LibrarySource::open(project, std::move(rows)));
  PinnedSource pinned(*source, recipe.pins);
  FATHOM_TRY(FigureSpec spec, buildFigure(recipe, pinned));
  recipe.pins = pinned.answers();
  recipe.runNames = std::move(names);
  return spec;
}

Result<std::vector<FigureSpec>> FigureBuilder::build(const FigureComposition& composition, Progress& progress,
                                                     const StopToken& stop) {
  std::vector<FigureSpec> specs;
  for (std::size_t i = 0; i < composition.panels.size(); ++i) {
    if (stop.stopRequested()) return interruptedError();
    const CompositionPanel& panel = composition.panels[i];
    auto spec = build(panel.recipe, progress, stop);
    if (!spec.ok()) {
      return withMessage(spec.error(), Phrase::tr("panel %1 (%2): %3")(i + 1, panel.recipe.figure,
                                                                       spec.error().messagePhrase()));
    }
    specs.push_back(std::move(*spec));
  }
  return specs;
}

Result<FigureShelf> readFigureShelf(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FigureShelf shelf;
  FATHOM_TRY(shelf.compositions, figureCompositions(*library));
  FATHOM_TRY(shelf.recipes, figureRecipes(*library));
  FATHOM_TRY(shelf.sheets, styleSheets(*library));
  FATHOM_TRY(shelf.reviews, storedReviews(*library));
  FATHOM_TRY(const auto index, CurveIndex::open(project));
  FATHOM_TRY(shelf.runs, shelfRuns(*library, *index));
  shelf.readOnly = library->readOnly();
  return shelf;
}

}  // namespace fathom
