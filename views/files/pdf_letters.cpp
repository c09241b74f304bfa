// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/files/pdf_letters.h"

#include <QRawFont>
#include <map>
#include <optional>
#include <set>

namespace fathom {

namespace {

class LetterMap {
 public:
  LetterMap(const std::vector<PlacedText>& drawn, const QStringList& families) {
    for (const PlacedText& text : drawn)
      for (const QChar letter : text.line.plain()) m_drawn.insert(letter.unicode());
    for (const QString& family : families) m_fonts.push_back(QRawFont::fromFont(QFont(family)));
  }

  // The letter that was drawn with the glyph of `named`, which was not.
  std::optional<char16_t> drawnFor(char16_t named) {
    if (m_drawn.count(named) > 0) return std::nullopt;
    const auto known = m_found.find(named);
    if (known != m_found.end()) return known->second;
    return m_found[named] = search(named);
  }

 private:
  static quint32 glyphOf(const QRawFont& font, char16_t letter) {
    const QList<quint32> glyphs = font.glyphIndexesForString(QString(QChar(letter)));
    return glyphs.isEmpty() ? 0 : glyphs.front();
  }
  std::optional<char16_t> search(char16_t named) const {
    for (const QRawFont& font : m_fonts) {
      const quint32 glyph = glyphOf(font, named);
      if (glyph == 0) continue;
      for (const char16_t letter : m_drawn)
        if (glyphOf(font, letter) == glyph) return letter;
    }
    return std::nullopt;
  }

  std::set<char16_t> m_drawn;
  std::vector<QRawFont> m_fonts;
  std::map<char16_t, std::optional<char16_t>> m_found;
};

}  // namespace

void nameDrawnLetters(QByteArray& pdf, const std::vector<PlacedText>& drawn, const QStringList& families) {
  LetterMap letters(drawn, families);
  constexpr qsizetype kDigits = 4;
  qsizetype at = 0;
  while ((at = pdf.indexOf("beginbfrange", at)) >= 0) {
    const qsizetype end = pdf.indexOf("endbfrange", at);
    if (end < 0) return;
    // The letters of a range of glyphs stand in brackets: "<0001> <0003> [<4E2D> <2F42> <2F47> ]".
    for (qsizetype open = pdf.indexOf('[', at); open >= 0 && open < end; open = pdf.indexOf('[', open + 1)) {
      const qsizetype close = pdf.indexOf(']', open);
      for (qsizetype code = pdf.indexOf('<', open); code >= 0 && code < close;
           code = pdf.indexOf('<', code + 1)) {
        if (pdf.indexOf('>', code) != code + 1 + kDigits) continue;  // a pair of surrogates has one glyph
        const auto named = static_cast<char16_t>(pdf.mid(code + 1, kDigits).toUShort(nullptr, 16));
        if (const auto letter = letters.drawnFor(named))
          pdf.replace(code + 1, kDigits,
                      QByteArray::number(*letter, 16).toUpper().rightJustified(kDigits, '0'));
      }
    }
    at = end;
  }
}

}  // namespace fathom
