// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <array>

namespace fathom {

namespace {

// Contexts of texts that are declared for a window and looked up by their English: marked phrases, what
// `describe` and the presets carry, fields of commands.
// (lupdate writes a phrase under "Phrase" where it has not understood the file.)
constexpr std::array kPhraseFirst = {"fathom::Phrase", "Phrase", "Engine", "Command", "TableWord"};
constexpr std::array kEngineFirst = {"Engine", "fathom::Phrase", "Phrase", "Command", "TableWord"};

// "extra" of a table is a hardness, elsewhere it is a stack of layers.
constexpr std::array kTableFirst = {"TableWord", "fathom::Phrase", "Phrase", "Engine", "Command"};

std::string translated(const std::string& english, const std::array<const char*, 5>& contexts) {
  for (const char* context : contexts) {
    const QString text = QCoreApplication::translate(context, english.c_str());
    if (std::string found = toUtf8(text); found != english) return found;
  }
  return english;
}

}  // namespace

QString phraseText(const Phrase& phrase) {
  return fromUtf8(phrase.said([](const std::string& english) { return translated(english, kPhraseFirst); }));
}

QString wordText(const Phrase& phrase) {
  return fromUtf8(phrase.said([](const std::string& english) { return translated(english, kTableFirst); }));
}

QString engineText(const std::string& text) {
  return text.empty() ? QString() : fromUtf8(translated(text, kEngineFirst));
}

QString withoutMnemonic(QString text) {
  static const QRegularExpression added(QStringLiteral("\\(&[^&]\\)")), key(QStringLiteral("&(.?)"));
  return text.section(QLatin1Char('\t'), 0, 0).remove(added).replace(key, QStringLiteral("\\1"));
}

}  // namespace fathom
