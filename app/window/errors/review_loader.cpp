// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/review_loader.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "core/spider/data/spider_sample.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSetting = "errors.review";
constexpr unsigned kMostThreads = 8;

std::string firstThatIs(const fs::path& folder, std::initializer_list<const char*> names) {
  std::error_code code;
  for (const char* name : names)
    if (fs::exists(folder / name, code)) return (folder / name).string();
  return {};
}

// The same files with the same definitions are one stored review, whoever opens them.
Status remember(const OpenReview& open) {
  std::string name;
  for (const ReviewModel& model : open.review.models) name += (name.empty() ? "" : ", ") + model.name;
  StoredReview stored = storedReviewOf(open.review, open.sources, name);
  FATHOM_TRY(const auto known, storedReviews(*open.library));
  for (const StoredReview& other : known) {
    if (other.preset != stored.preset || other.sources.toJson() != stored.sources.toJson()) continue;
    stored.uuid = other.uuid;
    stored.name = other.name;
  }
  FATHOM_TRY(const std::string uuid, saveReview(*open.library, stored));
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
  std::error_code code;
  if (!fs::exists(folder + "/predictions/hasty.sql", code))
    FATHOM_CHECK(writeSpiderSample(makeSpiderSample(), folder));
  ReviewSources sources;
  sources.gold = folder + "/dev_gold.sql";
  fillFromBeside(sources);
  for (const char* name : {"careful", "hasty"})
    sources.predictions.push_back(reviewPrediction(folder + "/predictions/" + name + ".sql"));
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
