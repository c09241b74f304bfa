// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_windows.h"

#include <algorithm>
#include <span>

namespace fathom {

std::vector<SquadWindow> squadWindows(std::int64_t pieces, std::int64_t room, std::int64_t stride) {
  std::vector<SquadWindow> windows;
  for (std::int64_t start = 0; start < pieces;) {
    const std::int64_t length = std::min(pieces - start, room);
    windows.push_back({start, length});
    if (start + length == pieces) break;
    start += std::min(length, stride);
  }
  return windows;
}

std::vector<std::int32_t> bestWindows(const std::vector<SquadWindow>& windows, std::int64_t pieces) {
  std::vector<std::int32_t> best(static_cast<std::size_t>(pieces), -1);
  std::vector<double> scores(static_cast<std::size_t>(pieces), 0);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const SquadWindow& window = windows[w];
    const std::int64_t last = window.start + window.length - 1;
    for (std::int64_t piece = window.start; piece <= last; ++piece) {
      const double score = static_cast<double>(std::min(piece - window.start, last - piece)) +
                           0.01 * static_cast<double>(window.length);
      const auto at = static_cast<std::size_t>(piece);
      if (best[at] >= 0 && !(score > scores[at])) continue;
      best[at] = static_cast<std::int32_t>(w);
      scores[at] = score;
    }
  }
  return best;
}

SquadRows squadRows(const std::string& question, const SquadPassage& passage, const SquadLayout& layout,
                    const TextEncoding& encoding) {
  SquadRows rows;
  const EncodedText encoded = encoding.encode(question);
  const std::int64_t kept = std::min(encoded.size(), layout.maxQuery);
  rows.cutQuery = kept < encoded.size();
  rows.query.assign(encoded.ids.begin(), encoded.ids.begin() + kept);
  rows.windows = squadWindows(static_cast<std::int64_t>(passage.pieces.size()),
                              layout.maxLength - kept - encoding.marksOfPair(), layout.stride);
  return rows;
}

std::int64_t squadOffset(const SquadRows& rows, const TextEncoding& encoding) {
  return static_cast<std::int64_t>(rows.query.size()) + encoding.marksOfPair() - 1;
}

TextRow squadRow(const SquadRows& rows, const SquadWindow& window, const SquadPassage& passage,
                 const TextEncoding& encoding) {
  return encoding.pairOf(rows.query, std::span(passage.pieces)
                                         .subspan(static_cast<std::size_t>(window.start),
                                                  static_cast<std::size_t>(window.length)));
}

SquadTarget squadTarget(const SquadSpan& span, const SquadWindow& window, std::int64_t offset) {
  const bool inside = span.fate == SquadSpan::Fate::Found && span.firstPiece >= window.start &&
                      span.lastPiece <= window.start + window.length - 1;
  if (!inside) return {};
  return {span.firstPiece - window.start + offset, span.lastPiece - window.start + offset};
}

}  // namespace fathom
