// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "views/figures/figure_entry.h"

namespace fathom::gallery {

// "form=map order=head" as a list.
std::vector<std::string> optionWords(const QString& text);
// A figure of figures.list of what `source` has, with options "key=value".
Result<FigureSpec> builtFigure(const std::string& figure, const std::vector<std::string>& assignments,
                               AnalysisSource& source);

}  // namespace fathom::gallery
