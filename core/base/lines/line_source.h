// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/lines/compressed_file.h"
#include "core/base/lines/line_cutter.h"

namespace fathom {

// What becomes of a line that is longer than it may be.
enum class LongLine {
  Refused,  // a data error that names it
  LeftOut,  // counted
  Cut,      // its beginning is given, marked so
};

struct LineLimits {
  std::size_t maxBytes = std::size_t{1} << 20;
  LongLine longer = LongLine::Refused;
  // A last line without its end is given; otherwise it is not, as its writer may still be at it.
  bool giveTorn = true;
  bool returnEnds = false;  // "\r\n" ends a line, too
  // Where more than this of a line was passed over, beyond maxBytes, without an end, the file is given up.
  std::size_t mostPassed = std::numeric_limits<std::size_t>::max() / 2;
};

// Lines of a text file that may be packed (PackedReader), in blocks: memory is that of a block and a line.
// What a text has to be (UTF-8, no NUL) is asked by LineReader.
class LineSource {
 public:
  using Line = LineCutter::Line;
  static Result<LineSource> open(const std::string& path, const LineLimits& limits = {});
  // Of a stream that was opened; `path` is its name in errors.
  LineSource(std::unique_ptr<PackedReader> in, std::string path, const LineLimits& limits);
  // The next line without its end; false when there is none.
  Result<bool> next(Line& line);
  Result<bool> next(std::string& line);
  // The text that follows, as far as it is in memory; next() reads on where there is none.
  std::string_view ahead() const { return m_rest; }
  // Reads a block where nothing is in memory. The text is empty at the end.
  Result<std::string_view> look();
  // Leaves out the first bytes of ahead().
  void skip(std::size_t bytes) { m_rest.remove_prefix(bytes); }
  // Number of the line given last, from 1; lines that were left out count.
  std::int64_t number() const { return m_number; }
  std::int64_t leftOut() const { return m_leftOut; }
  std::uint64_t textBytes() const { return m_textBytes; }  // unpacked so far
  const PackedReader& packed() const { return *m_in; }
  PackedReader& packed() { return *m_in; }

 private:
  Result<bool> nextInFile(Line& line);
  std::unique_ptr<PackedReader> m_in;
  std::string m_path;
  LineLimits m_limits;
  LineCutter m_cutter;
  std::unique_ptr<char[]> m_block;  // stays where it is when the source is moved
  std::string_view m_rest;          // of the block
  std::int64_t m_number = 0, m_leftOut = 0;
  std::uint64_t m_textBytes = 0;
};

}  // namespace fathom
