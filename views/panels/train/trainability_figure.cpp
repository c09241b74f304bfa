// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/trainability_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/training/stack_phrase.h"
#include "core/base/json/json.h"
#include "views/figure/figure_text.h"
#include "views/figures/layer_curves.h"
#include "views/look/engine_text.h"
#include "views/panels/train/trainability_view.h"

namespace fathom {

namespace {

constexpr std::size_t kMostMarkers = 40;
constexpr double kAbove = 1.1;  // room over the highest scale

std::vector<double> realsOf(const Json& stack, const char* key) {
  std::vector<double> values;
  for (const Json& item : stack.value(key, Json::array())) {
    const auto value = realFromJson(item);
    values.push_back(value.ok() ? *value : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

FigurePanel panelOf(const QString& title, AxisScale scale) {
  FigurePanel panel;
  panel.title = toUtf8(title);
  panel.x.label = toUtf8(TrainabilityView::tr("sub-layer"));
  panel.y.scale = scale;
  panel.legend = LegendPlace::None;
  return panel;
}

void addLine(FigurePanel& panel, std::vector<double> values, std::size_t stack, const QString& name,
             bool dashed) {
  const int missing = hideMissing(values, panel.y.scale == AxisScale::Log);
  if (static_cast<std::size_t>(missing) == values.size()) return;  // a stack that nothing reads yet
  LineMark line;
  for (std::size_t i = 0; i < values.size(); ++i) line.x.push_back(static_cast<double>(i + 1));
  line.y = std::move(values);
  FigureMark mark;
  mark.label = toUtf8(escapeMarkup(name));
  mark.style.colour = "series:" + std::to_string(stack);
  mark.style.dash = dashed ? LineDash::Dash : LineDash::Solid;
  mark.style.marker = dashed || line.x.size() > kMostMarkers ? MarkerShape::None : MarkerShape::Disc;
  mark.shape = std::move(line);
  panel.marks.push_back(std::move(mark));
}

}  // namespace

FigureSpec trainabilityFigure(const Json& report) {
  FigurePanel scale =
      panelOf(TrainabilityView::tr("Scale before the norm (dashed: predicted)"), AxisScale::Linear);
  FigurePanel share = panelOf(TrainabilityView::tr("Share of the own branch, β²ᵢᵢ"), AxisScale::Linear);
  FigurePanel gradient = panelOf(TrainabilityView::tr("Relative gradient norm"), AxisScale::Log);
  scale.y.minimum = share.y.minimum = 0;
  FigureSpec spec;
  std::size_t index = 0;
  for (const Json& stack : report.value("stacks", Json::array())) {
    const QString name = phraseText(stackPhrase(stack.value("stack", "")));
    std::vector<double> gradients = realsOf(stack, "gradient");
    // The lowest sub-layers have none where they do not learn.
    const std::size_t sublayers = realsOf(stack, "measured_scale").size();
    if (gradients.size() < sublayers)
      gradients.insert(gradients.begin(), sublayers - gradients.size(),
                       std::numeric_limits<double>::quiet_NaN());
    for (const bool predicted : {false, true}) {
      const std::vector<double> scales = realsOf(stack, predicted ? "predicted_scale" : "measured_scale");
      for (const double value : scales)
        if (std::isfinite(value)) scale.y.maximum = std::max(scale.y.maximum.value_or(0), kAbove * value);
      addLine(scale, scales, index, name, predicted);
    }
    addLine(share, realsOf(stack, "beta_own"), index, name, false);
    addLine(gradient, gradients, index, name, false);
    if (spec.summary.empty()) spec.summary = toUtf8(TrainabilityView::tr("Numbers of each depth:"));
    spec.summary.append(toUtf8(TrainabilityView::tr("%1, %2 sub-layers.").arg(name).arg(gradients.size())));
    ++index;
  }
  if (index == 0) return spec;
  if (index > 1) share.legend = LegendPlace::Inside;
  spec.title = toUtf8(TrainabilityView::tr("Trainability"));
  for (FigurePanel* panel : {&scale, &share, &gradient}) {
    if (panel->marks.empty()) continue;
    std::size_t most = 0;
    for (const FigureMark& mark : panel->marks)
      most = std::max(most, std::get<LineMark>(mark.shape).x.size());
    numberPlaces(panel->x, most);
    panel->column = static_cast<int>(spec.panels.size());
    spec.panels.push_back(std::move(*panel));
  }
  return spec;
}

}  // namespace fathom
