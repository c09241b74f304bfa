// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"
#include "core/base/json/json.h"

namespace fathom {

// A figure as a value: what is drawn, not how. Lengths on paper are millimetres, line widths and text points.
// Every text is markup (figure_text.h): run names go through escapeMarkup first. Texts are phrases: files are
// English, the language of the papers, whatever the window speaks.
// A colour is a word that the style resolves, so that one figure serves light, dark and paper:
//   "series:N"  "category:false_negative|column|sketch|both"  "text" "secondary" "separator" "accent"
//   "#RRGGBB"

enum class AxisScale { Linear, Log, Symlog, Category, Token, None };
enum class LineDash { Solid, Dash, Dot, DashDot };
enum class MarkerShape { None, Disc, Square, Diamond, Triangle, Cross };
enum class LegendPlace { Auto, Inside, Below, None };
enum class TextAnchor { Centre, Left, Right, Top, Bottom };
enum class GridForm { Violin, Line, Map };
// Share of a cell's height or width that the plot inside takes.
inline constexpr double kGridCellShare = 0.86;

// Words used in JSON.
inline constexpr EnumWord<AxisScale> kAxisScaleWords[] = {
    {AxisScale::Linear, "linear"},     {AxisScale::Log, "log"},     {AxisScale::Symlog, "symlog"},
    {AxisScale::Category, "category"}, {AxisScale::Token, "token"}, {AxisScale::None, "none"}};
inline constexpr EnumWord<LineDash> kLineDashWords[] = {{LineDash::Solid, "solid"},
                                                        {LineDash::Dash, "dash"},
                                                        {LineDash::Dot, "dot"},
                                                        {LineDash::DashDot, "dashdot"}};
inline constexpr EnumWord<MarkerShape> kMarkerWords[] = {
    {MarkerShape::None, "none"},       {MarkerShape::Disc, "disc"},         {MarkerShape::Square, "square"},
    {MarkerShape::Diamond, "diamond"}, {MarkerShape::Triangle, "triangle"}, {MarkerShape::Cross, "cross"}};
inline constexpr EnumWord<LegendPlace> kLegendWords[] = {{LegendPlace::Auto, "auto"},
                                                         {LegendPlace::Inside, "inside"},
                                                         {LegendPlace::Below, "below"},
                                                         {LegendPlace::None, "none"}};
inline constexpr EnumWord<TextAnchor> kAnchorWords[] = {{TextAnchor::Centre, "centre"},
                                                        {TextAnchor::Left, "left"},
                                                        {TextAnchor::Right, "right"},
                                                        {TextAnchor::Top, "top"},
                                                        {TextAnchor::Bottom, "bottom"}};
inline constexpr EnumWord<GridForm> kGridFormWords[] = {
    {GridForm::Violin, "violin"}, {GridForm::Line, "line"}, {GridForm::Map, "map"}};

struct FigureAxis {
  Phrase label;
  AxisScale scale = AxisScale::Linear;
  std::optional<double> minimum, maximum;  // from the data where empty
  double linearBelow = 1;                  // symlog: linear within +- this value
  std::vector<std::string> categories;     // category and token: position i shows categories[i]
  std::vector<Phrase> words{};             // the same, where they are the program's: a screen says them
  std::vector<double> ticks;               // explicit positions, else chosen
  bool reversed = false;
  bool grid = true;
  bool whole = false;  // counts: no number between two whole ones
  // Of an axis of dates: the moment, in seconds since 1970, that its values, in seconds, are counted from.
  std::optional<double> datesFrom = {};
  std::string tickLabels;  // "" = shown, "none" = left out, since a neighbour on the same axis shows them
};

struct MarkStyle {
  std::string colour = "series:0";
  double width = 0;  // points; 0 = the style's line width
  LineDash dash = LineDash::Solid;
  double opacity = 1;  // of the stroke
  double fill = 0;     // opacity of the filled area
  MarkerShape marker = MarkerShape::None;
  double markerSize = 0;  // points; 0 = the style's
};

// Non-finite points break a line; marks that cannot show them leave them out.
struct LineMark {
  std::vector<double> x, y;
};
struct BandMark {
  std::vector<double> x, lower, upper;
};
struct PointsMark {
  std::vector<double> x, y;
};
struct SegmentsMark {
  std::vector<double> x0, y0, x1, y1;
  std::vector<double> weight;  // 0 ... 1 per segment, multiplies the opacity; empty = 1
};
// values[r * columns + c] covers x in c -+ .5 and y in r -+ .5. Up to 64 x 64 drawn as vector cells, larger
// ones as an image at native resolution. NaN cells are grey and counted by the colour bar.
struct CellsMark {
  int rows = 0, columns = 0;
  std::vector<double> values;
  std::string map = "viridis";
  std::optional<double> minimum, maximum;  // colour range, else of the finite values
  std::optional<double> centre;            // fixed centre of a diverging map
  bool numbers = false;                    // print the value into each cell
  // Which cells there are, '#' for each that is there and '.' where nothing is (above the diagonal of a
  // triangle): blank everywhere, not written, not missing. Empty = all.
  std::string shown;
  bool has(std::size_t index) const { return shown.empty() || shown[index] == '#'; }
};
struct ViolinMark {
  double position = 0, width = 0.8;  // in units of the x axis
  std::vector<double> grid, density;
  std::optional<double> quartile1, median, quartile3;
};
struct BoxMark {
  double position = 0, width = 0.5;
  double minimum = 0, quartile1 = 0, median = 0, quartile3 = 0, maximum = 0;
  std::vector<double> outliers;
};
struct BarsMark {
  std::vector<double> x, height;
  std::vector<double> error;  // half-length of the error bar, empty = none
  double width = 0.8, base = 0;
};
struct RuleMark {
  double position = 0;
  bool vertical = false;
};
struct PolygonMark {
  std::vector<double> x, y;
};
struct EllipseMark {
  double x = 0, y = 0, radiusX = 1, radiusY = 1, angle = 0;  // degrees
};
struct ImageMark {
  std::string png;                        // the bytes of a PNG file, base64
  double x0 = 0, y0 = 0, x1 = 1, y1 = 1;  // corners in axis units
};
struct TextMark {
  double x = 0, y = 0;
  Phrase text;
  TextAnchor anchor = TextAnchor::Centre;
};
// Small multiples in one mark: a grid of more than 36 plots is painted cell by cell. Cell (row, column) lies
// at x = column, y = row of the panel's axes; inside, all cells share one range.
struct GridCell {
  int row = 0, column = 0;
  std::vector<double> x, y;  // violin: x = value, y = density; line: curve; map: y = values row by row
  int mapColumns = 0;        // map: number of columns
  std::string shown;         // map: as of CellsMark
  std::optional<double> median;
  std::string colour;     // empty = the mark's
  std::string selection;  // empty = the mark's
};
struct GridMark {
  GridForm form = GridForm::Violin;
  std::vector<GridCell> cells;
  double minimum = 0, maximum = 1;  // shared range of values
  std::string map = "viridis";      // for maps
  std::vector<double> thresholds;   // values marked by thin rules in every cell
  Phrase axis;                      // title of an axis of these values beside the panel; empty = none
};

using MarkShape = std::variant<LineMark, BandMark, PointsMark, SegmentsMark, CellsMark, ViolinMark, BoxMark,
                               BarsMark, RuleMark, PolygonMark, EllipseMark, ImageMark, TextMark, GridMark>;
// Words in the order of the variant.
inline constexpr std::array<const char*, 14> kMarkWords = {
    "line", "band", "points",  "segments", "cells", "violin", "box",
    "bars", "rule", "polygon", "ellipse",  "image", "text",   "grid"};

struct FigureMark {
  Phrase label = {};           // legend entry; empty = none
  std::string selection = {};  // selection string (views/selection) of what the mark stands for
  // Cells: added to it for row r and column c; lines and points: columnParts[i] for point i. Empty = nothing.
  std::vector<std::string> rowParts = {}, columnParts = {};
  MarkStyle style = {};
  MarkShape shape = {};
};

struct ColourBar {
  std::string map = "viridis";
  double minimum = 0, maximum = 1;
  Phrase label;
  int missing = 0;  // NaN cells, printed below
};

inline constexpr Phrase::Text kLegendRest = Phrase::tr("and %1 more");

struct FigurePanel {
  Phrase title;
  int row = 0, column = 0, rowSpan = 1, columnSpan = 1;
  FigureAxis x, y;
  // Width of one unit of x over the height of one of y, whatever room there is: 1 makes cells square, as
  // matrices are read. Empty = the plot fills its room.
  std::optional<double> aspect;
  LegendPlace legend = LegendPlace::Auto;
  std::string legendRest;  // last line of a legend that cannot name all (legend_layout.h), with %1 for the
                           // number; empty = kLegendRest
  std::vector<ColourBar> bars;  // none or one
  std::vector<FigureMark> marks;
};

// Rows of the panels' grid that follow each other and share a height of their own.
struct RowBand {
  int rows = 1;
  double share = 1;  // of the figure's height, margins included; any unit
};
// The same of columns and the figure's width.
struct ColumnBand {
  int columns = 1;
  double share = 1;
};

struct FigureSpec {
  static constexpr int kFormat = 1;
  std::string id;                    // list id of the figure it came from
  Phrase title;                      // for readers of the file; not drawn
  Phrase summary;                    // the same in words, for screen readers and the alt text
  double widthMm = 0, heightMm = 0;  // 0 = the style's width, golden ratio per panel row, or what panels
                                     // with an aspect need at the width
  std::string style;                 // preferred style, empty = the caller's
  bool flows = false;  // panels in reading order, one legend: arrangedFigure gives them rows and columns
  int columns = 0;     // of a figure that flows; 0 = what the style has room for
  std::vector<RowBand> bands;  // from the top, all rows; empty = all plots of a column are equally high
  std::vector<ColumnBand> columnBands;  // from the left, all columns; empty = all plots of a row are as wide
  std::vector<FigurePanel> panels;
  std::vector<Phrase> notes;  // what a caption must say
};

Json figureToJson(const FigureSpec& spec);
// Lengths that must agree, panels on one cell, log axes with nothing positive, numbers out of range.
Status checkFigure(const FigureSpec& spec);

}  // namespace fathom
