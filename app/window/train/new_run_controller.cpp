// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/new_run_controller.h"

#include <QTimer>
#include <utility>

#include "app/requests/dry_run_request.h"
#include "app/requests/trainability_request.h"
#include "app/runs/made_data.h"
#include "app/runs/own_presets.h"
#include "app/runs/training_grid.h"
#include "app/runs/training_request.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/train/data_gesture.h"
#include "app/window/train/preset_entries.h"
#include "app/window/train/run_estimates.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/named_files.h"
#include "core/record/presets.h"
#include "core/tasks/linked_examples.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"
#include "views/panels/data/links_view.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/preset_list.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/trainability_view.h"
#include "views/panels/widgets/message_bar.h"

namespace fathom {

namespace {

constexpr const char* kFirstPreset = "sample_small";
constexpr int kOfferMilliseconds = 20'000;
// Jobs and origins of errors.
constexpr const char* kChecking = "check";
constexpr const char* kKeeping = "links";

// The values that are not those of `base`.
Json changes(const Json& values, const Json& base) {
  Json result = Json::object();
  for (const auto& [key, value] : values.items())
    if (!base.contains(key) || base[key] != value) result[key] = value;
  return result;
}

// Starts `draft` like one over another schema; what was edited there counts as edited here.
Status editedAgain(ExperimentDraft* draft, const RunConfig& config, const ExperimentDraft::State& former) {
  FATHOM_CHECK(draft->start(config, changes(former.startedFrom, former.base)));
  const Json startedFrom = draft->state().startedFrom;
  FATHOM_CHECK(draft->start(config, changes(former.values.effective(), former.base)));
  ExperimentDraft::State state = draft->state();
  state.startedFrom = startedFrom;
  state.givenName = former.givenName;
  draft->setState(state);
  // Texts that were no values there.
  for (const auto& [key, text] : former.pending.asKeyValueRange()) draft->setText(key, text);
  return {};
}

}  // namespace

NewRunController::NewRunController(NewRunPage* page, DataPage* data, ProjectService* service, JobCenter* jobs,
                                   MessageBar* messages, FileChoice* files, QObject* parent)
    : QObject(parent),
      m_page(page),
      m_data(data),
      m_service(service),
      m_jobs(jobs),
      m_messages(messages),
      m_files(files),
      m_estimates(new RunEstimates(page, jobs,
                                   {[this] { return draftRuns(); }, [this] { return project(); },
                                    [page] { return page->places()->here(); },
                                    [page] {
                                      const QStringList chosen = page->places()->chosen();
                                      return chosen.size() == 1 ? toUtf8(chosen.first()) : std::string();
                                    }},
                                   this)),
      m_gesture(new DataGesture({this, page, jobs, messages, files})) {
  connect(service, &ProjectService::opened, this, &NewRunController::followProject);
  connect(page, &NewRunPage::presetChosen, this, &NewRunController::startFromPreset);
  connect(page, &NewRunPage::trainRequested, this, [this] { launch(true); });
  connect(page, &NewRunPage::queueRequested, this, [this] { launch(false); });
  connect(page, &NewRunPage::trainabilityRequested, this, &NewRunController::checkTrainability);
  connect(page, &NewRunPage::trainabilityCancelled, this,
          [this] { m_jobs->cancelOwner(QStringLiteral("trainability")); });
  connect(page, &NewRunPage::gridRequested, this, &NewRunController::launchGrid);
  connect(page->places(), &PlaceChoice::changed, this, &NewRunController::showShares);
  connect(page->gridEditor(), &GridEditor::judged, this, &NewRunController::showShares);
  connect(page, &NewRunPage::savePresetRequested, this, &NewRunController::savePreset);
  connect(page, &NewRunPage::browseRequested, this, &NewRunController::browse);
  connect(m_estimates, &RunEstimates::presetTimed, this, &NewRunController::keepPresetTime);
  connect(this, &NewRunController::launched, this, [this] { m_messages->closeNote(m_offer); });
  connect(data, &DataPage::readRequested, this, &NewRunController::readData);
  connect(data, &DataPage::keepLinksRequested, this, &NewRunController::keepLinks);
  connect(data, &DataPage::cancelRequested, this, [this] {
    m_jobs->cancelOwner(QStringLiteral("data"));
    m_data->showCancelled();
  });
}

void NewRunController::askEngine(bool refresh) {
  m_jobs->start<EngineDescription>(
      tr("Asking the engine"), QStringLiteral("engine"),
      [refresh](Progress&, const StopToken& stop) {
        DescribeOptions options;
        options.refresh = refresh;
        return describeEngine(options, stop);
      },
      [this](Result<EngineDescription> engine) {
        if (engine.ok()) {
          setEngine(*engine);
        } else {
          emptyPage(phraseText(engine.error().phrase()));
          refuse(engine.error(), QStringLiteral("engine"));
        }
      });
}

void NewRunController::emptyPage(const QString& reason) {
  if (m_draft && !m_gridKept) m_gridKept = m_page->gridEditor()->rows();
  m_page->setDraft(nullptr, reason);
}

void NewRunController::setEngine(const EngineDescription& engine) {
  setEngine(std::make_shared<const EngineDescription>(engine));
}

void NewRunController::setEngine(std::shared_ptr<const EngineDescription> engine) {
  std::optional<ExperimentDraft::State> former;
  // A draft without a fitting preset in which nobody wrote anything holds no work to go on with.
  if (m_draft && (!m_draft->presetId().isEmpty() || !m_draft->name().isEmpty() || m_draft->optionsEdited()))
    former = m_draft->state();
  emptyPage();
  m_estimates->setDraft(nullptr);
  m_gesture->setDraft(nullptr);
  const auto grid = std::exchange(m_gridKept, std::nullopt);
  m_engine = std::move(engine);
  m_messages->closeNote(m_offer);
  const OptionSchema& options = m_engine->options;
  m_draft = std::make_unique<ExperimentDraft>(options);
  std::optional<Error> problem;
  const QVector<PresetEntry> entries = presetEntries(options, &problem);
  if (problem) m_messages->showError(*problem, QStringLiteral("presets"));
  m_page->setPresets(entries);
  Q_EMIT presetsListed();
  if (!entries.isEmpty()) {
    // The one that runs anywhere without data of one's own.
    const bool hasSample = std::any_of(entries.cbegin(), entries.cend(), [](const PresetEntry& entry) {
      return entry.id == QLatin1String(kFirstPreset);
    });
    startFromPreset(hasSample ? QString::fromLatin1(kFirstPreset) : entries.first().id);
    m_draft->undoStack()->clear();
  }
  m_page->setDraft(m_draft.get());
  m_data->setUndoStack(m_draft->undoStack());
  m_gridOf = std::nullopt;
  m_gridRows.clear();
  followPresetGrid();
  connect(m_draft.get(), &ExperimentDraft::restarted, this, &NewRunController::followPresetGrid);
  connect(m_draft.get(), &ExperimentDraft::judged, this, &NewRunController::followTask);
  // A refusal speaks of the form as it was.
  const auto changed = [this] { m_messages->closeErrors(QLatin1String(kChecking)); };
  connect(m_draft.get(), &ExperimentDraft::valueChanged, this, changed);
  connect(m_draft.get(), &ExperimentDraft::restarted, this, changed);
  followTask();
  m_estimates->setDraft(m_draft.get());
  m_untouched = draftText();
  if (former) goOnWith(*former, *grid, former->values.schema().toJson() == options.toJson());
  if (!former) takeWanted();
  m_gesture->setDraft(m_draft.get());
  Q_EMIT engineKnown();
}

void NewRunController::goOnWith(const ExperimentDraft::State& former,
                                const QVector<GridEditor::RowText>& grid, bool sameOptions) {
  if (sameOptions) {
    m_draft->setState(former);
  } else {
    RunConfig config;
    config.name = toUtf8(former.name);
    if (const auto preset = findAnyPreset(toUtf8(former.presetId)); preset.ok()) {
      config.preset = preset->id;
      config.options = preset->options;
    }
    const Status status = editedAgain(m_draft.get(), config, former);
    if (!status.ok()) refuse(status.error(), QLatin1String(kStarting));
  }
  followPresetGrid();
  m_page->gridEditor()->setRows(grid);
}

void NewRunController::followTask() {
  const QStringList essentials = essentialOptions(m_draft->values());
  m_page->form()->setEssentials(essentials);
  m_page->gridEditor()->setEssentials(essentials);
}

// A preset that is a grid brings its axes along; going back to another one brings back what stood there.
void NewRunController::followPresetGrid() {
  const QString id = m_draft->presetId();
  if (m_gridOf == id) return;
  GridEditor* editor = m_page->gridEditor();
  const bool left = m_gridOf && !gridPreset(toUtf8(*m_gridOf)).axes.empty();
  const GridPreset preset = gridPreset(toUtf8(id));
  const bool isGrid = !preset.axes.empty();
  if (m_gridOf && (left || isGrid)) m_gridRows[*m_gridOf] = editor->rows();
  m_gridOf = id;
  if (!left && !isGrid) return;
  m_page->setGridShown(false);  // rows that are not shown take no focus
  editor->setPresetAxes(preset.axes);
  if (const auto rows = m_gridRows.constFind(id); rows != m_gridRows.cend())
    editor->setRows(*rows);
  else
    editor->startFromPresetAxes();
  m_page->setGridShown(isGrid);
}

std::shared_ptr<const HandedForm> NewRunController::handOver() const {
  if (!m_engine || !m_draft) return nullptr;
  return std::make_shared<const HandedForm>(HandedForm{m_engine, m_draft->state(),
                                                       m_gridKept.value_or(m_page->gridEditor()->rows()),
                                                       m_page->gridShown(), m_page->form()->view(), runOn()});
}

void NewRunController::takeOver(const HandedForm& handed) {
  m_wanted = Json();  // what the session told of the draft is older
  setEngine(handed.engine);
  goOnWith(handed.draft, handed.grid, true);
  m_page->setGridShown(handed.gridShown);
  m_page->form()->setView(handed.view);
  restoreRunOn(handed.runOn);
}

void NewRunController::dropForm() {
  m_estimates->setDraft(nullptr);
  m_gesture->setDraft(nullptr);
  emptyPage();
}

// A person has fields before them, not a command line: options are named by their titles, and what to write
// in a shell is left out.
void NewRunController::refuse(const Error& error, const QString& origin) {
  const OptionField* field = m_draft && !error.key.empty() ? m_draft->schema().find(error.key) : nullptr;
  if (field == nullptr) {
    m_messages->showError(error, origin);
  } else {
    const QString title = engineText(field->title);
    if (!error.file.empty() && !fileExists(error.file)) {
      m_messages->showError(tr("%1: there is no file %2").arg(title, fromUtf8(error.file)),
                            tr("choose another one in the form"), origin);
    } else {
      const bool ofShell = error.hint.find(error.key) != std::string::npos;
      m_messages->showError(tr("%1: %2").arg(title, phraseText(error.messagePhrase())),
                            ofShell ? QString() : phraseText(error.hintPhrase()), origin);
    }
  }
  if (error.key.empty()) return;
  if (m_draft) m_draft->refuse(fromUtf8(error.key), phraseText(error.messagePhrase()));
  m_page->form()->reveal(fromUtf8(error.key));
}

std::string NewRunController::project() const {
  return m_service->isOpen() ? toUtf8(m_service->path()) : std::string();
}

// A draft nobody has touched belongs to the project that is open now.
void NewRunController::followProject() {
  if (!m_draft || m_draft->presetId().isEmpty() || m_draft->optionsEdited() || m_draft->nameTyped() ||
      !m_draft->name().isEmpty())
    return;
  // Steps that are there already bring back work that was left for this form.
  const bool untouched = m_draft->undoStack()->count() == 0;
  startFromPreset(m_draft->presetId());
  if (untouched) m_draft->undoStack()->clear();
}

void NewRunController::offerFormerDraft(const QString& text, int index) {
  m_messages->closeNote(m_offer);
  QUndoStack* undo = m_draft->undoStack();
  m_offer = m_messages->showNote(text, tr("Undo"), [undo, index] { undo->setIndex(index); });
  // It lies over buttons: after a while Ctrl+Z is left.
  QTimer::singleShot(kOfferMilliseconds, m_messages,
                     [bar = m_messages, note = m_offer] { bar->closeNote(note); });
  // Undone with Ctrl+Z: the offer is over.
  connect(undo, &QUndoStack::indexChanged, m_messages, [bar = m_messages, note = m_offer, index](int now) {
    if (now <= index) bar->closeNote(note);
  });
}

void NewRunController::restart(const RunConfig& config, const Json& edits, bool edited,
                               const QString& title) {
  m_messages->closeErrors(QLatin1String(kStarting));
  const int index = m_draft->undoStack()->index();
  const Status status = m_draft->restart(config, edits);
  if (!status.ok()) return refuse(status.error(), QLatin1String(kStarting));
  if (edited && m_draft->undoStack()->index() > index)
    offerFormerDraft(tr("The form starts from “%1”; what was changed in it is gone.").arg(title), index);
}

RunConfig NewRunController::draftConfig() const {
  RunConfig config = m_draft->config();
  if (config.name.empty()) config.name = config.preset.empty() ? toUtf8(tr("run")) : config.preset;
  return config;
}

// The question to the engine comes last: what is named wrong is wrong whatever fits.
void NewRunController::checked(const std::vector<RunConfig>& runs, std::function<void()> then) {
  if (!m_draft || !m_engine) return;
  if (!m_service->isOpen()) {
    refuse(usageError(toUtf8(tr("no project is open")), toUtf8(tr("open or make one first"))),
           QLatin1String(kChecking));
    return;
  }
  if (placesRefuse()) return;
  const bool here = m_page->places()->here();
  const bool known = !here || m_estimates->known();
  const Error refusal = here ? m_estimates->refusal() : Error{};
  if (!refusal.message.empty()) return refuse(refusal, QLatin1String(kChecking));
  m_jobs->start<bool>(
      tr("Checking the configuration"), QLatin1String(kChecking),
      [engine = *m_engine, values = m_draft->values(), project = project(), runs, known, here](
          Progress&, const StopToken& stop) -> Result<bool> {
        FATHOM_CHECK(makeMissingData(project, values));
        FATHOM_CHECK(checkFilesNamed(values));
        FATHOM_CHECK(checkTrainingValues(engine, values, !here));
        if (!known) FATHOM_CHECK(checkRunsFit(runs, project, stop));
        return true;
      },
      [this, then = std::move(then)](const Result<bool>& fine) {
        if (fine.ok()) {
          then();
        } else {
          refuse(fine.error(), QLatin1String(kChecking));
        }
      });
}

void NewRunController::launch(bool atFront) {
  const std::int64_t needed = m_page->places()->here() ? m_estimates->neededMemory() : 0;
  checked({draftConfig()}, [this, atFront, needed] {
    m_service->enqueue({draftConfig(), atFront, m_page->places()->chosen().first(), needed});
    beginAnother();
    Q_EMIT launched(atFront);
  });
}

QString gridRunName(const QString& grid, const QVector<QPair<QString, QString>>& parts) {
  QString name = grid, seed;
  for (const auto& [key, value] : parts) {
    const QString word = key.section(QLatin1Char('.'), -1);
    const QString part =
        word.isEmpty() ? QStringLiteral(" · %1").arg(value) : QStringLiteral(" · %1 %2").arg(word, value);
    (key == QLatin1String("seed") ? seed : name) += part;
  }
  return name + seed;
}

Result<std::vector<RunConfig>> NewRunController::gridRuns(const std::vector<GridAxis>& axes) const {
  FATHOM_TRY(const auto points, expandGrid(axes));
  const RunConfig base = draftConfig();
  std::vector<RunConfig> runs;
  for (const GridPoint& point : points) {
    RunConfig config = base;
    QVector<QPair<QString, QString>> parts;
    for (std::size_t i = 0; i < axes.size(); ++i)
      parts.append({axes[i].isSettings() ? QString() : fromUtf8(axes[i].key),
                    fromUtf8(axisValueText(point.values[i]))});
    for (const auto& [key, value] : point.options) config.options[key] = value;
    config.name = toUtf8(gridRunName(fromUtf8(base.name), parts));
    runs.push_back(std::move(config));
  }
  return runs;
}

void NewRunController::launchGrid(const std::vector<GridAxis>& axes) {
  const auto runs = gridRuns(axes);
  if (!runs.ok()) return;  // the editor said why
  checked(*runs, [this, axes, runs = *runs] {
    m_service->enqueueGrid({draftConfig(), axes, runs, m_page->places()->chosen()});
    beginAnother();
    Q_EMIT launched(false);
  });
}

void NewRunController::browse(const QString& key) {
  if (!m_draft) return;
  const QString path = m_files->toRead(m_page, FileKind::Data, tr("Choose a file"), m_draft->text(key));
  if (path.isEmpty()) return;
  m_draft->endEdit();
  m_draft->setText(key, path);
  m_gesture->fillBeside(key, path);
}

void NewRunController::checkTrainability() {
  if (!m_draft || !m_engine) return;
  TrainabilityView* view = m_page->trainability();
  view->showProgress({});
  view->show();
  m_jobs->start<Json>(
      tr("Checking trainability"), QStringLiteral("trainability"),
      [engine = *m_engine, values = m_draft->values(), config = draftConfig(), project = project()](
          Progress& progress, const StopToken& stop) -> Result<Json> {
        FATHOM_CHECK(makeMissingData(project, values));
        FATHOM_CHECK(checkTrainingValues(engine, values));
        return fathom::checkTrainability(config, progress, stop);
      },
      [view](const Result<Json>& report) {
        if (report.ok()) {
          view->showReport(*report);
        } else {
          view->showError(report.error());
        }
      },
      [view](const ProgressUpdate& update) { view->showProgress(update); });
}

std::vector<RunConfig> NewRunController::draftRuns() const {
  if (m_page->gridShown())
    if (const auto runs = gridRuns(m_page->gridEditor()->axes()); runs.ok() && runs->size() > 1) return *runs;
  return {draftConfig()};
}

// A file of its own for every state of the links: a run that names one finds it as it was.
void NewRunController::keepLinks() {
  LinksView* view = m_data->links();
  if (!m_draft || view == nullptr || view->examples() == nullptr) return;
  if (!m_service->isOpen())
    return refuse(usageError(toUtf8(tr("no project is open")), toUtf8(tr("open or make one first"))),
                  QLatin1String(kKeeping));
  m_messages->closeErrors(QLatin1String(kKeeping));
  m_jobs->start<std::string>(
      tr("Keeping the links"), QLatin1String(kKeeping),
      [examples = view->examples(), changes = view->changes(), project = project()](
          Progress& progress, const StopToken& stop) -> Result<std::string> {
        FATHOM_TRY(const std::string text, examples->linkFileWith(changes, progress, stop));
        const std::string folder = project + "/links";
        FATHOM_CHECK(makeFolders(folder));
        const std::string file = folder + "/" + sha256Hex(text).substr(0, 12) + ".jsonl";
        FATHOM_CHECK(writeFileAtomically(file, text));
        return file;
      },
      [this, view, changes = view->changes()](const Result<std::string>& file) {
        if (!file.ok()) return refuse(file.error(), QLatin1String(kKeeping));
        view->setKept(changes, fromUtf8(*file));
        if (view->examples() == nullptr) return;
        m_draft->undoStack()->beginMacro(tr("use of the kept links"));
        const Json options = view->examples()->optionsForLinkFile(*file);
        for (const auto& [key, value] : options.items())
          if (m_draft->schema().find(key)) m_draft->setValue(fromUtf8(key), value);
        m_draft->undoStack()->endMacro();
      });
}

void NewRunController::readData() {
  if (!m_draft) return;
  ProgressUpdate start;
  start.phase = "reading";
  m_data->showProgress(start);
  m_jobs->start<DataSummary>(
      tr("Reading the data"), QStringLiteral("data"),
      [values = m_draft->values(), project = project()](Progress& progress,
                                                        const StopToken& stop) -> Result<DataSummary> {
        FATHOM_CHECK(makeMissingData(project, values));
        return readDataSummary(values, progress, stop);
      },
      [this](const Result<DataSummary>& summary) {
        if (summary.ok()) {
          m_data->showSummary(*summary);
        } else {
          m_data->showError(summary.error());
        }
      },
      [this](const ProgressUpdate& update) { m_data->showProgress(update); });
}

}  // namespace fathom
