// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/name_delegate.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QToolTip>
#include <utility>

#include "views/figure/distinct_text.h"
#include "views/look/theme.h"

namespace fathom {

namespace {

// Box, icon and margins before the name.
int roomOf(const QAbstractItemView* view, const QModelIndex& index) {
  int used = 3 * metrics::kGrid;
  if (index.flags() & Qt::ItemIsUserCheckable) used += metrics::kIcon + metrics::kMargin;
  if (!index.data(Qt::DecorationRole).isNull())
    used += qMax(view->iconSize().width(), metrics::kIcon) + metrics::kMargin;
  return qMax(view->viewport()->width() - used, 40);
}

// The name with as much of its first part as fits beside the others, three letters at least; null where there
// is no room for them.
QString withItsBeginning(const QString& name, qsizetype firstEnd,
                         const std::function<bool(const QString& text)>& fits) {
  constexpr qsizetype kLeast = 3;
  const QString rest = QStringLiteral("…") + name.mid(firstEnd);
  qsizetype least = kLeast, most = firstEnd - 1;
  if (most < least || !fits(name.left(least) + rest)) return {};
  while (least < most) {
    const qsizetype middle = (least + most + 1) / 2;
    if (fits(name.left(middle) + rest))
      least = middle;
    else
      most = middle - 1;
  }
  return name.left(least).trimmed() + rest;
}

// The parts of a name that fit: the first one shortened, else without as many of the first as that takes; the
// name itself where it has none.
QString shortened(const QString& name, const std::function<bool(const QString& text)>& fits) {
  const QString between = QStringLiteral(" · ");
  if (fits(name)) return name;
  const qsizetype first = name.indexOf(between);
  if (first < 0) return name;
  if (const QString whole = withItsBeginning(name, first, fits); !whole.isNull()) return whole;
  for (qsizetype at = first; at >= 0; at = name.indexOf(between, at + 1)) {
    const QString rest = QStringLiteral("… ") + name.mid(at + between.size());
    if (fits(rest)) return rest;
  }
  return name;
}

}  // namespace

NameDelegate::NameDelegate(QAbstractItemView* view) : QStyledItemDelegate(view), m_view(view) {
  view->viewport()->installEventFilter(this);
  const auto again = [this] { m_stale = true; };
  const QAbstractItemModel* model = view->model();
  connect(model, &QAbstractItemModel::dataChanged, this, again);
  connect(model, &QAbstractItemModel::rowsInserted, this, again);
  connect(model, &QAbstractItemModel::rowsRemoved, this, again);
  connect(model, &QAbstractItemModel::rowsMoved, this, again);
  connect(model, &QAbstractItemModel::modelReset, this, again);
}

QString NameDelegate::shown(const QModelIndex& index, const QFont& font) const {
  const int room = roomOf(m_view, index);
  if (std::exchange(m_stale, false) || room != m_room || font != m_font) {
    QStringList names;
    for (int row = 0; row < index.model()->rowCount(index.parent()); ++row)
      names.append(index.siblingAtRow(row).data().toString());
    m_room = room;
    m_font = font;
    const QFontMetrics measure(font);
    const auto line = [&](const QString& text) { return measure.horizontalAdvance(text) <= room; };
    m_shown = namesApart(names, [&](const QString& text) { return !inTwoLines(text, line).isNull(); });
    for (QString& text : m_shown)
      if (const QString lines = inTwoLines(text, line); !lines.isNull()) text = lines;
  }
  return m_shown.value(index.row());
}

void NameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->text = shown(index, option->font);
  option->textElideMode = Qt::ElideRight;
}

QSize NameDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool two = shown(index, option.font).contains(QChar(QChar::LineSeparator));
  const int line = QFontMetrics(option.font).lineSpacing();
  return {0, qMax(metrics::kTableRow, line + metrics::kMargin) + (two ? line : 0)};
}

bool NameDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
  if (event->type() != QEvent::ToolTip || !index.data(Qt::ToolTipRole).toString().isEmpty())
    return QStyledItemDelegate::helpEvent(event, view, option, index);
  QToolTip::showText(event->globalPos(), index.data().toString(), view);
  return true;
}

// Another width, other lines.
bool NameDelegate::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize && m_view->model() != nullptr && m_view->model()->rowCount() > 0)
    Q_EMIT sizeHintChanged(m_view->model()->index(0, 0));
  return QStyledItemDelegate::eventFilter(object, event);
}

QStringList namesInRoom(const QStringList& names, const QFont& font, int width) {
  const QFontMetrics measure(font);
  const auto fits = [&](const QString& text) { return measure.horizontalAdvance(text) <= width; };
  // "schemes · Post-LN · seed 1": what tells such names apart stands behind their beginning.
  QStringList shorter;
  for (const QString& name : names) shorter.append(shortened(name, fits));
  QStringList left = names;
  for (qsizetype i = 0; i < names.size(); ++i)
    if (shorter.count(shorter[i]) == names.count(names[i])) left[i] = shorter[i];
  return namesApart(left, fits);
}

}  // namespace fathom
