// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/line_errors.h"

#include <algorithm>

namespace fathom {

namespace {

Phrase remedyFor(const LineReader::Line& line) {
  if (line.tooLong) return Phrase::tr("raise data.max_line_bytes or set data.bad_lines=skip");
  if (line.invalidUtf8 != std::string_view::npos)
    return Phrase::tr("convert the file to UTF-8, for example with iconv, or set data.bad_lines=skip");
  return Phrase::tr("clean the file or set data.bad_lines=skip");
}

}  // namespace

std::optional<Error> lineError(const LineReader& reader, const LineReader::Line& line) {
  const Phrase fault = reader.faultOf(line);
  if (fault.empty()) return std::nullopt;
  const Phrase remedy = remedyFor(line);
  return dataErrorAt(reader.path(), line.number, fault, remedy);
}

Status checkCells(std::string_view line, std::int64_t most, std::int64_t number) {
  const std::int64_t cells = 1 + std::count(line.begin(), line.end(), '\t');
  if (cells <= most) return {};
  return dataErrorAt("", number, Phrase::tr("the line has %1 cells, at most %2 are read")(cells, most),
                     Phrase::tr("cells are separated by TAB"));
}

}  // namespace fathom
