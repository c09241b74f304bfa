// SPDX-License-Identifier: Apache-2.0
#include "core/review/gold_table.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "core/base/json/json_members.h"
#include "core/base/text/byte_order_mark.h"
#include "core/base/text/csv.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/review/gold_options.h"
#include "core/review/imported_predictions.h"

namespace fathom {

namespace {

constexpr std::array kLabelNames = {"label", "gold_label", "is_duplicate", "Quality", "score"};
constexpr std::array kRowIdNames = {"index", "id", "idx"};
constexpr const char* kTableFormat = "table_format";
constexpr const char* kSkipsShortRows = "is_duplicate";  // QQP

struct Layout {
  std::vector<std::string> names;  // of the texts
  std::vector<std::size_t> texts;
  std::size_t label = 0;
  std::optional<std::size_t> id;
  std::size_t count = 0;
  bool heading = false, skipsShort = false;
};

bool isTextName(std::string_view name) {
  if (name.ends_with("_parse")) return false;
  for (const char* beginning : {"sentence", "question", "premise", "hypothesis", "text"})
    if (name.starts_with(beginning)) return true;
  return name.ends_with(" String");  // MRPC's "#1 String"
}

template <typename Names>
std::optional<std::size_t> columnNamed(const std::vector<std::string_view>& head, const Names& names) {
  for (const char* name : names)
    for (std::size_t c = 0; c < head.size(); ++c)
      if (trimmed(head[c]) == name) return c;
  return std::nullopt;
}

Layout layoutOfHeading(const std::vector<std::string_view>& head) {
  Layout layout;
  layout.count = head.size();
  const auto label = columnNamed(head, kLabelNames);
  if (label) layout.label = *label;
  layout.id = columnNamed(head, kRowIdNames);
  for (std::size_t c = 0; c < head.size(); ++c) {
    const std::string_view name = trimmed(head[c]);
    if (!isTextName(name) || (label && c == *label)) continue;
    layout.texts.push_back(c);
    layout.names.emplace_back(name);
  }
  layout.heading = label && !layout.texts.empty();
  layout.skipsShort = label && trimmed(head[*label]) == kSkipsShortRows;
  return layout;
}

// CoLA: source, label, "*", sentence. Else: perhaps a number, texts, the label.
Layout layoutWithoutHeading(const std::vector<std::string_view>& first) {
  Layout layout;
  layout.count = first.size();
  if (first.size() == 4 && (first[1] == "0" || first[1] == "1")) {
    layout.label = 1;
    layout.texts = {3};
  } else {
    layout.label = first.size() - 1;
    const bool numbered = first.size() > 2 && numberFrom<std::int64_t>(first[0]).has_value();
    if (numbered) layout.id = 0;
    for (std::size_t c = numbered ? 1 : 0; c + 1 < first.size(); ++c) layout.texts.push_back(c);
  }
  for (std::size_t i = 0; i < layout.texts.size(); ++i)
    layout.names.push_back(layout.texts.size() == 1 ? "text" : "text " + std::to_string(i + 1));
  return layout;
}

// True if the first line calls each column by its number.
bool isNumbered(const std::vector<std::string_view>& head) {
  for (std::size_t c = 0; c < head.size(); ++c)
    if (trimmed(head[c]) != std::to_string(c)) return false;
  return true;
}

// Which column the first line calls so. Where it is not known to hold headings a number is that of a column:
// the cell of a row may well be the same.
std::optional<std::size_t> headingOf(const std::string& word, const std::vector<std::string_view>& head,
                                     bool heading) {
  if (!heading && numberFrom<std::size_t>(word) && !isNumbered(head)) return std::nullopt;
  for (std::size_t c = 0; c < head.size(); ++c)
    if (trimmed(head[c]) == word) return c;
  return std::nullopt;
}

Result<std::size_t> columnOf(const std::string& word, const std::vector<std::string_view>& head,
                             bool heading) {
  if (const auto named = headingOf(word, head, heading)) return *named;
  const auto number = numberFrom<std::size_t>(word);
  if (number && *number < head.size()) return *number;
  return usageError(Phrase::tr("the gold file has no column \"%1\"")(word),
                    Phrase::tr("it has: %1")(joined(head, ", ")));
}

// Takes columns from the options, where they name some.
Status applyOptions(const ReviewSources& sources, const std::vector<std::string_view>& head, Layout& layout) {
  const std::string label = memberText(sources.options, "label_column");
  const std::string texts = memberText(sources.options, "text_columns");
  const bool known = layout.heading;
  const auto isName = [&](const std::string& word) { return headingOf(word, head, known).has_value(); };
  if (!label.empty()) {
    FATHOM_TRY(layout.label, columnOf(label, head, known));
    layout.heading = layout.heading || isName(label);
  }
  if (!texts.empty()) {
    layout.texts.clear();
    layout.names.clear();
    for (const std::string_view each : splitAt(texts, ',')) {
      const std::string word(trimmed(each));
      FATHOM_TRY(const std::size_t column, columnOf(word, head, known));
      layout.texts.push_back(column);
      layout.names.push_back(word);
      layout.heading = layout.heading || isName(word);
    }
  }
  std::erase_if(layout.texts, [&layout](std::size_t column) { return column == layout.label; });
  layout.names.resize(layout.texts.size());
  return {};
}

// A row of the gold file; a fault is what keeps it from being one.
struct GoldCells {
  std::int64_t line = 0;
  std::vector<std::string_view> cells;
  std::optional<Error> fault;
};
// Gives the next one, empty lines passed over; false at the end.
using NextGold = std::function<Result<bool>(GoldCells&)>;

NextGold goldByTabs(const std::string& path, const std::vector<std::string_view>& lines, std::int64_t first) {
  return [&path, &lines, first, i = std::size_t{0}](GoldCells& row) mutable -> Result<bool> {
    while (i < lines.size() && lines[i].empty()) ++i;
    if (i == lines.size()) return false;
    row.line = first + static_cast<std::int64_t>(i);
    auto cells = cellsOf(lines[i++], path, row.line);
    row.fault.reset();
    if (cells.ok())
      row.cells = *std::move(cells);
    else
      row.fault = cells.error();
    return true;
  };
}

NextGold goldByCsv(const std::string& path, std::string_view text, char separator) {
  struct State {
    CsvReader reader;
    CsvRow fields;
  };
  const auto source = [text](char* bytes, std::size_t most) mutable -> Result<std::size_t> {
    const std::size_t count = text.copy(bytes, most);
    text.remove_prefix(count);
    return count;
  };
  const auto state = std::make_shared<State>(State{CsvReader(source, path, separator), {}});
  return [state](GoldCells& row) -> Result<bool> {
    FATHOM_TRY(const bool more, state->reader.next(state->fields));
    row.line = state->reader.line();
    row.cells.assign(state->fields.begin(), state->fields.end());
    return more;
  };
}

Result<GoldTable> fromRows(const ReviewSources& sources, const NextGold& next, std::int64_t first) {
  GoldCells given;
  FATHOM_TRY(const bool any, next(given));
  if (!any) return dataErrorAt(sources.gold, 1, Phrase::tr("the file holds no examples"));
  if (given.fault) return *given.fault;
  const CsvRow kept(given.cells.begin(), given.cells.end());
  const std::vector<std::string_view> head(kept.begin(), kept.end());
  Layout layout = layoutOfHeading(head);
  if (!layout.heading) layout = layoutWithoutHeading(head);
  FATHOM_CHECK(applyOptions(sources, head, layout));
  if (layout.texts.empty())
    return dataErrorAt(sources.gold, first, Phrase::tr("no column of labels beside texts is to be seen"),
                       Phrase::tr("name them with label_column and text_columns"));
  GoldTable table;
  for (const std::string& name : layout.names) table.texts.push_back({name, Phrase::words(name)});
  std::size_t shortRows = 0, emptyTexts = 0;
  const bool skips = skipsBadGold(sources);
  std::int64_t rows = 0;
  std::set<std::string> ids;
  for (bool isRow = !layout.heading;; isRow = false) {
    if (!isRow) {
      FATHOM_TRY(const bool more, next(given));
      if (!more) break;
    }
    const auto& [line, cells, fault] = given;
    const std::int64_t place = rows++;
    if (fault) {
      if (!skips) return *fault;
      table.bad.add(*fault);
      continue;
    }
    if (layout.skipsShort && cells.size() < layout.count) {
      ++shortRows;
      continue;
    }
    if (cells.size() != layout.count) {
      const Phrase what = Phrase::tr("%1 columns where the first line has %2")(cells.size(), layout.count);
      if (!skips) return dataErrorAt(sources.gold, line, what);
      table.bad.add(line, what);
      continue;
    }
    GoldTable::Row row;
    row.line = line;
    row.place = place;
    row.id = layout.id ? std::string(trimmed(cells[*layout.id])) : std::to_string(place);
    if (skips && !ids.insert(row.id).second) {
      table.bad.add(line, Phrase::tr("the id \"%1\" is there twice")(row.id));
      continue;
    }
    row.label = std::string(trimmed(cells[layout.label]));
    for (const std::size_t column : layout.texts) row.texts.emplace_back(cells[column]);
    emptyTexts += std::all_of(row.texts.begin(), row.texts.end(), [](auto& text) { return text.empty(); });
    table.rows.push_back(std::move(row));
  }
  table.records = rows;
  if (shortRows > 0) table.notes.push_back(Phrase::tr("%1 rows with missing cells are left out")(shortRows));
  if (emptyTexts > 0) table.notes.push_back(Phrase::tr("%1 examples have no text")(emptyTexts));
  return table;
}

// Which example of the data a line of a prediction set is.
std::int64_t placeInSet(const Json& json, std::int64_t otherwise) {
  return memberInteger(json, "row", memberInteger(json, "example", otherwise));
}

// The members of a line that are texts, in their order; those of the first line name the columns.
Status readJsonRow(const Json& json, const std::string& labelKey, GoldTable& table, GoldTable::Row& row) {
  if (!json.is_object()) return dataError(Phrase::tr("a line of JSON lines must be an object"));
  const auto label = json.find(labelKey);
  if (label == json.end() || (!label->is_string() && !label->is_number()))
    return dataError(Phrase::tr("there is no \"%1\"")(labelKey),
                     Phrase::tr("every line needs its right answer"));
  row.label = asText(*label);
  for (const char* key : {"index", "id", "idx", "example"})
    if (const auto id = json.find(key); id != json.end() && row.id.empty()) row.id = asText(*id);
  if (row.id.empty()) row.id = std::to_string(row.place);
  if (table.texts.empty()) {
    for (const auto& [key, value] : json.items()) {
      const bool other = key == labelKey || key == "prediction" || key == "id" || !value.is_string();
      if (!other) table.texts.push_back({key, Phrase::words(key)});
    }
  }
  for (const ReviewText& text : table.texts) row.texts.push_back(memberText(json, text.id.c_str()));
  return {};
}

Result<GoldTable> fromJsonRows(const ReviewSources& sources, const std::vector<std::string_view>& lines,
                               std::int64_t first) {
  GoldTable table;
  std::string labelKey = memberText(sources.options, "label_column", "label");
  bool isSet = false;
  const bool skips = skipsBadGold(sources);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed(lines[i]).empty()) continue;
    const auto number = first + static_cast<std::int64_t>(i);
    const auto json = parseJson(lines[i]);
    if (i == 0 && json.ok() && json->is_object() && json->contains("split") && json->contains("fields")) {
      labelKey = memberText((*json)["fields"], "reference", "reference");
      isSet = true;
      continue;
    }
    GoldTable::Row row;
    row.line = number;
    row.place = table.records++;
    Status read = json.ok() ? readJsonRow(*json, labelKey, table, row) : json.error();
    if (read.ok() && isSet) row.place = placeInSet(*json, row.place);
    if (read.ok() && skips && !ids.insert(row.id).second)
      read = dataError(Phrase::tr("the id \"%1\" is there twice")(row.id));
    if (read.ok()) {
      table.rows.push_back(std::move(row));
      continue;
    }
    const Phrase what = read.error().messagePhrase();
    if (!skips) return dataErrorAt(sources.gold, number, what, read.error().hintPhrase());
    table.bad.add(number, what);
  }
  // A set is written batch by batch, short examples first: its examples stand as in the data.
  if (isSet)
    std::stable_sort(table.rows.begin(), table.rows.end(),
                     [](const GoldTable::Row& a, const GoldTable::Row& b) { return a.place < b.place; });
  return table;
}

}  // namespace

Result<GoldTable> readGoldTable(const ReviewSources& sources) {
  FATHOM_TRY(const std::string bytes, readUnpacked(sources.gold));
  FATHOM_TRY(auto lines, textLines(bytes, sources.gold));
  const auto begin =
      std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return !trimmed(line).empty(); });
  const std::int64_t first = 1 + (begin - lines.begin());
  lines.erase(lines.begin(), begin);
  if (lines.empty()) return dataErrorAt(sources.gold, 1, Phrase::tr("the file holds no examples"));
  if (lines.front().starts_with('{')) return fromJsonRows(sources, lines, first);
  const std::string form = memberText(sources.options, kTableFormat, "auto");
  if (form != "auto" && form != "tab" && form != "csv")
    return usageError(Phrase::tr("%1 is \"%2\": it can be auto, tab or csv")(kTableFormat, form));
  const std::string_view text = withoutByteOrderMark(bytes);
  const auto separator = form == "auto" ? csvSeparator(text) : std::nullopt;
  if (form != "csv" && !separator) return fromRows(sources, goldByTabs(sources.gold, lines, first), first);
  const char between = separator.value_or(CsvReader::kGuessSeparator);
  FATHOM_TRY(GoldTable table, fromRows(sources, goldByCsv(sources.gold, text, between), first));
  if (separator)
    table.notes.push_back(
        Phrase::tr("the gold file is read as CSV, with quotes; table_format=tab reads cells as they stand"));
  return table;
}

std::vector<ReviewOption> goldTableOptions() {
  std::vector<ReviewOption> options = goldOptions();
  options.insert(options.begin(),
                 {{"label_column", Phrase::tr("Column of the labels"),
                   Phrase::tr("Name, or number from 0; as GLUE's tasks have it when it is left out")},
                  {"text_columns", Phrase::tr("Columns of the texts"),
                   Phrase::tr("Names, or numbers from 0, with commas between")},
                  {kTableFormat, Phrase::tr("Form of the table"),
                   Phrase::tr("tab: cells as they stand; csv: with quotes; auto: as the first lines look")}});
  return options;
}

}  // namespace fathom
