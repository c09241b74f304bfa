// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines/line_cutter.h"

#include <algorithm>
#include <utility>

#include "core/base/text/lines_of.h"

namespace fathom {

void LineCutter::forgetGiven() {
  if (!std::exchange(m_given, false)) return;
  m_kept.clear();
  m_bytes = 0;
}

// Two more than a line may have: its end may be two bytes long, of which one is kept.
void LineCutter::keep(std::string_view part) {
  m_bytes += part.size();
  const std::size_t room = m_maxBytes + 2 - std::min(m_kept.size(), m_maxBytes + 2);
  m_kept += part.substr(0, room);
}

LineCutter::Line LineCutter::judged(std::string_view kept, std::size_t bytes) const {
  if (m_returnEnds && bytes == kept.size() && kept.ends_with('\r')) {
    kept.remove_suffix(1);
    --bytes;
  }
  return {kept.substr(0, m_maxBytes), bytes > m_maxBytes};
}

bool LineCutter::next(std::string_view& piece, Line& line) {
  forgetGiven();
  std::string_view part;
  if (!takeWholeLine(piece, part)) {
    keep(std::exchange(piece, {}));
    return false;
  }
  if (m_bytes == 0) {
    line = judged(part, part.size());
    return true;
  }
  keep(part);
  line = judged(m_kept, m_bytes);
  m_given = true;
  return true;
}

bool LineCutter::rest(Line& line) {
  forgetGiven();
  if (m_bytes == 0) return false;
  line = judged(m_kept, m_bytes);
  m_given = true;
  return true;
}

}  // namespace fathom
