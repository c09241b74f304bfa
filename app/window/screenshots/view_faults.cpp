// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshots/view_faults.h"

#include <QAbstractScrollArea>
#include <QRegularExpression>
#include <QScrollBar>
#include <QWidget>

namespace fathom {

namespace {

QString nameOf(const QObject* object) {
  QString name = QString::fromLatin1(object->metaObject()->className()).section(QStringLiteral("::"), -1);
  if (!object->objectName().isEmpty()) name += u'#' + object->objectName();
  return name;
}

QString pathTo(const QWidget* widget, const QWidget* view) {
  QStringList path;
  for (; widget != nullptr && widget != view; widget = widget->parentWidget()) path.prepend(nameOf(widget));
  path.prepend(nameOf(view));
  return path.join(QStringLiteral(" > "));
}

// What lies in a viewport is moved there by scroll bars.
bool isScrolled(const QWidget* parent) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
  return area != nullptr && area->viewport() == parent;
}

void checkParent(const QWidget* widget, const QString& where, QVector<ViewFault>* faults) {
  const QWidget* parent = widget->parentWidget();
  if (parent == nullptr || widget->isWindow() || isScrolled(parent)) return;
  // Handles of splitters are wider than what is seen of them, so that a pointer finds them.
  if (widget->inherits("QSplitterHandle") || widget->inherits("QSizeGrip") ||
      widget->objectName() == QLatin1String("qt_qmainwindow_extended_splitter"))
    return;
  const QRect inside = parent->rect(), own = widget->geometry();
  if (inside.contains(own)) return;
  faults->append({ViewFault::Kind::OutsideParent, where,
                  QStringLiteral("%1,%2 %3x%4 in %5x%6")
                      .arg(own.x())
                      .arg(own.y())
                      .arg(own.width())
                      .arg(own.height())
                      .arg(inside.width())
                      .arg(inside.height())});
}

bool scrolls(const QScrollBar* bar) {
  return bar != nullptr && bar->isVisible() && bar->maximum() > bar->minimum();
}

void checkScrolling(const QWidget* widget, const QString& where, QVector<ViewFault>* faults) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
  if (area == nullptr) return;
  for (const bool upright : {true, false}) {
    const auto bar = [upright](const QAbstractScrollArea* of) {
      return upright ? of->verticalScrollBar() : of->horizontalScrollBar();
    };
    if (!scrolls(bar(area))) continue;
    for (const QWidget* up = area->parentWidget(); up != nullptr && !up->isWindow();
         up = up->parentWidget()) {
      const auto* outer = qobject_cast<const QAbstractScrollArea*>(up);
      if (outer == nullptr || !scrolls(bar(outer))) continue;
      faults->append(
          {ViewFault::Kind::NestedScrolling, where,
           QStringLiteral("%1 inside of %2")
               .arg(upright ? QStringLiteral("upright") : QStringLiteral("sideways"), nameOf(up))});
    }
  }
}

// Seen at all: not scrolled away, not under an edge.
bool isSeen(const QWidget* widget, const QWidget* view) {
  return widget->isVisible() && widget->window() == view->window() && !widget->size().isEmpty() &&
         !widget->visibleRegion().isEmpty();
}

}  // namespace

QString faultWord(ViewFault::Kind kind) {
  switch (kind) {
    case ViewFault::Kind::TextCut:
      return QStringLiteral("text cut");
    case ViewFault::Kind::EqualNames:
      return QStringLiteral("equal names");
    case ViewFault::Kind::OutsideParent:
      return QStringLiteral("outside its parent");
    case ViewFault::Kind::NestedScrolling:
      return QStringLiteral("scroll bar inside a scroll bar");
    case ViewFault::Kind::Contrast:
      return QStringLiteral("contrast");
  }
  return {};
}

QVector<ViewFault> viewFaults(QWidget* view, const QImage& picture) {
  QVector<ViewFault> faults;
  QList<QWidget*> all = view->findChildren<QWidget*>();
  all.prepend(view);
  for (const QWidget* widget : std::as_const(all)) {
    if (!isSeen(widget, view)) continue;
    const QString where = pathTo(widget, view);
    if (widget != view) checkParent(widget, where, &faults);
    checkScrolling(widget, where, &faults);
    view_faults::checkText(widget, where, &faults);
    view_faults::checkNames(widget, where, &faults);
    view_faults::checkContrast(widget, view, picture, where, &faults);
  }
  return faults;
}

}  // namespace fathom
