// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/base/errors/result.h"
#include "views/figure/figure_layout.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"
#include "views/figure/qcustomplot_header.h"

namespace fathom {

// The mark under a point of the page.
struct FigureHit {
  std::size_t panel = 0, mark = 0, index = 0;
  double x = 0, y = 0;  // values of the point, or column and row of the cell
  QString text;         // "name: x 1200, y 3.41"
  QString selection;    // selection string of the mark or cell, may be empty
};

// The one renderer: draws a FigureSpec through QCustomPlot on screen, and the same way onto any painter for
// export. GUI thread only. Axes of QCustomPlot are in units of AxisMap, so dragging and zooming work on every
// scale.
class FigureRenderer : public QCustomPlot {
 public:
  explicit FigureRenderer(QWidget* parent = nullptr);
  ~FigureRenderer() override;

  // Replaces the figure; the view goes back to its full ranges. The page is as large as the widget.
  Status setFigure(const FigureSpec& spec, const FigureStyle& style);
  // Replaces marks and labels but keeps ranges and axes: live data. The panels must be as many as before.
  void setMarks(FigureSpec spec);
  // True if setMarks is enough for `spec`: the same panels in the same places with the same scales.
  bool sameAxes(const FigureSpec& spec) const;
  const FigureSpec& spec() const { return m_spec; }
  const FigureStyle& style() const { return m_style; }

  std::size_t panelCount() const { return m_spec.panels.size(); }
  PanelRanges ranges(std::size_t panel) const;
  void setRanges(std::size_t panel, const PanelRanges& ranges);
  // Full ranges of the data.
  PanelRanges dataRanges(std::size_t panel) const;
  const FigureLayout& layout() const { return m_layout; }
  // All texts with their places at the current size.
  std::vector<PlacedText> texts() const;

  // Paints on a device for export, `size` in units of 96 per inch.
  struct Medium {
    bool vector = false;    // PDF and SVG
    bool outlines = false;  // texts as paths
    double scale = 1;       // device pixels per unit
  };
  // False where the device cannot be painted on.
  bool paintTo(QPaintDevice& device, const QSize& size, const Medium& medium);
  std::optional<FigureHit> hitAt(const QPointF& position) const;
  // A name of a legend, or at a vertical axis, that stands for something.
  std::optional<FigureHit> nameAt(const QPointF& position) const;
  // The panel whose plot area holds the point.
  std::optional<std::size_t> panelAt(const QPointF& position) const;

  // Canvas that a panel is painted on; used by the layerables.
  MarkCanvas canvas(std::size_t panel) const;
  void drawDecoration(QPainter& painter, std::size_t panel) const;

 protected:
  void updateLayout() override;

 private:
  struct Panel {
    QCPAxisRect* rect = nullptr;
    PanelRanges full;
  };
  void buildPanels();
  void stylePanel(std::size_t index);
  void addMarks();
  FigureSpec m_spec;
  FigureStyle m_style;
  std::vector<Panel> m_panels;
  QCPLayoutInset* m_inset = nullptr;
  FigureLayout m_layout;
  std::optional<Medium> m_medium;  // while painting for export
};

// Texts of the figure with a character that no font of the style has: an error naming text and character.
Status checkGlyphs(const FigureSpec& spec, const FigureStyle& style);
// Notes for the reader about things that are not drawn: values a logarithmic axis cannot show, names that a
// legend has no room for.
std::vector<Phrase> figureWarnings(const FigureSpec& spec);

}  // namespace fathom
