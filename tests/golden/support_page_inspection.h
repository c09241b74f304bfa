// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom::test {

// The narrowest, the widest and the style with the largest letters: where a figure has the least room.
bool isExtremeStyle(const QString& style);

// Whether all programs are installed.
bool installed(std::initializer_list<const char*> programs);
// Whether LaTeX finds a file, such as "pgfplots.sty".
bool installedTexFile(const char* name);

// Writes `path` and looks into it with poppler: fonts embedded and none of Type 3, no raster but large heat
// maps, the page's size, no text outside of it, none on another by more than half a point. What is wrong;
// empty = nothing. Where FATHOM_PICTURES names a folder, a copy is kept there under `name`.
QString pdfProblem(const FigureSpec& spec, const FigureStyle& style, const QString& path,
                   const QString& name);
// The same for SVG with librsvg: it opens, has the page's shape, and something is drawn.
QString svgProblem(const FigureSpec& spec, const FigureStyle& style, const QString& path);

struct LatexFigure {
  QString name;
  FigureSpec spec;
  FigureStyle style;
};
// Exports all of them as .tex into `folder` and compiles them with pdflatex, a page each: it compiles, the
// pages have their size, and no text leaves its page or lies on another. What is wrong; empty = nothing.
QString latexProblem(const std::vector<LatexFigure>& figures, const QString& folder);

}  // namespace fathom::test
