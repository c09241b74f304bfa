// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/title_layout.h"

#include <algorithm>

#include "views/figure/distinct_text.h"

namespace fathom {

double gapOf(const FigureStyle& style) {
  return std::max(4.0, 0.42 * unitsOf(style.labelPoints));
}

double textHeight(const FigureStyle& style, double points) {
  return TextLine(QStringLiteral("Ag"), style.font(points)).height();
}

namespace {

// From one line of a title to the next, in heights of a line: the boxes of the fonts are higher than letters.
constexpr double kTitleStep = 1.55;

constexpr int kMostTitleLines = 3;

// Between titles of neighbours, in heights of a line.
constexpr double kTitlesApart = 0.8;

// Of the title above the panel: as many as it needs, as long as they are few.
std::vector<TextLine> titleLines(const FigurePanel& panel, const FigureStyle& style, double width) {
  const TextFont font = style.font(style.titlePoints, true);
  const QString title = QString::fromStdString(panel.title.english());
  TextLine whole(title, font);
  if (whole.width() > width) {
    std::vector<TextLine> lines = fewLines(title, font, width, kMostTitleLines);
    if (!lines.empty()) return lines;
  }
  return {std::move(whole)};
}

// Between the title and the plot. Beside the plot there are numbers, half of which stand above it.
double titleGap(const FigureStyle& style, const std::vector<TextLine>& lines, double plotWidth) {
  constexpr double kHalfANumber = 0.5;
  const bool reachesBeside =
      std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) { return line.width() > plotWidth; });
  return gapOf(style) + (reachesBeside ? kHalfANumber * textHeight(style, style.tickPoints) : 0);
}

void addTitle(PanelLayout& panel, const FigureStyle& style, const QString& full,
              std::vector<TextLine> lines) {
  const TextFont font = style.font(style.titlePoints, true);
  panel.title = panel.texts.size();
  panel.titleLines = lines.size();
  const double gap = titleGap(style, lines, panel.area.width());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    PlacedText title;
    title.line = std::move(lines[i]);
    title.full = full;
    title.colour = style.text;
    title.points = font.points;
    title.bold = font.bold;
    const double above =
        static_cast<double>(lines.size() - 1 - i) * kTitleStep * textHeight(style, style.titlePoints);
    title.baseline = {panel.area.left(), panel.area.top() - gap - title.line.descent() - above};
    panel.texts.push_back(std::move(title));
  }
}

}  // namespace

double titleHeight(const FigurePanel& panel, const FigureStyle& style, double room, double plotWidth) {
  const std::vector<TextLine> lines = titleLines(panel, style, room);
  return (1 + static_cast<double>(lines.size() - 1) * kTitleStep) * textHeight(style, style.titlePoints) +
         titleGap(style, lines, plotWidth);
}

double titleRoom(const FigureSpec& spec, const FigureLayout& layout, const FigureStyle& style,
                 std::size_t panel) {
  const FigurePanel& of = spec.panels[panel];
  const double left = layout.panels[panel].area.left();
  const auto beside = [&](const FigurePanel& other) {
    return other.row < of.row + of.rowSpan && of.row < other.row + other.rowSpan && other.column > of.column;
  };
  double right = layout.size.width() - gapOf(style);
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& other = spec.panels[i];
    if (!beside(other) || (other.title.empty() && other.row == of.row)) continue;
    right =
        std::min(right, layout.panels[i].area.left() - kTitlesApart * textHeight(style, style.titlePoints));
  }
  return std::max(right, layout.panels[panel].area.right()) - left;
}

void placeTitles(const FigureSpec& spec, const FigureStyle& style, FigureLayout& layout) {
  std::vector<std::size_t> tooLong;
  std::vector<QString> titles;
  std::vector<double> rooms;
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    if (spec.panels[i].title.empty()) continue;
    const QString title = QString::fromStdString(spec.panels[i].title.english());
    const double room = std::max(titleRoom(spec, layout, style, i), 4.0);
    std::vector<TextLine> lines = titleLines(spec.panels[i], style, room);
    if (lines.size() == 1 && lines.front().width() > room) {
      tooLong.push_back(i);
      titles.push_back(title);
      rooms.push_back(room);
    } else {
      addTitle(layout.panels[i], style, plainText(title), std::move(lines));
    }
  }
  std::vector<TextLine> cut = linesApart(titles, style.font(style.titlePoints, true), rooms);
  for (std::size_t k = 0; k < tooLong.size(); ++k)
    addTitle(layout.panels[tooLong[k]], style, plainText(titles[k]), {std::move(cut[k])});
}

}  // namespace fathom
