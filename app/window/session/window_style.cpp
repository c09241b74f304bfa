// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/window_style.h"

#include <QAbstractItemView>
#include <QCursor>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QTextEdit>
#include <QToolButton>

#include "views/look/theme.h"

namespace fathom {

namespace {

constexpr double kCorner = 2;
constexpr int kLine = 1, kMark = 2;
// Around the texts of heads and tabs, of primary buttons and of choices, with their edges.
constexpr QSize kHeadRoom(2 * metrics::kMargin, 2 * metrics::kGrid + kLine);
constexpr QSize kPrimaryRoom(2 * (metrics::kGroupGap + kLine), 2 * (metrics::kGrid + kLine));
constexpr QSize kChoiceRoom(14, 8);

bool isText(const QWidget* widget) {
  return qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
         qobject_cast<const QTextEdit*>(widget) != nullptr;
}

// A list that opens over others, as that of a completer: without an edge it runs into what it lies on.
bool isPopup(const QWidget* widget) {
  return widget != nullptr && widget->windowType() == Qt::Popup && widget->inherits("QAbstractItemView");
}

void drawEdge(const QStyleOption& option, QPainter* painter) {
  const Theme& theme = Theme::of(option.palette);
  painter->save();
  painter->setPen(theme.contrast ? theme.text : theme.secondary);
  painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
  painter->restore();
}

bool isPrimary(const QWidget* widget) {
  return qobject_cast<const QPushButton*>(widget) != nullptr && widget->property("primary").toBool();
}

bool isChoice(const QWidget* widget) {
  return qobject_cast<const QToolButton*>(widget) != nullptr && widget->property("choice").toBool();
}

QFont semibold(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

// The widget with the keyboard has a ring of the accent, two pixels wide, in every theme.
void ring(const QRectF& around, const QColor& colour, QPainter* painter) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  painter->setPen(QPen(colour, kMark));
  const double half = kMark / 2.0;
  painter->drawRoundedRect(around.adjusted(half, half, -half, -half), kCorner, kCorner);
  painter->restore();
}

// Fusion draws the edges of fields darker than the window: on a dark one nobody sees where a field or a check
// box is.
void outline(const QStyleOption& option, QPainter* painter) {
  const Theme& theme = Theme::of(option.palette);
  if (option.state.testFlag(QStyle::State_HasFocus)) return ring(option.rect, theme.accent, painter);
  if (!theme.dark && !theme.contrast) return;
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  const QColor edge = enabled ? theme.palette().color(QPalette::Disabled, QPalette::Text) : theme.separator;
  painter->setPen(theme.contrast ? theme.text : edge);
  painter->drawRoundedRect(QRectF(option.rect).adjusted(.5, .5, -.5, -.5), kCorner, kCorner);
  painter->restore();
}

// Tints the row or cell under the pointer; the whole row where rows are chosen: a table tells so of one cell
// only.
void tint(const QStyleOption& option, QPainter* painter, const QWidget* widget) {
  const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(&option);
  if (item == nullptr || !item->state.testFlag(QStyle::State_Enabled) ||
      item->state.testFlag(QStyle::State_Selected))
    return;
  bool over = item->state.testFlag(QStyle::State_MouseOver);
  const auto* table = qobject_cast<const QTableView*>(widget);
  if (!over && table != nullptr && table->selectionBehavior() == QAbstractItemView::SelectRows &&
      table->viewport()->underMouse()) {
    const QPoint at = table->viewport()->mapFromGlobal(QCursor::pos());
    over = table->rowAt(at.y()) == item->index.row();
  }
  if (!over) return;
  constexpr double kShare = 0.10;
  QColor colour = Theme::of(option.palette).accent;
  colour.setAlphaF(kShare);
  painter->fillRect(option.rect, colour);
}

// A plate with an edge of so many pixels.
void plate(const QRect& area, const QColor& fill, const QColor& edge, int wide, QPainter* painter) {
  constexpr double kPlateCorner = 3;
  const double half = wide / 2.0;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(fill);
  painter->setPen(QPen(edge, wide));
  painter->drawRoundedRect(QRectF(area).adjusted(half, half, -half, -half), kPlateCorner, kPlateCorner);
  painter->restore();
}

void drawPrimaryPlate(const QStyleOption& option, QPainter* painter) {
  const Theme& theme = Theme::of(option.palette);
  if (!option.state.testFlag(QStyle::State_Enabled))
    return plate(option.rect, theme.selection, theme.separator, kLine, painter);
  const bool under = option.state & (QStyle::State_MouseOver | QStyle::State_Sunken);
  constexpr int kNearer = 112;
  const QColor fill = !under       ? theme.accent
                      : theme.dark ? theme.accent.lighter(kNearer)
                                   : theme.accent.darker(kNearer);
  const bool focused = option.state.testFlag(QStyle::State_HasFocus);
  plate(option.rect, fill, focused ? theme.text : theme.accent, focused ? kMark : kLine, painter);
}

QColor onAccent(const Theme& theme) {
  return theme.dark ? theme.window : theme.panel;
}

void drawChoicePlate(const QStyleOption& option, QPainter* painter) {
  const Theme& theme = Theme::of(option.palette);
  const bool chosen = option.state.testFlag(QStyle::State_On);
  const bool focused = option.state.testFlag(QStyle::State_HasFocus);
  const bool under = option.state & QStyle::State_MouseOver && option.state & QStyle::State_Enabled;
  const QColor fill = chosen ? theme.accent : under ? theme.selection : theme.window;
  const QColor edge = focused  ? (chosen ? theme.text : theme.accent)
                      : chosen ? theme.accent
                               : theme.separator;
  plate(option.rect, fill, edge, focused ? kMark : kLine, painter);
}

void drawTab(const QStyleOption& option, QPainter* painter) {
  const Theme& theme = Theme::of(option.palette);
  if (option.state.testFlag(QStyle::State_MouseOver)) painter->fillRect(option.rect, theme.selection);
  if (!option.state.testFlag(QStyle::State_Selected)) return;
  QRect mark = option.rect;
  mark.setTop(mark.bottom() + 1 - kMark);
  painter->fillRect(mark, theme.accent);
}

void drawHead(const QStyleOption& option, QPainter* painter) {
  const Theme& theme = Theme::of(option.palette);
  painter->fillRect(option.rect, theme.window);
  QRect line = option.rect;
  line.setTop(line.bottom());
  painter->fillRect(line, theme.separator);
}

void drawTip(const QStyleOption& option, QPainter* painter) {
  painter->fillRect(option.rect, option.palette.color(QPalette::ToolTipBase));
  painter->setPen(Theme::of(option.palette).separator);
  painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
}

QRect insideHead(const QRect& section) {
  return section.adjusted(metrics::kMargin, metrics::kGrid, -metrics::kMargin, -metrics::kGrid - kLine);
}

}  // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void WindowStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QTabBar*>(widget) != nullptr) widget->setAttribute(Qt::WA_Hover);
  auto* view = qobject_cast<QAbstractItemView*>(widget);
  if (view == nullptr) return;
  view->viewport()->setAttribute(Qt::WA_Hover);
  if (!view->inherits("QHeaderView"))
    view->setFrameStyle(isPopup(view) ? int(QFrame::Box) | int(QFrame::Plain) : int(QFrame::NoFrame));
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
  switch (element) {
    case PE_FrameFocusRect:
      return ring(option->rect, Theme::of(option->palette).accent, painter);
    case PE_FrameStatusBarItem:
    case PE_FrameTabBarBase:
    case PE_FrameTabWidget:
      return;
    case PE_IndicatorDockWidgetResizeHandle:
      return painter->fillRect(option->rect, Theme::of(option->palette).separator);
    case PE_PanelTipLabel:
      return drawTip(*option, painter);
    default:
      break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (element == PE_PanelItemViewItem) return tint(*option, painter, widget);
  const bool field = element == PE_FrameLineEdit || element == PE_IndicatorCheckBox ||
                     element == PE_IndicatorRadioButton || element == PE_IndicatorItemViewItemCheck ||
                     (element == PE_Frame && isText(widget));
  if (field) outline(*option, painter);
}

void WindowStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
  const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
  if (element == CE_PushButtonBevel && isPrimary(widget)) return drawPrimaryPlate(*option, painter);
  if (element == CE_PushButtonLabel && button != nullptr && isPrimary(widget))
    return drawPrimaryLabel(*button, painter, widget);
  if (element == CE_Header && header != nullptr) return drawHeader(*header, painter, widget);
  if (element == CE_HeaderSection || element == CE_HeaderEmptyArea) return drawHead(*option, painter);
  if (element == CE_TabBarTabShape) return drawTab(*option, painter);
  const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
  if (element == CE_TabBarTabLabel && tab != nullptr) return drawTabLabel(*tab, painter, widget);
  if (element == CE_ShapedFrame && isPopup(widget)) return drawEdge(*option, painter);
  if (element == CE_ToolBar) return painter->fillRect(option->rect, Theme::of(option->palette).window);
  QProxyStyle::drawControl(element, option, painter, widget);
}

// Its ring is that of the whole tab.
void WindowStyle::drawTabLabel(const QStyleOptionTab& option, QPainter* painter,
                               const QWidget* widget) const {
  QStyleOptionTab label = option;
  label.state.setFlag(State_HasFocus, false);
  QProxyStyle::drawControl(CE_TabBarTabLabel, &label, painter, widget);
  if (option.state.testFlag(State_HasFocus)) ring(option.rect, Theme::of(option.palette).accent, painter);
}

void WindowStyle::drawHeader(const QStyleOptionHeader& option, QPainter* painter,
                             const QWidget* widget) const {
  painter->save();
  painter->setClipRect(option.rect);
  drawHead(option, painter);
  QStyleOptionHeader part = option;
  part.rect = insideHead(option.rect);
  if (part.rect.isValid()) QProxyStyle::drawControl(CE_HeaderLabel, &part, painter, widget);
  if (option.sortIndicator != QStyleOptionHeader::None) {
    part.rect = subElementRect(SE_HeaderArrow, &option, widget);
    QProxyStyle::drawPrimitive(PE_IndicatorHeaderArrow, &part, painter, widget);
  }
  painter->restore();
}

void WindowStyle::drawPrimaryLabel(const QStyleOptionButton& option, QPainter* painter,
                                   const QWidget* widget) const {
  const Theme& theme = Theme::of(option.palette);
  QStyleOptionButton label = option;
  const bool enabled = option.state.testFlag(State_Enabled);
  label.palette.setColor(QPalette::ButtonText, enabled ? onAccent(theme) : theme.secondary);
  painter->save();
  painter->setFont(semibold(widget->font()));
  QProxyStyle::drawControl(CE_PushButtonLabel, &label, painter, widget);
  painter->restore();
}

void WindowStyle::drawChoice(const QStyleOptionToolButton& option, QPainter* painter,
                             const QWidget* widget) const {
  drawChoicePlate(option, painter);
  QStyleOptionToolButton label = option;
  const int aside = kChoiceRoom.width() / 2, above = kChoiceRoom.height() / 2;
  label.rect = option.rect.adjusted(aside, above, -aside, -above);
  if (option.state.testFlag(State_On))
    label.palette.setColor(QPalette::ButtonText, onAccent(Theme::of(option.palette)));
  QProxyStyle::drawControl(CE_ToolButtonLabel, &label, painter, widget);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                     QPainter* painter, const QWidget* widget) const {
  const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
  if (control == CC_ToolButton && tool != nullptr && isChoice(widget))
    return drawChoice(*tool, painter, widget);
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  if (control == CC_SpinBox || control == CC_ComboBox) outline(*option, painter);
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_DockWidgetSeparatorExtent:
      return kLine;
    case PM_ToolTipLabelFrameWidth:
    case PM_ToolBarFrameWidth:
    case PM_ToolBarItemSpacing:
      return metrics::kGrid;
    case PM_ToolBarItemMargin:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
      return 0;
    case PM_TabBarTabHSpace: {
      const bool narrow = widget != nullptr && widget->objectName() == QLatin1String("narrowTabs");
      return narrow ? metrics::kMargin : 2 * metrics::kMargin;
    }
    case PM_TabBarTabVSpace:
      return 2 * metrics::kGrid + kMark;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* answer) const {
  if (hint == SH_Table_GridLineColor && option != nullptr)
    return static_cast<int>(Theme::of(option->palette).separator.rgba());
  return QProxyStyle::styleHint(hint, option, widget, answer);
}

// The line in a spin box has the height that its text asks for.
QRect WindowStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                  const QWidget* widget) const {
  const QRect place = QProxyStyle::subControlRect(control, option, part, widget);
  return control == CC_SpinBox && part == SC_SpinBoxEditField ? place.adjusted(0, -1, 0, 1) : place;
}

QRect WindowStyle::subElementRect(SubElement element, const QStyleOption* option,
                                  const QWidget* widget) const {
  if (element == SE_TabWidgetTabContents)
    return QProxyStyle::subElementRect(SE_TabWidgetTabPane, option, widget);
  if (element == SE_HeaderLabel) return insideHead(option->rect);
  return QProxyStyle::subElementRect(element, option, widget);
}

QSize WindowStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                    const QWidget* widget) const {
  if (type == CT_PushButton && isPrimary(widget)) {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const QString text = button == nullptr ? QString() : button->text;
    const auto wide = [&text](const QFont& font) {
      return QFontMetrics(font).size(Qt::TextShowMnemonic, text).width();
    };
    return contents + kPrimaryRoom + QSize(wide(semibold(widget->font())) - wide(widget->font()), 0);
  }
  if (type == CT_ToolButton && isChoice(widget)) return contents + kChoiceRoom;
  const QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
  return type == CT_HeaderSection ? size + kHeadRoom : size;
}

}  // namespace fathom
