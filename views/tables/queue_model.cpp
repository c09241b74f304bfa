// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/queue_model.h"

#include <QLocale>
#include <QMimeData>

namespace fathom {

namespace {
const QString kQueueMime = QStringLiteral("application/x-fathom-queue");
}

void QueueModel::setRows(const QVector<QueueRow>& rows) {
  const bool sameRows = rows.size() == m_rows.size() &&
                        std::equal(rows.cbegin(), rows.cend(), m_rows.cbegin(),
                                   [](const QueueRow& a, const QueueRow& b) { return a.id == b.id; });
  if (sameRows) {
    m_rows = rows;
    if (!rows.isEmpty()) changedRows(0, rowCount() - 1);
    return;
  }
  replaceTable([&] { m_rows = rows; });
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const QueueRow& row = m_rows[index.row()];
  if (role == IdRole) return row.id;
  if (role == Qt::TextAlignmentRole && index.column() == Position)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole)
    return row.preset.isEmpty() ? row.name : tr("%1, from preset %2").arg(row.name, row.preset);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Position:
      return QLocale().toString(index.row() + 1);
    case Name:
      return row.name;
    case Kind:
      return row.held ? tr("held") : row.kind == QLatin1String("resume") ? tr("resume") : tr("train");
    case Device:
      return row.device;
    default:
      return {};
  }
}

QString QueueModel::title(int column) const {
  const QString titles[] = {tr("No."), tr("Run"), tr("What"), tr("Device")};
  return titles[column];
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags | Qt::ItemIsDropEnabled;
}

QStringList QueueModel::mimeTypes() const {
  return {kQueueMime};
}

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const {
  auto* data = new QMimeData;
  if (!indexes.isEmpty()) data->setData(kQueueMime, indexes.first().data(IdRole).toString().toUtf8());
  return data;
}

bool QueueModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int,
                              const QModelIndex& parent) {
  if (action != Qt::MoveAction || data == nullptr || !data->hasFormat(kQueueMime)) return false;
  const int position = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
  Q_EMIT moveRequested(QString::fromUtf8(data->data(kQueueMime)), position);
  // The rows move when the folder says so; telling the view that nothing was moved keeps it from removing
  // rows.
  return false;
}

}  // namespace fathom
