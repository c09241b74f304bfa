// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/action_keys.h"

#include <QAction>
#include <QMenu>
#include <QWidget>

#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

// The part that listens to the keys of an action: everywhere in the window (null), in a widget with what is
// in it, or in the widget alone.
struct ListeningPlace {
  const QWidget* widget;
  bool withChildren;
};

QList<ListeningPlace> placesOf(const QAction* action) {
  QList<ListeningPlace> places;
  const Qt::ShortcutContext context = action->shortcutContext();
  for (const QObject* object : action->associatedObjects()) {
    const auto* widget = qobject_cast<const QWidget*>(object);
    if (widget == nullptr) continue;
    if (context == Qt::WindowShortcut || context == Qt::ApplicationShortcut) {
      places.append({nullptr, true});
    } else if (qobject_cast<const QMenu*>(widget) == nullptr) {
      places.append({widget, context == Qt::WidgetWithChildrenShortcut});
    }
  }
  return places;
}

// Is there a widget that both listen at?
bool meet(const ListeningPlace& one, const ListeningPlace& other) {
  if (one.widget == nullptr || other.widget == nullptr) return true;
  if (one.widget == other.widget) return true;
  return (one.withChildren && one.widget->isAncestorOf(other.widget)) ||
         (other.withChildren && other.widget->isAncestorOf(one.widget));
}

}  // namespace

bool listenTogether(const QAction* one, const QAction* other) {
  for (const ListeningPlace& first : placesOf(one))
    for (const ListeningPlace& second : placesOf(other))
      if (meet(first, second)) return true;
  return false;
}

ActionKeys::ActionKeys(SessionStore* session) : m_session(session) {
  const std::string kept = session->text(session::kKeys).toStdString();
  Json read = Json::parse(kept, nullptr, false);
  if (read.is_object()) m_chosen = std::move(read);
}

bool ActionKeys::take(QAction* action) {
  if (action->objectName().isEmpty() || action->shortcuts().size() > 1 ||
      action->text().contains(QLatin1Char('\t')) || m_usual.contains(action))
    return false;
  m_usual.insert(action, action->shortcut());
  m_actions.append(action);
  if (const auto found = m_chosen.find(action->objectName().toStdString());
      found != m_chosen.end() && found->is_string())
    action->setShortcut(
        QKeySequence(QString::fromStdString(found->get<std::string>()), QKeySequence::PortableText));
  return true;
}

bool ActionKeys::isChosen(const QAction* action) const {
  return m_chosen.contains(action->objectName().toStdString());
}

QAction* ActionKeys::holderOf(const QKeySequence& keys, const QAction* action, const QWidget* window) {
  if (keys.isEmpty()) return nullptr;
  for (QAction* each : window->findChildren<QAction*>())
    if (each != action && each->shortcuts().contains(keys) && listenTogether(each, action)) return each;
  return nullptr;
}

QStringList ActionKeys::settle(const QWidget* window) {
  QStringList left;
  for (QAction* action : std::as_const(m_actions)) {
    if (!isChosen(action) || holderOf(action->shortcut(), action, window) == nullptr) continue;
    action->setShortcut(usual(action));
    left.append(withoutMnemonic(action->text()));
  }
  return left;
}

void ActionKeys::choose(QAction* action, const QKeySequence& keys) {
  if (keys == usual(action)) return reset(action);
  action->setShortcut(keys);
  m_chosen[action->objectName().toStdString()] = keys.toString(QKeySequence::PortableText).toStdString();
  store();
}

void ActionKeys::reset(QAction* action) {
  action->setShortcut(usual(action));
  m_chosen.erase(action->objectName().toStdString());
  store();
}

void ActionKeys::store() {
  m_session->setText(session::kKeys, QString::fromStdString(m_chosen.dump()));
}

}  // namespace fathom
