// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/prediction_tries.h"

#include <filesystem>

#include "app/window/errors/query_runner.h"
#include "app/window/jobs/job_center.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/run_folder.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/try_panel.h"

namespace fathom {

namespace {

const QString kAskOwner = QStringLiteral("errors ask");

// The run whose folder a prediction set lies in; empty where it lies elsewhere, or the run is gone.
std::string runOfSet(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string run = folder.parent_path().string();
  return folder.filename() == kPredictionsName && RunFolder(run).exists() ? run : std::string();
}

// The search's hypotheses but the best (docs/serving.md §3).
QStringList nextHypotheses(const Json& details) {
  QStringList others;
  for (const Json& hypothesis : memberList(details, "hypotheses")) {
    const QString sql = fromUtf8(memberText(hypothesis, "sql"));
    if (!sql.isEmpty()) others.append(sql);
  }
  return others.mid(1);
}

}  // namespace

PredictionTries::PredictionTries(JobCenter* jobs, ReviewedPredictions* review, TryPanel* panel,
                                 QObject* parent)
    : QObject(parent),
      m_jobs(jobs),
      m_review(review),
      m_panel(panel),
      m_beside(new QueryRunner(jobs, QStringLiteral("errors try"), QuerySides::EarlierAndNow, this)),
      m_gold(new QueryRunner(jobs, QStringLiteral("errors try gold"), QuerySides::GoldAndPrediction, this)),
      m_servers(std::make_shared<PredictionServers>()) {
  ResultsPanel* results = panel->results();
  connect(m_beside, &QueryRunner::started, results, &ResultsPanel::showRunning);
  connect(m_beside, &QueryRunner::refused, results, &ResultsPanel::showMessage);
  connect(m_beside, &QueryRunner::finished, results, &ResultsPanel::showResults);
  connect(m_gold, &QueryRunner::weighed, this, [this](const ExecutionEvidence& evidence) {
    m_panel->weigh(std::exchange(m_weighed, -1), evidence);
  });
  connect(panel, &TryPanel::tryShown, this, &PredictionTries::runQueries);
  connect(panel, &TryPanel::cancelRequested, this, &PredictionTries::cancel);
  connect(review, &ReviewedPredictions::reviewChanged, this, &PredictionTries::cancel);
}

PredictionTries::~PredictionTries() {
  m_jobs->cancelOwner(kAskOwner);
  m_servers->end();
}

bool PredictionTries::canAsk(int model) const {
  return !m_review->empty() && model >= 0 &&
         !runOfSet(m_review->review().models[std::size_t(model)].path).empty();
}

void PredictionTries::tryExample() {
  const int model = m_review->currentModel(), example = m_review->currentExample();
  if (!canAsk(model) || example < 0) return;
  if (m_panel->model() != model || m_panel->example() != example) cancel();
  m_panel->setSubject(model, example);
  if (m_panel->tries().isEmpty() && !m_panel->busy()) predict();
}

void PredictionTries::tryOwn() {
  const int model = m_review->currentModel();
  if (!canAsk(model)) return;
  if (m_panel->model() != model || m_panel->example() >= 0) cancel();
  m_panel->setSubject(model, -1);
}

void PredictionTries::predict() {
  if (m_panel->model() < 0 || m_review->empty()) return;
  const AskedQuestion asked = m_panel->asked();
  if (QString::fromStdString(asked.question).trimmed().isEmpty()) {
    m_panel->showProblem(m_panel->example() < 0
                             ? tr("There is no question yet.")
                             : tr("There is no question: open the file of questions too."));
    return;
  }
  ask(asked);
}

void PredictionTries::ask(const AskedQuestion& asked) {
  ServeRequest request;
  request.id = 1;
  request.items = {askedQuestionJson(asked)};
  m_panel->showProblem({});
  m_panel->showBusy({});
  m_jobs->start<Json>(
      tr("Asking the model"), kAskOwner,
      [servers = m_servers, request, path = m_review->review().models[std::size_t(m_panel->model())].path](
          Progress& progress, const StopToken& stop) -> Result<Json> {
        const std::string run = runOfSet(path);
        if (run.empty())
          return unavailableError(Phrase::tr("the run of these predictions is not there any more: %1")(path),
                                  Phrase::tr("only predictions that lie in a run can be tried again"));
        FATHOM_TRY(const PredictionSet set, readPredictionSet(path));
        return servers->ask(run, set.checkpoint, request, progress, stop);
      },
      [this, asked](const Result<Json>& reply) { taken(asked, reply); },
      [this](const ProgressUpdate& update) { m_panel->showBusy(update); });
}

void PredictionTries::cancel() {
  m_jobs->cancelOwner(kAskOwner);
  m_beside->cancel();
  m_gold->cancel();
  m_weighed = -1;
  m_panel->showIdle();
}

void PredictionTries::taken(const AskedQuestion& asked, const Result<Json>& reply) {
  m_panel->showIdle();
  if (m_review->empty() || m_panel->model() < 0) return;
  if (!reply.ok()) return m_panel->showProblem(phraseText(reply.error().phrase()));
  const Json& results = memberList(*reply, "results");
  const Json result = results.empty() ? Json::object() : results.front();
  auto read = askedQuestionFrom(memberObject(result, "input"), sqlOf(*m_review).schemas);
  if (!read.ok()) return m_panel->showProblem(phraseText(read.error().phrase()));
  PredictionTry made;
  made.asked = std::move(*read);
  made.ownLinks = asked.links.has_value();
  made.sql = fromUtf8(memberText(result, "text"));
  made.others = nextHypotheses(memberObject(result, "details"));
  if (const auto score = realFromJson(result.value("score", Json(0))); score.ok()) made.score = *score;
  if (const auto seconds = realFromJson(reply->value("seconds", Json(0))); seconds.ok())
    made.seconds = *seconds;
  m_panel->addTry(std::move(made));
}

void PredictionTries::runQueries() {
  m_beside->cancel();
  const AskedQuestion asked = m_panel->asked();
  const SpiderSchema* schema =
      m_review->empty() ? nullptr : findSchema(sqlOf(*m_review).schemas, asked.database);
  const int shown = m_panel->shownTry();
  if (m_panel->model() < 0 || schema == nullptr || shown < 0) {
    m_panel->results()->showMessage({});
    return;
  }
  const std::string now = toUtf8(m_panel->nowSql()), before = toUtf8(m_panel->beforeSql());
  const std::string databases = databasesOf(*m_review);
  m_panel->results()->setSides(before.empty() ? QString() : tr("Before"), tr("Now"));
  SpiderPair pair;
  pair.dbId = asked.database;
  pair.gold = before.empty() ? now : before;
  pair.predicted = now;
  m_beside->run(pair, *schema, databases);
  const PredictionTry& made = m_panel->tries()[shown];
  const bool weighed = !made.results.isEmpty() || !made.judged || databases.empty() || m_weighed == shown;
  if (weighed) return;
  m_weighed = shown;
  pair.gold = toUtf8(m_panel->goldSql());
  m_gold->run(pair, *schema, databases);
}

}  // namespace fathom
