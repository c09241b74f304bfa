// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

namespace fathom {

// Sizes in logical pixels (reference: look of the window, section 2).
namespace metrics {
inline constexpr int kGrid = 4;
inline constexpr int kMargin = 8;
inline constexpr int kGroupGap = 12;
inline constexpr int kFormRow = 28;
inline constexpr int kTableRow = 24;
inline constexpr int kIcon = 16;
inline constexpr int kToolIcon = 20;
}  // namespace metrics

// The colours of one theme. Text colours reach 4.5 : 1 on window and panel, marks 3 : 1 (tst_theme computes
// it).
struct Theme {
  bool dark = false;
  QColor window, panel, text, secondary, separator, accent, selection;
  // Run states; a queued run is drawn hollow in `secondary`.
  QColor running, finished, stopped, diverged, failed;

  static const Theme& light();
  static const Theme& darkTheme();
  // The theme of a palette: by the lightness of its window colour (Qt 6.4 has no colour-scheme hint).
  static const Theme& of(const QPalette& palette);

  QPalette palette() const;
  // Colour of a run, everywhere in the window: by the number of its look (core/base/numbers/series_look.h).
  QColor run(int index) const;
  // Colour for a state id: "running", "finished", "stopped", "diverged", "failed", "queued"; else
  // `secondary`.
  QColor state(const QString& id) const;
  // Application style sheet: flat docks, thin separators, visible focus. Only what a palette cannot say.
  QString styleSheet() const;
};

}  // namespace fathom
