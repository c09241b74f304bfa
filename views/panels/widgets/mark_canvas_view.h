// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_renderer.h"

namespace fathom {

// A figure that stands still: the mark or the name under the pointer shows its value, a click gives its
// selection.
class MarkCanvasView : public FigureRenderer {
  Q_OBJECT
 public:
  explicit MarkCanvasView(QWidget* parent = nullptr);

 Q_SIGNALS:
  void clicked(const QString& selection);

 protected:
  // Text of the tooltip for a hit.
  virtual QString hoverText(const FigureHit& hit) const { return hit.text; }
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  std::optional<FigureHit> under(const QPointF& position) const;
};

}  // namespace fathom
