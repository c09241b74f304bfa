// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/theme.h"

#include "views/figure/figure_colours.h"

namespace fathom {

namespace {

Theme makeLight() {
  Theme theme;
  theme.window = QColor(0xf6, 0xf7, 0xf9);
  theme.panel = QColor(0xff, 0xff, 0xff);
  theme.text = QColor(0x1b, 0x1f, 0x24);
  theme.secondary = QColor(0x5b, 0x64, 0x70);
  theme.separator = QColor(0xdd, 0xe1, 0xe6);
  theme.accent = QColor(0x0b, 0x6b, 0xcb);
  theme.selection = QColor(0xd6, 0xe8, 0xfa);
  theme.running = theme.accent;
  theme.finished = QColor(0x2e, 0x8b, 0x57);
  theme.stopped = theme.secondary;
  theme.diverged = QColor(0xd5, 0x5e, 0x00);
  theme.failed = QColor(0xc6, 0x28, 0x28);
  return theme;
}

Theme makeDark() {
  Theme theme;
  theme.dark = true;
  theme.window = QColor(0x16, 0x19, 0x1d);
  theme.panel = QColor(0x1e, 0x22, 0x27);
  theme.text = QColor(0xe4, 0xe7, 0xeb);
  theme.secondary = QColor(0x9a, 0xa4, 0xaf);
  theme.separator = QColor(0x30, 0x36, 0x3d);
  theme.accent = QColor(0x5a, 0xa9, 0xf0);
  theme.selection = QColor(0x1f, 0x3a, 0x56);
  theme.running = theme.accent;
  theme.finished = QColor(0x3f, 0xae, 0x70);
  theme.stopped = theme.secondary;
  theme.diverged = QColor(0xe8, 0x75, 0x1a);
  theme.failed = QColor(0xef, 0x6b, 0x6b);
  return theme;
}

Theme makeContrast(bool dark) {
  Theme theme = dark ? makeDark() : makeLight();
  theme.contrast = true;
  theme.window = theme.panel = dark ? QColor(0, 0, 0) : QColor(0xff, 0xff, 0xff);
  theme.text = theme.secondary = theme.separator = dark ? QColor(0xff, 0xff, 0xff) : QColor(0, 0, 0);
  theme.accent = dark ? QColor(0x6c, 0xc4, 0xff) : QColor(0, 0x3d, 0x99);
  theme.selection = dark ? QColor(0, 0x3c, 0x7a) : QColor(0xa9, 0xd2, 0xff);
  theme.running = theme.accent;
  theme.stopped = theme.secondary;
  if (!dark) {
    theme.finished = QColor(0, 0x60, 0x2b);
    theme.diverged = QColor(0x8a, 0x3c, 0);
    theme.failed = QColor(0xa0, 0, 0);
  } else {
    theme.finished = QColor(0x6f, 0xe0, 0x9c);
    theme.diverged = QColor(0xff, 0xa0, 0x57);
    theme.failed = QColor(0xff, 0x9a, 0x9a);
  }
  return theme;
}

// [light, dark]
Theme* contrastThemes() {
  static Theme themes[] = {makeContrast(false), makeContrast(true)};
  return themes;
}

bool isDark(const QColor& colour) {
  constexpr int kMiddle = 128;
  return colour.lightness() < kMiddle;
}

}  // namespace

const Theme& Theme::highContrast(bool dark) {
  return contrastThemes()[dark ? 1 : 0];
}

bool Theme::asksForContrast(const QPalette& palette) {
  constexpr double kWholeContrast = 15;
  const QColor window = palette.color(QPalette::Window);
  return palette.color(QPalette::Base) == window && palette.color(QPalette::Button) == window &&
         contrastRatio(palette.color(QPalette::WindowText), window) >= kWholeContrast;
}

const Theme& Theme::takeContrast(const QPalette& palette) {
  const bool dark = isDark(palette.color(QPalette::Window));
  Theme& theme = contrastThemes()[dark ? 1 : 0];
  theme = makeContrast(dark);
  constexpr double kReadable = 4.5;
  theme.window = theme.panel = palette.color(QPalette::Window);
  theme.text = theme.secondary = theme.separator = palette.color(QPalette::WindowText);
  if (const QColor link = palette.color(QPalette::Link); contrastRatio(link, theme.window) >= kReadable)
    theme.accent = theme.running = link;
  // A selection is drawn under texts of the usual colour.
  if (const QColor own = palette.color(QPalette::Highlight); contrastRatio(own, theme.text) >= kReadable)
    theme.selection = own;
  return theme;
}

const Theme& Theme::light() {
  static const Theme theme = makeLight();
  return theme;
}

const Theme& Theme::darkTheme() {
  static const Theme theme = makeDark();
  return theme;
}

const Theme& Theme::of(const QPalette& palette) {
  const QColor window = palette.color(QPalette::Window);
  const bool dark = isDark(window);
  const Theme& contrast = highContrast(dark);
  const bool own = window == contrast.window && palette.color(QPalette::Base) == contrast.panel &&
                   palette.color(QPalette::Button) == contrast.window;
  return own ? contrast : dark ? darkTheme() : light();
}

QPalette Theme::palette() const {
  QPalette result;
  const auto all = [&result](QPalette::ColorRole role, const QColor& colour) {
    result.setColor(role, colour);
  };
  all(QPalette::Window, window);
  all(QPalette::WindowText, text);
  all(QPalette::Base, panel);
  all(QPalette::AlternateBase, window);
  all(QPalette::Text, text);
  all(QPalette::PlaceholderText, secondary);
  all(QPalette::Button, contrast ? window : dark ? QColor(0x26, 0x2b, 0x31) : QColor(0xee, 0xf0, 0xf3));
  all(QPalette::ButtonText, text);
  all(QPalette::BrightText, failed);
  all(QPalette::ToolTipBase, contrast ? panel : dark ? QColor(0x2a, 0x30, 0x37) : QColor(0xff, 0xff, 0xff));
  all(QPalette::ToolTipText, text);
  all(QPalette::Highlight, selection);
  all(QPalette::HighlightedText, text);
  all(QPalette::Link, accent);
  all(QPalette::LinkVisited, accent);
  all(QPalette::Light, dark ? QColor(0x3a, 0x41, 0x49) : QColor(0xff, 0xff, 0xff));
  all(QPalette::Midlight, separator);
  all(QPalette::Mid, separator);
  all(QPalette::Dark, dark ? QColor(0x12, 0x15, 0x18) : QColor(0xb6, 0xbd, 0xc5));
  all(QPalette::Shadow, dark ? QColor(0x0c, 0x0e, 0x10) : QColor(0x8a, 0x93, 0x9d));
  const QColor faded = contrast ? (dark ? QColor(0xb8, 0xb8, 0xb8) : QColor(0x58, 0x58, 0x58))
                       : dark   ? QColor(0x6d, 0x76, 0x80)
                                : QColor(0x98, 0xa1, 0xab);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    result.setColor(QPalette::Disabled, role, faded);
  return result;
}

QColor Theme::run(int index) const {
  return lookColour(index, dark);
}

QColor Theme::state(const QString& id) const {
  if (id == QLatin1String("running")) return running;
  if (id == QLatin1String("finished")) return finished;
  if (id == QLatin1String("diverged")) return diverged;
  if (id == QLatin1String("failed")) return failed;
  return secondary;
}

QColor Theme::readable(const QColor& colour) const {
  constexpr double kReadable = 4.5;
  constexpr int kSteps = 20;
  const auto mixed = [&](int step) {
    const auto mix = [step](int from, int to) { return from + (to - from) * step / kSteps; };
    return QColor(mix(colour.red(), text.red()), mix(colour.green(), text.green()),
                  mix(colour.blue(), text.blue()));
  };
  for (int step = 0; step < kSteps; ++step)
    if (const QColor each = mixed(step);
        contrastRatio(each, window) >= kReadable && contrastRatio(each, panel) >= kReadable)
      return each;
  return text;
}

}  // namespace fathom
