// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "views/figure/figure_renderer.h"

namespace fathom {

// The page as pixels, `scale` of them per unit of 1/96 inch: what a PNG holds and a preview shows. Null where
// there is no memory for it. Leaves the renderer laid out for that page.
QImage figurePicture(FigureRenderer& renderer, const FigureSize& size, double scale);

// A page no larger than `box` pixels, for lists. Null for a figure that cannot be drawn.
QImage figureThumbnail(const FigureSpec& spec, const FigureStyle& style, const QSize& box);

}  // namespace fathom
