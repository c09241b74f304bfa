// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "app/requests/prediction_servers.h"
#include "core/spider/linking/asked_question.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

class JobCenter;
class QueryRunner;
class TryPanel;

// Asks the run whose predictions are reviewed: starts its server when it is needed, hands questions and
// answers between it and the panel, and runs the queries that are compared. The servers end with this object.
// GUI thread; asking is a job.
class PredictionTries : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  PredictionTries(JobCenter* jobs, ReviewedPredictions* review, TryPanel* panel, QObject* parent = nullptr);
  ~PredictionTries() override;
  // True if the predictions of this model are those of a run that is there.
  bool canAsk(int model) const;
  // The current example of the review; its question is asked at once where that was not done before.
  void tryExample();
  // A question of one's own to the current model.
  void tryOwn();
  // Predicts the question as the panel holds it now.
  void predict();
  void cancel();

 private:
  void ask(const AskedQuestion& asked);
  void taken(const AskedQuestion& asked, const Result<Json>& reply);
  void runQueries();
  JobCenter* m_jobs;
  ReviewedPredictions* m_review;
  TryPanel* m_panel;
  QueryRunner* m_beside;  // what it said before and what it says now
  QueryRunner* m_gold;    // gold and what it says now
  int m_weighed = -1;     // the try whose query runs beside gold
  std::shared_ptr<PredictionServers> m_servers;
};

}  // namespace fathom
