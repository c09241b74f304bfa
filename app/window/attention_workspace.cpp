// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention_workspace.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>

#include "app/engine_description.h"
#include "app/window/analysis_variants.h"
#include "app/window/attention_actions.h"
#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "core/record/run_folder.h"
#include "views/panels/analysis_canvas.h"
#include "views/panels/analysis_side.h"
#include "views/panels/analysis_view.h"
#include "views/panels/engine_text.h"
#include "views/panels/figure_choices.h"
#include "views/panels/help_window.h"
#include "views/panels/message_bar.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

const QString kLoading = QStringLiteral("attention load");
const QString kDetail = QStringLiteral("attention detail");
const char* const kShownInTrain = "training_curve";
constexpr int kMostRuns = 8;  // side by side on one page
constexpr int kMostOfGrid = 1000;
constexpr int kLiveMilliseconds = 5000;
constexpr Dimension kPlaceDimensions[] = {
    Dimension::Stack, Dimension::AttentionKind, Dimension::Layer,   Dimension::Sublayer,
    Dimension::Head,  Dimension::QueryToken,    Dimension::KeyToken};

}  // namespace

AttentionWorkspace::AttentionWorkspace(Surroundings with)
    : QObject(with.window),
      m_with(std::move(with)),
      m_widget(new QWidget(m_with.window)),
      m_side(new AnalysisSide(m_widget)),
      m_view(new AnalysisView(m_widget)) {
  auto* split = new QSplitter(Qt::Horizontal, m_widget);
  split->addWidget(m_side);
  split->addWidget(m_view);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  split->setSizes({230, 1000});
  m_side->setMinimumWidth(170);
  auto* layout = new QHBoxLayout(m_widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(split);
  m_widget->setMinimumSize(280, 200);
  for (QAction* action : m_with.actions->ordered())
    if (action != nullptr) m_widget->addAction(action);
  QVector<AnalysisSide::Entry> entries;
  for (const FigureEntry& entry : figures())
    if (entry.build && entry.id != kShownInTrain)
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
  connect(m_view->choices(), &FigureChoices::changed, this, [this] {
    m_options[fromUtf8(m_entry.id)] = m_view->choices()->values();
    load();
  });
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
  const auto entry = findFigure(toUtf8(id));
  if (!entry.ok() || entry->id == m_entry.id) return;
  m_entry = *entry;
  m_insists = false;
  m_view->setFigure(m_entry, m_options.value(id, Json::object()));
  refreshComputation();
  load();
}

bool AttentionWorkspace::isProbed() const {
  return std::any_of(m_entry.fields.begin(), m_entry.fields.end(),
                     [](const OptionField& field) { return field.key == "checkpoint"; });
}

// What the engine says about a probe; null where it does not know it, or has not answered.
Json AttentionWorkspace::probeOf(const QString& id) const {
  const EngineDescription* engine = m_with.engine();
  if (engine == nullptr) return {};
  const Json entries = engine->json.value("entries", Json::object());
  for (const Json& probe : entries.value("probes", Json::array()))
    if (probe.value("id", "") == toUtf8(id)) return probe;
  return {};
}

// Whether the probe builds its nets from the run's options.
bool AttentionWorkspace::isInitialOnly() const {
  const Json probe = probeOf(fromUtf8(m_entry.id));
  return probe.is_object() && probe.value("initial_only", false);
}

void AttentionWorkspace::engineKnown() {
  refreshComputation();
  load();  // what the engine says about its probes decides what is looked for
  m_with.actions->refresh(this);
}

void AttentionWorkspace::chooseRuns(const QStringList& uuids) {
  m_insists = false;
  m_with.selection->set(Dimension::Run, uuids, uuids.value(0), this);
  if (uuids.size() > mostRuns())
    m_with.messages->showNote(
        tr("Only the first %1 of %2 runs are shown.").arg(mostRuns()).arg(uuids.size()));
  load();
}

// The place that was clicked, and nothing of the one before; the runs that are compared stay.
void AttentionWorkspace::pick(const QString& text) {
  const auto named = Selection::fromText(text);
  if (!named.ok()) return m_with.messages->showError(named.error());
  Selection next = m_with.selection->selection();
  for (const Dimension dimension : kPlaceDimensions)
    next.set(dimension, named->of(dimension).items, named->current(dimension));
  const QString run = named->current(Dimension::Run);
  if (next.of(Dimension::Run).items.contains(run))
    next.set(Dimension::Run, next.of(Dimension::Run).items, run);
  m_with.selection->replace(next, this);
  m_view->showSelection(next);
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
    loadDetail();
  }
}

void AttentionWorkspace::runsChanged() {
  if (m_with.service->isOpen()) {
    QVector<RunItem> runs;
    QHash<QString, QString> names;
    for (const RunItem& run : m_with.runs->runs()) {
      if (run.folder.isEmpty()) continue;
      runs.append(run);
      names.insert(run.uuid, run.name);
    }
    m_side->setRuns(runs);
    m_view->canvas()->setRunNames(names);
  }
  if (!m_active) return;
  if (m_side->chosenRuns().isEmpty()) {
    m_side->setChosenRuns(m_with.selection->of(Dimension::Run).items);
    // What the last session compared comes before what Train shows by itself at the start.
    if (m_side->runs()->count() > 0 && !m_remembered.isEmpty()) {
      m_side->setChosenRuns(m_remembered);
      m_remembered.clear();
      const QStringList runs = m_side->chosenRuns();
      if (!runs.isEmpty()) m_with.selection->set(Dimension::Run, runs, runs.first(), this);
    }
    return load();
  }
  const QVector<RunItem> shown = shownRuns();
  const bool live =
      std::any_of(shown.begin(), shown.end(), [](const auto& run) { return isLiveState(run.state); });
  if (live && !m_live.isActive()) m_live.start();
}

void AttentionWorkspace::activate() {
  m_active = true;
  runsChanged();
  m_view->showSelection(m_with.selection->selection());
  m_side->analyses()->setFocus(Qt::OtherFocusReason);
}

void AttentionWorkspace::reset() {
  for (const QString& owner : {kLoading, kDetail, QString::fromLatin1(kComputing)})
    m_with.jobs->cancelOwner(owner);
  m_active = m_loading = m_computing = m_insists = false;
  m_step = -1;
  m_loaded = {};
  m_side->setRuns({});
  m_side->checkpoints()->setPlaces({}, -1);
  m_view->showMessage({}, {});
  m_with.actions->refresh(this);
}

int AttentionWorkspace::mostRuns() const {
  return m_entry.id == "stability_grid" ? kMostOfGrid : kMostRuns;
}

QVector<RunItem> AttentionWorkspace::shownRuns() const {
  QVector<RunItem> runs;
  for (const QString& uuid : m_side->chosenRuns()) {
    const RunItem* run = m_with.runs->run(uuid);
    if (run != nullptr && !run->folder.isEmpty() && runs.size() < mostRuns()) runs.append(*run);
  }
  return runs;
}

AnalysisAsk AttentionWorkspace::ask() const {
  AnalysisAsk ask;
  ask.project = toUtf8(m_with.service->path());
  QVector<RunItem> runs = shownRuns();
  ask.chooseRun = runs.isEmpty();
  if (ask.chooseRun)
    for (const RunItem& run : m_with.runs->runs())
      if (!run.folder.isEmpty()) runs.append(run);
  for (const RunItem& run : runs)
    ask.runs.push_back({toUtf8(run.uuid), toUtf8(run.folder), toUtf8(run.name)});
  ask.recipe.figure = m_entry.id;
  ask.recipe.name = m_entry.id;
  ask.recipe.options = m_view->choices()->values();
  ask.recipe.style = toUtf8(m_view->exportStyle());
  ask.probed = isProbed();
  ask.initialOnly = isInitialOnly();
  ask.step = m_step;
  ask.variant = variantOfForm(m_computationFields, m_side->computation()->values());
  ask.insists = m_insists;
  ask.selection = toUtf8(m_with.selection->selection().text());
  const Json probe = probeOf(fromUtf8(m_entry.id));
  if (!probe.is_object() || !probe.contains("schema")) return ask;
  const auto schema = OptionSchema::fromJson(probe["schema"]);
  if (!schema.ok()) return ask;
  for (const OptionField& field : m_entry.fields)
    if (schema->find(field.key) != nullptr)
      ask.options[field.key] = ask.recipe.options.value(field.key, field.defaultValue);
  return ask;
}

void AttentionWorkspace::load() {
  if (!m_active || !m_with.service->isOpen()) return;
  const AnalysisAsk ask = this->ask();
  m_loading = true;
  m_side->checkpoints()->setBusy(true);
  m_with.jobs->start<LoadedAnalysis>(
      tr("Reading analyses"), kLoading,
      [ask](Progress&, const StopToken& stop) { return loadAnalysis(ask, stop); },
      [this](const Result<LoadedAnalysis>& result) { taken(result); });
}

void AttentionWorkspace::taken(const Result<LoadedAnalysis>& result) {
  m_loading = false;
  m_side->checkpoints()->setBusy(false);
  m_loaded = result.ok() ? *result : LoadedAnalysis();
  if (!result.ok()) m_loaded.problem = result.error();
  m_side->checkpoints()->setPlaces(m_loaded.places, m_loaded.step);
  if (isProbed() && result.ok()) showVariants();
  QStringList runs;
  for (const std::string& run : m_loaded.runs) runs.append(fromUtf8(run));
  if (m_side->chosenRuns().isEmpty() && !runs.isEmpty()) {
    m_side->setChosenRuns(runs);
    m_with.selection->set(Dimension::Run, runs, runs.value(0), this);
  }
  for (const auto& [key, offers] : m_loaded.offers) {
    QStringList words;
    for (const std::string& offer : offers) words.append(fromUtf8(offer));
    m_view->choices()->setOffers(fromUtf8(key), words, noneWord(key));
  }
  QStringList drawn;
  for (const std::string& run : m_loaded.recipe.runs) drawn.append(fromUtf8(run));
  m_side->setDrawnRuns(m_loaded.figure ? drawn : QStringList());
  if (m_loaded.figure) {
    m_view->showFigure(*m_loaded.figure);
    m_view->showPartial(m_loaded.missing.empty() ? QString() : missingText(),
                        m_with.actions->action(QStringLiteral("attention.compute")));
    m_view->showSelection(m_with.selection->selection());
    loadDetail();
  } else if (m_loaded.problem) {
    m_view->showMessage(fromUtf8(m_loaded.problem->text()), {});
  } else {
    showMissing();
  }
  m_with.actions->refresh(this);
}

QString AttentionWorkspace::nameOf(const std::string& uuid) const {
  const RunItem* run = m_with.runs->run(fromUtf8(uuid));
  return run == nullptr ? fromUtf8(uuid) : run->name;
}

// What an option of the figure says when nothing is chosen.
QString AttentionWorkspace::noneWord(const std::string& key) const {
  if (key == "beside") return tr("no second checkpoint");
  if (key == "part" && m_entry.id == "over_training") return tr("all parts");
  return {};
}

// Says what is missing and offers to compute it, or how far that is.
void AttentionWorkspace::showMissing() {
  if (m_loaded.runs.empty())
    return m_view->showMessage(tr("No runs to look at yet. Train one, or import one."), {});
  if (m_computing) return m_view->showProgress(tr("Computing: %1").arg(engineText(m_entry.title)), {});
  m_view->showMessage(missingText(), {m_with.actions->action(QStringLiteral("attention.compute")),
                                      m_with.actions->action(QStringLiteral("attention.compute_all"))});
}

QString AttentionWorkspace::missingText() const {
  const QString title = engineText(m_entry.title), first = nameOf(m_loaded.missing.front());
  const QString where = m_loaded.step == 0
                            ? tr("before the first update")
                            : tr("after %1 updates").arg(QLocale().toString(qint64(m_loaded.step)));
  QString text = tr("“%1” of run “%2” %3 is not computed yet.").arg(title, first, where);
  if (m_loaded.missing.size() > 1)
    text = tr("“%1” of %2 runs %3 is not computed yet.").arg(title).arg(m_loaded.missing.size()).arg(where);
  if (m_side->variants()->currentIndex() < 0 && m_side->variants()->count() > 0)
    text += QLatin1Char('\n') + tr("What is stored was computed from something else: see “Computed from”.");
  return text;
}

void AttentionWorkspace::loadDetail() {
  if (!m_loaded.figure) return;
  AnalysisAsk ask = this->ask();
  const FigureRecipe recipe = m_loaded.recipe;
  m_with.jobs->start<std::optional<FigureSpec>>(
      tr("Reading analyses"), kDetail,
      [ask, recipe](Progress&, const StopToken&) { return fathom::loadDetail(ask, recipe); },
      [this](const Result<std::optional<FigureSpec>>& detail) {
        m_view->showDetail(detail.ok() && *detail ? &**detail : nullptr);
      });
}

void AttentionWorkspace::exportFigure(QString file) {
  if (!m_loaded.figure) return;
  FigureRecipe recipe = m_loaded.recipe;
  recipe.style = toUtf8(m_view->exportStyle());
  if (file.isEmpty())
    file = QFileDialog::getSaveFileName(m_with.window, tr("Export figure"),
                                        fromUtf8(recipe.figure) + QStringLiteral(".pdf"),
                                        tr("Figures (*.pdf *.svg *.png *.tex)"));
  if (file.isEmpty()) return;
  recipe.name = toUtf8(QFileInfo(file).completeBaseName());
  recipe.created = isoTimeNow();
  m_with.jobs->start<FigureRecipe>(
      tr("Exporting a figure"), QString(),
      [ask = ask(), recipe, path = toUtf8(file)](Progress&, const StopToken&) {
        return exportAnalysis(ask, recipe, path);
      },
      [this, file](const Result<FigureRecipe>& kept) {
        if (!kept.ok()) return m_with.messages->showError(kept.error());
        m_with.messages->showNote(
            tr("%1 was written; its recipe is kept in the project as “%2”.").arg(file, fromUtf8(kept->name)));
      });
}

void AttentionWorkspace::showHelp() {
  if (m_help == nullptr) m_help = new HelpWindow(m_with.window);
  m_help->showPages({fromUtf8(m_entry.id), QStringLiteral("attention_workspace")});
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
  for (const QString& run : m_side->chosenRuns()) json["runs"].push_back(toUtf8(run));
  json["style"] = toUtf8(m_view->exportStyle());
  json["table"] = m_view->tableShown();
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
  if (json.contains("runs") && json["runs"].is_array())
    for (const Json& run : json["runs"])
      if (run.is_string()) m_remembered.append(fromUtf8(run.get<std::string>()));
  m_view->setExportStyle(text("style"));
  m_view->setTableShown(json.contains("table") && json["table"] == true);
  m_view->restoreLayout(text("layout").toLatin1());
  m_entry = {};
  m_side->setAnalysis(text("analysis"));
  chooseAnalysis(m_side->analysis());
}

}  // namespace fathom
