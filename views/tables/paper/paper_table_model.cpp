// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/paper/paper_table_model.h"

#include <QCoreApplication>
#include <QFont>
#include <QLocale>
#include <QRegularExpression>
#include <cmath>

#include "views/figure/axis_scale.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

QString inRaisedDigits(const QString& text) {
  static const QString kPlain = QStringLiteral("0123456789-−+"), kRaised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺");
  QString raised;
  for (const QChar letter : text) {
    const qsizetype at = kPlain.indexOf(letter);
    raised += at < 0 ? letter : kRaised[at];
  }
  return raised;
}

// True for a text that begins with a digit: it is read as a number, whatever follows.
bool readsAsNumber(const std::string& text) {
  return !text.empty() && ((text[0] >= '0' && text[0] <= '9') || (text[0] == '-' && text.size() > 1));
}

// Markup without its tags; entities as characters.
QString withoutMarkup(const std::string& markup) {
  static const QRegularExpression tag(QStringLiteral("<[^>]*>"));
  static const QRegularExpression raised(QStringLiteral("<sup>([^<]*)</sup>"));
  QString text = fromUtf8(markup);
  for (auto match = raised.match(text); match.hasMatch(); match = raised.match(text))
    text.replace(match.capturedStart(), match.capturedLength(), inRaisedDigits(match.captured(1)));
  text.remove(tag);
  return text.replace(QLatin1String("&lt;"), QLatin1String("<"))
      .replace(QLatin1String("&gt;"), QLatin1String(">"))
      .replace(QLatin1String("&amp;"), QLatin1String("&"));
}

QString number(double value, int decimals) {
  return std::isfinite(value) ? QLocale().toString(value, 'f', decimals) : QStringLiteral("–");
}

}  // namespace

void PaperTableModel::setTable(PaperTable table, std::vector<std::vector<std::string>> selections) {
  replaceTable([&] {
    m_table = std::move(table);
    m_selections = std::move(selections);
  });
}

QString PaperTableModel::selectionAt(const QModelIndex& index) const {
  const auto row = std::size_t(index.row()), column = std::size_t(index.column());
  if (!index.isValid() || row >= m_selections.size() || column >= m_selections[row].size()) return {};
  return fromUtf8(m_selections[row][column]);
}

QVariant PaperTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto& row = m_table.rows[std::size_t(index.row())];
  if (std::size_t(index.column()) >= row.size()) return {};
  const TableCell& cell = row[std::size_t(index.column())];
  const TableColumn& column = m_table.columns[std::size_t(index.column())];
  const bool text = std::holds_alternative<std::string>(cell);
  const bool left = text && (index.column() == 0 || !readsAsNumber(std::get<std::string>(cell)));
  if (role == Qt::TextAlignmentRole) return int((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::FontRole && !selectionAt(index).isEmpty()) {
    QFont leads;
    leads.setUnderline(true);
    return leads;
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  // The words of a table are English, for papers; names of models and the like have no translation.
  if (text) {
    const QString shown = withoutMarkup(std::get<std::string>(cell));
    return QCoreApplication::translate("TableWord", toUtf8(shown).c_str());
  }
  if (const auto* value = std::get_if<double>(&cell)) {
    // Rounded where one looks along a column, whole where one asks for it.
    const bool whole = role == Qt::ToolTipRole && std::isfinite(*value);
    return whole ? numberInFull(*value) : number(*value, column.decimals);
  }
  const SeedSummary& seeds = std::get<SeedSummary>(cell);
  return QStringLiteral("%1 ± %2").arg(number(seeds.mean, column.decimals),
                                       number(seeds.deviation, column.decimals));
}

QString PaperTableModel::title(int column) const {
  // Kept in English, for papers; said in the language of the window.
  return engineText(toUtf8(withoutMarkup(m_table.columns[std::size_t(column)].header)));
}

}  // namespace fathom
