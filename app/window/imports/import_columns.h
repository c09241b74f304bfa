// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/window/imports/column_memory.h"
#include "views/look/qt_names.h"

namespace fathom {

// The columns of a table with an example of each and what it is taken for, which a person may change. There
// are no more rows than somebody would look through.
class ImportColumns : public QWidget {
  Q_OBJECT
 public:
  explicit ImportColumns(QWidget* parent = nullptr);
  // `said`: what a person said before of some of them.
  void setColumns(const std::vector<SourceColumn>& columns, const ColumnUses& said);
  const ColumnUses& uses() const { return m_said; }
  QTreeWidget* list() const { return m_list; }
  // The choice of the column, null where there is none.
  QComboBox* choice(int column) const;

 Q_SIGNALS:
  // A person chose something else.
  void changed();

 private:
  void addColumn(const SourceColumn& column);
  QLabel* m_heading;
  QTreeWidget* m_list;
  std::vector<SourceColumn> m_columns;  // that are listed
  ColumnUses m_said;
};

}  // namespace fathom
