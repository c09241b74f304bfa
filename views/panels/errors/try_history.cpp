// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/try_history.h"

#include <QFont>
#include <QLocale>

#include "views/look/engine_text.h"

namespace fathom {

QString tryCategory(const PredictionTry& made) {
  if (!made.judged) return {};
  return made.judged->match.match.exact ? categoryTitle(ErrorCategory::Correct)
                                        : categoryTitle(made.judged->category.category);
}

void TryHistoryModel::refresh() {
  replaceTable([this] { m_rows = m_tries->size(); });
}

QString TryHistoryModel::title(int column) const {
  switch (column) {
    case kNumber:
      return tr("Try");
    case kQuestion:
      return tr("Question");
    case kLinks:
      return tr("Links changed");
    case kSql:
      return tr("SQL");
    case kCategory:
      return tr("Category");
    case kAnswer:
      return tr("Result");
    default:
      return tr("Time");
  }
}

QString TryHistoryModel::text(const PredictionTry& made, int row, int column) {
  switch (column) {
    case kNumber:
      return row == 0 ? tr("original") : QString::number(row);
    case kQuestion:
      return fromUtf8(made.asked.question);
    case kLinks:
      return made.changedLinks == 0 ? QString() : QString::number(made.changedLinks);
    case kSql:
      return made.sql;
    case kCategory:
      return tryCategory(made);
    case kAnswer:
      return made.results;
    default:
      return tr("%1 s").arg(QLocale().toString(made.seconds, 'f', 2));
  }
}

QVariant TryHistoryModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= m_rows) return {};
  const PredictionTry& made = (*m_tries)[index.row()];
  const QString shown = text(made, index.row(), index.column());
  switch (role) {
    case Qt::DisplayRole:
      return shown;
    case Qt::ToolTipRole:
      if (index.column() != kSql || made.others.isEmpty()) return shown;
      return tr("%1\n\nThe search's next ones:\n%2").arg(shown, made.others.join(QLatin1Char('\n')));
    case Qt::TextAlignmentRole: {
      const bool number = index.column() == kLinks || index.column() == kSeconds;
      return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    case Qt::FontRole: {
      const bool compared = index.column() > kNumber && index.column() < kSeconds;
      QFont font;
      font.setBold(compared && shown != text(m_tries->first(), 0, index.column()));
      return font;
    }
    default:
      return {};
  }
}

}  // namespace fathom
