// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace fathom {

// Look of the curve of a run, as one number: its hue is that of the run's configuration, its variant tells
// the configuration's runs apart, first by the dashes, then by the shade. A colour that a person chose
// outside of the palette is in the number, too. Library, tables and figures all speak of this number.
inline constexpr int kSeriesHues = 7, kSeriesDashes = 4, kSeriesShades = 3;
inline constexpr int kSeriesVariants = kSeriesDashes * kSeriesShades;

// Okabe-Ito without yellow, which is too light for thin lines; the last is white on dark paper.
inline constexpr std::array<std::uint32_t, kSeriesHues> kSeriesPalette = {
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000};

struct SeriesLook {
  int hue = 0;                       // 0 ... kSeriesHues - 1
  int shade = 0;                     // 0 as in the palette, 1 lighter, 2 darker
  int dash = 0;                      // 0 solid ... kSeriesDashes - 1
  std::optional<std::uint32_t> rgb;  // instead of the hue
  int variant() const { return dash + kSeriesDashes * shade; }
};

namespace series_look {
inline constexpr int kChosen = 1 << 30, kVariantShift = 24, kColourMask = 0xffffff;
}

constexpr SeriesLook seriesLook(int number) {
  SeriesLook look;
  if (number < 0) number = 0;
  int variant = number / kSeriesHues;
  if ((number & series_look::kChosen) != 0) {
    look.rgb = static_cast<std::uint32_t>(number & series_look::kColourMask);
    variant = (number & ~series_look::kChosen) >> series_look::kVariantShift;
  } else {
    look.hue = number % kSeriesHues;
  }
  variant %= kSeriesVariants;
  look.dash = variant % kSeriesDashes;
  look.shade = variant / kSeriesDashes;
  return look;
}

// The number of the same variant in another colour: one of the palette stays one on dark paper, too.
constexpr int inColour(int number, std::uint32_t rgb) {
  const int variant = seriesLook(number).variant();
  for (int hue = 0; hue < kSeriesHues; ++hue)
    if (kSeriesPalette[static_cast<std::size_t>(hue)] == rgb) return hue + kSeriesHues * variant;
  return series_look::kChosen | variant << series_look::kVariantShift |
         static_cast<int>(rgb & static_cast<std::uint32_t>(series_look::kColourMask));
}

// The same colour with the next dashes: what stands beside a run's own curve.
constexpr int withOtherDash(int number) {
  const SeriesLook look = seriesLook(number);
  const int variant = (look.dash + 1) % kSeriesDashes + kSeriesDashes * look.shade;
  if (look.rgb) return inColour(variant * kSeriesHues, *look.rgb);
  return look.hue + kSeriesHues * variant;
}

}  // namespace fathom
