// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "views/tables/table_model.h"

namespace fathom {

// One waiting experiment, in the order the runner takes them.
struct QueueRow {
  QString id;
  QString name;
  QString preset;
  QString device;     // "auto", "cpu", "cuda:0"
  QString kind;       // "train", "resume"
  bool held = false;  // stays in the queue but is not taken
};

// The queue of a project. Rows are moved by dragging or by moveRequested; the folder on disk has the last
// word.
class QueueModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { Position, Name, Kind, Device, Columns };
  enum Role { IdRole = Qt::UserRole };
  using TableModel::TableModel;
  void setRows(const QVector<QueueRow>& rows);
  const QVector<QueueRow>& rows() const { return m_rows; }

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  // `id` shall stand before the row that is now at `position` (rowCount() = at the end).
  void moveRequested(const QString& id, int position);

 private:
  qsizetype shownRows() const override { return m_rows.size(); }
  qsizetype shownColumns() const override { return Columns; }
  QString title(int column) const override;
  QVector<QueueRow> m_rows;
};

}  // namespace fathom
