// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fathom {

// Cuts a text that comes in pieces at its ends of lines. Memory is that of one line of at most `maxBytes`. A
// line that lies within a piece is not copied.
class LineCutter {
 public:
  // With `returnEnds` a line ends with "\r\n", too.
  explicit LineCutter(std::size_t maxBytes, bool returnEnds = false)
      : m_maxBytes(maxBytes), m_returnEnds(returnEnds) {}
  struct Line {
    std::string_view
        text;  // without its end, valid until the next call; its first maxBytes when it is longer
    bool tooLong = false;
  };
  // The next line that ends within `piece`, which loses all that was looked at. False when no line ends in
  // what is left of it: its beginning is kept for the next piece.
  bool next(std::string_view& piece, Line& line);
  // What was kept of a line that has no end; false when there is nothing.
  bool rest(Line& line);
  // Bytes of that line so far.
  std::size_t waiting() const { return m_given ? 0 : m_bytes; }

 private:
  void forgetGiven();
  void keep(std::string_view part);
  Line judged(std::string_view kept, std::size_t bytes) const;
  std::size_t m_maxBytes;
  bool m_returnEnds;
  bool m_given = false;     // the kept line was handed out
  std::size_t m_bytes = 0;  // of the line that has begun
  std::string m_kept;       // as many of them as it takes to judge it
};

}  // namespace fathom
