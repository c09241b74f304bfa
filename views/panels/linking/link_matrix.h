// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// An item of a schema that a word of a question may mean.
struct LinkItem {
  QString name;  // "singer", "singer.age"
  bool table = false;
};

// Which word of a question is linked with which item, and how. A code is a number below kCodes, 0 for no
// link, in the order of LinkCode (core/spider/linking/schema_links.h). A row is an item, a column a word.
// Cells that differ from the links that were set are marked. GUI thread.
class LinkMatrixModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  static constexpr int kCodes = 6;
  static QString codeTitle(int code);  // "exact"

  using QAbstractTableModel::QAbstractTableModel;
  // `codes` [items, words], row by row; another number of them counts as no links at all.
  void setLinks(const QStringList& words, const QVector<LinkItem>& items, const QVector<quint8>& codes);
  // Codes that the cells are marked against from now on; of another size: none is marked.
  void setOriginal(const QVector<quint8>& codes);
  void setEditable(bool editable) { m_editable = editable; }
  bool editable() const { return m_editable; }

  const QStringList& words() const { return m_words; }
  const QVector<LinkItem>& items() const { return m_items; }
  const QVector<quint8>& codes() const { return m_codes; }
  int code(int word, int item) const { return m_codes[cell(word, item)]; }
  // False where it is that already, or nothing may be changed.
  bool setCode(int word, int item, int code);
  int changedCells() const;
  // Linked now or in the original.
  bool isLinked(int item) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 Q_SIGNALS:
  // A person changed a link.
  void linkChanged(int word, int item, int code);

 private:
  qsizetype cell(int word, int item) const { return qsizetype(item) * m_words.size() + word; }
  bool differs(qsizetype cell) const;
  QStringList m_words;
  QVector<LinkItem> m_items;
  QVector<quint8> m_codes, m_original;
  bool m_editable = false;
};

// The matrix as a table: items that have a link, or all of them, or those whose name holds what is typed.
// The keys 0 to 5 set the chosen cells, Space and a double click go to the next code, Delete takes links
// away; the menu of a cell says the same in words.
class LinkMatrix : public QWidget {
  Q_OBJECT
 public:
  explicit LinkMatrix(QWidget* parent = nullptr);
  LinkMatrixModel* model() const { return m_model; }
  QTableView* table() const { return m_table; }
  // Sets the chosen cells.
  void setChosen(int code);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Rows;
  void nextCode();
  void showMenu(const QPoint& at);
  void fitWords();
  LinkMatrixModel* m_model;
  Rows* m_rows;
  QTableView* m_table;
  QLineEdit* m_filter;
  QToolButton* m_all;
};

}  // namespace fathom
