// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_text.h"

#include <QCache>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QRawFont>

namespace fathom {

namespace {

constexpr double kScriptSize = 0.72;
constexpr double kRaise = 0.36, kLower = 0.16;  // of the font size
// Above and below the baseline, of the font size: what letters occupy. The ascent that fonts name differs
// widely.
constexpr double kAscent = 0.78, kDescent = 0.22;
constexpr double kUnitsPerPoint = 96.0 / 72.0;

// Metrics at 96 dpi, independent of the screen.
const QImage& referenceDevice() {
  static const QImage image = [] {
    QImage made(1, 1, QImage::Format_ARGB32_Premultiplied);
    made.setDotsPerMeterX(3780);
    made.setDotsPerMeterY(3780);
    return made;
  }();
  return image;
}

const QRawFont& rawFont(const QString& family) {
  // A QRawFont belongs to its thread; files are also written by jobs.
  thread_local QHash<QString, QRawFont> known;
  auto found = known.find(family);
  if (found == known.end()) {
    QFont font(family);
    font.setStyleStrategy(QFont::NoFontMerging);
    font.setPixelSize(32);
    const bool installed = QFontDatabase::hasFamily(family);
    found = known.insert(family, installed ? QRawFont::fromFont(font) : QRawFont());
  }
  return *found;
}

QFont fontOf(const QString& family, double points, const TextRun& run, bool bold) {
  QFont font(family);
  font.setPointSizeF(points);
  font.setItalic(run.italic);
  font.setBold(run.bold || bold);
  font.setHintingPreference(QFont::PreferNoHinting);
  font.setStyleStrategy(static_cast<QFont::StyleStrategy>(QFont::NoFontMerging | QFont::PreferAntialias));
  return font;
}

}  // namespace

std::vector<TextRun> withoutCharacters(const std::vector<TextRun>& runs, qsizetype first, qsizetype count) {
  std::vector<TextRun> result;
  qsizetype at = 0;
  bool dotted = false;
  for (const TextRun& run : runs) {
    TextRun kept = run;
    kept.text.clear();
    for (const QChar letter : run.text) {
      if (at < first || at >= first + count) kept.text += letter;
      if (at == first && !dotted) kept.text += QStringLiteral("…");
      dotted = dotted || at >= first;
      ++at;
    }
    if (!kept.text.isEmpty()) result.push_back(std::move(kept));
  }
  return result;
}

bool familyCovers(const QString& family, char32_t character) {
  const QRawFont& font = rawFont(family);
  return font.isValid() && font.supportsCharacter(character);
}

// Ticks and legends are laid out again on every frame, so lines are kept.
TextLine::TextLine(const QString& markup, const TextFont& font) {
  constexpr int kKept = 4096;
  thread_local QCache<QString, TextLine> kept(kKept);
  const QString key = QStringLiteral("%1|%2|%3|%4")
                          .arg(font.families.join(u','))
                          .arg(font.points)
                          .arg(font.bold ? 1 : 0)
                          .arg(markup);
  if (const TextLine* found = kept.object(key)) {
    *this = *found;
    return;
  }
  layOut(parseMarkup(markup), font);
  kept.insert(key, new TextLine(*this));
}

TextLine::TextLine(const std::vector<TextRun>& runs, const TextFont& font, bool elided) : m_elided(elided) {
  layOut(runs, font);
}

void TextLine::layOut(const std::vector<TextRun>& runs, const TextFont& font) {
  m_pieces.clear();
  m_missing.clear();
  m_width = 0;
  const QString first = font.families.value(0);
  m_ascent = kAscent * font.points * kUnitsPerPoint;
  m_descent = kDescent * font.points * kUnitsPerPoint;
  for (const TextRun& run : runs) {
    QString pending, family;
    for (const char32_t character : run.text.toUcs4()) {
      const QString letter = QString::fromUcs4(&character, 1);
      QString chosen;
      for (const QString& candidate : font.families) {
        if (familyCovers(candidate, character)) {
          chosen = candidate;
          break;
        }
      }
      if (chosen.isEmpty()) {
        m_missing += letter;
        chosen = first;
      }
      if (chosen != family) {
        addPiece(pending, family, run, font);
        pending.clear();
        family = chosen;
      }
      pending += letter;
    }
    addPiece(pending, family, run, font);
  }
}

void TextLine::addPiece(const QString& text, const QString& family, const TextRun& run,
                        const TextFont& font) {
  if (text.isEmpty()) return;
  Piece piece;
  piece.text = text;
  piece.run = run;
  piece.points = run.script == 0 ? font.points : font.points * kScriptSize;
  piece.font = fontOf(family, piece.points, run, font.bold);
  piece.x = m_width;
  if (run.script > 0) piece.rise = kRaise * font.points * kUnitsPerPoint;
  if (run.script < 0) piece.rise = -kLower * font.points * kUnitsPerPoint;
  const QFontMetricsF metrics(piece.font, &referenceDevice());
  m_width += metrics.horizontalAdvance(text);
  m_ascent = std::max(m_ascent, piece.rise + kAscent * piece.points * kUnitsPerPoint);
  m_descent = std::max(m_descent, kDescent * piece.points * kUnitsPerPoint - piece.rise);
  m_pieces.push_back(std::move(piece));
}

QString TextLine::plain() const {
  QString text;
  for (const Piece& piece : m_pieces) text += piece.text;
  return text;
}

std::vector<TextRun> TextLine::runs() const {
  std::vector<TextRun> all;
  for (const Piece& piece : m_pieces) {
    all.push_back(piece.run);
    all.back().text = piece.text;
  }
  return all;
}

void TextLine::draw(QPainter& painter, const QPointF& baseline, const QColor& colour, bool outlines) const {
  const QPen pen = painter.pen();
  const QBrush brush = painter.brush();
  for (const Piece& piece : m_pieces) {
    const QPointF at(baseline.x() + piece.x, baseline.y() - piece.rise);
    QFont font = piece.font;
    if (outlines) {
      constexpr int kPathPixels = 128;
      font.setPixelSize(kPathPixels);
      QPainterPath path;
      path.addText(0, 0, font, piece.text);
      const double scale = piece.points * kUnitsPerPoint / kPathPixels;
      painter.setPen(Qt::NoPen);
      painter.setBrush(colour);
      painter.drawPath(QTransform::fromScale(scale, scale).map(path).translated(at));
    } else {
      // Point sizes are resolved by the device; ours are for 96 dpi.
      font.setPointSizeF(piece.points * 96.0 / painter.device()->logicalDpiY());
      painter.setFont(font);
      painter.setPen(colour);
      painter.drawText(at, piece.text);
    }
  }
  painter.setPen(pen);
  painter.setBrush(brush);
}

QRectF PlacedText::box() const {
  if (!upright) return QRectF(baseline.x(), baseline.y() - line.ascent(), line.width(), line.height());
  return QRectF(baseline.x() - line.ascent(), baseline.y() - line.width(), line.height(), line.width());
}

void PlacedText::draw(QPainter& painter, bool outlines) const {
  if (!upright) return line.draw(painter, baseline, colour, outlines);
  painter.save();
  painter.translate(baseline);
  painter.rotate(-90);
  line.draw(painter, {0, 0}, colour, outlines);
  painter.restore();
}

}  // namespace fathom
