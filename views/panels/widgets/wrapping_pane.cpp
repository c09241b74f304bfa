// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/wrapping_pane.h"

#include <QLayout>
#include <QResizeEvent>

namespace fathom {

QSize WrappingPane::minimumSizeHint() const {
  QSize least = QWidget::minimumSizeHint();
  if (layout() != nullptr && layout()->hasHeightForWidth())
    least.setHeight(qMax(least.height(), layout()->totalMinimumHeightForWidth(width())));
  return least;
}

void WrappingPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

}  // namespace fathom
