// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>

#include "core/base/json/json_members.h"
#include "core/base/text/csv.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/imports/csv_columns.h"
#include "core/imports/csv_known_rows.h"
#include "core/imports/grown_file.h"
#include "core/imports/import_entry.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxCsvRuns = 10'000, kMaxRunName = 1000, kMaxCell = 4096;
constexpr std::size_t kCsvPart = std::size_t{32} << 20, kMostWide = std::size_t{256} << 20;

// Rows of one value of the run column.
struct CsvRun {
  CsvRun(std::string key, const std::string& path) : id(std::move(key)), points(path) {}
  // A column that is no metric: its text while it stays the same.
  struct Text {
    std::string value;
    std::int64_t count = 0;
    bool same = true;
  };
  std::string id, name;
  ImportedPoints points;
  std::map<std::string, Text> texts;  // by column
  std::int64_t rows = 0;
  bool changed = false;
};

// W&B writes what is no number as a Python object: no option of the run.
bool isTrackedObject(std::string_view text) {
  return text.starts_with("{'_type'") || text.starts_with("{\"_type\"");
}

class CsvSource : public ImportSource {
 public:
  CsvSource(const std::string& path, ImportOptions options)
      : m_path(path), m_options(std::move(options)), m_file(path) {
    restore(m_options.state);
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(m_restored);
    const GrownFile::Change change = m_file.look();
    if (change == GrownFile::Change::Same || change == GrownFile::Change::Gone) return SourceState::Later;
    if (change == GrownFile::Change::Replaced) beginAgain();
    FATHOM_CHECK(readRows(stop, false));
    FATHOM_CHECK(give(take));
    return SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    if (m_file.look() != GrownFile::Change::Gone) FATHOM_CHECK(readRows(StopToken(), true));
    if (m_header.empty()) return dataErrorAt(m_path, 0, Phrase::tr("the file is empty"));
    const bool any =
        std::any_of(m_runs.begin(), m_runs.end(), [](const CsvRun& run) { return !run.points.empty(); });
    if (!any) return dataErrorAt(m_path, 0, Phrase::tr("no column holds numbers beside the step"));
    return give(take);
  }

  Json state() const override {
    Json json = {{"file", m_file.state()},
                 {"header", recordTexts(m_header)},
                 {"separator", int{m_separator}},
                 {"decimal_comma", m_table.dialect.decimalComma},
                 {"columns", {m_options.stepColumn, m_options.timeColumn, m_options.runColumn}},
                 {"uses", recordPairs(m_options.columns)},
                 {"lines", m_lines},
                 {"latin1", m_latin1},
                 {"long_rows", m_longRows},
                 {"first_long_row", m_firstLongRow},
                 {"runs", Json::array()}};
    json.update(m_known.state());
    for (const CsvRun& run : m_runs) {
      Json texts = Json::object();
      for (const auto& [column, text] : run.texts)
        texts[recordText(column)] = {recordText(text.value), text.count, text.same};
      json["runs"].push_back({{"id", recordText(run.id)},
                              {"name", recordText(run.name)},
                              {"rows", run.rows},
                              {"points", run.points.state()},
                              {"texts", texts}});
    }
    return json;
  }

 private:
  void restore(const Json& state) {
    if (!state.is_object()) return;
    m_file.restore(memberObject(state, "file"));
    m_header = ofRecordTexts(memberList(state, "header"));
    m_known.restore(state);
    m_lines = memberInteger(state, "lines");
    m_latin1 = memberFlag(state, "latin1", false);
    m_longRows = memberInteger(state, "long_rows");
    m_firstLongRow = memberInteger(state, "first_long_row");
    m_separator = static_cast<char>(memberInteger(state, "separator"));
    m_restored = restoreColumns(memberList(state, "columns"), memberObject(state, "uses"));
    if (!m_header.empty()) {
      m_known.setHeader(m_header);
      m_table.dialect.decimalComma = memberFlag(state, "decimal_comma", false);
    }
    for (const Json& item : memberList(state, "runs")) {
      const std::string id = ofRecord(memberText(item, "id"));
      m_index.emplace(id, m_runs.size());
      CsvRun& run = m_runs.emplace_back(id, m_path);
      run.name = ofRecord(memberText(item, "name"));
      run.rows = memberInteger(item, "rows");
      run.points.restore(memberObject(item, "points"));
      for (const auto& [column, text] : memberObject(item, "texts").items())
        run.texts[ofRecord(column)] = {ofRecord(text.at(0).get<std::string>()),
                                       text.at(1).get<std::int64_t>(), text.at(2).get<bool>()};
    }
  }

  // A table is read by the same columns from its first row to its last: those of the record. Others that are
  // asked for now are refused, one that is not there, too.
  Status restoreColumns(const Json& names, const Json& uses) {
    const ImportOptions asked = m_options;
    m_options.columns = ofRecordPairs(uses);
    std::string* const own[] = {&m_options.stepColumn, &m_options.timeColumn, &m_options.runColumn};
    for (std::size_t i = 0; i < std::size(own) && i < names.size(); ++i)
      if (names[i].is_string()) *own[i] = names[i].get<std::string>();
    if (m_header.empty()) {
      m_options = asked;
      return {};
    }
    FATHOM_TRY(m_table, columnsOf(m_header, m_options, m_path));
    ImportOptions both = m_options;
    if (!asked.stepColumn.empty()) both.stepColumn = asked.stepColumn;
    if (!asked.timeColumn.empty()) both.timeColumn = asked.timeColumn;
    if (!asked.runColumn.empty()) both.runColumn = asked.runColumn;
    for (const auto& [name, use] : asked.columns) both.columns[name] = use;
    FATHOM_TRY(const CsvColumns now, columnsOf(m_header, both, m_path));
    for (const CsvRole role : {CsvRole::Step, CsvRole::Time, CsvRole::Run})
      if (now.place(role) != m_table.place(role) || both.columns != m_options.columns)
        return usageError(Phrase::tr("the rows of %1 that were read before are by other columns")(m_path),
                          Phrase::tr("leave the columns out, or follow it in another project"));
    return {};
  }

  // Curves go on with what comes now as another attempt.
  void beginRunsAnew() {
    for (CsvRun& run : m_runs) {
      run.points.beginAnew();
      run.rows = 0;
    }
  }

  // Everything is read once more, as what comes after it.
  void takeAnew() {
    m_another = false;
    m_file.startOver();
    m_known.forget();
    m_header.clear();
    m_lines = m_longRows = m_firstLongRow = 0;
    beginRunsAnew();
    for (CsvRun& run : m_runs) run.texts.clear();
  }

  // The file was written anew in its place.
  void beginAgain() {
    m_file.startOver();
    m_known.beginAgain(m_header);
    m_header.clear();
    m_lines = 0;
  }

  Status readRows(const StopToken& stop, bool last) {
    while (true) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_TRY(const std::string bytes, m_file.more(kCsvPart));
      const bool all = bytes.size() < kCsvPart;
      if (bytes.empty()) return {};
      const bool whole = last || m_file.packed();
      const bool wide =
          m_file.position() == 0 && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"));
      if (wide && m_options.follow && !m_file.packed())
        return dataErrorAt(m_path, 0, Phrase::tr("the file is UTF-16"),
                           Phrase::tr("convert it to UTF-8, for instance with iconv"));
      if (wide) return whole ? readWide(stop) : Status();  // read whole, when it is whole
      if (m_header.empty()) m_separator = separatorOf(bytes);
      const std::size_t end = whole && all ? bytes.size() : wholeRows(bytes, m_separator);
      if (end == 0) {
        if (!all) return dataErrorAt(m_path, 0, Phrase::tr("a quote is never closed"));
        return {};
      }
      FATHOM_CHECK(readText(std::string_view(bytes).substr(0, end), stop));
      if (m_another) {
        takeAnew();
        continue;
      }
      m_file.used(std::string_view(bytes).substr(0, end));
      if (all) return {};
    }
  }

  // UTF-16.
  Status readWide(const StopToken& stop) {
    FATHOM_TRY(const std::string bytes, m_file.more(kMostWide));
    if (bytes.size() == kMostWide)
      return dataErrorAt(m_path, 0, Phrase::tr("a table in UTF-16 of more than 256 MB"),
                         Phrase::tr("convert it to UTF-8, for instance with iconv"));
    const std::string text = decodedText(bytes);
    if (m_header.empty()) m_separator = separatorOf(text);
    FATHOM_CHECK(readText(text, stop));
    if (m_another) {
      takeAnew();
      return readWide(stop);
    }
    m_file.used(bytes);
    return {};
  }

  Status readText(std::string_view bytes, const StopToken& stop) {
    const std::string decoded = validUtf8(bytes) ? std::string() : latin1Decoded(bytes);
    m_latin1 = m_latin1 || !decoded.empty();
    const std::string_view text = decoded.empty() ? bytes : decoded;
    std::size_t at = 0;
    CsvReader reader(
        [&](char* to, std::size_t most) -> Result<std::size_t> {
          const std::size_t count = text.substr(at).copy(to, most);
          at += count;
          return count;
        },
        m_path, m_separator);
    const std::int64_t base = m_lines;
    CsvRow fields;
    while (true) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_TRY(const bool more, reader.next(fields));
      if (!more) break;
      m_lines = base + reader.line();
      if (m_header.empty()) {
        FATHOM_TRY(CsvColumns table, columnsOf(fields, m_options, m_path));
        m_table = std::move(table);
        m_header = fields;
        m_known.setHeader(m_header);
        continue;
      }
      if (fields == m_header) continue;  // two tables, one behind the other
      // A header alone says nothing of it.
      if (m_known.rows() == 0) m_table.dialect.decimalComma = hasDecimalComma(text, m_separator);
      FATHOM_CHECK(takeRow(fields, m_lines));
      if (m_another) return {};
    }
    return {};
  }

  Status takeRow(const CsvRow& fields, std::int64_t line) {
    const CsvKnownRows::Row seen = m_known.take(fields);
    if (seen.beginsAnew) beginRunsAnew();
    m_another = seen.another;
    if (m_another) return {};
    const bool known = seen.known;
    if (fields.size() > m_header.size() && m_longRows++ == 0) m_firstLongRow = line;
    ImportedPoints::Axes axes;
    axes.step = m_table.countRows ? static_cast<double>(m_known.rows() - 1) : kNaN;
    for (std::size_t i = 0; i < m_table.columns.size() && i < fields.size(); ++i) {
      const CsvColumn& column = m_table.columns[i];
      double* into = column.role == CsvRole::Step     ? &axes.step
                     : column.role == CsvRole::Time   ? &axes.time
                     : column.role == CsvRole::Epoch  ? &axes.epoch
                     : column.role == CsvRole::Tokens ? &axes.tokens
                                                      : nullptr;
      if (into == nullptr || !column.run.empty()) continue;
      FATHOM_TRY(const auto number, at(fields, i, line, column.role == CsvRole::Time));
      if (number) *into = *number;
    }
    const bool byEpoch = m_table.place(CsvRole::Step) < 0 && !m_table.countRows;
    if (byEpoch) axes.step = axes.epoch;
    if (m_table.chart) return takeChart(fields, axes, line, known);
    if (std::isnan(axes.step)) {
      // A row without a step holds nothing to draw.
      const int place = m_table.place(byEpoch ? CsvRole::Epoch : CsvRole::Step);
      const bool written = place >= 0 && static_cast<std::size_t>(place) < fields.size() &&
                           !trimmed(fields[static_cast<std::size_t>(place)]).empty();
      if (!written) return {};
    }
    FATHOM_TRY(CsvRun* const run,
               runOf(fieldOf(fields, CsvRole::Run), fieldOf(fields, CsvRole::RunName), line));
    run->changed = true;
    ++run->rows;
    return m_table.longForm ? takeLong(*run, fields, axes, line, known) : takeWide(*run, fields, axes, known);
  }

  std::string fieldOf(const CsvRow& fields, CsvRole role) const {
    const int column = m_table.place(role);
    const bool there = column >= 0 && column < static_cast<int>(fields.size());
    return std::string(there ? trimmed(fields[static_cast<std::size_t>(column)]) : std::string_view());
  }

  Result<CsvRun*> runOf(const std::string& id, const std::string& name, std::int64_t line) {
    const auto [known, added] = m_index.try_emplace(id, m_runs.size());
    if (added) {
      if (id.size() > kMaxRunName)
        return dataErrorAt(m_path, line, Phrase::tr("the name of a run is longer than 1,000 bytes"));
      if (m_runs.size() >= kMaxCsvRuns)
        return dataErrorAt(m_path, line, Phrase::tr("more than 10,000 runs in one table"),
                           Phrase::tr("name the column of the runs with --run-column"));
      m_runs.emplace_back(id, m_path);
    }
    CsvRun& run = m_runs[known->second];
    if (run.name.empty()) run.name = name.substr(0, kMaxRunName);
    return &run;
  }

  // One row of all runs: each has its own cells, and perhaps its own step.
  Status takeChart(const CsvRow& fields, const ImportedPoints::Axes& axes, std::int64_t line, bool known) {
    std::map<std::string, double> steps;
    for (std::size_t i = 1; i < m_table.columns.size() && i < fields.size(); ++i) {
      if (m_table.columns[i].role != CsvRole::Step) continue;
      FATHOM_TRY(const auto step, at(fields, i, line, false));
      if (step) steps[m_table.columns[i].run] = *step;
    }
    std::map<std::string, double> middles;
    for (std::size_t i = 1; i < m_table.columns.size() && i < fields.size(); ++i) {
      const CsvColumn& column = m_table.columns[i];
      if (column.role != CsvRole::Data || (known && m_known.isOld(m_header[i]))) continue;
      const auto number = cellNumber(fields[i], m_table.dialect);
      if (!number.ok() || !*number) continue;
      const bool band = column.metric.ends_with("__MIN") || column.metric.ends_with("__MAX");
      const std::string middle =
          column.run + "\n" + column.metric.substr(0, column.metric.size() - (band ? 5 : 0));
      if (!band) middles[middle] = **number;
      // A band of no width says nothing.
      if (const auto value = middles.find(middle);
          band && value != middles.end() && value->second == **number)
        continue;
      FATHOM_TRY(CsvRun* const run, runOf(column.run, {}, line));
      run->changed = true;
      ImportedPoints::Axes own = axes;
      if (const auto step = steps.find(column.run); step != steps.end()) own.step = step->second;
      if (std::isnan(own.step)) continue;
      FATHOM_CHECK(run->points.add(column.metric, own, **number));
    }
    return {};
  }

  Status takeLong(CsvRun& run, const CsvRow& fields, const ImportedPoints::Axes& axes, std::int64_t line,
                  bool known) {
    for (std::size_t i = 0; i < std::min(fields.size(), m_header.size()); ++i)
      if (m_table.columns[i].role == CsvRole::Data && !(known && m_known.isOld(m_header[i])))
        note(run, i, fields[i]);
    if (known) return {};
    const auto place = static_cast<std::size_t>(m_table.place(CsvRole::Metric));
    if (place >= fields.size()) return {};
    FATHOM_TRY(const auto number,
               at(fields, static_cast<std::size_t>(m_table.place(CsvRole::Value)), line, false));
    return number ? run.points.add(fields[place], axes, *number) : Status();
  }

  Status takeWide(CsvRun& run, const CsvRow& fields, const ImportedPoints::Axes& axes, bool known) {
    for (std::size_t i = 0; i < std::min(fields.size(), m_header.size()); ++i) {
      const CsvColumn& column = m_table.columns[i];
      if (column.role != CsvRole::Data || (known && m_known.isOld(m_header[i]))) continue;
      const auto number = cellNumber(fields[i], m_table.dialect);
      if (!column.option.empty() || !number.ok())
        note(run, i, fields[i]);
      else if (*number)
        FATHOM_CHECK(run.points.add(column.metric, axes, **number));
    }
    return {};
  }

  void note(CsvRun& run, std::size_t column, const std::string& field) const {
    const std::string_view text = trimmed(field);
    if (text.empty() || isTrackedObject(text)) return;
    CsvRun::Text& known = run.texts[m_header[column]];
    if (known.count++ == 0) known.value = text.substr(0, kMaxCell + 1);
    known.same = known.same && known.value == text;
  }

  // Columns that stayed the same through the run and are no metric.
  Json optionsOf(const CsvRun& run, std::vector<Phrase>& warnings) const {
    ImportedOptions options;
    for (std::size_t i = 0; i < m_header.size(); ++i) {
      const auto text = run.texts.find(m_header[i]);
      if (text == run.texts.end()) continue;
      const CsvColumn& column = m_table.columns[i];
      if (text->second.same && !run.points.has(column.metric))
        options.addText(column.option.empty() ? m_header[i] : column.option, text->second.value);
      else
        warnings.push_back((m_table.longForm || !column.option.empty()
                                ? Phrase::tr("column \"%1\": %2 values that change within the run")
                                : Phrase::tr("column \"%1\": %2 fields are not numbers"))(
            plainText(m_header[i]), text->second.count));
    }
    return options.finish(warnings);
  }

  Status give(const ImportSink& take) {
    std::vector<Phrase> shared;
    if (m_latin1) shared.push_back(Phrase::tr("what is not UTF-8 is read as Latin-1"));
    if (m_longRows > 0)
      shared.push_back(
          Phrase::tr("%1 rows have more fields than the header, the first in line %2: what is beyond "
                     "is left out")(m_longRows, m_firstLongRow));
    if (m_table.countRows) shared.push_back(Phrase::tr("no column tells the step: rows are counted"));
    for (CsvRun& from : m_runs) {
      if (!std::exchange(from.changed, false)) continue;
      ImportedRun run;
      run.format = "csv";
      const bool several = m_table.chart || m_table.place(CsvRole::Run) >= 0;
      run.name = !several ? "" : from.id;
      run.title = !several ? m_table.title : from.name;
      run.warnings = shared;
      shared.clear();
      run.options = optionsOf(from, run.warnings);
      from.points.giveTo(run);
      FATHOM_CHECK(take(std::move(run)));
    }
    return {};
  }

  Result<std::optional<double>> at(const CsvRow& fields, std::size_t column, std::int64_t line,
                                   bool time) const {
    if (column >= fields.size()) return std::optional<double>();
    auto number =
        time ? cellTime(fields[column], m_table.dialect) : cellNumber(fields[column], m_table.dialect);
    if (number.ok()) return number;
    return dataErrorAt(m_path, line,
                       Phrase::tr("column \"%1\": %2")(m_header[column], number.error().messagePhrase()));
  }

  std::string m_path;
  ImportOptions m_options;
  GrownFile m_file;
  Status m_restored;
  std::vector<std::string> m_header;
  CsvKnownRows m_known;
  bool m_another = false, m_latin1 = false;
  CsvColumns m_table;
  std::deque<CsvRun> m_runs;
  std::map<std::string, std::size_t> m_index;
  std::int64_t m_lines = 0, m_longRows = 0, m_firstLongRow = 0;
  char m_separator = ',';
};

// Any text may be a table, unless it begins with an object or a list.
Claim csvClaim(const SourceLook& look) {
  if (look.folder) return Claim::No;
  const std::string head = decodedText(look.head);
  if (head.find('\0') != std::string::npos) return Claim::No;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && head[first] == '[') return Claim::No;
  return head.find('{') < head.find('\n') ? Claim::No : Claim::Perhaps;
}

}  // namespace

// A wide CSV has one row per step and one column per metric; a long one has columns metric and value (what
// `fathom curves --csv` writes). A column run makes one run per value; columns that are no metric and stay
// the same through a run are its options. Comma, semicolon or tab. Memory: the scalars of all runs.
ImportEntry csvRunEntry() {
  return {.id = "csv",
          .title = "CSV",
          .claims = csvClaim,
          .open = [](const std::string& path,
                     const ImportOptions& options) -> Result<std::unique_ptr<ImportSource>> {
            return std::unique_ptr<ImportSource>(new CsvSource(path, options));
          }};
}

}  // namespace fathom
