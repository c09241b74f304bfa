// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fathom {

// The run table with `runs` runs, whose grids of three seeds are folded and every tenth of which is open, in
// 700 x 600: milliseconds of processor time. Needs a QApplication; GUI thread.
struct RunTableBench {
  double fill = 0;                           // from the runs to the painted table
  double worstScroll = 0, medianScroll = 0;  // frames of scrolling from end to end
  double worstEye = 0;                       // a click on an eye, until it is painted
  double worstOpen = 0;                      // a group opened and folded
};
RunTableBench benchRunTable(int runs);

}  // namespace fathom
