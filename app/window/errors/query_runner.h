// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "core/spider/judgement/spider_error_category.h"
#include "views/tables/query_result.h"

namespace fathom {

class JobCenter;

// What the two queries of a pair are, for the words about them.
enum class QuerySides { GoldAndPrediction, EarlierAndNow };

// Runs gold and predicted SQL of one example, or two predictions of it, in the sandbox (fathom-sqlrun), off
// the GUI thread. A newer request replaces the one before. GUI thread.
class QueryRunner : public QObject {
  Q_OBJECT
 public:
  // `owner`: of its jobs, one for each runner.
  QueryRunner(JobCenter* jobs, const QString& owner, QuerySides sides, QObject* parent = nullptr);
  ~QueryRunner() override;
  // `databases`: folder with <db_id>/<db_id>.sqlite, "" = none. `schema` is borrowed for the call only.
  void run(const SpiderPair& pair, const SpiderSchema& schema, const std::string& databases);
  void cancel();

 Q_SIGNALS:
  void started();
  // The queries cannot be run; says why.
  void refused(const QString& reason);
  // The verdict of the results on the prediction; comes just before finished().
  void weighed(const fathom::ExecutionEvidence& evidence);
  void finished(const fathom::QueryResult& gold, const fathom::QueryResult& predicted, bool ordered,
                const QString& verdict, const QString& layers);

 private:
  struct Pool;
  void begin();
  JobCenter* m_jobs;
  QString m_owner;
  QuerySides m_sides;
  std::shared_ptr<Pool> m_pool;
  QTimer m_wait;
  SpiderPair m_pair;
  SpiderSchema m_schema;
  std::string m_databases, m_database;
};

}  // namespace fathom
