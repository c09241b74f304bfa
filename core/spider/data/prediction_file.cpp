// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/prediction_file.h"

#include <algorithm>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/base/text/csv.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/data/text_lines.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxPredictionFileBytes = std::size_t{256} << 20;

using Names = std::initializer_list<const char*>;
const Names kSqlNames = {"predicted_sql", "pred_sql",      "predicted",   "prediction",
                         "pred",          "PREDICTED SQL", "predict_sql", "predicted SQL",
                         "predSQL",       "sql",           "query",       "SQL"};
const Names kDatabaseNames = {"db_id", "database_id", "db", "DATABASE", "database"};
const Names kIndexNames = {"index", "example", "id", "question_id"};

std::string chooseColumn(const std::vector<std::string>& columns, const Names& usual) {
  for (const char* name : usual) {
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) return name;
  }
  return {};
}

// Settles the three columns; `asked` ones must exist.
Status chooseColumns(PredictionFile& file, const PredictionOptions& options, const std::string& path) {
  const auto settle = [&](std::string& out, const std::string& asked, const Names& usual) -> Status {
    out = asked.empty() ? chooseColumn(file.columns, usual) : asked;
    if (asked.empty() || std::find(file.columns.begin(), file.columns.end(), asked) != file.columns.end())
      return {};
    return dataErrorAt(path, 0, Phrase::tr("there is no column \"%1\"")(asked),
                       Phrase::tr("columns: %1")(joined(file.columns)));
  };
  FATHOM_CHECK(settle(file.sqlColumn, options.sqlColumn, kSqlNames));
  FATHOM_CHECK(settle(file.databaseColumn, options.databaseColumn, kDatabaseNames));
  FATHOM_CHECK(settle(file.indexColumn, options.indexColumn, kIndexNames));
  if (!file.sqlColumn.empty() || options.anyColumns) return {};
  return dataErrorAt(path, 0, Phrase::tr("no column looks like predicted SQL"),
                     Phrase::tr("name it; columns: %1")(joined(file.columns)));
}

void addLines(PredictionFile& file, const TextLines& lines) {
  std::size_t blank = 0;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    PredictionLine out;
    out.line = static_cast<std::int64_t>(i) + 1;
    const std::string& line = lines.lines[i];
    out.sql = std::string(strip(line));
    out.blank = out.sql.empty();
    // A TAB in front says that there is no SQL, only a database.
    const auto first = line.find_first_not_of(' ');
    if (!out.blank && line[first] == '\t') out.sql.insert(0, 1, '\t');
    blank += out.blank;
    file.lines.push_back(std::move(out));
  }
  if (blank > 0) file.notes.push_back(Phrase::tr("%1 blank lines")(blank));
}

std::string textOf(const Json& record, const std::string& key) {
  if (key.empty() || !record.is_object()) return {};
  const auto found = record.find(key);
  if (found == record.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::optional<std::int64_t> wholeNumber(const std::string& text) {
  std::int64_t number = 0;
  return !text.empty() && pythonInt(text, number) ? std::optional(number) : std::nullopt;
}

Status addRecords(PredictionFile& file, const std::vector<Json>& records, const PredictionOptions& options,
                  const std::string& path) {
  for (std::size_t i = 0; i < std::min<std::size_t>(records.size(), 64); ++i) {
    if (!records[i].is_object()) continue;
    for (const auto& [key, value] : records[i].items()) {
      const bool known = std::find(file.columns.begin(), file.columns.end(), key) != file.columns.end();
      if (!known && file.columns.size() < 4096) file.columns.push_back(key);
    }
  }
  if (!file.columns.empty()) FATHOM_CHECK(chooseColumns(file, options, path));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Json& record = records[i];
    PredictionLine out;
    out.line = static_cast<std::int64_t>(i) + 1;
    if (record.is_string()) {
      out.sql = record.get<std::string>();
    } else if (record.is_object()) {
      out.sql = textOf(record, file.sqlColumn);
      out.dbId = textOf(record, file.databaseColumn);
      out.index = wholeNumber(textOf(record, file.indexColumn));
      out.number = out.index.value_or(-1);
      // A set of ours says where an example stands in its file where that is not its number.
      if (const auto row = wholeNumber(textOf(record, "row")); row && file.indexColumn == "example")
        out.index = row;
    } else {
      return dataErrorAt(path, out.line, Phrase::tr("record %1 is neither a text nor an object")(out.line));
    }
    out.sql = std::string(strip(out.sql));
    out.blank = out.sql.empty();
    file.lines.push_back(std::move(out));
  }
  return {};
}

Status addJson(PredictionFile& file, std::string_view text, const PredictionOptions& options,
               const std::string& path) {
  FATHOM_TRY(Json root, parseJson(text, path));
  // {"predictions": [...]} and the like: the only list among the members.
  if (root.is_object()) {
    for (auto& [key, value] : root.items()) {
      if (!value.is_array()) continue;
      Json list = std::move(value);
      root = std::move(list);
      break;
    }
  }
  if (!root.is_array()) return dataErrorAt(path, 0, Phrase::tr("a list of predictions expected"));
  return addRecords(file, std::vector<Json>(root.begin(), root.end()), options, path);
}

// The first line of a prediction set that the engine stored with a run
// (core/record/results/prediction_set.h): it says whose predictions follow and is none.
bool isSetHead(const Json& record) {
  return record.is_object() && record.contains("format") && record.contains("checkpoint") &&
         record.contains("split");
}

Status addJsonLines(PredictionFile& file, const TextLines& lines, const PredictionOptions& options,
                    const std::string& path) {
  std::vector<Json> records;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    if (strip(lines.lines[i]).empty()) continue;
    auto record = parseJson(lines.lines[i], path);
    if (!record) return dataErrorAt(path, static_cast<std::int64_t>(i) + 1, record.error().messagePhrase());
    if (records.empty() && isSetHead(*record)) continue;
    // The details that such a set tells about its outputs are long and none of our business.
    if (record->is_object() && record->value("details", Json()).is_object()) record->erase("details");
    records.push_back(std::move(*record));
  }
  return addRecords(file, records, options, path);
}

Status addCsv(PredictionFile& file, std::string_view text, const PredictionOptions& options,
              const std::string& path) {
  FATHOM_TRY(const auto rows, parseCsv(text, path));
  if (rows.empty()) return dataErrorAt(path, 0, Phrase::tr("the CSV file is empty"));
  file.columns = rows.front();
  FATHOM_CHECK(chooseColumns(file, options, path));
  const auto position = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(file.columns.begin(), file.columns.end(), name) -
                                    file.columns.begin());
  };
  const auto field = [&](const std::vector<std::string>& row, const std::string& name) {
    const std::size_t at = name.empty() ? row.size() : position(name);
    return at < row.size() ? row[at] : std::string();
  };
  for (std::size_t i = 1; i < rows.size(); ++i) {
    PredictionLine out;
    out.line = static_cast<std::int64_t>(i);
    out.sql = std::string(strip(field(rows[i], file.sqlColumn)));
    out.dbId = std::string(strip(field(rows[i], file.databaseColumn)));
    out.index = wholeNumber(field(rows[i], file.indexColumn));
    out.blank = out.sql.empty();
    file.lines.push_back(std::move(out));
  }
  return {};
}

PredictionFormat guessFormat(std::string_view text, const std::string& path) {
  const std::string lower = asciiLower(path);
  if (lower.ends_with(".jsonl") || lower.ends_with(".ndjson")) return PredictionFormat::JsonLines;
  if (lower.ends_with(".json")) return PredictionFormat::Json;
  if (lower.ends_with(".csv")) return PredictionFormat::Csv;
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '[') return PredictionFormat::Json;
  if (first != std::string_view::npos && text[first] == '{') return PredictionFormat::JsonLines;
  return PredictionFormat::Lines;
}

// Gold of a prediction set that the engine stored with a run: every line holds what the data file says of its
// example, by the texts of the task.
Result<std::vector<GoldLine>> goldOfSet(std::string_view text, const std::string& path) {
  const TextLines lines = splitTextLines(text);
  std::map<std::int64_t, GoldLine> gold;
  for (std::size_t i = 1; i < lines.lines.size(); ++i) {
    if (strip(lines.lines[i]).empty()) continue;
    const auto number = static_cast<std::int64_t>(i) + 1;
    const auto record = parseJson(lines.lines[i], path);
    if (!record) return dataErrorAt(path, number, record.error().messagePhrase());
    const auto example = wholeNumber(textOf(*record, "example"));
    GoldLine line{textOf(*record, "sql"), textOf(*record, "database"), number};
    if (!example || line.sql.empty() || line.dbId.empty())
      return dataErrorAt(path, number, Phrase::tr("the line of the set has no example, sql and database"));
    gold.emplace(*example, std::move(line));
  }
  std::vector<GoldLine> inOrder;
  for (auto& [example, line] : gold) {
    if (example != static_cast<std::int64_t>(inOrder.size()))
      return dataErrorAt(path, line.line, Phrase::tr("the set has no example %1")(inOrder.size()));
    inOrder.push_back(std::move(line));
  }
  if (inOrder.empty()) return dataErrorAt(path, 0, Phrase::tr("the gold file is empty"));
  return inOrder;
}

}  // namespace

Result<std::vector<GoldLine>> parseGoldText(std::string_view text, const std::string& path) {
  const TextLines lines = splitTextLines(text);
  std::vector<GoldLine> gold;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    const std::string line = std::string(strip(lines.lines[i]));
    if (line.empty()) continue;
    const auto fields = splitTabs(line);
    if (fields.size() != 2) {
      return dataErrorAt(
          path, static_cast<std::int64_t>(i) + 1,
          Phrase::tr("a gold line has %1 TAB fields instead of 2 (SQL, db_id)")(fields.size()));
    }
    gold.push_back({fields[0], fields[1], static_cast<std::int64_t>(i) + 1});
  }
  if (gold.empty()) return dataErrorAt(path, 0, Phrase::tr("the gold file is empty"));
  return gold;
}

Result<std::vector<GoldLine>> readGoldFile(const std::string& path) {
  FATHOM_TRY(const std::string text, readMaybeGzip(path, kMaxPredictionFileBytes));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') {
    std::string_view line;
    LinesOf(std::string_view(text).substr(first)).next(line);
    const auto head = parseJson(line, path);
    if (head.ok() && isSetHead(*head)) return goldOfSet(std::string_view(text).substr(first), path);
  }
  if (first == std::string::npos || text[first] != '[') return parseGoldText(text, path);
  FATHOM_TRY(const SpiderDataset dataset, readSpiderDataset(path));
  std::vector<GoldLine> gold;
  for (const SpiderExample& example : dataset.examples) {
    gold.push_back({example.query, example.dbId, static_cast<std::int64_t>(gold.size()) + 1});
  }
  if (gold.empty()) return dataErrorAt(path, 0, Phrase::tr("the gold file is empty"));
  return gold;
}

Result<PredictionFile> parsePredictionText(std::string_view text, const std::string& path,
                                           const PredictionOptions& options) {
  PredictionFile file;
  file.indexAsked = !options.indexColumn.empty();
  const std::string utf8 = decodeText(text, file.notes);
  file.format = options.format == PredictionFormat::Auto ? guessFormat(utf8, path) : options.format;
  if (file.format == PredictionFormat::Json) {
    FATHOM_CHECK(addJson(file, utf8, options, path));
  } else if (file.format == PredictionFormat::Csv) {
    FATHOM_CHECK(addCsv(file, utf8, options, path));
  } else {
    const TextLines lines = splitTextLines(utf8);
    if (lines.carriageReturns > 0)
      file.notes.push_back(Phrase::tr("%1 lines end in CR or CRLF")(lines.carriageReturns));
    if (file.format == PredictionFormat::JsonLines) {
      FATHOM_CHECK(addJsonLines(file, lines, options, path));
    } else {
      addLines(file, lines);
    }
  }
  if (file.lines.empty()) return dataErrorAt(path, 0, Phrase::tr("no predictions in the file"));
  return file;
}

Result<PredictionFile> readPredictionFile(const std::string& path, const PredictionOptions& options) {
  FATHOM_TRY(const std::string text, readFile(path, kMaxPredictionFileBytes));
  return parsePredictionText(text, path, options);
}

}  // namespace fathom
