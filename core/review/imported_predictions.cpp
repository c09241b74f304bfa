// SPDX-License-Identifier: Apache-2.0
#include "core/review/imported_predictions.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/errors/error_words.h"
#include "core/base/json/json_members.h"
#include "core/base/lines/compressed_file.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/record/formats/array_file.h"
#include "core/review/prediction_record.h"

namespace fathom {

namespace {

constexpr std::size_t kMostForeignBytes = std::size_t{256} << 20;
constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kMostRecords = 5'000'000;
constexpr std::size_t kMostLines = 10'000'000;
constexpr std::ptrdiff_t kMostColumns = 4096;

Error inFile(const Error& error, const std::string& path, std::int64_t line) {
  return dataErrorAt(path, line, error.messagePhrase(), error.hintPhrase());
}

// Before anything is made of them: a record is much larger than the bytes that ask for it.
Status checkCount(const Json& records, const std::string& path) {
  if (records.size() <= kMostRecords) return {};
  return dataErrorAt(path, 0, Phrase::tr("more than %1 predictions")(kMostRecords));
}

// Members by name: an object of JSON finds one by looking at all.
std::unordered_map<std::string_view, const Json*> membersOf(const Json& object) {
  std::unordered_map<std::string_view, const Json*> members;
  members.reserve(object.size());
  for (auto member = object.begin(); member != object.end(); ++member)
    members.emplace(member.key(), &member.value());
  return members;
}

Status add(ImportedFile& file, ImportedPrediction record, const std::string& path) {
  if (file.records.size() >= kMostRecords)
    return dataErrorAt(path, record.line, Phrase::tr("more than %1 predictions")(kMostRecords));
  file.named = file.named || record.index || !record.id.empty();
  file.records.push_back(std::move(record));
  return {};
}

bool isSetHead(const Json& object) {
  return object.contains("split") && object.contains("fields");
}

// HotpotQA's: texts and supporting facts by id. A question may be in one of them alone.
Result<ImportedFile> fromSupported(const Json& answers, const Json& facts, const std::string& path) {
  FATHOM_CHECK(checkCount(answers, path));
  FATHOM_CHECK(checkCount(facts, path));
  const auto answerOf = membersOf(answers), factsOf = membersOf(facts);
  ImportedFile file;
  const auto take = [&](const std::string& id, const Json* answer) -> Status {
    ImportedPrediction record;
    record.id = id;
    record.line = static_cast<std::int64_t>(file.records.size()) + 1;
    record.text = "";
    Status read;
    if (answer != nullptr) read = readPredictedAnswer(*answer, record);
    const auto own = factsOf.find(id);
    if (read.ok() && own != factsOf.end()) read = readSupportingFacts(*own->second, record);
    if (!read.ok())
      return withMessage(inFile(read.error(), path, 0),
                         Phrase::tr("answer to %1: %2")(id, read.error().messagePhrase()));
    return add(file, std::move(record), path);
  };
  for (const auto& [id, value] : answers.items()) FATHOM_CHECK(take(id, &value));
  for (const auto& [id, value] : facts.items())
    if (!answerOf.contains(id)) FATHOM_CHECK(take(id, nullptr));
  return file;
}

// id -> answer
Result<ImportedFile> fromMap(const Json& map, const std::string& path) {
  FATHOM_CHECK(checkCount(map, path));
  ImportedFile file;
  for (const auto& [id, value] : map.items()) {
    ImportedPrediction record;
    record.line = static_cast<std::int64_t>(file.records.size()) + 1;
    if (const Status read = readPredictionRecord(value, record); !read.ok()) {
      return withMessage(inFile(read.error(), path, 0),
                         Phrase::tr("answer to %1: %2")(id, read.error().messagePhrase()));
    }
    record.id = id;
    record.index.reset();
    FATHOM_CHECK(add(file, std::move(record), path));
  }
  return file;
}

Result<ImportedFile> fromJsonList(const Json& list, const std::string& path) {
  FATHOM_CHECK(checkCount(list, path));
  ImportedFile file;
  for (const Json& value : list) {
    ImportedPrediction record;
    record.line = static_cast<std::int64_t>(file.records.size()) + 1;
    if (const Status read = readPredictionRecord(value, record); !read.ok())
      return inFile(read.error(), path, record.line);
    FATHOM_CHECK(add(file, std::move(record), path));
  }
  return file;
}

Result<ImportedFile> fromJsonLines(const std::vector<std::string_view>& lines, const std::string& path) {
  ImportedFile file;
  std::string reference;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed(lines[i]).empty()) continue;
    const auto number = static_cast<std::int64_t>(i) + 1;
    const auto json = parseJson(lines[i]);
    if (!json.ok()) return inFile(json.error(), path, number);
    if (!json->is_object())
      return dataErrorAt(path, number, Phrase::tr("a line of JSON lines must be an object"));
    if (i == 0 && isSetHead(*json)) {
      file.isSet = true;
      reference = memberText(memberObject(*json, "fields"), "reference");
      continue;
    }
    ImportedPrediction record;
    record.line = number;
    const Status read =
        file.isSet ? readSetLine(*json, reference, record) : readPredictionRecord(*json, record);
    if (!read.ok()) return inFile(read.error(), path, number);
    FATHOM_CHECK(add(file, std::move(record), path));
  }
  return file;
}

// True if the first line is an object by itself and others follow, or it is a record.
bool areJsonLines(std::string_view bytes) {
  std::string_view line = bytes, rest = bytes;
  const bool more = takeWholeLine(rest, line);
  const auto first = parseJson(line);
  if (!first.ok() || !first->is_object()) return false;
  if (more && !trimmed(rest).empty() && strip(rest).starts_with('{')) return true;
  return isSetHead(*first) || answersAnExample(*first);
}

struct TableColumns {
  std::size_t id = 0, answer = 1, count = 2;
  bool heading = false;
};

TableColumns columnsOf(const std::vector<std::string_view>& cells) {
  TableColumns columns;
  columns.count = cells.size();
  std::optional<std::size_t> id, answer;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string_view cell = trimmed(cells[c]);
    if (!id && (isExampleKey(cell))) id = c;
    if (!answer && isAnswerKey(cell)) answer = c;
  }
  if (!id || !answer) return columns;
  columns.id = *id;
  columns.answer = *answer;
  columns.heading = true;
  return columns;
}

Result<ImportedFile> fromTable(const std::vector<std::string_view>& lines, const std::string& path) {
  FATHOM_TRY(const auto first, cellsOf(lines.front(), path, 1));
  const TableColumns columns = columnsOf(first);
  ImportedFile file;
  for (std::size_t i = columns.heading ? 1 : 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    ImportedPrediction record;
    record.line = static_cast<std::int64_t>(i) + 1;
    FATHOM_TRY(const auto cells, cellsOf(lines[i], path, record.line));
    if (cells.size() != columns.count)
      return dataErrorAt(path, record.line,
                         Phrase::tr("%1 columns where the first line has %2")(cells.size(), columns.count));
    record.id = std::string(trimmed(cells[columns.id]));
    setAnswerText(record, std::string(trimmed(cells[columns.answer])));
    if (record.id.empty()) return dataErrorAt(path, record.line, Phrase::tr("the index is empty"));
    FATHOM_CHECK(add(file, std::move(record), path));
  }
  return file;
}

Result<ImportedFile> fromLines(const std::vector<std::string_view>& lines, const std::string& path) {
  ImportedFile file;
  for (const std::string_view line : lines) {
    ImportedPrediction record;
    record.line = static_cast<std::int64_t>(file.records.size()) + 1;
    setAnswerText(record, std::string(line));
    FATHOM_CHECK(add(file, std::move(record), path));
  }
  return file;
}

Result<ImportedFile> fromArray(std::string_view bytes, const std::string& path) {
  FATHOM_TRY(const NpyArray array, parseArray(bytes, path));
  if (array.shape.size() != 1 && array.shape.size() != 2)
    return dataErrorAt(path, 0,
                       Phrase::tr("an array of %1 dimensions holds no predictions")(array.shape.size()),
                       Phrase::tr("one number, or one row of scores, per example is expected"));
  const auto width = array.shape.size() == 2 ? static_cast<std::size_t>(array.shape[1]) : 1;
  if (array.shape.size() == 2 && (width == 0 || width > kMostScores))
    return dataErrorAt(path, 0, Phrase::tr("rows of %1 scores are not expected")(width));
  const std::vector<double> values = array.doubles();
  ImportedFile file;
  for (std::size_t at = 0; at + width <= values.size(); at += width) {
    ImportedPrediction record;
    record.line = static_cast<std::int64_t>(file.records.size()) + 1;
    if (array.shape.size() == 1) {
      record.number = values[at];
      record.text = shortestText(values[at]);
    } else {
      record.scores.assign(values.begin() + static_cast<std::ptrdiff_t>(at),
                           values.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
    FATHOM_CHECK(add(file, std::move(record), path));
  }
  return file;
}

// {"key": …, [{"key": … or a list in several lines: JSON that is cut or damaged, no text of a person.
bool looksLikeJson(std::string_view text) {
  const auto after = [](std::string_view part) { return strip(part.substr(1)); };
  if (text.starts_with('[')) {
    const std::string_view inner = after(text);
    if (inner.starts_with('"') && text.size() > 1 && (text[1] == '\n' || text[1] == '\r')) return true;
    text = inner;
  }
  if (!text.starts_with('{')) return false;
  text = after(text);
  if (!text.starts_with('"')) return false;
  const std::size_t end = text.find('"', 1);
  return end != std::string_view::npos && strip(text.substr(end + 1)).starts_with(':');
}

// Until the end, or until there are `most` of them or a few more.
Result<std::string> readBlocks(PackedReader& reader, std::size_t most) {
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kBlock);
    FATHOM_TRY(const std::size_t got, reader.read(bytes.data() + before, kBlock));
    bytes.resize(before + got);
    if (got == 0) break;
  }
  return bytes;
}

}  // namespace

Result<std::string> readHead(const std::string& path) {
  FATHOM_TRY(const auto reader, PackedReader::open(path));
  return readBlocks(*reader, kBlock);
}

Result<std::string> readUnpacked(const std::string& path) {
  FATHOM_TRY(const auto reader, PackedReader::open(path));
  FATHOM_TRY(std::string bytes, readBlocks(*reader, kMostForeignBytes + 1));
  if (bytes.size() > kMostForeignBytes)
    return dataErrorAt(path, 0, Phrase::tr("more than %1 MB of text")(kMostForeignBytes >> 20));
  return bytes;
}

bool isPredictionSet(std::string_view bytes) {
  const std::string_view text = strip(withoutByteOrderMark(bytes));
  if (!text.starts_with('{')) return false;
  std::string_view first;
  LinesOf(text).next(first);
  const auto head = parseJson(first);
  return head.ok() && head->is_object() && isSetHead(*head);
}

Result<std::vector<std::string_view>> textLines(std::string_view bytes, const std::string& path) {
  bytes = withoutByteOrderMark(bytes);
  const auto lineAt = [&](std::size_t byte) {
    return 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
  };
  if (const std::size_t nul = bytes.find('\0'); nul != std::string_view::npos)
    return dataErrorAt(path, lineAt(nul), Phrase::tr("a NUL byte: this is no text file"));
  if (const std::size_t bad = firstInvalidUtf8(bytes); bad != std::string_view::npos)
    return dataErrorAt(path, lineAt(bad), Phrase::tr("byte %1 is not UTF-8")(bad),
                       Phrase::tr("save the file as UTF-8"));
  std::vector<std::string_view> lines;
  LinesOf all(bytes);
  for (std::string_view line; all.next(line);) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (lines.size() == kMostLines) return dataErrorAt(path, 0, Phrase::tr("more than %1 lines")(kMostLines));
    lines.push_back(line);
  }
  return lines;
}

Result<std::vector<std::string_view>> cellsOf(std::string_view line, const std::string& path,
                                              std::int64_t number) {
  if (std::count(line.begin(), line.end(), '\t') >= kMostColumns)
    return dataErrorAt(path, number, Phrase::tr("more than %1 columns")(kMostColumns));
  return splitAt(line, '\t');
}

Result<ImportedFile> parseImportedPredictions(std::string_view bytes, const std::string& path,
                                              bool linesAreTexts) {
  if (bytes.starts_with("\x93NUMPY")) return fromArray(bytes, path);
  FATHOM_TRY(const auto lines, textLines(bytes, path));
  const std::string_view text = strip(withoutByteOrderMark(bytes));
  // A system may well have said nothing every time.
  if (text.empty() && linesAreTexts && !lines.empty()) return fromLines(lines, path);
  if (text.empty()) return dataErrorAt(path, 1, Phrase::tr("the file holds no predictions"));
  if (text.starts_with('{')) {
    if (areJsonLines(text)) return fromJsonLines(lines, path);
    const auto map = parseJson(text, path);
    // A translation may begin with a brace.
    if (!map.ok() && linesAreTexts && !looksLikeJson(text)) return fromLines(lines, path);
    if (!map.ok()) return map.error();
    const auto answers = map->find("answer"), facts = map->find("sp");
    if (answers != map->end() && facts != map->end() && answers->is_object() && facts->is_object())
      return fromSupported(*answers, *facts, path);
    if (const auto list = map->find("predictions");
        map->size() == 1 && list != map->end() && list->is_array())
      return fromJsonList(*list, path);
    return fromMap(*map, path);
  }
  if (text.starts_with('[')) {
    const auto list = parseJson(text, path);
    if (list.ok()) return fromJsonList(*list, path);
    if (!linesAreTexts || looksLikeJson(text)) return list.error();
  }
  if (!linesAreTexts && lines.front().find('\t') != std::string_view::npos) return fromTable(lines, path);
  return fromLines(lines, path);
}

Result<std::map<std::string, double, std::less<>>> readNullOdds(const std::string& path) {
  FATHOM_TRY(const std::string bytes, readUnpacked(path));
  FATHOM_TRY(const Json json, parseJson(bytes, path));
  if (!json.is_object()) return dataErrorAt(path, 1, Phrase::tr("null odds are an object: id, number"));
  std::map<std::string, double, std::less<>> odds;
  for (const auto& [id, value] : json.items()) {
    const auto number = realFromJson(value);
    if (!number.ok())
      return dataErrorAt(path, 0, Phrase::tr("the null odds of %1 are no number: %2")(id, value.dump()));
    odds.emplace(id, *number);
  }
  return odds;
}

}  // namespace fathom
