// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/appearance.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QPainter>
#include <QPixmapCache>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTranslator>

#include "views/look/theme.h"

namespace fathom {

namespace {

// Fusion draws the edges of fields darker than the window: on a dark one nobody sees where a field or a check
// box is. What has the keyboard has a ring of the accent, two pixels wide, in both themes.
class SeenOutlines : public QProxyStyle {
 public:
  using QProxyStyle::QProxyStyle;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    if (element == PE_FrameFocusRect) return ring(option->rect, Theme::of(option->palette), painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool field = element == PE_FrameLineEdit || element == PE_IndicatorCheckBox ||
                       element == PE_IndicatorItemViewItemCheck ||
                       (element == PE_Frame && qobject_cast<const QPlainTextEdit*>(widget) != nullptr);
    if (field) outline(*option, painter);
  }
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox) outline(*option, painter);
  }

 private:
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
    if (!theme.dark) return;
    const bool enabled = option.state.testFlag(State_Enabled);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    const QColor edge = enabled ? theme.palette().color(QPalette::Disabled, QPalette::Text) : theme.separator;
    painter->setPen(edge);
    constexpr double kCorner = 2;
    painter->drawRoundedRect(QRectF(option.rect).adjusted(.5, .5, -.5, -.5), kCorner, kCorner);
    painter->restore();
  }
};

// A style sheet that is set anew gives widgets with a palette of their own the one they had before: who
// colours its texts by the theme hears of it once more.
void tellPalette() {
  QList<QPointer<QWidget>> all;
  for (QWidget* widget : QApplication::allWidgets()) all.append(widget);
  for (const QPointer<QWidget>& widget : all) {
    QEvent change(QEvent::PaletteChange);
    if (widget) QApplication::sendEvent(widget, &change);
  }
}

}  // namespace

Appearance::Appearance() : m_systemPalette(QApplication::palette()), m_systemFont(QApplication::font()) {
  QApplication::setStyle(new SeenOutlines(QStyleFactory::create(QStringLiteral("Fusion"))));
}

Appearance::~Appearance() {
  if (m_textPercent != 100) QApplication::setFont(m_systemFont);
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
}

void Appearance::setTheme(const QString& id) {
  m_theme = id == QLatin1String("light") || id == QLatin1String("dark") ? id : QStringLiteral("system");
  const bool dark = m_theme == QLatin1String("dark") ||
                    (m_theme == QLatin1String("system") && Theme::of(m_systemPalette).dark);
  const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
  QPixmapCache::clear();
  QApplication::setPalette(theme.palette());
  if (!m_dressed) return;
  qApp->setStyleSheet(theme.styleSheet());
  tellPalette();
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
