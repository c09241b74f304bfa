// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/analysis_canvas.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr double kPointReach = 6;
constexpr Dimension kPlaces[] = {Dimension::Stack,    Dimension::AttentionKind, Dimension::Layer,
                                 Dimension::Sublayer, Dimension::Head,          Dimension::QueryToken,
                                 Dimension::KeyToken};

QString joined(const std::string& base, const std::string& row, const std::string& column) {
  std::string text = base;
  for (const std::string* part : {&row, &column}) {
    if (part->empty()) continue;
    if (!text.empty()) text += '/';
    text += *part;
  }
  return QString::fromStdString(text);
}

std::string partAt(const std::vector<std::string>& parts, int index) {
  return static_cast<std::size_t>(index) < parts.size() ? parts[static_cast<std::size_t>(index)]
                                                        : std::string();
}

QRectF cellBox(const MarkCanvas& canvas, int row, int column) {
  return QRectF(canvas.pixel(column - 0.5, row - 0.5), canvas.pixel(column + 0.5, row + 0.5)).normalized();
}

}  // namespace

AnalysisCanvas::AnalysisCanvas(QWidget* parent) : MarkCanvasView(parent) {
  setFocusPolicy(Qt::StrongFocus);
}

void AnalysisCanvas::showSelection(const Selection& selection) {
  m_selection = selection;
  update();
}

// Chosen: nothing that both name differs, and both name a layer, a sub-layer, a head or a token.
AnalysisCanvas::Meeting AnalysisCanvas::meets(const QString& text) const {
  const auto place = Selection::fromText(text);
  if (!place.ok()) return Meeting::Nothing;
  bool common = false;
  for (const Dimension dimension : kPlaces) {
    const QString item = place->current(dimension);
    const QStringList& chosen = m_selection.of(dimension).items;
    if (item.isEmpty() || chosen.isEmpty()) continue;
    if (!chosen.contains(item)) return Meeting::Other;
    common = common || (dimension != Dimension::Stack && dimension != Dimension::AttentionKind);
  }
  return common ? Meeting::Chosen : Meeting::Nothing;
}

// Maps have a place per cell where columns have selections too, else one per row.
void AnalysisCanvas::eachPlace(bool withCells, const std::function<bool(const Place&)>& use) const {
  for (std::size_t panel = 0; panel < panelCount(); ++panel) {
    const MarkCanvas view = canvas(panel);
    for (const FigureMark& mark : spec().panels[panel].marks) {
      if (const auto* grid = std::get_if<GridMark>(&mark.shape)) {
        for (const GridCell& cell : grid->cells) {
          const std::string& text = cell.selection.empty() ? mark.selection : cell.selection;
          if (!text.empty() && !use({panel, cell.row, cell.column, QString::fromStdString(text),
                                     cellBox(view, cell.row, cell.column)}))
            return;
        }
      } else if (const auto* cells = std::get_if<CellsMark>(&mark.shape)) {
        if (!withCells || (mark.rowParts.empty() && mark.columnParts.empty())) continue;
        const int rows = mark.rowParts.empty() ? 1 : cells->rows;
        const int columns = mark.columnParts.empty() ? 1 : cells->columns;
        for (int row = 0; row < rows; ++row) {
          for (int column = 0; column < columns; ++column) {
            const bool one = rows == cells->rows && columns == cells->columns;
            if (one && !cells->has(static_cast<std::size_t>(row * columns + column))) continue;
            QRectF box = cellBox(view, row, column);
            if (columns < cells->columns) box.setLeft(view.area.left()), box.setRight(view.area.right());
            if (rows < cells->rows) box.setTop(view.area.top()), box.setBottom(view.area.bottom());
            if (!use({panel, row, column,
                      joined(mark.selection, partAt(mark.rowParts, row), partAt(mark.columnParts, column)),
                      box}))
              return;
          }
        }
      } else if (const auto* line = std::get_if<LineMark>(&mark.shape)) {
        for (std::size_t i = 0; i < mark.columnParts.size() && i < line->x.size(); ++i) {
          if (!std::isfinite(view.y.toUnit(line->y[i]))) continue;
          const QPointF at = view.pixel(line->x[i], line->y[i]);
          const QPointF reach(kPointReach, kPointReach);
          if (!use({panel, 0, static_cast<int>(i), joined(mark.selection, mark.columnParts[i], {}),
                    QRectF(at - reach, at + reach)}))
            return;
        }
      }
    }
  }
}

QVector<QRectF> AnalysisCanvas::outlines() const {
  QVector<QRectF> boxes;
  const bool named = std::any_of(std::begin(kPlaces), std::end(kPlaces), [this](Dimension dimension) {
    return !m_selection.of(dimension).items.isEmpty();
  });
  if (!named) return boxes;
  for (std::size_t panel = 0; panel < panelCount(); ++panel)
    for (const FigureMark& mark : spec().panels[panel].marks)
      if (std::holds_alternative<CellsMark>(mark.shape)) outlineCells(mark, canvas(panel), &boxes);
  eachPlace(false, [&](const Place& place) {
    if (meets(place.selection) == Meeting::Chosen) boxes.append(place.box);
    return true;
  });
  return boxes;
}

// Rows and columns are judged one by one: a map of 512 x 512 has a quarter of a million cells.
void AnalysisCanvas::outlineCells(const FigureMark& mark, const MarkCanvas& view,
                                  QVector<QRectF>* boxes) const {
  if (meets(QString::fromStdString(mark.selection)) == Meeting::Other) return;
  const auto chosen = [this](const std::vector<std::string>& parts) {
    QVector<int> list;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (meets(QString::fromStdString(parts[i])) == Meeting::Chosen) list.append(int(i));
    return list;
  };
  const QVector<int> rows = chosen(mark.rowParts), columns = chosen(mark.columnParts);
  const auto named = [this](const std::vector<std::string>& parts) {
    return std::any_of(parts.begin(), parts.end(), [this](const std::string& part) {
      return meets(QString::fromStdString(part)) != Meeting::Nothing;
    });
  };
  // The selection lies outside this map.
  if ((rows.isEmpty() && named(mark.rowParts)) || (columns.isEmpty() && named(mark.columnParts))) return;
  const auto across = [&](QRectF box) {
    box.setLeft(view.area.left());
    box.setRight(view.area.right());
    return box;
  };
  const auto along = [&](QRectF box) {
    box.setTop(view.area.top());
    box.setBottom(view.area.bottom());
    return box;
  };
  if (columns.isEmpty())
    for (const int row : rows) boxes->append(across(cellBox(view, row, 0)));
  if (rows.isEmpty())
    for (const int column : columns) boxes->append(along(cellBox(view, 0, column)));
  for (const int row : rows)
    for (const int column : columns) boxes->append(cellBox(view, row, column));
}

std::optional<QPointF> AnalysisCanvas::placeOf(const QString& selection) const {
  std::optional<QPointF> found;
  eachPlace(true, [&](const Place& place) {
    if (place.selection == selection) found = place.box.center();
    return !found;
  });
  return found;
}

bool AnalysisCanvas::canBeSelected() const {
  bool any = false;
  eachPlace(true, [&](const Place&) {
    any = true;
    return false;
  });
  return any;
}

QString AnalysisCanvas::hoverText(const FigureHit& hit) const {
  QString text = hit.text;
  const auto place = Selection::fromText(hit.selection);
  if (!place.ok()) return text;
  const QString layer = place->current(Dimension::Layer), head = place->current(Dimension::Head);
  // Heads sorted by their median: the column is not the head.
  if (!layer.isEmpty() && !head.isEmpty() && text.contains(u':'))
    text =
        tr("layer %1, head %2").arg(layer.toInt() + 1).arg(head.toInt() + 1) + text.mid(text.indexOf(u':'));
  const QString run = m_runNames.value(place->current(Dimension::Run));
  return run.isEmpty() || text.startsWith(run) ? text : run + QStringLiteral(" · ") + text;
}

void AnalysisCanvas::paintEvent(QPaintEvent* event) {
  MarkCanvasView::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& theme = Theme::of(palette());
  for (const QRectF& box : outlines()) {
    painter.setPen(QPen(theme.panel, 4));
    painter.drawRect(box);
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(box);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(theme.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

std::optional<AnalysisCanvas::Place> AnalysisCanvas::current() const {
  std::optional<Place> found, chosen;
  eachPlace(true, [&](const Place& place) {
    if (place.selection == m_last) found = place;
    if (!chosen && meets(place.selection) == Meeting::Chosen) chosen = place;
    return !found;
  });
  return found ? found : chosen;
}

// The nearest place in a direction; panels lie beside each other, so the way leads from one into the next.
std::optional<AnalysisCanvas::Place> AnalysisCanvas::beside(const Place& place, int down, int right) const {
  std::optional<Place> best;
  double nearest = 0;
  const QPointF from = place.box.center();
  eachPlace(true, [&](const Place& each) {
    const QPointF way = each.box.center() - from;
    const double along = way.x() * right + way.y() * down,
                 across = std::abs(way.x() * down + way.y() * right);
    if (along <= 1 || across > 4 * along) return true;
    const double distance = along + 3 * across;
    if (best && distance >= nearest) return true;
    best = each;
    nearest = distance;
    return true;
  });
  return best;
}

void AnalysisCanvas::keyPressEvent(QKeyEvent* event) {
  int down = 0, right = 0;
  if (event->key() == Qt::Key_Down) down = 1;
  if (event->key() == Qt::Key_Up) down = -1;
  if (event->key() == Qt::Key_Right) right = 1;
  if (event->key() == Qt::Key_Left) right = -1;
  if ((down == 0 && right == 0) || event->modifiers() != Qt::NoModifier)
    return MarkCanvasView::keyPressEvent(event);
  std::optional<Place> next = current();
  if (next) {
    const auto found = beside(*next, down, right);
    if (found) next = found;
  } else {
    eachPlace(true, [&](const Place& place) {
      next = place;
      return false;
    });
  }
  event->accept();
  if (!next) return;
  m_last = next->selection;
  Q_EMIT clicked(m_last);
}

}  // namespace fathom
