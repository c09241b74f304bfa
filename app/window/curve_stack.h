// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QVector>
#include <QWidget>

#include "app/event_follower.h"
#include "app/window/project_service.h"
#include "views/tables/run_item.h"

namespace fathom {

class EmptyState;

// The live curves of the selected runs: history from the run folders, continued by the events of the
// follower.
class CurveStack : public QWidget {
  Q_OBJECT
 public:
  explicit CurveStack(QWidget* parent = nullptr);
  // The runs to draw, in order.
  void setRuns(const QVector<RunItem>& runs);
  void updateRun(const RunItem& run);
  bool hasSeries(const QString& uuid) const { return m_history.contains(uuid); }
  void setSeries(const QString& uuid, const RunSeriesPtr& series);
  void append(const QString& uuid, const EventBatch& batch);
  void clear();
  QByteArray saveView() const;
  void restoreView(const QByteArray& view);

 Q_SIGNALS:
  void runPicked(const QString& uuid);

 private:
  void refresh();
  QVector<RunItem> m_runs;
  QHash<QString, RunSeriesPtr> m_history;
  EmptyState* m_empty;
};

}  // namespace fathom
