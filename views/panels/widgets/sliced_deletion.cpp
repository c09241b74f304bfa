// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/sliced_deletion.h"

#include <QElapsedTimer>
#include <QLayout>
#include <algorithm>

namespace fathom {

namespace {

constexpr qint64 kDeletionMilliseconds = 5;
const QString kDeletionName = QStringLiteral("slicedDeletion");

QWidget* firstPart(const QWidget* of) {
  const QObjectList& children = of->children();
  const auto found = std::find_if(children.begin(), children.end(),
                                  [](const QObject* child) { return child->isWidgetType(); });
  return found == children.end() ? nullptr : static_cast<QWidget*>(*found);
}

}  // namespace

void SlicedDeletion::begin(QWidget* widget, QWidget* window) {
  if (widget != nullptr) new SlicedDeletion(widget, window);
}

bool SlicedDeletion::isGoingOn(const QWidget* window) {
  return window->findChild<QObject*>(kDeletionName, Qt::FindDirectChildrenOnly) != nullptr;
}

SlicedDeletion::SlicedDeletion(QWidget* widget, QWidget* window) : QObject(window), m_widget(widget) {
  setObjectName(kDeletionName);
  widget->setParent(window);
  widget->hide();
  delete widget->layout();  // would arrange what is left after every part
  connect(&m_timer, &QTimer::timeout, this, &SlicedDeletion::goOn);
  m_timer.start(0);
}

void SlicedDeletion::goOn() {
  QElapsedTimer clock;
  clock.start();
  while (!m_widget.isNull() && clock.elapsed() < kDeletionMilliseconds) {
    QWidget* part = firstPart(m_widget);
    delete (part != nullptr ? part : m_widget.data());
  }
  if (m_widget.isNull()) delete this;
}

}  // namespace fathom
