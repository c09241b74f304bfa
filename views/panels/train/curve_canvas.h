// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <optional>

#include "core/base/numbers/not_a_number.h"
#include "views/figure/figure_renderer.h"
#include "views/panels/train/curve_readings.h"

namespace fathom {

// The drawing area of the curves: mouse and keyboard become signals in units of the axes; a crosshair lies on
// top and is repainted alone. Who owns it decides what the signals do.
class CurveCanvas : public FigureRenderer {
  Q_OBJECT

 public:
  explicit CurveCanvas(QWidget* parent = nullptr);
  // The crosshair at a position along x (units) in all panels, with values beside it; no position hides it.
  void showCrosshair(std::optional<double> unitX, std::size_t panel, CurveReadings readings);
  // What is read at it.
  const CurveReadings& readings() const { return m_readings; }
  // Does Esc mean something? Else it goes on to whoever holds the canvas.
  void setEscapes(bool escapes) { m_escapes = escapes; }
  void drawOverlay(QPainter& painter) const;
  // The pointer's position along x in units, and its panel; none outside.
  std::optional<double> unitAt(const QPointF& position, std::size_t& panel) const;

 Q_SIGNALS:
  // `unitY`: along the values, not a number where it is not known.
  void hovered(double unitX, int panel, double unitY = kNaN);
  void left();
  void panned(double unitsX, double unitsY, int panel);  // by how much the ranges move
  void zoomed(double factor, double centreX, double centreY, bool vertical, int panel);
  void rangeChosen(double lowX, double highX);                      // Shift and drag
  void regionChosen(const fathom::PanelRanges& region, int panel);  // Ctrl and drag
  void panelMoved(int from, int to);                                // a title was dragged to another panel
  void enlargeAsked(int panel);  // a small panel, or its title, was clicked
  void backAsked();              // Esc
  void clicked(const QString& selection, bool additive);
  void resetAsked();
  void stepped(int direction);  // up and down keys: the next curve
  void chosen(bool additive);   // Enter; Ctrl and Enter

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  enum class Drag { Pan, Stretch, Region };
  // The small panel whose title is at a position.
  std::optional<std::size_t> titleAt(const QPointF& position) const;
  std::optional<std::size_t> dropPanel() const;
  // Area that is being dragged over, in pixels; a stretch has the height of the panel.
  QRectF draggedArea() const;
  void finishDrag();
  void refreshOverlay();
  std::optional<double> m_unitX;
  std::size_t m_readPanel = 0;
  CurveReadings m_readings;
  bool m_escapes = false;
  std::optional<std::size_t> m_grabbed;  // the panel whose title is held
  std::optional<QPointF> m_pressed;
  QPointF m_last;
  std::size_t m_panel = 0;
  Drag m_drag = Drag::Pan;
  bool m_moved = false;
};

}  // namespace fathom
