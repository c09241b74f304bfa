// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/kind_loader.h"

#include <algorithm>
#include <thread>

#include "core/base/text/text_list.h"
#include "core/review/stored_review.h"
#include "core/tasks/task.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr const char* kKindSetting = "errors.kind_review";
constexpr unsigned kMostKindThreads = 8;

// So that figures can be made of it: the same files are one stored review, whoever opens them.
Status store(const OpenKindReview& open) {
  const std::string name =
      joined(open.review.models, ", ", [](const KindModel& model) { return model.name; });
  StoredReview stored = storedReviewOf(open.review, name);
  FATHOM_TRY(const auto known, storedReviews(*open.library));
  for (const StoredReview& other : known) {
    if (other.kind.toJson() != stored.kind.toJson()) continue;
    stored.uuid = other.uuid;
    stored.name = other.name;
  }
  FATHOM_TRY(const std::string uuid, saveReview(*open.library, stored));
  FATHOM_TRY(const Json before, open.library->setSetting(kKindSetting, open.review.sources.toJson()));
  return {};
}

}  // namespace

Result<std::unique_ptr<OpenKindReview>> loadKindReview(const std::string& project, const KindSources& sources,
                                                       Progress& progress, const StopToken& stop) {
  auto open = std::make_unique<OpenKindReview>();
  const int threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, kMostKindThreads));
  FATHOM_TRY(open->review, openKindReview(sources, threads, progress, stop));
  FATHOM_TRY(open->library, ProjectLibrary::open(project));
  FATHOM_TRY(auto judgements, KindJudgements::load(open->review, open->library.get()));
  open->judgements.emplace(std::move(judgements));
  if (!open->library->readOnly()) FATHOM_CHECK(store(*open));
  return open;
}

Result<std::optional<KindSources>> rememberedKindReview(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FATHOM_TRY(const Json stored, library->setting(kKindSetting, Json()));
  if (!stored.is_object()) return std::optional<KindSources>();
  FATHOM_TRY(KindSources sources, kindSourcesFromJson(stored));
  return std::optional<KindSources>(std::move(sources));
}

Status forgetKindReview(ProjectLibrary& library) {
  FATHOM_TRY(const Json stored, library.setting(kKindSetting, Json()));
  if (!stored.is_object()) return {};
  FATHOM_TRY(const Json before, library.setSetting(kKindSetting, Json()));
  return {};
}

std::string reviewKindOfRun(const RunItem& run) {
  const Json options = run.config.toJson();
  const TaskEntry* task = taskOf(options);
  return task == nullptr ? std::string() : task->review.kindFor(options);
}

ReviewedRun reviewedRun(const RunItem& run) {
  return {toUtf8(run.name), toUtf8(run.folder), run.config.toJson()};
}

Result<KindSources> runKindSources(const RunItem& run, const std::string& project) {
  return runKindSources(reviewedRun(run), project);
}

}  // namespace fathom
