// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/query_runner.h"

#include <mutex>

#include "app/window/jobs/job_center.h"
#include "core/base/files/path_facts.h"
#include "core/execution/spider_execution.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kQueryWaitMilliseconds = 120;  // going through the list with a held key runs nothing
constexpr double kSeconds = 5;

struct Answers {
  SqlRunResult gold, predicted;
  ExecutionOutcome outcome;
  SuiteDatabases suite;
  std::string layers;
};

QString verdictWords(SqlVerdict verdict) {
  switch (verdict) {
    case SqlVerdict::Ok:
      return {};
    case SqlVerdict::SqlError:
      return QueryRunner::tr("error");
    case SqlVerdict::Timeout:
      return QueryRunner::tr("stopped after %1 s").arg(kSeconds);
    case SqlVerdict::TooLarge:
      return QueryRunner::tr("the result is too large");
    case SqlVerdict::Memory:
      return QueryRunner::tr("too much memory");
    case SqlVerdict::Denied:
      return QueryRunner::tr("not allowed");
    case SqlVerdict::NotAQuery:
      return QueryRunner::tr("not a query");
    case SqlVerdict::MultipleStatements:
      return QueryRunner::tr("more than one statement");
    case SqlVerdict::Crashed:
      return QueryRunner::tr("the query process ended");
    case SqlVerdict::NoDatabase:
      return QueryRunner::tr("no database");
  }
  return {};
}

QueryResult shown(const SqlRunResult& result) {
  QueryResult out;
  out.ok = result.ok();
  out.seconds = result.seconds;
  out.rowCount = qint64(result.rows.size());
  if (!result.ok()) {
    out.message = verdictWords(result.verdict);
    if (!result.message.empty()) out.message += QStringLiteral(": ") + fromUtf8(result.message);
    return out;
  }
  for (const std::string& column : result.columns) out.columns.append(fromUtf8(column));
  for (const auto& row : result.rows) {
    if (out.rows.size() >= QueryResult::kShownRows) break;
    QStringList cells;
    for (const SqlCell& cell : row) cells.append(fromUtf8(cellText(cell)));
    out.rows.append(cells);
  }
  return out;
}

QString verdictText(const ExecutionOutcome& outcome, QuerySides sides) {
  const bool gold = sides == QuerySides::GoldAndPrediction;
  switch (outcome.kind) {
    case ExecutionOutcome::Kind::Right:
      return QueryRunner::tr("The results are the same.");
    case ExecutionOutcome::Kind::Wrong:
      return QueryRunner::tr("The results differ.");
    case ExecutionOutcome::Kind::Undecided:
      return QueryRunner::tr("The results could not be compared within the limits.");
    case ExecutionOutcome::Kind::GoldError:
      return gold ? QueryRunner::tr("The gold query does not run here.")
                  : QueryRunner::tr("The earlier query does not run here.");
    case ExecutionOutcome::Kind::PredictionError:
      return gold ? QueryRunner::tr("The predicted query does not run.")
                  : QueryRunner::tr("The new query does not run.");
  }
  return {};
}

}  // namespace

// One pool for the life of the window; a job that was replaced lets go of it as soon as it sees its stop.
struct QueryRunner::Pool {
  std::mutex mutex;
  std::unique_ptr<SqlRunPool> pool;
};

QueryRunner::QueryRunner(JobCenter* jobs, const QString& owner, QuerySides sides, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_owner(owner), m_sides(sides), m_pool(std::make_shared<Pool>()) {
  m_wait.setSingleShot(true);
  m_wait.setInterval(kQueryWaitMilliseconds);
  connect(&m_wait, &QTimer::timeout, this, &QueryRunner::begin);
}

QueryRunner::~QueryRunner() = default;

void QueryRunner::cancel() {
  m_wait.stop();
  m_jobs->cancelOwner(m_owner);
}

void QueryRunner::run(const SpiderPair& pair, const SpiderSchema& schema, const std::string& databases) {
  cancel();
  if (databases.empty()) {
    Q_EMIT refused(
        tr("No folder of databases is known: results need it. It can be given under “Open SQL "
           "predictions”."));
    return;
  }
  m_databases = databases;
  m_database = databasePath(databases, pair.dbId);
  if (!fileExists(m_database)) {
    Q_EMIT refused(tr("The database %1 is missing.").arg(fromUtf8(m_database)));
    return;
  }
  m_pair = pair;
  m_schema = schema;
  Q_EMIT started();
  m_wait.start();
}

void QueryRunner::begin() {
  m_jobs->start<Answers>(
      tr("Running queries"), m_owner,
      [holder = m_pool, pair = m_pair, schema = m_schema, database = m_database, databases = m_databases](
          Progress&, const StopToken& stop) -> Result<Answers> {
        const std::lock_guard lock(holder->mutex);
        if (stop.stopRequested()) return interruptedError();
        if (!holder->pool) {
          SqlRunPoolOptions options;
          options.limits.seconds = kSeconds;
          FATHOM_TRY(holder->pool, SqlRunPool::start(options));
        }
        const SpiderPair written = pairAsWritten(pair, schema);
        FATHOM_TRY(auto results,
                   holder->pool->runAll({{database, written.gold}, {database, written.predicted}}, stop));
        Answers answers;
        // Both ran as they are written, DISTINCT among the rest.
        answers.outcome = writtenOutcome(pair, schema, results[0], results[1]);
        answers.suite = suiteDatabases(databases, {pair.dbId});
        answers.gold = std::move(results[0]);
        answers.predicted = std::move(results[1]);
        answers.layers = holder->pool->sandboxText();
        return answers;
      },
      [this, ordered = asksForOrder(m_pair.gold)](Result<Answers> result) {
        if (!result.ok()) {
          Q_EMIT refused(phraseText(result.error().phrase()));
          return;
        }
        Q_EMIT weighed(result->outcome.evidence());
        QString verdict = verdictText(result->outcome, m_sides);
        if (const Phrase note = result->suite.note(); !note.empty())
          verdict += QStringLiteral(" (%1)").arg(phraseText(note));
        Q_EMIT finished(shown(result->gold), shown(result->predicted), ordered, verdict,
                        fromUtf8(result->layers));
      });
}

}  // namespace fathom
