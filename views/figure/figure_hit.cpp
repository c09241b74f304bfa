// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "views/figure/figure_renderer.h"
#include "views/figure/figure_text.h"
#include "views/figure/legend_layout.h"

namespace fathom {

namespace {

constexpr double kReach = 8;  // units around the pointer

// The nearest point of a series within reach; distance in units.
struct Nearest {
  std::size_t index = 0;
  double distance = kReach;
  bool found = false;
};

Nearest nearestPoint(const std::vector<double>& x, const std::vector<double>& y, const QPointF& at,
                     const MarkCanvas& canvas) {
  Nearest nearest;
  std::size_t first = 0, end = x.size();
  if (std::is_sorted(x.begin(), x.end()) && canvas.area.width() > 0) {
    const double unitsPerPixel = canvas.rangeX.size() / canvas.area.width();
    double share = (at.x() - canvas.area.left()) / canvas.area.width();
    if (canvas.reversedX) share = 1 - share;
    const double middle = canvas.rangeX.low + share * canvas.rangeX.size();
    const double low = canvas.x.fromUnit(middle - kReach * unitsPerPixel);
    const double high = canvas.x.fromUnit(middle + kReach * unitsPerPixel);
    first = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), low) - x.begin());
    end = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), high) - x.begin());
  }
  for (std::size_t i = first; i < end; ++i) {
    const QPointF point = canvas.pixel(x[i], y[i]);
    const double distance = std::hypot(point.x() - at.x(), point.y() - at.y());
    if (!(distance < nearest.distance)) continue;
    nearest = {i, distance, true};
  }
  return nearest;
}

// Distance to a line between its points, where they lie far apart.
double segmentDistance(const QPointF& a, const QPointF& b, const QPointF& at) {
  const QPointF along = b - a;
  const double length = QPointF::dotProduct(along, along);
  const double share = length > 0 ? std::clamp(QPointF::dotProduct(at - a, along) / length, 0.0, 1.0) : 0;
  const QPointF nearest = a + along * share;
  return std::hypot(at.x() - nearest.x(), at.y() - nearest.y());
}

Nearest nearestOnLine(const LineMark& line, const QPointF& at, const MarkCanvas& canvas) {
  Nearest nearest = nearestPoint(line.x, line.y, at, canvas);
  if (nearest.found || line.x.size() < 2 || !std::is_sorted(line.x.begin(), line.x.end())) return nearest;
  double share = (at.x() - canvas.area.left()) / canvas.area.width();
  if (canvas.reversedX) share = 1 - share;
  const double value = canvas.x.fromUnit(canvas.rangeX.low + share * canvas.rangeX.size());
  const auto right = std::lower_bound(line.x.begin(), line.x.end(), value);
  if (right == line.x.begin() || right == line.x.end()) return nearest;
  const auto i = static_cast<std::size_t>(right - line.x.begin());
  const QPointF a = canvas.pixel(line.x[i - 1], line.y[i - 1]), b = canvas.pixel(line.x[i], line.y[i]);
  const double distance = segmentDistance(a, b, at);
  if (!(distance < kReach)) return nearest;
  return {std::abs(a.x() - at.x()) < std::abs(b.x() - at.x()) ? i - 1 : i, distance, true};
}

QString nameOf(const FigureMark& mark) {
  return mark.label.empty() ? QString()
                            : plainText(QString::fromStdString(mark.label.english())) + QStringLiteral(": ");
}

QString axisWord(const FigureAxis& axis, const char* fallback) {
  return axis.label.empty() ? QLatin1String(fallback)
                            : plainText(QString::fromStdString(axis.label.english()));
}

void describePoint(FigureHit& hit, const FigurePanel& panel, const FigureMark& mark, double x, double y) {
  hit.x = x;
  hit.y = y;
  hit.selection = QString::fromStdString(mark.selection);
  hit.text =
      nameOf(mark) + QStringLiteral("%1 %2, %3 %4")
                         .arg(axisWord(panel.x, "x"), valueText(x), axisWord(panel.y, "y"), valueText(y));
}

// "layer 3": the word at the axis, or counted on from one where only every so many are written.
QString placeWord(const FigureAxis& axis, int index, const char* fallback) {
  const auto& words = axis.categories;
  QString word;
  for (int i = std::min(index, static_cast<int>(words.size()) - 1); i >= 0 && word.isEmpty(); --i) {
    const QString written = plainText(QString::fromStdString(words[static_cast<std::size_t>(i)]));
    bool whole = false;
    const int number = written.toInt(&whole);
    if (i == index || whole) word = i == index ? written : QString::number(number + index - i);
  }
  if (word.isEmpty()) word = QString::number(index);
  return axisWord(axis, fallback) + u' ' + word;
}

QString partSelection(const FigureMark& mark, const std::vector<std::string>& parts, std::size_t index,
                      const QString& before) {
  if (index >= parts.size() || parts[index].empty()) return before;
  return before.isEmpty() ? QString::fromStdString(parts[index])
                          : before + u'/' + QString::fromStdString(parts[index]);
}

QPointF valuesUnder(const QPointF& at, const MarkCanvas& canvas) {
  double shareX = (at.x() - canvas.area.left()) / canvas.area.width();
  double shareY = (canvas.area.bottom() - at.y()) / canvas.area.height();
  if (canvas.reversedX) shareX = 1 - shareX;
  if (canvas.reversedY) shareY = 1 - shareY;
  return {canvas.x.fromUnit(canvas.rangeX.low + shareX * canvas.rangeX.size()),
          canvas.y.fromUnit(canvas.rangeY.low + shareY * canvas.rangeY.size())};
}

bool hitCells(FigureHit& hit, const FigurePanel& panel, const FigureMark& mark, const CellsMark& cells,
              const QPointF& at, const MarkCanvas& canvas) {
  const QPointF value = valuesUnder(at, canvas);
  const int column = static_cast<int>(std::floor(value.x() + 0.5));
  const int row = static_cast<int>(std::floor(value.y() + 0.5));
  if (column < 0 || row < 0 || column >= cells.columns || row >= cells.rows) return false;
  hit.index = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.columns) +
              static_cast<std::size_t>(column);
  if (!cells.has(hit.index)) return false;
  hit.x = column;
  hit.y = row;
  hit.selection = partSelection(mark, mark.rowParts, static_cast<std::size_t>(row),
                                QString::fromStdString(mark.selection));
  hit.selection = partSelection(mark, mark.columnParts, static_cast<std::size_t>(column), hit.selection);
  hit.text = nameOf(mark) + QStringLiteral("%1, %2: %3")
                                .arg(placeWord(panel.y, row, "row"), placeWord(panel.x, column, "column"),
                                     valueText(cells.values[hit.index]));
  return true;
}

bool hitGrid(FigureHit& hit, const FigurePanel& panel, const FigureMark& mark, const GridMark& grid,
             const QPointF& at, const MarkCanvas& canvas) {
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    const GridCell& cell = grid.cells[i];
    const QRectF box(canvas.pixel(cell.column - 0.5, cell.row - 0.5),
                     canvas.pixel(cell.column + 0.5, cell.row + 0.5));
    if (!box.normalized().contains(at)) continue;
    hit.index = i;
    hit.x = cell.column;
    hit.y = cell.row;
    hit.selection = QString::fromStdString(cell.selection.empty() ? mark.selection : cell.selection);
    hit.text = placeWord(panel.y, cell.row, "row") + QStringLiteral(", ") +
               placeWord(panel.x, cell.column, "column");
    if (cell.median) hit.text += QStringLiteral(": median %1").arg(valueText(*cell.median));
    return true;
  }
  return false;
}

bool ellipseHolds(const EllipseMark& ellipse, double x, double y) {
  const double turn = ellipse.angle * std::numbers::pi / 180, dx = x - ellipse.x, dy = y - ellipse.y;
  const double a = (dx * std::cos(turn) + dy * std::sin(turn)) / ellipse.radiusX;
  const double b = (dy * std::cos(turn) - dx * std::sin(turn)) / ellipse.radiusY;
  return a * a + b * b <= 1;
}

// Texts that stand for something, and polygons.
bool hitArea(FigureHit& hit, const FigureMark& mark, const QPointF& at, const MarkCanvas& canvas) {
  if (const auto* text = std::get_if<TextMark>(&mark.shape); text != nullptr && !mark.selection.empty()) {
    const auto placed = placeText(*text, mark.style, canvas);
    if (!placed || !placed->box().adjusted(-kReach, -kReach / 2, kReach, kReach / 2).contains(at))
      return false;
    hit.text = plainText(QString::fromStdString(text->text.english()));
  } else if (const auto* polygon = std::get_if<PolygonMark>(&mark.shape)) {
    QPolygonF outline;
    for (std::size_t i = 0; i < polygon->x.size(); ++i) outline << canvas.pixel(polygon->x[i], polygon->y[i]);
    if (mark.selection.empty() || !outline.containsPoint(at, Qt::OddEvenFill)) return false;
    hit.text.clear();
  } else {
    return false;
  }
  hit.selection = QString::fromStdString(mark.selection);
  return true;
}

// The number that stands in the same region of overlapping ellipses: what is behind it is behind all of the
// region.
std::optional<std::size_t> numberOfRegion(const FigurePanel& panel, double x, double y) {
  const auto regionOf = [&panel](double atX, double atY) {
    std::vector<bool> region;
    for (const FigureMark& mark : panel.marks)
      if (const auto* ellipse = std::get_if<EllipseMark>(&mark.shape))
        region.push_back(ellipseHolds(*ellipse, atX, atY));
    return region;
  };
  const std::vector<bool> region = regionOf(x, y);
  if (std::find(region.begin(), region.end(), true) == region.end()) return std::nullopt;
  for (std::size_t i = 0; i < panel.marks.size(); ++i)
    if (const auto* text = std::get_if<TextMark>(&panel.marks[i].shape))
      if (regionOf(text->x, text->y) == region) return i;
  return std::nullopt;
}

// True if the mark is hit; closer than `best` where that can be said. `exactly`: a bar itself, not what is
// above and below it.
bool hitMark(FigureHit& hit, const FigurePanel& panel, const FigureMark& mark, const QPointF& at,
             const MarkCanvas& canvas, double& best, bool exactly) {
  Nearest nearest;
  const std::vector<double>* x = nullptr;
  const std::vector<double>* y = nullptr;
  if (const auto* line = std::get_if<LineMark>(&mark.shape)) {
    nearest = nearestOnLine(*line, at, canvas);
    x = &line->x;
    y = &line->y;
  } else if (const auto* points = std::get_if<PointsMark>(&mark.shape)) {
    nearest = nearestPoint(points->x, points->y, at, canvas);
    x = &points->x;
    y = &points->y;
  } else if (const auto* cells = std::get_if<CellsMark>(&mark.shape)) {
    return best == kReach && hitCells(hit, panel, mark, *cells, at, canvas);
  } else if (const auto* grid = std::get_if<GridMark>(&mark.shape)) {
    return best == kReach && hitGrid(hit, panel, mark, *grid, at, canvas);
  } else if (const auto* bars = std::get_if<BarsMark>(&mark.shape)) {
    for (std::size_t i = 0; i < bars->x.size() && best == kReach; ++i) {
      const double left = canvas.pixelX(bars->x[i] - bars->width / 2);
      const double right = canvas.pixelX(bars->x[i] + bars->width / 2);
      if (at.x() < std::min(left, right) || at.x() > std::max(left, right)) continue;
      const auto [top, bottom] = std::minmax({canvas.pixelY(bars->height[i]), canvas.pixelY(bars->base)});
      if (exactly && (at.y() < top || at.y() > bottom)) continue;
      hit.index = i;
      describePoint(hit, panel, mark, bars->x[i], bars->height[i]);
      hit.selection = partSelection(mark, mark.columnParts, i, hit.selection);
      return true;
    }
  } else if (best == kReach) {
    return hitArea(hit, mark, at, canvas);
  }
  if (!nearest.found || nearest.distance >= best) return false;
  best = nearest.distance;
  hit.index = nearest.index;
  describePoint(hit, panel, mark, (*x)[nearest.index], (*y)[nearest.index]);
  hit.selection = partSelection(mark, mark.columnParts, nearest.index, hit.selection);
  return true;
}

void eachText(const FigureSpec& spec, const std::function<void(const std::string&, Phrase::Text)>& visit) {
  for (const FigurePanel& panel : spec.panels) {
    visit(panel.title.english(), Phrase::tr("title"));
    visit(panel.x.label.english(), Phrase::tr("x label"));
    visit(panel.y.label.english(), Phrase::tr("y label"));
    for (const std::string& word : panel.x.categories) visit(word, Phrase::tr("x category"));
    for (const std::string& word : panel.y.categories) visit(word, Phrase::tr("y category"));
    for (const ColourBar& bar : panel.bars) visit(bar.label.english(), Phrase::tr("colour bar"));
    for (const FigureMark& mark : panel.marks)
      if (const auto* grid = std::get_if<GridMark>(&mark.shape))
        visit(grid->axis.english(), Phrase::tr("axis of values"));
    for (const std::size_t mark : legendNames(panel).marks)
      visit(panel.marks[mark].label.english(), Phrase::tr("legend"));
    for (const FigureMark& mark : panel.marks)
      if (const auto* text = std::get_if<TextMark>(&mark.shape))
        visit(text->text.english(), Phrase::tr("text"));
  }
}

}  // namespace

std::optional<std::size_t> FigureRenderer::panelAt(const QPointF& position) const {
  for (std::size_t i = 0; i < m_layout.panels.size(); ++i)
    if (m_layout.panels[i].area.contains(position)) return i;
  return std::nullopt;
}

// Names of a legend and at a vertical axis stand for what is drawn under them.
std::optional<FigureHit> FigureRenderer::nameAt(const QPointF& position) const {
  for (std::size_t p = 0; p < m_layout.panels.size(); ++p) {
    const PanelLayout& laid = m_layout.panels[p];
    const FigurePanel& panel = m_spec.panels[p];
    FigureHit hit;
    hit.panel = p;
    for (const LegendEntry& entry : laid.legend) {
      if (!entry.mark || panel.marks[*entry.mark].selection.empty()) continue;
      if (!entry.sample.united(entry.text.box()).contains(position)) continue;
      hit.mark = *entry.mark;
      hit.text = plainText(QString::fromStdString(panel.marks[*entry.mark].label.english()));
      hit.selection = QString::fromStdString(panel.marks[*entry.mark].selection);
      return hit;
    }
    const bool beside = position.x() >= laid.slot.left() && position.x() < laid.area.left() &&
                        position.y() >= laid.area.top() && position.y() <= laid.area.bottom();
    if (!beside || panel.y.categories.empty()) continue;
    const MarkCanvas view = canvas(p);
    for (std::size_t i = 0; i < panel.marks.size(); ++i) {
      const FigureMark& mark = panel.marks[i];
      if (!std::holds_alternative<PointsMark>(mark.shape)) continue;
      for (std::size_t row = 0; row < mark.rowParts.size() && row < panel.y.categories.size(); ++row) {
        const double y = static_cast<double>(row);
        const double end = view.pixel(0, y + 0.5).y(), begin = view.pixel(0, y - 0.5).y();
        if (position.y() < std::min(begin, end) || position.y() > std::max(begin, end)) continue;
        hit.mark = i;
        hit.text = plainText(QString::fromStdString(panel.y.categories[row]));
        hit.selection = partSelection(mark, mark.rowParts, row, QString::fromStdString(mark.selection));
        return hit;
      }
    }
  }
  return std::nullopt;
}

std::optional<FigureHit> FigureRenderer::hitAt(const QPointF& position) const {
  const std::optional<std::size_t> panel = panelAt(position);
  if (!panel) return std::nullopt;
  const MarkCanvas view = canvas(*panel);
  const FigurePanel& shown = m_spec.panels[*panel];
  FigureHit hit;
  hit.panel = *panel;
  bool found = false;
  double best = kReach;
  for (const bool exactly : {true, false}) {
    for (std::size_t i = shown.marks.size(); i-- > 0;) {  // what was drawn last lies on top
      const FigureMark& mark = shown.marks[i];
      const bool area =
          !std::holds_alternative<LineMark>(mark.shape) && !std::holds_alternative<PointsMark>(mark.shape);
      if (found && area && !hit.selection.isEmpty()) continue;
      if (!hitMark(hit, shown, mark, position, view, best, exactly)) continue;
      hit.mark = i;
      found = true;
    }
    if (found) return hit;
  }
  const QPointF value = valuesUnder(position, view);
  const auto number = numberOfRegion(shown, value.x(), value.y());
  if (!number) return std::nullopt;
  hit.mark = *number;
  hit.text = plainText(QString::fromStdString(std::get<TextMark>(shown.marks[*number].shape).text.english()));
  hit.selection = QString::fromStdString(shown.marks[*number].selection);
  return hit;
}

Status checkGlyphs(const FigureSpec& spec, const FigureStyle& style) {
  Status status;
  eachText(spec, [&](const std::string& text, Phrase::Text place) {
    if (!status.ok() || text.empty()) return;
    const TextLine line(QString::fromStdString(text), style.font(style.labelPoints));
    if (line.missing().isEmpty()) return;
    const char32_t code = line.missing().toUcs4().front();
    status = dataError(
        Phrase::tr("no font of style %1 has the character %2 (U+%3) of the %4 \"%5\"")(
            style.id.toStdString(), QString::fromUcs4(&code, 1).toStdString(),
            QString::number(code, 16).toUpper().rightJustified(4, u'0').toStdString(), place, text),
        Phrase::tr("change the text, or install a font with that character and use a style that names it"));
  });
  return status;
}

std::vector<Phrase> figureWarnings(const FigureSpec& spec) {
  std::vector<Phrase> warnings;
  for (const FigurePanel& panel : spec.panels) {
    for (const bool horizontal : {true, false}) {
      const std::size_t hidden = hiddenByLog(panel, horizontal);
      if (hidden == 0) continue;
      const Phrase::Text words =
          hidden == 1
              ? Phrase::tr("%1 value is not above 0 and cannot be shown on the logarithmic %2 axis")
              : Phrase::tr("%1 values are not above 0 and cannot be shown on the logarithmic %2 axis");
      warnings.push_back(words(hidden, Phrase::words(horizontal ? "x" : "y")));
    }
    const LegendNames names = legendNames(panel);
    if (names.rest > 0)
      warnings.push_back(Phrase::tr("the legend names the first %1 of %2; the numbers have all by name")(
          names.marks.size(), names.marks.size() + names.rest));
  }
  return warnings;
}

}  // namespace fathom
