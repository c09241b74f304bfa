// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/curve_stack.h"

#include <QVBoxLayout>

#include "core/analysis/seed_groups.h"
#include "views/look/engine_text.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/grid_editor.h"

namespace fathom {

namespace {

bool carriesPoints(const Event& event) {
  return (event.kind == "step" || event.kind == "validation") && event.members.contains("step") &&
         event.members["step"].is_number();
}

}  // namespace

CurveStack::CurveStack(QWidget* parent) : QWidget(parent), m_panel(new CurvePanel(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_panel);
  QStringList metrics;
  for (const Metric& metric : programMetrics())
    if (metric.headline > 0) metrics.append(fromUtf8(metric.id));
  m_panel->setMetrics(metrics);
  showEmptyState();
  connect(m_panel, &CurvePanel::runPicked, this, &CurveStack::runPicked);
  connect(m_panel, &CurvePanel::runsChosen, this, &CurveStack::runsChosen);
  connect(m_panel, &CurvePanel::exportRequested, this, &CurveStack::exportRequested);
}

void CurveStack::setRuns(const QVector<RunItem>& runs, const QString& current) {
  QStringList wanted;
  for (const RunItem& run : runs) wanted.append(run.uuid);
  for (const QString& uuid : m_shown.keys())
    if (!wanted.contains(uuid)) m_shown.remove(uuid);
  m_panel->keepRuns(wanted);
  for (const RunItem& run : runs) {
    if (m_shown.contains(run.uuid)) continue;
    Shown shown;
    shown.run = run;
    m_shown.insert(run.uuid, shown);
    if (!run.folder.isEmpty()) Q_EMIT seriesNeeded(run.uuid, run.folder);
  }
  m_panel->setCatalogue(metricsOf(runs));
  groupSeeds();
  m_panel->setCurrentRun(wanted.size() > 1 ? current : QString());
  showEmptyState();
}

// Which runs differ only in the seed depends on all that are shown.
void CurveStack::groupSeeds() {
  std::vector<const Json*> options;
  std::vector<std::string> origins;
  for (const Shown& shown : std::as_const(m_shown)) {
    options.push_back(&shown.run.config);
    origins.push_back(toUtf8(shown.run.origin));
  }
  const std::vector<std::string> groups = seedGroups(options, origins);
  QHash<QString, QString> byRun;
  std::size_t next = 0;
  for (Shown& shown : m_shown) {
    shown.group = fromUtf8(groups[next++]);
    byRun.insert(shown.run.uuid, shown.group);
  }
  m_panel->setSeedGroups(byRun);
}

void CurveStack::setAnyRuns(bool any) {
  if (m_anyRuns == any) return;
  m_anyRuns = any;
  showEmptyState();
}

void CurveStack::showEmptyState() {
  if (!m_anyRuns)
    return m_panel->setEmptyState(
        tr("No runs yet. Choose a preset and train, or open the sample to see one at work."), m_firstSteps);
  m_panel->setEmptyState(m_shown.isEmpty() ? tr("Select runs to see their curves.")
                                           : tr("The selected runs have not logged anything yet."),
                         {});
}

void CurveStack::updateRun(const RunItem& run) {
  const auto found = m_shown.find(run.uuid);
  if (found == m_shown.end()) return;
  const RunItem before = found->run;
  found->run = run;
  m_panel->setOutcome(run.uuid, run.state);
  if (before.config != run.config) groupSeeds();
  const bool again = before.attempts != run.attempts || before.state != run.state ||
                     before.name != run.name || before.colour != run.colour || before.folder != run.folder;
  if (again && !run.folder.isEmpty()) Q_EMIT seriesNeeded(run.uuid, run.folder);
}

CurveSeries CurveStack::head(const Shown& shown, const QString& metric) const {
  CurveSeries series;
  series.run = shown.run.uuid;
  series.name = shown.run.name;
  series.group = shown.group;
  series.outcome = shown.run.state;
  series.colour = shown.run.colour;
  series.metric = metric;
  return series;
}

void CurveStack::setSeries(const QString& uuid, const RunSeriesPtr& history) {
  const auto found = m_shown.find(uuid);
  if (found == m_shown.end()) return;
  found->loaded = true;
  found->tail = {};
  for (const ScalarSeries& from : *history) {
    CurveSeries series = head(*found, fromUtf8(from.metric));
    series.steps = from.step;
    series.seconds = from.time;
    series.epochs = from.epoch;
    series.values = from.value;
    if (!from.step.empty()) {
      found->tail.lastStep[series.metric] = from.step.back();
      found->tail.newestStep = std::max(found->tail.newestStep, from.step.back());
      found->tail.lastSeconds = std::max(found->tail.lastSeconds, from.time.back());
    }
    m_panel->setSeries(std::move(series));
  }
}

void CurveStack::appendPoint(Shown& shown, const Event& event, QHash<QString, CurveSeries>& fresh) {
  const Json& m = event.members;
  const double step = m["step"].get<double>();
  const auto epoch = m.contains("epoch") ? realFromJson(m["epoch"]) : Result<double>(0.0);
  Tail& tail = shown.tail;
  if (step < tail.newestStep) return;  // in the history
  // The last point of the history tells which time of the clock is which second of the run; after a clock
  // that was set back it goes on from the last point.
  if (tail.timeOffset == 0 || event.time - tail.timeOffset < tail.lastSeconds)
    tail.timeOffset = event.time - tail.lastSeconds;
  tail.newestStep = step;
  tail.lastSeconds = event.time - tail.timeOffset;
  const auto add = [&](const QString& metric, const Json& number) {
    const auto value = realFromJson(number);
    if (!value.ok() || step <= tail.lastStep.value(metric, -1)) return;
    tail.lastStep[metric] = step;
    CurveSeries& series = fresh[metric];
    series.steps.push_back(step);
    series.seconds.push_back(tail.lastSeconds);
    series.epochs.push_back(epoch.ok() ? *epoch : 0);
    series.values.push_back(*value);
  };
  if (m.contains("lr")) add(QStringLiteral("lr"), m["lr"]);
  if (m.contains("m") && m["m"].is_object())
    for (const auto& [name, value] : m["m"].items()) add(fromUtf8(name), value);
}

void CurveStack::append(const QString& uuid, const EventBatch& batch) {
  const auto found = m_shown.find(uuid);
  // What comes before the history is there is in the history.
  if (found == m_shown.end() || !found->loaded) return;
  QHash<QString, CurveSeries> fresh;
  for (const Event& event : batch.events)
    if (carriesPoints(event)) appendPoint(*found, event, fresh);
  for (auto it = fresh.begin(); it != fresh.end(); ++it) {
    CurveSeries series = head(*found, it.key());
    series.steps = std::move(it->steps);
    series.seconds = std::move(it->seconds);
    series.epochs = std::move(it->epochs);
    series.values = std::move(it->values);
    m_panel->appendSeries(series);
  }
}

QString CurveStack::figureOptions() const {
  return m_panel->figureOptions().join(QLatin1Char(','));
}

void CurveStack::clear() {
  m_shown.clear();
  m_anyRuns = true;  // until it is known
  showEmptyState();
  m_panel->clear();
}

QByteArray CurveStack::saveView() const {
  return m_panel->saveView();
}

void CurveStack::restoreView(const QByteArray& view) {
  if (!view.isEmpty()) m_panel->restoreView(view);
}

}  // namespace fathom
