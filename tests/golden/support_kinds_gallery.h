// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include "views/figure/figure_spec.h"

namespace fathom::gallery {

// Every figure that can be made (figures.list), and forms of them that look different: an id with its
// options, "output_shift form=together"; a kind that is added to the lists is among them by itself.
QStringList everyFigure();
// One of them, of made-up runs or predictions. A kind that nothing here can be drawn of is an error.
Result<FigureSpec> namedFigure(const QString& name);

}  // namespace fathom::gallery
