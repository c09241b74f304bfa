// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/kind_loader.h"

#include <algorithm>
#include <thread>

#include "app/window/errors/run_predictions.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
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

Result<KindSources> runKindSources(const RunItem& run, const std::string& project) {
  const Json options = run.config.toJson();
  const TaskEntry* task = taskOf(options);
  if (task == nullptr || task->review.kind.empty())
    return usageError(Phrase::tr("the predictions of run %1 cannot be reviewed")(toUtf8(run.name)));
  FATHOM_TRY(const RunPredictions stored, runPredictions(run, *task, project));
  KindSources sources;
  sources.kind = task->review.kindFor(options);
  sources.gold = stored.file("gold." + stored.split);
  // The part is a file inside a folder, or what was kept apart of the training file.
  const auto readFrom = [&stored](const std::string& role) {
    const auto found = stored.read.find(role);
    return found != stored.read.end() && fileExists(found->second) ? found->second : std::string();
  };
  if (!task->review.files.empty() && !fileExists(sources.gold)) {
    sources.gold = readFrom(stored.split);
    if (sources.gold.empty()) sources.gold = readFrom("train");
    sources.options["examples"] = "predicted";
  }
  if (sources.gold.empty() || !fileExists(sources.gold)) {
    sources.gold = stored.sets.front().path;
    sources.options = Json::object();
  } else {
    if (memberText(options, "data.bad_lines") == "skip") sources.options["bad_lines"] = "skip";
    // What the run was not asked for is no mistake of it.
    FATHOM_TRY(const ReviewKind* kind, findReviewKind(sources.kind));
    const auto isExamples = [](const KindOption& option) { return option.key == "examples"; };
    if (std::any_of(kind->options.begin(), kind->options.end(), isExamples))
      sources.options["examples"] = "predicted";
  }
  if (const std::string source = stored.file("source." + stored.split); !source.empty())
    sources.files["source"] = source;
  for (const RunPredictions::Set& set : stored.sets) sources.predictions.push_back({set.name, set.path});
  return sources;
}

}  // namespace fathom
