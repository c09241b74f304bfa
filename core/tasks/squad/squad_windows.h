// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/tasks/squad/squad_passage.h"

namespace fathom {

// Layout by which a question and its passage become rows (docs/fine_tuning.md §5.2).
struct SquadLayout {
  std::int64_t maxLength = 384, stride = 128, maxQuery = 64;
};

// Pieces [start, start + length) of a passage.
struct SquadWindow {
  std::int64_t start = 0, length = 0;
};
// They begin every `stride` pieces, or where the one before ends; the last one reaches the end. None where
// the passage has no pieces. `room`: pieces of the passage in a row.
std::vector<SquadWindow> squadWindows(std::int64_t pieces, std::int64_t room, std::int64_t stride);
// For each piece the window that gives it most context: the least of both sides plus a hundredth of the
// window's length; the earlier one of equals.
std::vector<std::int32_t> bestWindows(const std::vector<SquadWindow>& windows, std::int64_t pieces);

// A question ready to become rows.
struct SquadRows {
  std::vector<std::int32_t> query;  // pieces, cut
  std::vector<SquadWindow> windows;
  bool cutQuery = false;
};
SquadRows squadRows(const std::string& question, const SquadPassage& passage, const SquadLayout& layout,
                    const TextEncoding& encoding);

// Tokens of a row before the window's: marks and question.
std::int64_t squadOffset(const SquadRows& rows, const TextEncoding& encoding);
TextRow squadRow(const SquadRows& rows, const SquadWindow& window, const SquadPassage& passage,
                 const TextEncoding& encoding);
// Places of the answer's ends in the row; 0, 0 where the window does not hold all of it.
struct SquadTarget {
  std::int64_t start = 0, end = 0;
};
SquadTarget squadTarget(const SquadSpan& span, const SquadWindow& window, std::int64_t offset);

}  // namespace fathom
