// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/lines/line_source.h"

namespace fathom {

// Lines of a text file (LineSource) that are looked at as text: plain or gzip (recognised by its content), LF
// or CRLF, a leading UTF-8 byte-order mark is dropped. One owner thread.
class LineReader {
 public:
  static constexpr std::int64_t kDefaultLineBytes = 65536;
  // More than this unpacked is refused: a small packed file must not fill the memory.
  static constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{1} << 38;

  // Errors: missing, unreadable, a folder, empty, UTF-16, not text (a NUL byte in its first 4 KiB).
  static Result<LineReader> open(const std::string& path, std::int64_t maxLineBytes = kDefaultLineBytes);
  // Reads the rest of standard input; an empty rest is no error, as in a pipe.
  static Result<LineReader> standardInput(std::int64_t maxLineBytes = kDefaultLineBytes);
  struct Line {
    std::string_view text;    // without its end; valid until the next call; cut at the limit when tooLong
    std::int64_t number = 0;  // 1-based
    bool tooLong = false;
    std::size_t invalidUtf8 = std::string_view::npos;  // byte offset within the line, npos = well-formed
    bool hasNul = false;
  };
  // False at the end of the file. Errors: damaged or cut-off gzip, reading fails, a line of > 256 MiB more.
  Result<bool> next(Line& line);
  // Fault that makes a line useless, as messages say it; empty where it is text.
  Phrase faultOf(const Line& line) const;

  const std::string& path() const { return m_path; }
  // The unpacked text that follows, as far as it is in memory: to see what kind of text it is.
  std::string_view ahead() const { return m_lines.ahead(); }
  std::int64_t fileBytes() const { return m_fileBytes; }  // size of the file as it is on the disk
  // Bytes of it read so far: for progress.
  std::int64_t readBytes() const { return static_cast<std::int64_t>(m_lines.packed().packedBytes()); }
  // SHA-256 of the file as it is on the disk. Only after next() has returned false.
  std::string sha256() { return m_lines.packed().sha256(); }

 private:
  LineReader(std::unique_ptr<PackedReader> in, std::string path, std::int64_t maxLineBytes);
  static Result<LineReader> begun(LineReader reader, bool mayBeEmpty);
  Error damaged(const Phrase& what) const;
  Error said(const Error& error) const;
  Status checkText(std::string_view head);
  std::string m_path;
  std::int64_t m_maxLineBytes;
  std::int64_t m_fileBytes = 0;
  LineSource m_lines;
};

}  // namespace fathom
