// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/flow_layout.h"

namespace fathom {

FlowLayout::~FlowLayout() {
  qDeleteAll(m_items);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : m_items) size = size.expandedTo(item->minimumSize());
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

// Everything in one line.
QSize FlowLayout::sizeHint() const {
  int width = 0, height = 0, shown = 0;
  for (const QLayoutItem* item : m_items) {
    if (item->isEmpty()) continue;
    width += item->sizeHint().width() + (shown++ > 0 ? spacing() : 0);
    height = qMax(height, item->sizeHint().height());
  }
  const QMargins margins = contentsMargins();
  return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

void FlowLayout::setGeometry(const QRect& area) {
  QLayout::setGeometry(area);
  place(area, true);
}

int FlowLayout::place(const QRect& area, bool move) const {
  const QRect inner = area.marginsRemoved(contentsMargins());
  int y = inner.y();
  int lineHeight = 0;
  QList<QPair<QLayoutItem*, QRect>> line;
  const auto finishLine = [&] {
    for (const auto& [item, place] : line)
      if (move) item->setGeometry(place.translated(0, y + (lineHeight - place.height()) / 2));
    y += lineHeight;
    line.clear();
  };
  int x = inner.x();
  for (QLayoutItem* item : m_items) {
    if (item->isEmpty()) continue;
    QSize size = item->sizeHint().expandedTo(item->minimumSize());
    size.setWidth(qMin(size.width(), inner.width()));
    if (!line.isEmpty() && x + size.width() > inner.x() + inner.width()) {
      finishLine();
      y += spacing();
      x = inner.x();
      lineHeight = 0;
    }
    line.append({item, QRect(QPoint(x, 0), size)});
    x += size.width() + spacing();
    lineHeight = qMax(lineHeight, size.height());
  }
  finishLine();
  const QMargins margins = contentsMargins();
  return y - inner.y() + margins.top() + margins.bottom();
}

}  // namespace fathom
