// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace fathom {

// Parts below each other, some of which wrap, inside a splitter: those ask nobody how high a part is at its
// width, and would lay wrapped lines over what stands below. It is never lower than its layout needs at the
// width that it has.
class WrappingPane : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace fathom
