// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "core/base/options/option_field.h"
#include "views/tables/table_model.h"

namespace fathom {

// Two configurations side by side: option, left value, right value. Differences alone, or everything.
class ConfigDiffModel : public TableModel {
  Q_OBJECT
 public:
  enum Role { DiffersRole = Qt::UserRole, KeyRole };
  using TableModel::TableModel;
  // Objects of key: value; `schema` may be null (keys instead of titles).
  void setConfigs(const QString& leftName, const Json& left, const QString& rightName, const Json& right,
                  const OptionSchema* schema);
  void clear();
  void setOnlyDifferences(bool only);
  // Title, left and right of a row as they are, with tabs between; empty where there is none.
  QString rowText(int row) const;
  int differences() const { return m_differences; }

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return m_shown.size(); }
  qsizetype shownColumns() const override { return 3; }
  QString title(int column) const override;
  struct Line {
    QString key, title, left, right;
    QString shownLeft, shownRight;  // paths without the folders that they are not told apart by
    bool differs = false;
  };
  void choose();
  QString m_leftName, m_rightName;
  QVector<Line> m_lines;
  QVector<int> m_shown;
  int m_differences = 0;
  bool m_onlyDifferences = true;
};

}  // namespace fathom
