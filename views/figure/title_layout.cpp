// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/title_layout.h"

#include <algorithm>
#include <cmath>

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

// Lines of the title above the panel: as many as it needs, as long as they are few.
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

struct PlannedTitle {
  std::vector<TextLine> lines;  // none: no title
  double room = 0;
  double gap = 0;
  bool tooLong() const { return lines.size() == 1 && lines.front().width() > room; }
};

std::vector<PlannedTitle> plannedTitles(const FigureSpec& spec, const FigureStyle& style,
                                        const FigureLayout& layout) {
  constexpr double kSameHeight = 1;
  std::vector<PlannedTitle> titles(spec.panels.size());
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (spec.panels[i].title.empty()) continue;
    titles[i].room = std::max(titleRoom(spec, layout, style, i), 4.0);
    titles[i].lines = titleLines(spec.panels[i], style, titles[i].room);
    titles[i].gap = titleGap(style, titles[i].lines, layout.panels[i].area.width());
  }
  std::vector<double> gaps(titles.size());
  for (std::size_t i = 0; i < titles.size(); ++i) {
    for (std::size_t k = 0; k < titles.size(); ++k) {
      const bool beside = spec.panels[k].row == spec.panels[i].row &&
                          std::abs(layout.panels[k].area.top() - layout.panels[i].area.top()) < kSameHeight;
      if (beside) gaps[i] = std::max(gaps[i], titles[k].gap);
    }
  }
  for (std::size_t i = 0; i < titles.size(); ++i) titles[i].gap = gaps[i];
  return titles;
}

void addTitle(PanelLayout& panel, const FigureStyle& style, const QString& full, std::vector<TextLine> lines,
              double gap) {
  const TextFont font = style.font(style.titlePoints, true);
  panel.title = panel.texts.size();
  panel.titleLines = lines.size();
  // One distance for all titles of a row: letters that reach lower do not lift the others of their line.
  const double descent = TextLine(QStringLiteral("Ag"), font).descent();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    PlacedText title;
    title.line = std::move(lines[i]);
    title.full = full;
    title.colour = style.text;
    title.points = font.points;
    title.bold = font.bold;
    title.role = TextRole::Title;
    const double above =
        static_cast<double>(lines.size() - 1 - i) * kTitleStep * textHeight(style, style.titlePoints);
    title.baseline = {panel.area.left(), panel.area.top() - gap - descent - above};
    panel.texts.push_back(std::move(title));
  }
}

}  // namespace

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

std::vector<double> titleHeights(const FigureSpec& spec, const FigureStyle& style,
                                 const FigureLayout& layout) {
  std::vector<double> heights;
  for (const PlannedTitle& title : plannedTitles(spec, style, layout)) {
    const double lines = static_cast<double>(title.lines.size());
    heights.push_back(title.lines.empty()
                          ? 0
                          : (1 + (lines - 1) * kTitleStep) * textHeight(style, style.titlePoints) +
                                title.gap);
  }
  return heights;
}

void placeTitles(const FigureSpec& spec, const FigureStyle& style, FigureLayout& layout) {
  std::vector<PlannedTitle> planned = plannedTitles(spec, style, layout);
  std::vector<std::size_t> tooLong;
  std::vector<QString> titles;
  std::vector<double> rooms;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (planned[i].lines.empty()) continue;
    const QString title = QString::fromStdString(spec.panels[i].title.english());
    if (planned[i].tooLong()) {
      tooLong.push_back(i);
      titles.push_back(title);
      rooms.push_back(planned[i].room);
    } else {
      addTitle(layout.panels[i], style, plainText(title), std::move(planned[i].lines), planned[i].gap);
    }
  }
  std::vector<TextLine> cut = linesApart(titles, style.font(style.titlePoints, true), rooms);
  for (std::size_t k = 0; k < tooLong.size(); ++k)
    addTitle(layout.panels[tooLong[k]], style, plainText(titles[k]), {std::move(cut[k])},
             planned[tooLong[k]].gap);
}

}  // namespace fathom
