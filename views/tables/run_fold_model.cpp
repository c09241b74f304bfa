// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_fold_model.h"

#include <QMimeData>
#include <algorithm>
#include <utility>

#include "views/tables/grouping_choice.h"
#include "views/tables/run_group_row.h"
#include "views/tables/run_groups.h"
#include "views/tables/run_table_model.h"

namespace fathom {

RunFoldModel::RunFoldModel(RunTableModel* runs, QAbstractProxyModel* source, QObject* parent)
    : QAbstractProxyModel(parent), m_runs(runs) {
  setSourceModel(source);
  connectSource();
  // Names, too: a group may have the same runs.
  connect(runs->grouping(), &GroupingChoice::changed, this, [this] {
    m_keys.clear();
    m_groups.clear();
    m_open.clear();
    rebuild();
  });
  rebuild();
}

void RunFoldModel::connectSource() {
  const QAbstractItemModel* source = sourceModel();
  connect(source, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
    // One that comes again may be of another configuration.
    for (int row = first; row <= last; ++row) m_keys.remove(sourceUuid(row));
    rebuild();
  });
  connect(source, &QAbstractItemModel::rowsRemoved, this, &RunFoldModel::rebuild);
  connect(source, &QAbstractItemModel::layoutChanged, this, &RunFoldModel::rebuild);
  connect(source, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    if (m_taking) return;
    beginResetModel();
    m_rows.clear();
    findRows();
  });
  connect(source, &QAbstractItemModel::modelReset, this, [this] {
    m_keys.clear();
    if (m_taking) return rebuild();
    QHash<quint64, Group> groups;
    m_rows = wantedRows(groups);
    m_groups = std::move(groups);
    findRows();
    endResetModel();
  });
  connect(source, &QAbstractItemModel::dataChanged, this, &RunFoldModel::sourceChanged);
  connect(source, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
}

void RunFoldModel::setFolds(bool folds) {
  if (std::exchange(m_folds, folds) != folds) rebuild();
}

void RunFoldModel::setOpen(int row, bool open) {
  if (row < 0 || row >= m_rows.size()) return;
  const quint64 group = m_rows[row].group;
  if (group == 0 || m_open.contains(group) == open) return;
  if (open) {
    m_open.insert(group);
  } else {
    m_open.remove(group);
  }
  rebuild();
  repaint(group);
}

void RunFoldModel::repaint(quint64 group) {
  if (const int at = m_groupRows.value(group, -1); at >= 0)
    Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
}

int RunFoldModel::groupRow(const QString& run) const {
  return m_groupRows.value(m_keys.value(run, 0), -1);
}

QString RunFoldModel::sourceUuid(int row) const {
  return sourceModel()->index(row, 0).data(RunTableModel::UuidRole).toString();
}

// A number of the words that runs of a person's group have in common, else of the configuration.
quint64 RunFoldModel::groupKey(const RunItem& run) const {
  const GroupingChoice& grouping = *m_runs->grouping();
  if (grouping.bySeeds()) return run.grid.isEmpty() ? 0 : configurationOf(run);
  const QString group = grouping.groupOf(run);
  return group.isEmpty() ? 0 : qMax<quint64>(1, qHash(group, 1));
}

// The configuration of a run that may be folded; it is read once, and again when the run changes.
quint64 RunFoldModel::keyOf(int sourceRow) {
  const QString uuid = sourceUuid(sourceRow);
  const auto known = m_keys.constFind(uuid);
  if (known != m_keys.cend()) return *known;
  const RunItem* run = m_runs->run(uuid);
  const quint64 key = run == nullptr ? 0 : groupKey(*run);
  m_keys.insert(uuid, key);
  return key;
}

QVector<RunFoldModel::Row> RunFoldModel::wantedRows(QHash<quint64, Group>& groups) {
  const int count = sourceModel()->rowCount();
  QVector<Row> all;
  all.reserve(count);
  QHash<quint64, QVector<int>> together;
  for (int row = 0; row < count; ++row) {
    const quint64 key = m_folds ? keyOf(row) : 0;
    all.append({sourceUuid(row), row, key, false});
    if (key != 0) together[key].append(row);
  }
  groups.clear();
  QVector<Row> rows;
  rows.reserve(count);
  for (Row& row : all) {
    const QVector<int> mates = row.group == 0 ? QVector<int>() : together.value(row.group);
    if (mates.size() < 2) {
      row.group = 0;
      rows.append(row);
      continue;
    }
    if (groups.contains(row.group)) continue;  // it stands with the first of them
    Group& group = groups[row.group];
    for (const int mate : mates) group.runs.append(all[mate].id);
    const Group before = m_groups.value(row.group);
    group.name = before.runs == group.runs ? before.name : groupName(group.runs);
    rows.append({QString::number(row.group), -1, row.group, true});
    if (!m_open.contains(row.group)) continue;
    for (const int mate : mates) rows.append({all[mate].id, mate, row.group, false});
  }
  return rows;
}

QString RunFoldModel::groupName(const QStringList& runs) const {
  QVector<const RunItem*> items;
  for (const QString& uuid : runs)
    if (const RunItem* run = m_runs->run(uuid)) items.append(run);
  if (!items.isEmpty() && !m_runs->grouping()->bySeeds()) return m_runs->grouping()->groupOf(*items.first());
  return runGroupName(items);
}

void RunFoldModel::hold() {
  m_held = true;
}

void RunFoldModel::release() {
  m_held = false;
  rebuild();
}

void RunFoldModel::rebuild() {
  if (m_held) return;
  if (m_taking) {
    m_again = true;
    return;
  }
  regroup();
  if (!std::exchange(m_again, false)) return;
  m_keys.clear();
  rebuild();
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

// Whoever hears of a row may change the source by that, as the eyes do that it is sorted by.
void RunFoldModel::regroup() {
  QHash<quint64, Group> groups;
  const QVector<Row> wanted = wantedRows(groups);
  const QVector<quint64> changed = changedGroups(groups);
  Q_EMIT aboutToRegroup();
  m_taking = true;
  m_groups = std::move(groups);
  take(wanted);
  m_taking = false;
  for (const quint64 group : changed) repaint(group);
  Q_EMIT regrouped();
}

QVector<quint64> RunFoldModel::changedGroups(const QHash<quint64, Group>& groups) const {
  QVector<quint64> changed;
  for (auto group = groups.cbegin(); group != groups.cend(); ++group) {
    const auto before = m_groups.constFind(group.key());
    if (before != m_groups.cend() && before->runs != group->runs) changed.append(group.key());
  }
  return changed;
}

void RunFoldModel::findRows() {
  m_runRows.clear();
  m_groupRows.clear();
  for (int row = 0; row < m_rows.size(); ++row) {
    if (m_rows[row].isGroup) {
      m_groupRows.insert(m_rows[row].group, row);
    } else {
      m_runRows.insert(m_rows[row].id, row);
    }
  }
}

// True where rows are quicker made anew: many that come and go at once in a long table.
bool RunFoldModel::isUpheaval(const QVector<Row>& wanted, const QHash<QString, int>& places) const {
  constexpr qsizetype kLong = 1000, kManyRanges = 16;
  if (std::max(wanted.size(), m_rows.size()) < kLong) return false;
  QSet<QString> here;
  for (const Row& row : m_rows) here.insert(row.id);
  qsizetype ranges = 0;
  for (qsizetype i = 0; i < m_rows.size(); ++i)
    ranges += !places.contains(m_rows[i].id) && (i == 0 || places.contains(m_rows[i - 1].id)) ? 1 : 0;
  for (qsizetype i = 0; i < wanted.size(); ++i)
    ranges += !here.contains(wanted[i].id) && (i == 0 || here.contains(wanted[i - 1].id)) ? 1 : 0;
  return ranges > kManyRanges;
}

// Rows that go are taken out, those that stay are put into their new order, what is new is put in: selection
// and scroll position follow. Whoever reads meanwhile finds every row with the run that it stands for.
void RunFoldModel::take(const QVector<Row>& wanted) {
  QHash<QString, int> places;  // of wanted rows; a group's number is no UUID
  for (int i = 0; i < wanted.size(); ++i) places.insert(wanted[i].id, i);
  if (isUpheaval(wanted, places)) {
    beginResetModel();
    m_rows = wanted;
    findRows();
    return endResetModel();
  }
  for (Row& row : m_rows) {
    const int place = places.value(row.id, -1);
    row = place >= 0 ? wanted[place] : Row{row.id, -1, row.group, row.isGroup};
  }
  findRows();
  removeOthers(places);
  QSet<QString> here;
  for (const Row& row : std::as_const(m_rows)) here.insert(row.id);
  QVector<Row> kept;
  for (const Row& row : wanted)
    if (here.contains(row.id)) kept.append(row);
  reorder(kept);
  insertNew(wanted, here);
}

void RunFoldModel::removeOthers(const QHash<QString, int>& places) {
  for (int end = static_cast<int>(m_rows.size()); end > 0;) {
    int first = end;
    while (first > 0 && !places.contains(m_rows[first - 1].id)) --first;
    if (first == end) {
      --end;
      continue;
    }
    beginRemoveRows({}, first, end - 1);
    m_rows.remove(first, end - first);
    findRows();
    endRemoveRows();
    end = first;
  }
}

void RunFoldModel::reorder(const QVector<Row>& wanted) {
  const bool same = std::equal(wanted.cbegin(), wanted.cend(), m_rows.cbegin(), m_rows.cend(),
                               [](const Row& a, const Row& b) { return a.id == b.id; });
  if (same) return;
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  QStringList ids;
  for (const QModelIndex& each : before) ids.append(m_rows[each.row()].id);
  m_rows = wanted;
  findRows();
  QHash<QString, int> now;
  for (int row = 0; row < m_rows.size(); ++row) now.insert(m_rows[row].id, row);
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) after.append(index(now.value(ids[i]), before[i].column()));
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged();
}

void RunFoldModel::insertNew(const QVector<Row>& wanted, const QSet<QString>& here) {
  for (int first = 0; first < wanted.size();) {
    int end = first;
    while (end < wanted.size() && !here.contains(wanted[end].id)) ++end;
    if (first == end) {
      ++first;
      continue;
    }
    beginInsertRows({}, first, end - 1);
    m_rows = m_rows.mid(0, first) + wanted.mid(first, end - first) + m_rows.mid(first);
    findRows();
    endInsertRows();
    first = end;
  }
}

void RunFoldModel::sourceChanged(const QModelIndex& first, const QModelIndex& last) {
  if (m_taking) return rebuild();
  const bool whole = first.row() == 0 && last.row() == sourceModel()->rowCount() - 1;
  if (whole && first.column() == last.column() && !m_held && rowCount() > 0)  // eyes, names
    return Q_EMIT dataChanged(index(0, first.column()), index(rowCount() - 1, last.column()));
  bool regroup = false;
  QStringList runs;
  const bool all = first.column() == 0 && last.column() == columnCount() - 1;  // else no run has changed
  for (int row = first.row(); row <= last.row(); ++row) {
    runs.append(sourceUuid(row));
    if (!all) continue;
    const quint64 before = m_keys.take(runs.last());
    regroup = keyOf(row) != before || regroup;
  }
  if (m_held) return;
  if (regroup) rebuild();
  int lowest = rowCount(), highest = -1;
  for (const QString& uuid : std::as_const(runs)) {
    for (const int row : {runRow(uuid), groupRow(uuid)}) {
      if (row < 0) continue;
      lowest = std::min(lowest, row);
      highest = std::max(highest, row);
    }
  }
  if (highest >= 0) Q_EMIT dataChanged(index(lowest, first.column()), index(highest, last.column()));
}

int RunFoldModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunFoldModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : sourceModel()->columnCount();
}

QModelIndex RunFoldModel::index(int row, int column, const QModelIndex& parent) const {
  return hasIndex(row, column, parent) ? createIndex(row, column) : QModelIndex();
}

QModelIndex RunFoldModel::sibling(int row, int column, const QModelIndex& of) const {
  return of.isValid() ? index(row, column) : QModelIndex();
}

QModelIndex RunFoldModel::mapToSource(const QModelIndex& index) const {
  if (!index.isValid() || m_rows[index.row()].source < 0) return {};
  return sourceModel()->index(m_rows[index.row()].source, index.column());
}

QModelIndex RunFoldModel::mapFromSource(const QModelIndex& source) const {
  if (!source.isValid()) return {};
  const QString uuid = source.siblingAtColumn(0).data(RunTableModel::UuidRole).toString();
  const int row = runRow(uuid);
  return row < 0 ? QModelIndex() : index(row, source.column());
}

QVector<const RunItem*> RunFoldModel::members(const Row& row) const {
  QVector<const RunItem*> items;
  const auto group = m_groups.constFind(row.group);
  if (group == m_groups.cend()) return items;
  for (const QString& uuid : group->runs)
    if (const RunItem* run = m_runs->run(uuid)) items.append(run);
  return items;
}

QVariant RunFoldModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = m_rows[index.row()];
  if (role == GroupRole) return !row.isGroup ? 0 : m_open.contains(row.group) ? 2 : 1;
  if (role == MemberRole) return !row.isGroup && row.group != 0;
  // Known here, also while the source is ahead of the rows.
  if (!row.isGroup && role == RunTableModel::UuidRole) return row.id;
  if (!row.isGroup && role == RunTableModel::MembersRole) return QStringList(row.id);
  if (!row.isGroup) return sourceModel()->index(row.source, index.column()).data(role);
  const auto group = m_groups.constFind(row.group);
  return runGroupData(members(row), group == m_groups.cend() ? QString() : group->name, *m_runs,
                      index.column(), role);
}

bool RunFoldModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  const Row row = m_rows[index.row()];
  if (!row.isGroup) return sourceModel()->setData(mapToSource(index), value, role);
  if (role != RunTableModel::StarRole) return false;
  for (const QString& uuid : m_groups.value(row.group).runs)
    m_runs->setData(m_runs->index(m_runs->rowOf(uuid), index.column()), value, role);
  return true;
}

QVariant RunFoldModel::headerData(int section, Qt::Orientation orientation, int role) const {
  return sourceModel()->headerData(section, orientation, role);
}

Qt::ItemFlags RunFoldModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  // A row of which the source is ahead can be selected, too: else it would be lost from the selection.
  const QModelIndex source = mapToSource(index);
  if (!source.isValid())
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
  return sourceModel()->flags(source);
}

// A group is dragged with all of its runs.
QMimeData* RunFoldModel::mimeData(const QModelIndexList& indexes) const {
  QModelIndexList runs;
  for (const QModelIndex& each : indexes)
    for (const QString& uuid : each.data(RunTableModel::MembersRole).toStringList())
      runs.append(m_runs->index(m_runs->rowOf(uuid), each.column()));
  return m_runs->mimeData(runs);
}

}  // namespace fathom
