// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/train_workspace.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QUndoStack>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "app/requests/init_report_request.h"
#include "app/window/jobs/job_center.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/data_gesture.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/run_alarms.h"
#include "app/window/train/run_comparer.h"
#include "app/window/train/system_watch.h"
#include "app/window/train/undo_step.h"
#include "views/look/engine_text.h"
#include "views/panels/data/data_page.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/train/grid_panel.h"
#include "views/panels/train/init_report_view.h"
#include "views/panels/train/log_panel.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/log_model.h"
#include "views/tables/queue_model.h"
#include "views/tables/queue_rate.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_table_model.h"

namespace fathom {

TrainWorkspace::TrainWorkspace(ProjectService* service, JobCenter* jobs, MessageBar* messages,
                               FileChoice* files, RunActions* actions, SelectionModel* selection,
                               QUndoStack* undo, QWidget* window)
    : Workspace(window),
      m_service(service),
      m_jobs(jobs),
      m_selection(selection),
      m_undo(undo),
      m_messages(messages),
      m_files(files),
      m_actions(actions),
      m_runModel(new RunTableModel(this)),
      m_queueModel(new QueueModel(this)),
      m_logModel(new LogModel(this)),
      m_runs(new RunTablePanel(m_runModel, window)),
      m_pages(new QStackedWidget(window)),
      m_curves(new CurveStack(m_pages)),
      m_details(new RunDetailsPanel(window)),
      m_log(new LogPanel(m_logModel, window)),
      m_queue(new QueuePanel(m_queueModel, window)),
      m_grid(new GridPanel(window)),
      m_alarms(new RunAlarms(this)) {
  m_pages->addWidget(m_curves);
  m_curves->setMinimumSize(kSmallestPage);
  m_gridTimer.setSingleShot(true);
  m_gridTimer.setInterval(200);
  connect(&m_gridTimer, &QTimer::timeout, this, [this] { m_grid->setRuns(m_runModel->runs()); });
  m_curves->setGrouping(m_runModel->grouping());
  connectTables();
  connectActions();
}

QWidget* TrainWorkspace::widget() const {
  return m_pages;
}

QUndoStack* TrainWorkspace::undoStack() const {
  const bool form = m_controller != nullptr && m_pages->currentWidget() == m_newRun && m_pages->isVisible();
  return form && m_controller->draft() != nullptr ? m_controller->draft()->undoStack() : m_undo;
}

bool TrainWorkspace::undo() {
  undoStack()->undo();
  return true;
}

bool TrainWorkspace::redo() {
  undoStack()->redo();
  return true;
}

// Parts of the workspace that can be seen: their docks may be closed, or behind another one.
QList<QWidget*> TrainWorkspace::places() const {
  QList<QWidget*> parts = {m_pages};
  for (QWidget* panel :
       {static_cast<QWidget*>(m_runs), static_cast<QWidget*>(m_details), static_cast<QWidget*>(m_log),
        static_cast<QWidget*>(m_queue), static_cast<QWidget*>(m_grid)})
    if (panel->isVisible() && !panel->visibleRegion().isEmpty()) parts.append(panel);
  return parts;
}

// The view of the curves, with the runs that are drawn and the draft of a run that somebody was writing.
QByteArray TrainWorkspace::saveView() const {
  const Json draft = m_controller != nullptr ? m_controller->draftState() : m_draft;
  auto view = parseJson(m_curves->saveView().toStdString());
  if (!view.ok() || !view->is_object()) return m_curves->saveView();
  if (!draft.is_null()) (*view)["draft"] = draft;
  const Json runOn = m_controller != nullptr ? m_controller->runOn() : m_runOn;
  if (!runOn.is_null()) (*view)["run_on"] = runOn;
  (*view)["eyes"] = m_runModel->eyes()->save();
  (*view)["groupings"] = m_runModel->grouping()->save();
  return QByteArray::fromStdString(view->dump());
}

void TrainWorkspace::restoreView(const QByteArray& view) {
  m_curves->restoreView(view);
  const auto json = parseJson(view.toStdString());
  if (!json.ok() || !json->is_object()) return;
  m_runModel->eyes()->restore(json->value("eyes", Json()));
  m_runModel->grouping()->restore(json->value("groupings", Json()));
  m_runOn = json->value("run_on", Json());
  if (m_controller != nullptr) m_controller->restoreRunOn(m_runOn);
  if (!json->contains("draft")) return;
  m_draft = (*json)["draft"];
  if (m_controller != nullptr) m_controller->restoreDraft(m_draft);
}

void TrainWorkspace::connectTables() {
  connect(m_service, &ProjectService::changed, this, &TrainWorkspace::take);
  connect(m_service, &ProjectService::detailsRead, this, &TrainWorkspace::takeDetails);
  connect(m_service, &ProjectService::historyRead, m_curves, &CurveStack::setHistory);
  connect(m_service, &ProjectService::problem, m_messages, qOverload<const Error&>(&MessageBar::showError));
  connect(m_service, &ProjectService::followingGoesOn, this, [this](int sources) {
    m_messages->showNote(tr("Sources of other programs that are read on as they grow: %1.").arg(sources));
  });
  connect(m_service, &ProjectService::wished, this, [this](const QString& name, const QString& when) {
    m_messages->showNote(tr("“%1” was asked: %2.").arg(name, when));
  });
  connect(m_service, &ProjectService::enqueued, this, [this](const QStringList& uuids, const QString& name) {
    m_messages->showNote(queuedNote(static_cast<int>(uuids.size()), name));
    if (!std::exchange(m_launched, false)) return;
    m_fresh = uuids.mid(0, kRunsAtOnce);
    m_freshAtOnce = false;
  });
  connect(m_runs, &RunTablePanel::selectionChanged, this,
          [this] { m_selection->set(Dimension::Run, m_runs->selectedRuns(), m_runs->currentRun(), m_runs); });
  connect(m_runs, &RunTablePanel::activated, this, &TrainWorkspace::showCurves);
  connect(m_runModel, &RunTableModel::renameRequested, this,
          [this](const QString& uuid, const QString& name) {
            if (const RunItem* run = m_runModel->run(uuid)) m_actions->rename(*run, name);
          });
  connect(m_runModel, &RunTableModel::starRequested, this, [this](const QString& uuid, bool star) {
    if (const RunItem* run = m_runModel->run(uuid)) m_actions->setStar(*run, star);
  });
  connect(m_queueModel, &QueueModel::moveRequested, this, [this](const QString& id, int position) {
    const auto& rows = m_queueModel->rows();
    m_service->moveInQueue(id, position < rows.size() ? rows[position].id : QString());
  });
  connect(m_queue, &QueuePanel::settingsRequested, m_service, &ProjectService::setQueueSettings);
  connect(m_queue, &QueuePanel::removeRequested, this, [this](const QStringList& ids) {
    QVector<RunItem> runs;
    for (const QString& id : ids)
      if (const RunItem* run = m_runModel->run(id)) runs.append(*run);
    m_actions->withdraw(runs);
  });
  connect(m_grid, &GridPanel::runsPicked, this,
          [this](const QStringList& runs) { m_selection->set(Dimension::Run, runs, runs.value(0), m_grid); });
  connect(m_details, &RunDetailsPanel::notesEdited, this, [this](const QString& uuid, const QString& note) {
    if (const RunItem* run = m_runModel->run(uuid)) m_actions->setNote(*run, note);
  });
  connect(m_details, &RunDetailsPanel::tagsEdited, this,
          [this](const QString& uuid, const QStringList& tags) {
            if (const RunItem* run = m_runModel->run(uuid)) m_actions->setTags(*run, tags);
          });
  connect(m_details, &RunDetailsPanel::fileActivated, this, [this](const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(m_currentFolder + QLatin1Char('/') + path));
  });
  new SystemWatch(m_details->system(), m_runModel, m_service, m_jobs, this);
  connect(m_details, &RunDetailsPanel::initReportRequested, this, &TrainWorkspace::makeInitReport);
  connect(m_curves, &CurveStack::historyNeeded, m_service, &ProjectService::readHistory);
  connect(m_curves, &CurveStack::runPicked, this, &TrainWorkspace::pickInCurves);
  connect(m_curves, &CurveStack::drawAllRequested, m_runModel->eyes(), &RunEyes::openAll);
  connect(m_runModel->eyes(), &RunEyes::changed, this, &TrainWorkspace::drawCurves);
  connect(m_curves, &CurveStack::runsChosen, this, &TrainWorkspace::chooseInCurves);
  connect(m_selection, &SelectionModel::changed, this, &TrainWorkspace::followSelection);
  connect(&m_follower, &EventFollower::arrived, this, &TrainWorkspace::takeEvents);
  connect(&m_follower, &EventFollower::problem, this,
          [this](const QString&, const Error& error) { m_messages->showError(error); });
}

void TrainWorkspace::connectActions() {
  connect(m_actions, &RunActions::cloneRequested, this, [this](const RunItem& run) {
    showNewRun();  // what is said of the form then belongs to its page
    newRun()->cloneRun(run);
  });
  connect(m_actions, &RunActions::compareRequested, this, &TrainWorkspace::showComparison);
  connect(m_actions, &RunActions::editTagsRequested, m_details, &RunDetailsPanel::editTags);
  connect(m_actions, &RunActions::editNotesRequested, m_details, &RunDetailsPanel::editNotes);
  connect(m_actions, &RunActions::renameRequested, this, [this](const QString& uuid) {
    m_selection->set(Dimension::Run, {uuid}, uuid, m_actions);
    m_runs->table()->edit(m_runs->table()->currentIndex().siblingAtColumn(RunTableModel::Name));
  });
}

void TrainWorkspace::makePages() {
  if (m_controller != nullptr) return;
  m_newRun = new NewRunPage(m_pages);
  m_data = new DataPage(m_pages);
  for (QWidget* page : {static_cast<QWidget*>(m_newRun), static_cast<QWidget*>(m_data)}) {
    page->setMinimumSize(kSmallestPage);
    m_pages->addWidget(page);
  }
  m_controller = new NewRunController(m_newRun, m_data, m_service, m_jobs, m_messages, m_files, this);
  const auto tellTimes = [this] { m_controller->tellPresetTimes(m_runModel->runs()); };
  connect(m_newRun, &NewRunPage::shown, m_controller, tellTimes);
  connect(m_controller, &NewRunController::presetsListed, m_controller, tellTimes);
  m_controller->restoreRunOn(m_runOn);
  m_controller->setPlaces(m_places, m_placesProblem);
  m_controller->restoreDraft(m_draft);
  connect(m_newRun, &NewRunPage::closed, this, &TrainWorkspace::showCurves);
  leaveWithEscape(m_newRun, [this] { showCurves(); });
  leaveWithEscape(m_data, [this] { Q_EMIT m_data->closed(); });
  connect(m_newRun, &NewRunPage::dataRequested, this, [this] {
    showData();
    m_controller->readData();
  });
  connect(m_data, &DataPage::closed, this, &TrainWorkspace::showNewRun);
  connect(m_controller, &NewRunController::launched, this, [this](bool atFront) {
    m_launched = true;
    m_launchedAtFront = atFront;
    showCurves();
  });
  connect(m_controller, &NewRunController::engineKnown, this, &TrainWorkspace::takeEngine);
  if (m_handed != nullptr) m_controller->takeOver(*std::exchange(m_handed, nullptr));
}

NewRunPage* TrainWorkspace::newRunPage() {
  makePages();
  return m_newRun;
}

NewRunController* TrainWorkspace::newRun() {
  makePages();
  return m_controller;
}

const EngineDescription* TrainWorkspace::engine() const {
  return m_controller != nullptr ? m_controller->engine() : nullptr;
}

QHash<QString, QString> TrainWorkspace::optionTitles() const {
  QHash<QString, QString> titles;
  if (engine() == nullptr) return titles;
  for (const OptionField& field : engine()->options.fields())
    titles[fromUtf8(field.key)] = engineText(field.title);
  return titles;
}

void TrainWorkspace::takeEngine() {
  m_details->setSchema(&engine()->options);
  m_runModel->setConfigTitles(optionTitles());
  QVector<DeviceView> devices;
  for (const EngineDevice& device : engine()->devices)
    devices.append({fromUtf8(device.id), fromUtf8(device.title), fromUtf8(device.reason), device.available});
  m_queue->setDevices(devices);
  Q_EMIT engineKnown();
}

void TrainWorkspace::showCurves() {
  m_pages->setCurrentWidget(m_curves);
}

void TrainWorkspace::showNewRun() {
  makePages();
  m_pages->setCurrentWidget(m_newRun);
  m_newRun->focusName();
}

void TrainWorkspace::takeData(const QString& path) {
  showNewRun();
  newRun()->dataGesture()->take(path);
}

void TrainWorkspace::showNewGrid() {
  showNewRun();
  m_newRun->setGridShown(true);
}

void TrainWorkspace::showData() {
  makePages();
  m_pages->setCurrentWidget(m_data);
}

void TrainWorkspace::takeOver(const TrainWorkspace& other) {
  m_wanted = other.m_selection->of(Dimension::Run);
  m_handed = other.m_controller != nullptr ? other.m_controller->handOver() : other.m_handed;
  const QWidget* page = other.m_pages->currentWidget();
  if (page == other.m_newRun || page == other.m_data) showNewRun();
}

void TrainWorkspace::dropForm() {
  if (m_controller != nullptr) m_controller->dropForm();
}

void TrainWorkspace::reset() {
  m_alarms->reset();
  m_runModel->setRuns({});
  m_runModel->eyes()->begin({});
  m_runModel->grouping()->begin({});
  m_queueModel->setRows({});
  m_logModel->clear();
  m_grid->setGrids({}, {});
  m_grid->setRuns({});
  m_details->setRun(nullptr, {});
  m_curves->clear();
  if (m_comparer != nullptr) m_comparer->reset();
  m_current.clear();
  m_selection->set(Dimension::Run, {}, {}, this);
  m_columnsChosen = m_launched = false;
  m_fresh.clear();
  updateFollowed();
}

int TrainWorkspace::queued() const {
  return m_queueModel->rowCount();
}

double TrainWorkspace::lastEventAge() const {
  return m_lastEvent > 0 ? double(QDateTime::currentMSecsSinceEpoch()) / 1000 - m_lastEvent : -1;
}

void TrainWorkspace::take(const ProjectChanges& changes) {
  const bool first = m_runModel->rowCount() == 0;
  const QStringList before = m_selection->of(Dimension::Run).items;
  const bool lost = std::any_of(before.cbegin(), before.cend(),
                                [&](const QString& uuid) { return changes.removed.contains(uuid); });
  m_runModel->eyes()->begin(m_service->path());
  m_runModel->grouping()->begin(m_service->path());
  m_alarms->take(changes, *m_runModel, m_current);
  m_runModel->removeRuns(changes.removed);
  m_runModel->updateRuns(changes.runs);
  if (changes.gridsChanged) m_grid->setGrids(changes.grids, optionTitles());
  if (!m_gridTimer.isActive()) m_gridTimer.start();
  takeQueue(changes);
  takePlaces(changes);
  m_curves->setAnyRuns(m_runModel->rowCount() > 0);
  chooseColumns();
  for (const RunItem& run : changes.runs) {
    m_curves->updateRun(run);
    if (run.uuid == m_current) showCurrent(&run, run.state != m_currentState);
  }
  if (!m_current.isEmpty() && changes.removed.contains(m_current)) showCurrent(nullptr, true);
  if (!changes.removed.isEmpty()) drawCurves();
  chooseRuns(first, lost ? m_runs->currentRun() : QString());
  if (m_comparer != nullptr) m_comparer->takeRuns();
  m_actions->setSelection(selectedItems());
  updateFollowed();
  Q_EMIT runsChanged();
}

void TrainWorkspace::takeQueue(const ProjectChanges& changes) {
  m_running = changes.running;
  if (changes.queueChanged) {
    m_queueModel->setRows(changes.queue);
    m_queue->setSettings(changes.settings);
    m_paused = changes.settings.paused;
    if (m_paused && !changes.queue.isEmpty()) {
      m_queue->setRunnerText(tr("The queue is paused: nothing that waits is started."));
    } else if (changes.runnerPid > 0) {
      const QString rate = queueRateText(queueRate(m_runModel->runs(), QDateTime::currentDateTimeUtc()));
      const QString runner = tr("The runner is at work (process %1); closing the window does not stop it.");
      m_queue->setRunnerText((runner.arg(changes.runnerPid) + QLatin1Char(' ') + rate).trimmed());
    } else {
      const bool waits = !changes.queue.isEmpty();
      m_queue->setRunnerText(
          waits ? tr("Nobody works at the queue; the next run or “Start” does.") : QString(),
          waits && !m_service->readOnly());
    }
  }
  Q_EMIT countsChanged();
}

void TrainWorkspace::takePlaces(const ProjectChanges& changes) {
  if (changes.heardChanged) m_runModel->setHeard(changes.heard);
  if (!changes.placesChanged) return;
  m_places = changes.places;
  m_placesProblem = changes.placesProblem;
  m_actions->setPlaces(m_places);
  if (m_controller != nullptr) m_controller->setPlaces(m_places, m_placesProblem);
}

void TrainWorkspace::chooseColumns() {
  // A table nobody has arranged shows the scores that matter.
  if (m_columnsChosen || !m_runModel->metricColumns().isEmpty()) return;
  QStringList chosen;
  std::vector<std::string> known;
  for (const QString& metric : m_runModel->knownMetrics()) known.push_back(toUtf8(metric));
  for (const std::string& id : m_runModel->metricCatalogue().headlines(known)) chosen.append(fromUtf8(id));
  if (chosen.isEmpty()) return;
  m_columnsChosen = true;
  m_runs->chooseMetrics(chosen);
}

void TrainWorkspace::showCurrent(const RunItem* run, bool another) {
  m_details->setRun(run, m_runModel->runs());
  const QString before = m_current;
  m_current = run != nullptr ? run->uuid : QString();
  m_currentFolder = run != nullptr ? run->folder : QString();
  m_currentState = run != nullptr ? std::optional(run->state) : std::nullopt;
  m_log->setRunName(run != nullptr ? run->name : QString());
  if (before != m_current) {
    m_logModel->clear();
    m_alarms->clearLog();
    m_stderrShown.clear();
    m_log->setRemark({});
    // The follower reads a run from its first event when it starts to follow it.
    for (const QString& uuid : {before, m_current}) {
      m_follower.unfollow(uuid);
      m_followed.remove(uuid);
    }
  }
  if (run != nullptr && another && !run->folder.isEmpty()) m_service->readDetails(run->uuid, run->folder);
}

void TrainWorkspace::takeEvents(const EventBatchPtr& batch) {
  if (!batch->events.empty()) m_lastEvent = qMax(m_lastEvent, batch->events.back().time);
  m_curves->append(batch);
  if (batch->run != m_current) return;
  if (batch->again) m_logModel->clear();
  if (batch->again) m_alarms->clearLog();
  const RunItem* current = m_runModel->run(m_current);
  const MetricCatalogue metrics(current != nullptr ? current->metrics : Metrics());
  QVector<LogLine> lines;
  for (const Event& event : batch->events)
    if (auto line = logLineOf(event, metrics)) lines.append(*line);
  m_logModel->append(lines);
  m_alarms->takeLog(lines);
  QStringList remarks;
  if (batch->badLines > 0)
    remarks.append(tr("Damaged lines of the events, skipped: %1.").arg(batch->badLines));
  if (batch->missingEvents > 0) remarks.append(tr("Missing events: %1.").arg(batch->missingEvents));
  m_log->setRemark(remarks.join(QLatin1Char(' ')));
}

void TrainWorkspace::takeDetails(const RunDetails& details) {
  m_details->setDetails(details);
  if (details.uuid != m_current) return;
  const QString all = details.stderrTail.join(QLatin1Char('\n'));
  if (all.isEmpty() || m_stderrShown.value(details.uuid) == all) return;
  m_stderrShown.insert(details.uuid, all);
  QVector<LogLine> lines;
  for (const QString& text : details.stderrTail)
    lines.append({0, LogLine::Level::Detail, QStringLiteral("stderr"), text});
  m_logModel->append(lines);
}

void TrainWorkspace::makeInitReport(const QString& uuid) {
  const RunItem* run = m_runModel->run(uuid);
  if (run == nullptr || run->folder.isEmpty()) return;
  m_details->initReport()->showWorking();
  m_jobs->start<Json>(
      tr("Initial values of %1").arg(run->name), QStringLiteral("init-report"),
      [folder = toUtf8(run->folder)](Progress& progress, const StopToken& stop) {
        return fathom::makeInitReport(folder, progress, stop);
      },
      [this, uuid](const Result<Json>& report) {
        if (uuid != m_current) return;
        InitReportView* view = m_details->initReport();
        report.ok() ? view->showReport(*report) : view->showProblem(phraseText(report.error().phrase()));
      });
}

}  // namespace fathom
