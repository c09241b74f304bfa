// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class LogFilterModel;
class LogModel;

// The log of one run: level, search, follows the end while the end is in sight.
class LogPanel : public QWidget {
  Q_OBJECT
 public:
  // `model` is borrowed.
  explicit LogPanel(LogModel* model, QWidget* parent = nullptr);
  void setRunName(const QString& name);
  // Text after the list, e.g. how many damaged lines were skipped; empty = nothing.
  void setRemark(const QString& remark);

 private:
  void updateState();
  void copySelection() const;
  LogModel* m_model;
  LogFilterModel* m_filter;
  QComboBox* m_level;
  QLineEdit* m_search;
  QTableView* m_table;
  QLabel* m_empty;
  QLabel* m_remark;
  QString m_run;
  bool m_follow = true;
};

}  // namespace fathom
