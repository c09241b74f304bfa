// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_loader.h"

#include <filesystem>

#include "app/predictions/review_execution.h"
#include "app/predictions/review_inputs.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/text_list.h"
#include "core/review/reviewed_sql.h"
#include "core/spider/data/made_spider.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSetting = "errors.review";
// Where a Fathom of before one review of all kinds kept the sources of those that are not SQL.
constexpr const char* kOldKindSetting = "errors.kind_review";

// The same files with the same definitions are one stored review, whoever opens them.
Status remember(const OpenReview& open) {
  const std::string name =
      joined(open.review.models, ", ", [](const ReviewModel& model) { return model.name; });
  StoredReview stored = storedReviewOf(open.review, name);
  FATHOM_TRY(const auto known, storedReviews(*open.library));
  for (const StoredReview& other : known) {
    if (!ofSameFiles(other, stored)) continue;
    stored.uuid = other.uuid;
    stored.name = other.name;
  }
  FATHOM_TRY(const std::string uuid, saveReview(*open.library, stored));
  FATHOM_TRY(const Json old, open.library->setting(kOldKindSetting, Json()));
  if (!old.is_null()) FATHOM_CHECK(open.library->setSetting(kOldKindSetting, Json()));
  FATHOM_TRY(const Json before, open.library->setSetting(kSetting, uuid));
  return {};
}

// "database", "%1.json" with the part of the data that dev_gold.sql is of.
std::string besideGold(const std::string& gold, const std::string& name) {
  const fs::path path(gold);
  const std::string stem = path.stem().string();
  std::string file = name;
  if (const auto at = file.find("%1"); at != std::string::npos)
    file.replace(at, 2, stem.substr(0, stem.find('_')));
  const std::string found = (path.parent_path() / file).string();
  return fileExists(found) ? found : std::string();
}

}  // namespace

Result<std::unique_ptr<OpenReview>> loadReview(const std::string& project, const ReviewSources& sources,
                                               Progress& progress, const StopToken& stop) {
  auto open = std::make_unique<OpenReview>();
  FATHOM_TRY(open->library, ProjectLibrary::open(project));
  const KeptExecutions kept = keptExecutions(project, !open->library->readOnly());
  FATHOM_TRY(open->review, openExecutedReview(sources, kept, progress, stop));
  FATHOM_TRY(auto judgements, Judgements::load(open->review, open->library.get()));
  open->judgements.emplace(std::move(judgements));
  if (!open->library->readOnly()) FATHOM_CHECK(remember(*open));
  return open;
}

Result<std::optional<ReviewSources>> rememberedReview(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const Json old, library->setting(kOldKindSetting, Json()));
  if (old.is_object()) {
    FATHOM_TRY(ReviewSources sources, reviewSourcesFromJson(old));
    return std::optional<ReviewSources>(std::move(sources));
  }
  FATHOM_TRY(const Json uuid, library->setting(kSetting, Json()));
  if (!uuid.is_string()) return std::optional<ReviewSources>();
  FATHOM_TRY(StoredReview stored, storedReview(*library, uuid.get<std::string>()));
  return std::optional<ReviewSources>(std::move(stored.sources));
}

Result<ReviewSources> sampleReviewSources(const std::string& project) {
  const std::string folder = project + "/samples/text_to_sql";
  if (!fileExists(folder + "/predictions/hasty.sql")) FATHOM_CHECK(writeMadeSpider(makeSpiderData(), folder));
  ReviewSources sources{kSqlReviewId, folder + "/dev_gold.sql"};
  sources.options["preset"] = categoryPresets().front().id;
  fillFromBeside(sources);
  for (const char* name : {"careful", "hasty"})
    sources.predictions.push_back(reviewPredictions(folder + "/predictions/" + name + ".sql"));
  return sources;
}

std::string reviewKindOfRun(const RunItem& run) {
  const Json options = run.config.toJson();
  const TaskEntry* task = taskOf(options);
  return task == nullptr ? std::string() : task->review.kindFor(options);
}

ReviewedRun reviewedRun(const RunItem& run) {
  return {toUtf8(run.name), toUtf8(run.folder), run.config.toJson()};
}

Result<ReviewSources> runReviewSources(const RunItem& run, const std::string& project) {
  FATHOM_TRY(ReviewSources sources, runReviewSources(reviewedRun(run), project));
  if (sources.kind == kSqlReviewId) sources.options["preset"] = categoryPresets().front().id;
  fillFromBeside(sources);
  return sources;
}

void fillFromBeside(ReviewSources& sources) {
  const auto kind = findReviewKind(sources.kind);
  if (!kind.ok()) return;
  for (const ReviewFile& file : (*kind)->files) {
    for (const std::string& name : file.beside) {
      std::string& path = sources.files[file.key];
      if (path.empty()) path = besideGold(sources.gold, name);
      if (path.empty()) sources.files.erase(file.key);
    }
  }
}

}  // namespace fathom
