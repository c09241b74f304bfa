// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/detail_numbers.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "views/look/engine_text.h"
#include "views/tables/figure_table.h"

namespace fathom {

namespace {

constexpr const char* kShown[] = {"quartile 1", "median", "quartile 3"};

QString cell(const QString& text, bool head) {
  return QStringLiteral("<td align=\"right\">%1&nbsp;&nbsp;</td>")
      .arg(head ? QStringLiteral("<i>%1</i>").arg(text) : text);
}

}  // namespace

QString detailNumbers(const FigureSpec& detail) {
  constexpr int kDigits = 4;
  std::vector<std::string> order;
  std::map<std::string, std::array<double, 3>> values;
  for (const auto& row : tableOfFigure(detail).rows) {
    const auto* series = std::get_if<std::string>(&row[1]);
    const auto* where = std::get_if<std::string>(&row[2]);
    const auto* value = std::get_if<double>(&row[3]);
    for (std::size_t i = 0; i < std::size(kShown); ++i) {
      if (series == nullptr || where == nullptr || value == nullptr || *where != kShown[i]) continue;
      if (!values.contains(*series)) order.push_back(*series);
      values[*series][i] = *value;
    }
  }
  if (order.empty()) return {};
  QString rows = QStringLiteral("<td></td>");
  for (const char* word : kShown) rows += cell(QCoreApplication::translate("TableWord", word), true);
  rows = QStringLiteral("<tr>%1</tr>").arg(rows);
  for (const std::string& run : order) {
    QString line = QStringLiteral("<td>%1&nbsp;&nbsp;</td>").arg(fromUtf8(run));  // markup already
    for (const double value : values[run])
      line +=
          cell(std::isfinite(value) ? QLocale().toString(value, 'g', kDigits) : QStringLiteral("–"), false);
    rows += QStringLiteral("<tr>%1</tr>").arg(line);
  }
  return QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(rows);
}

}  // namespace fathom
