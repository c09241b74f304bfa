// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support_drawn_page.h"
#include "views/figure/pgf_writer.h"

namespace fathom::test {

// What LaTeX draws of a file for PGFPlots, read as PGF and PGFPlots read it: axes clip paths, but not markers
// whose middle is inside; logarithms of nothing break a line. Words shrink nowhere. `problem` takes the first
// line that is not understood.
DrawnPage pageOfLatex(const PgfFigure& figure, QString& problem);

}  // namespace fathom::test
