// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/comparison/rank_efficiency.h"

#include "core/analysis/training/rank_scaling.h"

namespace fathom {

FigurePanel rankEfficiencyPanel() {
  FigurePanel panel;
  panel.x.label = Phrase::tr("processes");
  panel.x.scale = AxisScale::Log;
  panel.x.minimum = 0.9;
  panel.x.maximum = 1.1 * static_cast<double>(kMostPredictedRanks);
  for (std::int64_t ranks = 1; ranks <= kMostPredictedRanks; ranks *= 2)
    panel.x.ticks.push_back(static_cast<double>(ranks));
  panel.y.label = Phrase::tr("predicted efficiency (%)");
  panel.y.minimum = 0;
  panel.y.maximum = 105;
  FigureMark rule;
  rule.style.colour = "secondary";
  rule.style.dash = LineDash::Dash;
  rule.shape = RuleMark{100 * kGoodEfficiency, false};
  panel.marks.push_back(std::move(rule));
  return panel;
}

FigureMark rankEfficiencyLine(const std::vector<double>& ranks, const std::vector<double>& efficiencies) {
  LineMark line;
  line.x = ranks;
  for (const double efficiency : efficiencies) line.y.push_back(100 * efficiency);
  FigureMark mark;
  mark.style.marker = MarkerShape::Disc;
  mark.shape = std::move(line);
  return mark;
}

}  // namespace fathom
