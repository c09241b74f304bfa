// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/record_file.h"

#include <algorithm>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/text/utf8.h"
#include "core/tasks/line_reader.h"

namespace fathom {

namespace {

Phrase knownForms() {
  return Phrase::tr("a file holds a JSON list of records, or a record a line");
}

// Hands records on, and decides what a bad one means.
class RecordTaker {
 public:
  RecordTaker(const RecordFileRequest& request, const TakeRecord& take) : m_request(request), m_take(take) {}

  Status operator()(std::string_view text, std::int64_t line) {
    if (m_request.stop.stopRequested()) return interruptedError();
    const std::string place = m_request.path + ":" + std::to_string(line);
    const Status taken = read(text, place);
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
  Status read(std::string_view text, const std::string& place) const {
    if (static_cast<std::int64_t>(text.size()) > kMostRecordBytes)
      return dataError(Phrase::tr("%1: the record has %2 bytes, %3 are allowed")(
          place, static_cast<std::int64_t>(text.size()), kMostRecordBytes));
    FATHOM_TRY(const Json record, parseJson(text, place));
    if (!record.is_object()) return dataError(Phrase::tr("%1: a record is an object")(place));
    return m_take(record, place);
  }

  const RecordFileRequest& m_request;
  const TakeRecord& m_take;
};

// Walks over the members of a list without making a tree of it: [begin, end) of each and its line.
class ListWalk {
 public:
  ListWalk(std::string_view text, const std::string& path) : m_text(text), m_path(path) {}

  Status forEach(const std::function<Status(std::string_view, std::int64_t)>& take, Progress* progress) {
    skipBlanks();
    ++m_at;  // the list's own bracket
    skipBlanks();
    while (m_at < m_text.size() && m_text[m_at] != ']') {
      const std::size_t begin = m_at;
      const std::int64_t line = m_line;
      passValue();
      if (m_at >= m_text.size()) return wrong(line, Phrase::tr("the record does not end"));
      if (m_at == begin) return wrong(m_line, Phrase::tr("a record is expected"));
      FATHOM_CHECK(take(strip(m_text.substr(begin, m_at - begin)), line));
      if (progress != nullptr) progress->report(static_cast<double>(m_at));
      if (m_text[m_at] != ',') continue;
      ++m_at;
      skipBlanks();
      if (m_at < m_text.size() && m_text[m_at] == ']')
        return wrong(m_line, Phrase::tr("a record is expected"));
    }
    if (m_at >= m_text.size()) return wrong(m_line, Phrase::tr("the list does not end"));
    ++m_at;
    skipBlanks();
    if (m_at < m_text.size()) return wrong(m_line, Phrase::tr("something stands behind the list"));
    return {};
  }

 private:
  Error wrong(std::int64_t line, const Phrase& what) const {
    return dataErrorAt(m_path, line, what, knownForms());
  }
  void skipBlanks() {
    for (; m_at < m_text.size() &&
           (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r' || m_text[m_at] == '\t');
         ++m_at)
      m_line += m_text[m_at] == '\n' ? 1 : 0;
  }
  // Up to the comma or the bracket behind it; what it holds is checked when it is parsed.
  void passValue() {
    std::int64_t depth = 0;
    bool quoted = false;
    for (; m_at < m_text.size(); ++m_at) {
      const char c = m_text[m_at];
      m_line += c == '\n' ? 1 : 0;
      if (quoted) {
        if (c == '\\') ++m_at;
        if (c == '"') quoted = false;
        continue;
      }
      if (c == '"') quoted = true;
      if (c == '[' || c == '{') ++depth;
      if (depth == 0 && (c == ',' || c == ']')) return;
      if (c == ']' || c == '}') --depth;
    }
  }

  std::string_view m_text;
  const std::string& m_path;
  std::size_t m_at = 0;
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
  FATHOM_TRY(const std::string bytes, readFile(request.path));
  begin(request, static_cast<double>(bytes.size()));
  std::string_view text = bytes;
  if (text.starts_with("\x1F\x8B"))
    return dataErrorAt(request.path, 0, Phrase::tr("a packed file holds a record a line"),
                       Phrase::tr("unpack it"));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  FATHOM_CHECK(ListWalk(text, request.path).forEach(std::ref(take), request.progress));
  take.file.hash = {"", request.path, sha256Hex(bytes), static_cast<std::int64_t>(bytes.size())};
  return {};
}

// '[', '{' or what else the first text begins with.
Result<char> firstLetter(const std::string& path) {
  FATHOM_TRY(LineReader reader, LineReader::open(path));
  LineReader::Line line;
  while (true) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) return dataErrorAt(path, 0, Phrase::tr("the file has no records"));
    const std::string_view text = strip(line.text);
    if (!text.empty()) return text.front();
  }
}

}  // namespace

Result<RecordFile> readRecordFile(const RecordFileRequest& request, const TakeRecord& take) {
  FATHOM_TRY(const char first, firstLetter(request.path));
  RecordTaker taker(request, take);
  if (first == '[') {
    FATHOM_CHECK(readList(request, taker));
  } else if (first == '{') {
    FATHOM_TRY(LineReader reader, LineReader::open(request.path, kMostRecordBytes));
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
