// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/page_words.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <algorithm>

#include "views/panels/figures/page_view.h"
#include "views/panels/figures/text_in_place.h"

namespace fathom {

PageWords::PageWords(PageView* view)
    : QObject(view), m_view(view), m_line(new TextInPlace(view->viewport())) {
  view->viewport()->installEventFilter(this);
  connect(m_line, &TextInPlace::taken, this, [this] { take(false, true); });
  connect(m_line, &TextInPlace::wentOn, this, [this](bool forward) { take(true, forward); });
  connect(m_line, &TextInPlace::left, this, &PageWords::close);
  // The text goes away under the line.
  for (QScrollBar* bar : {view->horizontalScrollBar(), view->verticalScrollBar()})
    connect(bar, &QScrollBar::valueChanged, this, [this] { take(false, true); });
  connect(view, &PageView::zoomChanged, this, [this] { take(false, true); });
}

// A line that goes away tells nothing more. Whoever has taken the focus from it keeps it.
void PageWords::close() {
  const QSignalBlocker quiet(m_line);
  const bool typed = m_line->window()->focusWidget() == m_line;
  m_line->hide();
  if (typed) m_view->setFocus(Qt::OtherFocusReason);
}

bool PageWords::isEditing() const {
  return m_line->isVisible();
}

std::vector<WordPlace> PageWords::places() const {
  if (!m_view->hasPage()) return {};
  return wordPlaces(m_view->composed().spec, m_view->pageLayout());
}

std::optional<WordPlace> PageWords::placeAt(const QPointF& position) const {
  return wordAt(places(), m_view->toPage(position));
}

void PageWords::edit(const WordPlace& place, const QString& own, const QString& figures) {
  m_place = place;
  m_before = own;
  m_line->openAt(m_view->fromPage(place.box), own, figures);
}

void PageWords::askFirst() {
  if (m_readOnly) return;
  take(false, true);
  const std::vector<std::size_t>& figureOf = m_view->composed().figureOf;
  for (const WordPlace& place : places()) {
    if (int(figureOf[place.panel]) != m_view->selectedFigure()) continue;
    Q_EMIT asked(place);
    return;
  }
}

void PageWords::take(bool next, bool forward) {
  if (!isEditing()) return;
  if (m_place.panel >= m_view->composed().figureOf.size()) return close();  // the page is gone
  const WordPlace place = m_place;
  const bool changed = m_line->text() != m_before;
  const QString text = m_line->text();
  std::vector<WordPlace> all = places();
  const std::vector<std::size_t> figureOf = m_view->composed().figureOf;
  close();
  if (changed) Q_EMIT said(place, text);
  if (!next) return;
  std::erase_if(all, [&](const WordPlace& each) { return figureOf[each.panel] != figureOf[place.panel]; });
  const auto here = std::find_if(all.begin(), all.end(), [&place](const WordPlace& each) {
    return each.panel == place.panel && each.role == place.role && each.mark == place.mark;
  });
  if (here == all.end()) return;
  const auto count = std::ptrdiff_t(all.size());
  Q_EMIT asked(all[std::size_t((here - all.begin() + (forward ? 1 : count - 1)) % count)]);
}

bool PageWords::eventFilter(QObject* /*watched*/, QEvent* event) {
  if (m_readOnly) return false;
  if (event->type() == QEvent::MouseButtonDblClick) {
    const auto place = placeAt(static_cast<QMouseEvent*>(event)->position());
    if (!place || static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton) return false;
    Q_EMIT asked(*place);
    return true;
  }
  if (event->type() == QEvent::MouseMove && static_cast<QMouseEvent*>(event)->buttons() == Qt::NoButton) {
    const bool text = placeAt(static_cast<QMouseEvent*>(event)->position()).has_value();
    m_view->viewport()->setCursor(text ? Qt::IBeamCursor : Qt::ArrowCursor);
  }
  return false;
}

}  // namespace fathom
