// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/workspace_actions.h"

#include <utility>

#include "views/look/engine_text.h"
#include "views/look/icons.h"

namespace fathom {

QAction* WorkspaceActions::add(const char* id, const QString& text, const QString& iconName,
                               const QKeySequence& keys, const QString& tip) {
  auto* action = iconName.isEmpty() ? new QAction(text, this) : new QAction(icon(iconName), text, this);
  action->setObjectName(QString::fromLatin1(id));
  action->setIconText(withoutMnemonic(text));  // on buttons
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  const QString shown = keys.toString(QKeySequence::NativeText);
  action->setToolTip(shown.isEmpty() ? tip : tr("%1 (%2)").arg(tip, shown));
  connect(action, &QAction::triggered, this, [this, id = action->objectName()] {
    if (m_open) m_open();
    if (const auto run = m_runs.value(id)) run();
  });
  m_actions.insert(action->objectName(), action);
  m_ordered.append(action);
  return action;
}

void WorkspaceActions::bind(const char* id, std::function<void()> run) {
  m_runs.insert(QString::fromLatin1(id), std::move(run));
}

QList<QAction*> WorkspaceActions::listed(std::initializer_list<const char*> ids) const {
  QList<QAction*> actions;
  for (const char* id : ids) actions.append(m_actions.value(QLatin1String(id)));
  return actions;
}

QAction* WorkspaceActions::exportAction() const {
  for (QAction* each : m_ordered)
    if (each != nullptr && each->isEnabled() && each->objectName().contains(QLatin1String(".export")))
      return each;
  return nullptr;
}

void WorkspaceActions::enable(std::initializer_list<const char*> ids, bool on) {
  for (const char* id : ids) action(QString::fromLatin1(id))->setEnabled(on);
}

void WorkspaceActions::setProjectOpen(bool open) {
  for (const QString& id : std::as_const(m_withProject)) action(id)->setEnabled(open);
}

void WorkspaceActions::disableAllBut(const char* help, std::initializer_list<const char*> withProject) {
  for (QAction* each : std::as_const(m_actions)) each->setEnabled(each->objectName() == QLatin1String(help));
  for (const char* id : withProject) m_withProject.append(QString::fromLatin1(id));
}

}  // namespace fathom
