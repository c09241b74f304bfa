// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QVector>
#include <QWidget>
#include <map>

#include "core/analysis/training/run_grid.h"
#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

class EmptyState;
class GridTableModel;

// A grid as the panel shows it.
struct GridView {
  QString uuid, name;
  std::vector<GridAxis> axes;
  QStringList runs;  // uuids in the order of expandGrid
  std::string preset = {};
  std::map<std::string, std::string> verdicts = {};  // of the trainability check, by run
};

// Grids of the project as tables: mean ± sd over seeds and "failed k/n", copied as LaTeX or text. Picking a
// row selects its runs.
class GridPanel : public QWidget {
  Q_OBJECT
 public:
  explicit GridPanel(QWidget* parent = nullptr);
  void setGrids(const QVector<GridView>& grids, const QHash<QString, QString>& titles);
  // All runs of the project; those of the shown grid are used.
  void setRuns(const QVector<RunItem>& runs);
  QString currentGrid() const;
  GridTableModel* model() const { return m_model; }

 Q_SIGNALS:
  void runsPicked(const QStringList& uuids);

 private:
  void refresh();
  void copy(const QString& text);
  QVector<GridView> m_grids;
  QVector<RunItem> m_runs;
  QHash<QString, QString> m_titles;
  GridTableModel* m_model;
  QSortFilterProxyModel* m_sorted;
  QComboBox* m_choice;
  QLabel* m_progress;
  QStackedWidget* m_stack;
  QTableView* m_table;
  EmptyState* m_empty;
  QPushButton* m_latex;
  QPushButton* m_text;
};

}  // namespace fathom
