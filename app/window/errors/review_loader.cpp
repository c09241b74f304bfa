// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_loader.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "app/predictions/review_execution.h"
#include "app/window/errors/kind_loader.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/text_list.h"
#include "core/spider/data/spider_sample.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSetting = "errors.review";
constexpr const char* kSqlReview = "sql";  // TaskReview::kind
constexpr unsigned kMostThreads = 8;

std::string firstThatIs(const fs::path& folder, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (fileExists(folder / name)) return (folder / name).string();
  return {};
}

// The same files with the same definitions are one stored review, whoever opens them.
Status remember(const OpenReview& open) {
  const std::string name =
      joined(open.review.models, ", ", [](const ReviewModel& model) { return model.name; });
  StoredReview stored = storedReviewOf(open.review, open.sources, name);
  FATHOM_TRY(const auto known, storedReviews(*open.library));
  for (const StoredReview& other : known) {
    if (other.preset != stored.preset || other.sources.toJson() != stored.sources.toJson()) continue;
    stored.uuid = other.uuid;
    stored.name = other.name;
  }
  FATHOM_TRY(const std::string uuid, saveReview(*open.library, stored));
  FATHOM_CHECK(forgetKindReview(*open.library));
  const auto before = open.library->setSetting(kSetting, uuid);
  return before.ok() ? Status() : Status(before.error());
}

}  // namespace

Result<std::unique_ptr<OpenReview>> loadReview(const std::string& project, const ReviewSources& sources,
                                               const std::string& preset, Progress& progress,
                                               const StopToken& stop) {
  auto open = std::make_unique<OpenReview>();
  open->sources = sources;
  ReviewOptions options;
  FATHOM_TRY(options.preset, categoryPreset(preset));
  options.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
  FATHOM_TRY(open->review, openSpiderReview(sources, options, progress, stop));
  FATHOM_TRY(open->library, ProjectLibrary::open(project));
  const KeptExecutions kept = keptExecutions(project, !open->library->readOnly());
  FATHOM_CHECK(executeStoredReview(open->review, sources, kept, progress, stop));
  FATHOM_TRY(auto judgements, ReviewJudgements::load(open->review, open->library.get()));
  open->judgements.emplace(std::move(judgements));
  if (!open->library->readOnly()) FATHOM_CHECK(remember(*open));
  return open;
}

Result<std::optional<StoredReview>> rememberedReview(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const Json uuid, library->setting(kSetting, Json()));
  if (!uuid.is_string()) return std::optional<StoredReview>();
  FATHOM_TRY(StoredReview stored, storedReview(*library, uuid.get<std::string>()));
  return std::optional<StoredReview>(std::move(stored));
}

Result<ReviewSources> sampleReviewSources(const std::string& project) {
  const std::string folder = project + "/samples/text_to_sql";
  if (!fileExists(folder + "/predictions/hasty.sql"))
    FATHOM_CHECK(writeSpiderSample(makeSpiderSample(), folder));
  ReviewSources sources;
  sources.gold = folder + "/dev_gold.sql";
  fillFromBeside(sources);
  for (const char* name : {"careful", "hasty"})
    sources.predictions.push_back(reviewPrediction(folder + "/predictions/" + name + ".sql"));
  return sources;
}

Result<ReviewSources> runReviewSources(const RunItem& run, const std::string& project) {
  const TaskEntry* task = taskOf(run.config.toJson());
  if (task == nullptr || task->review.kind != kSqlReview)
    return usageError(Phrase::tr("the predictions of run %1 are no SQL")(toUtf8(run.name)));
  FATHOM_TRY(const RunPredictions stored, runPredictions(reviewedRun(run), project));
  ReviewSources sources;
  sources.gold = stored.file("gold." + stored.split);
  sources.tables = stored.file("tables");
  sources.questions = stored.file("questions");
  sources.databases = stored.file("databases");
  if (sources.gold.empty())
    return dataError(Phrase::tr("run %1 names no gold file for the part %2")(toUtf8(run.name), stored.split));
  fillFromBeside(sources);
  for (const RunPredictions::Set& set : stored.sets) {
    ReviewPrediction prediction;
    prediction.path = set.path;
    prediction.name = set.name;
    sources.predictions.push_back(std::move(prediction));
  }
  sources.onlyPredicted = true;  // what it was not asked for is no mistake of the run's
  return sources;
}

void fillFromBeside(ReviewSources& sources) {
  const fs::path folder = fs::path(sources.gold).parent_path();
  const std::string stem = fs::path(sources.gold).stem().string();
  if (sources.tables.empty()) sources.tables = firstThatIs(folder, {"tables.json"});
  if (sources.databases.empty()) sources.databases = firstThatIs(folder, {"database", "databases"});
  // dev_gold.sql -> dev.json
  const std::string split = stem.substr(0, stem.find('_')) + ".json";
  if (sources.questions.empty()) sources.questions = firstThatIs(folder, {split.c_str()});
}

}  // namespace fathom
