// SPDX-License-Identifier: GPL-3.0-or-later
// Curves under the pointer and the keys: moved, zoomed, read, one run after the other.
#include <QStackedWidget>
#include <algorithm>
#include <cmath>

#include "views/figure/figure_text.h"
#include "views/figures/training_curve_figure.h"
#include "views/look/engine_text.h"
#include "views/look/figure_language.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"

namespace fathom {

AxisRange CurvePanel::shownX() {
  return m_look.rangeX.value_or(curveExtent(m_set, shownLook()).x);
}

void CurvePanel::pan(double unitsX, double unitsY, int panel) {
  AxisRange range = shownX();
  range.low += unitsX;
  range.high += unitsX;
  m_look.rangeX = range;
  const QString metric = shownMetrics().value(panel);
  const auto chosen = m_look.rangesY.find(metric);
  if (chosen != m_look.rangesY.end()) {  // values follow the data until they are zoomed
    chosen->second.low += unitsY;
    chosen->second.high += unitsY;
  }
  draw();
  Q_EMIT viewChanged();
}

void CurvePanel::zoom(double factor, double centreX, double centreY, bool vertical, int panel) {
  const auto scaled = [factor](const AxisRange& range, double centre) {
    return AxisRange{centre + (range.low - centre) * factor, centre + (range.high - centre) * factor};
  };
  constexpr double kSmallest = 1e-9;
  if (vertical) {
    const AxisRange range = scaled(m_canvas->ranges(static_cast<std::size_t>(panel)).y, centreY);
    if (range.size() > kSmallest) m_look.rangesY[shownMetrics().value(panel)] = range;
  } else {
    const AxisRange range = scaled(shownX(), centreX), all = curveExtent(m_set, shownLook()).x;
    if (range.size() > kSmallest * std::max(1.0, all.size())) m_look.rangeX = range;
    if (range.size() > 3 * all.size()) m_look.rangeX.reset();  // far out is everything
  }
  draw();
  Q_EMIT viewChanged();
}

void CurvePanel::resetView() {
  m_look.rangeX.reset();
  m_look.rangesY.clear();
  draw();
  Q_EMIT viewChanged();
}

void CurvePanel::readValues(double unitX, int panel, double unitY) {
  const QString metric = shownMetrics().value(panel);
  FigureAxis axisX, axisY;
  axisX.scale = m_look.scaleX;
  axisY.scale = m_look.scaleY;
  const double at = AxisMap(axisX).fromUnit(unitX) * curveExtent(m_set, shownLook()).divisor;
  m_canvas->showCrosshair(unitX, static_cast<std::size_t>(panel),
                          readCurves(m_set, m_look, m_look.panelMetrics(metric), at,
                                     AxisMap(axisY).fromUnit(unitY), Theme::of(palette())));
}

// It changes places with the large one until a person comes back.
void CurvePanel::enlarge(int panel) {
  const QString metric = shownMetrics().value(panel), large = shownMetrics().value(0);
  QStringList metrics = m_look.metrics;
  const qsizetype from = metrics.indexOf(metric), to = metrics.indexOf(large);
  if (from < 0 || to < 0 || from == to) return;
  const QStringList before = m_before.isEmpty() ? metrics : m_before;
  metrics.swapItemsAt(from, to);
  setMetrics(metrics);
  m_before = before;
  m_canvas->setEscapes(true);
  Q_EMIT viewChanged();
}

void CurvePanel::goBack() {
  if (m_before.isEmpty()) return;
  setMetrics(QStringList(m_before));
  Q_EMIT viewChanged();
}

void CurvePanel::joinMetric(const QString& metric, bool on) {
  const QString large = shownMetrics().value(0);
  QStringList& others = m_look.joined[large];
  others.removeAll(metric);
  QStringList metrics = m_look.metrics;
  metrics.removeAll(metric);
  if (on) {
    others.append(metric);
  } else {
    metrics.append(metric);
  }
  if (!metrics.contains(large)) metrics.prepend(large);
  setMetrics(metrics);
  Q_EMIT viewChanged();
}

void CurvePanel::stepCurrent(int direction) {
  QStringList runs;
  for (const CurveLine* line : m_set.lines(shownMetrics().value(0)))
    if (!line->run.isEmpty()) runs << line->run;
  if (runs.isEmpty()) return;
  const auto at = static_cast<int>(runs.indexOf(m_look.current));
  const int count = static_cast<int>(runs.size());
  setCurrentRun(runs[at < 0 ? 0 : (at + direction + count) % count]);
}

}  // namespace fathom
