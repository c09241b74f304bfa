// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "views/figure/figure_text.h"
#include "views/figures/training_curve_figure.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/look/theme.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_table_model.h"
#include "views/panels/train/curve_view.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

constexpr int kRedrawMs = 50;
constexpr QSize kLeastCanvas(160, 100);
constexpr int kSmallPanelCharacters = 24;  // narrower, and its title and ticks are not readable
constexpr int kSmallPanelLines = 7;        // lower, and its curve is not
constexpr double kMainShare = 0.66;        // of the height in view
constexpr double kMainOfWindow = 0.45;     // whatever else stands above the curves
constexpr int kAxisLines = 5;              // below it: ticks, label and legend
constexpr int kWidestRunColumn = 320;      // of the table; longer names of runs end in dots

}  // namespace

CurvePanel::CurvePanel(QWidget* parent)
    : QWidget(parent),
      m_bar(new CurveBar(this)),
      m_canvas(new CurveCanvas(this)),
      m_scroll(new QScrollArea(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_tableModel(new CurveTableModel(this)),
      m_table(rowTable(m_tableModel, tr("Values of the curves"), this)) {
  m_note = new QLabel(this);
  m_note->setObjectName(QStringLiteral("curveNote"));
  m_note->setWordWrap(true);
  m_note->hide();
  connectBar();
  m_scroll->setWidget(m_canvas);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_stack->addWidget(m_scroll);
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_empty);
  makeColumn(this, {m_bar, {m_stack, 1}, m_note}, 0);
  m_empty->setText(tr("No curves yet. Start a run, or select runs in the table."));
  m_canvas->setMinimumSize(kLeastCanvas);
  m_canvas->setAccessibleName(tr("Curves"));
  m_timer.setSingleShot(true);
  m_timer.setInterval(kRedrawMs);
  connect(&m_timer, &QTimer::timeout, this, &CurvePanel::drawNow);
  m_look.clip = m_bar->choices().clip;
  connectCanvas();
  updateStack();
}

CurvePanel::~CurvePanel() = default;

void CurvePanel::connectBar() {
  connect(m_bar, &CurveBar::choicesChanged, this, &CurvePanel::applyChoices);
  connect(m_bar, &CurveBar::metricToggled, this, &CurvePanel::toggleMetric);
  connect(m_bar, &CurveBar::metricEnlarged, this, [this](const QString& metric) {
    QStringList metrics = m_look.metrics;
    metrics.removeAll(metric);
    metrics.prepend(metric);
    setMetrics(metrics);
    Q_EMIT viewChanged();
  });
  connect(m_bar, &CurveBar::metricJoined, this, &CurvePanel::joinMetric);
  connect(m_bar, &CurveBar::everythingAsked, this, &CurvePanel::resetView);
  connect(m_bar, &CurveBar::tableToggled, this, &CurvePanel::showTable);
  connect(m_bar, &CurveBar::copyAsked, this, &CurvePanel::copy);
  connect(m_bar, &CurveBar::exportAsked, this, &CurvePanel::exportRequested);
  m_canvas->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_canvas, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { m_bar->menu()->popup(m_canvas->mapToGlobal(at)); });
}

void CurvePanel::connectCanvas() {
  connect(m_canvas, &CurveCanvas::panned, this, &CurvePanel::pan);
  connect(m_canvas, &CurveCanvas::zoomed, this, &CurvePanel::zoom);
  connect(m_canvas, &CurveCanvas::panelMoved, this, &CurvePanel::moveMetric);
  connect(m_canvas, &CurveCanvas::enlargeAsked, this, &CurvePanel::enlarge);
  connect(m_canvas, &CurveCanvas::backAsked, this, &CurvePanel::goBack);
  connect(m_canvas, &CurveCanvas::resetAsked, this, &CurvePanel::resetView);
  connect(m_canvas, &CurveCanvas::hovered, this, &CurvePanel::readValues);
  connect(m_canvas, &CurveCanvas::left, this, [this] { m_canvas->showCrosshair({}, 0, {}); });
  connect(m_canvas, &CurveCanvas::stepped, this, &CurvePanel::stepCurrent);
  connect(m_canvas, &CurveCanvas::rangeChosen, this, [this](double low, double high) {
    m_look.rangeX = AxisRange{low, high};
    draw();
    Q_EMIT viewChanged();
  });
  connect(m_canvas, &CurveCanvas::regionChosen, this, [this](const PanelRanges& region, int panel) {
    const QStringList runs = runsThrough(m_set, shownLook(), shownMetrics().value(panel), region);
    if (!runs.isEmpty()) Q_EMIT runsChosen(runs);
  });
  connect(m_canvas, &CurveCanvas::chosen, this, [this](bool toggle) {
    if (!m_look.current.isEmpty()) Q_EMIT runPicked(m_look.current, toggle);
  });
  connect(m_canvas, &CurveCanvas::clicked, this, [this](const QString& text, bool toggle) {
    if (text.isEmpty()) return goBack();
    const auto selection = Selection::fromText(text);
    if (!selection.ok()) return;
    const DimensionSelection& runs = selection->of(Dimension::Run);
    if (runs.items.size() > 1) Q_EMIT runsChosen(runs.items);
    if (runs.items.size() != 1) return;
    setCurrentRun(runs.current);
    Q_EMIT runPicked(runs.current, toggle);
  });
}

void CurvePanel::setSeries(CurveSeries series) {
  m_set.set(std::move(series));
  schedule();
}

void CurvePanel::appendSeries(const CurveSeries& more) {
  m_set.append(more);
  schedule();
}

void CurvePanel::setOutcome(const QString& run, RunState outcome) {
  m_set.setOutcome(run, outcome);
  schedule();
}

void CurvePanel::setSeedGroups(const QHash<QString, QString>& groups, const QString& by) {
  m_groupedBy = by;
  m_set.setSeedGroups(groups, !by.isEmpty());
  schedule();
}

void CurvePanel::setNames(const QHash<QString, QString>& names) {
  m_notes.names = names;
  m_set.setNames(names);
  schedule();
}

void CurvePanel::setUndrawn(const QStringList& hidden, int left) {
  m_notes.hidden = hidden;
  m_notes.left = left;
  schedule();
}

void CurvePanel::clear() {
  m_set.clear();
  m_notes = {};
  schedule();
}

void CurvePanel::keepRuns(const QStringList& runs) {
  for (const QString& run : m_set.runs())
    if (!runs.contains(run)) m_set.removeRun(run);
  m_notes.read &= QSet<QString>(runs.cbegin(), runs.cend());
  schedule();
}

void CurvePanel::setMetrics(const QStringList& metrics) {
  m_look.metrics = metrics;
  m_look.rangesY.clear();
  m_before.clear();
  m_canvas->setEscapes(false);
  schedule();
}

// One a panel: those asked for that some run has logged, else the first that one has.
QStringList CurvePanel::shownMetrics() const {
  const QStringList known = m_set.metrics();
  QStringList shown = m_look.metrics;
  shown.removeIf([&known](const QString& metric) { return !known.contains(metric); });
  return shown.isEmpty() ? known.mid(0, 1) : shown;
}

CurveLook CurvePanel::shownLook() const {
  CurveLook look = m_look;
  look.metrics = shownMetrics();
  const QStringList known = m_set.metrics();
  for (auto& [metric, others] : look.joined)
    others.removeIf([&known](const QString& other) { return !known.contains(other); });
  return look;
}

void CurvePanel::moveMetric(int from, int to) {
  const QString moved = shownMetrics().value(from), place = shownMetrics().value(to);
  QStringList metrics = m_look.metrics;
  if (moved == place || !metrics.contains(moved) || !metrics.contains(place)) return;
  metrics.move(metrics.indexOf(moved), metrics.indexOf(place));
  setMetrics(metrics);
  Q_EMIT viewChanged();
}

void CurvePanel::setCurrentRun(const QString& run) {
  if (m_look.current == run) return;
  m_look.current = run;
  schedule();
}

void CurvePanel::setSelectedRuns(const QStringList& runs) {
  if (m_look.selected == runs) return;
  m_look.selected = runs;
  schedule();
}

void CurvePanel::setEmptyState(const QString& text, const QList<QAction*>& actions) {
  m_empty->setText(text);
  m_empty->setActions(actions);
}

void CurvePanel::schedule() {
  if (!m_timer.isActive()) m_timer.start();
}

void CurvePanel::updateStack() {
  QWidget* wanted = m_set.empty() ? static_cast<QWidget*>(m_empty)
                                  : (m_bar->tableShown() ? static_cast<QWidget*>(m_table) : m_scroll);
  m_stack->setCurrentWidget(wanted);
  m_bar->setEnabled(!m_set.empty());
}

void CurvePanel::toggleMetric(const QString& metric, bool shown) {
  QStringList metrics = m_look.metrics;
  metrics.removeAll(metric);
  if (shown) metrics << metric;
  if (metrics.isEmpty()) metrics << metric;  // one is always there
  setMetrics(metrics);
  Q_EMIT viewChanged();
}

void CurvePanel::applyChoices() {
  const CurveChoices choices = m_bar->choices();
  // Dates have no logarithm.
  const AxisScale scaleX = choices.axis == CurveAxis::Clock ? AxisScale::Linear : choices.scaleX;
  if (choices.axis != m_look.axis || choices.axisMetric != m_look.axisMetric || scaleX != m_look.scaleX)
    m_look.rangeX.reset();
  if (choices.scaleY != m_look.scaleY) m_look.rangesY.clear();
  m_look.axis = choices.axis;
  m_look.axisMetric = choices.axisMetric;
  m_set.setAxisMetric(choices.axisMetric);
  m_look.scaleX = scaleX;
  m_look.scaleY = choices.scaleY;
  m_look.clip = choices.clip;
  m_set.setSmoothing(choices.smoothing);
  if (choices.groupSeeds != m_set.grouped() || (choices.groupSeeds && choices.band != m_set.band()))
    m_set.setGrouping(choices.groupSeeds, choices.band);
  schedule();
  Q_EMIT viewChanged();
}

void CurvePanel::drawNow() {
  m_timer.stop();
  updateStack();
  const QStringList known = m_set.metrics();
  if (known.isEmpty()) {
    m_note->hide();  // it was about other runs
    return;
  }
  m_bar->setStepMetrics(m_set.catalogue());
  m_bar->setMetrics(known, shownMetrics(), m_look.panelMetrics(shownMetrics().value(0)), m_set.catalogue());
  draw();
  m_canvas->setAccessibleDescription(summary());
  if (m_bar->tableShown()) fillTable(true);
}

void CurvePanel::divideHeight(CurveLook& look) {
  const int small = static_cast<int>(look.metrics.size()) - 1;
  const int seen = m_scroll->viewport()->height();
  const int rows = smallRows(small, look.across);
  const double ofWindow = kMainOfWindow * window()->height() + kAxisLines * fontMetrics().height();
  const double main = std::min(std::max(kMainShare * seen, ofWindow), static_cast<double>(seen));
  const int least = rows * kSmallPanelLines * fontMetrics().height();
  const int needed = small > 0 ? static_cast<int>(main) + least : 0;
  if (m_canvas->minimumHeight() != std::max(needed, kLeastCanvas.height()))
    m_canvas->setMinimumHeight(std::max(needed, kLeastCanvas.height()));
  if (small > 0) look.mainShare = main / std::max(seen, needed);
}

void CurvePanel::draw() {
  CurveLook look = shownLook();
  if (look.metrics.isEmpty()) return;
  look.columns = std::clamp(static_cast<int>(m_canvas->width() * m_canvas->devicePixelRatioF()), 200, 4000);
  const int small = static_cast<int>(look.metrics.size()) - 1;
  look.across = std::max(
      std::clamp(m_canvas->width() / (kSmallPanelCharacters * fontMetrics().averageCharWidth()), 1, 6),
      leastAcross(small));
  divideHeight(look);
  CurveFigure figure = curveFigure(m_set, look);
  figure.spec = inWindowLanguage(std::move(figure.spec));
  const FigureStyle style = screenStyle(Theme::of(palette()).dark, font());
  const FigureStyle& drawn = m_canvas->style();
  const bool same = m_builtOnce && drawn.id == style.id && drawn.labelPoints == style.labelPoints &&
                    drawn.families == style.families && m_canvas->sameAxes(figure.spec);
  if (same) {
    m_canvas->setMarks(std::move(figure.spec));
  } else if (!m_canvas->setFigure(figure.spec, style).ok()) {
    return;
  }
  m_builtOnce = true;
  for (std::size_t i = 0; i < figure.ranges.size(); ++i) m_canvas->setRanges(i, figure.ranges[i]);
  m_canvas->replot(QCustomPlot::rpQueuedRefresh);
  showText(m_note, m_notes.sentences(m_set, look, figure).join(QStringLiteral(" · ")));
}

void CurvePanel::showTable(bool shown) {
  fillTable(shown);
  updateStack();
}

// Columns are fitted where they are other ones: a width that a person has set stays while values arrive.
void CurvePanel::fillTable(bool shown) {
  const QString metric = shownMetrics().value(0);
  const int before = m_tableModel->columnCount();
  m_tableModel->setCurves(shown ? m_set.runCurves(metric) : std::vector<RunCurve>(), metric);
  if (m_tableModel->columnCount() != before) fitColumns(m_table, kWidestRunColumn);
}

// Picture and numbers, so that both a document and a spreadsheet take what they can use.
void CurvePanel::copy() {
  if (m_set.empty()) return;
  auto* data = new QMimeData;
  CurveTableModel table;
  table.setCurves(m_set.runCurves(shownMetrics().value(0)), shownMetrics().value(0));
  data->setText(table.csv());
  data->setImageData(m_canvas->grab().toImage());
  QGuiApplication::clipboard()->setMimeData(data);
}

QStringList CurvePanel::figureOptions() const {
  // Curves that are still being read are not drawn yet: what was asked for counts.
  const QString asked = m_look.metrics.value(0, QStringLiteral("loss"));
  QStringList options = {QStringLiteral("metric=") + shownMetrics().value(0, asked)};
  const auto add = [&options](const char* key, const QString& value) {
    options << QLatin1String(key) + QLatin1Char('=') + value;
  };
  if (m_look.axis != CurveAxis::Step) add("axis", QString::fromLatin1(wordOf(kCurveAxes, m_look.axis)));
  if (m_look.axis == CurveAxis::Metric) add("axis_metric", m_look.axisMetric);
  if (m_set.smoothing() > 0) add("smoothing", QString::number(m_set.smoothing(), 'g', 3));
  if (m_set.grouped()) {
    add("group_seeds", QStringLiteral("true"));
    // Assignments may be joined by commas.
    if (!m_groupedBy.isEmpty()) add("group_by", QString(m_groupedBy).replace(u',', u'+'));
    add("band", QString::fromLatin1(wordOf(kCurveBands, m_set.band())));
  }
  if (m_look.scaleX == AxisScale::Log) add("x_scale", QStringLiteral("log"));
  if (m_look.scaleY != AxisScale::Linear)
    add("y_scale", m_look.scaleY == AxisScale::Log ? QStringLiteral("log") : QStringLiteral("symlog"));
  return options;
}

QString CurvePanel::summary() {
  const QString metric = shownMetrics().value(0);
  const std::vector<const CurveLine*> lines = m_set.lines(metric);
  const QString label = plainText(phraseText(metricLabel(m_set.catalogue().of(toUtf8(metric)))));
  QString text =
      lines.size() == 1 ? tr("%1, 1 curve.").arg(label) : tr("%1, %2 curves.").arg(label).arg(lines.size());
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < lines.size() && i < kMost; ++i) {
    const CurveLine& line = *lines[i];
    const auto values = line.raw.values();
    const CurveBlock all = line.raw.query(0, values.size());
    text += u' ';
    if (all.finite == 0) {
      text += tr("%1: no finite value.").arg(line.name);
      continue;
    }
    if (m_look.scaleY == AxisScale::Log && all.maximum <= 0) {
      text += tr("%1: no value above 0, which a logarithmic axis needs.").arg(line.name);
      continue;
    }
    const auto last =
        std::find_if(values.rbegin(), values.rend(), [](double value) { return std::isfinite(value); });
    const auto at = static_cast<std::size_t>(values.rend() - last) - 1;
    text += tr("%1: %2 at update %3, between %4 and %5.")
                .arg(line.name, valueText(*last))
                .arg(line.positions[0][at], 0, 'g', 8)
                .arg(valueText(all.minimum), valueText(all.maximum));
    if (all.nonFinite() > 0)
      text += u' ' + (all.nonFinite() == 1 ? tr("1 value not finite.")
                                           : tr("%1 values not finite.").arg(all.nonFinite()));
  }
  return text;
}

QByteArray CurvePanel::saveView() const {
  const Json view = curveViewJson(m_before.isEmpty() ? m_look.metrics : m_before, m_look, m_bar->choices());
  return QByteArray::fromStdString(view.dump());
}

void CurvePanel::restoreView(const QByteArray& text) {
  const Result<Json> json = parseJson(text.toStdString(), "session");
  if (!json.ok() || !json->is_object()) return;
  CurveChoices choices = m_bar->choices();
  takeCurveView(*json, m_look, choices);
  m_bar->setChoices(choices);
  setMetrics(QStringList(m_look.metrics));
  applyChoices();
}

void CurvePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool looks = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
  if (looks && isVisible()) schedule();  // else when it is shown
}

void CurvePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  schedule();
}

void CurvePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  drawNow();
}

}  // namespace fathom
