// SPDX-License-Identifier: GPL-3.0-or-later
// Names that read the same, and texts that are too pale.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

#include "app/pictures/view_faults.h"
#include "views/figure/figure_colours.h"

namespace fathom {

namespace {

void equal(const QString& name, const QString& where, QVector<ViewFault>* faults) {
  faults->append({ViewFault::Kind::EqualNames, where, QStringLiteral("“%1”").arg(name)});
}

// Names beside each other: siblings in the first column of a list, while they are cut.
void checkRows(const QAbstractItemView* view, const QString& where, QVector<ViewFault>* faults) {
  QHash<QPair<QModelIndex, QString>, QString> seen;
  constexpr int kStep = 4, kInside = 40;
  QModelIndex last;
  for (int y = 2; y < view->viewport()->height(); y += kStep) {
    const QModelIndex index = view->indexAt({kInside, y});
    if (!index.isValid() || index == last) continue;
    last = index;
    const QString whole = index.data().toString(), shown = view_faults::shownText(view, index);
    if (shown.isEmpty()) continue;
    const auto known = seen.constFind({index.parent(), shown});
    if (known == seen.cend())
      seen.insert({index.parent(), shown}, whole);
    else if (*known != whole)
      equal(shown, where, faults);
  }
}

void checkOnce(const QStringList& names, const QString& where, QVector<ViewFault>* faults) {
  QStringList seen;
  for (const QString& name : names) {
    if (name.isEmpty()) continue;
    if (seen.contains(name)) equal(name, where, faults);
    seen.append(name);
  }
}

// The colour that most of a place has, and the one that differs most from it.
struct Colours {
  QColor ground, extreme;
};
// The ground of a button is a slow gradient: colours that nearly are one count as one, wherever it begins.
bool alike(QRgb a, QRgb b) {
  constexpr int kNear = 8;
  return qAbs(qRed(a) - qRed(b)) <= kNear && qAbs(qGreen(a) - qGreen(b)) <= kNear &&
         qAbs(qBlue(a) - qBlue(b)) <= kNear;
}

QColor groundOf(const QHash<QRgb, int>& counts) {
  constexpr int kCandidates = 48;
  QList<QRgb> frequent = counts.keys();
  std::sort(frequent.begin(), frequent.end(), [&counts](QRgb a, QRgb b) {
    const int ofA = counts.value(a), ofB = counts.value(b);
    return ofA != ofB ? ofA > ofB : a < b;
  });
  QRgb ground = 0;
  int most = 0;
  for (const QRgb candidate : frequent.first(qMin(kCandidates, int(frequent.size())))) {
    int size = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
      if (alike(it.key(), candidate)) size += it.value();
    if (size <= most) continue;
    most = size;
    // Its own most frequent colour: one beside it may have a few more neighbours.
    ground = *std::find_if(frequent.cbegin(), frequent.cend(),
                           [candidate](QRgb each) { return alike(each, candidate); });
  }
  return QColor(ground);
}

Colours coloursOf(const QImage& picture, const QRect& place) {
  QHash<QRgb, int> counts;
  const QRect inside = place.intersected(picture.rect());
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) ++counts[picture.pixel(x, y)];
  Colours colours;
  colours.ground = groundOf(counts);
  double best = 0;
  for (auto it = counts.cbegin(); it != counts.cend(); ++it)
    if (const double ratio = contrastRatio(QColor(it.key()), colours.ground); ratio > best) {
      best = ratio;
      colours.extreme = QColor(it.key());
    }
  return colours;
}

QString textOf(const QWidget* widget) {
  if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text();
  if (const auto* line = qobject_cast<const QLineEdit*>(widget))
    return line->text().isEmpty() ? line->placeholderText() : line->text();
  if (const auto* box = qobject_cast<const QComboBox*>(widget))
    return box->isEditable() ? QString() : box->currentText();
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  const auto* tool = qobject_cast<const QToolButton*>(widget);
  if (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
    return {};
  return button != nullptr ? button->text() : QString();
}

}  // namespace

void view_faults::checkNames(const QWidget* widget, const QString& where, QVector<ViewFault>* faults) {
  QStringList names;
  if (const auto* bar = qobject_cast<const QTabBar*>(widget)) {
    for (int i = 0; i < bar->count(); ++i)
      if (bar->isTabVisible(i)) names.append(bar->tabText(i));
    return checkOnce(names, where, faults);
  }
  if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
    for (int i = 0; i < box->count(); ++i) names.append(box->itemText(i));
    return checkOnce(names, where, faults);
  }
  const auto* view = qobject_cast<const QAbstractItemView*>(widget);
  if (view != nullptr && view->model() != nullptr && qobject_cast<const QHeaderView*>(view) == nullptr)
    return checkRows(view, where, faults);
  // Buttons with the same words beside each other.
  for (const auto* button : widget->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (!button->isVisible() || button->visibleRegion().isEmpty()) continue;
    names.append(button->text().isEmpty() ? button->accessibleName() : button->text());
  }
  checkOnce(names, where, faults);
}

// Contrast of the texts of a view. A disabled widget may be paler: it is told apart by that.
void view_faults::checkContrast(const QWidget* widget, const QWidget* view, const QImage& picture,
                                const QString& where, QVector<ViewFault>* faults) {
  const QString text = textOf(widget);
  if (text.trimmed().isEmpty() || !widget->isEnabled() || picture.isNull()) return;
  const double scale = picture.devicePixelRatio();
  const QPoint corner = widget->mapTo(const_cast<QWidget*>(view), QPoint());
  const QRect seen = widget->visibleRegion().boundingRect().translated(corner);
  const QRect place(qRound(seen.x() * scale), qRound(seen.y() * scale), qRound(seen.width() * scale),
                    qRound(seen.height() * scale));
  // A sliver at an edge has no letters.
  if (seen.height() < widget->fontMetrics().height() ||
      seen.width() < widget->fontMetrics().averageCharWidth())
    return;
  const Colours colours = coloursOf(picture, place);
  // Thin strokes are paler than their ink: the ink counts where the widget says what it is.
  const QColor ink = widget->palette().color(widget->foregroundRole());
  double ratio = contrastRatio(colours.extreme, colours.ground);
  if (!widget->property("primary").toBool()) ratio = qMax(ratio, contrastRatio(ink, colours.ground));
  constexpr double kLeast = 4.5;
  if (ratio < kLeast)
    faults->append({ViewFault::Kind::Contrast, where,
                    QStringLiteral("%1 : 1, %2 on %3: “%4”")
                        .arg(ratio, 0, 'f', 2)
                        .arg(colours.extreme.name(), colours.ground.name(), text.left(40))});
}

}  // namespace fathom
