// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/paper/figure_table.h"

#include <QString>
#include <limits>

#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

constexpr int kDecimals = 4;

struct Rows {
  PaperTable table;
  std::string panel;
  void add(const std::string& series, const std::string& where, double value) {
    table.rows.push_back({panel, series, where, value});
  }
};

std::string wordOf(const FigureAxis& axis, double position) {
  if (axis.scale != AxisScale::Category && axis.scale != AxisScale::Token)
    return valueText(position).toStdString();
  const auto index = static_cast<std::size_t>(position < 0 ? 0 : position + 0.5);
  if (index < axis.categories.size() && !axis.categories[index].empty()) return axis.categories[index];
  // Only every so many are written at the axis: counted on from the one before.
  for (std::size_t i = std::min(index, axis.categories.size()); i-- > 0;) {
    bool whole = false;
    const int number = plainText(QString::fromStdString(axis.categories[i])).toInt(&whole);
    if (whole) return std::to_string(number + static_cast<int>(index - i));
  }
  return std::to_string(index + 1);
}

std::string labelled(const FigureAxis& axis, const std::string& word) {
  return axis.label.empty() ? word : axis.label.english() + " " + word;
}

void addPoints(Rows& rows, const FigurePanel& panel, const FigureMark& mark, const std::vector<double>& x,
               const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
    rows.add(mark.label.english(), labelled(panel.x, wordOf(panel.x, x[i])), y[i]);
}

void addCells(Rows& rows, const FigurePanel& panel, const CellsMark& cells) {
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column) {
      const auto index = static_cast<std::size_t>(row * cells.columns + column);
      if (cells.has(index))
        rows.add(labelled(panel.y, wordOf(panel.y, row)), labelled(panel.x, wordOf(panel.x, column)),
                 cells.values[index]);
    }
}

// A cell of small multiples stands for its median; its head is in its selection, whatever the order.
void addGrid(Rows& rows, const FigurePanel& panel, const GridMark& grid) {
  for (const GridCell& cell : grid.cells) {
    std::string where = labelled(panel.x, wordOf(panel.x, cell.column));
    const auto place = Selection::fromText(QString::fromStdString(cell.selection));
    if (place.ok() && !place->current(Dimension::Head).isEmpty())
      where = "head " + std::to_string(place->current(Dimension::Head).toInt() + 1);
    rows.add(labelled(panel.y, wordOf(panel.y, cell.row)), where,
             cell.median.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
}

void addMark(Rows& rows, const FigurePanel& panel, const FigureMark& mark) {
  if (const auto* line = std::get_if<LineMark>(&mark.shape)) addPoints(rows, panel, mark, line->x, line->y);
  if (const auto* points = std::get_if<PointsMark>(&mark.shape))
    addPoints(rows, panel, mark, points->x, points->y);
  if (const auto* bars = std::get_if<BarsMark>(&mark.shape))
    addPoints(rows, panel, mark, bars->x, bars->height);
  if (const auto* cells = std::get_if<CellsMark>(&mark.shape)) addCells(rows, panel, *cells);
  if (const auto* grid = std::get_if<GridMark>(&mark.shape)) addGrid(rows, panel, *grid);
  if (const auto* violin = std::get_if<ViolinMark>(&mark.shape)) {
    const std::string name = wordOf(panel.x, violin->position);
    if (violin->quartile1) rows.add(name, "quartile 1", *violin->quartile1);
    if (violin->median) rows.add(name, "median", *violin->median);
    if (violin->quartile3) rows.add(name, "quartile 3", *violin->quartile3);
  }
  if (const auto* box = std::get_if<BoxMark>(&mark.shape)) {
    const std::string name = wordOf(panel.x, box->position);
    rows.add(name, "quartile 1", box->quartile1);
    rows.add(name, "median", box->median);
    rows.add(name, "quartile 3", box->quartile3);
  }
}

}  // namespace

PaperTable tableOfFigure(const FigureSpec& spec) {
  Rows rows;
  rows.table.caption = spec.title.english();
  rows.table.columns = {{QT_TRANSLATE_NOOP("TableWord", "panel"), kDecimals},
                        {QT_TRANSLATE_NOOP("TableWord", "row or series"), kDecimals},
                        {QT_TRANSLATE_NOOP("TableWord", "column"), kDecimals},
                        {QT_TRANSLATE_NOOP("TableWord", "value"), kDecimals}};
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    rows.panel = panel.title.empty() ? std::to_string(i + 1) : panel.title.english();
    for (const FigureMark& mark : panel.marks) addMark(rows, panel, mark);
  }
  return std::move(rows.table);
}

}  // namespace fathom
