// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/appearance.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QPixmapCache>
#include <QStyleFactory>
#include <QTranslator>

#include "views/panels/theme.h"

namespace fathom {

Appearance::Appearance() : m_systemPalette(QApplication::palette()) {
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

Appearance::~Appearance() = default;

void Appearance::setTheme(const QString& id) {
  m_theme = id == QLatin1String("light") || id == QLatin1String("dark") ? id : QStringLiteral("system");
  const bool dark = m_theme == QLatin1String("dark") ||
                    (m_theme == QLatin1String("system") && Theme::of(m_systemPalette).dark);
  const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
  QPixmapCache::clear();
  QApplication::setPalette(theme.palette());
  if (m_dressed) qApp->setStyleSheet(theme.styleSheet());
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
