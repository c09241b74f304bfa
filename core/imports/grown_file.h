// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/lines/compressed_file.h"
#include "core/base/threads/stop_token.h"

namespace fathom {

// A file that another program may be writing: how far it was read, and whether it still is that file. It is
// opened for every look alone and never locked or written to. A packed file (gzip, zstd) is read unpacked,
// piece by piece; positions in it are those of the unpacked bytes.
class GrownFile {
 public:
  explicit GrownFile(std::string path) : m_path(std::move(path)) {}
  const std::string& path() const { return m_path; }
  enum class Change {
    Same,      // nothing new
    Grew,      // or never read yet, or written anew with all that was read at its beginning
    Replaced,  // another file under its name, a shorter one, or one with another beginning: to be read anew
    Gone,
  };
  Change look();
  // From now on it is another file: position 0.
  void startOver();
  // Bytes from the position on; fewer than `most` are all there are.
  Result<std::string> more(std::size_t most);
  // These, the first of what more() gave, are dealt with.
  void used(std::string_view bytes);
  std::uint64_t position() const { return m_position; }
  // Known when more() was called: nothing comes to such a file behind its end.
  bool packed() const { return m_packed; }
  // Calls `take` with every whole line that came, without its end. A line of more than `longest` bytes is
  // left out and counted. With `last`, what has no end yet is a line, too, and so it is in a packed file.
  Status lines(const StopToken& stop, bool last, std::size_t longest,
               const std::function<Status(std::string_view line)>& take);
  std::int64_t leftOut() const { return m_leftOut; }
  Json state() const;
  void restore(const Json& state);

 private:
  bool beginsAsBefore(bool anotherFile) const;
  bool holdsWhatWasRead() const;
  Result<std::string> unpacked(std::size_t most);
  std::string m_path;
  std::string m_tail;       // the last bytes before the position
  std::uint32_t m_sum = 0;  // CRC-32C of all before it
  std::uint64_t m_position = 0, m_inode = 0, m_device = 0, m_seen = 0;
  std::int64_t m_leftOut = 0;
  bool m_packed = false, m_skipping = false, m_summed = true;
  std::unique_ptr<PackedReader> m_in;  // of a packed file, from one more() to the next
  std::string m_ahead;                 // came out of it and is not used
};

// CRC-32C of what stands before `to` in a file that is not packed, where `sum` is that of what stands before
// `from`; nothing where the file is shorter.
Result<std::optional<std::uint32_t>> sumUpTo(const std::string& path, std::uint64_t from, std::uint64_t to,
                                             std::uint32_t sum);
// A text that may be UTF-16, by its byte order mark, as UTF-8; halves of pairs become U+FFFD.
std::string decodedText(std::string bytes);
// Lines that are no UTF-8 are taken as Latin-1 and become UTF-8; all others stay as they are.
std::string latin1Decoded(std::string_view bytes);
// Seconds since 1970 of "2024-01-02 03:04:05", "2024-01-02T03:04:05.250+01:00", "…Z"; NaN where it is none. A
// date without a zone is taken as UTC.
double isoSeconds(std::string_view text);
// Seconds out of seconds, milliseconds, micro- or nanoseconds since 1970, by their size.
double plainSeconds(double time);

}  // namespace fathom
