// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QVector>
#include <optional>

#include "core/library/metric_catalogue.h"
#include "core/record/event_reader.h"

namespace fathom {

// One line of a run's log.
struct LogLine {
  enum class Level { Detail, Info, Warning, Error };
  double time = 0;  // seconds since epoch; 0 = unknown (stderr)
  Level level = Level::Info;
  QString kind;  // event kind, or "stderr"
  QString text;
};

// What an event says in one line, for the log; std::nullopt for events that are only numbers (step, progress,
// heartbeat). `metrics`: of its run.
std::optional<LogLine> logLineOf(const Event& event, const MetricCatalogue& metrics = {});
// Title of an event kind in the log: "validation", "checkpoint", ...; the kind itself for unknown ones.
QString logKindText(const QString& kind);

// The log of one run: what its events say and what the engine wrote to stderr, in order of arrival. Holds the
// last 100,000 lines; dropped() says how many older ones there were.
class LogModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Time, Kind, Text, Columns };
  enum Role { LevelRole = Qt::UserRole };
  static constexpr int kLimit = 100000;
  explicit LogModel(QObject* parent = nullptr);
  void clear();
  void append(const QVector<LogLine>& lines);
  const QVector<LogLine>& lines() const { return m_lines; }
  qint64 dropped() const { return m_dropped; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QVector<LogLine> m_lines;
  qint64 m_dropped = 0;
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
