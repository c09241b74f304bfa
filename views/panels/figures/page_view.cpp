// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/page_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/figure/figure_picture.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr int kRuler = 20;   // pixels
constexpr int kAround = 16;  // between ruler and paper
constexpr double kSmallestZoom = 0.25, kLargestZoom = 4;

}  // namespace

PageView::PageView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  setAccessibleName(tr("Page"));
}

PageView::~PageView() = default;

Status PageView::setPage(const ComposedPage& page, const FigureStyle& style) {
  ComposedPage before = std::exchange(m_page, page);
  FigureStyle styleBefore = std::exchange(m_style, style);
  Status drawn = draw();
  if (!drawn.ok()) {
    m_page = std::move(before);
    m_style = std::move(styleBefore);
    return drawn;
  }
  setAccessibleDescription(phraseText(page.spec.summary));
  return {};
}

void PageView::clearPage() {
  m_renderer.reset();
  m_page = {};
  m_layout = {};
  m_checks = {};
  m_size = {};
  m_selected = -1;
  place();
}

Status PageView::draw() {
  auto renderer = std::make_unique<FigureRenderer>();
  FATHOM_CHECK(renderer->setFigure(m_page.spec, m_gray ? grayscaleStyle(m_style) : m_style));
  m_renderer = std::move(renderer);
  m_size = figureSize(m_page.spec, m_style);
  m_renderer->resize(unitSize(m_size));
  m_pictureScale = 0;
  const QImage first = picture(shownZoom() * devicePixelRatioF());
  m_picture = QPixmap::fromImage(first);
  m_pictureScale = shownZoom() * devicePixelRatioF();
  // Now: the renderer lays out anew whenever it is painted, in whatever size.
  m_layout = m_renderer->layout();
  m_checks = figureChecks(*m_renderer, m_size);
  place();
  return {};
}

QImage PageView::picture(double scale) const {
  if (m_renderer == nullptr) return {};
  return figurePicture(*m_renderer, m_size, scale);
}

void PageView::setGray(bool gray) {
  if (std::exchange(m_gray, gray) == gray || m_renderer == nullptr) return;
  (void)draw();  // the same page in other colours
}

double PageView::shownZoom() const {
  if (m_zoom > 0) return m_zoom;
  const QSize units = unitSize(m_size);
  if (units.isEmpty()) return 1;
  const double wide = (viewport()->width() - kRuler - 2.0 * kAround) / units.width();
  const double high = (viewport()->height() - kRuler - 2.0 * kAround) / units.height();
  return std::clamp(std::min(wide, high), kSmallestZoom, kLargestZoom);
}

void PageView::setZoom(double zoom) {
  m_zoom = zoom <= 0 ? 0 : std::clamp(zoom, kSmallestZoom, kLargestZoom);
  place();
  Q_EMIT zoomChanged(m_zoom);
}

void PageView::place() {
  const QSizeF page = QSizeF(unitSize(m_size)) * shownZoom();
  const QSize room = viewport()->size() - QSize(kRuler, kRuler);
  const auto set = [](QScrollBar* bar, double length, int shown) {
    bar->setRange(0, std::max(0, int(std::ceil(length)) + 2 * kAround - shown));
    bar->setPageStep(std::max(1, shown));
    bar->setSingleStep(24);
  };
  set(horizontalScrollBar(), hasPage() && m_zoom > 0 ? page.width() : 0, room.width());
  set(verticalScrollBar(), hasPage() && m_zoom > 0 ? page.height() : 0, room.height());
  viewport()->update();
}

QRectF PageView::paper() const {
  const QSizeF page = QSizeF(unitSize(m_size)) * shownZoom();
  const double free = viewport()->width() - kRuler - page.width();
  const double left = std::max(double(kAround), std::floor(free / 2)) - horizontalScrollBar()->value();
  return {QPointF(kRuler + left, kRuler + kAround - verticalScrollBar()->value()), page};
}

QPointF PageView::toPage(const QPointF& position) const {
  return (position - paper().topLeft()) / shownZoom();
}

QRectF PageView::figureBox(int figure) const {
  QRectF box;
  if (m_renderer == nullptr) return box;
  for (std::size_t i = 0; i < m_layout.panels.size() && i < m_page.figureOf.size(); ++i)
    if (int(m_page.figureOf[i]) == figure) box = box.united(m_layout.panels[i].slot);
  return box.isEmpty() ? box : fromPage(box);
}

QRectF PageView::fromPage(const QRectF& box) const {
  return {paper().topLeft() + box.topLeft() * shownZoom(), box.size() * shownZoom()};
}

int PageView::figureAt(const QPointF& position) const {
  const int figures = m_page.figureOf.empty()
                          ? 0
                          : int(*std::max_element(m_page.figureOf.begin(), m_page.figureOf.end())) + 1;
  for (int figure = 0; figure < figures; ++figure)
    if (figureBox(figure).contains(position)) return figure;
  return -1;
}

void PageView::setSelectedFigure(int figure) {
  m_selected = figure;
  if (const QRectF box = figureBox(figure); !box.isEmpty() && m_zoom > 0) {
    const QRectF room(kRuler, kRuler, viewport()->width() - kRuler, viewport()->height() - kRuler);
    if (box.top() > room.bottom() || box.bottom() < room.top())
      verticalScrollBar()->setValue(verticalScrollBar()->value() + int(box.top() - room.top()) - kAround);
  }
  viewport()->update();
}

void PageView::drawRulers(QPainter& painter) const {
  const Theme& theme = Theme::of(palette());
  const QRectF page = paper();
  painter.fillRect(QRect(0, 0, viewport()->width(), kRuler), theme.panel);
  painter.fillRect(QRect(0, 0, kRuler, viewport()->height()), theme.panel);
  painter.setPen(theme.separator);
  painter.drawLine(0, kRuler, viewport()->width(), kRuler);
  painter.drawLine(kRuler, 0, kRuler, viewport()->height());
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.75);
  painter.setFont(small);
  painter.setPen(theme.secondary);
  const double perMm = unitsOfMm(1) * shownZoom();
  const int label = perMm * 10 > 28 ? 10 : 50, tick = perMm > 3 ? 1 : 5;
  for (const bool horizontal : {true, false}) {
    const double length = horizontal ? m_size.widthMm : m_size.heightMm;
    painter.save();
    painter.setClipRect(horizontal ? QRect(kRuler, 0, viewport()->width(), kRuler)
                                   : QRect(0, kRuler, kRuler, viewport()->height()));
    for (int mm = 0; mm <= int(std::floor(length)); mm += tick) {
      const double at = (horizontal ? page.left() : page.top()) + mm * perMm;
      const double size = mm % 10 == 0 ? 7 : mm % 5 == 0 ? 5 : 3;
      painter.drawLine(horizontal ? QLineF(at, kRuler - size, at, kRuler)
                                  : QLineF(kRuler - size, at, kRuler, at));
      if (mm % label != 0) continue;
      const QString text = QString::number(mm);
      if (horizontal) {
        painter.drawText(QRectF(at + 2, 0, 40, kRuler - 6), Qt::AlignLeft | Qt::AlignVCenter, text);
      } else {
        painter.save();
        painter.translate(kRuler - 8, at + 2);
        painter.rotate(90);
        painter.drawText(QRectF(0, 0, 40, kRuler - 8), Qt::AlignLeft | Qt::AlignVCenter, text);
        painter.restore();
      }
    }
    painter.restore();
  }
  painter.fillRect(QRect(0, 0, kRuler, kRuler), theme.panel);
  painter.drawText(QRect(0, 0, kRuler, kRuler), Qt::AlignCenter, QStringLiteral("mm"));
}

void PageView::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::of(palette());
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme.window);
  if (!hasPage()) return;
  const double scale = shownZoom() * devicePixelRatioF();
  if (m_pictureScale != scale) {
    m_picture = QPixmap::fromImage(picture(scale));
    m_pictureScale = scale;
  }
  const QRectF page = paper();
  painter.setPen(theme.separator);
  painter.drawRect(page.adjusted(-1, -1, 0, 0));
  QPixmap shown = m_picture;
  shown.setDevicePixelRatio(devicePixelRatioF());
  painter.drawPixmap(page.topLeft(), shown);
  if (const QRectF box = figureBox(m_selected); !box.isEmpty()) {
    painter.setPen(QPen(theme.accent, hasFocus() ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  drawRulers(painter);
}

void PageView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  place();
}

void PageView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !hasPage()) return event->ignore();
  setSelectedFigure(figureAt(event->position()));
  Q_EMIT figureClicked(m_selected);
}

void PageView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && m_selected >= 0) Q_EMIT figureActivated(m_selected);
}

bool PageView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip && hasPage()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<FigureHit> hit = m_renderer->hitAt(toPage(QPointF(help->pos())));
    if (hit) {
      QToolTip::showText(help->globalPos(), hit->text, viewport());
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void PageView::stepFigure(int step) {
  const int figures = m_page.figureOf.empty()
                          ? 0
                          : int(*std::max_element(m_page.figureOf.begin(), m_page.figureOf.end())) + 1;
  if (figures == 0) return;
  setSelectedFigure((std::max(m_selected, step > 0 ? -1 : 0) + step + figures) % figures);
  Q_EMIT figureClicked(m_selected);
}

void PageView::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier)
    return event->ignore();
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
      return stepFigure(-1);
    case Qt::Key_Right:
    case Qt::Key_Down:
      return stepFigure(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_selected >= 0) Q_EMIT figureActivated(m_selected);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void PageView::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return QAbstractScrollArea::wheelEvent(event);
  setZoom(shownZoom() * std::pow(1.2, event->angleDelta().y() / 120.0));
}

void PageView::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) viewport()->update();
}

}  // namespace fathom
