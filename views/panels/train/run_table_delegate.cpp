// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/run_table_delegate.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "views/look/icons.h"
#include "views/look/run_swatch.h"
#include "views/look/theme.h"
#include "views/panels/widgets/name_delegate.h"
#include "views/tables/run_fold_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

RunState stateOf(const QModelIndex& index) {
  return static_cast<RunState>(index.data(RunTableModel::StateRole).toInt());
}

qreal pixelRatio(const QPainter* painter) {
  return painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1;
}

void drawIcon(QPainter* painter, const QString& name, const QColor& colour, const QRect& area) {
  const QPixmap pixmap = iconPixmap(name, colour, metrics::kIcon, pixelRatio(painter));
  painter->drawPixmap(area.x(), area.y() + (area.height() - metrics::kIcon) / 2, pixmap);
}

QRect iconOf(const QRect& cell) {
  return {cell.center().x() - metrics::kIcon / 2, cell.y(), metrics::kIcon, cell.height()};
}

QRect swatchOf(const QRect& cell) {
  return {cell.left() + metrics::kGrid, cell.top(), kSwatchWidth, cell.height()};
}

// Room before the swatch: of a group for its arrow, of its runs for as much.
int nameIndent(const QModelIndex& index) {
  const bool inGroup =
      index.data(RunFoldModel::GroupRole).toInt() != 0 || index.data(RunFoldModel::MemberRole).toBool();
  return inGroup ? metrics::kIcon : 0;
}

QRect nameOf(const QRect& cell) {
  QRect area = cell.adjusted(0, 0, -metrics::kGrid, 0);
  area.setLeft(swatchOf(cell).right() + 1 + metrics::kMargin);
  return area;
}

QRect stateWordOf(const QRect& cell) {
  return cell.adjusted(2 * metrics::kGrid + metrics::kIcon, 0, -metrics::kGrid, 0);
}

// Fewer letters say nothing.
bool hasRoomForWord(const QRect& area, const QFontMetrics& text) {
  return area.width() > text.averageCharWidth() * 5;
}

// Points to the right, or down to the rows that it has opened.
void drawArrow(QPainter* painter, const QRect& area, bool open, const QColor& colour) {
  constexpr double kLong = 4.5, kShort = 2.5;
  const QPointF middle = QRectF(area).center();
  const QPointF along = open ? QPointF(kLong, 0) : QPointF(0, kLong);
  const QPointF ahead = open ? QPointF(0, kShort) : QPointF(kShort, 0);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter->setBrush(Qt::NoBrush);
  painter->drawPolyline(QPolygonF({middle - along - ahead, middle + ahead, middle + along - ahead}));
  painter->setPen(colour);
}

void drawProgress(QPainter* painter, const Theme& theme, const QRect& cell, const QModelIndex& index) {
  const double fraction = index.data(RunTableModel::FractionRole).toDouble();
  const bool live = isLive(stateOf(index));
  if (fraction < 0 || (!live && fraction >= 1)) return;
  const QRectF groove(cell.left() + metrics::kGrid, cell.bottom() - 3, cell.width() - 2 * metrics::kGrid, 2);
  painter->fillRect(groove, theme.separator);
  painter->fillRect(QRectF(groove.left(), groove.top(), groove.width() * fraction, groove.height()),
                    live ? theme.running : theme.secondary);
}

// The end of a path tells more than its beginning.
void drawSource(QPainter* painter, const Theme& theme, const QStyleOptionViewItem& option,
                const QModelIndex& index) {
  const QString mark = index.data(RunTableModel::SourceRole).toString();
  const QRect area = stateWordOf(option.rect);
  if (!mark.isEmpty())
    drawIcon(painter, mark, isLive(stateOf(index)) ? theme.running : theme.secondary,
             option.rect.adjusted(metrics::kGrid, 0, 0, 0));
  painter->drawText(area, int(Qt::AlignLeft | Qt::AlignVCenter),
                    option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, area.width()));
}

}  // namespace

QSize RunTableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  size.setHeight(qMax(size.height(), metrics::kTableRow));
  if (index.column() == RunTableModel::State || index.column() == RunTableModel::Name)
    size.rwidth() += metrics::kIcon + metrics::kGrid;
  return size;
}

// No two runs in view read the same.
QString RunTableDelegate::cutName(const QStyleOptionViewItem& option, const QModelIndex& index,
                                  int width) const {
  const QString whole = index.data().toString();
  if (option.fontMetrics.horizontalAdvance(whole) <= width) return whole;
  QStringList names = {whole};
  if (const auto* view = qobject_cast<const QAbstractItemView*>(option.widget)) {
    const QModelIndex first = view->indexAt({1, 1});
    const QModelIndex last = view->indexAt({1, view->viewport()->height() - 1});
    const int end = last.isValid() ? last.row() : index.model()->rowCount() - 1;
    names.clear();
    for (int row = first.isValid() ? first.row() : index.row(); row <= end; ++row)
      names.append(index.siblingAtRow(row).data().toString());
    if (!names.contains(whole)) names.append(whole);
  }
  if (names != m_names || width != m_width || option.font != m_font) {
    m_names = names;
    m_width = width;
    m_font = option.font;
    m_cut = namesInRoom(names, option.font, width);
  }
  return m_cut.value(static_cast<int>(names.indexOf(whole)), whole);
}

QString RunTableDelegate::shownName(const QAbstractItemView* view, const QModelIndex& index) const {
  QStyleOptionViewItem option;
  option.initFrom(view);
  option.widget = view;
  initStyleOption(&option, index);
  const QRect cell = view->visualRect(index).adjusted(nameIndent(index), 0, 0, 0);
  return cutName(option, index, nameOf(cell).width());
}

QRect RunTableDelegate::arrowOf(const QRect& cell) {
  return {cell.left(), cell.top(), metrics::kIcon + metrics::kGrid, cell.height()};
}

QString RunTableDelegate::shownState(const QAbstractItemView* view, const QModelIndex& index) {
  const QRect area = stateWordOf(view->visualRect(index));
  if (!hasRoomForWord(area, view->fontMetrics())) return QLatin1String("");
  return view->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, area.width());
}

void RunTableDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index, const QRect& area) const {
  const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
  QString text = index.data().toString();
  if (index.column() == RunTableModel::Name) {
    text = cutName(option, index, area.width());
  } else {
    text = option.fontMetrics.elidedText(text, Qt::ElideRight, area.width());
  }
  painter->drawText(area, static_cast<int>(alignment), text);
}

void RunTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  item.text.clear();
  const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &item, painter, option.widget);
  const Theme& theme = Theme::of(option.palette);
  QRect area = option.rect.adjusted(metrics::kGrid, 0, -metrics::kGrid, 0);
  painter->save();
  painter->setFont(item.font);
  painter->setPen(theme.text);
  switch (index.column()) {
    case RunTableModel::Eye: {
      const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
      if (view != nullptr && view->currentIndex().row() == index.row())
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), theme.accent);
      const bool open = index.data(RunTableModel::EyeRole).toBool();
      drawIcon(painter, open ? QStringLiteral("eye") : QStringLiteral("eye-closed"),
               open ? theme.text : theme.secondary, iconOf(option.rect));
      break;
    }
    case RunTableModel::Star: {
      const bool on = index.data(RunTableModel::StarRole).toBool();
      drawIcon(painter, on ? QStringLiteral("star-filled") : QStringLiteral("star"),
               on ? theme.accent : theme.secondary, iconOf(option.rect));
      break;
    }
    case RunTableModel::Name: {
      const int number = index.data(RunTableModel::ColourRole).toInt();
      const int group = index.data(RunFoldModel::GroupRole).toInt();
      if (group > 0) drawArrow(painter, arrowOf(option.rect), group == 2, theme.text);
      const QRect cell = option.rect.adjusted(nameIndent(index), 0, 0, 0);
      drawSwatch(*painter, swatchOf(cell), number, theme.run(number));
      paintText(painter, item, index, nameOf(cell));
      break;
    }
    case RunTableModel::State: {
      const RunStateLook look = runStateLook(stateOf(index), index.data(RunTableModel::CauseRole).toString());
      drawIcon(painter, look.icon, theme.state(look.colour), area);
      area = stateWordOf(option.rect);
      // Its word where somebody gave it the room.
      if (hasRoomForWord(area, option.fontMetrics)) paintText(painter, item, index, area);
      break;
    }
    case RunTableModel::Source:
      drawSource(painter, theme, option, index);
      break;
    case RunTableModel::Progress:
      paintText(painter, item, index, area);
      drawProgress(painter, theme, option.rect, index);
      break;
    default:
      paintText(painter, item, index, area);
      break;
  }
  painter->restore();
}

bool RunTableDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                   const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (index.column() == RunTableModel::Star) {
    const bool clicked = event->type() == QEvent::MouseButtonRelease &&
                         static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    const bool pressed =
        event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
    if (clicked || pressed)
      return model->setData(index, !index.data(RunTableModel::StarRole).toBool(), RunTableModel::StarRole);
  }
  return QStyledItemDelegate::editorEvent(event, model, option, index);
}

}  // namespace fathom
