// SPDX-License-Identifier: Apache-2.0
#include "core/engine/execution_judge.h"

#include <algorithm>
#include <filesystem>

#include "core/base/errors/error.h"

namespace fathom {

namespace {

constexpr const char* kSqlReviewKind = "sql";      // TaskReview::kind
constexpr const char* kDatabaseText = "database";  // TaskEntry::texts
constexpr double kVariantSeconds = 5;              // of one prediction with gold's literals

// Key of the option behind a part of the task's review, or empty.
std::string reviewOption(const TaskEntry& task, const char* part) {
  const auto key = task.review.files.find(part);
  return key == task.review.files.end() ? std::string() : key->second;
}

// Gold and prediction of every example that was predicted.
std::vector<SpiderPair> judgedPairs(const JudgeRequest& request) {
  std::string reference;
  for (const TextField& field : request.run.entry->texts)
    if (field.role == TextField::Role::Reference && reference.empty()) reference = field.id;
  std::vector<SpiderPair> pairs;
  for (const Prediction& prediction : request.evaluation.predictions) {
    SpiderPair pair;
    for (const auto& [id, text] : request.run.task->exampleTexts(request.split, prediction.example)) {
      if (id == reference) pair.gold = text;
      if (id == kDatabaseText) pair.dbId = text;
    }
    pair.predicted = prediction.text;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// As many as the task's own scores are of: examples that had no prediction count as wrong.
std::size_t examplesOf(const Evaluation& evaluation) {
  const std::size_t predicted = evaluation.predictions.size();
  if (evaluation.scores.empty() || !evaluation.scores.front().details.is_object()) return predicted;
  return std::max(predicted, evaluation.scores.front().details.value("all", predicted));
}

Phrase notComputed(const Phrase& why) {
  return Phrase::tr("execution accuracy is not computed: %1")(Phrase(why));
}

}  // namespace

ExecutionJudge::ExecutionJudge() = default;
ExecutionJudge::~ExecutionJudge() = default;

void ExecutionJudge::tellOnce(const std::function<void(const Phrase&)>& tell, const Phrase& why) {
  if (m_told.insert(why.english()).second && tell) tell(notComputed(Phrase(why)));
}

std::vector<TaskScore> ExecutionJudge::judge(const JudgeRequest& request) {
  const TaskEntry& task = *request.run.entry;
  const std::string wish = reviewOption(task, "execution"), folder = reviewOption(task, "databases");
  if (task.review.kind != kSqlReviewKind || wish.empty() || folder.empty() || !request.options.flag(wish))
    return {};
  const std::string databases = request.options.text(folder);
  if (databases.empty()) {
    tellOnce(request.say, Phrase::tr("no folder of databases is named"));
    return {};
  }
  std::error_code code;
  if (!std::filesystem::is_directory(databases, code)) {
    tellOnce(request.warn, Phrase::tr("there is no folder %1")(databases));
    return {};
  }
  const auto outcomes = execute(request, databases);
  if (!outcomes.ok()) {
    if (outcomes.error().kind == ErrorKind::Interrupted) throw Failure(outcomes.error());
    tellOnce(request.warn, outcomes.error().phrase());
    return {};
  }
  const auto noGold = std::find_if(outcomes->begin(), outcomes->end(), [](const ExecutionOutcome& one) {
    return one.kind == ExecutionOutcome::Kind::GoldError;
  });
  if (noGold != outcomes->end() && m_told.insert(noGold->message).second && request.warn)
    request.warn(Phrase::tr("execution accuracy counts as wrong what has no result of gold, such as: %1")(
        noGold->message));
  const auto right = std::count_if(outcomes->begin(), outcomes->end(),
                                   [](const ExecutionOutcome& one) { return one.right(); });
  const std::size_t all = examplesOf(request.evaluation);
  TaskScore score;
  score.id = "execution";
  score.title = "Execution accuracy (gold's values, %)";
  score.value = all == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(all);
  std::set<std::string> ids;
  for (const SpiderPair& pair : judgedPairs(request)) ids.insert(pair.dbId);
  const SuiteDatabases suite = suiteDatabases(databases, ids);
  if (const Phrase note = suite.note(); !note.empty() && m_told.insert(note.english()).second && request.say)
    request.say(note);
  score.details = {{"right", right},
                   {"all", all},
                   {"verdicts", executionCounts(*outcomes)},
                   {"executed", allExecutionJson(*outcomes, true)},
                   {"databases", {{"executed", suite.executed}, {"there", suite.there}}}};
  return {score};
}

Result<std::vector<ExecutionOutcome>> ExecutionJudge::execute(const JudgeRequest& request,
                                                              const std::string& databases) {
  if (m_schemas.empty()) {
    const auto kept = request.run.task->artifacts();
    const auto tables = kept.find("tables.json");
    if (tables == kept.end()) return dataError(Phrase::tr("the run keeps no tables.json"));
    FATHOM_TRY(m_schemas, parseSpiderTables(tables->second, "tables.json"));
  }
  if (m_pool == nullptr) {
    FATHOM_TRY(m_pool, SqlRunPool::start({}));
  }
  ExecutionOptions options;
  options.databases = databases;
  options.plugValues = true;
  options.plugSeconds = kVariantSeconds;
  Progress progress;
  return executePairs(*m_pool, judgedPairs(request), m_schemas, options, progress, request.stop);
}

}  // namespace fathom
