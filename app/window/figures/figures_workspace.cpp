// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figures_workspace.h"

#include <QComboBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

#include "app/window/figures/figures_actions.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/base/files/hash.h"
#include "core/record/runs/run_folder.h"
#include "views/figures/composition_page.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/composition_form.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/panels/widgets/message_bar.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_abilities.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

const QString kOwner = QStringLiteral("figures");
constexpr int kDrawMilliseconds = 60;
constexpr int kStretchMilliseconds = 1500;
constexpr std::size_t kRunsAtFirst = 6;
constexpr const char* kFirstFigure = "training_curve";
constexpr int kNothing = 0, kPage = 1, kBlank = 2;  // of m_pages

}  // namespace

FiguresWorkspace::FiguresWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages,
                                   FileChoice* files, SelectionModel* selection, const RunTableModel* runs,
                                   FiguresActions* actions, QWidget* window)
    : Workspace(window),
      m_service(service),
      m_jobs(jobs),
      m_messages(messages),
      m_files(files),
      m_selection(selection),
      m_runs(runs),
      m_actions(actions),
      m_window(window),
      m_columns(new QSplitter(Qt::Horizontal, window)),
      m_list(new FigureListPanel(m_columns)),
      m_pages(new QStackedWidget(m_columns)),
      m_empty(new EmptyState(m_pages)),
      m_blank(new EmptyState(m_pages)),
      m_page(nullptr),
      m_zoom(nullptr),
      m_checks(nullptr),
      m_form(new CompositionForm(m_columns)) {
  m_wait.setSingleShot(true);
  m_wait.setInterval(kDrawMilliseconds);
  makePanels();
  connectPanels();
  connect(&m_wait, &QTimer::timeout, this, &FiguresWorkspace::build);
  connect(this, &FiguresWorkspace::changed, this, &FiguresWorkspace::refreshActions);
  bindActions();
  show({}, {});
}

FiguresWorkspace::~FiguresWorkspace() = default;

void FiguresWorkspace::bindActions() {
  m_actions->bind("figures.new", [this] { newComposition(); });
  m_actions->bind("figures.duplicate", [this] { duplicateComposition(); });
  m_actions->bind("figures.delete", [this] { removeComposition(); });
  m_actions->bind("figures.add", [this] { addChosen(); });
  m_actions->bind("figures.left", [this] { moveSelected(0, -1); });
  m_actions->bind("figures.right", [this] { moveSelected(0, 1); });
  m_actions->bind("figures.up", [this] { moveSelected(-1, 0); });
  m_actions->bind("figures.down", [this] { moveSelected(1, 0); });
  m_actions->bind("figures.remove", [this] { removeSelected(); });
  m_actions->bind("figures.use_runs", [this] { useSelectedRuns(); });
  m_actions->bind("figures.regenerate", [this] { regenerate(); });
  m_actions->bind("figures.gray",
                  [this] { setGray(m_actions->action(QStringLiteral("figures.gray"))->isChecked()); });
  m_actions->bind("figures.copy", [this] { copyPage(); });
  m_actions->bind("figures.export", [this] { exportPage(); });
  m_actions->bind("figures.help", [this] { showHelp(); });
}

void FiguresWorkspace::refreshActions() {
  const bool writable = m_service->isOpen() && canBeChanged();
  const bool panels = m_open && !m_open->panels.empty();
  m_actions->enable({"figures.new"}, writable);
  m_actions->enable({"figures.duplicate", "figures.delete"}, writable && m_open);
  m_actions->enable({"figures.add"}, writable && somethingChosen());
  m_actions->enable({"figures.left", "figures.right", "figures.up", "figures.down", "figures.remove"},
                    writable && m_open && m_selected >= 0);
  m_actions->enable({"figures.use_runs"}, writable && panels);
  m_actions->enable({"figures.regenerate", "figures.gray", "figures.copy", "figures.export"}, panels);
}

QWidget* FiguresWorkspace::widget() const {
  return m_columns;
}

void FiguresWorkspace::makePanels() {
  m_empty->setText(tr("No page is open. Make one, and put figures of this project on it."));
  m_empty->setActions(m_actions->listed({"figures.new"}));
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makePage());
  m_blank->setText(tr("The page is empty. Choose a figure in the list and put it on the page."));
  m_blank->setActions(m_actions->listed({"figures.add"}));
  m_pages->addWidget(m_blank);
  m_columns->addWidget(m_list);
  m_columns->addWidget(m_pages);
  m_columns->addWidget(m_form);
  m_columns->setStretchFactor(1, 1);
  m_columns->setSizes({230, 720, 290});
  m_columns->setCollapsible(1, false);
  m_list->setMinimumWidth(150);
  m_pages->setMinimumWidth(280);
  m_list->setActions(
      m_actions->listed({"figures.new", "figures.add"}),
      m_actions->listed({"figures.add", "figures.new", "figures.duplicate", "figures.delete"}));
  m_form->setPanelActions(
      m_actions->listed({"figures.left", "figures.right", "figures.up", "figures.down", "figures.remove"}));
  for (QAction* action : m_actions->ordered())
    if (action != nullptr) m_columns->addAction(action);
}

QWidget* FiguresWorkspace::makePage() {
  auto* part = new QWidget(m_pages);
  m_page = new PageView(part);
  m_checks = new CheckStrip(part);
  connect(m_checks, &CheckStrip::computeRequested, this, &FiguresWorkspace::computeMissing);
  m_zoom = new QComboBox(part);
  for (const auto& [title, zoom] :
       {std::pair{tr("Print size"), 1.0}, std::pair{tr("Fit"), 0.0}, std::pair{QStringLiteral("50 %"), 0.5},
        std::pair{QStringLiteral("150 %"), 1.5}, std::pair{QStringLiteral("200 %"), 2.0}})
    m_zoom->addItem(title, zoom);
  m_zoom->setAccessibleName(tr("Size of the page on screen"));
  auto* bar = new FlowLayout;
  bar->setContentsMargins(metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid);
  bar->setSpacing(metrics::kGrid);
  bar->addWidget(m_zoom);
  const auto button = [&](const char* id) {
    auto* made = new QToolButton(part);
    made->setDefaultAction(m_actions->action(QString::fromLatin1(id)));
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setAutoRaise(true);
    bar->addWidget(made);
  };
  for (const char* id : {"figures.gray", "figures.regenerate", "figures.copy", "figures.export"}) button(id);
  makeColumn(part, {bar, {m_page, 1}, m_checks}, 0);
  return part;
}

void FiguresWorkspace::connectPanels() {
  connect(m_list, &FigureListPanel::activated, this, &FiguresWorkspace::activateEntry);
  connect(m_list, &FigureListPanel::currentChanged, this, &FiguresWorkspace::changed);
  connect(m_page, &PageView::figureClicked, this, &FiguresWorkspace::selectPanel);
  connect(m_page, &PageView::figureActivated, m_form, &CompositionForm::focusPanel);
  connect(m_form, &CompositionForm::panelSelected, this, &FiguresWorkspace::selectPanel);
  connect(m_form, &CompositionForm::edited, this,
          [this](const FigureComposition& next, const QString& what) { apply(next, what); });
  connect(m_form, &CompositionForm::placeRefused, this, [this] {
    m_messages->showNote(
        tr("There is no room for the panel at that place: another one that lies there "
           "does not fit where it was."));
  });
  connect(m_zoom, &QComboBox::activated, this, [this] { m_page->setZoom(m_zoom->currentData().toDouble()); });
  connect(m_page, &PageView::zoomChanged, this,
          [this](double zoom) { m_zoom->setCurrentIndex(m_zoom->findData(zoom)); });
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

// Takes what was read from the project; a person's edits in the meantime are newer and stay.
void FiguresWorkspace::takeShelf(FigureShelf shelf) {
  for (auto it = m_pending.cbegin(); it != m_pending.cend(); ++it) {
    std::erase_if(shelf.compositions,
                  [&](const FigureComposition& each) { return fromUtf8(each.uuid) == it.key(); });
    if (it.value()) shelf.compositions.push_back(*it.value());
  }
  m_shelf = std::move(shelf);
  // Later ones are of this window, and are pinned as soon as they are built.
  if (!std::exchange(m_shelfRead, true))
    for (const FigureComposition& each : m_shelf.compositions)
      for (const CompositionPanel& panel : each.panels)
        if (!panel.recipe.pins) m_unpinned.insert(recipeKey(panel.recipe));
  m_form->setReadOnly(m_shelf.readOnly);
  nameRuns();
  fillList();
  if (!m_open && !m_shelf.compositions.empty()) {
    const QString wanted = std::exchange(m_place, {});
    openComposition(wanted);
    if (!m_open) openComposition(fromUtf8(m_shelf.compositions.front().uuid));
  }
  if (m_offered) composeOf(*std::exchange(m_offered, std::nullopt));
  readThumbnails();
  Q_EMIT changed();
}

// Names the runs that have a folder, then those that wait for theirs.
void FiguresWorkspace::nameRuns() {
  QVector<CompositionForm::Run> runs;
  for (const FigureShelf::Run& run : m_shelf.runs) {
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
  m_form->setData(runs, m_shelf.reviews);
}

void FiguresWorkspace::fillList() {
  QVector<FigureListPanel::Entry> entries;
  using Kind = FigureListPanel::Kind;
  for (const FigureComposition& each : m_shelf.compositions)
    entries.append({Kind::Composition, fromUtf8(each.uuid),
                    each.name.empty() ? tr("(no name)") : fromUtf8(each.name),
                    each.panels.size() == 1 ? tr("1 panel") : tr("%1 panels").arg(each.panels.size())});
  for (const FigureRecipe& recipe : m_shelf.recipes) {
    const auto entry = findFigure(recipe.figure);
    entries.append({Kind::Stored, fromUtf8(recipe.uuid), fromUtf8(recipe.name),
                    entry.ok() ? engineText(entry->title) : fromUtf8(recipe.figure)});
  }
  for (const FigureEntry& entry : figures())
    entries.append({Kind::Figure, fromUtf8(entry.id), engineText(entry.title),
                    entry.ofPredictions() ? tr("of predictions") : tr("of runs")});
  m_list->setEntries(entries);
}

void FiguresWorkspace::reset() {
  keep();
  m_jobs->cancelOwner(kOwner);
  m_jobs->cancelOwner(kOwner + QStringLiteral(" data"));
  m_jobs->cancelOwner(kOwner + QStringLiteral(" pictures"));
  m_reading = m_building = false;
  m_thumbnails.clear();
  m_pictured.clear();
  m_steps.clear();
  m_done = 0;
  m_built.clear();
  m_unpinned.clear();
  m_shelfRead = false;
  m_offered.reset();
  m_shelf = {};
  m_list->setEntries({});
  show(m_open, {});
}

bool FiguresWorkspace::somethingChosen() const {
  const auto entry = m_list->current();
  return entry && entry->kind != FigureListPanel::Kind::Composition;
}

void FiguresWorkspace::activateEntry(const FigureListPanel::Entry& entry) {
  if (entry.kind == FigureListPanel::Kind::Composition) return openComposition(entry.id);
  if (canBeChanged()) addChosen();
}

void FiguresWorkspace::openComposition(const QString& uuid) {
  m_fresh = -1;
  for (const FigureComposition& each : m_shelf.compositions) {
    if (fromUtf8(each.uuid) != uuid) continue;
    m_selected = each.panels.empty() ? -1 : 0;
    show(m_open, each);
    return;
  }
}

QString FiguresWorkspace::freeName(const QString& wanted) const {
  const auto taken = [this](const QString& name) {
    return std::any_of(m_shelf.compositions.begin(), m_shelf.compositions.end(),
                       [&](const FigureComposition& each) { return fromUtf8(each.name) == name; });
  };
  for (int number = 1;; ++number)
    if (const QString name = wanted.arg(number); !taken(name)) return name;
}

void FiguresWorkspace::newComposition() {
  if (!m_service->isOpen() || !canBeChanged()) return;
  FigureComposition made;
  made.uuid = makeUuid();
  made.name = toUtf8(freeName(tr("Figure %1")));
  made.created = isoTimeNow();
  if (m_open) made.style = m_open->style;
  m_selected = -1;
  apply(made);
}

void FiguresWorkspace::duplicateComposition() {
  if (!m_open || !canBeChanged()) return;
  FigureComposition copy = *m_open;
  copy.uuid = makeUuid();
  copy.created = isoTimeNow();
  copy.name = toUtf8(freeName(fromUtf8(m_open->name) + QStringLiteral(" (%1)")));
  apply(copy);
}

void FiguresWorkspace::removeComposition() {
  if (!m_open || !canBeChanged()) return;
  const QString name = fromUtf8(m_open->name);
  apply({});
  m_messages->showNote(tr("“%1” was deleted; undo brings it back.").arg(name));
}

// A recipe of the selected runs, else of the newest; of the predictions that were stored last.
FigureRecipe FiguresWorkspace::recipeOfKind(const QString& figure) const {
  FigureRecipe recipe;
  recipe.figure = toUtf8(figure);
  const auto entry = findFigure(recipe.figure);
  if (entry.ok() && entry->ofPredictions()) {
    for (const StoredReview& review : m_shelf.reviews)
      if (canBeOf(*entry, review)) recipe.review = review.toJson();
    return recipe;
  }
  const QStringList selected = m_selection->of(Dimension::Run).items;
  for (const FigureShelf::Run& run : m_shelf.runs)
    if (selected.contains(fromUtf8(run.uuid))) recipe.runs.push_back(run.uuid);
  if (!recipe.runs.empty()) return recipe;
  const std::size_t first = m_shelf.runs.size() > kRunsAtFirst ? m_shelf.runs.size() - kRunsAtFirst : 0;
  for (std::size_t i = first; i < m_shelf.runs.size(); ++i) recipe.runs.push_back(m_shelf.runs[i].uuid);
  return recipe;
}

void FiguresWorkspace::addChosen() {
  const auto entry = m_list->current();
  if (!entry || entry->kind == FigureListPanel::Kind::Composition) return;
  if (entry->kind == FigureListPanel::Kind::Figure) return addRecipe(recipeOfKind(entry->id));
  for (const FigureRecipe& recipe : m_shelf.recipes)
    if (fromUtf8(recipe.uuid) == entry->id) return addRecipe(recipe);
}

void FiguresWorkspace::addRecipe(FigureRecipe recipe) {
  if (!m_open) newComposition();
  if (!m_open) return;
  CompositionPanel panel;
  panel.recipe = std::move(recipe);
  const PanelPlace place = freePlace(*m_open);
  panel.row = place.row;
  panel.column = place.column;
  FigureComposition next = *m_open;
  next.panels.push_back(std::move(panel));
  if (!checkComposition(next).ok()) {
    m_messages->showNote(tr("The page is full: %1 rows.").arg(FigureComposition::kMostTracks));
    return;
  }
  m_selected = m_fresh = int(next.panels.size()) - 1;
  apply(next);
}

void FiguresWorkspace::composeOf(FigureRecipe recipe) {
  if (!m_service->isOpen()) return;
  if (!m_shelfRead) {
    m_offered = std::move(recipe);
    return;
  }
  if (!canBeChanged()) return;
  newComposition();
  addRecipe(std::move(recipe));
}

void FiguresWorkspace::selectPanel(int index) {
  m_selected = m_open && index < int(m_open->panels.size()) ? index : -1;
  if (m_open) m_form->setComposition(*m_open, m_selected);
  m_page->setSelectedFigure(m_selected);
  showProblem();
  Q_EMIT changed();
}

void FiguresWorkspace::moveSelected(int rows, int columns) {
  if (!m_open || m_selected < 0 || !canBeChanged()) return;
  FigureComposition next = *m_open;
  CompositionPanel wanted = next.panels[std::size_t(m_selected)];
  wanted.row += rows;
  wanted.column += columns;
  if (placePanel(next, std::size_t(m_selected), wanted)) apply(next);
}

void FiguresWorkspace::removeSelected() {
  if (!m_open || m_selected < 0 || !canBeChanged()) return;
  FigureComposition next = *m_open;
  next.panels.erase(next.panels.begin() + m_selected);
  m_selected = std::min(m_selected, int(next.panels.size()) - 1);
  apply(next);
}

void FiguresWorkspace::useSelectedRuns() {
  if (!m_open || !canBeChanged()) return;
  const QStringList selected = m_selection->of(Dimension::Run).items;
  if (selected.isEmpty()) {
    m_messages->showNote(tr("No run is selected. Select runs in Train first."));
    return;
  }
  takeRuns(selected);
}

void FiguresWorkspace::takeRuns(const QStringList& uuids) {
  if (!m_open || !canBeChanged()) return;
  FigureComposition next = *m_open;
  for (CompositionPanel& panel : next.panels) {
    const auto entry = findFigure(panel.recipe.figure);
    if (!entry.ok() || entry->ofPredictions()) continue;
    panel.recipe.runs.clear();
    for (const QString& uuid : uuids) panel.recipe.runs.push_back(toUtf8(uuid));
  }
  apply(next);
}

void FiguresWorkspace::apply(Wanted next, const QString& what) {
  if (!canBeChanged()) return;
  const bool same = m_open && next && m_open->toJson() == next->toJson();
  if (same) return;
  const bool stretch = !what.isEmpty() && m_done > 0 && m_done == m_steps.size() &&
                       m_steps.back().what == what && m_open && next && m_steps.back().after &&
                       m_steps.back().after->uuid == next->uuid && m_lastStep.isValid() &&
                       m_lastStep.elapsed() < kStretchMilliseconds;
  m_lastStep.start();
  m_steps.resize(m_done);
  // A new composition takes the place of the open one on screen, not in the project.
  const bool made = next && (!m_open || m_open->uuid != next->uuid);
  const Wanted before = made ? Wanted() : m_open;
  if (stretch) {
    m_steps.back().after = next;
  } else {
    m_steps.push_back({before, next, what});
    ++m_done;
  }
  store(before, next);
  show(m_open, next);
}

bool FiguresWorkspace::undo() {
  if (m_done == 0) return true;
  const Step& step = m_steps[--m_done];
  m_lastStep.invalidate();
  store(step.after, step.before);
  show(step.after, step.before);
  return true;
}

bool FiguresWorkspace::redo() {
  if (m_done == m_steps.size()) return true;
  const Step& step = m_steps[m_done++];
  m_lastStep.invalidate();
  store(step.before, step.after);
  show(step.before, step.after);
  return true;
}

// Shows a state of the page after an edit; another composition where this one is gone.
void FiguresWorkspace::show(const Wanted& before, const Wanted& after) {
  m_open = after;
  if (!m_open && before && !m_shelf.compositions.empty()) {
    m_open = m_shelf.compositions.front();
    m_selected = 0;
  }
  const int panels = m_open ? int(m_open->panels.size()) : 0;
  m_selected = std::min(m_selected, panels - 1);
  m_pages->setCurrentIndex(!m_open ? kNothing : panels == 0 ? kBlank : kPage);
  m_form->setVisible(m_open.has_value());
  if (m_open) m_form->setComposition(*m_open, m_selected);
  m_list->setOpen(m_open ? fromUtf8(m_open->uuid) : QString());
  if (panels == 0) {
    m_page->clearPage();
    m_checks->clear();
    // So that the button of the empty page puts something there at once.
    if (m_open && !somethingChosen()) m_list->setCurrent(QLatin1String(kFirstFigure));
  }
  m_wait.start();
  Q_EMIT changed();
}

}  // namespace fathom
