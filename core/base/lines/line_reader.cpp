// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines/line_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

// A line of which more than this was passed over is none: a file without ends of lines (sparse, or a packed
// one of zeros) is not read to its end.
constexpr std::size_t kMostPassedBytes = std::size_t{256} << 20;

LineLimits limitsOf(std::int64_t maxLineBytes) {
  return {.maxBytes = static_cast<std::size_t>(maxLineBytes),
          .longer = LongLine::Cut,
          .returnEnds = true,
          .mostPassed = kMostPassedBytes};
}

// Packing of a file that begins so, where nothing here unpacks it.
Phrase unreadPacking(std::string_view head) {
  constexpr std::pair<std::string_view, const char*> kMagics[] = {
      {"\x28\xb5\x2f\xfd", "zstd"}, {"\xfd\x37zXZ", "xz"}, {"BZh", "bzip2"}, {"PK\x03\x04", "zip"}};
  for (const auto& [magic, name] : kMagics)
    if (head.starts_with(magic) && (magic != "BZh" || head.substr(4).starts_with("1AY&SY")))
      return Phrase::tr("the file is packed with %1, which is not read here")(name);
  return {};
}

Phrase damageOf(const PackedFault& fault) {
  if (fault.kind == PackedFault::Kind::EndsEarly) return Phrase::tr("it ends too early");
  if (fault.kind == PackedFault::Kind::NotPacked)
    return Phrase::tr("byte %1 and what follows is not gzip")(fault.byte);
  return fault.words.empty() ? Phrase::tr("error %1")(fault.code) : Phrase::words(fault.words);
}

}  // namespace

LineReader::LineReader(std::unique_ptr<PackedReader> in, std::string path, std::int64_t maxLineBytes)
    : m_path(std::move(path)),
      m_maxLineBytes(maxLineBytes),
      m_fileBytes(static_cast<std::int64_t>(in->fileBytes())),
      m_lines(std::move(in), m_path, limitsOf(maxLineBytes)) {
  m_lines.packed().sumUp();
}

Error LineReader::damaged(const Phrase& what) const {
  return dataErrorAt(m_path, m_lines.number() + 1, Phrase::tr("damaged gzip file: %1")(what),
                     Phrase::tr("copy or download the file again"));
}

// An error of reading, damage said with the line it was met in.
Error LineReader::said(const Error& error) const {
  const auto& fault = m_lines.packed().fault();
  return fault ? damaged(damageOf(*fault)) : error;
}

Status LineReader::checkText(std::string_view head) {
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    return dataErrorAt(m_path, 1, Phrase::tr("the file is in UTF-16"),
                       Phrase::tr("convert it to UTF-8, for example with iconv"));
  if (const std::size_t nul = head.find('\0'); nul != std::string_view::npos)
    return dataErrorAt(
        m_path, 1 + std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(nul), '\n'),
        Phrase::tr("the file is not text: it holds NUL bytes"), Phrase::tr("choose a text file in UTF-8"));
  if (head.starts_with(kByteOrderMark)) m_lines.skip(kByteOrderMark.size());
  return {};
}

Result<LineReader> LineReader::begun(LineReader reader, bool mayBeEmpty) {
  if (const Phrase packed = unreadPacking(reader.m_lines.packed().magic()); !packed.empty())
    return dataErrorAt(reader.m_path, 0, packed, Phrase::tr("unpack it, or pack it with gzip"));
  const auto text = reader.m_lines.look();
  if (!text.ok()) return reader.said(text.error());
  if (text->empty() && !mayBeEmpty)
    return dataErrorAt(reader.m_path, 0, Phrase::tr("the file is empty"),
                       Phrase::tr("choose a text file with at least one line"));
  FATHOM_CHECK(reader.checkText(text->substr(0, 4096)));
  return reader;
}

Result<LineReader> LineReader::open(const std::string& path, std::int64_t maxLineBytes) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 && errno == ENOENT) {
    return aboutFile(path, dataError(Phrase::tr("no such file: %1")(path),
                                     Phrase::tr("check the path and the file's name")));
  }
  if (S_ISDIR(info.st_mode))
    return dataErrorAt(path, 0, Phrase::tr("this is a folder"), Phrase::tr("choose a text file"));
  FATHOM_TRY(auto in, PackedReader::open(path));
  return begun(LineReader(std::move(in), path, maxLineBytes), false);
}

Result<LineReader> LineReader::standardInput(std::int64_t maxLineBytes) {
  const std::string name = "standard input";
  FATHOM_TRY(auto in, PackedReader::standardInput(name));
  return begun(LineReader(std::move(in), name, maxLineBytes), true);
}

Result<bool> LineReader::next(Line& line) {
  line = {};
  LineSource::Line found;
  const auto more = m_lines.next(found);
  if (!more.ok()) return said(more.error());
  if (m_lines.textBytes() > kMostUnpackedBytes && m_lines.packed().magic().starts_with("\x1f\x8b"))
    return damaged(Phrase::tr("it unpacks to more than 256 GiB"));
  if (!*more) return false;
  line.text = found.text;
  line.number = m_lines.number();
  line.tooLong = found.tooLong;
  if (line.tooLong) return true;
  line.invalidUtf8 = firstInvalidUtf8(line.text);
  line.hasNul = line.text.find('\0') != std::string_view::npos;
  return true;
}

Phrase LineReader::faultOf(const Line& line) const {
  if (line.tooLong) return Phrase::tr("the line is longer than %1 bytes")(m_maxLineBytes);
  if (line.invalidUtf8 != std::string_view::npos)
    return Phrase::tr("not UTF-8 at byte %1 of the line")(line.invalidUtf8 + 1);
  if (line.hasNul) return Phrase::tr("the line holds a NUL byte");
  return {};
}

}  // namespace fathom
