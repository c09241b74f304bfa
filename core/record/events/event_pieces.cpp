// SPDX-License-Identifier: Apache-2.0
#include "core/record/events/event_pieces.h"

#include <algorithm>

namespace fathom {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

}  // namespace

Status checkEventLogSize(const RegularFile& file) {
  if (file.size() <= kMaxEventLogBytes) return {};
  return dataErrorAt(
      file.path(), 0,
      Phrase::tr("the event log has %1 bytes; more than %2 are not read")(file.size(), kMaxEventLogBytes),
      Phrase::tr("it is damaged: put the file of a copy in its place, or delete it"));
}

Result<EventPieces> EventPieces::open(const std::string& path) {
  FATHOM_TRY(RegularFile file, RegularFile::open(path));
  FATHOM_CHECK(checkEventLogSize(file));
  return EventPieces(std::move(file));
}

Result<std::string_view> EventPieces::next() {
  m_buffer.erase(0, m_given);
  m_given = 0;
  bool skipping = false;
  while (m_offset < m_file.size()) {
    const std::size_t before = m_buffer.size();
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, m_file.size() - m_offset));
    m_buffer.resize(before + wanted);
    FATHOM_TRY(const std::size_t got, m_file.readAt(m_offset, m_buffer.data() + before, wanted));
    m_buffer.resize(before + got);
    m_offset = got < wanted ? m_file.size() : m_offset + got;  // shorter than it was: that is its end
    if (skipping) {
      const std::size_t end = m_buffer.find('\n');
      m_buffer.erase(0, end == std::string::npos ? m_buffer.size() : end + 1);
      skipping = end == std::string::npos;
    }
    const std::size_t last = m_buffer.rfind('\n');
    if (last != std::string::npos) {
      m_given = last + 1;
      return std::string_view(m_buffer).substr(0, m_given);
    }
    if (m_buffer.size() > kPieceBytes) {
      m_buffer.clear();
      skipping = true;
    }
  }
  return std::string_view();
}

Result<std::string> EventPieces::tail(std::size_t bytes) const {
  const std::uint64_t from = m_file.size() > bytes ? m_file.size() - bytes : 0;
  std::string text(static_cast<std::size_t>(m_file.size() - from), '\0');
  FATHOM_TRY(const std::size_t got, m_file.readAt(from, text.data(), text.size()));
  text.resize(got);
  const std::size_t last = text.rfind('\n');
  text.resize(last == std::string::npos ? 0 : last + 1);
  // It may begin inside a line.
  if (from > 0 && !text.empty()) text.erase(0, text.find('\n') + 1);
  return text;
}

}  // namespace fathom
