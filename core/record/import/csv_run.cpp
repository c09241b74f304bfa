// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>

#include "core/base/text/csv.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"
#include "core/record/formats/compressed_file.h"
#include "core/record/import/import_entry.h"
#include "core/record/import/imported_options.h"
#include "core/record/import/imported_run.h"

namespace fathom {

namespace {

std::string loweredCell(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Nothing for an empty field; the word NaN and infinities are numbers.
Result<std::optional<double>> numberOf(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::optional<double>();
  const std::string word = loweredCell(text);
  if (word == "nan") return std::optional<double>(kNaN);
  if (word == "inf" || word == "infinity" || word == "+inf")
    return std::optional<double>(std::numeric_limits<double>::infinity());
  if (word == "-inf" || word == "-infinity")
    return std::optional<double>(-std::numeric_limits<double>::infinity());
  if (text.front() == '+') text.remove_prefix(1);
  const std::optional<double> value = numberFrom<double>(text);
  if (!value) return dataError(Phrase::tr("\"%1\" is not a number")(shownValue(text)));
  return value;
}

int columnNamed(const std::vector<std::string>& header, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (loweredCell(trimmed(header[i])) == name) return static_cast<int>(i);
    }
  }
  return -1;
}

// Columns of options as experiment trackers export them.
std::string optionName(const std::string& column) {
  for (const char* prefix : {"config.", "config/", "hparams.", "hparams/", "params.", "params/"}) {
    if (column.size() > std::string_view(prefix).size() && column.starts_with(prefix))
      return column.substr(std::string_view(prefix).size());
  }
  return isSeedName(column) ? column : std::string();
}

struct CsvColumns {
  int step = -1, time = -1, epoch = -1, tokens = -1, metric = -1, value = -1, run = -1, name = -1;
  bool longForm() const { return metric >= 0 && value >= 0; }
  bool isAxis(int column) const {
    return column == step || column == time || column == epoch || column == tokens || column == run ||
           column == name;
  }
};

Result<CsvColumns> findColumns(const std::vector<std::string>& header, const ImportOptions& options,
                               const std::string& path) {
  CsvColumns columns;
  columns.step =
      columnNamed(header, {"step", "global_step", "num_updates", "updates", "update", "iteration", "iter"});
  columns.time = columnNamed(
      header, {"time", "wall_time", "seconds", "_timestamp", "timestamp", "relative_time_(process)"});
  columns.epoch = columnNamed(header, {"epoch"});
  columns.tokens = columnNamed(header, {"tokens"});
  columns.metric = columnNamed(header, {"metric", "tag"});
  columns.value = columnNamed(header, {"value"});
  columns.run = columnNamed(header, {"run", "run_id", "run_name"});
  for (const auto& [wanted, column] : {std::pair(&options.stepColumn, &columns.step),
                                       {&options.timeColumn, &columns.time},
                                       {&options.runColumn, &columns.run}}) {
    if (wanted->empty()) continue;
    const auto found = std::find(header.begin(), header.end(), *wanted);
    if (found == header.end()) return dataErrorAt(path, 1, Phrase::tr("there is no column \"%1\"")(*wanted));
    *column = static_cast<int>(found - header.begin());
  }
  // Only beside a run does a name mean the run's.
  if (columns.run >= 0) columns.name = columnNamed(header, {"name", "run_name"});
  if (columns.name == columns.run) columns.name = -1;
  if (columns.step < 0) columns.step = columns.epoch;
  if (columns.step < 0) {
    return dataErrorAt(
        path, 1, Phrase::tr("no column tells the step"),
        Phrase::tr("name it with --step-column (for instance the first: \"%1\")")(header.front()));
  }
  return columns;
}

// Rows of one value of the run column.
struct CsvRun {
  CsvRun(std::string key, const std::string& path) : id(std::move(key)), scalars(path) {}
  // A column that is no metric: its text while it stays the same.
  struct Text {
    std::string value;
    std::int64_t count = 0;
    bool same = true;
  };
  std::string id, name;
  ImportedSeries scalars;
  std::map<std::size_t, Text> texts;  // by column
};

class CsvCollector {
 public:
  CsvCollector(std::vector<std::string> header, CsvColumns columns, std::string path)
      : m_header(std::move(header)), m_columns(columns), m_path(std::move(path)) {
    for (const std::string& column : m_header) m_options.push_back(optionName(column));
  }

  Status take(const std::vector<std::string>& fields, std::int64_t line) {
    if (fields.size() > m_header.size()) {
      if (m_longRows++ == 0) m_firstLongRow = line;
    }
    ImportedSeries::Axes axes;
    const std::pair<int, double*> places[4] = {{m_columns.step, &axes.step},
                                               {m_columns.time, &axes.time},
                                               {m_columns.epoch, &axes.epoch},
                                               {m_columns.tokens, &axes.tokens}};
    for (const auto& [column, into] : places) {
      if (column < 0 || column >= static_cast<int>(fields.size())) continue;
      FATHOM_TRY(const auto number, at(fields, column, line));
      if (column == m_columns.step && !number) return {};  // a row without a step holds nothing to draw
      *into = number.value_or(kNaN);
    }
    FATHOM_TRY(CsvRun* const run, runOf(fields, line));
    const std::int64_t before = m_points - run->scalars.points();
    FATHOM_CHECK(m_columns.longForm() ? takeLong(*run, fields, axes, line) : takeWide(*run, fields, axes));
    m_points = before + run->scalars.points();
    if (m_points > kMaxImportedPoints)
      return dataErrorAt(m_path, line, Phrase::tr("more than %1 points")(kMaxImportedPoints),
                         Phrase::tr("import it in parts"));
    return {};
  }

  bool anyNumbers() const { return m_points > 0; }

  Status finish(const ImportSink& sink) {
    std::vector<Phrase> shared;
    if (m_longRows > 0)
      shared.push_back(
          Phrase::tr("%1 rows have more fields than the header, the first in line %2: what is beyond "
                     "is left out")(m_longRows, m_firstLongRow));
    for (CsvRun& from : m_runs) {
      ImportedRun run;
      run.format = "csv";
      run.name = m_columns.run < 0 ? "" : from.name.empty() ? from.id : from.name;
      run.warnings = std::exchange(shared, {});
      run.options = optionsOf(from, run.warnings);
      run.series = from.scalars.take();
      startAtZero(run);
      FATHOM_CHECK(sink(std::move(run)));
    }
    return {};
  }

 private:
  static constexpr std::size_t kMaxRuns = 1000, kMaxName = 1000, kMaxText = 4096;

  static void startAtZero(ImportedRun& run) {
    double first = std::numeric_limits<double>::infinity();
    for (const ScalarSeries& series : run.series)
      for (const double time : series.time) first = std::min(first, time);
    // Wall times are seconds since 1970; anything below is already relative.
    if (first <= 1e8 || !std::isfinite(first)) return;
    run.startTime = first;
    for (ScalarSeries& series : run.series)
      for (double& time : series.time) time -= first;
  }

  Result<CsvRun*> runOf(const std::vector<std::string>& fields, std::int64_t line) {
    const auto field = [&](int column) {
      const bool there = column >= 0 && column < static_cast<int>(fields.size());
      return std::string(there ? trimmed(fields[static_cast<std::size_t>(column)]) : std::string_view());
    };
    const std::string id = field(m_columns.run);
    const auto [known, added] = m_index.try_emplace(id, m_runs.size());
    if (added) {
      if (id.size() > kMaxName)
        return dataErrorAt(m_path, line, Phrase::tr("the name of a run is longer than 1,000 bytes"));
      if (m_runs.size() >= kMaxRuns)
        return dataErrorAt(m_path, line,
                           Phrase::tr("more than 1,000 runs in column \"%1\"")(
                               m_header[static_cast<std::size_t>(m_columns.run)]),
                           Phrase::tr("name the column of the runs with --run-column"));
      m_runs.emplace_back(id, m_path);
    }
    CsvRun& run = m_runs[known->second];
    if (run.name.empty()) run.name = field(m_columns.name).substr(0, kMaxName);
    return &run;
  }

  Status takeLong(CsvRun& run, const std::vector<std::string>& fields, const ImportedSeries::Axes& axes,
                  std::int64_t line) {
    for (int i = 0; i < static_cast<int>(std::min(fields.size(), m_header.size())); ++i)
      if (i != m_columns.metric && i != m_columns.value && !m_columns.isAxis(i)) note(run, i, fields);
    const auto place = static_cast<std::size_t>(m_columns.metric);
    if (place >= fields.size()) return {};
    FATHOM_TRY(const auto number, at(fields, m_columns.value, line));
    return number ? run.scalars.add(fields[place], axes, *number, false) : Status();
  }

  Status takeWide(CsvRun& run, const std::vector<std::string>& fields, const ImportedSeries::Axes& axes) {
    for (int i = 0; i < static_cast<int>(std::min(fields.size(), m_header.size())); ++i) {
      if (m_columns.isAxis(i)) continue;
      const auto column = static_cast<std::size_t>(i);
      const auto number = numberOf(fields[column]);
      if (!m_options[column].empty() || !number.ok())
        note(run, i, fields);
      else if (*number)
        FATHOM_CHECK(run.scalars.add(m_header[column], axes, **number, false));
    }
    return {};
  }

  static void note(CsvRun& run, int column, const std::vector<std::string>& fields) {
    const std::string_view text = trimmed(fields[static_cast<std::size_t>(column)]);
    if (text.empty()) return;
    CsvRun::Text& known = run.texts[static_cast<std::size_t>(column)];
    if (known.count++ == 0) known.value = text.substr(0, kMaxText + 1);
    known.same = known.same && known.value == text;
  }

  // What stayed the same through the run and is no metric.
  Json optionsOf(const CsvRun& run, std::vector<Phrase>& warnings) const {
    ImportedOptions options;
    for (const auto& [i, text] : run.texts) {
      const std::string& column = m_header[i];
      if (text.same && !run.scalars.has(column))
        options.addText(m_options[i].empty() ? column : m_options[i], text.value);
      else
        warnings.push_back(
            (m_columns.longForm() || !m_options[i].empty()
                 ? Phrase::tr("column \"%1\": %2 values that change within the run")
                 : Phrase::tr("column \"%1\": %2 fields are not numbers"))(plainText(column), text.count));
    }
    return options.finish(warnings);
  }

  Result<std::optional<double>> at(const std::vector<std::string>& fields, int column,
                                   std::int64_t line) const {
    if (column >= static_cast<int>(fields.size())) return std::optional<double>();
    auto number = numberOf(fields[static_cast<std::size_t>(column)]);
    if (number.ok()) return number;
    return dataErrorAt(m_path, line,
                       Phrase::tr("column \"%1\": %2")(m_header[static_cast<std::size_t>(column)],
                                                       number.error().messagePhrase()));
  }

  std::vector<std::string> m_header, m_options;  // names of columns, and of those that are options
  CsvColumns m_columns;
  std::string m_path;
  std::deque<CsvRun> m_runs;
  std::map<std::string, std::size_t> m_index;
  std::int64_t m_points = 0, m_longRows = 0, m_firstLongRow = 0;
};

}  // namespace

Status readCsvRuns(const std::string& path, const ImportOptions& options, const StopToken& stop,
                   const ImportSink& take) {
  FATHOM_TRY(const auto in, PackedReader::open(path));
  CsvReader reader([&in](char* bytes, std::size_t most) { return in->read(bytes, most); }, path);
  CsvRow fields;
  FATHOM_TRY(const bool any, reader.next(fields));
  if (!any) return dataErrorAt(path, 0, Phrase::tr("the file is empty"));
  FATHOM_TRY(const CsvColumns columns, findColumns(fields, options, path));
  CsvCollector collector(fields, columns, path);
  while (true) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const bool more, reader.next(fields));
    if (!more) break;
    FATHOM_CHECK(collector.take(fields, reader.line()));
  }
  if (!collector.anyNumbers())
    return dataErrorAt(path, 0, Phrase::tr("no column holds numbers beside the step"));
  return collector.finish(take);
}

namespace {

// Any text may be a table, unless it begins with an object.
Claim csvClaim(const SourceLook& look) {
  if (look.folder || look.head.find('\0') != std::string::npos) return Claim::No;
  return look.head.find('{') < look.head.find('\n') ? Claim::No : Claim::Perhaps;
}

}  // namespace

ImportEntry csvRunEntry() {
  return {.id = "csv",
          .title = "CSV",
          .claims = csvClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return wholeSource([path, options](const StopToken& stop, const ImportSink& take) {
              return readCsvRuns(path, options, stop, take);
            });
          }};
}

}  // namespace fathom
