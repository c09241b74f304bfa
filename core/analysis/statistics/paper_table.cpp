// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/paper_table.h"

#include <charconv>
#include <cmath>
#include <string>

#include "core/base/text/number_text.h"

namespace fathom {

std::string markupOf(const std::string& plain) {
  std::string text;
  for (const char c : plain) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else
      text += c;
  }
  return text;
}

std::optional<double> cellValue(const TableCell& cell) {
  double value = NAN;
  if (const auto* number = std::get_if<double>(&cell)) value = *number;
  if (const auto* summary = std::get_if<SeedSummary>(&cell)) value = summary->mean;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::string fixedText(double value, int decimals) {
  char text[400];  // the largest double has 309 digits
  const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals);
  return {text, written.ptr};
}

std::string probabilityMarkup(double p) {
  constexpr double kSmall = 1e-3;
  if (!std::isfinite(p)) return "–";
  if (p >= kSmall || p <= 0) return fixedText(p, 3);
  const std::string number = formatted("%.1e", p);
  const std::size_t sign = number.find('e');
  return number.substr(0, sign) + " × 10<sup>−" + std::to_string(-std::stoi(number.substr(sign + 1))) +
         "</sup>";
}

std::optional<std::string> bestPrint(const PaperTable& table, std::size_t column) {
  const TableColumn& spec = table.columns[column];
  if (spec.best == TableColumn::Best::None) return std::nullopt;
  std::optional<double> best;
  for (const auto& row : table.rows) {
    const std::optional<double> value = cellValue(row[column]);
    if (!value) continue;
    const bool better = !best || (spec.best == TableColumn::Best::Highest ? *value > *best : *value < *best);
    if (better) best = value;
  }
  if (!best) return std::nullopt;
  return fixedText(*best, spec.decimals);
}

}  // namespace fathom
