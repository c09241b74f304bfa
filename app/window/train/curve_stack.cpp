// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/curve_stack.h"

#include <QAction>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/numbers/not_a_number.h"
#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/widgets/boxes.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_groups.h"
#include "views/tables/run_names.h"

namespace fathom {

namespace {

// Number of batches that are kept while a run's history is read, the latest ones: a follower that begins at
// the first event may be far behind it.
constexpr qsizetype kMostWaiting = 8;

// Positions are searched: one that an import does not tell stands where the one before it does. Where none is
// told all stay unknown.
std::vector<double> ascending(std::vector<double> positions) {
  const auto known =
      std::find_if(positions.begin(), positions.end(), [](double at) { return !std::isnan(at); });
  if (known == positions.end()) return positions;
  double last = *known;
  for (double& at : positions) last = at = std::isnan(at) ? last : at;
  return positions;
}

}  // namespace

CurveStack::CurveStack(QWidget* parent)
    : QWidget(parent), m_panel(new CurvePanel(this)), m_drawAll(new QAction(tr("Draw all runs"), this)) {
  makeColumn(this, {m_panel});
  QStringList metrics;
  for (const Metric& metric : programMetrics())
    if (metric.headline > 0) metrics.append(fromUtf8(metric.id));
  m_panel->setMetrics(metrics);
  showEmptyState();
  connect(m_drawAll, &QAction::triggered, this, &CurveStack::drawAllRequested);
  connect(m_panel, &CurvePanel::runPicked, this, &CurveStack::runPicked);
  connect(m_panel, &CurvePanel::runsChosen, this, &CurveStack::runsChosen);
  connect(m_panel, &CurvePanel::exportRequested, this, &CurveStack::exportRequested);
}

void CurveStack::setRuns(const DrawnRuns& drawn) {
  const QStringList before = m_order;
  m_order.clear();
  for (const RunItem& run : drawn.runs) m_order.append(run.uuid);
  const bool another =
      QSet<QString>(before.cbegin(), before.cend()) != QSet<QString>(m_order.cbegin(), m_order.cend());
  if (another) takeRuns(drawn.runs);
  m_panel->setCatalogue(metricsOf(drawn.runs));
  m_panel->setSelectedRuns(drawn.selected);
  m_panel->setUndrawn(drawn.hidden, drawn.left);
  m_panel->setCurrentRun(m_order.size() > 1 ? drawn.current : QString());
  showEmptyState();
}

void CurveStack::takeRuns(const QVector<RunItem>& runs) {
  for (const QString& uuid : m_shown.keys())
    if (!m_order.contains(uuid)) m_shown.remove(uuid);
  m_panel->keepRuns(m_order);
  for (const RunItem& run : runs) {
    if (m_shown.contains(run.uuid)) continue;
    Shown shown;
    shown.run = run;
    m_shown.insert(run.uuid, shown);
    if (!run.folder.isEmpty()) askHistory(m_shown[run.uuid]);
  }
  nameRuns();
  groupSeeds();
}

void CurveStack::nameRuns() {
  QVector<RunItem> runs;
  for (const Shown& shown : std::as_const(m_shown)) runs.append(shown.run);
  const QStringList names = shortRunNames(runs);
  QHash<QString, QString> byRun;
  qsizetype next = 0;
  for (Shown& shown : m_shown) byRun.insert(shown.run.uuid, shown.name = names[next++]);
  m_panel->setNames(byRun);
}

void CurveStack::setGrouping(const GroupingChoice* grouping) {
  m_grouping = grouping;
  connect(grouping, &GroupingChoice::changed, this, &CurveStack::groupSeeds);
  groupSeeds();
}

// Which runs differ only in the seed depends on all that are shown.
void CurveStack::groupSeeds() {
  QHash<QString, QString> byRun;
  if (m_grouping != nullptr && !m_grouping->bySeeds()) {
    for (Shown& shown : m_shown) byRun.insert(shown.run.uuid, shown.group = m_grouping->groupOf(shown.run));
    return m_panel->setSeedGroups(byRun, fromUtf8(m_grouping->grouping().text()));
  }
  QVector<RunItem> runs;
  for (const Shown& shown : std::as_const(m_shown)) runs.append(shown.run);
  const std::vector<std::string> groups = seedGroupsOf(runs);
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
    return m_panel->setEmptyState(tr("No runs yet. Choose a preset and train, open the sample to see one at "
                                     "work, or import what another "
                                     "program logged."),
                                  m_firstSteps);
  if (m_shown.isEmpty())
    return m_panel->setEmptyState(
        tr("No run is drawn. Open the eye of a run in the table: click on it, or press Space."), {m_drawAll});
  m_panel->setEmptyState(tr("The runs that are drawn have not logged anything yet."), {});
}

void CurveStack::updateRun(const RunItem& run) {
  const auto found = m_shown.find(run.uuid);
  if (found == m_shown.end()) return;
  const RunItem before = found->run;
  found->run = run;
  m_panel->setOutcome(run.uuid, countedState(run));
  if (before.name != run.name || before.gridValues != run.gridValues || before.config != run.config)
    nameRuns();
  if (before.config != run.config || before.name != run.name) groupSeeds();
  if (before.metrics != run.metrics) {  // declared while it trains
    QVector<RunItem> runs;
    for (const Shown& shown : std::as_const(m_shown)) runs.append(shown.run);
    m_panel->setCatalogue(metricsOf(runs));
  }
  const bool again = before.attempts != run.attempts || before.state != run.state ||
                     before.colour != run.colour || before.folder != run.folder;
  if (again && !run.folder.isEmpty()) askHistory(*found);
}

// Reads the history of a run; points that come meanwhile wait, so that none falls between the two.
void CurveStack::askHistory(Shown& shown) {
  shown.loaded = false;
  Q_EMIT historyNeeded(shown.run.uuid, shown.run.folder);
}

CurveSeries CurveStack::head(const Shown& shown, const QString& metric) const {
  CurveSeries series;
  series.run = shown.run.uuid;
  series.name = shown.name;
  series.group = shown.group;
  series.outcome = countedState(shown.run);
  series.colour = shown.run.colour;
  series.metric = metric;
  return series;
}

void CurveStack::setHistory(const QString& uuid, const RunHistoryPtr& history) {
  const auto found = m_shown.find(uuid);
  if (found == m_shown.end()) return;
  found->loaded = true;
  m_panel->setRead(uuid);
  const bool more = std::exchange(found->end, history->end) != history->end;
  found->lastStep.clear();
  found->newestStep = -1;
  for (ScalarSeries& whole : history->series) {
    ScalarSeries from = std::exchange(whole, {});
    CurveSeries series = head(*found, fromUtf8(from.metric));
    if (!from.step.empty()) {
      found->lastStep[series.metric] = from.step.back();
      found->newestStep = std::max(found->newestStep, from.step.back());
    }
    series.steps = std::move(from.step);
    series.seconds = ascending(std::move(from.time));
    series.epochs = ascending(std::move(from.epoch));
    series.tokens = ascending(std::move(from.tokens));
    series.clock = ascending(std::move(from.clock));
    series.values = std::move(from.value);
    for (const ScalarSeries& tail : history->tails)
      if (fromUtf8(tail.metric) == series.metric)
        series.dropped.push_back({tail.step, tail.time, tail.epoch, tail.value, tail.tokens, tail.clock});
    m_panel->setSeries(std::move(series));
  }
  // An attempt that the history does not know still cannot be gone on from: its next points ask again.
  for (const EventBatchPtr& batch : std::exchange(found->waiting, {}))
    if (more || batch->attempt <= found->end.attempt) append(batch);
}

void CurveStack::append(const EventBatchPtr& batch) {
  const auto found = m_shown.find(batch->run);
  if (found == m_shown.end()) return;
  if (found->loaded) return appendNow(*found, batch);
  found->waiting.append(batch);
  if (found->waiting.size() > kMostWaiting) found->waiting.removeFirst();
}

void CurveStack::appendPoint(Shown& shown, const Event& event, QHash<QString, CurveSeries>& fresh) {
  const auto step = static_cast<double>(event.step);
  shown.end.step = step;
  shown.newestStep = std::max(shown.newestStep, step);
  for (const auto& [name, value] : event.scalars) {
    const QString metric = fromUtf8(name);
    if (step <= shown.lastStep.value(metric, -1)) continue;  // in the history
    shown.lastStep[metric] = step;
    CurveSeries& series = fresh[metric];
    series.steps.push_back(step);
    series.seconds.push_back(shown.end.start + event.seconds);
    series.epochs.push_back(event.epoch);
    series.tokens.push_back(event.tokens);
    series.clock.push_back(event.time > kFirstDate ? event.time : kNaN);
    series.values.push_back(value);
  }
}

void CurveStack::appendNow(Shown& shown, const EventBatchPtr& batch) {
  QHash<QString, CurveSeries> fresh;
  for (const Event& event : batch->events) {
    const auto step = static_cast<double>(event.step);
    if (!carriesPoints(event.kind, step) || event.scalars.empty()) continue;
    if (shown.end.attempt == 0) shown.end.attempt = batch->attempt;  // the run's first points
    if (batch->attempt < shown.end.attempt) break;                   // in the history
    const bool another = batch->attempt > shown.end.attempt;
    if (!another && step < shown.end.step) continue;
    if (another || (step > shown.end.step && step <= shown.newestStep)) {
      // A later attempt supersedes what it repeats, and its clock goes on from there: the history says both.
      shown.waiting.append(batch);
      askHistory(shown);
      break;
    }
    appendPoint(shown, event, fresh);
  }
  for (auto it = fresh.begin(); it != fresh.end(); ++it) {
    CurveSeries series = head(shown, it.key());
    series.steps = std::move(it->steps);
    series.seconds = std::move(it->seconds);
    series.epochs = std::move(it->epochs);
    series.tokens = std::move(it->tokens);
    series.clock = std::move(it->clock);
    series.values = std::move(it->values);
    m_panel->appendSeries(series);
  }
}

FigureRecipe CurveStack::figureRecipe() const {
  FigureRecipe recipe;
  recipe.figure = "training_curve";
  for (const QString& uuid : m_order) recipe.runs.push_back(toUtf8(uuid));
  const auto entry = findFigure(recipe.figure);
  if (!entry.ok()) return recipe;
  OptionValues values{OptionSchema(entry->fields, {})};
  for (const QString& assignment : m_panel->figureOptions())
    if (!values.setText(toUtf8(assignment)).ok()) continue;  // the bar may be ahead of the figure
  recipe.options = values.minimal();
  return recipe;
}

void CurveStack::clear() {
  m_shown.clear();
  m_order.clear();
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
