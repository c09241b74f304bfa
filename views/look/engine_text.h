// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/base/errors/phrase.h"

namespace fathom {

// A phrase of core in the language of the window; its verbatim parts (names, SQL, numbers) stay.
QString phraseText(const Phrase& phrase);
// The same of a word of a table or at an axis, which may mean something else in a sentence.
QString wordText(const Phrase& phrase);
// A text that the engine or the core declares in English (option titles, help sentences), in the language of
// the window. The build writes those of `describe` into a source under the translation context "Engine".
QString engineText(const std::string& text);

// The text of an action or menu without its mnemonic: "&Train" and "训练(&T)" are "Train" and "训练".
QString withoutMnemonic(QString text);

// Plain conversions at the border between core (UTF-8) and Qt.
inline QString fromUtf8(const std::string& text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline std::string toUtf8(const QString& text) {
  return text.toStdString();
}

}  // namespace fathom
