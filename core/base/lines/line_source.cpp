// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines/line_source.h"

#include <utility>

namespace fathom {

namespace {

constexpr std::size_t kLineBlock = std::size_t{1} << 18;

}  // namespace

Result<LineSource> LineSource::open(const std::string& path, const LineLimits& limits) {
  FATHOM_TRY(auto in, PackedReader::open(path));
  return LineSource(std::move(in), path, limits);
}

LineSource::LineSource(std::unique_ptr<PackedReader> in, std::string path, const LineLimits& limits)
    : m_in(std::move(in)),
      m_path(std::move(path)),
      m_limits(limits),
      m_cutter(limits.maxBytes, limits.returnEnds),
      m_block(std::make_unique<char[]>(kLineBlock)) {}

Result<std::string_view> LineSource::look() {
  if (!m_rest.empty()) return m_rest;
  FATHOM_TRY(const std::size_t got, m_in->read(m_block.get(), kLineBlock));
  m_rest = std::string_view(m_block.get(), got);
  m_textBytes += got;
  return m_rest;
}

// The line that goes on behind the block, of any length; the last one without an end among them.
Result<bool> LineSource::nextInFile(Line& line) {
  const std::size_t most = m_limits.maxBytes + (m_limits.returnEnds ? 1 : 0);
  while (true) {
    if (m_limits.longer == LongLine::Refused && m_cutter.waiting() > most) return m_cutter.rest(line);
    if (m_cutter.waiting() > m_limits.maxBytes + m_limits.mostPassed)
      return dataErrorAt(m_path, m_number + 1,
                         Phrase::tr("the line does not end within %1 MiB")(m_limits.mostPassed >> 20),
                         Phrase::tr("choose a text file with lines"));
    FATHOM_TRY(const std::string_view text, look());
    if (text.empty()) return m_limits.giveTorn && m_cutter.rest(line);
    if (m_cutter.next(m_rest, line)) return true;
  }
}

Result<bool> LineSource::next(Line& line) {
  while (true) {
    if (!m_cutter.next(m_rest, line)) {
      FATHOM_TRY(const bool more, nextInFile(line));
      if (!more) return false;
    }
    if (line.tooLong && m_limits.longer == LongLine::Refused)
      return dataErrorAt(m_path, m_number + 1,
                         Phrase::tr("the line is longer than %1 bytes")(m_limits.maxBytes));
    ++m_number;
    if (!line.tooLong || m_limits.longer == LongLine::Cut) return true;
    ++m_leftOut;
  }
}

Result<bool> LineSource::next(std::string& line) {
  Line next;
  FATHOM_TRY(const bool more, this->next(next));
  line.assign(more ? next.text : std::string_view());
  return more;
}

}  // namespace fathom
