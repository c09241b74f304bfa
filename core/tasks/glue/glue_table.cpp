// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/errors/phrase.h"
#include "core/base/text/csv.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/tasks/line_errors.h"

namespace fathom {

namespace {

constexpr std::size_t kMostClasses = 1000;

// True if the cells are the numbers of their columns.
bool isNumbered(const std::vector<std::string_view>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (cells[c] != std::to_string(c)) return false;
  return true;
}

bool isQuoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"';
}

// Rows one after the other: cells cut at tabs as they stand, or as CSV, in which a row may have several
// lines.
class RowSource {
 public:
  struct Row {
    std::int64_t line = 0;
    std::vector<std::string_view> cells;  // until the next row
    std::optional<Error> bad;             // what is no text
  };

  // The reader stands at its beginning.
  RowSource(LineReader& reader, TableForm form) : m_reader(reader) {
    const std::optional<char> separator =
        form == TableForm::Auto ? csvSeparator(reader.ahead()) : std::nullopt;
    if (form == TableForm::Csv || separator)
      m_csv.emplace([this](char* bytes, std::size_t most) { return copyLine(bytes, most); }, reader.path(),
                    separator.value_or(CsvReader::kGuessSeparator));
  }
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  bool quoted() const { return m_csv.has_value(); }

  Result<bool> next(Row& row) {
    row.bad.reset();
    if (m_csv) {
      FATHOM_TRY(const bool more, m_csv->next(m_fields));
      row.line = m_csv->line();
      row.cells.assign(m_fields.begin(), m_fields.end());
      return more;
    }
    LineReader::Line line;
    do {
      FATHOM_TRY(const bool more, m_reader.next(line));
      if (!more) return false;
    } while (line.text.empty() && !line.tooLong);
    row.line = line.number;
    row.bad = lineError(m_reader, line);
    row.cells = splitAt(line.text, '\t');
    return true;
  }

 private:
  Result<std::size_t> copyLine(char* bytes, std::size_t most) {
    if (m_copied == m_text.size()) {
      LineReader::Line line;
      FATHOM_TRY(const bool more, m_reader.next(line));
      if (!more) return std::size_t{0};
      if (const auto bad = lineError(m_reader, line)) return *bad;
      m_text.assign(line.text).push_back('\n');
      m_copied = 0;
    }
    const std::size_t count = m_text.copy(bytes, most, m_copied);
    m_copied += count;
    return count;
  }

  LineReader& m_reader;
  std::optional<CsvReader> m_csv;
  CsvRow m_fields;
  std::string m_text;  // the line that CSV is made of
  std::size_t m_copied = 0;
};

class TableReader {
 public:
  TableReader(const std::string& path, const GlueReading& reading) : m_path(path), m_reading(reading) {
    m_columns = reading.columns;
    m_table.classes = reading.labels;
  }

  Result<GlueTable> read(const TaskSetup& setup) {
    FATHOM_TRY(LineReader reader, LineReader::open(m_path, m_reading.maxLineBytes));
    RowSource rows(reader, m_reading.form);
    m_table.csv = rows.quoted();
    RowSource::Row row;
    while (true) {
      FATHOM_TRY(const bool more, rows.next(row));
      if (!more) break;
      const Status status = take(row);
      if (!status.ok()) {
        if (!m_reading.skipsBadLines || m_inHeader) return status.error();
        m_table.badLines.push_back(row.line);
      }
      if ((row.line & 0xFFF) != 0) continue;
      if (setup.stop.stopRequested()) return interruptedError();
      if (setup.progress != nullptr) setup.progress->report(static_cast<double>(reader.readBytes()));
    }
    m_table.hash = {"", m_path, reader.sha256(), reader.fileBytes()};
    m_table.pairs = m_columns.second != kNoColumn;
    if (!m_collects) return std::move(m_table);
    // A class that the headings are called by too: they are a row.
    if (!m_labelHeading.empty() &&
        std::find(m_table.classes.begin(), m_table.classes.end(), m_labelHeading) != m_table.classes.end())
      return labelAsHeading();
    sortClasses();
    return std::move(m_table);
  }

 private:
  Error at(std::int64_t line, const Phrase& what, const Phrase& hint = {}) const {
    return dataErrorAt(m_path, line, what, hint);
  }

  Status take(const RowSource::Row& row) {
    m_inHeader = !m_started && m_columns.header;
    const std::int64_t place = m_inHeader ? 0 : m_table.fileRows++;
    if (row.bad) return *row.bad;
    if (!m_started) {
      m_started = true;
      m_width = row.cells.size();
      FATHOM_CHECK(placeColumns(row.line, row.cells));
      if (m_columns.header) return checkHeadings(row.line, row.cells);
    }
    return takeRow(row.line, row.cells, place);
  }

  // Columns that are named: a heading, or a number.
  Status placeColumns(std::int64_t line, const std::vector<std::string_view>& cells) {
    const std::pair<const std::string*, int*> named[] = {{&m_reading.firstName, &m_columns.first},
                                                         {&m_reading.secondName, &m_columns.second},
                                                         {&m_reading.labelName, &m_columns.label}};
    for (const auto& [name, column] : named) {
      if (name->empty()) continue;
      const auto heading = std::find(cells.begin(), cells.end(), *name);
      if (m_columns.header && heading != cells.end()) {
        *column = static_cast<int>(heading - cells.begin());
        continue;
      }
      const auto number = numberFrom<int>(*name);
      if (!number || *number < 0 || static_cast<std::size_t>(*number) >= cells.size())
        return at(line, Phrase::tr("there is no column '%1'")(*name),
                  Phrase::tr("name one of: %1 — or its number, from 0")(shownValue(joined(cells))));
      *column = *number;
    }
    m_collects = m_reading.labelled() && !m_reading.number && m_reading.labels.empty();
    return {};
  }

  // Headings that are a row would be passed over without a word.
  Status checkHeadings(std::int64_t line, const std::vector<std::string_view>& cells) {
    m_headings = line;
    if (m_columns.label == kNoColumn) {
      // Rows of a test file begin with their number.
      const bool numbered = m_reading.firstName.empty() && m_columns.first > 0;
      if (!numbered || !numberFrom<std::int64_t>(cells.front())) return {};
      return noHeadings(
          Phrase::tr("headings are expected, this is a row: it begins with '%1'")(shownValue(cells.front())));
    }
    const int column = labelColumn(cells.size());
    if (column < 0 || static_cast<std::size_t>(column) >= cells.size()) return {};
    const std::string_view cell = cells[static_cast<std::size_t>(column)];
    // A label may well be the number of its column.
    const bool byNumber = numberFrom<int>(m_reading.labelName).has_value() && !isNumbered(cells);
    if (!byNumber && cell == m_reading.labelName) return {};
    m_labelHeading = cell;
    const auto& known = m_reading.labels;
    const bool isLabel = m_reading.number ? numberFrom<double>(trimmed(cell)).has_value()
                                          : std::find(known.begin(), known.end(), cell) != known.end();
    return isLabel ? labelAsHeading() : Status();
  }
  Error labelAsHeading() const {
    return noHeadings(
        Phrase::tr("headings are expected, this is a row: its label is '%1'")(shownValue(m_labelHeading)));
  }
  Error noHeadings(const Phrase& what) const {
    return dataErrorAt(
        m_path, m_headings, what,
        Phrase::tr("put a line of headings before it; for a table of your own, set glue.header=false"));
  }

  // Place of the label's cell; behind the texts where it is the last one.
  int labelColumn(std::size_t cells) const {
    return m_columns.label == kLastColumn ? static_cast<int>(cells) - 1 : m_columns.label;
  }

  Status takeRow(std::int64_t line, const std::vector<std::string_view>& cells, std::int64_t row) {
    const int label = m_columns.label == kNoColumn ? kNoColumn : labelColumn(cells.size());
    const int texts = std::max(m_columns.first, m_columns.second);
    const bool isShort = static_cast<int>(cells.size()) <= std::max(texts, label) ||
                         (m_columns.label == kLastColumn && label <= texts);
    if (isShort) {
      if (m_reading.skipsShortRows) return m_table.shortLines.push_back(line), Status();
      return at(line, Phrase::tr("the row has %1 cells, the texts and the label need more")(cells.size()),
                m_table.csv
                    ? Phrase::tr("data.bad_lines=skip leaves such rows out")
                    : Phrase::tr("cells are separated by tabs; data.bad_lines=skip leaves such rows out"));
    }
    double value = 0;
    if (label != kNoColumn) {
      FATHOM_TRY(value, labelOf(line, cells[static_cast<std::size_t>(label)]));
    }
    if (cells.size() != m_width) ++m_table.oddRows;
    const std::string_view first = cells[static_cast<std::size_t>(m_columns.first)];
    const std::string_view second = m_columns.second == kNoColumn
                                        ? std::string_view()
                                        : cells[static_cast<std::size_t>(m_columns.second)];
    if (strip(first).empty() || (m_columns.second != kNoColumn && strip(second).empty()))
      ++m_table.emptyTexts;
    m_table.quotedFirst += !m_table.csv && isQuoted(first);
    m_table.quotedSecond += !m_table.csv && isQuoted(second);
    m_table.first.add(first);
    m_table.second.add(second);
    if (label != kNoColumn) m_table.labels.push_back(value);
    m_table.lines.push_back(line);
    m_table.rows.push_back(row);
    return {};
  }

  Result<double> labelOf(std::int64_t line, std::string_view cell) {
    if (m_reading.number) {
      const std::optional<double> number = numberFrom<double>(trimmed(cell));
      if (number && std::isfinite(*number)) return *number;
      return at(line, Phrase::tr("the label '%1' is no number")(shownValue(cell)));
    }
    auto found = std::find(m_table.classes.begin(), m_table.classes.end(), cell);
    if (found == m_table.classes.end()) {
      if (!m_collects)
        return at(line, Phrase::tr("the label '%1' is not known")(shownValue(cell)),
                  Phrase::tr("the labels are: %1")(shownValue(joined(m_table.classes))));
      if (m_table.classes.size() >= kMostClasses)
        return at(line, Phrase::tr("there are more than %1 different labels")(kMostClasses),
                  Phrase::tr("numbers are read with glue.label_kind=number"));
      m_table.classes.emplace_back(cell);
      found = m_table.classes.end() - 1;
    }
    return static_cast<double>(found - m_table.classes.begin());
  }

  void sortClasses() {
    std::vector<std::string> sorted = m_table.classes;
    std::sort(sorted.begin(), sorted.end());
    for (double& label : m_table.labels) {
      const std::string& name = m_table.classes[static_cast<std::size_t>(label)];
      label = static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin());
    }
    m_table.classes = std::move(sorted);
  }

  const std::string& m_path;
  const GlueReading& m_reading;
  GlueColumns m_columns;
  GlueTable m_table;
  std::size_t m_width = 0;
  std::int64_t m_headings = 0;  // their line
  std::string m_labelHeading;   // what stands there where labels do
  bool m_started = false, m_inHeader = false, m_collects = false;
};

}  // namespace

Result<GlueTable> readGlueTable(const std::string& path, const GlueReading& reading, const TaskSetup& setup) {
  return TableReader(path, reading).read(setup);
}

}  // namespace fathom
