// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_picture.h"

#include <algorithm>
#include <cmath>

namespace fathom {

QImage figurePicture(FigureRenderer& renderer, const FigureSize& size, double scale) {
  const QSize units(static_cast<int>(std::lround(unitsOfMm(size.widthMm))),
                    static_cast<int>(std::lround(unitsOfMm(size.heightMm))));
  QImage image(QSize(static_cast<int>(std::lround(units.width() * scale)),
                     static_cast<int>(std::lround(units.height() * scale))),
               QImage::Format_RGB32);
  if (image.isNull()) return image;
  // Texts are laid out at 96 units per inch and scaled by the painter.
  constexpr int kDotsPerMetre = 3780;
  image.setDotsPerMeterX(kDotsPerMetre);
  image.setDotsPerMeterY(kDotsPerMetre);
  image.fill(renderer.style().background);
  renderer.paintTo(image, units, {false, false, scale});
  return image;
}

QImage figureThumbnail(const FigureSpec& spec, const FigureStyle& style, const QSize& box) {
  FigureRenderer renderer;
  if (!renderer.setFigure(spec, style).ok()) return {};
  const FigureSize size = figureSize(spec, style);
  const double scale =
      std::min(box.width() / unitsOfMm(size.widthMm), box.height() / unitsOfMm(size.heightMm));
  return figurePicture(renderer, size, scale);
}

}  // namespace fathom
