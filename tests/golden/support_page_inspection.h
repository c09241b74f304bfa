// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom::test {

// Whether all programs are installed.
bool installed(std::initializer_list<const char*> programs);

// Writes `path` and looks into it with poppler: fonts embedded and none of Type 3, no raster but large heat
// maps, the page's size, no text outside of it, none on another by more than half a point. What is wrong;
// empty = nothing. Where FATHOM_PICTURES names a folder, a copy is kept there under `name`.
QString pdfProblem(const FigureSpec& spec, const FigureStyle& style, const QString& path,
                   const QString& name);
// The same for SVG with librsvg: it opens, has the page's shape, and something is drawn.
QString svgProblem(const FigureSpec& spec, const FigureStyle& style, const QString& path);

}  // namespace fathom::test
