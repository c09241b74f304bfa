// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/appearance.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCursor>
#include <QLibraryInfo>
#include <QLocale>
#include <QPainter>
#include <QPixmapCache>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTableView>
#include <QTextEdit>
#include <QTranslator>
#include <algorithm>

#include "app/window/session/focus_ring.h"
#include "views/look/theme.h"

namespace fathom {

namespace {

// Fusion draws the edges of fields darker than the window: on a dark one nobody sees where a field or a check
// box is. What has the keyboard has a ring of the accent, two pixels wide, in every theme, and the row or
// cell under the pointer a tint of it.
class SeenOutlines : public QProxyStyle {
 public:
  using QProxyStyle::polish;
  using QProxyStyle::QProxyStyle;
  void polish(QWidget* widget) override {
    QProxyStyle::polish(widget);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget)) view->viewport()->setAttribute(Qt::WA_Hover);
  }
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    if (element == PE_FrameFocusRect) return ring(option->rect, Theme::of(option->palette), painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_PanelItemViewItem) return tint(*option, painter, widget);
    const bool field = element == PE_FrameLineEdit || element == PE_IndicatorCheckBox ||
                       element == PE_IndicatorRadioButton || element == PE_IndicatorItemViewItemCheck ||
                       (element == PE_Frame && isText(widget));
    if (field) outline(*option, painter);
  }
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox || control == CC_ComboBox) outline(*option, painter);
  }

 private:
  static bool isText(const QWidget* widget) {
    return qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr;
  }
  static void ring(const QRectF& around, const Theme& theme, QPainter* painter) {
    constexpr double kWide = 2, kCorner = 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(theme.accent, kWide));
    painter->drawRoundedRect(around.adjusted(kWide / 2, kWide / 2, -kWide / 2, -kWide / 2), kCorner, kCorner);
    painter->restore();
  }
  static void outline(const QStyleOption& option, QPainter* painter) {
    const Theme& theme = Theme::of(option.palette);
    const bool focused = option.state.testFlag(State_HasFocus);
    if (focused) return ring(option.rect, theme, painter);
    if (!theme.dark && !theme.contrast) return;
    const bool enabled = option.state.testFlag(State_Enabled);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    const QColor edge = enabled ? theme.palette().color(QPalette::Disabled, QPalette::Text) : theme.separator;
    painter->setPen(theme.contrast ? theme.text : edge);
    constexpr double kCorner = 2;
    painter->drawRoundedRect(QRectF(option.rect).adjusted(.5, .5, -.5, -.5), kCorner, kCorner);
    painter->restore();
  }
  // Tints the whole row under the pointer where rows are chosen: a table tells so of one cell only.
  static void tint(const QStyleOption& option, QPainter* painter, const QWidget* widget) {
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(&option);
    if (item == nullptr || !item->state.testFlag(State_Enabled) || item->state.testFlag(State_Selected))
      return;
    bool over = item->state.testFlag(State_MouseOver);
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
};

// Qt remembers the font that a widget had when it was first styled, and a style sheet that is set anew gives
// it back: sizes that were set since are lost without this. What the sheet itself asks for stays Qt's matter.
void keepFonts() {
  constexpr const char* kRemembered = "_q_styleSheetWidgetFont";  // QStyleSheetStyle::saveWidgetFont()
  for (QWidget* widget : QApplication::allWidgets())
    if (widget->testAttribute(Qt::WA_SetFont)) widget->setProperty(kRemembered, QVariant());
}

// A style sheet is put on in any order: a part that comes before its parent takes over the font that the
// parent had.
void followParent(QWidget* parent) {
  for (QObject* each : parent->children()) {
    auto* part = qobject_cast<QWidget*>(each);
    if (part == nullptr || part->isWindow()) continue;
    const bool stale = part->font().pointSizeF() != parent->font().pointSizeF();
    if (stale && !part->testAttribute(Qt::WA_SetFont)) part->style()->polish(part);
    followParent(part);
  }
}

void tellAll(QEvent::Type type) {
  QList<QPointer<QWidget>> all;
  for (QWidget* widget : QApplication::allWidgets()) all.append(widget);
  for (const QPointer<QWidget>& widget : all) {
    QEvent change(type);
    if (widget) QApplication::sendEvent(widget, &change);
  }
}

}  // namespace

Appearance::Appearance()
    : m_platformFont(QApplication::font()),
      m_systemPalette(QApplication::palette()),
      m_systemFont(interfaceFont(m_platformFont)) {
  if (m_systemFont != m_platformFont) QApplication::setFont(m_systemFont);
  QApplication::setStyle(new SeenOutlines(QStyleFactory::create(QStringLiteral("Fusion"))));
  if (qApp->findChild<FocusRing*>({}, Qt::FindDirectChildrenOnly) == nullptr) new FocusRing(qApp);
}

Appearance::~Appearance() {
  if (QApplication::font() != m_platformFont) QApplication::setFont(m_platformFont);
}

// Desktops have fonts of their own; where none is set, fontconfig's stand-in is DejaVu Sans, the widest there
// is: Roboto (Debian: fonts-roboto-unhinted) sets the texts of the window in 87 % of its width, with digits
// of one width. A family that is not installed is passed over.
QFont Appearance::interfaceFont(const QFont& system) {
  constexpr const char* kStandIns[] = {"", "sans", "sans serif", "sans-serif", "dejavu sans"};
  const QString family = system.family().toLower();
  if (std::none_of(std::begin(kStandIns), std::end(kStandIns),
                   [&family](const char* each) { return family == QLatin1String(each); }))
    return system;
  QFont font = system;
  font.setFamilies({QStringLiteral("Roboto"), system.family(), QStringLiteral("DejaVu Sans")});
  return font;
}

void Appearance::setTextPercent(int percent) {
  constexpr int kSmallest = 70, kLargest = 200;
  percent = qBound(kSmallest, percent, kLargest);
  if (percent == m_textPercent) return;
  m_textPercent = percent;
  QFont font = m_systemFont;
  if (font.pointSizeF() > 0) {
    font.setPointSizeF(font.pointSizeF() * percent / 100);
  } else {
    font.setPixelSize(qMax(1, font.pixelSize() * percent / 100));
  }
  QApplication::setFont(font);
  // With a style sheet only windows take the new font over; what is in them does when it is styled again.
  if (!m_dressed) return;
  dressAgain();
  for (QWidget* window : QApplication::topLevelWidgets()) followParent(window);
  // A part that is styled after its panel heard of the size got the former one back: panels hear of it again.
  tellAll(QEvent::FontChange);
  keepFonts();
}

void Appearance::setTheme(const QString& id) {
  m_theme = QStringLiteral("system");
  for (const char* known : {"light", "dark", "contrast"})
    if (id == QLatin1String(known)) m_theme = id;
  const bool system = m_theme == QLatin1String("system");
  const bool asked = Theme::asksForContrast(m_systemPalette);
  const bool dark = m_theme == QLatin1String("dark") ||
                    (m_theme != QLatin1String("light") && Theme::of(m_systemPalette).dark);
  const Theme& theme = system && asked                        ? Theme::takeContrast(m_systemPalette)
                       : m_theme == QLatin1String("contrast") ? Theme::highContrast(dark)
                       : dark                                 ? Theme::darkTheme()
                                                              : Theme::light();
  QPixmapCache::clear();
  QApplication::setPalette(theme.palette());
  if (m_dressed) dressAgain();
}

void Appearance::dressAgain() {
  keepFonts();
  qApp->setStyleSheet(Theme::of(QApplication::palette()).styleSheet());
  // It also gives widgets with a palette of their own the one they had before: who colours its texts by the
  // theme hears of it once more.
  tellAll(QEvent::PaletteChange);
}

void Appearance::dress() {
  if (m_dressed) return;
  m_dressed = true;
  qApp->setStyleSheet(Theme::of(QApplication::palette()).styleSheet());
}

void Appearance::setLanguage(const QString& id) {
  m_language = id;
  if (m_ours) QApplication::removeTranslator(m_ours.get());
  if (m_qts) QApplication::removeTranslator(m_qts.get());
  m_ours.reset();
  m_qts.reset();
  const QString system = QLocale::system().name();
  const QString wanted = !id.isEmpty()                            ? id
                         : system.startsWith(QLatin1String("zh")) ? QStringLiteral("zh_CN")
                                                                  : QStringLiteral("en");
  QLocale::setDefault(id.isEmpty() ? QLocale::system() : QLocale(wanted));
  if (wanted != QLatin1String("zh_CN")) return;
  m_ours = std::make_unique<QTranslator>();
  if (m_ours->load(QStringLiteral(":/i18n/fathom_zh_CN.qm"))) QApplication::installTranslator(m_ours.get());
  m_qts = std::make_unique<QTranslator>();
  if (m_qts->load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QApplication::installTranslator(m_qts.get());
}

QList<QPair<QString, QString>> Appearance::languages() {
  return {{QStringLiteral("en"), QStringLiteral("English")},
          {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}};
}

}  // namespace fathom
