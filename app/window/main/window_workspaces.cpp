// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_workspaces.h"

#include <QApplication>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

#include "app/window/session/session_store.h"

namespace fathom {

WindowWorkspaces::WindowWorkspaces(WorkspaceParts parts, SessionStore* session)
    : QObject(parts.window), m_parts(std::move(parts)), m_session(session) {
  for (const WorkspaceEntry& entry : workspaceEntries())
    m_slots.push_back({&entry, entry.actions ? entry.actions(m_parts.window) : nullptr});
  m_slots.front().made = m_parts.first;
}

QStackedWidget* WindowWorkspaces::makeCentre() {
  m_centre = new QStackedWidget(m_parts.window);
  // The width that hidden workspaces need must not be taken from the docks of the shown one.
  connect(m_centre, &QStackedWidget::currentChanged, this, [this](int current) {
    for (int i = 0; i < m_centre->count(); ++i) {
      const auto policy = i == current ? QSizePolicy::Preferred : QSizePolicy::Ignored;
      m_centre->widget(i)->setSizePolicy(policy, policy);
    }
    m_centre->updateGeometry();  // at once: the docks may come back before the next event
    m_centre->parentWidget()->updateGeometry();
  });
  return m_centre;
}

void WindowWorkspaces::focusNextPlace(const QString& id) {
  const QList<QWidget*> places = get(id)->places();
  int at = 0;
  for (int i = 0; i < places.size(); ++i)
    if (places[i]->isAncestorOf(QApplication::focusWidget())) at = i + 1;
  QWidget* next = places[at % places.size()];
  for (QWidget* child : next->findChildren<QWidget*>()) {
    if (!child->isVisible() || !child->isEnabled() || !(child->focusPolicy() & Qt::TabFocus)) continue;
    child->setFocus(Qt::TabFocusReason);
    return;
  }
}

QString WindowWorkspaces::named(const QString& id) const {
  return QString::fromLatin1(slot(id).entry->id);
}

std::size_t WindowWorkspaces::at(const QString& id) const {
  const auto found = std::find_if(m_slots.begin(), m_slots.end(),
                                  [&id](const Slot& each) { return id == QLatin1String(each.entry->id); });
  return found != m_slots.end() ? static_cast<std::size_t>(found - m_slots.begin()) : 0;
}

Workspace* WindowWorkspaces::get(const QString& id) {
  Slot& place = m_slots[at(id)];
  if (place.made == nullptr) {
    place.made = place.entry->make(m_parts, place.actions);
    m_centre->addWidget(place.made->widget());
    place.made->restoreView(m_session->bytes(place.entry->session));
    hand(place);
  }
  return place.made;
}

void WindowWorkspaces::keep() {
  for (const Slot& each : m_slots)
    if (each.made != nullptr) each.made->keep();
}

void WindowWorkspaces::reset() {
  for (const Slot& each : m_slots)
    if (each.made != nullptr) each.made->reset();
}

void WindowWorkspaces::saveViews() {
  for (const Slot& each : m_slots)
    if (each.made != nullptr) m_session->setBytes(each.entry->session, each.made->saveView());
}

void WindowWorkspaces::hand(Slot& slot) {
  if (slot.made != nullptr && slot.handed) std::exchange(slot.handed, {})(*slot.made);
}

void WindowWorkspaces::takeOver(WindowWorkspaces& other) {
  for (std::size_t i = 0; i < m_slots.size(); ++i) {
    Slot& from = other.m_slots[i];
    m_slots[i].handed = from.made != nullptr ? from.made->handOver() : std::exchange(from.handed, {});
    hand(m_slots[i]);
  }
}

void WindowWorkspaces::refreshActions(bool projectOpen) {
  for (const Slot& each : m_slots) {
    if (each.actions == nullptr) continue;
    each.actions->setProjectOpen(projectOpen);
    if (each.made != nullptr) each.made->refreshActions();
  }
}

void WindowWorkspaces::takeRunList() {
  for (const Slot& each : m_slots)
    if (each.made != nullptr) each.made->takeRunList();
}

void WindowWorkspaces::takeDescription() {
  for (const Slot& each : m_slots)
    if (each.made != nullptr) each.made->takeDescription();
}

}  // namespace fathom
