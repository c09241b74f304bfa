// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/line_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kChunk = 1 << 18;
// A line of which more than this was passed over is none: a file without ends of lines (sparse, or a packed
// one of zeros) is not read to its end.
constexpr std::size_t kMostPassedBytes = std::size_t{256} << 20;
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Packing of a file that begins so, where nothing here unpacks it.
Phrase unreadPacking(std::string_view head) {
  constexpr std::pair<std::string_view, const char*> kMagics[] = {
      {"\x28\xb5\x2f\xfd", "zstd"}, {"\xfd\x37zXZ", "xz"}, {"BZh", "bzip2"}, {"PK\x03\x04", "zip"}};
  for (const auto& [magic, name] : kMagics)
    if (head.starts_with(magic) && (magic != "BZh" || head.substr(4).starts_with("1AY&SY")))
      return Phrase::tr("the file is packed with %1, which is not read here")(name);
  return {};
}

}  // namespace

struct LineReader::Impl {
  std::string path;
  int fd = -1;
  std::int64_t fileBytes = 0, readBytes = 0, unpackedBytes = 0, lineNumber = 0;
  std::int64_t maxLineBytes = kDefaultLineBytes;
  bool mayBeEmpty = false;
  bool gzip = false, inflating = false, fileEnded = false, memberEnded = false, padded = false;
  z_stream stream{};
  Sha256 hash;
  std::string raw;   // bytes as read, gzip only
  std::string text;  // unpacked bytes not yet handed out, from `start`
  std::size_t start = 0;
  std::string longLine;

  ~Impl() {
    if (inflating) inflateEnd(&stream);
    if (fd >= 0) ::close(fd);
  }

  // Up to kChunk bytes of the file; empty at its end.
  Status readRaw(std::string& into) {
    into.resize(kChunk);
    ssize_t got = 0;
    do {
      got = ::read(fd, into.data(), kChunk);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return inputError(Phrase::tr("cannot read"), path, errno);
    into.resize(static_cast<std::size_t>(got));
    readBytes += got;
    hash.update(into);
    fileEnded = got == 0;
    return {};
  }

  Error damaged(const Phrase& what) const {
    return dataErrorAt(path, lineNumber + 1, Phrase::tr("damaged gzip file: %1")(what),
                       Phrase::tr("copy or download the file again"));
  }

  // Behind a member: whether another one begins. Zeros are what tapes and block devices fill up with.
  Result<bool> anotherMember() {
    const std::string_view rest(reinterpret_cast<const char*>(stream.next_in), stream.avail_in);
    const std::size_t zeros = std::min(rest.find_first_not_of('\0'), rest.size());
    padded = padded || zeros > 0;
    stream.next_in += zeros;
    stream.avail_in -= static_cast<uInt>(zeros);
    if (zeros == rest.size()) return false;
    if (padded || rest.front() != kGzipMagic.front())
      return damaged(Phrase::tr("byte %1 and what follows is not gzip")(
          readBytes - static_cast<std::int64_t>(stream.avail_in) + 1));
    inflateReset(&stream);
    memberEnded = false;
    return true;
  }

  // One step of unpacking appended to `text`.
  Status inflateMore() {
    if (stream.avail_in == 0) {
      FATHOM_CHECK(readRaw(raw));
      stream.next_in = reinterpret_cast<Bytef*>(raw.data());
      stream.avail_in = static_cast<uInt>(raw.size());
      if (fileEnded) {
        if (!memberEnded) return damaged(Phrase::tr("it ends too early"));
        return {};
      }
    }
    if (memberEnded) {  // several gzip files one behind the other are one text
      FATHOM_TRY(const bool another, anotherMember());
      if (!another) return {};
    }
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = kChunk;
    const int code = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
    if (code == Z_STREAM_END) memberEnded = true;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return damaged(stream.msg != nullptr ? Phrase::words(stream.msg) : Phrase::tr("error %1")(code));
    unpackedBytes += static_cast<std::int64_t>(text.size() - before);
    if (unpackedBytes > kMostUnpackedBytes) return damaged(Phrase::tr("it unpacks to more than 256 GiB"));
    return {};
  }

  // Appends the next unpacked bytes to `text`; nothing is added at the end of the file.
  Status fill() {
    text.erase(0, start);
    start = 0;
    const std::size_t before = text.size();
    while (!fileEnded && text.size() == before) {
      if (gzip) {
        FATHOM_CHECK(inflateMore());
      } else {
        FATHOM_CHECK(readRaw(raw));
        text += raw;
      }
    }
    return {};
  }

  Status begin() {
    FATHOM_CHECK(readRaw(raw));
    if (raw.starts_with(kGzipMagic)) {
      gzip = inflating = true;
      if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return memoryError(Phrase::tr("no memory to unpack %1")(path));
      stream.next_in = reinterpret_cast<Bytef*>(raw.data());
      stream.avail_in = static_cast<uInt>(raw.size());
      FATHOM_CHECK(fill());
    } else {
      if (const Phrase packed = unreadPacking(raw); !packed.empty())
        return dataErrorAt(path, 0, packed, Phrase::tr("unpack it, or pack it with gzip"));
      text = raw;
    }
    const std::string_view head = std::string_view(text).substr(0, 4096);
    if (head.empty() && mayBeEmpty) return {};
    if (head.empty())
      return dataErrorAt(path, 0, Phrase::tr("the file is empty"),
                         Phrase::tr("choose a text file with at least one line"));
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
      return dataErrorAt(path, 1, Phrase::tr("the file is in UTF-16"),
                         Phrase::tr("convert it to UTF-8, for example with iconv"));
    if (const std::size_t nul = head.find('\0'); nul != std::string_view::npos)
      return dataErrorAt(
          path, 1 + std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(nul), '\n'),
          Phrase::tr("the file is not text: it holds NUL bytes"), Phrase::tr("choose a text file in UTF-8"));
    if (head.starts_with(kByteOrderMark)) start = kByteOrderMark.size();
    return {};
  }
};

LineReader::LineReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Result<LineReader> LineReader::open(const std::string& path, std::int64_t maxLineBytes) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->maxLineBytes = maxLineBytes;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 && errno == ENOENT) {
    return aboutFile(path, dataError(Phrase::tr("no such file: %1")(path),
                                     Phrase::tr("check the path and the file's name")));
  }
  if (S_ISDIR(info.st_mode))
    return dataErrorAt(path, 0, Phrase::tr("this is a folder"), Phrase::tr("choose a text file"));
  FATHOM_TRY(impl->fd, openInput(path));
  if (::fstat(impl->fd, &info) != 0) return inputError(Phrase::tr("cannot open"), path, errno);
  impl->fileBytes = info.st_size;
  FATHOM_CHECK(impl->begin());
  return LineReader(std::move(impl));
}

Result<LineReader> LineReader::standardInput(std::int64_t maxLineBytes) {
  auto impl = std::make_unique<Impl>();
  impl->path = "standard input";
  impl->maxLineBytes = maxLineBytes;
  impl->mayBeEmpty = true;
  impl->fd = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (impl->fd < 0) return inputError(Phrase::tr("cannot read"), impl->path, errno);
  FATHOM_CHECK(impl->begin());
  return LineReader(std::move(impl));
}

Result<bool> LineReader::next(Line& line) {
  Impl& impl = *m_impl;
  const auto limit = static_cast<std::size_t>(impl.maxLineBytes);
  line = {};
  std::size_t end = std::string::npos;
  std::size_t searched = impl.start;
  std::size_t passed = 0;
  impl.longLine.clear();
  while ((end = impl.text.find('\n', searched)) == std::string::npos) {
    const std::size_t waiting = impl.text.size() - impl.start;
    if (waiting > limit + 1) {  // keep the head of a line that is too long, drop what follows
      if (impl.longLine.empty()) impl.longLine.assign(impl.text, impl.start, limit);
      passed += impl.text.size() - impl.start;
      impl.start = impl.text.size();
      if (passed > kMostPassedBytes + limit)
        return dataErrorAt(impl.path, impl.lineNumber + 1,
                           Phrase::tr("the line does not end within %1 MiB")(kMostPassedBytes >> 20),
                           Phrase::tr("choose a text file with lines"));
    }
    const std::size_t left = impl.text.size() - impl.start;
    FATHOM_CHECK(impl.fill());
    searched = left;
    if (impl.text.size() > left) continue;
    if (left == 0 && impl.longLine.empty()) return false;
    end = impl.text.size();
    break;
  }
  line.number = ++impl.lineNumber;
  std::string_view text = std::string_view(impl.text).substr(impl.start, end - impl.start);
  impl.start = std::min(end + 1, impl.text.size());
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  line.tooLong = !impl.longLine.empty() || text.size() > limit;
  line.text = impl.longLine.empty() ? text.substr(0, limit) : std::string_view(impl.longLine);
  if (line.tooLong) return true;
  line.invalidUtf8 = firstInvalidUtf8(line.text);
  line.hasNul = line.text.find('\0') != std::string_view::npos;
  return true;
}

Phrase LineReader::faultOf(const Line& line) const {
  if (line.tooLong) return Phrase::tr("the line is longer than %1 bytes")(m_impl->maxLineBytes);
  if (line.invalidUtf8 != std::string_view::npos)
    return Phrase::tr("not UTF-8 at byte %1 of the line")(line.invalidUtf8 + 1);
  if (line.hasNul) return Phrase::tr("the line holds a NUL byte");
  return {};
}

const std::string& LineReader::path() const {
  return m_impl->path;
}
std::string_view LineReader::ahead() const {
  return std::string_view(m_impl->text).substr(m_impl->start);
}
std::int64_t LineReader::fileBytes() const {
  return m_impl->fileBytes;
}
std::int64_t LineReader::readBytes() const {
  return m_impl->readBytes;
}
std::string LineReader::sha256() {
  return m_impl->hash.hex();
}

}  // namespace fathom
