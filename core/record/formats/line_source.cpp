// SPDX-License-Identifier: Apache-2.0
#include "core/record/formats/line_source.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fathom {

namespace {

constexpr std::size_t kLineBlock = std::size_t{1} << 18;

}  // namespace

Result<LineSource> LineSource::open(const std::string& path, const LineLimits& limits) {
  LineSource source;
  source.m_path = path;
  source.m_limits = limits;
  source.m_block.resize(kLineBlock);
  FATHOM_TRY(source.m_in, PackedReader::open(path));
  return source;
}

// False at the end of the file.
Result<bool> LineSource::fill() {
  if (m_at < m_filled) return true;
  m_at = m_filled = 0;
  FATHOM_TRY(m_filled, m_in->read(m_block.data(), m_block.size()));
  return m_filled > 0;
}

Result<bool> LineSource::next(std::string& line) {
  line.clear();
  bool skipping = false;
  while (true) {
    FATHOM_TRY(const bool more, fill());
    if (!more) {
      if (line.empty() || !m_limits.giveTorn) return false;
      ++m_number;
      return true;
    }
    const std::string_view rest(m_block.data() + m_at, m_filled - m_at);
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!skipping) line += rest.substr(0, end);
    const bool whole = end < rest.size();
    m_at += end + (whole ? 1 : 0);
    if (line.size() > m_limits.maxBytes) {
      if (!m_limits.skipLonger)
        return dataErrorAt(m_path, m_number + 1,
                           Phrase::tr("the line is longer than %1 bytes")(m_limits.maxBytes));
      skipping = true;
      ++m_leftOut;
      line.clear();
    }
    if (!whole) continue;
    ++m_number;
    if (!std::exchange(skipping, false)) return true;
  }
}

}  // namespace fathom
