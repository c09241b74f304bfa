// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/files/latex_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/json/json.h"
#include "core/base/text/csv.h"
#include "views/figure/figure_text.h"

namespace fathom {

namespace {

Status checkTable(const PaperTable& table) {
  if (table.columns.empty()) return dataError(Phrase::tr("the table has no columns"));
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (table.rows[row].size() != table.columns.size())
      return dataError(Phrase::tr("row %1 of the table has %2 cells for %3 columns")(
          row + 1, table.rows[row].size(), table.columns.size()));
  return {};
}

std::string markup(const std::string& text) {
  return latexText(QString::fromStdString(text)).toStdString();
}

// The first cell of a row: "[" would be the room above it to LaTeX, "*" a command's star.
std::string atStart(std::string cell) {
  if (!cell.empty() && (cell.front() == '[' || cell.front() == '*')) cell.insert(0, "{}");
  return cell;
}

// `plusMinus` and `bold` are how the language writes them.
template <class Bold>
std::string cellText(const TableCell& cell, const TableColumn& column, const std::optional<std::string>& best,
                     const std::string& plusMinus, const Bold& bold) {
  const std::optional<double> value = cellValue(cell);
  std::string text = value ? fixedText(*value, column.decimals) : std::string("--");
  if (value && best && text == *best) text = bold(text);
  const auto* summary = std::get_if<SeedSummary>(&cell);
  if (summary == nullptr) return text;
  if (std::isfinite(summary->deviation)) text += plusMinus + fixedText(summary->deviation, column.decimals);
  if (summary->failed() > 0)
    text += " (failed " + std::to_string(summary->failed()) + "/" + std::to_string(summary->runs) + ")";
  return text;
}

bool summarised(const PaperTable& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [column](const auto& row) { return std::holds_alternative<SeedSummary>(row[column]); });
}

std::string captionComment(const std::string& label) {
  return "% A caption, and with it a number for \\ref{" + label +
         "}: \\newcommand\\fathomcaption{...} before this file; it is used once.\n";
}

// More rows than this are several pages, which no float is: beyond some 1,300 LaTeX gives up.
constexpr std::size_t kMostRowsOfAFloat = 100;

// Caption and label stand above the first page; without a caption of its own the document's is taken.
std::string overPages(const PaperTable& table, const std::string& columns, const std::string& head,
                      const std::string& rows) {
  const bool open = table.caption.empty() && !table.label.empty();
  std::string text, top;
  if (!table.caption.empty()) {
    top = "  \\caption{" + markup(table.caption) + "}";
    if (!table.label.empty()) top += "\\label{" + table.label + "}";
    top += " \\\\\n";
  }
  if (open) {
    text = "\\ifdefined\\fathomcaption\\def\\fathomtop{\\caption{\\fathomcaption}\\label{" + table.label +
           "}\\\\}\\else\\def\\fathomtop{}\\fi\n";
    top = "  \\fathomtop\n";
  }
  text += "\\begin{longtable}{" + columns + "}\n" + top + head + "    \\endfirsthead\n" + head +
          "    \\endhead\n" + rows + "    \\bottomrule\n\\end{longtable}\n";
  if (open) text += "\\global\\let\\fathomcaption\\undefined\n";
  return "% \\usepackage{booktabs} \\usepackage{longtable}; pages of one column\n" +
         (open ? captionComment(table.label) : std::string()) + latexLetters(text) + text;
}

// The document says the caption: the next table has one of its own.
std::string captionOfTheDocument(const std::string& label) {
  return "  \\ifdefined\\fathomcaption\\caption{\\fathomcaption}\\label{" + label +
         "}\\global\\let\\fathomcaption\\undefined\\fi\n";
}

}  // namespace

Result<std::string> latexTable(const PaperTable& table) {
  FATHOM_CHECK(checkTable(table));
  const std::string columns = "l" + std::string(table.columns.size() - 1, 'r');
  std::string head = "    \\toprule\n    ", rows;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    head += i > 0 ? " & " + markup(table.columns[i].header) : atStart(markup(table.columns[i].header));
  head += " \\\\\n    \\midrule\n";
  std::vector<std::optional<std::string>> best;
  for (std::size_t i = 0; i < table.columns.size(); ++i) best.push_back(bestPrint(table, i));
  for (const auto& row : table.rows) {
    rows += "    ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* word = std::get_if<std::string>(&row[i]);
      rows += i > 0 ? " & " : "";
      rows += word != nullptr ? (i > 0 ? markup(*word) : atStart(markup(*word)))
                              : cellText(row[i], table.columns[i], best[i], " $\\pm$ ",
                                         [](const std::string& value) { return "\\textbf{" + value + "}"; });
    }
    rows += " \\\\\n";
  }
  if (table.rows.size() > kMostRowsOfAFloat) return overPages(table, columns, head, rows);
  std::string text = "  \\centering\n  \\begin{tabular}{" + columns + "}\n" + head + rows +
                     "    \\bottomrule\n  \\end{tabular}\n";
  // A label is the number of the caption above it; without one it would be that of the section.
  if (!table.caption.empty()) text += "  \\caption{" + markup(table.caption) + "}\n";
  if (!table.caption.empty() && !table.label.empty()) text += "  \\label{" + table.label + "}\n";
  const bool open = table.caption.empty() && !table.label.empty();
  if (open) text += captionOfTheDocument(table.label);
  return std::string("% \\usepackage{booktabs}\n") + (open ? captionComment(table.label) : std::string()) +
         "\\begin{table}\n" + latexLetters(text) + text + "\\end{table}\n";
}

Result<std::string> csvTable(const PaperTable& table) {
  FATHOM_CHECK(checkTable(table));
  std::string text;
  const auto plain = [](const std::string& markupText) {
    return csvField(plainText(QString::fromStdString(markupText)).toStdString());
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += (i > 0 ? "," : "") + plain(table.columns[i].header);
    if (summarised(table, i))
      for (const char* part : {" sd", " runs", " failed"})
        text += "," + plain(table.columns[i].header + part);
  }
  text += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i > 0 ? "," : "";
      const auto* summary = std::get_if<SeedSummary>(&row[i]);
      if (const auto* word = std::get_if<std::string>(&row[i])) text += plain(*word);
      if (const auto* value = std::get_if<double>(&row[i]); value != nullptr && std::isfinite(*value))
        text += jsonNumber(*value);
      if (summary != nullptr && std::isfinite(summary->mean)) text += jsonNumber(summary->mean);
      if (!summarised(table, i)) continue;
      text += "," +
              (summary != nullptr && std::isfinite(summary->deviation) ? jsonNumber(summary->deviation) : "");
      text += "," + (summary != nullptr ? std::to_string(summary->runs) : "");
      text += "," + (summary != nullptr ? std::to_string(summary->failed()) : "");
    }
    text += "\r\n";
  }
  return text;
}

Result<std::string> markdownTable(const PaperTable& table) {
  FATHOM_CHECK(checkTable(table));
  const auto escaped = [](const std::string& markupText) {
    return plainText(QString::fromStdString(markupText)).replace(u'|', QStringLiteral("\\|")).toStdString();
  };
  std::string text = "|", rule = "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += " " + escaped(table.columns[i].header) + " |";
    rule += i == 0 ? " --- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* word = std::get_if<std::string>(&row[i]);
      text += " " +
              (word != nullptr ? escaped(*word)
                               : cellText(row[i], table.columns[i], bestPrint(table, i), " ± ",
                                          [](const std::string& value) { return "**" + value + "**"; })) +
              " |";
    }
    text += "\n";
  }
  return text;
}

Result<std::string> tableForFile(const PaperTable& table, std::string_view file) {
  if (file.ends_with(".csv")) return csvTable(table);
  return file.ends_with(".md") ? markdownTable(table) : latexTable(table);
}

}  // namespace fathom
