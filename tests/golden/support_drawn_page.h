// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <vector>

#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom::test {

// What stands on a page, whoever drew it. Units of 96 per inch, y down, colours without the paper; what a
// clip takes away is not there.
struct DrawnStroke {
  QPolygonF points;
  QColor colour;
  double width = 0;
  std::vector<double> dashes;  // units; empty = solid
  int place = 0;               // in the order of painting, areas among them
};
struct DrawnArea {
  QPolygonF outline;
  QColor colour;
  int place = 0;
};
struct DrawnWords {
  QString text;  // its ASCII letters and digits
  QPointF start, middle,
      end;  // of the baseline; where a writer knows but one of them the others are not a number
  double points = 0;
  QColor colour;
  bool upright = false;
};
struct DrawnPicture {
  QRectF box;
  QImage image;
};
struct DrawnPage {
  QSizeF size;
  int count = 0;  // of strokes and areas
  std::vector<DrawnStroke> strokes;
  std::vector<DrawnArea> areas;
  std::vector<DrawnWords> words;
  std::vector<DrawnPicture> pictures;
};

// As the renderer draws it into a PDF.
DrawnPage pageOfRenderer(const FigureSpec& spec, const FigureStyle& style);

// Marks that one page has and the other has not, or elsewhere, in another colour, width or dash: the first
// few in words, empty = the pages are the same within half a unit.
QString pageDifference(const DrawnPage& renderer, const DrawnPage& latex);

// Letters and digits of ASCII, in their order: what every way of writing a text has in common.
QString plainLetters(const QString& text);

}  // namespace fathom::test
