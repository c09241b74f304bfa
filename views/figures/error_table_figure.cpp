// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/errors/name_list.h"
#include "views/figure/distinct_text.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

// The names at most 18 letters long; they are markup, which may not be cut inside an entity.
std::vector<std::string> shortNames(const PaperTable& table) {
  constexpr qsizetype kMost = 18;
  QStringList plain;
  for (std::size_t c = 1; c < table.columns.size(); ++c)
    plain.append(plainText(QString::fromStdString(table.columns[c].header)));
  const QStringList cut = namesApart(plain, kMost);
  std::vector<std::string> names;
  for (qsizetype i = 0; i < cut.size(); ++i)
    names.push_back(cut[i] == plain[i] ? table.columns[static_cast<std::size_t>(i) + 1].header
                                       : escapeMarkup(cut[i]).toStdString());
  return names;
}

// Names too long to stand side by side: a row per model instead of a column.
PaperTable turned(const PaperTable& table) {
  PaperTable out;
  out.columns = {{"System"}, {"FN", 0}, {"Column", 0}, {"Sketch", 0}, {"Both", 0}, {"All", 0}};
  const std::vector<std::string> names = shortNames(table);
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    auto& row = out.rows.emplace_back();
    row.emplace_back(names[c - 1]);
    for (const auto& cells : table.rows) row.push_back(cells[c]);
  }
  return out;
}

bool namesAreLong(const PaperTable& table) {
  std::size_t letters = 0;
  for (std::size_t c = 1; c < table.columns.size(); ++c)
    letters = std::max(letters, table.columns[c].header.size());
  return letters * (table.columns.size() - 1) > 32;
}

Phrase bold(Phrase text) {
  return Phrase::list({Phrase::words("<b>"), std::move(text), Phrase::words("</b>")}, "");
}

// A row each for a category or for a model: what is not a model's name is said in the window's language.
enum class Rows { Categories, Models };

Phrase cellPhrase(const TableCell& cell, Rows rows, int decimals) {
  if (const auto* word = std::get_if<std::string>(&cell))
    return rows == Rows::Categories ? Phrase::known(*word) : Phrase::words(*word);
  const auto* number = std::get_if<double>(&cell);
  return Phrase::words(QString::number(number ? *number : 0, 'f', decimals).toStdString());
}

// Selections of a table with a row for a category and a column for a model, the other way round.
CellSelections turned(const CellSelections& cells) {
  CellSelections out;
  for (std::size_t c = 1; c < cells.front().size(); ++c) {
    auto& row = out.emplace_back(1);
    for (const auto& each : cells) row.push_back(each[c]);
  }
  return out;
}

// The table drawn as a figure: a wide column of names, the numbers, rules as in a paper.
FigurePanel drawn(const PaperTable& table, const CellSelections& cells, Rows rows) {
  const double nameWidth = rows == Rows::Models ? 3.2 : 1.5;
  FigurePanel panel;
  panel.x.scale = panel.y.scale = AxisScale::None;
  panel.y.reversed = true;
  panel.x.minimum = 0;
  panel.x.maximum = static_cast<double>(table.columns.size()) - 0.6 + nameWidth;
  panel.y.minimum = -0.8;
  panel.y.maximum = static_cast<double>(table.rows.size()) + 0.8;
  panel.legend = LegendPlace::None;
  const auto place = [nameWidth](std::size_t column) {
    return column == 0 ? 0.02 : static_cast<double>(column) + nameWidth - 0.6;
  };
  const auto anchor = [](std::size_t column) { return column == 0 ? TextAnchor::Left : TextAnchor::Centre; };
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool model = rows == Rows::Categories && c > 0;
    const std::string& header = table.columns[c].header;
    panel.marks.push_back(
        phraseMark(place(c), 0, bold(model ? Phrase::words(header) : Phrase::known(header)), anchor(c)));
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const Phrase text = cellPhrase(table.rows[r][c], rows, table.columns[c].decimals);
      FigureMark mark = phraseMark(place(c), static_cast<double>(r) + 1, text, anchor(c));
      mark.selection = cells[r][c];
      panel.marks.push_back(std::move(mark));
    }
  }
  const double last = static_cast<double>(table.rows.size());
  const double beforeLast = rows == Rows::Models ? last + 0.6 : last - 0.5;  // above "All", where it is a row
  for (const double y : {-0.6, 0.55, beforeLast, last + 0.6}) {
    FigureMark rule;
    rule.shape = LineMark{{*panel.x.minimum, *panel.x.maximum}, {y, y}};
    rule.style.colour = "text";
    rule.style.width = y == 0.55 || y == last - 0.5 ? 0.5 : 0.9;
    panel.marks.push_back(std::move(rule));
  }
  return panel;
}

// Examples that a row of the table counts; the last one counts all that are wrong.
std::vector<std::size_t> countedIn(const std::vector<ErrorCategory>& categories, std::size_t row) {
  constexpr ErrorCategory kRows[] = {ErrorCategory::FalseNegative, ErrorCategory::Column,
                                     ErrorCategory::Sketch, ErrorCategory::Both};
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < categories.size(); ++i)
    for (std::size_t r = 0; r < std::size(kRows); ++r)
      if (categories[i] == kRows[r] && (row == r || row == std::size(kRows))) examples.push_back(i);
  return examples;
}

Result<ReviewFigure> buildErrorTable(const ReviewFigureInput& input, const OptionValues& options) {
  const auto& models = input.review.models;
  const auto categories = errorCategories(input.categories);
  ReviewFigure figure;
  PaperTable& table = figure.table;
  figure.spec.title = Phrase::tr("Errors by category");
  table.caption = "Wrong predictions by category.";
  table.label = "tab:errors";
  table.columns = {{QT_TRANSLATE_NOOP("Command", "Error type")}};
  const char* names[] = {QT_TRANSLATE_NOOP("TableWord", "False negative"),
                         QT_TRANSLATE_NOOP("TableWord", "Column only"),
                         QT_TRANSLATE_NOOP("TableWord", "Sketch only"),
                         QT_TRANSLATE_NOOP("TableWord", "Both"), QT_TRANSLATE_NOOP("TableWord", "All")};
  for (const char* name : names) table.rows.emplace_back().emplace_back(std::string(name));
  figure.cells.assign(table.rows.size(), CellSelections::value_type(1));
  for (std::size_t m = 0; m < models.size(); ++m) {
    table.columns.push_back({modelLabel(models[m]), 0});
    const CategoryCounts counts = countCategories(categories[m]);
    const int values[] = {counts.falseNegative, counts.column, counts.sketch, counts.both, counts.wrong()};
    std::vector<Phrase> words;
    for (std::size_t r = 0; r < std::size(values); ++r) {
      table.rows[r].emplace_back(double(values[r]));
      figure.cells[r].push_back(selectionOfExamples(models[m].name, countedIn(categories[m], r)));
      words.push_back(Phrase::tr("%1 %2")(Phrase::known(names[r]), values[r]));
    }
    figure.spec.summary.append(Phrase::tr("%1: %2.")(models[m].name, listed(std::move(words))));
    if (counts.goldError > 0) {
      figure.spec.notes.push_back(Phrase::tr("%1: %2 examples whose gold query is wrong are left out.")(
          modelLabel(models[m]), counts.goldError));
    }
  }
  figure.spec.panels = {namesAreLong(table) ? drawn(turned(table), turned(figure.cells), Rows::Models)
                                            : drawn(table, figure.cells, Rows::Categories)};
  if (namesAreLong(table)) figure.spec.notes.emplace_back(Phrase::tr("FN: false negative."));
  setSize(figure.spec, options, 40);
  return figure;
}

}  // namespace

FigureEntry errorTableFigureEntry() {
  return {.id = "error_table",
          .title = "Table of errors",
          .reference = "DT-Fixup, Table 6",
          .fields = sizeFields(),
          .buildReview = buildErrorTable,
          .isTable = true};
}

}  // namespace fathom
