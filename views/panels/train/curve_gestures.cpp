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

// Exact values of every curve at the recorded point nearest to the pointer.
void CurvePanel::readValues(double unitX, int panel) {
  const QString metric = shownMetrics().value(panel);
  const CurveExtent extent = curveExtent(m_set, shownLook());
  FigureAxis axis;
  axis.scale = m_look.scaleX;
  const double at = AxisMap(axis).fromUnit(unitX) * extent.divisor;
  std::vector<CurveCanvas::Reading> readings;
  QString title;
  constexpr std::size_t kMost = 12;
  for (const CurveLine* line : m_set.lines(metric)) {
    const std::vector<double>& x = line->x(m_look.axis);
    for (const double dropped : droppedValues(*line, m_look.axis, at))
      readings.push_back({line->name, tr("%1, thrown away at a resume").arg(valueText(dropped)),
                          Theme::of(palette()).secondary});
    if (x.empty() || readings.size() >= kMost) continue;
    if (!(at >= x.front() && at <= x.back())) continue;  // this run was not there yet, or had ended
    auto found = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
    if (found == x.size() || (found > 0 && at - x[found - 1] < x[found] - at)) --found;
    const double epoch = line->positions[2][found];
    if (title.isEmpty())
      title = tr("update %1 · epoch %2")
                  .arg(line->positions[0][found], 0, 'g', 8)
                  .arg(std::isnan(epoch) ? QStringLiteral("–") : QString::number(epoch, 'f', 2));
    QString text = valueText(line->raw.values()[found]);
    if (line->smooth.size() > found)
      text += tr(" (smoothed %1)").arg(valueText(line->smooth.values()[found]));
    if (line->lower.size() > found && std::isfinite(line->lower.values()[found]))
      text += QStringLiteral(" [%1, %2]")
                  .arg(valueText(line->lower.values()[found]), valueText(line->upper.values()[found]));
    readings.push_back({line->name, text, Theme::of(palette()).run(line->colour)});
  }
  m_canvas->showCrosshair(unitX, static_cast<std::size_t>(panel), title, std::move(readings));
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
