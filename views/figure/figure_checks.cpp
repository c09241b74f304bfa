// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_checks.h"

#include <algorithm>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/figure/legend_layout.h"

namespace fathom {

namespace {

// Grey levels (of 255) that two marks must be apart.
constexpr int kTextsApart = 24;

QString shortText(const PlacedText& text) {
  return text.full.isEmpty() ? text.line.plain() : text.full;
}

void checkPlaces(const std::vector<PlacedText>& texts, const FigureSize& size, FigureChecks& checks) {
  const QRectF page(-1, -1, unitsOfMm(size.widthMm) + 2, unitsOfMm(size.heightMm) + 2);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const QRectF box = texts[i].box();
    if (texts[i].line.elided()) checks.cut.append(shortText(texts[i]));
    if (!page.contains(box)) checks.outside.append(shortText(texts[i]));
    for (std::size_t k = 0; k < i; ++k) {
      const QRectF common = box.intersected(texts[k].box());
      if (!common.isEmpty() && std::min(common.width(), common.height()) > unitsOf(0.5))
        checks.overlapping.append(shortText(texts[k]) + QStringLiteral(" | ") + shortText(texts[i]));
    }
  }
}

// Numbers and labels of one panel's axes that run into those of another.
void checkAxesApart(const FigureRenderer& renderer, FigureChecks& checks) {
  const std::vector<FigurePanel>& panels = renderer.spec().panels;
  const std::vector<PanelLayout>& layouts = renderer.layout().panels;
  std::vector<std::vector<PlacedText>> texts(layouts.size());
  for (std::size_t i = 0; i < layouts.size() && i < panels.size(); ++i) {
    texts[i] = placeTicks(panels[i], renderer.style(), layouts[i].area, renderer.ranges(i)).labels;
    const std::size_t first = layouts[i].title.value_or(0),
                      end = layouts[i].title ? first + layouts[i].titleLines : 0;
    for (std::size_t k = 0; k < layouts[i].texts.size(); ++k)
      if (k < first || k >= end) texts[i].push_back(layouts[i].texts[k]);
  }
  const double near = unitsOf(FigureChecks::kApartPoints);
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      for (const PlacedText& a : texts[k])
        for (const PlacedText& b : texts[i])
          if (a.box().adjusted(-near, 0, near, 0).intersects(b.box()))
            checks.touching.append(shortText(a) + QStringLiteral(" | ") + shortText(b));
}

// Equal titles leave open which panel is which, unless the axes tell: two figures of a page may both have a
// panel "decoder", of other quantities.
void checkTitles(const FigureRenderer& renderer, FigureChecks& checks) {
  const std::vector<FigurePanel>& panels = renderer.spec().panels;
  const std::vector<PanelLayout>& layouts = renderer.layout().panels;
  const auto title = [&layouts](std::size_t i) {
    return layouts[i].title ? &layouts[i].texts[*layouts[i].title] : nullptr;
  };
  const auto read = [&layouts](std::size_t i) {
    QString text;
    for (std::size_t line = 0; line < layouts[i].titleLines; ++line)
      text += layouts[i].texts[*layouts[i].title + line].line.plain() + QLatin1Char(' ');
    return text;
  };
  for (std::size_t i = 0; i < layouts.size() && i < panels.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const PlacedText *a = title(k), *b = title(i);
      if (a == nullptr || b == nullptr || read(k) != read(i)) continue;
      const bool axesTell = panels[k].x.label != panels[i].x.label || panels[k].y.label != panels[i].y.label;
      // Titles that differ and had no room for it are among the texts that are cut.
      if (a->full != b->full || axesTell) continue;
      checks.sameTitles.append(shortText(*a) + QStringLiteral(" | ") + shortText(*b));
    }
  }
}

bool sameForm(const FigureMark& a, const FigureMark& b) {
  return a.shape.index() == b.shape.index() && a.style.dash == b.style.dash &&
         a.style.marker == b.style.marker;
}

}  // namespace

bool alikeInGray(const FigureMark& a, const FigureMark& b, const FigureStyle& style) {
  if (!sameForm(a, b)) return false;
  const QColor first = grayscale(style.colour(QString::fromStdString(a.style.colour)));
  const QColor second = grayscale(style.colour(QString::fromStdString(b.style.colour)));
  return std::abs(first.red() - second.red()) < kTextsApart;
}

namespace {

void checkGray(const FigurePanel& panel, const FigureStyle& style, FigureChecks& checks) {
  const std::vector<std::size_t> named = legendNames(panel).marks;
  for (std::size_t i = 0; i < named.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const FigureMark &a = panel.marks[named[k]], &b = panel.marks[named[i]];
      if (a.label == b.label || !alikeInGray(a, b, style)) continue;
      checks.alikeInGray.append(plainText(QString::fromStdString(a.label.english())) + QStringLiteral(" | ") +
                                plainText(QString::fromStdString(b.label.english())));
    }
  }
}

}  // namespace

FigureChecks figureChecks(const FigureRenderer& renderer, const FigureSize& size) {
  const FigureStyle& style = renderer.style();
  FigureChecks checks;
  checks.smallestPoints = style.labelPoints;
  for (const FigurePanel& panel : renderer.spec().panels) {
    checks.smallestPoints = std::min(checks.smallestPoints, style.tickPoints);
    if (!panel.title.empty()) checks.smallestPoints = std::min(checks.smallestPoints, style.titlePoints);
    if (!legendNames(panel).marks.empty())
      checks.smallestPoints = std::min(checks.smallestPoints, style.legendPoints);
    checkGray(panel, style, checks);
  }
  checks.pageMm = style.mostHeightMm;
  checks.tooHighMm = std::max(0.0, size.heightMm - style.mostHeightMm);
  checkPlaces(renderer.texts(), size, checks);
  checkAxesApart(renderer, checks);
  checkTitles(renderer, checks);
  if (const Status glyphs = checkGlyphs(renderer.spec(), style); !glyphs.ok())
    checks.glyphs = glyphs.error().phrase();
  checks.alikeInGray.removeDuplicates();
  return checks;
}

}  // namespace fathom
