// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/page_dividers.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "views/panels/figures/divider_line.h"
#include "views/panels/figures/page_view.h"

namespace fathom {

namespace {

constexpr double kLeastMm = 12;  // of a row or column
constexpr double kStepMm = 0.5;

}  // namespace

PageDividers::PageDividers(PageView* view)
    : QObject(view), m_view(view), m_line(new DividerLine(view->viewport())) {
  view->viewport()->installEventFilter(this);
  view->installEventFilter(this);
}

std::vector<double> PageDividers::sizes() const {
  const PageGrid grid = pageGrid(*m_view);
  std::vector<double> borders = m_held->column ? grid.columns : grid.rows;
  borders[std::size_t(m_held->index) + 1] = m_held->at;
  const double perMm = unitsOfMm(1) * m_view->shownZoom();
  std::vector<double> sizes;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i)
    sizes.push_back(std::round((borders[i + 1] - borders[i]) / perMm / kStepMm) * kStepMm);
  return sizes;
}

bool PageDividers::hover(const QPointF& position) {
  const auto border = m_readOnly ? std::nullopt : borderAt(pageGrid(*m_view), position);
  if (!border) return false;
  m_view->viewport()->setCursor(border->column ? Qt::SplitHCursor : Qt::SplitVCursor);
  return true;
}

bool PageDividers::press(const QPointF& position) {
  m_held = m_readOnly ? std::nullopt : borderAt(pageGrid(*m_view), position);
  if (!m_held) return false;
  m_before = m_held->at;
  drag(position);
  return true;
}

bool PageDividers::isThere() const {
  const PageGrid grid = pageGrid(*m_view);
  return m_held && std::size_t(m_held->index) + 2 < (m_held->column ? grid.columns : grid.rows).size();
}

void PageDividers::drag(const QPointF& position) {
  if (!isThere()) return drop();
  const PageGrid grid = pageGrid(*m_view);
  const std::vector<double>& borders = m_held->column ? grid.columns : grid.rows;
  const auto index = std::size_t(m_held->index);
  const double least = kLeastMm * unitsOfMm(1) * m_view->shownZoom();
  const double low = borders[index] + least, high = borders[index + 2] - least;
  const double wanted = m_held->column ? position.x() : position.y();
  if (low <= high) m_held->at = std::clamp(wanted, low, high);
  const std::vector<double> now = sizes();
  const QLocale locale;
  m_line->showAt(m_held->column, m_held->at,
                 QStringLiteral("%1 | %2 mm")
                     .arg(locale.toString(now[index], 'f', 1), locale.toString(now[index + 1], 'f', 1)));
}

void PageDividers::drop() {
  m_held.reset();
  m_line->hide();
}

void PageDividers::release() {
  if (!isThere()) return drop();
  const bool columns = m_held->column, changed = std::abs(m_held->at - m_before) >= 1;
  const std::vector<double> now = sizes();
  drop();
  if (changed) Q_EMIT moved(columns, now);
}

bool PageDividers::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_view) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key || !m_held || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
    event->accept();
    if (event->type() == QEvent::KeyPress) drop();
    return true;
  }
  switch (event->type()) {
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      return mouse->button() == Qt::LeftButton && press(mouse->position());
    }
    case QEvent::MouseMove: {
      const QPointF position = static_cast<QMouseEvent*>(event)->position();
      if (m_held) {
        drag(position);
        return true;
      }
      return static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton && hover(position);
    }
    case QEvent::MouseButtonRelease:
      if (!m_held) return false;
      release();
      return true;
    case QEvent::MouseButtonDblClick: {
      const auto border = m_readOnly
                              ? std::nullopt
                              : borderAt(pageGrid(*m_view), static_cast<QMouseEvent*>(event)->position());
      if (!border) return false;
      drop();
      Q_EMIT evened(border->column);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace fathom
