// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/record_file.h"

#include <algorithm>
#include <optional>

#include "core/base/errors/phrase.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/lines/line_reader.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

Phrase knownForms() {
  return Phrase::tr("a file holds a JSON list of records, or a record a line");
}

// The place of a number that is NaN or Infinity, which Python writes and JSON has not: the record's member
// that it is in.
struct NoNumber {
  std::string member;
  std::string_view word;
};

// Behind the quoted text that begins at `at`.
std::size_t behindQuoted(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
  return std::min(at + 1, text.size());
}

std::optional<NoNumber> noNumberIn(std::string_view text) {
  constexpr std::string_view kWords[] = {"NaN", "Infinity"};
  NoNumber found;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = behindQuoted(text, at);
      const std::size_t next = text.find_first_not_of(" \t\r\n", end);
      if (depth == 1 && next != std::string_view::npos && text[next] == ':')
        found.member = text.substr(at + 1, end - at - 2);
      at = end;
      continue;
    }
    for (const std::string_view word : kWords)
      if (text.substr(at).starts_with(word)) return found.word = word, found;
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    ++at;
  }
  return std::nullopt;
}

// The parser's error, in lines of the file.
Error recordError(const Error& error, std::string_view text, const RecordFileRequest& request,
                  std::int64_t line) {
  const std::int64_t there = line + std::max<std::int64_t>(error.line, 1) - 1;
  const std::optional<NoNumber> none = noNumberIn(text);
  const std::string place = request.path + ":" + std::to_string(there);
  if (none) return dataError(Phrase::tr("%1: '%2': %3 is no number")(place, none->member, none->word));
  return dataError(Phrase::tr("%1: %2")(place, error.messagePhrase()), error.hintPhrase());
}

// Hands records on, and decides what a bad one means.
class RecordTaker {
 public:
  RecordTaker(const RecordFileRequest& request, const TakeRecord& take) : m_request(request), m_take(take) {}

  Status operator()(std::string_view text, std::int64_t line) {
    if (m_request.stop.stopRequested()) return interruptedError();
    const std::string place = m_request.path + ":" + std::to_string(line);
    const Status taken = read(text, place, line);
    if (taken.ok()) {
      ++file.records;
      return {};
    }
    if (!m_request.skipBad || taken.error().kind != ErrorKind::Data) return taken.error();
    if (file.left++ == 0) file.firstLeft = taken.error().messagePhrase().english();
    return {};
  }

  RecordFile file;

 private:
  Status read(std::string_view text, const std::string& place, std::int64_t line) const {
    if (static_cast<std::int64_t>(text.size()) > kMostRecordBytes)
      return dataError(Phrase::tr("%1: the record has %2 bytes, %3 are allowed")(
          place, static_cast<std::int64_t>(text.size()), kMostRecordBytes));
    const Result<Json> record = parseJson(text, "");
    if (!record.ok()) return recordError(record.error(), text, m_request, line);
    if (!record->is_object()) return dataError(Phrase::tr("%1: a record is an object")(place));
    return m_take(*record, place);
  }

  const RecordFileRequest& m_request;
  const TakeRecord& m_take;
};

// Walks over the members of a list and keeps one of them in memory: files of hundreds of megabytes are one
// line.
class ListWalk {
 public:
  ListWalk(RegularFile file, const RecordFileRequest& request)
      : m_file(std::move(file)), m_path(request.path), m_progress(request.progress) {}

  Status forEach(const std::function<Status(std::string_view, std::int64_t)>& take) {
    if (peek() == kByteOrderMark.front()) m_at += kByteOrderMark.size();
    skipBlanks();
    ++m_at;  // the list's own bracket
    skipBlanks();
    while (more() && peek() != ']') {
      m_begin = m_at;
      m_keeps = true;
      const std::int64_t line = m_line;
      const bool whole = passValue();
      FATHOM_CHECK(m_status);
      if (!whole) return tooLarge(line);
      if (!more()) return wrong(line, Phrase::tr("the record does not end"));
      if (m_at == m_begin) return wrong(m_line, Phrase::tr("a record is expected"));
      FATHOM_CHECK(take(strip(std::string_view(m_text).substr(m_begin, m_at - m_begin)), line));
      m_keeps = false;
      if (m_progress != nullptr) m_progress->report(static_cast<double>(m_read));
      if (peek() != ',') continue;
      ++m_at;
      skipBlanks();
      if (more() && peek() == ']') return wrong(m_line, Phrase::tr("a record is expected"));
    }
    FATHOM_CHECK(m_status);
    if (!more()) return wrong(m_line, Phrase::tr("the list does not end"));
    ++m_at;
    skipBlanks();
    if (more()) return wrong(m_line, Phrase::tr("something stands behind the list"));
    return m_status;
  }

  DataHash hash() { return {"", m_path, m_hash.hex(), static_cast<std::int64_t>(m_read)}; }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  Error wrong(std::int64_t line, const Phrase& what) const {
    return dataErrorAt(m_path, line, what, knownForms());
  }
  Error tooLarge(std::int64_t line) const {
    return wrong(line, Phrase::tr("the record has more than %1 bytes")(kMostRecordBytes));
  }

  // True if something is left; reads on where nothing is in memory. A fault of the file ends it, too.
  bool more() {
    if (m_at < m_text.size()) return true;
    return m_status.ok() && refill();
  }
  bool refill() {
    const std::size_t done = m_keeps ? m_begin : m_text.size();
    m_text.erase(0, done);
    m_at -= done;
    m_begin -= std::min(m_begin, done);
    const std::size_t kept = m_text.size();
    m_text.resize(kept + kBlock);
    const Result<std::size_t> got = m_file.readAt(m_read, m_text.data() + kept, kBlock);
    if (!got.ok()) m_status = got.error();
    m_text.resize(kept + (got.ok() ? *got : 0));
    m_hash.update(std::string_view(m_text).substr(kept));
    m_read += m_text.size() - kept;
    return m_at < m_text.size();
  }
  char peek() { return more() ? m_text[m_at] : '\0'; }

  void skipBlanks() {
    for (; more() &&
           (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r' || m_text[m_at] == '\t');
         ++m_at)
      m_line += m_text[m_at] == '\n' ? 1 : 0;
  }
  // Up to the comma or the bracket behind it; what it holds is checked when it is parsed. False when it is
  // larger than a record may be.
  bool passValue() {
    std::int64_t depth = 0;
    bool quoted = false;
    for (; more(); ++m_at) {
      const char c = m_text[m_at];
      if (static_cast<std::int64_t>(m_at - m_begin) > kMostRecordBytes) return false;
      m_line += c == '\n' ? 1 : 0;
      if (quoted) {
        if (c == '\\' && (++m_at, !more())) return true;
        if (c == '"') quoted = false;
        continue;
      }
      if (c == '"') quoted = true;
      if (c == '[' || c == '{') ++depth;
      if (depth == 0 && (c == ',' || c == ']')) return true;
      if (c == ']' || c == '}') --depth;
    }
    return true;
  }

  RegularFile m_file;
  const std::string& m_path;
  Progress* m_progress;
  Status m_status;
  Sha256 m_hash;
  std::string m_text;  // from `m_begin` on while a record is kept
  std::size_t m_at = 0, m_begin = 0;
  std::uint64_t m_read = 0;
  bool m_keeps = false;
  std::int64_t m_line = 1;
};

void begin(const RecordFileRequest& request, double bytes) {
  if (request.progress != nullptr)
    request.progress->begin(Phrase::tr("reading records").english, "bytes", bytes);
}

Status readLines(LineReader& reader, const RecordFileRequest& request, RecordTaker& take) {
  begin(request, static_cast<double>(reader.fileBytes()));
  LineReader::Line line;
  while (true) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) break;
    if (line.tooLong)
      return dataErrorAt(request.path, line.number,
                         Phrase::tr("the line has more than %1 bytes")(kMostRecordBytes), knownForms());
    if (strip(line.text).empty()) continue;
    FATHOM_CHECK(take(line.text, line.number));
    if (request.progress != nullptr) request.progress->report(static_cast<double>(reader.readBytes()));
  }
  take.file.hash = {"", request.path, reader.sha256(), reader.fileBytes()};
  return {};
}

Status readList(const RecordFileRequest& request, RecordTaker& take) {
  FATHOM_TRY(RegularFile file, RegularFile::open(request.path));
  begin(request, static_cast<double>(file.size()));
  ListWalk walk(std::move(file), request);
  FATHOM_CHECK(walk.forEach(std::ref(take)));
  take.file.hash = walk.hash();
  return {};
}

// The first letter of the text in memory, blanks left out; 0 when it is all blanks.
char firstLetter(const LineReader& reader) {
  const std::string_view head = reader.ahead();
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : head[at];
}

bool isPacked(const std::string& path) {
  const auto file = RegularFile::open(path);
  char magic[2] = {};
  return file.ok() && file->readAt(0, magic, sizeof magic).ok() && std::string_view(magic, 2) == "\x1F\x8B";
}

}  // namespace

Result<RecordFile> readRecordFile(const RecordFileRequest& request, const TakeRecord& take) {
  FATHOM_TRY(LineReader reader, LineReader::open(request.path, kMostRecordBytes));
  RecordTaker taker(request, take);
  const char first = firstLetter(reader);
  if (first == '[' && isPacked(request.path))
    return dataErrorAt(request.path, 0, Phrase::tr("a packed file holds a record a line"),
                       Phrase::tr("unpack it"));
  if (first == '[') {
    FATHOM_CHECK(readList(request, taker));
  } else if (first == '{' || first == '\0') {
    FATHOM_CHECK(readLines(reader, request, taker));
  } else {
    return dataErrorAt(request.path, 1, Phrase::tr("the file holds no records"), knownForms());
  }
  if (taker.file.records > 0) return std::move(taker.file);
  if (taker.file.left == 0) return dataErrorAt(request.path, 0, Phrase::tr("the file has no records"));
  return dataErrorAt(
      request.path, 0,
      Phrase::tr("all %1 records are bad; the first: %2")(taker.file.left, taker.file.firstLeft));
}

}  // namespace fathom
