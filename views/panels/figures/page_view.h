// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <memory>

#include "views/figure/figure_checks.h"
#include "views/figure/figure_page.h"

namespace fathom {

// A page of figures as it will be printed, with rulers in millimetres: drawn once by the renderer that
// exports it and kept as a picture, so scrolling and selecting cost nothing. The pointer reads values; a
// click selects a figure, Return or a double click asks to edit it.
class PageView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit PageView(QWidget* parent = nullptr);
  ~PageView() override;

  // Draws the page. An error leaves what was there.
  Status setPage(const ComposedPage& page, const FigureStyle& style);
  void clearPage();
  bool hasPage() const { return m_renderer != nullptr; }
  // Grays as a print without colour has them.
  void setGray(bool gray);
  bool gray() const { return m_gray; }
  // 1 = print size; 0 = as large as fits.
  void setZoom(double zoom);
  double zoom() const { return m_zoom; }
  double shownZoom() const;
  void setSelectedFigure(int figure);
  int selectedFigure() const { return m_selected; }
  FigureSize pageSize() const { return m_size; }
  const FigureChecks& checks() const { return m_checks; }
  // The page at `scale` device pixels per 1/96 inch, without rulers.
  QImage picture(double scale) const;
  // Box of a figure in the viewport; empty for none.
  QRectF figureBox(int figure) const;
  // The figure at a point of the viewport; -1: none.
  int figureAt(const QPointF& position) const;
  // The page and its parts as they were laid out, in units of the page, and its place in the viewport.
  const ComposedPage& composed() const { return m_page; }
  const FigureLayout& pageLayout() const { return m_layout; }
  QRectF paper() const;
  QPointF toPage(const QPointF& position) const;
  QRectF fromPage(const QRectF& box) const;

 Q_SIGNALS:
  void figureClicked(int figure);  // -1: beside all of them
  void figureActivated(int figure);
  void zoomChanged(double zoom);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  Status draw();
  void place();
  void drawRulers(QPainter& painter) const;
  void stepFigure(int step);
  std::unique_ptr<FigureRenderer> m_renderer;
  ComposedPage m_page;
  FigureStyle m_style;
  FigureSize m_size;
  FigureChecks m_checks;
  FigureLayout m_layout;
  mutable QPixmap m_picture;
  mutable double m_pictureScale = 0;
  double m_zoom = 1;
  bool m_gray = false;
  int m_selected = -1;
};

}  // namespace fathom
