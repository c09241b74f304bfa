// SPDX-License-Identifier: Apache-2.0
#include "core/imports/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "core/base/errors/word_table.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"
#include "core/imports/grown_file.h"
#include "core/imports/imported_options.h"

namespace fathom {

namespace {

constexpr std::string_view kLeast = "__MIN", kMost = "__MAX", kBetween = " - ";

std::string loweredName(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text))
    out += c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

int columnNamed(const std::vector<std::string>& header, std::initializer_list<const char*> names) {
  for (const char* name : names)
    for (std::size_t i = 0; i < header.size(); ++i)
      if (loweredName(header[i]) == name) return static_cast<int>(i);
  return -1;
}

// Columns of options as experiment trackers export them.
std::string optionName(const std::string& column) {
  for (const char* prefix : {"config.", "config/", "hparams.", "hparams/", "params.", "params/"})
    if (column.size() > std::string_view(prefix).size() && column.starts_with(prefix))
      return column.substr(std::string_view(prefix).size());
  return isSeedName(column) ? column : std::string();
}

// "1.234,5" or "2,345" as others write it.
std::string withPoint(std::string_view text) {
  std::string out;
  const bool comma = text.find(',') != std::string_view::npos;
  for (const char c : text)
    if (c == ',')
      out += '.';
    else if (c != '.' || !comma)
      out += c;
  return out;
}

// Every column but the first belongs to a run, and one of them has a band.
bool isChart(const std::vector<std::string>& header) {
  if (header.size() < 2) return false;
  const auto begin = header.begin() + 1;
  return std::all_of(begin, header.end(),
                     [](const std::string& name) { return name.find(kBetween) != std::string::npos; }) &&
         std::any_of(begin, header.end(), [](const std::string& name) { return name.ends_with(kLeast); });
}

void takeChart(const std::vector<std::string>& header, CsvColumns& table) {
  table.chart = true;
  for (std::size_t i = 1; i < header.size(); ++i) {
    CsvColumn& column = table.columns[i];
    const std::size_t at = header[i].rfind(kBetween);
    column.run = header[i].substr(0, at);
    column.metric = header[i].substr(at + kBetween.size());
    const bool band = column.metric.ends_with(kLeast) || column.metric.ends_with(kMost);
    if (column.metric == "_step") column.role = CsvRole::Step;
    if (band && column.metric.starts_with("_step")) column.role = CsvRole::Skipped;
  }
}

}  // namespace

namespace {

constexpr EnumWord<CsvRole> kRoleWords[] = {{CsvRole::Data, "metric"},      {CsvRole::Run, "run"},
                                            {CsvRole::Step, "step"},        {CsvRole::Time, "time"},
                                            {CsvRole::Epoch, "epoch"},      {CsvRole::Tokens, "tokens"},
                                            {CsvRole::RunName, "run_name"}, {CsvRole::Metric, "name"},
                                            {CsvRole::Value, "value"},      {CsvRole::Skipped, "skipped"}};
constexpr const char* kOptionUse = "option";

Status takeUse(const std::string& name, const std::string& use, CsvColumn& column) {
  column.said = true;
  column.metric = plainText(name);
  if (use == kOptionUse) {
    column.option = optionName(name).empty() ? name : optionName(name);
    return {};
  }
  for (const auto& known : kRoleWords)
    if (use == known.word) {
      column.role = known.value;
      return {};
    }
  return usageError(Phrase::tr("a column cannot be \"%1\"")(use),
                    Phrase::tr("one of %1")(joined(kColumnUses)));
}

// A person's word goes before what names tell.
Status takeUses(const std::vector<std::string>& header, const ImportOptions& options, const std::string& path,
                CsvColumns& table) {
  for (const auto& [name, use] : options.columns) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end())
      return dataErrorAt(path, 1, Phrase::tr("there is no column \"%1\"")(plainText(name)));
    FATHOM_CHECK(takeUse(name, use, table.columns[static_cast<std::size_t>(found - header.begin())]));
  }
  return {};
}

}  // namespace

std::string columnUse(const CsvColumn& column) {
  if (column.role == CsvRole::Data && !column.option.empty()) return kOptionUse;
  for (const auto& known : kRoleWords)
    if (column.role == known.value) return known.word;
  return {};
}

Result<std::optional<double>> cellNumber(std::string_view text, const CellDialect& dialect) {
  text = trimmed(text);
  const std::string word = loweredName(text);
  if (word.empty() || word == "na" || word == "n/a" || word == "null" || word == "none" || word == "#n/a")
    return std::optional<double>();
  if (word == "nan") return dialect.nanIsMissing ? std::optional<double>() : std::optional<double>(kNaN);
  if (word == "inf" || word == "infinity" || word == "+inf")
    return std::optional<double>(std::numeric_limits<double>::infinity());
  if (word == "-inf" || word == "-infinity")
    return std::optional<double>(-std::numeric_limits<double>::infinity());
  std::string_view digits = text;
  if (digits.front() == '+') digits.remove_prefix(1);
  std::optional<double> value = numberFrom<double>(digits);
  if (!value && dialect.decimalComma) value = numberFrom<double>(withPoint(digits));
  if (!value) return dataError(Phrase::tr("\"%1\" is not a number")(shownValue(text)));
  return value;
}

Result<std::optional<double>> cellTime(std::string_view text, const CellDialect& dialect) {
  auto number = cellNumber(text, dialect);
  if (number.ok()) {
    if (*number) return std::optional<double>(plainSeconds(**number));
    return number;
  }
  const double date = isoSeconds(trimmed(text));
  if (std::isnan(date)) return number;
  return std::optional<double>(date);
}

int CsvColumns::place(CsvRole role) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].role == role && columns[i].run.empty()) return static_cast<int>(i);
  return -1;
}

std::optional<std::pair<std::string, std::string>> downloadNames(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  constexpr std::string_view kTag = "-tag-";
  const std::size_t at = stem.find(kTag);
  if (at == std::string::npos || !(stem.starts_with("run-") || stem.starts_with("run_"))) return std::nullopt;
  std::string run = at > 4 ? stem.substr(4, at - 4) : std::string();
  if (run == ".") run.clear();
  return std::pair(run, stem.substr(at + kTag.size()));
}

char separatorOf(std::string_view text) {
  std::map<char, int> counts;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '\n' || c == '\r')) break;
    if (!quoted && (c == ',' || c == ';' || c == '\t')) ++counts[c];
  }
  char best = ',';
  for (const char c : {';', '\t'})
    if (counts[c] > counts[best]) best = c;
  return best;
}

bool hasDecimalComma(std::string_view text, char separator) {
  if (separator != '\t') return separator == ';';
  constexpr std::size_t kLooked = std::size_t{64} << 10;
  bool comma = false;
  LinesOf lines(text.substr(0, kLooked));
  for (std::string_view line; lines.next(line);)
    for (std::string_view cell : splitAt(line, '\t')) {
      cell = trimmed(cell);
      if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
      const std::size_t at = cell.find(',');
      if (cell.find('.') != std::string_view::npos && numberFrom<double>(cell)) return false;
      if (at == std::string_view::npos || !numberFrom<double>(withPoint(cell))) continue;
      // Thousands come in groups of three behind one to three digits, the first of them no 0.
      const bool thousands = cell.size() - at == 4 && at > 0 && at <= 3 && cell.front() != '0';
      comma = comma || !thousands;
    }
  return comma;
}

Result<CsvColumns> namedColumns(const std::vector<std::string>& header, const ImportOptions& options,
                                const std::string& path) {
  CsvColumns table;
  table.columns.resize(header.size());
  const auto give = [&table](int place, CsvRole role) {
    if (place < 0) return;
    CsvColumn& column = table.columns[static_cast<std::size_t>(place)];
    if (column.role == CsvRole::Data && !column.said) column.role = role;
  };
  FATHOM_CHECK(takeUses(header, options, path, table));
  const auto wanted = [&](const std::string& name, CsvRole role) -> Status {
    if (name.empty()) return {};
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return dataErrorAt(path, 1, Phrase::tr("there is no column \"%1\"")(name));
    give(static_cast<int>(found - header.begin()), role);
    return {};
  };
  FATHOM_CHECK(wanted(options.stepColumn, CsvRole::Step));
  FATHOM_CHECK(wanted(options.timeColumn, CsvRole::Time));
  FATHOM_CHECK(wanted(options.runColumn, CsvRole::Run));
  const auto named = [&](CsvRole role, std::initializer_list<const char*> names) {
    if (table.place(role) < 0) give(columnNamed(header, names), role);
  };
  table.dialect.nanIsMissing =
      columnNamed(header, {"_step"}) >= 0 && columnNamed(header, {"_runtime", "_timestamp"}) >= 0;
  const bool chart = options.columns.empty() && isChart(header);
  named(CsvRole::Step,
        {"step", "global_step", "_step", "trainer/global_step", "num_updates", "updates", "update",
         "iteration", "iterations", "iter", "n_iter", "batch", "train_step", "steps"});
  named(CsvRole::Time, {"_timestamp", "wall_time", "time", "timestamp", "datetime", "date", "ts",
                        "created_at", "seconds", "elapsed", "elapsed_time", "relative_time_(process)",
                        "relative_time_(wall)", "_runtime", "runtime"});
  named(CsvRole::Epoch, {"epoch", "epochs", "train/epoch"});
  named(CsvRole::Tokens, {"tokens", "num_tokens", "total_tokens", "num_input_tokens_seen"});
  named(CsvRole::Metric, {"metric", "tag", "metric_name", "key"});
  named(CsvRole::Value, {"value", "metric_value"});
  named(CsvRole::Run, {"run", "run_id", "run_name", "experiment", "trial", "run_uuid"});
  // Only beside a run does a name mean the run's.
  if (table.place(CsvRole::Run) >= 0) named(CsvRole::RunName, {"name", "run_name"});
  const auto download = downloadNames(path);
  const bool oneCurve = header.size() == 3 && table.place(CsvRole::Time) >= 0 &&
                        table.place(CsvRole::Step) >= 0 && table.place(CsvRole::Value) >= 0;
  table.longForm = table.place(CsvRole::Metric) >= 0 && table.place(CsvRole::Value) >= 0;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < header.size(); ++i) {
    CsvColumn& column = table.columns[i];
    const bool half = !table.longForm && (column.role == CsvRole::Metric || column.role == CsvRole::Value);
    if (half) column.role = CsvRole::Data;
    if (column.role != CsvRole::Data) continue;
    const std::string lower = loweredName(header[i]);
    // An index without a name, and the clock of a table that has a better one.
    if (!column.said && (header[i].empty() || lower == "unnamed:_0" || lower == "_runtime")) {
      column.role = CsvRole::Skipped;
      continue;
    }
    column.metric = plainText(header[i]);
    if (!column.said) column.option = optionName(header[i]);
    if (oneCurve && download) column.metric = download->second;
    // Two columns of one name are two curves.
    if (const int before = seen[column.metric]++; before > 0)
      column.metric += " (" + std::to_string(before + 1) + ")";
  }
  if (oneCurve && download) table.title = download->first;
  if (chart) takeChart(header, table);
  return table;
}

Result<CsvColumns> columnsOf(const std::vector<std::string>& header, const ImportOptions& options,
                             const std::string& path) {
  FATHOM_TRY(CsvColumns table, namedColumns(header, options, path));
  const bool stepInside = std::any_of(table.columns.begin(), table.columns.end(),
                                      [](const CsvColumn& column) { return column.role == CsvRole::Step; });
  if (!stepInside && table.place(CsvRole::Epoch) < 0) {
    table.countRows = table.place(CsvRole::Time) >= 0;
    if (!table.countRows)
      return dataErrorAt(
          path, 1, Phrase::tr("no column tells the step"),
          Phrase::tr("name it with --step-column (for instance the first: \"%1\")")(header.front()));
  }
  return table;
}

std::size_t wholeRows(std::string_view text, char separator) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::size_t end = 0;
  bool quoted = false, begins = true;
  for (std::size_t i = text.starts_with(kMark) ? kMark.size() : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      const bool closes = c == '"' && (i + 1 == text.size() || text[i + 1] != '"');
      if (c == '"' && !closes) ++i;  // two of them are one
      quoted = !closes;
      begins = false;
      continue;
    }
    quoted = c == '"' && begins;
    begins = c == separator || c == '\n' || c == '\r';
    if (c == '\n') end = i + 1;
  }
  return end;
}

}  // namespace fathom
