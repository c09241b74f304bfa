// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QVector>

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
class QueueModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Position, Name, Kind, Device, Columns };
  enum Role { IdRole = Qt::UserRole };
  explicit QueueModel(QObject* parent = nullptr);
  void setRows(const QVector<QueueRow>& rows);
  const QVector<QueueRow>& rows() const { return m_rows; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
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
  QVector<QueueRow> m_rows;
};

}  // namespace fathom
