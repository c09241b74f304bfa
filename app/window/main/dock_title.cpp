// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/dock_title.h"

#include <QDockWidget>
#include <QLabel>
#include <QToolButton>

#include "app/window/main/window_docks.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

QWidget* dockTitle(QDockWidget* dock, const QString& title) {
  auto* bar = new QWidget(dock);
  bar->setObjectName(QStringLiteral("dockTitle"));
  bar->setAutoFillBackground(true);
  QToolButton* close = flatButton(bar, QStringLiteral("close"), WindowDocks::tr("Close %1").arg(title));
  QObject::connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
  makeRow(bar, {{new QLabel(title, bar), 1}, close}, metrics::kGrid, {metrics::kMargin, 2, 2, 2});
  return bar;
}

void focusFirst(const QWidget* in) {
  for (QWidget* each : in == nullptr ? QList<QWidget*>() : in->findChildren<QWidget*>())
    if ((each->focusPolicy() & Qt::TabFocus) != 0 && each->isVisible() && each->isEnabled())
      return each->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace fathom
