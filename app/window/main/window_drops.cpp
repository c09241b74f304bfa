// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_drops.h"

#include <QDragMoveEvent>
#include <QMainWindow>
#include <QMimeData>
#include <QToolBar>
#include <QUrl>

#include "views/tables/run_table_model.h"

namespace fathom {

WindowDrops::WindowDrops(QMainWindow* window) : QObject(window), m_window(window) {
  window->setAcceptDrops(true);
  window->installEventFilter(this);
}

bool WindowDrops::eventFilter(QObject* watched, QEvent* event) {
  const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
  if (!drag && event->type() != QEvent::Drop) return QObject::eventFilter(watched, event);
  auto* drop = static_cast<QDropEvent*>(event);
  const bool runs = drop->mimeData()->hasFormat(QLatin1String(RunTableModel::kMime));
  if (!runs && !drop->mimeData()->hasUrls()) return QObject::eventFilter(watched, event);
  drop->acceptProposedAction();
  if (event->type() == QEvent::DragMove && runs) hold(drop->position().toPoint());
  if (event->type() == QEvent::Drop) take(*drop);
  return true;
}

void WindowDrops::hold(const QPoint& at) {
  const auto* rail = m_window->findChild<QToolBar*>(QStringLiteral("rail"));
  const QPoint inside = rail->mapFrom(m_window, at);
  if (!rail->rect().contains(inside)) return;
  if (QAction* over = rail->actionAt(inside)) Q_EMIT heldOver(over);
}

void WindowDrops::take(const QDropEvent& event) {
  const QByteArray runs = event.mimeData()->data(QLatin1String(RunTableModel::kMime));
  if (!runs.isEmpty()) {
    Q_EMIT runsDropped(QString::fromUtf8(runs).split(QLatin1Char('\n')));
    return;
  }
  QStringList paths;
  for (const QUrl& url : event.mimeData()->urls())
    if (url.isLocalFile()) paths.append(url.toLocalFile());
  Q_EMIT filesDropped(paths);
}

}  // namespace fathom
