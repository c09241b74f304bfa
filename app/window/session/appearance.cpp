// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/appearance.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QPixmapCache>
#include <QToolTip>
#include <QTranslator>
#include <algorithm>

#include "app/window/session/focus_ring.h"
#include "app/window/session/window_style.h"
#include "views/look/theme.h"

namespace fathom {

namespace {
constexpr int kSmallestPercent = 70, kLargestPercent = 200;  // of the system's size of texts
}  // namespace

Appearance::Appearance()
    : m_platformFont(QApplication::font()),
      m_systemPalette(QApplication::palette()),
      m_systemFont(interfaceFont(m_platformFont)) {
  m_soon.setSingleShot(true);
  QObject::connect(&m_soon, &QTimer::timeout, [this] { setTextPercent(m_wantedPercent); });
  if (m_systemFont != m_platformFont) QApplication::setFont(m_systemFont);
  QApplication::setStyle(new WindowStyle);
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

void Appearance::askTextPercent(int percent) {
  m_wantedPercent = qBound(kSmallestPercent, percent, kLargestPercent);
  m_soon.start(0);
}

void Appearance::setTextPercent(int percent) {
  m_soon.stop();
  percent = qBound(kSmallestPercent, percent, kLargestPercent);
  if (percent == m_textPercent) return;
  m_textPercent = percent;
  QFont font = m_systemFont;
  if (font.pointSizeF() > 0) {
    font.setPointSizeF(font.pointSizeF() * percent / 100);
  } else {
    font.setPixelSize(qMax(1, font.pixelSize() * percent / 100));
  }
  QApplication::setFont(font);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationFontChange);
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
  QToolTip::setPalette(theme.palette());
  // Qt posts it: what asks for colours next would have the former ones.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationPaletteChange);
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
