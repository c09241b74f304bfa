// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "views/look/qt_names.h"

namespace fathom {

class FrozenColumns;
class PredictionTableModel;

// Widths of the columns of the predictions: every one as wide as its content, the text as wide as the room
// that is left, until somebody chooses its width. Number, text and marks stay in sight at the left while the
// others are scrolled. The table's child.
class PredictionColumns : public QObject {
  Q_OBJECT
 public:
  // Both are borrowed; the model is the table's.
  PredictionColumns(QTableView* table, PredictionTableModel* model);
  // The review is another one: sized anew once it has rows.
  void restart() { m_sized = m_byHand = false; }
  void sizeOnce();
  void size();
  // Pixels in which every column is as wide as it wants.
  int naturalWidth() const;
  FrozenColumns* frozen() const { return m_frozen; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int wanted(int column) const;
  void fitText();
  void freeze();
  QTableView* m_table;
  PredictionTableModel* m_model;
  FrozenColumns* m_frozen;
  bool m_sized = false;
  bool m_fitting = false;
  bool m_byHand = false;  // somebody chose the width of the text
};

}  // namespace fathom
