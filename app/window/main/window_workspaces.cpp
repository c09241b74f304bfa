// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_workspaces.h"

#include <QApplication>
#include <QStackedWidget>

#include "app/window/attention/attention_actions.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/figures/figures_actions.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 4> kNames = {"train", "attention", "errors", "figures"};

}  // namespace

WindowWorkspaces::WindowWorkspaces(const Surroundings& with)
    : QObject(with.window),
      m_with(with),
      m_slots{Slot{session::kCurves, nullptr, with.train},
              Slot{session::kAttention, new AttentionActions(with.window)},
              Slot{session::kErrors, new ErrorsActions(with.window)},
              Slot{session::kFigures, new FiguresActions(with.window)}} {}

QStackedWidget* WindowWorkspaces::makeCentre() {
  m_centre = new QStackedWidget(m_with.window);
  // What the hidden workspaces need in width must not take it from the docks of the shown one.
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

void WindowWorkspaces::focusNextPlace(WorkspaceId id) {
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

QString WindowWorkspaces::name(WorkspaceId id) {
  return QString::fromLatin1(kNames[static_cast<std::size_t>(id)]);
}

WorkspaceId WindowWorkspaces::named(const QString& name) {
  for (const WorkspaceId id : kAll)
    if (WindowWorkspaces::name(id) == name) return id;
  return WorkspaceId::Train;
}

Workspace* WindowWorkspaces::make(WorkspaceId id) {
  WorkspaceActions* actions = slot(id).actions;
  switch (id) {
    case WorkspaceId::Train:
      return m_with.train;
    case WorkspaceId::Attention: {
      auto* made = new AttentionWorkspace({m_with.service, m_with.jobs, m_with.messages, m_with.files,
                                           m_with.selection, m_with.train->runModel(),
                                           static_cast<AttentionActions*>(actions),
                                           [train = m_with.train] { return train->engine(); }, m_with.window,
                                           [train = m_with.train] { return train->curves()->firstSteps(); }});
      connect(m_with.train, &TrainWorkspace::runsChanged, made, &AttentionWorkspace::runsChanged);
      connect(m_with.train, &TrainWorkspace::engineKnown, made, &AttentionWorkspace::engineKnown);
      return made;
    }
    case WorkspaceId::Errors:
      return new ErrorsWorkspace(m_with.service, m_with.jobs, m_with.messages, m_with.files, m_with.selection,
                                 static_cast<ErrorsActions*>(actions), m_with.window);
    case WorkspaceId::Figures:
      return new FiguresWorkspace(m_with.service, m_with.jobs, m_with.messages, m_with.files,
                                  m_with.selection, m_with.train->runModel(),
                                  static_cast<FiguresActions*>(actions), m_with.window);
  }
  return nullptr;
}

Workspace* WindowWorkspaces::get(WorkspaceId id) {
  Slot& place = m_slots[static_cast<std::size_t>(id)];
  if (place.made == nullptr) {
    place.made = make(id);
    m_centre->addWidget(place.made->widget());
    place.made->restoreView(m_with.session->bytes(place.key));
  }
  return place.made;
}

ErrorsWorkspace* WindowWorkspaces::errors() {
  return static_cast<ErrorsWorkspace*>(get(WorkspaceId::Errors));
}

AttentionWorkspace* WindowWorkspaces::attention() {
  return static_cast<AttentionWorkspace*>(get(WorkspaceId::Attention));
}

FiguresWorkspace* WindowWorkspaces::figures() {
  return static_cast<FiguresWorkspace*>(get(WorkspaceId::Figures));
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
    if (each.made != nullptr) m_with.session->setBytes(each.key, each.made->saveView());
}

void WindowWorkspaces::refreshActions(bool projectOpen) {
  for (const Slot& each : m_slots) {
    if (each.actions == nullptr) continue;
    each.actions->setProjectOpen(projectOpen);
    if (each.made != nullptr) each.made->refreshActions();
  }
}

}  // namespace fathom
