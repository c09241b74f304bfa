// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// Files that come with one that somebody named: <stem>.csv with the numbers of a figure, and what a .tex file
// reads. Nobody named them, so they replace a file only where Fathom wrote it, which its head says
// (docs/figures.md §6). What is to be written must be known before anything is: check all, then write.

// Unavailable, naming the file, where there is one at `path` that is not ours or cannot be looked at.
Status checkNeighbour(const std::string& path);
// Check of the files beside a figure at this path, as far as its ending tells: for whoever computes long
// before he draws.
Status checkFigureNeighbours(const std::string& figure);
// Checked once more, and written.
Status writeNeighbour(const std::string& path, std::string_view bytes);

// The path of the numbers of a figure: the figure's own where it is to be numbers alone.
std::string numbersBeside(const std::string& figure);

// A table of CSV with a head that tells it as ours and reads the same: its first field is quoted and needs
// not be.
std::string withOwnHead(std::string csv);
// A PNG file that says by whom it was made.
std::string withOwnName(const std::string& png);

}  // namespace fathom
