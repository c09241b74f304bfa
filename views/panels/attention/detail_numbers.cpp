// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/detail_numbers.h"

#include <QCoreApplication>

#include "core/base/numbers/not_a_number.h"
#include "views/tables/paper/figure_table.h"

namespace fathom {

namespace {

constexpr const char* kQuartiles[] = {QT_TRANSLATE_NOOP("TableWord", "quartile 1"),
                                      QT_TRANSLATE_NOOP("TableWord", "median"),
                                      QT_TRANSLATE_NOOP("TableWord", "quartile 3")};

}  // namespace

PaperTable detailNumbers(const FigureSpec& detail) {
  constexpr int kDecimals = 3;
  PaperTable numbers;
  numbers.columns = {{QT_TRANSLATE_NOOP("Command", "run")}};
  for (const char* word : kQuartiles) numbers.columns.push_back({word, kDecimals});
  for (const auto& row : tableOfFigure(detail).rows) {
    const auto* run = std::get_if<std::string>(&row[1]);
    const auto* where = std::get_if<std::string>(&row[2]);
    for (std::size_t i = 0; i < std::size(kQuartiles); ++i) {
      if (run == nullptr || where == nullptr || *where != kQuartiles[i]) continue;
      const bool known = !numbers.rows.empty() && std::get<std::string>(numbers.rows.back()[0]) == *run;
      if (!known) numbers.rows.push_back({*run, kNaN, kNaN, kNaN});
      numbers.rows.back()[1 + i] = row[3];
    }
  }
  return numbers;
}

}  // namespace fathom
