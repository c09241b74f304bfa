// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <string>

#include "core/base/errors/result.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

enum class FigureFormat { Pdf, Svg, Png, Pgf };
// By the ending of a path: .pdf .svg .png .tex; usage error otherwise.
Result<FigureFormat> figureFormatOf(const std::string& path);

struct ExportOptions {
  // Date written into the file, seconds since the epoch: the recipe's. The same figure, style and date give
  // the same bytes again with the same Fathom, Qt and fonts.
  qint64 date = 0;
  double pngDpi = 300;
  FigureChecks* found = nullptr;  // takes what a reader of the file would stumble over
};

// The bytes of the file. Refused with an error: a character that no font has, a page that differs from the
// asked size by more than 0.2 mm, two panels whose titles read the same. Needs a QApplication; any thread,
// but the drawing itself waits for the GUI thread. Never follows the dark theme unless the style says so.
Result<QByteArray> figureBytes(const FigureSpec& spec, const FigureStyle& style, FigureFormat format,
                               const ExportOptions& options = {});

// Writes the file atomically. For .tex the data go beside it as <stem>.dat and pictures as <stem>-1.png, …
// (see neighbour_file.h).
Status exportFigure(const FigureSpec& spec, const FigureStyle& style, const std::string& path,
                    const ExportOptions& options = {});
// And the numbers of the figure at that path: beside it, or as it where it ends in .csv.
Status writeNumbers(const std::string& figure, const std::string& csv, FigureChecks* found);

}  // namespace fathom
