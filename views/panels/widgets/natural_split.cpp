// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/natural_split.h"

#include <QEvent>
#include <QSplitter>
#include <QTimer>
#include <utility>

namespace fathom {

NaturalSplit::NaturalSplit(QSplitter* splitter, std::function<int()> wanted, Limits limits)
    : QObject(splitter), m_splitter(splitter), m_wanted(std::move(wanted)), m_limits(limits) {
  splitter->installEventFilter(this);
  connect(splitter, &QSplitter::splitterMoved, this, [this] { m_moved = true; });
}

// Once, after everything that changes now.
void NaturalSplit::refresh() {
  if (m_moved || std::exchange(m_waiting, true)) return;
  QTimer::singleShot(0, this, [this] {
    m_waiting = false;
    fit();
  });
}

void NaturalSplit::fit() {
  if (m_moved || m_splitter->count() < 2 || !m_splitter->isVisible()) return;
  const bool upright = m_splitter->orientation() == Qt::Vertical;
  const int whole = upright ? m_splitter->height() : m_splitter->width();
  const int first = qBound(int(m_limits.least * whole), m_wanted(), int(m_limits.most * whole));
  if (m_splitter->sizes().value(0) != first) m_splitter->setSizes({first, whole - first});
}

QByteArray NaturalSplit::saved() const {
  return m_moved ? m_splitter->saveState() : QByteArray();
}

void NaturalSplit::restore(const QByteArray& state) {
  if (!state.isEmpty() && m_splitter->restoreState(state)) m_moved = true;
}

bool NaturalSplit::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_splitter && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) refresh();
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
