// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs the window looks at, as far as the Train workspace has a say in it, and what is said of those
// that were queued.
#include <QStackedWidget>
#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "app/runner/device_slots.h"
#include "app/window/jobs/project_service.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/drawn_runs.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/run_comparer.h"
#include "app/window/train/train_workspace.h"
#include "app/window/train/undo_step.h"
#include "views/look/engine_text.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/compare_page.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/controls.h"
#include "views/tables/queue_model.h"
#include "views/tables/queue_rate.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_table_model.h"

namespace fathom {

// Keeps a person's choice, whatever comes and goes: another choice is made for a project that was
// just opened, for what was just launched, and in place of a run that went.
void TrainWorkspace::chooseRuns(bool first, const QString& neighbour) {
  if (m_runModel->rowCount() > 0) {
    const DimensionSelection wanted = std::exchange(m_wanted, {});
    const bool here = std::exchange(m_wantedIn, {}) == m_service->path();
    if (choose(wanted) || (here && wanted.items.isEmpty() && m_fresh.isEmpty())) return;
  }
  const auto isAwaited = [this](const QString& run) { return m_runModel->run(run) == nullptr; };
  const bool waits = m_freshAtOnce && std::any_of(m_fresh.cbegin(), m_fresh.cend(), isAwaited);
  if (!m_fresh.isEmpty() && !waits && choose({m_fresh, m_fresh.first()})) {
    m_fresh.removeIf([this](const QString& run) { return m_runModel->eyes()->isOpen(run); });
    if (!m_fresh.isEmpty()) m_runModel->eyes()->set(m_fresh, true);
    return m_fresh.clear();
  }
  const DimensionSelection chosen = m_selection->of(Dimension::Run);
  if (choose(chosen)) return;
  const QStringList runs = first ? firstRuns() : QStringList{neighbour};
  if (!choose({runs, runs.value(0)}) && !chosen.items.isEmpty())
    m_selection->set(Dimension::Run, {}, {}, this);
}

void TrainWorkspace::showFresh(const QStringList& runs, const QStringList& metrics) {
  constexpr int kFewMetrics = 6;
  m_fresh = runs.mid(0, kRunsAtOnce);
  m_freshAtOnce = true;
  showCurves();
  chooseRuns(false, {});  // the project may have told of them before their import was over
  if (!metrics.isEmpty() && metrics.size() <= kFewMetrics) m_curves->panel()->setMetrics(metrics);
}

// Selects the runs of `wanted` that are there; false if none is.
bool TrainWorkspace::choose(DimensionSelection wanted) {
  wanted.items.removeIf([this](const QString& uuid) { return m_runModel->run(uuid) == nullptr; });
  if (!wanted.items.isEmpty()) m_selection->set(Dimension::Run, wanted.items, wanted.current, this);
  return !wanted.items.isEmpty();
}

QVector<RunItem> TrainWorkspace::selectedItems() const {
  QVector<RunItem> items;
  for (const QString& uuid : m_selection->of(Dimension::Run).items) {
    const RunItem* run = m_runModel->run(uuid);
    if (run == nullptr) continue;
    const bool current = uuid == m_selection->current(Dimension::Run);
    items.insert(current ? 0 : items.size(), *run);
  }
  return items;
}

// Runs shown first in a project that was just opened: those in training, else the newest run.
QStringList TrainWorkspace::firstRuns() const {
  QStringList open, newest;
  QDateTime latest;
  for (const RunItem& run : m_runModel->runs()) {
    if (isOpen(run.state) && open.size() < kRunsAtOnce) open.append(run.uuid);
    if (!newest.isEmpty() && run.created < latest) continue;
    newest = QStringList(run.uuid);
    latest = run.created;
  }
  return open.isEmpty() ? newest : open;
}

// Chosen by the mouse in passing, so the way back is Undo.
void TrainWorkspace::chooseInCurves(const QStringList& runs) {
  if (runs.isEmpty()) return;
  const DimensionSelection before = m_selection->of(Dimension::Run);
  const auto choose = [this](const DimensionSelection& chosen) {
    return [this, chosen] { m_selection->set(Dimension::Run, chosen.items, chosen.current, m_curves); };
  };
  const QString current = runs.contains(before.current) ? before.current : runs.first();
  m_undo->push(new UndoStep(tr("Select runs"), choose({runs, current}), choose(before)));
}

// A click on a curve takes its run, or makes it the current one of those that are selected; with Ctrl it
// joins or leaves them.
void TrainWorkspace::pickInCurves(const QString& uuid, bool toggle) {
  QStringList runs = m_selection->of(Dimension::Run).items;
  if (!toggle && runs.contains(uuid)) return m_selection->setCurrent(Dimension::Run, uuid, m_curves);
  if (!toggle) {
    runs = QStringList(uuid);
  } else if (!runs.removeOne(uuid)) {
    runs.append(uuid);
  }
  chooseInCurves(runs);
}

// In the order of the table: the first one is what the others are compared with.
void TrainWorkspace::showComparison() {
  if (m_compare == nullptr) {
    m_compare = new ComparePage(m_pages);
    m_compare->setMinimumSize(kSmallestPage);
    m_pages->addWidget(m_compare);
    m_comparer = new RunComparer(m_compare, m_runModel, m_service, m_jobs, this);
    leaveWithEscape(m_compare, [this] { showCurves(); });
    connect(m_compare, &ComparePage::closed, this, &TrainWorkspace::showCurves);
    connect(m_compare, &ComparePage::figureRequested, this,
            [this] { Q_EMIT figureRequested(m_comparer->recipe()); });
    connect(m_compare, &ComparePage::runPicked, this,
            [this](const QString& uuid) { m_selection->set(Dimension::Run, {uuid}, uuid, m_compare); });
  }
  m_comparer->compare(m_selection->of(Dimension::Run).items);
  m_pages->setCurrentWidget(m_compare);
  m_compare->setFocus();
}

void TrainWorkspace::drawCurves() {
  m_curves->setRuns(drawnRuns(*m_runModel, m_selection->of(Dimension::Run)));
}

void TrainWorkspace::takeRuns(const QStringList& uuids) {
  QStringList runs = m_selection->of(Dimension::Run).items;
  for (const QString& uuid : uuids)
    if (!runs.contains(uuid)) runs.append(uuid);
  m_runModel->eyes()->set(uuids, true);
  chooseInCurves(runs);
}

void TrainWorkspace::followSelection(Dimension dimension, QObject* source) {
  if (dimension != Dimension::Run) return;
  const QString current = m_selection->current(Dimension::Run);
  if (source != m_runs) m_runs->selectRuns(m_selection->of(Dimension::Run).items, current);
  const QVector<RunItem> items = selectedItems();
  m_actions->setSelection(items);
  m_runModel->eyes()->setSelected(m_selection->of(Dimension::Run).items);
  drawCurves();
  const RunItem* run = m_runModel->run(current);
  showCurrent(run, run == nullptr || run->uuid != m_current);
  updateFollowed();
}

// Of another place only its own queue knows.
QString TrainWorkspace::queuedNote(int runs, const QString& name) const {
  const QString queued =
      runs == 1 ? tr("“%1” was put into the queue.").arg(name) : tr("Runs put into the queue: %1.").arg(runs);
  const bool here = m_launched ? m_newRun->places()->here() : m_places.size() <= 1;
  if (!here) return queued;
  const QueueSettingsView& view = m_queue->settings();
  QueueSettings settings;
  settings.concurrentCpuRuns = view.concurrentCpuRuns;
  settings.runsPerGpu = view.runsPerGpu;
  for (const QString& device : view.devices) settings.devices.push_back(toUtf8(device));
  QueueWait wait{runs, 0, engine() != nullptr ? runsAtOnceHere(*engine(), settings) : 1, m_paused};
  if (!m_launched || !m_launchedAtFront)
    for (const QueueRow& row : m_queueModel->rows()) wait.ahead += row.held ? 0 : 1;
  return queued + QLatin1Char(' ') + beginText(m_runModel->runs(), wait, QDateTime::currentDateTimeUtc());
}

// Events of runs in training, and of the one that is shown, are read as they come.
void TrainWorkspace::updateFollowed() {
  QHash<QString, QString> wanted;
  for (const RunItem& run : m_runModel->runs())
    if (isLive(run.state) && !run.folder.isEmpty()) wanted.insert(run.uuid, run.folder);
  if (!m_currentFolder.isEmpty()) wanted.insert(m_current, m_currentFolder);
  for (auto it = m_followed.cbegin(); it != m_followed.cend(); ++it)
    if (wanted.value(it.key()) != it.value()) m_follower.unfollow(it.key());
  for (auto it = wanted.cbegin(); it != wanted.cend(); ++it)
    if (m_followed.value(it.key()) != it.value()) m_follower.follow(it.key(), it.value());
  m_followed = wanted;
}

}  // namespace fathom
