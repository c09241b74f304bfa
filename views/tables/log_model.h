// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QVector>
#include <optional>

#include "core/library/runs/metric_catalogue.h"
#include "core/record/events/event_reader.h"
#include "views/tables/table_model.h"

namespace fathom {

// One line of a run's log.
struct LogLine {
  enum class Level { Detail, Info, Warning, Error };
  double time = 0;  // seconds since epoch; 0 = unknown (stderr)
  Level level = Level::Info;
  QString kind;  // event kind, or "stderr"
  QString text;
};

// One line of the log for an event; std::nullopt for events that are only numbers (step,
// heartbeat, progress of what has begun). `metrics`: of its run.
std::optional<LogLine> logLineOf(const Event& event, const MetricCatalogue& metrics = {});
// Title of an event kind in the log: "validation", "checkpoint", ...; the kind itself for unknown ones.
QString logKindText(const QString& kind);

// The log of one run: what its events say and what the engine wrote to stderr, in order of arrival. Holds the
// last 100,000 lines.
class LogModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { Time, Kind, Text, Columns };
  enum Role { LevelRole = Qt::UserRole };
  static constexpr int kLimit = 100000;
  using TableModel::TableModel;
  void clear();
  void append(const QVector<LogLine>& lines);

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return m_lines.size(); }
  qsizetype shownColumns() const override { return Columns; }
  QString title(int column) const override;
  QVector<LogLine> m_lines;
};

// Lines of at least a level whose text contains the words.
class LogFilterModel : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setMinimumLevel(LogLine::Level level);
  void setText(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  LogLine::Level m_level = LogLine::Level::Info;
  QString m_text;
};

}  // namespace fathom
