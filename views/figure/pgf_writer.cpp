// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/pgf_writer.h"

#include <algorithm>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/figure/figure_layout.h"
#include "views/figure/pgf_marks.h"

namespace fathom {

namespace {

std::string mm(double units) {
  return pgfNumber(units / 96 * 25.4) + "mm";
}

std::string words(const std::vector<AxisTick>& ticks) {
  std::string labels;
  for (const AxisTick& tick : ticks) {
    if (tick.minor) continue;
    if (!labels.empty()) labels += ",";
    labels += "{" + latexText(tick.label).toStdString() + "}";
  }
  return labels;
}

// Ticks that PGFPlots would place or name otherwise are given explicitly.
std::string axisOptions(const FigureAxis& axis, char name, const AxisRange& range, double length) {
  const std::string n(1, name);
  const AxisMap map(axis);
  const bool units = axis.scale == AxisScale::Symlog;
  std::string text = "  " + n + "min=" + pgfNumber(units ? range.low : map.fromUnit(range.low)) + ", " + n +
                     "max=" + pgfNumber(units ? range.high : map.fromUnit(range.high));
  if (axis.scale == AxisScale::Log) text += ", " + n + "mode=log";
  if (axis.reversed) text += ", " + n + " dir=reverse";
  if (axis.scale == AxisScale::None) {
    text += ", " + n + "tick=\\empty, " + n + " axis line style={draw=none}";
  } else if (axis.scale != AxisScale::Log) {
    const int wanted = std::max(2, static_cast<int>(length / 50));
    const std::vector<AxisTick> ticks = axisTicks(axis, range, wanted);
    std::string places;
    for (const AxisTick& tick : ticks)
      places += (places.empty() ? "" : ",") + pgfNumber(units ? tick.unit : map.fromUnit(tick.unit));
    text += ", " + n + "tick={" + places + "}, " + n + "ticklabels={" + words(ticks) + "}";
  }
  if (!axis.tickLabels.empty()) text += ", " + n + "ticklabels=\\empty";
  const bool category = axis.scale == AxisScale::Category || axis.scale == AxisScale::Token;
  if (axis.grid && !category && axis.scale != AxisScale::None) text += ", " + n + "majorgrids";
  if (!axis.label.empty())
    text += ", " + n + "label={" + latexText(QString::fromStdString(axis.label)).toStdString() + "}";
  return text + ",\n";
}

std::string colourMapDefinition(const std::string& name, const FigureStyle& style) {
  ColourMap map = ColourMap::Viridis;
  colourMapFromName(QString::fromStdString(name), map);
  std::string text = "  colormap={fathom}{";
  for (int i = 0; i <= 15; ++i) {
    const QColor colour = style.gray ? grayscale(mapColour(map, i / 15.0)) : mapColour(map, i / 15.0);
    text += "rgb255=(" + std::to_string(colour.red()) + "," + std::to_string(colour.green()) + "," +
            std::to_string(colour.blue()) + ") ";
  }
  return text + "},\n";
}

std::string panelText(const FigurePanel& panel, const FigureStyle& style, const PanelLayout& at,
                      double pageHeight, const PanelRanges& ranges, PgfMarks& marks) {
  const QRectF& area = at.area;
  std::string text = "\\begin{axis}[\n  at={(" + mm(area.left()) + "," + mm(pageHeight - area.bottom()) +
                     ")}, anchor=south west, scale only axis,\n  width=" + mm(area.width()) +
                     ", height=" + mm(area.height()) +
                     ",\n  axis lines=left, axis line style={-, line width=" + pgfNumber(style.axisPoints) +
                     "pt}, tick style={line width=" + pgfNumber(style.axisPoints) +
                     "pt, black}, tick align=inside,\n  every tick label/.append style={font=\\fontsize{" +
                     pgfNumber(style.tickPoints) + "}{" + pgfNumber(style.tickPoints * 1.2) +
                     "}\\selectfont}, label style={font=\\fontsize{" + pgfNumber(style.labelPoints) + "}{" +
                     pgfNumber(style.labelPoints * 1.2) +
                     "}\\selectfont},\n  grid style={line width=" + pgfNumber(style.axisPoints) +
                     "pt, black!15}, clip marker paths=true, unbounded coords=jump,\n";
  text += axisOptions(panel.x, 'x', ranges.x, area.width());
  text += axisOptions(panel.y, 'y', ranges.y, area.height());
  if (panel.x.scale == AxisScale::Token) text += "  x tick label style={rotate=90, anchor=east},\n";
  if (!panel.title.empty()) {
    text += "  title={" + latexText(QString::fromStdString(panel.title)).toStdString() + "},\n";
    text += "  title style={font=\\bfseries\\fontsize{" + pgfNumber(style.titlePoints) + "}{" +
            pgfNumber(style.titlePoints * 1.2) + "}\\selectfont},\n";
  }
  for (const FigureMark& mark : panel.marks)
    if (const auto* cells = std::get_if<CellsMark>(&mark.shape))
      text += colourMapDefinition(cells->map, style);
  for (const ColourBar& bar : panel.bars)
    text += colourMapDefinition(bar.map, style) + "  colorbar, point meta min=" + pgfNumber(bar.minimum) +
            ", point meta max=" + pgfNumber(bar.maximum) + ", colorbar style={ylabel={" +
            latexText(QString::fromStdString(bar.label)).toStdString() + "}" +
            (bar.missing > 0 ? ", xlabel={" + std::to_string(bar.missing) + " NaN}" : std::string()) + "},\n";
  if (!at.legend.empty()) {
    const double x = (at.legendBox.left() - area.left()) / area.width();
    const double y = (area.bottom() - at.legendBox.top()) / area.height();
    text += "  legend style={at={(" + pgfNumber(x) + "," + pgfNumber(y) +
            ")}, anchor=north west, draw=none, fill opacity=0.85, text opacity=1, font=\\fontsize{" +
            pgfNumber(style.legendPoints) + "}{" + pgfNumber(style.legendPoints * 1.2) +
            "}\\selectfont}, legend cell align=left,\n";
    if (!at.legendInside) text += "  legend columns=2,\n";
  }
  text += "]\n";
  for (const FigureMark& mark : panel.marks) text += marks.plot(mark, panel, ranges);
  return text + "\\end{axis}\n";
}

}  // namespace

PgfFigure pgfFigure(const FigureSpec& spec, const FigureStyle& style, const std::string& stem) {
  const FigureSize size = figureSize(spec, style);
  const QSizeF units(unitsOfMm(size.widthMm), unitsOfMm(size.heightMm));
  std::vector<PanelRanges> ranges;
  for (const FigurePanel& panel : spec.panels)
    ranges.push_back({panelRange(panel, true), panelRange(panel, false)});
  const FigureLayout layout = layOutFigure(spec, style, units, ranges);
  PgfMarks marks(style, stem);
  PgfFigure figure;
  figure.tex =
      "% " + plainText(QString::fromStdString(spec.title.empty() ? spec.id : spec.title)).toStdString() +
      "\n% Preamble: \\usepackage{pgfplots} \\pgfplotsset{compat=1.17}\n\\begin{tikzpicture}\n" +
      "\\path[use as bounding box] (0,0) rectangle (" + mm(units.width()) + "," + mm(units.height()) + ");\n";
  for (std::size_t i = 0; i < spec.panels.size(); ++i)
    figure.tex += panelText(spec.panels[i], style, layout.panels[i], units.height(), ranges[i], marks);
  figure.tex += "\\end{tikzpicture}\n";
  figure.data = marks.table();
  figure.images = marks.images();
  return figure;
}

}  // namespace fathom
