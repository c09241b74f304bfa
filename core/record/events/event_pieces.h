// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/files/input_file.h"

namespace fathom {

// More than any run writes (some sixteen million updates); a longer file is no event log of ours.
inline constexpr std::uint64_t kMaxEventLogBytes = std::uint64_t{1} << 32;

Status checkEventLogSize(const RegularFile& file);

// An event log read in pieces of whole lines, so that a long one costs no more memory than a short one. What
// is appended after it was opened is left out; so is a torn tail, and a line longer than a piece.
class EventPieces {
 public:
  // Unavailable when it cannot be read, a data error when it is longer than kMaxEventLogBytes.
  static Result<EventPieces> open(const std::string& path);
  std::uint64_t size() const { return m_file.size(); }
  // The next whole lines, each with its newline; empty at the end. Valid until the next call.
  Result<std::string_view> next();
  // The last whole lines, at most `bytes` of them; next() goes on where it was.
  Result<std::string> tail(std::size_t bytes) const;

 private:
  explicit EventPieces(RegularFile file) : m_file(std::move(file)) {}
  RegularFile m_file;
  std::uint64_t m_offset = 0;  // of the file, behind the buffer
  std::string m_buffer;
  std::size_t m_given = 0;  // bytes at the front of the buffer that were handed out
};

}  // namespace fathom
