// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace fathom {

QString engineText(const std::string& text) {
  if (text.empty()) return {};
  const QString translated = QCoreApplication::translate("Engine", text.c_str());
  // Fields of commands are declared like those of the engine, but belong to the program.
  return translated == fromUtf8(text) ? QCoreApplication::translate("Command", text.c_str()) : translated;
}

QString withoutMnemonic(QString text) {
  static const QRegularExpression added(QStringLiteral("\\(&.\\)"));
  return text.section(QLatin1Char('\t'), 0, 0).remove(added).remove(QLatin1Char('&'));
}

}  // namespace fathom
