// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <QColor>

#include "core/base/numbers/series_look.h"
#include "views/figure/figure_text.h"

namespace fathom {

FigureAxis categoryAxis(const std::vector<std::string>& names, const Phrase& label) {
  FigureAxis axis;
  axis.label = label;
  axis.scale = AxisScale::Category;
  axis.grid = false;
  axis.minimum = -0.5;
  axis.maximum = static_cast<double>(names.size()) - 0.5;
  for (const std::string& name : names) axis.categories.push_back(markupOf(name));
  return axis;
}

FigureAxis wordAxis(std::vector<Phrase> words, const Phrase& label) {
  FigureAxis axis = categoryAxis(std::vector<std::string>(words.size()), label);
  for (std::size_t i = 0; i < words.size(); ++i) axis.categories[i] = words[i].english();
  axis.words = std::move(words);
  return axis;
}

FigureAxis numberedAxis(const Phrase& label, std::size_t count, std::size_t first) {
  constexpr std::size_t kMostShown = 12;
  const std::size_t every = (count + kMostShown - 1) / kMostShown;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(i % every == 0 ? std::to_string(first + i) : std::string());
  return categoryAxis(numbers, label);
}

MarkStyle seriesStyle(std::size_t number) {
  static_assert(kSeriesDashes == std::size(kLineDashWords));
  const SeriesLook look = seriesLook(static_cast<int>(number));
  MarkStyle style;
  style.colour = look.rgb ? QColor(*look.rgb | 0xff000000U).name().toStdString()
                          : "series:" + std::to_string(look.hue + kSeriesHues * look.shade);
  style.dash = kLineDashWords[look.dash].value;
  return style;
}

FigureMark textMark(double x, double y, std::string text, TextAnchor anchor) {
  return phraseMark(x, y, Phrase::words(std::move(text)), anchor);
}

FigureMark phraseMark(double x, double y, Phrase text, TextAnchor anchor) {
  FigureMark mark;
  mark.shape = TextMark{x, y, std::move(text), anchor};
  mark.style.colour = "text";
  return mark;
}

FigureMark bandEntry(Phrase what) {
  FigureMark mark;
  mark.label = std::move(what);
  mark.style.colour = "text";
  mark.style.fill = kBandFill;
  mark.shape = BandMark{};
  return mark;
}

std::size_t panelColumns(std::size_t panels) {
  return std::min<std::size_t>(panels, 2);
}

void ValueRange::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void ValueRange::add(const std::vector<double>& values) {
  for (const double value : values) add(value);
}

void setSize(FigureSpec& spec, const OptionValues& options, double defaultHeightMm) {
  spec.widthMm = options.real("width");
  spec.heightMm = options.real("height") > 0 ? options.real("height") : defaultHeightMm;
}

}  // namespace fathom
