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
  bool contrast =
      false;  // of somebody who needs all there is: nothing is paler than the text, edges are seen
  QColor window, panel, text, secondary, separator, accent, selection;
  // Run states; a queued run is drawn hollow in `secondary`.
  QColor running, finished, stopped, diverged, failed;

  static const Theme& light();
  static const Theme& darkTheme();
  // Black on white, or white on black.
  static const Theme& highContrast(bool dark);
  // The colours of a desktop's palette of high contrast, from now on those of highContrast(); GUI thread.
  static const Theme& takeContrast(const QPalette& palette);
  // Does the desktop ask for high contrast? Texts on the extreme, and no other grey behind fields and
  // buttons.
  static bool asksForContrast(const QPalette& palette);
  // The theme of a palette: by the lightness of its window colour (Qt 6.4 has no colour-scheme hint), of high
  // contrast where it has the very colours.
  static const Theme& of(const QPalette& palette);

  QPalette palette() const;
  // Colour of a run, everywhere in the window: by the number of its look (core/base/numbers/series_look.h).
  QColor run(int index) const;
  // Colour for a state id: "running", "finished", "stopped", "diverged", "failed", "queued"; else
  // `secondary`.
  QColor state(const QString& id) const;
  // The colour, or as much nearer to that of texts as a text in it needs to be read on window and panel.
  QColor readable(const QColor& colour) const;
};

}  // namespace fathom
