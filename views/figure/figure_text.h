// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/statistics/paper_table.h"  // markupOf

class QPainter;

namespace fathom {

// The markup of figure texts: <sub> <sup> <i> <b> (they nest), the entities &lt; &gt; &amp; and Greek letters
// by name (&beta; &mu;) or as characters. Anything else is plain text; an unknown tag or entity stays as it
// is typed.
struct TextRun {
  QString text;
  bool italic = false;
  bool bold = false;
  int script = 0;  // 1 raised, -1 lowered
};
std::vector<TextRun> parseMarkup(const QString& markup);
// Plain text that shows literally.
QString escapeMarkup(const QString& plain);
// Without `count` characters from `first` on, an ellipsis in their place.
std::vector<TextRun> withoutCharacters(const std::vector<TextRun>& runs, qsizetype first, qsizetype count);
// Text without its markup ("x_i" for x<sub>i</sub>), for tooltips, screen readers and file names.
QString plainText(const QString& markup);
// The same for LaTeX: special characters escaped, $x_{i}$, \textit, Greek as maths. Letters that pdfLaTeX may
// not have become \fathomletter{x}, those of another encoding \fathomlatin{x}; latexLetters defines both.
QString latexText(const QString& markup);
QString latexText(const std::vector<TextRun>& runs);
// Definitions that a file with this LaTeX must begin with: pdfLaTeX prints a question mark where it has no
// such letter.
std::string latexLetters(const std::string& text);

// Fonts are chosen by explicit family lists, character by character: the first family that has the character.
// A character that none has is reported, never replaced silently.
struct TextFont {
  QStringList families;
  double points = 9;
  bool bold = false;
};

// A laid-out line of text. Units are those of a painter at 96 per inch (1 pt = 96/72 units), whatever the
// device.
class TextLine {
 public:
  TextLine() = default;
  TextLine(const QString& markup, const TextFont& font);
  // `elided`: something was left out of them.
  TextLine(const std::vector<TextRun>& runs, const TextFont& font, bool elided = false);

  double width() const { return m_width; }
  double ascent() const { return m_ascent; }
  double descent() const { return m_descent; }
  double height() const { return m_ascent + m_descent; }
  bool elided() const { return m_elided; }
  QString plain() const;
  // The rest of the markup after cutting; a bold font does not count.
  std::vector<TextRun> runs() const;
  // Characters that no family has, in order; empty is good.
  const QString& missing() const { return m_missing; }

  // `baseline` is the left end of the baseline. `outlines` draws glyph paths instead of text (SVG).
  void draw(QPainter& painter, const QPointF& baseline, const QColor& colour, bool outlines = false) const;

 private:
  struct Piece {
    QString text;
    QFont font;  // its point size is the device-independent one
    double points = 0;
    double x = 0, rise = 0;
    TextRun run;
  };
  void layOut(const std::vector<TextRun>& runs, const TextFont& font);
  void addPiece(const QString& text, const QString& family, const TextRun& run, const TextFont& font);
  std::vector<Piece> m_pieces;
  double m_width = 0, m_ascent = 0, m_descent = 0;
  bool m_elided = false;
  QString m_missing;
};

// Part of a figure that a text names. Other: numbers and words of axes, counts.
enum class TextRole : std::uint8_t { Other, Title, LabelX, LabelY, LabelBar, LabelValues, Legend };

// A line with its place. Units as everywhere: 96 per inch.
struct PlacedText {
  TextLine line;
  QPointF baseline;      // left end of the baseline, before rotation about it
  bool upright = false;  // reads from bottom to top
  QColor colour;
  QString full;       // plain text before it was cut, for tooltips
  double points = 9;  // of the font
  bool bold = false;  // of the font
  double anchor = 0;  // what stays in place in a font of other widths: 0 start, 0.5 middle, 1 end
  TextRole role = TextRole::Other;

  QRectF box() const;
  void draw(QPainter& painter, bool outlines) const;
};

// True if a family is installed and has the character.
bool familyCovers(const QString& family, char32_t character);

}  // namespace fathom
