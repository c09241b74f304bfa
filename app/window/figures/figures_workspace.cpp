// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figures_workspace.h"

#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "app/window/figures/figures_actions.h"
#include "app/window/figures/figures_panes.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_abilities.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

const QString kOwner = QStringLiteral("figures");
constexpr std::size_t kRunsAtFirst = 6;
constexpr const char* kFirstFigure = "training_curve";

// A recipe of the selected runs, else of the newest; of the predictions that were stored last.
FigureRecipe recipeOfKind(const FigureShelf& shelf, const QString& figure, const QStringList& selected) {
  FigureRecipe recipe;
  recipe.figure = toUtf8(figure);
  const auto entry = findFigure(recipe.figure);
  if (entry.ok() && entry->ofPredictions()) {
    for (const StoredReview& review : shelf.reviews)
      if (canBeOf(*entry, review)) recipe.review = review.toJson();
    return recipe;
  }
  for (const FigureShelf::Run& run : shelf.runs)
    if (selected.contains(fromUtf8(run.uuid))) recipe.runs.push_back(run.uuid);
  if (!recipe.runs.empty()) return recipe;
  const std::size_t first = shelf.runs.size() > kRunsAtFirst ? shelf.runs.size() - kRunsAtFirst : 0;
  for (std::size_t i = first; i < shelf.runs.size(); ++i) recipe.runs.push_back(shelf.runs[i].uuid);
  return recipe;
}

bool isFigure(const std::optional<FigureListPanel::Entry>& entry) {
  return entry && entry->kind != FigureListPanel::Kind::Composition;
}

}  // namespace

FiguresWorkspace::FiguresWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages,
                                   FileChoice* files, SelectionModel* selection, const RunTableModel* runs,
                                   FiguresActions* actions, QWidget* window)
    : Workspace(window),
      m_service(service),
      m_jobs(jobs),
      m_messages(messages),
      m_selection(selection),
      m_runs(runs),
      m_actions(actions),
      m_window(window),
      m_panes(new FiguresPanes(actions, window)),
      m_figures(service, jobs),
      m_store(service, jobs, messages),
      m_editor(&m_store),
      m_output(service, jobs, messages, files, window),
      m_drawing(&m_editor, &m_figures, m_panes, messages),
      m_drag(&m_editor, m_panes, [this](const FigureListPanel::Entry& entry) { return recipeOf(entry); }),
      m_texts(&m_editor, &m_figures, m_panes->page()),
      m_looks(&m_editor, m_panes->form(), service, jobs, messages),
      m_thumbnails(&m_figures, m_panes->list()) {
  connectPanels();
  bindActions();
  showPage();
}

QWidget* FiguresWorkspace::widget() const {
  return m_panes;
}

PageView* FiguresWorkspace::page() const {
  return m_panes->page();
}

CompositionForm* FiguresWorkspace::form() const {
  return m_panes->form();
}

FigureListPanel* FiguresWorkspace::list() const {
  return m_panes->list();
}

bool FiguresWorkspace::canBeEdited() const {
  return m_service->isOpen() && m_editor.canBeChanged();
}

void FiguresWorkspace::bindActions() {
  m_actions->bind("figures.new", [this] {
    if (canBeEdited()) m_editor.create();
  });
  m_actions->bind("figures.duplicate", [this] { m_editor.duplicate(); });
  m_actions->bind("figures.delete", [this] { removeComposition(); });
  m_actions->bind("figures.regenerate", [this] { regenerate(); });
  m_actions->bind("figures.gray",
                  [this] { setGray(m_actions->action(QStringLiteral("figures.gray"))->isChecked()); });
  m_actions->bind("figures.copy", [this] {
    if (composition() != nullptr && page()->hasPage())
      m_output.copy(*composition(), m_figures.figuresOf(*composition()));
  });
  m_actions->bind("figures.export", [this] { exportPage(); });
  m_actions->bind("figures.print", [this] {
    if (composition() != nullptr && page()->hasPage())
      m_output.print(*composition(), m_figures.figuresOf(*composition()));
  });
  m_actions->bind("figures.help", [this] { showHelp(); });
  m_actions->bind("figures.add", [this] { addChosen(); });
  m_actions->bind("figures.left", [this] { m_editor.moveSelected(0, -1); });
  m_actions->bind("figures.right", [this] { m_editor.moveSelected(0, 1); });
  m_actions->bind("figures.up", [this] { m_editor.moveSelected(-1, 0); });
  m_actions->bind("figures.down", [this] { m_editor.moveSelected(1, 0); });
  m_actions->bind("figures.remove", [this] { m_editor.removeSelected(); });
  m_actions->bind("figures.in_row", [this] {
    if (composition() != nullptr) m_editor.arrange(std::max(1, int(composition()->panels.size())));
  });
  m_actions->bind("figures.in_two", [this] { m_editor.arrange(2); });
  m_actions->bind("figures.in_column", [this] { m_editor.arrange(1); });
  m_actions->bind("figures.equal_heights", [this] { m_editor.setEqualRows(); });
  m_actions->bind("figures.own_sizes", [this] { m_editor.forgetSizes(); });
  m_actions->bind("figures.fit_page", [this] { m_drawing.fitToPage(); });
  m_actions->bind("figures.same_runs", [this] { m_editor.spreadRuns(); });
  m_actions->bind("figures.edit_text", [this] { m_texts.editFirst(); });
  m_actions->bind("figures.use_runs", [this] { useSelectedRuns(); });
}

void FiguresWorkspace::refreshActions() {
  const bool writable = canBeEdited();
  const bool open = composition() != nullptr, panels = open && !composition()->panels.empty();
  m_actions->enable({"figures.new", "figures.curves"}, writable);
  m_actions->enable({"figures.duplicate", "figures.delete"}, writable && open);
  m_actions->enable({"figures.add"}, writable && isFigure(list()->current()));
  m_actions->enable({"figures.left", "figures.right", "figures.up", "figures.down", "figures.remove"},
                    writable && m_editor.selectedPanel() != nullptr);
  m_actions->enable({"figures.use_runs", "figures.fit_page"}, writable && panels);
  m_actions->enable({"figures.in_row", "figures.in_two", "figures.in_column", "figures.equal_heights"},
                    writable && open && composition()->panels.size() > 1);
  m_actions->enable({"figures.own_sizes"}, writable && m_editor.hasSizes());
  m_actions->enable({"figures.same_runs"}, writable && m_editor.canSpreadRuns());
  m_actions->enable({"figures.edit_text"}, writable && m_editor.selectedPanel() != nullptr);
  m_actions->enable({"figures.regenerate", "figures.gray", "figures.copy", "figures.export", "figures.print"},
                    panels);
}

void FiguresWorkspace::connectPanels() {
  connect(list(), &FigureListPanel::activated, this, &FiguresWorkspace::activateEntry);
  connect(list(), &FigureListPanel::currentChanged, this, &FiguresWorkspace::refreshActions);
  connect(page(), &PageView::figureClicked, &m_editor, &PageEditor::select);
  connect(page(), &PageView::figureActivated, form(), &CompositionForm::focusPanel);
  connect(form(), &CompositionForm::panelSelected, &m_editor, &PageEditor::select);
  connect(form(), &CompositionForm::edited, this,
          [this](const FigureComposition& next, const QString& what) { m_editor.apply(next, what); });
  const auto refuse = [this] {
    m_messages->showNote(
        tr("There is no room for the panel at that place: another one that lies there "
           "does not fit where it was."));
  };
  connect(form(), &CompositionForm::placeRefused, this, refuse);
  connect(&m_drag, &PanelDrag::placeRefused, this, refuse);
  connect(&m_drawing, &PageDrawing::drawn, this, &FiguresWorkspace::refreshActions);
  connect(&m_editor, &PageEditor::shown, this, &FiguresWorkspace::showPage);
  connect(&m_editor, &PageEditor::panelChosen, this, &FiguresWorkspace::showPanel);
  connect(&m_editor, &PageEditor::pagesChanged, this, &FiguresWorkspace::fillList);
  connect(&m_editor, &PageEditor::refused, this, [this](const QString& why) { m_messages->showNote(why); });
}

bool FiguresWorkspace::settled() const {
  return !m_reading && m_drawing.isIdle() && m_store.isIdle() && m_looks.isIdle() && m_thumbnails.isIdle();
}

void FiguresWorkspace::activate() {
  if (m_service->isOpen()) readShelf();
}

void FiguresWorkspace::readShelf() {
  m_reading = true;
  m_jobs->start<FigureShelf>(
      tr("Looking for figures"), kOwner,
      [project = toUtf8(m_service->path())](Progress&, const StopToken&) { return readFigureShelf(project); },
      [this](Result<FigureShelf> shelf) {
        m_reading = false;
        if (!shelf.ok()) {
          m_messages->showError(shelf.error(), kOwner);
        } else {
          takeShelf(std::move(*shelf));
        }
      });
}

void FiguresWorkspace::takeShelf(FigureShelf shelf) {
  m_editor.setShelf(std::move(shelf));
  const auto& pages = m_editor.shelf().compositions;
  // Later ones are of this window, and are pinned as soon as they are built.
  if (!std::exchange(m_shelfRead, true))
    for (const FigureComposition& each : pages)
      for (const CompositionPanel& panel : each.panels)
        if (!panel.recipe.pins) m_figures.noteUnpinned(panel.recipe);
  form()->setReadOnly(m_editor.shelf().readOnly);
  m_drag.setReadOnly(m_editor.shelf().readOnly);
  m_texts.setReadOnly(m_editor.shelf().readOnly);
  m_looks.setSheets(m_editor.shelf().sheets);
  nameRuns();
  fillList();
  if (composition() == nullptr && !pages.empty() && !m_editor.open(std::exchange(m_place, {})))
    m_editor.open(fromUtf8(pages.front().uuid));
  if (m_offered) composeOf(*std::exchange(m_offered, std::nullopt));
  m_thumbnails.draw(m_editor.shelf().recipes);
  refreshActions();
}

// Names the runs that have a folder, then those that wait for theirs.
void FiguresWorkspace::nameRuns() {
  QVector<CompositionForm::Run> runs;
  for (const FigureShelf::Run& run : m_editor.shelf().runs) {
    CompositionForm::Run shown{fromUtf8(run.uuid), fromUtf8(run.name), fromUtf8(run.wholeName)};
    if (const RunItem* known = m_runs->run(shown.uuid)) {
      shown.noValues = whyNoValues(*known);
      shown.noStates = whyNoStates(*known);
    }
    runs.append(shown);
  }
  for (const RunItem& run : m_runs->runs())
    if (run.folder.isEmpty())
      runs.append({run.uuid, m_runs->shownName(run.uuid), run.name, whyNoValues(run), whyNoStates(run)});
  form()->setData(runs, m_editor.shelf().reviews);
}

void FiguresWorkspace::fillList() {
  QVector<FigureListPanel::Entry> entries;
  using Kind = FigureListPanel::Kind;
  for (const FigureComposition& each : m_editor.shelf().compositions)
    entries.append({Kind::Composition, fromUtf8(each.uuid),
                    each.name.empty() ? tr("(no name)") : fromUtf8(each.name),
                    each.panels.size() == 1 ? tr("1 panel") : tr("%1 panels").arg(each.panels.size())});
  for (const FigureRecipe& recipe : m_editor.shelf().recipes) {
    const auto entry = findFigure(recipe.figure);
    entries.append({Kind::Stored, fromUtf8(recipe.uuid), fromUtf8(recipe.name),
                    entry.ok() ? engineText(entry->title) : fromUtf8(recipe.figure)});
  }
  for (const FigureEntry& entry : figures())
    entries.append({Kind::Figure, fromUtf8(entry.id), engineText(entry.title),
                    entry.ofPredictions() ? tr("of predictions") : tr("of runs")});
  list()->setEntries(entries);
}

void FiguresWorkspace::reset() {
  keep();
  for (const QString& owner : {kOwner, PageDrawing::readingOwner(), FigureThumbnails::owner()})
    m_jobs->cancelOwner(owner);
  m_drawing.clear();
  m_reading = m_shelfRead = false;
  m_thumbnails.clear();
  m_figures.forget();
  m_offered.reset();
  list()->setEntries({});
  m_editor.clear();
}

void FiguresWorkspace::activateEntry(const FigureListPanel::Entry& entry) {
  if (!isFigure(entry)) {
    if (composition() == nullptr || fromUtf8(composition()->uuid) != entry.id) m_editor.open(entry.id);
  } else if (m_editor.canBeChanged()) {
    addChosen();
  }
}

void FiguresWorkspace::removeComposition() {
  if (composition() == nullptr || !m_editor.canBeChanged()) return;
  const QString name = fromUtf8(composition()->name);
  m_editor.remove();
  m_messages->showNote(tr("“%1” was deleted; undo brings it back.").arg(name));
}

void FiguresWorkspace::addChosen() {
  const auto entry = list()->current();
  if (!isFigure(entry) || !m_service->isOpen()) return;
  if (const auto recipe = recipeOf(*entry)) m_editor.add(*recipe);
}

std::optional<FigureRecipe> FiguresWorkspace::recipeOf(const FigureListPanel::Entry& entry) const {
  if (entry.kind == FigureListPanel::Kind::Figure)
    return recipeOfKind(m_editor.shelf(), entry.id, m_selection->of(Dimension::Run).items);
  for (const FigureRecipe& recipe : m_editor.shelf().recipes)
    if (fromUtf8(recipe.uuid) == entry.id) return recipe;
  return std::nullopt;
}

void FiguresWorkspace::composeOf(FigureRecipe recipe) {
  if (!m_service->isOpen()) return;
  if (!m_shelfRead) {
    m_offered = std::move(recipe);
    return;
  }
  if (!m_editor.canBeChanged()) return;
  m_editor.create();
  m_editor.add(std::move(recipe));
}

void FiguresWorkspace::useSelectedRuns() {
  if (composition() == nullptr || !m_editor.canBeChanged()) return;
  const QStringList selected = m_selection->of(Dimension::Run).items;
  if (selected.isEmpty()) {
    m_messages->showNote(tr("No run is selected. Select runs in Train first."));
    return;
  }
  takeRuns(selected);
}

void FiguresWorkspace::takeRuns(const QStringList& uuids) {
  m_editor.setRuns(uuids);
}

bool FiguresWorkspace::undo() {
  m_editor.undo();
  return true;
}

bool FiguresWorkspace::redo() {
  m_editor.redo();
  return true;
}

void FiguresWorkspace::showPage() {
  const FigureComposition* open = composition();
  const bool empty = open == nullptr || open->panels.empty();
  m_panes->setPage(open == nullptr ? FiguresPanes::Nothing
                   : empty         ? FiguresPanes::Blank
                                   : FiguresPanes::Whole);
  if (open != nullptr) form()->setComposition(*open, m_editor.selected());
  list()->setOpen(open != nullptr ? fromUtf8(open->uuid) : QString());
  if (empty) {
    page()->clearPage();
    m_panes->checks()->clear();
    // So that the button of the empty page puts something there at once.
    if (open != nullptr && !isFigure(list()->current())) list()->setCurrent(QLatin1String(kFirstFigure));
  }
  m_drawing.drawSoon();
  refreshActions();
}

void FiguresWorkspace::showPanel() {
  if (composition() != nullptr) form()->setComposition(*composition(), m_editor.selected());
  page()->setSelectedFigure(m_editor.selected());
  m_drawing.showProblem();
  refreshActions();
}

void FiguresWorkspace::regenerate() {
  m_thumbnails.forget();
  m_drawing.regenerate();
  readShelf();
}

void FiguresWorkspace::setGray(bool gray) {
  page()->setGray(gray);
  m_actions->action(QStringLiteral("figures.gray"))->setChecked(gray);
}

void FiguresWorkspace::exportPage(const QString& file) {
  const FigureComposition* open = composition();
  if (open == nullptr || open->panels.empty()) return;
  m_output.write(*open, m_figures.figuresOf(*open), m_figures.allPinned(*open), file);
}

void FiguresWorkspace::showHelp() {
  QStringList pages = {QStringLiteral("figures_workspace")};
  if (const CompositionPanel* panel = m_editor.selectedPanel()) pages.append(fromUtf8(panel->recipe.figure));
  HelpWindow::openAt(m_window, pages);
}

bool FiguresWorkspace::focusFilter() {
  list()->filterBox()->setFocus(Qt::ShortcutFocusReason);
  list()->filterBox()->selectAll();
  return true;
}

QList<QWidget*> FiguresWorkspace::places() const {
  return m_panes->places();
}

void FiguresWorkspace::keep() {
  m_store.keep();
}

QByteArray FiguresWorkspace::saveView() const {
  Json json;
  json["columns"] = m_panes->saveState().toBase64().toStdString();
  json["zoom"] = page()->zoom();
  json["gray"] = page()->gray();
  if (composition() != nullptr) json["composition"] = composition()->uuid;
  return QByteArray::fromStdString(json.dump());
}

void FiguresWorkspace::restoreView(const QByteArray& view) {
  const Json json = Json::parse(view.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  m_panes->restoreState(QByteArray::fromBase64(QByteArray::fromStdString(memberText(json, "columns"))));
  m_place = fromUtf8(memberText(json, "composition"));
  if (json.contains("zoom") && json["zoom"].is_number()) page()->setZoom(json["zoom"].get<double>());
  if (json.contains("gray") && json["gray"].is_boolean()) setGray(json["gray"].get<bool>());
}

}  // namespace fathom
