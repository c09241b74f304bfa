// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/workspace_actions.h"

#include <utility>

#include "views/look/icons.h"

namespace fathom {

QAction* WorkspaceActions::add(const char* id, const QString& text, const QString& iconName,
                               const QKeySequence& keys, const QString& tip, std::function<void()> run) {
  auto* action = iconName.isEmpty() ? new QAction(text, this) : new QAction(icon(iconName), text, this);
  action->setObjectName(QString::fromLatin1(id));
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  const QString shown = keys.toString(QKeySequence::NativeText);
  action->setToolTip(shown.isEmpty() ? tip : tr("%1 (%2)").arg(tip, shown));
  connect(action, &QAction::triggered, this, std::move(run));
  m_actions.insert(action->objectName(), action);
  m_ordered.append(action);
  return action;
}

QList<QAction*> WorkspaceActions::listed(std::initializer_list<const char*> ids) const {
  QList<QAction*> actions;
  for (const char* id : ids) actions.append(m_actions.value(QLatin1String(id)));
  return actions;
}

void WorkspaceActions::enable(std::initializer_list<const char*> ids, bool on) {
  for (const char* id : ids) action(QString::fromLatin1(id))->setEnabled(on);
}

}  // namespace fathom
