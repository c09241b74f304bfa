// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/attention_workspace.h"

#include <QComboBox>
#include <QListWidget>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "app/runner/engine_description.h"
#include "app/window/attention/attention_actions.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/checkpoint_bar.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/attention/run_arrangement.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/natural_split.h"
#include "views/tables/run_abilities.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

constexpr int kMostRunsBeside = 8;  // side by side on one page
constexpr int kMostOfGrid = 1000;
constexpr int kLiveMilliseconds = 5000;
constexpr Dimension kPlaceDimensions[] = {
    Dimension::Stack, Dimension::AttentionKind, Dimension::Layer,   Dimension::Sublayer,
    Dimension::Head,  Dimension::QueryToken,    Dimension::KeyToken};

}  // namespace

AttentionWorkspace::AttentionWorkspace(WorkspaceParts with, AttentionActions* actions)
    : Workspace(with.window),
      m_with(std::move(with)),
      m_actions(actions),
      m_widget(new QWidget(m_with.window)),
      m_side(new AnalysisSide(m_widget)),
      m_view(new AnalysisView(m_widget)),
      m_head(m_with.selection, m_view->choices(), this) {
  auto* split = new QSplitter(Qt::Horizontal, m_widget);
  split->addWidget(m_side);
  split->addWidget(m_view);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  split->setSizes({230, 1000});
  new NaturalSplit(split, [this] { return m_side->naturalWidth(); }, {.least = 0.12, .most = 0.24});
  m_side->setMinimumWidth(170);
  makeRow(m_widget, {split});
  m_widget->setMinimumSize(280, 200);
  for (QAction* action : m_actions->ordered())
    if (action != nullptr) m_widget->addAction(action);
  bindActions();
  QVector<AnalysisSide::Entry> entries;
  for (const FigureEntry& entry : figures())
    if (entry.build && !entry.inTrain)
      entries.append({fromUtf8(entry.id), engineText(entry.title), fromUtf8(entry.reference)});
  m_side->setAnalyses(entries);
  m_live.setInterval(kLiveMilliseconds);
  m_live.setSingleShot(true);
  connectPanels();
  chooseAnalysis(m_side->analysis());
}

void AttentionWorkspace::connectPanels() {
  connect(m_side, &AnalysisSide::analysisChosen, this, &AttentionWorkspace::chooseAnalysis);
  connect(m_side, &AnalysisSide::runsChosen, this, &AttentionWorkspace::chooseRuns);
  connect(m_side, &AnalysisSide::computationChanged, this, [this] {
    m_computation[fromUtf8(m_entry.id)] = m_side->computation()->values();
    m_insists = true;
    load();
  });
  connect(m_side, &AnalysisSide::variantChosen, this, &AttentionWorkspace::chooseVariant);
  connect(m_side->checkpoints(), &CheckpointBar::stepChosen, this, [this](qint64 step) {
    m_step = step;
    load();
  });
  connect(m_view->choices(), &FigureChoices::changed, this, [this](const QString& key) {
    m_options[fromUtf8(m_entry.id)] = m_view->choices()->values();
    m_head.choose(key);
    load();
  });
  connect(m_view->arrangement(), &RunArrangement::changed, this, &AttentionWorkspace::load);
  connect(m_view, &AnalysisView::placeClicked, this, &AttentionWorkspace::pick);
  connect(m_view, &AnalysisView::exportRequested, this, [this] { exportFigure(); });
  connect(m_view, &AnalysisView::cancelRequested, this, [this] {
    m_with.jobs->cancelOwner(QLatin1String(kComputing));
    m_computing = false;
    load();
  });
  connect(m_with.selection, &SelectionModel::changed, this, &AttentionWorkspace::followSelection);
  connect(&m_live, &QTimer::timeout, this, [this] {
    if (m_active && m_widget->isVisible() && !busy()) load();
  });
}

void AttentionWorkspace::chooseAnalysis(const QString& id) {
  auto entry = findFigure(toUtf8(id));
  if (!entry.ok() || entry->id == m_entry.id) return;
  m_entry = std::move(*entry);
  m_insists = false;
  m_view->setFigure(m_entry, m_options.value(id, Json::object()));
  followHead();
  listRuns();
  refreshComputation();
  load();
}

bool AttentionWorkspace::isProbed() const {
  return std::any_of(m_entry.fields.begin(), m_entry.fields.end(),
                     [](const OptionField& field) { return field.key == "checkpoint"; });
}

// The engine's description of a probe; null where it does not know it, or has not answered.
Json AttentionWorkspace::probeOf(const QString& id) const {
  const EngineDescription* engine = m_with.engine();
  if (engine == nullptr) return {};
  for (const Json& probe : memberList(memberObject(engine->json, "entries"), "probes"))
    if (memberText(probe, "id") == toUtf8(id)) return probe;
  return {};
}

// True if the probe builds its nets from the run's options.
bool AttentionWorkspace::isInitialOnly() const {
  const Json probe = probeOf(fromUtf8(m_entry.id));
  return probe.is_object() && memberFlag(probe, "initial_only", false);
}

void AttentionWorkspace::takeDescription() {
  refreshComputation();
  load();  // what the engine says about its probes decides what is looked for
  refreshActions();
}

void AttentionWorkspace::chooseRuns(const QStringList& uuids) {
  m_insists = false;
  const QString before = m_with.selection->current(Dimension::Run);
  m_with.selection->set(Dimension::Run, uuids, uuids.contains(before) ? before : uuids.value(0), this);
  if (uuids.size() > mostRuns())
    m_with.messages->showNote(
        tr("Only the first %1 of %2 runs are shown.").arg(mostRuns()).arg(uuids.size()));
  load();
}

void AttentionWorkspace::takeRuns(const QStringList& uuids) {
  if (!m_active) listRuns();
  m_side->setChosenRuns(uuids);
  chooseRuns(m_side->chosenRuns());
}

// The place that was clicked, and nothing of the one before; the runs that are compared stay, and are chosen
// now where nobody had chosen any.
void AttentionWorkspace::pick(const QString& text) {
  const auto named = Selection::fromText(text);
  if (!named.ok()) return m_with.messages->showError(named.error(), QStringLiteral("attention"));
  Selection next = m_with.selection->selection();
  for (const Dimension dimension : kPlaceDimensions)
    next.set(dimension, named->of(dimension).items, named->current(dimension));
  const QString run = named->current(Dimension::Run);
  QStringList compared = next.of(Dimension::Run).items;
  if (compared.isEmpty()) compared = m_side->chosenRuns();
  if (compared.contains(run)) next.set(Dimension::Run, compared, run);
  m_with.selection->replace(next, this);
  m_view->showSelection(next);
  if (followHead()) return load();
  loadDetail();
}

void AttentionWorkspace::followSelection(Dimension dimension, QObject* source) {
  if (source == this) return;
  if (dimension == Dimension::Run) {
    m_side->setChosenRuns(m_with.selection->of(Dimension::Run).items);
    load();
  } else if (std::find(std::begin(kPlaceDimensions), std::end(kPlaceDimensions), dimension) !=
             std::end(kPlaceDimensions)) {
    m_view->showSelection(m_with.selection->selection());
    if (followHead()) return load();
    loadDetail();
  }
}

// Why a run has no place in this figure; empty where it has one.
QString AttentionWorkspace::whyNot(const RunItem& run) const {
  return m_entry.ofStates ? whyNoStates(run) : whyNoValues(run);
}

void AttentionWorkspace::listRuns() {
  if (!m_with.service->isOpen()) return;
  QStringList reasons;
  QHash<QString, QString> names;
  for (const RunItem& run : m_with.runs->runs()) {
    reasons.append(whyNot(run));
    names.insert(run.uuid, m_with.runs->shownName(run.uuid));
  }
  m_side->setRuns(m_with.runs->runs(), reasons);
  m_view->canvas()->setRunNames(names);
}

// Unless it is in view, nobody asks: of each run of another program the disk is looked at.
void AttentionWorkspace::takeRunList() {
  if (!m_active) return;
  listRuns();
  if (m_side->chosenRuns().isEmpty()) {
    m_side->setChosenRuns(m_with.selection->of(Dimension::Run).items);
    return load();
  }
  const QVector<RunItem> shown = shownRuns();
  const bool live =
      std::any_of(shown.begin(), shown.end(), [](const auto& run) { return isLive(run.state); });
  if (live && !m_live.isActive()) m_live.start();
  if (shownColours() != m_colours) load();
}

void AttentionWorkspace::activate() {
  if (!m_with.service->isOpen()) return;
  m_active = true;
  takeRunList();
  if (m_stale) load();  // runs were chosen before it came into view
  m_view->showSelection(m_with.selection->selection());
  m_side->analyses()->setFocus(Qt::OtherFocusReason);
}

void AttentionWorkspace::reset() {
  for (const char* owner : {kLoading, kDetail, kComputing}) m_with.jobs->cancelOwner(QLatin1String(owner));
  m_active = m_loading = m_computing = m_insists = false;
  m_stale = true;
  m_step = -1;
  m_loaded = {};
  m_side->setRuns({}, {});
  m_side->checkpoints()->setPlaces({}, -1);
  m_view->showMessage({}, {});
  refreshActions();
}

int AttentionWorkspace::mostRuns() const {
  return m_entry.id == "stability_grid" ? kMostOfGrid : kMostRunsBeside;
}

// Chosen runs that have a place in the figure.
QVector<RunItem> AttentionWorkspace::fittingRuns() const {
  QVector<RunItem> runs;
  for (const QString& uuid : m_side->chosenRuns()) {
    const RunItem* run = m_with.runs->run(uuid);
    if (run != nullptr && whyNot(*run).isEmpty() && runs.size() < mostRuns()) runs.append(*run);
  }
  return runs;
}

// One of them alone where it is to be large.
QVector<RunItem> AttentionWorkspace::shownRuns() const {
  const QVector<RunItem> fitting = fittingRuns();
  const QString only = m_view->arrangement()->onlyRun();
  for (const RunItem& run : fitting)
    if (run.uuid == only) return {run};
  return fitting;
}

// A grid is about all of its runs.
void AttentionWorkspace::arrangeRuns() {
  QStringList ids, names;
  if (mostRuns() == kMostRunsBeside)
    for (const RunItem& run : fittingRuns()) {
      ids.append(run.uuid);
      names.append(m_with.runs->shownName(run.uuid));
    }
  m_view->arrangement()->setRuns(ids, names);
}

// True where another head is to be drawn alone.
bool AttentionWorkspace::followHead() {
  const bool another = m_head.follow();
  m_options[fromUtf8(m_entry.id)] = m_view->choices()->values();
  return another;
}

QVector<int> AttentionWorkspace::shownColours() const {
  QVector<int> colours;
  for (const RunItem& run : shownRuns()) colours.append(run.colour);
  return colours;
}

void AttentionWorkspace::bindActions() {
  WorkspaceActions* actions = m_actions;
  actions->bind("attention.compute", [this] { compute(false); });
  actions->bind("attention.compute_all", [this] { compute(true); });
  actions->bind("attention.table", [this] { m_view->setTableShown(!m_view->tableShown()); });
  actions->bind("attention.play", [this] {
    CheckpointBar* bar = m_side->checkpoints();
    bar->setPlaying(!bar->playing());
  });
  actions->bind("attention.export", [this] { exportFigure(); });
  actions->bind("attention.help", [this] { showHelp(); });
}

void AttentionWorkspace::refreshActions() {
  m_actions->enable({"attention.compute"}, canCompute());
  m_actions->enable({"attention.compute_all"}, canComputeEverywhere());
  m_actions->enable({"attention.table", "attention.export"}, hasFigure());
  m_actions->enable({"attention.play"}, m_side->checkpoints()->canPlay());
}

void AttentionWorkspace::showHelp() {
  HelpWindow::openAt(m_with.window, {fromUtf8(m_entry.id), QStringLiteral("attention_workspace")});
}

QList<QWidget*> AttentionWorkspace::places() const {
  return {m_side, m_view->pages(), m_view};
}

QByteArray AttentionWorkspace::saveView() const {
  Json json;
  json["analysis"] = m_entry.id;
  for (auto each = m_options.begin(); each != m_options.end(); ++each)
    json["options"][toUtf8(each.key())] = each.value();
  for (auto each = m_computation.begin(); each != m_computation.end(); ++each)
    json["computation"][toUtf8(each.key())] = each.value();
  json["style"] = toUtf8(m_view->exportStyle());
  json["table"] = m_view->tableShown();
  json["one_large"] = m_view->arrangement()->oneLarge();
  json["layout"] = m_view->saveLayout().toStdString();
  return QByteArray::fromStdString(json.dump());
}

void AttentionWorkspace::restoreView(const QByteArray& view) {
  const Json json = Json::parse(view.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  const auto text = [&json](const char* key) {
    return json.contains(key) && json[key].is_string() ? fromUtf8(json[key].get<std::string>()) : QString();
  };
  const auto take = [&json](const char* key, QHash<QString, Json>* into) {
    if (!json.contains(key) || !json[key].is_object()) return;
    for (const auto& each : json[key].items())
      if (each.value().is_object()) into->insert(fromUtf8(each.key()), each.value());
  };
  take("options", &m_options);
  take("computation", &m_computation);
  m_view->setExportStyle(text("style"));
  m_view->setTableShown(json.contains("table") && json["table"].is_boolean() && json["table"].get<bool>());
  m_view->restoreLayout(text("layout").toLatin1());
  m_view->arrangement()->setOneLarge(memberFlag(json, "one_large", false));
  m_entry = {};
  m_side->setAnalysis(text("analysis"));
  chooseAnalysis(m_side->analysis());
}

}  // namespace fathom
