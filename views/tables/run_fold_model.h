// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractProxyModel>
#include <QHash>
#include <QSet>
#include <QVector>

#include "views/tables/run_item.h"

namespace fathom {

class RunTableModel;

// The runs of a filtered table with those of one grid folded that differ only in the seed, or with those
// that a person groups otherwise (GroupingChoice): one row for each group with mean and deviation of the
// scores, below it its runs while it is open. A group stands where its first run would. Fewer than two such
// runs in view are no group. GUI thread.
class RunFoldModel : public QAbstractProxyModel {
  Q_OBJECT
 public:
  enum Role {
    GroupRole = Qt::UserRole + 100,  // 0: a run; 1: a folded group; 2: an open one
    MemberRole,                      // is it a run below its group?
  };
  // `runs` is what `source`, a proxy on it, sorts and filters; both are borrowed.
  RunFoldModel(RunTableModel* runs, QAbstractProxyModel* source, QObject* parent);
  bool folds() const { return m_folds; }
  bool anyGroup() const { return !m_groups.isEmpty(); }
  void setFolds(bool folds);
  // Between the two the source may change as often as it likes: rows follow once, at the end.
  void hold();
  void release();
  // Opens or folds the group of a row; nothing for a run by itself.
  void setOpen(int row, bool open);
  // Row of the group that a run is in, whether it is open or not; -1 = in none.
  int groupRow(const QString& run) const;
  // Row of the run itself; -1 where it is folded away or filtered out.
  int runRow(const QString& run) const { return m_runRows.value(run, -1); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex&) const override { return {}; }
  QModelIndex sibling(int row, int column, const QModelIndex& of) const override;
  QModelIndex mapToSource(const QModelIndex& index) const override;
  QModelIndex mapFromSource(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;

 Q_SIGNALS:
  // Around rows that come, go and move between groups: until the second, a selection by rows tells nothing.
  void aboutToRegroup();
  void regrouped();

 private:
  // One row: a run (its row in the source) or a group (source = -1).
  struct Row {
    QString id;  // UUID of the run, or of the group's configuration as a number
    int source = -1;
    quint64 group = 0;  // configuration that it is folded with; 0 = none
    bool isGroup = false;
  };
  struct Group {
    QStringList runs;
    QString name;
  };
  void connectSource();
  QString sourceUuid(int row) const;
  quint64 keyOf(int sourceRow);
  quint64 groupKey(const RunItem& run) const;
  QVector<Row> wantedRows(QHash<quint64, Group>& groups);
  QString groupName(const QStringList& runs) const;
  void rebuild();
  void regroup();
  QVector<quint64> changedGroups(const QHash<quint64, Group>& groups) const;
  void repaint(quint64 group);
  bool isUpheaval(const QVector<Row>& wanted, const QHash<QString, int>& places) const;
  void take(const QVector<Row>& wanted);
  void removeOthers(const QHash<QString, int>& places);
  void reorder(const QVector<Row>& wanted);
  void insertNew(const QVector<Row>& wanted, const QSet<QString>& here);
  void findRows();
  void sourceChanged(const QModelIndex& first, const QModelIndex& last);
  QVector<const RunItem*> members(const Row& row) const;
  RunTableModel* m_runs;
  QVector<Row> m_rows;
  QHash<quint64, Group> m_groups;
  QHash<QString, int> m_runRows;    // rows of m_rows by UUID
  QHash<quint64, int> m_groupRows;  // and of groups
  QHash<QString, quint64> m_keys;   // configurationOf, by UUID; 0 = is never folded
  QSet<quint64> m_open;
  bool m_folds = true, m_held = false;
  bool m_taking = false;  // rows are on their way
  bool m_again = false;   // the source changed meanwhile
};

}  // namespace fathom
