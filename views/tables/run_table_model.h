// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QVector>
#include <memory>

#include "views/tables/run_item.h"
#include "views/tables/table_model.h"

namespace fathom {

class GroupingChoice;
class ItemCondition;
class RunEyes;

// The runs of a project. Fixed columns first, then one per chosen metric, then one per chosen configuration
// key. Rows are replaced in place while runs are live, so selection and scroll position stay. GUI thread.
class RunTableModel : public TableModel {
  Q_OBJECT
 public:
  enum Column {
    Eye,
    Star,
    Name,
    State,
    Progress,
    Duration,
    Started,
    Tags,
    Notes,
    Source,
    Place,  // where it is trained, or was, unless that is this machine; with how long ago that was heard
    Job,    // the place's own name of it
    FixedColumns
  };
  enum Role {
    SortRole = Qt::UserRole,  // comparable value; missing ones come last in either order
    UuidRole,
    StateRole,     // RunState as a number
    CauseRole,     // of the outcome
    ColourRole,    // number of the run's look
    FractionRole,  // progress 0..1, -1 = unknown
    StarRole,
    EyeRole,      // is it drawn?
    MembersRole,  // UUIDs of the runs that the row stands for
    SourceRole,   // name of the icon for where the run comes from, "" for a run of our own
  };

  // Runs that are dragged: their UUIDs, one a line.
  static constexpr const char* kMime = "application/x-fathom-runs";

  explicit RunTableModel(QObject* parent = nullptr);
  // Which of them are drawn.
  RunEyes* eyes() const { return m_eyes; }
  // By what they are grouped.
  GroupingChoice* grouping() const { return m_grouping; }
  // Replaces everything while keeping rows that are still there in place.
  void setRuns(const QVector<RunItem>& runs);
  // Updates the runs it has, and appends the others. The cost is that of these runs, not of all.
  void updateRuns(const QVector<RunItem>& runs);
  void removeRuns(const QStringList& uuids);
  const QVector<RunItem>& runs() const { return m_runs; }
  const RunItem* run(const QString& uuid) const;
  // Name of the run beside the others (run_names.h); empty where there is none.
  QString shownName(const QString& uuid) const { return m_names.value(rowOf(uuid)); }
  int rowOf(const QString& uuid) const { return m_rows.value(uuid, -1); }

  // Metrics with a column each (best value): {"valid.bleu", "valid.nll"}.
  void setMetricColumns(const QStringList& metrics);
  const QStringList& metricColumns() const { return m_metrics; }
  // Keys of the configuration with a column each.
  void setConfigColumns(const QStringList& keys);
  const QStringList& configColumns() const { return m_configKeys; }
  // Every metric and configuration key any run has, for the column chooser; keys that differ between runs
  // first.
  QStringList knownMetrics() const;
  QStringList knownConfigKeys() const;
  // Those that set runs apart and differ between them.
  QStringList differingConfigKeys() const;
  MetricCatalogue metricCatalogue() const { return metricsOf(m_runs); }
  // Stable name of a column for sessions: "name", "metric:valid.bleu", "config:model.width".
  QString columnId(int column) const;
  // When places elsewhere were last heard. Their cells say how long ago that is as of now: whoever shows them
  // draws them anew.
  void setHeard(const QHash<QString, QDateTime>& heard);
  bool hasHeard() const { return !m_heard.isEmpty(); }
  // Place and job have columns of their own in view: the state does not name them again.
  void setPlaceApart(bool apart) { m_placeApart = apart; }
  // Title of a configuration column; unset = the key.
  void setConfigTitles(const QHash<QString, QString>& titles);

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;

 Q_SIGNALS:
  // Somebody edited the name in the table, or clicked the star; the library has the last word.
  void renameRequested(const QString& uuid, const QString& name);
  void starRequested(const QString& uuid, bool star);

 private:
  qsizetype shownRows() const override { return m_runs.size(); }
  qsizetype shownColumns() const override { return FixedColumns + m_metrics.size() + m_configKeys.size(); }
  QString title(int column) const override;
  QString metricOf(int column) const;     // "" = of no metric
  QString configKeyOf(int column) const;  // "" = of no key
  QVariant displayData(const RunItem& run, int column) const;
  QVariant sortData(const RunItem& run, int column) const;
  QVariant toolTip(const RunItem& run, int column) const;
  QString placeText(const RunItem& run) const;
  QString jobWords(const RunItem& run) const;
  void nameRuns();
  void takeNames(const QStringList& names);
  void removeRange(int first, int last);
  RunEyes* m_eyes;
  GroupingChoice* m_grouping;
  QVector<RunItem> m_runs;
  QStringList m_names;  // of m_runs, as they are shown
  int m_naming = 0;     // grows with every change of what names are made of
  bool m_namingBusy = false;
  QHash<QString, int> m_rows;
  QStringList m_metrics;
  QStringList m_configKeys;
  QHash<QString, QString> m_configTitles;
  QHash<QString, QDateTime> m_heard;  // place -> when
  bool m_placeApart = false;
};

// Sorted and filtered view of a RunTableModel. The filter is words that must all occur (name, state, outcome,
// tags, note, preset, task, the configuration columns); "option=value" or "option:value" asks the
// configuration; "/.../" is a regular expression over the name; what looksLikeCondition() is a condition
// ("valid.bleu > 30 and layers >= 12").
class RunFilterModel : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit RunFilterModel(QObject* parent = nullptr);
  ~RunFilterModel() override;
  // False and no change when a regular expression or a condition is malformed; `problem` says why, in the
  // language of the window.
  bool setFilter(const QString& text, QString* problem = nullptr);
  const QString& filter() const { return m_text; }
  // Sentences about names of the condition that no run has anything under. Reads all runs.
  QStringList unmetNames() const;

  // The state is an icon: its column needs no title.
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  QString m_text;
  QStringList m_words;
  QRegularExpression m_pattern;
  std::unique_ptr<ItemCondition> m_condition;
  bool m_usePattern = false;
};

}  // namespace fathom
