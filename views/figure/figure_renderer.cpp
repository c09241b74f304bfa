// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_renderer.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "views/figure/figure_colours.h"
#include "views/figure/tick_layout.h"

namespace fathom {

namespace {

// One mark of the figure. Hit tests are the renderer's.
class MarkItem : public QCPAbstractPlottable {
 public:
  MarkItem(FigureRenderer& renderer, std::size_t panel, std::size_t mark, QCPAxis* x, QCPAxis* y)
      : QCPAbstractPlottable(x, y), m_renderer(renderer), m_panel(panel), m_mark(mark) {
    setSelectable(QCP::stNone);
  }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain) const override { return found = false, QCPRange(); }
  QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
    return found = false, QCPRange();
  }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter*) const override {}
  // QCustomPlot clips a unit too high: what is drawn says itself where it ends.
  QRect clipRect() const override { return m_renderer.viewport().adjusted(-1, -1, 1, 1); }
  void draw(QCPPainter* painter) override {
    const std::vector<FigureMark>& marks = m_renderer.spec().panels[m_panel].marks;
    if (m_mark < marks.size()) paintMark(*painter, marks[m_mark], m_renderer.canvas(m_panel));
  }
  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

 private:
  FigureRenderer& m_renderer;
  std::size_t m_panel, m_mark;
};

// Rules or axes of a panel, where the layout has its area: those of QCustomPlot lie at whole units below it.
class FrameItem : public QCPLayerable {
 public:
  FrameItem(FigureRenderer& renderer, std::size_t panel, bool rules)
      : QCPLayerable(&renderer, rules ? QStringLiteral("grid") : QStringLiteral("axes")),
        m_renderer(renderer),
        m_panel(panel),
        m_rules(rules) {}

 protected:
  void applyDefaultAntialiasingHint(QCPPainter*) const override {}
  void draw(QCPPainter* painter) override {
    if (m_panel >= m_renderer.layout().panels.size()) return;
    const FigureStyle& style = m_renderer.style();
    const FrameLines frame = frameLines(m_renderer.spec().panels[m_panel], style,
                                        m_renderer.layout().panels[m_panel].area, m_renderer.ranges(m_panel));
    QColor colour = m_rules ? style.separator : style.text;
    if (m_rules) colour.setAlphaF(0.6F);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(colour, unitsOf(style.axisPoints)));
    const std::vector<QLineF>& lines = m_rules ? frame.rules : frame.axes;
    static_cast<QPainter*>(painter)->drawLines(lines.data(), static_cast<int>(lines.size()));
  }

 private:
  FigureRenderer& m_renderer;
  std::size_t m_panel;
  bool m_rules;
};

// Everything of a panel that is text, and legend and colour bar.
class DecorationItem : public QCPLayerable {
 public:
  DecorationItem(FigureRenderer& renderer, std::size_t panel)
      : QCPLayerable(&renderer, QStringLiteral("legend")), m_renderer(renderer), m_panel(panel) {}

 protected:
  void applyDefaultAntialiasingHint(QCPPainter*) const override {}
  void draw(QCPPainter* painter) override { m_renderer.drawDecoration(*painter, m_panel); }

 private:
  FigureRenderer& m_renderer;
  std::size_t m_panel;
};

QCPRange toQcp(const AxisRange& range) {
  return QCPRange(range.low, range.high);
}
AxisRange fromQcp(const QCPRange& range) {
  return {range.lower, range.upper};
}

}  // namespace

FigureRenderer::FigureRenderer(QWidget* parent) : QCustomPlot(parent) {
  setAutoAddPlottableToLegend(false);
  setNoAntialiasingOnDrag(false);
  setPlottingHints(QCP::phCacheLabels);
  plotLayout()->clear();
}

FigureRenderer::~FigureRenderer() = default;

namespace {

// Lines whose colours are numbers (layers, what a person chose) were made for paper.
FigureSpec shownOn(const FigureStyle& style, FigureSpec spec) {
  if (!style.dark) return spec;
  for (FigurePanel& panel : spec.panels) {
    for (FigureMark& mark : panel.marks) {
      std::string& colour = mark.style.colour;
      if (std::holds_alternative<LineMark>(mark.shape) && colour.rfind('#', 0) == 0)
        colour = standingOut(QColor(QString::fromStdString(colour)), /*dark=*/true).name().toStdString();
    }
  }
  return spec;
}

}  // namespace

Status FigureRenderer::setFigure(const FigureSpec& spec, const FigureStyle& style) {
  FATHOM_CHECK(checkFigure(spec));
  m_style = style;
  m_spec = shownOn(style, spec);
  m_layout = {};
  setBackground(QBrush(style.background));
  buildPanels();
  addMarks();
  return {};
}

void FigureRenderer::setMarks(FigureSpec spec) {
  std::vector<std::size_t> before;
  for (const FigurePanel& panel : m_spec.panels) before.push_back(panel.marks.size());
  m_spec = shownOn(m_style, std::move(spec));
  std::vector<std::size_t> after;
  for (const FigurePanel& panel : m_spec.panels) after.push_back(panel.marks.size());
  for (std::size_t i = 0; i < m_panels.size() && i < m_spec.panels.size(); ++i)
    m_panels[i].full = {panelRange(m_spec.panels[i], true), panelRange(m_spec.panels[i], false)};
  if (before == after) return;
  clearPlottables();
  addMarks();
}

bool FigureRenderer::sameAxes(const FigureSpec& spec) const {
  const auto same = [](const FigurePanel& a, const FigurePanel& b) {
    return a.row == b.row && a.column == b.column && a.rowSpan == b.rowSpan && a.columnSpan == b.columnSpan &&
           a.x.scale == b.x.scale && a.y.scale == b.y.scale && a.x.reversed == b.x.reversed &&
           a.y.reversed == b.y.reversed && a.x.grid == b.x.grid && a.y.grid == b.y.grid;
  };
  return std::equal(m_spec.panels.begin(), m_spec.panels.end(), spec.panels.begin(), spec.panels.end(), same);
}

void FigureRenderer::buildPanels() {
  clearPlottables();
  plotLayout()->clear();
  m_panels.clear();
  m_inset = new QCPLayoutInset;
  plotLayout()->setMargins(QMargins(0, 0, 0, 0));
  plotLayout()->addElement(0, 0, m_inset);
  m_inset->setMargins(QMargins(0, 0, 0, 0));
  for (std::size_t i = 0; i < m_spec.panels.size(); ++i) {
    Panel panel;
    panel.rect = new QCPAxisRect(this, true);
    panel.rect->setAutoMargins(QCP::msNone);
    panel.rect->setMargins(QMargins(0, 0, 0, 0));
    panel.rect->setMinimumMargins(QMargins(0, 0, 0, 0));
    panel.rect->setMinimumSize(1, 1);
    m_inset->addElement(panel.rect, QRectF(0, 0, 1, 1));
    panel.full = {panelRange(m_spec.panels[i], true), panelRange(m_spec.panels[i], false)};
    m_panels.push_back(panel);
    stylePanel(i);
    for (QCPLayerable* item : std::initializer_list<QCPLayerable*>{
             new FrameItem(*this, i, true), new FrameItem(*this, i, false), new DecorationItem(*this, i)})
      item->setParent(panel.rect);  // goes with its panel
  }
}

// The axes of QCustomPlot hold what is shown; FrameItem draws them.
void FigureRenderer::stylePanel(std::size_t index) {
  const FigurePanel& panel = m_spec.panels[index];
  const Panel& at = m_panels[index];
  for (const bool horizontal : {true, false}) {
    QCPAxis* held = at.rect->axis(horizontal ? QCPAxis::atBottom : QCPAxis::atLeft);
    held->setRange(toQcp(horizontal ? at.full.x : at.full.y));
    held->setRangeReversed((horizontal ? panel.x : panel.y).reversed);
  }
  for (QCPAxis* axis : at.rect->axes()) {
    axis->setVisible(false);
    axis->setTicks(false);
    axis->setTickLabels(false);
    axis->grid()->setVisible(false);
  }
}

void FigureRenderer::addMarks() {
  for (std::size_t i = 0; i < m_panels.size() && i < m_spec.panels.size(); ++i) {
    QCPAxis* x = m_panels[i].rect->axis(QCPAxis::atBottom);
    QCPAxis* y = m_panels[i].rect->axis(QCPAxis::atLeft);
    for (std::size_t k = 0; k < m_spec.panels[i].marks.size(); ++k) new MarkItem(*this, i, k, x, y);
  }
}

PanelRanges FigureRenderer::ranges(std::size_t panel) const {
  return {fromQcp(m_panels[panel].rect->axis(QCPAxis::atBottom)->range()),
          fromQcp(m_panels[panel].rect->axis(QCPAxis::atLeft)->range())};
}

void FigureRenderer::setRanges(std::size_t panel, const PanelRanges& ranges) {
  m_panels[panel].rect->axis(QCPAxis::atBottom)->setRange(toQcp(ranges.x));
  m_panels[panel].rect->axis(QCPAxis::atLeft)->setRange(toQcp(ranges.y));
}

PanelRanges FigureRenderer::dataRanges(std::size_t panel) const {
  return m_panels[panel].full;
}

// Called before every paint, on screen and for export.
void FigureRenderer::updateLayout() {
  std::vector<PanelRanges> shown;
  for (std::size_t i = 0; i < m_panels.size(); ++i) shown.push_back(ranges(i));
  const QRect page = viewport();
  m_layout = layOutFigure(m_spec, m_style, page.size(), shown);
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    const QRectF& area = m_layout.panels[i].area;
    const double width = std::max(1, page.width()), height = std::max(1, page.height());
    // Cut to whole units there: the share of one may come out a little less than it is.
    constexpr double kCut = 1e-3;
    m_inset->setInsetRect(static_cast<int>(i),
                          QRectF((area.left() + kCut) / width, (area.top() + kCut) / height,
                                 (area.width() + kCut) / width, (area.height() + kCut) / height));
  }
  QCustomPlot::updateLayout();
}

MarkCanvas FigureRenderer::canvas(std::size_t panel) const {
  const QRectF area = panel < m_layout.panels.size() ? m_layout.panels[panel].area : QRectF(0, 0, 100, 100);
  MarkCanvas canvas = panelCanvas(m_spec.panels[panel], m_style, area, ranges(panel));
  canvas.vector = m_medium && m_medium->vector;
  canvas.outlines = m_medium && m_medium->outlines;
  canvas.scale = m_medium ? m_medium->scale : bufferDevicePixelRatio();
  return canvas;
}

void FigureRenderer::drawDecoration(QPainter& painter, std::size_t panel) const {
  if (panel >= m_layout.panels.size()) return;
  const FigurePanel& spec = m_spec.panels[panel];
  const PanelLayout& at = m_layout.panels[panel];
  const MarkCanvas canvas = this->canvas(panel);
  for (const PlacedText& label : placeTicks(spec, m_style, at.area, ranges(panel)).labels)
    label.draw(painter, canvas.outlines);
  painter.setPen(QPen(m_style.text, unitsOf(m_style.axisPoints)));
  painter.drawLines(at.valueAxis.data(), static_cast<int>(at.valueAxis.size()));
  for (const PlacedText& text : at.texts) text.draw(painter, canvas.outlines);
  if (!at.legend.empty() && at.legendInside) {
    QColor paper = m_style.background;
    paper.setAlphaF(0.85F);
    painter.fillRect(at.legendBox, canvas.vector ? m_style.background : paper);
  }
  for (const LegendEntry& entry : at.legend) {
    if (entry.mark) paintSample(painter, spec.marks[*entry.mark], canvas, entry.sample);
    entry.text.draw(painter, canvas.outlines);
  }
  for (const ColourBar& bar : spec.bars) {
    CellsMark scale;
    constexpr int kSteps = 64;
    scale.rows = kSteps;
    scale.columns = 1;
    scale.map = bar.map;
    for (int i = 0; i < kSteps; ++i) scale.values.push_back(i);
    MarkCanvas inner = canvas;
    inner.x = inner.y = AxisMap();
    inner.area = at.colourBar;
    inner.rangeX = {-0.5, 0.5};
    inner.rangeY = {-0.5, kSteps - 0.5};
    inner.reversedX = inner.reversedY = false;
    paintCells(painter, scale, inner);
  }
}

std::vector<PlacedText> FigureRenderer::texts() const {
  std::vector<PlacedText> all;
  for (std::size_t i = 0; i < m_layout.panels.size(); ++i) {
    const PanelLayout& at = m_layout.panels[i];
    const PlacedTicks ticks = placeTicks(m_spec.panels[i], m_style, at.area, ranges(i));
    all.insert(all.end(), ticks.labels.begin(), ticks.labels.end());
    all.insert(all.end(), at.texts.begin(), at.texts.end());
    for (const LegendEntry& entry : at.legend) all.push_back(entry.text);
  }
  return all;
}

bool FigureRenderer::paintTo(QPaintDevice& device, const QSize& size, const Medium& medium) {
  QCPPainter painter;
  if (!painter.begin(&device)) return false;
  painter.setMode(QCPPainter::pmVectorized, medium.vector);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setMode(QCPPainter::pmNonCosmetic);
  painter.scale(medium.scale, medium.scale);
  m_medium = medium;
  toPainter(&painter, size.width(), size.height());
  m_medium.reset();
  return painter.end();
}

}  // namespace fathom
