// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_spec.h"

namespace fathom::figure_fields {

// Every field of every part of a figure, named once: `visit(v, part)` calls v(name, field) in the order of
// the file format. The JSON writer and the text of the golden tests are two visitors. Enums come with
// their words: v.word(name, field, words).

template <class V>
void visit(V& v, FigureAxis& a) {
  v("label", a.label);
  v.word("scale", a.scale, kAxisScaleWords);
  v("minimum", a.minimum);
  v("maximum", a.maximum);
  v("linear_below", a.linearBelow);
  v("categories", a.categories);
  v("ticks", a.ticks);
  v("reversed", a.reversed);
  v("grid", a.grid);
  if (a.whole) v("whole", a.whole);
  if (a.datesFrom) v("dates_from", a.datesFrom);
  v("tick_labels", a.tickLabels);
}

template <class V>
void visit(V& v, MarkStyle& s) {
  v("colour", s.colour);
  v("width", s.width);
  v.word("dash", s.dash, kLineDashWords);
  v("opacity", s.opacity);
  v("fill", s.fill);
  v.word("marker", s.marker, kMarkerWords);
  v("marker_size", s.markerSize);
}

template <class V>
void visit(V& v, LineMark& m) {
  v("x", m.x);
  v("y", m.y);
}
template <class V>
void visit(V& v, BandMark& m) {
  v("x", m.x);
  v("lower", m.lower);
  v("upper", m.upper);
}
template <class V>
void visit(V& v, PointsMark& m) {
  v("x", m.x);
  v("y", m.y);
}
template <class V>
void visit(V& v, SegmentsMark& m) {
  v("x0", m.x0);
  v("y0", m.y0);
  v("x1", m.x1);
  v("y1", m.y1);
  v("weight", m.weight);
}
template <class V>
void visit(V& v, CellsMark& m) {
  v("rows", m.rows);
  v("columns", m.columns);
  v("values", m.values);
  v("map", m.map);
  v("minimum", m.minimum);
  v("maximum", m.maximum);
  v("centre", m.centre);
  v("numbers", m.numbers);
  v("shown", m.shown);
}
template <class V>
void visit(V& v, ViolinMark& m) {
  v("position", m.position);
  v("width", m.width);
  v("grid", m.grid);
  v("density", m.density);
  v("quartile1", m.quartile1);
  v("median", m.median);
  v("quartile3", m.quartile3);
}
template <class V>
void visit(V& v, BoxMark& m) {
  v("position", m.position);
  v("width", m.width);
  v("minimum", m.minimum);
  v("quartile1", m.quartile1);
  v("median", m.median);
  v("quartile3", m.quartile3);
  v("maximum", m.maximum);
  v("outliers", m.outliers);
}
template <class V>
void visit(V& v, BarsMark& m) {
  v("x", m.x);
  v("height", m.height);
  v("error", m.error);
  v("width", m.width);
  v("base", m.base);
}
template <class V>
void visit(V& v, RuleMark& m) {
  v("position", m.position);
  v("vertical", m.vertical);
}
template <class V>
void visit(V& v, PolygonMark& m) {
  v("x", m.x);
  v("y", m.y);
}
template <class V>
void visit(V& v, EllipseMark& m) {
  v("x", m.x);
  v("y", m.y);
  v("radius_x", m.radiusX);
  v("radius_y", m.radiusY);
  v("angle", m.angle);
}
template <class V>
void visit(V& v, ImageMark& m) {
  v("png", m.png);
  v("x0", m.x0);
  v("y0", m.y0);
  v("x1", m.x1);
  v("y1", m.y1);
}
template <class V>
void visit(V& v, TextMark& m) {
  v("x", m.x);
  v("y", m.y);
  v("text", m.text);
  v.word("anchor", m.anchor, kAnchorWords);
}
template <class V>
void visit(V& v, GridCell& c) {
  v("row", c.row);
  v("column", c.column);
  v("x", c.x);
  v("y", c.y);
  v("map_columns", c.mapColumns);
  v("shown", c.shown);
  v("median", c.median);
  v("colour", c.colour);
  v("selection", c.selection);
}
template <class V>
void visit(V& v, GridMark& m) {
  v.word("form", m.form, kGridFormWords);
  v("cells", m.cells);
  v("minimum", m.minimum);
  v("maximum", m.maximum);
  v("map", m.map);
  v("thresholds", m.thresholds);
  v("axis", m.axis);
}
template <class V>
void visit(V& v, FigureMark& m) {
  v("label", m.label);
  v("selection", m.selection);
  v("row_parts", m.rowParts);
  v("column_parts", m.columnParts);
  v("style", m.style);
  v.shape(m.shape);
}
template <class V>
void visit(V& v, ColourBar& b) {
  v("map", b.map);
  v("minimum", b.minimum);
  v("maximum", b.maximum);
  v("label", b.label);
  v("missing", b.missing);
}
template <class V>
void visit(V& v, FigurePanel& p) {
  v("title", p.title);
  v("row", p.row);
  v("column", p.column);
  v("row_span", p.rowSpan);
  v("column_span", p.columnSpan);
  v("x", p.x);
  v("y", p.y);
  v("aspect", p.aspect);
  v.word("legend", p.legend, kLegendWords);
  v("legend_rest", p.legendRest);
  v("bars", p.bars);
  v("marks", p.marks);
}
template <class V>
void visit(V& v, RowBand& b) {
  v("rows", b.rows);
  v("share", b.share);
}
template <class V>
void visit(V& v, ColumnBand& b) {
  v("columns", b.columns);
  v("share", b.share);
}
template <class V>
void visit(V& v, FigureSpec& s) {
  v("id", s.id);
  v("title", s.title);
  v("summary", s.summary);
  v("width_mm", s.widthMm);
  v("height_mm", s.heightMm);
  v("style", s.style);
  v("bands", s.bands);
  v("column_bands", s.columnBands);
  v("panels", s.panels);
  v("notes", s.notes);
}

}  // namespace fathom::figure_fields
