// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/record/csv_reader.h"
#include "core/record/run_import.h"

namespace fathom {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::string lowered(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Nothing for an empty field; the word NaN and infinities are numbers.
Result<std::optional<double>> numberOf(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::optional<double>();
  const std::string word = lowered(text);
  if (word == "nan") return std::optional<double>(kNoNumber);
  if (word == "inf" || word == "infinity" || word == "+inf")
    return std::optional<double>(std::numeric_limits<double>::infinity());
  if (word == "-inf" || word == "-infinity")
    return std::optional<double>(-std::numeric_limits<double>::infinity());
  double value = 0;
  if (text.front() == '+') text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    return dataError("\"" + std::string(text.substr(0, 60)) + "\" is not a number");
  return std::optional<double>(value);
}

int columnNamed(const std::vector<std::string>& header, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (lowered(trimmed(header[i])) == name) return static_cast<int>(i);
    }
  }
  return -1;
}

struct CsvColumns {
  int step = -1, time = -1, epoch = -1, tokens = -1, metric = -1, value = -1;
  bool isAxis(int column) const {
    return column == step || column == time || column == epoch || column == tokens;
  }
};

Result<CsvColumns> findColumns(const std::vector<std::string>& header, const ImportOptions& options,
                               const std::string& path) {
  CsvColumns columns;
  columns.step =
      columnNamed(header, {"step", "global_step", "num_updates", "updates", "update", "iteration", "iter"});
  columns.time =
      columnNamed(header, {"time", "wall_time", "_timestamp", "timestamp", "relative_time_(process)"});
  columns.epoch = columnNamed(header, {"epoch"});
  columns.tokens = columnNamed(header, {"tokens"});
  columns.metric = columnNamed(header, {"metric", "tag"});
  columns.value = columnNamed(header, {"value"});
  for (const auto& [wanted, column] :
       {std::pair(&options.stepColumn, &columns.step), {&options.timeColumn, &columns.time}}) {
    if (wanted->empty()) continue;
    const auto found = std::find(header.begin(), header.end(), *wanted);
    if (found == header.end()) return dataErrorAt(path, 1, "there is no column \"" + *wanted + "\"");
    *column = static_cast<int>(found - header.begin());
  }
  if (columns.step < 0) columns.step = columns.epoch;
  if (columns.step < 0) {
    return dataErrorAt(
        path, 1, "no column tells the step",
        "name it with the option step_column (for instance the first: \"" + header.front() + "\")");
  }
  return columns;
}

class CsvCollector {
 public:
  CsvCollector(std::vector<std::string> header, CsvColumns columns, std::string path)
      : m_header(std::move(header)), m_columns(columns), m_path(std::move(path)) {}

  Status take(const std::vector<std::string>& fields, std::int64_t line) {
    if (fields.size() > m_header.size()) {
      if (m_longRows++ == 0) m_firstLongRow = line;
    }
    double axis[4] = {0, 0, 0, 0};
    const int places[4] = {m_columns.step, m_columns.time, m_columns.epoch, m_columns.tokens};
    for (int i = 0; i < 4; ++i) {
      if (places[i] < 0 || places[i] >= static_cast<int>(fields.size())) continue;
      FATHOM_TRY(const auto number, at(fields, places[i], line));
      if (i == 0 && !number) return {};  // a row without a step holds nothing to draw
      axis[i] = number.value_or(0);
    }
    if (m_columns.metric >= 0 && m_columns.value >= 0) {
      const auto place = static_cast<std::size_t>(m_columns.metric);
      if (place >= fields.size()) return {};
      FATHOM_TRY(const auto number, at(fields, m_columns.value, line));
      if (number) add(fields[place], axis, *number);
      return {};
    }
    for (int i = 0; i < static_cast<int>(std::min(fields.size(), m_header.size())); ++i) {
      if (m_columns.isAxis(i)) continue;
      const auto number = numberOf(fields[static_cast<std::size_t>(i)]);
      if (!number.ok())
        ++m_texts[m_header[static_cast<std::size_t>(i)]];
      else if (*number)
        add(m_header[static_cast<std::size_t>(i)], axis, **number);
    }
    return {};
  }

  ImportedRun finish() {
    ImportedRun run;
    run.format = "csv";
    for (const auto& [name, count] : m_texts)
      run.warnings.push_back("column \"" + name + "\": " + std::to_string(count) + " fields are not numbers");
    if (m_longRows > 0)
      run.warnings.push_back(std::to_string(m_longRows) +
                             " rows have more fields than the header, the first in line " +
                             std::to_string(m_firstLongRow) + ": what is beyond is left out");
    double first = std::numeric_limits<double>::infinity();
    for (const ScalarSeries& series : m_series) {
      for (const double time : series.time) first = std::min(first, time);
    }
    // Wall times are seconds since 1970; anything below is already relative.
    if (first > 1e8 && std::isfinite(first)) {
      run.startTime = first;
      for (ScalarSeries& series : m_series) {
        for (double& time : series.time) time -= first;
      }
    }
    run.series = std::move(m_series);
    return run;
  }

 private:
  Result<std::optional<double>> at(const std::vector<std::string>& fields, int column,
                                   std::int64_t line) const {
    if (column >= static_cast<int>(fields.size())) return std::optional<double>();
    auto number = numberOf(fields[static_cast<std::size_t>(column)]);
    if (number.ok()) return number;
    return dataErrorAt(
        m_path, line,
        "column \"" + m_header[static_cast<std::size_t>(column)] + "\": " + number.error().message);
  }
  void add(const std::string& metric, const double (&axis)[4], double value) {
    const auto [it, added] = m_index.try_emplace(metric, m_series.size());
    if (added) m_series.emplace_back().metric = metric;
    ScalarSeries& series = m_series[it->second];
    series.step.push_back(axis[0]);
    series.time.push_back(axis[1]);
    series.epoch.push_back(axis[2]);
    series.tokens.push_back(axis[3]);
    series.value.push_back(value);
  }
  std::vector<std::string> m_header;
  CsvColumns m_columns;
  std::string m_path;
  std::vector<ScalarSeries> m_series;
  std::map<std::string, std::size_t> m_index;
  std::map<std::string, std::int64_t> m_texts;
  std::int64_t m_longRows = 0, m_firstLongRow = 0;
};

}  // namespace

Result<ImportedRun> readCsvRun(const std::string& path, const ImportOptions& options, const StopToken& stop) {
  FATHOM_TRY(const auto reader, CsvReader::open(path));
  std::vector<std::string> fields;
  FATHOM_TRY(const bool any, reader->next(fields));
  if (!any) return dataErrorAt(path, 0, "the file is empty");
  FATHOM_TRY(const CsvColumns columns, findColumns(fields, options, path));
  CsvCollector collector(fields, columns, path);
  while (true) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const bool more, reader->next(fields));
    if (!more) break;
    FATHOM_CHECK(collector.take(fields, reader->line()));
  }
  ImportedRun run = collector.finish();
  if (run.series.empty()) return dataErrorAt(path, 0, "no column holds numbers beside the step");
  return run;
}

}  // namespace fathom
