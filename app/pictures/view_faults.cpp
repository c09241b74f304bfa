// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/view_faults.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLayout>
#include <QLineEdit>
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

// True for the content of a viewport, which scroll bars move.
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

// Collects the widgets that a layout and the layouts in it place.
void collectPlaced(QLayout* layout, QList<const QWidget*>* placed) {
  for (int i = 0; i < layout->count(); ++i) {
    QLayoutItem* item = layout->itemAt(i);
    if (item->layout() != nullptr) collectPlaced(item->layout(), placed);
    if (item->widget() != nullptr && item->widget()->isVisible()) placed->append(item->widget());
  }
}

// Parts that get less than they need are laid over each other.
void checkOverlap(const QWidget* widget, const QString& where, QVector<ViewFault>* faults) {
  if (widget->layout() == nullptr || widget->inherits("QMainWindow")) return;
  constexpr int kSharedHair = 1;
  QList<const QWidget*> placed;
  collectPlaced(widget->layout(), &placed);
  for (qsizetype i = 0; i < placed.size(); ++i)
    for (qsizetype j = i + 1; j < placed.size(); ++j) {
      const QRect shared = placed[i]->geometry() & placed[j]->geometry();
      if (shared.width() <= kSharedHair || shared.height() <= kSharedHair) continue;
      faults->append({ViewFault::Kind::Overlap, where,
                      QStringLiteral("%1 and %2 share %3x%4")
                          .arg(nameOf(placed[i]), nameOf(placed[j]))
                          .arg(shared.width())
                          .arg(shared.height())});
    }
}

void checkHeight(const QWidget* widget, const QString& where, QVector<ViewFault>* faults) {
  constexpr int kMissingHair = 2, kSeenRows = 2;
  const auto squeezed = [&](int needs, int has) {
    faults->append({ViewFault::Kind::Squeezed, where,
                    QStringLiteral("%1 needs %2 of %3").arg(nameOf(widget)).arg(needs).arg(has)});
  };
  if (qobject_cast<const QLineEdit*>(widget) != nullptr ||
      qobject_cast<const QComboBox*>(widget) != nullptr ||
      qobject_cast<const QAbstractSpinBox*>(widget) != nullptr) {
    const int needs = widget->minimumSizeHint().height();
    if (widget->height() < needs - kMissingHair) squeezed(needs, widget->height());
  }
  const auto* view = qobject_cast<const QAbstractItemView*>(widget);
  if (view == nullptr || view->model() == nullptr || widget->inherits("QHeaderView")) return;
  const QModelIndex last = view->model()->index(
      qMin(view->model()->rowCount(view->rootIndex()), kSeenRows) - 1, 0, view->rootIndex());
  // Rows as they are: long texts would be higher if they were wrapped.
  const int rows = last.isValid() ? (last.row() + 1) * view->visualRect(last).height() : 0;
  if (view->viewport()->height() < rows - kMissingHair) squeezed(rows, view->viewport()->height());
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

// Seen at all: not scrolled away, not under an edge. A list's rows cover the list.
bool isSeen(const QWidget* widget, const QWidget* view) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
  const QWidget* shown = area != nullptr ? area->viewport() : widget;
  return widget->isVisible() && widget->window() == view->window() && !widget->size().isEmpty() &&
         !shown->visibleRegion().isEmpty();
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
    case ViewFault::Kind::Overlap:
      return QStringLiteral("overlap");
    case ViewFault::Kind::Squeezed:
      return QStringLiteral("squeezed");
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
    checkOverlap(widget, where, &faults);
    checkHeight(widget, where, &faults);
    checkScrolling(widget, where, &faults);
    view_faults::checkText(widget, where, &faults);
    view_faults::checkNames(widget, where, &faults);
    view_faults::checkContrast(widget, view, picture, where, &faults);
  }
  return faults;
}

}  // namespace fathom
