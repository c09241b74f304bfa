// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_colours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/errors/word_table.h"

namespace fathom {

namespace {

constexpr QRgb kOpaque = 0xff000000;

constexpr std::array<QRgb, 16> kViridis = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                           0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                           0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
constexpr std::array<QRgb, 16> kCividis = {0x00204d, 0x002c6a, 0x0f386e, 0x31446b, 0x46506b, 0x575c6d,
                                           0x666970, 0x757575, 0x848279, 0x958f78, 0xa69d75, 0xb8ab70,
                                           0xcbba69, 0xddc95f, 0xf1d951, 0xffea46};
constexpr std::array<QRgb, 5> kBlueWhiteRed = {0x2166ac, 0x92c5de, 0xf7f7f7, 0xf4a582, 0xb2182b};

template <std::size_t N>
QColor interpolate(const std::array<QRgb, N>& nodes, double t) {
  const double at = std::clamp(t, 0.0, 1.0) * (N - 1);
  const std::size_t low = std::min<std::size_t>(static_cast<std::size_t>(at), N - 2);
  const double share = at - static_cast<double>(low);
  const QColor a(nodes[low]), b(nodes[low + 1]);
  const auto mix = [share](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * share));
  };
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

QColor mixedColour(const QColor& from, const QColor& to, double share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return QColor(mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()));
}

double luminance(const QColor& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

}  // namespace

QColor seriesColour(int index, bool dark) {
  const int slot = ((index % kSeriesColours) + kSeriesColours) % kSeriesColours;
  const int shade = index < 0 ? 0 : index / kSeriesColours % kSeriesShades;
  QColor colour(kSeriesPalette[static_cast<std::size_t>(slot)] | kOpaque);
  if (dark && slot == kSeriesColours - 1) colour = QColor(0xe4, 0xe7, 0xeb);
  if (dark && slot == 0) colour = QColor(0x3d, 0x9b, 0xd9);  // 0072B2 is too dark for 3 : 1 on the dark panel
  if (shade == 0) return colour;
  // Away from the paper; what is black or white already the other way, as far as it stands out still.
  const bool neutral = slot == kSeriesColours - 1;
  const bool lighter = dark != neutral;
  return mixedColour(colour, lighter ? Qt::white : Qt::black, (neutral ? 0.22 : 0.3) * shade);
}

QColor standingOut(QColor colour, bool dark) {
  constexpr double kStandsOut = 3, kStep = 0.1;
  const QColor paper = dark ? QColor(0x1e, 0x22, 0x27) : QColor(Qt::white);
  for (int i = 0; i < 10 && contrastRatio(colour, paper) < kStandsOut; ++i)
    colour = mixedColour(colour, dark ? Qt::white : Qt::black, kStep);
  return colour;
}

QColor lookColour(int number, bool dark) {
  const SeriesLook look = seriesLook(number);
  return look.rgb ? standingOut(QColor(*look.rgb | kOpaque), dark)
                  : seriesColour(look.hue + kSeriesColours * look.shade, dark);
}

QColor categoryColour(const QString& category) {
  if (category == QLatin1String("false_negative")) return QColor(0x00, 0x9e, 0x73);
  if (category == QLatin1String("column")) return QColor(0x00, 0x72, 0xb2);
  if (category == QLatin1String("sketch")) return QColor(0xe6, 0x9f, 0x00);
  if (category == QLatin1String("both")) return QColor(0xcc, 0x79, 0xa7);
  return QColor();
}

ColourMap colourMapNamed(std::string_view word) {
  static constexpr EnumWord<ColourMap> kMaps[] = {{ColourMap::Viridis, "viridis"},
                                                  {ColourMap::Cividis, "cividis"},
                                                  {ColourMap::BlueWhiteRed, "blue_white_red"}};
  return findWord(kMaps, word).value_or(ColourMap::Viridis);
}

QColor mapColour(ColourMap map, double t) {
  if (std::isnan(t)) return QColor(0xb8, 0xbe, 0xc6);
  switch (map) {
    case ColourMap::Viridis:
      return interpolate(kViridis, t);
    case ColourMap::Cividis:
      return interpolate(kCividis, t);
    case ColourMap::BlueWhiteRed:
      return interpolate(kBlueWhiteRed, t);
  }
  return QColor();
}

const std::vector<QRgb>& mapSteps(ColourMap map, bool gray) {
  const auto compute = [](bool inGray) {
    std::array<std::vector<QRgb>, 3> all;
    for (const ColourMap each : {ColourMap::Viridis, ColourMap::Cividis, ColourMap::BlueWhiteRed})
      for (int i = 0; i < kMapSteps; ++i) {
        const QColor colour = mapColour(each, static_cast<double>(i) / (kMapSteps - 1));
        all[static_cast<std::size_t>(each)].push_back((inGray ? grayscale(colour) : colour).rgb());
      }
    return all;
  };
  static const std::array<std::vector<QRgb>, 3> colours = compute(false), grays = compute(true);
  return (gray ? grays : colours)[static_cast<std::size_t>(map)];
}

ColourLimits colourLimits(double low, double high) {
  if (low < high) return {low, high};
  const double around = low != 0 ? std::abs(low) * 0.1 : 0.5;
  return {low - around, low + around};
}

double contrastRatio(const QColor& a, const QColor& b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor grayscale(const QColor& colour) {
  const double y = luminance(colour);
  const double value = y <= 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
  const int level = static_cast<int>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
  return QColor(level, level, level, colour.alpha());
}

}  // namespace fathom
