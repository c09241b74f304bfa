// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// Limits of a figure and of a page of figures: stored, typed, asked for as an option and drawn.
inline constexpr double kLargestFigureMm = 2000;    // width, height
inline constexpr double kLargestFigurePoints = 48;  // size of the text
inline constexpr int kMostFigureTracks = 64;        // rows, columns of panels in one drawing

}  // namespace fathom
