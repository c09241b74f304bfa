// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/label_layout.h"

#include <QRegularExpression>
#include <algorithm>

#include "views/figure/distinct_text.h"
#include "views/figure/title_layout.h"

namespace fathom {

namespace {

constexpr int kMostLabelLines = 3;
// The boxes of the fonts are higher than letters.
constexpr double kLabelStep = 1.4;

// Without the unit at its end.
QString titleIn(QString label) {
  static const QRegularExpression unit(QStringLiteral("\\s*[(（][^()（）]*[)）]$"));
  return label.remove(unit);
}

bool allFit(const std::vector<TextLine>& lines, double room) {
  return std::all_of(lines.begin(), lines.end(),
                     [room](const TextLine& line) { return line.width() <= room; });
}

std::vector<TextLine> wholeLines(const QString& whole, const QString& title, const TextFont& font,
                                 double room) {
  std::vector<TextLine> lines = {TextLine(whole, font)};
  if (allFit(lines, room)) return lines;
  if (!title.isEmpty() && title != whole) {
    lines = {TextLine(title, font), TextLine(whole.mid(title.size()).trimmed(), font)};
    if (allFit(lines, room)) return lines;
    const TextLine unit = lines.back();
    lines = fewLines(title, font, room, kMostLabelLines - 1);
    if (!lines.empty() && unit.width() <= room) {
      lines.push_back(unit);
      return lines;
    }
  }
  return fewLines(whole, font, room, kMostLabelLines);
}

}  // namespace

PlacedText cutText(const QString& markup, const TextFont& font, double room, const QColor& colour) {
  PlacedText text;
  text.line = linesApart({markup}, font, {std::max(room, 4.0)}).front();
  text.full = plainText(markup);
  text.colour = colour;
  text.points = font.points;
  text.bold = font.bold;
  return text;
}

std::vector<PlacedText> labelLines(const Phrase& label, const FigureStyle& style, double room,
                                   TextRole role) {
  if (label.empty()) return {};
  const TextFont font = style.font(style.labelPoints);
  const QString whole = QString::fromStdString(label.english());
  const QString title = titleIn(whole);
  std::vector<PlacedText> texts;
  for (TextLine& line : wholeLines(whole, title, font, room)) {
    texts.push_back(cutText({}, font, room, style.text));
    texts.back().line = std::move(line);
    texts.back().full = plainText(whole);
  }
  if (texts.empty()) texts.push_back(withoutUnit(label, style, room));
  for (PlacedText& text : texts) text.role = role;
  return texts;
}

PlacedText withoutUnit(const Phrase& label, const FigureStyle& style, double room) {
  const TextFont font = style.font(style.labelPoints);
  const QString whole = QString::fromStdString(label.english());
  const QString title = titleIn(whole);
  PlacedText text = cutText(whole, font, room, style.text);
  if (title.isEmpty() || title == whole || !text.line.elided()) return text;
  text.line = cutText(title, font, room, style.text).line;
  if (!text.line.elided()) text.line = TextLine(parseMarkup(title), font, /*elided=*/true);
  return text;
}

double labelStep(const FigureStyle& style) {
  return kLabelStep * textHeight(style, style.labelPoints);
}

double labelDepth(const Phrase& label, const FigureStyle& style, double room) {
  double highest = 0, lines = 0;
  for (const PlacedText& text : labelLines(label, style, room)) {
    highest = std::max(highest, text.line.height());
    ++lines;
  }
  return lines > 0 ? highest + (lines - 1) * labelStep(style) + gapOf(style) : 0;
}

void placeUpright(std::vector<PlacedText> lines, const FigureStyle& style, double x, double middle,
                  double top, double bottom, std::vector<PlacedText>& texts) {
  double longest = 0;
  for (const PlacedText& text : lines) longest = std::max(longest, text.line.width());
  const double half = longest / 2;
  const double kept = bottom - top < longest ? middle : std::clamp(middle, top + half, bottom - half);
  for (PlacedText& text : lines) {
    text.upright = true;
    text.anchor = 0.5;
    text.baseline = {x, kept + text.line.width() / 2};
    x += labelStep(style);
    texts.push_back(std::move(text));
  }
}

std::pair<double, double> uprightRoom(const QRectF& slot, const QRectF& area, double tickBottom,
                                      const FigureStyle& style) {
  const double half = unitsOf(style.labelPoints) / 4;
  return {std::min(slot.top() + half, area.top()), std::max(area.bottom(), tickBottom)};
}

}  // namespace fathom
