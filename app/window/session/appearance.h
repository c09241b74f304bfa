// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QList>
#include <QPalette>
#include <QString>
#include <QTimer>
#include <memory>

#include "views/look/qt_names.h"

namespace fathom {

// Light and dark, the size of texts, and the language, of the whole application. One object per process, made
// after QApplication.
class Appearance {
 public:
  Appearance();
  ~Appearance();
  // The interface font of a desktop that names none of its own: a narrower one than the usual stand-in, with
  // that behind it.
  static QFont interfaceFont(const QFont& system);
  // "system", "light", "dark", "contrast" (as light or dark as the system); anything else is "system": the
  // lightness of the palette the platform gave at start, and its colours where they are of high contrast.
  void setTheme(const QString& id);
  const QString& theme() const { return m_theme; }
  // Texts in percent of the system's size, 70 to 200; anything else becomes the nearest.
  void setTextPercent(int percent);
  int textPercent() const { return m_textPercent; }
  // The same in a turn of the event loop: of the steps that a key asks for while it is held down the last one
  // is shown. Until then wantedTextPercent() is what was asked for.
  void askTextPercent(int percent);
  int wantedTextPercent() const { return m_soon.isActive() ? m_wantedPercent : m_textPercent; }
  // "en", "zh_CN"; "" = the language of the system where we have it. Texts that are shown already stay; the
  // host makes its windows anew.
  void setLanguage(const QString& id);
  const QString& language() const { return m_language; }
  static QList<QPair<QString, QString>> languages();  // id, name in itself

 private:
  QFont m_platformFont;
  QPalette m_systemPalette;
  QFont m_systemFont;
  int m_textPercent = 100, m_wantedPercent = 100;
  QTimer m_soon;
  QString m_theme;
  QString m_language;
  std::unique_ptr<QTranslator> m_ours, m_qts;
};

}  // namespace fathom
