// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/analysis_job.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "app/requests/engine_question.h"
#include "app/runner/engine_description.h"
#include "app/runner/engine_progress.h"
#include "core/analysis/analysis_entry.h"
#include "core/analysis/probe_options.h"
#include "core/base/errors/error_key.h"
#include "core/base/errors/error_words.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/hash.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/text_list.h"
#include "core/record/import/foreign_run.h"
#include "core/record/results/analysis_variant.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr double kLongestSeconds = 48 * 3600;

std::string projectFolder(const std::string& project, const RunRow& run) {
  return ProjectFolder(project).analysesPath(run.identity.uuid);
}

// Its result is what the analysis computes now.
bool stillHolds(const RunRow& run, const AnalysisRequest& request) {
  Json runOptions = run.options;
  runOptions.update(request.runOptions);
  return probeResultHolds(request.analysis, request.version, request.options, runOptions);
}

// True if an earlier version computed the result otherwise and the state is there to be looked at again.
bool isReplaced(const RunRow& run, const AnalysisRequest& request) {
  if (stillHolds(run, request)) return false;
  return request.checkpoint == "init" ||
         fileExists(RunFolder(run.path).checkpointsPath() + "/" + request.checkpoint);
}

// Stored requests for an analysis of a run, by every version.
Result<std::vector<StoredRequest>> everStored(const std::string& project, const RunRow& run,
                                              const std::string& analysis) {
  FATHOM_TRY(auto all, listAnalysisRequests(RunFolder(run.path).analysesPath(), analysis));
  FATHOM_TRY(auto more, listAnalysisRequests(projectFolder(project, run), analysis));
  std::move(more.begin(), more.end(), std::back_inserter(all));
  return all;
}

// The analysis as the engine describes it: its version goes into the request, its options are checked here.
struct KnownProbe {
  int version = 1;
  bool initialOnly = false;  // looks at the run's options, not at a checkpoint
  std::string part;          // of the data, where the wish names none
  OptionValues options;
};

Result<KnownProbe> knownProbe(const EngineDescription& engine, const AnalysisWish& wish) {
  std::string known;
  const Json entries = engine.json.value("entries", Json::object());
  for (const Json& entry : entries.value("probes", Json::array())) {
    const std::string id = entry.value("id", "");
    known += (known.empty() ? "" : ", ") + id;
    if (id != wish.analysis) continue;
    KnownProbe probe;
    probe.version = entry.value("version", 1);
    probe.initialOnly = entry.value("initial_only", false);
    probe.part = entry.value("part", "validation");
    FATHOM_TRY(const OptionSchema schema, OptionSchema::fromJson(entry.at("schema")));
    probe.options = OptionValues(schema);
    FATHOM_CHECK(setAnalysisOptions(id, wish.assignments, &probe.options));
    return probe;
  }
  return aboutKey("analysis", usageError(Phrase::tr("there is no analysis '%1'")(wish.analysis),
                                         Phrase::tr("there are: %1")(known)));
}

Result<AnalysisRequest> requestOf(const RunRow& run, const AnalysisWish& wish, const KnownProbe& probe,
                                  const std::string& checkpoint) {
  AnalysisRequest request;
  request.analysis = wish.analysis;
  request.version = probe.version;
  request.checkpoint = checkpoint;
  if (request.checkpoint != "init") {
    FATHOM_TRY(const CheckpointManifest manifest, chooseCheckpoint(run.path, checkpoint));
    request.checkpoint = manifest.name;
    FATHOM_TRY(request.checkpointHash, sha256OfFile(checkpointManifestFile(manifest.path)));
  }
  request.split = wish.split.empty() ? probe.part : wish.split;
  request.options = analysisOptions(probe.options);
  for (const std::string& assignment : wish.runAssignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos)
      return usageError(Phrase::tr("'%1' is not of the form key=value")(assignment));
    request.runOptions[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return request;
}

// Stored results that the wish may mean by their options, whatever their checkpoint.
Result<std::vector<StoredRequest>> meantResults(const std::string& project, const RunRow& run,
                                                const AnalysisWish& wish) {
  if (!wish.runAssignments.empty()) return std::vector<StoredRequest>();
  Json wanted = Json::object();
  if (!wish.split.empty()) wanted["split"] = wish.split;
  for (const std::string& assignment : wish.assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals != std::string::npos) wanted[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  FATHOM_TRY(auto all, storedRequests(project, run, wish.analysis));
  std::erase_if(all, [&](const StoredRequest& each) { return !meetsVariant(each.request, wanted); });
  std::stable_sort(all.begin(), all.end(), [](const StoredRequest& a, const StoredRequest& b) {
    return checkpointStep(a.request.checkpoint).value_or(0) <
           checkpointStep(b.request.checkpoint).value_or(0);
  });
  return all;
}

// A request, and where its result lies if that is known.
struct AskedAnalysis {
  AnalysisRequest request;
  std::string path;
};

// Among results of a state that no engine can look at: it was brought by another program, or is deleted.
const StoredRequest* meantAmong(const std::vector<StoredRequest>& results, const std::string& word) {
  if (word.empty()) return results.empty() ? nullptr : &results.back();
  std::vector<std::string> names;
  for (const StoredRequest& each : results) names.push_back(each.request.checkpoint);
  const auto chosen = chooseAmong(names, word);
  const auto found = std::find_if(results.rbegin(), results.rend(), [&](const StoredRequest& each) {
    return chosen && each.request.checkpoint == *chosen;
  });
  return found == results.rend() ? nullptr : &*found;
}

Error notBrought(Error error) {
  return withHint(std::move(error),
                  Phrase::tr("another program trained it: bring its attention with import-attention, or "
                             "with fathom.capture in Python"));
}

// Another program trained it, and it has no state that an engine could look at; a copy of a run of ours may.
bool isForeign(const RunRow& run) {
  return !importOrigin(run.identity.provenance).empty() && listCheckpoints(run.path).empty();
}

// All states that a run of another program has results of.
std::vector<std::string> wordsOf(const RunRow& run, const AnalysisWish& wish,
                                 const std::vector<StoredRequest>& results) {
  if (wish.checkpoint != kAllCheckpoints || results.empty() || !isForeign(run))
    return checkpointWords(run.path, wish.checkpoint);
  std::vector<std::string> words;
  for (const StoredRequest& each : results)
    if (std::find(words.begin(), words.end(), each.request.checkpoint) == words.end())
      words.push_back(each.request.checkpoint);
  return words;
}

// Results that were brought of a run of another program, where that is everything that the wish names: no
// engine is asked.
std::optional<std::vector<AskedAnalysis>> allBrought(const RunRow& run, const AnalysisWish& wish,
                                                     const std::vector<StoredRequest>& results) {
  if (results.empty() || !isForeign(run)) return std::nullopt;
  std::vector<AskedAnalysis> all;
  for (const std::string& word : wordsOf(run, wish, results)) {
    const StoredRequest* meant = meantAmong(results, word);
    if (meant == nullptr) return std::nullopt;
    all.push_back({meant->request, meant->path});
  }
  return all;
}

// One for each of the checkpoints; two words for the same one are one.
Result<std::vector<AskedAnalysis>> requestsOf(const RunRow& run, const AnalysisWish& wish,
                                              const KnownProbe& probe,
                                              const std::vector<StoredRequest>& results) {
  std::vector<std::string> words = wordsOf(run, wish, results);
  if (probe.initialOnly) {
    if (!wish.checkpoint.empty() && wish.checkpoint != "init" && wish.checkpoint != kAllCheckpoints)
      return usageError(Phrase::tr("%1 builds its nets from the run's options, not from checkpoint '%2'")(
                            wish.analysis, wish.checkpoint),
                        Phrase::tr("leave the checkpoint out, or name init"));
    words = {"init"};
  }
  std::vector<AskedAnalysis> requests;
  for (const std::string& word : words) {
    auto request = requestOf(run, wish, probe, word);
    const StoredRequest* meant = meantAmong(results, word);
    const bool given = meant != nullptr && !request.ok();
    if (!given && !request.ok()) return isForeign(run) ? notBrought(request.error()) : request.error();
    AskedAnalysis asked = given ? AskedAnalysis{meant->request, meant->path} : AskedAnalysis{*request, {}};
    const bool twice = std::any_of(requests.begin(), requests.end(), [&](const AskedAnalysis& other) {
      return other.request.checkpoint == asked.request.checkpoint;
    });
    if (!twice) requests.push_back(std::move(asked));
  }
  return requests;
}

Result<std::optional<StoredAnalysis>> storedResult(const std::string& project, const RunRow& run,
                                                   const AnalysisRequest& request) {
  const auto holds = [&](const AnalysisRequest& earlier) { return stillHolds(run, earlier); };
  FATHOM_TRY(auto inside, findAnalysis(RunFolder(run.path).analysesPath(), request, holds));
  if (inside) return inside;
  return findAnalysis(projectFolder(project, run), request, holds);
}

struct AskedAnalyses {
  std::vector<AskedAnalysis> all;  // in the order of the checkpoints
  std::vector<AnalysisRequest> missing;
};

Result<AskedAnalyses> askedAnalyses(const std::string& project, const RunRow& run, const AnalysisWish& wish,
                                    const StopToken& stop) {
  AskedAnalyses asked;
  FATHOM_TRY(const auto results, meantResults(project, run, wish));
  if (auto brought = allBrought(run, wish, results)) {
    asked.all = *std::move(brought);
    return asked;
  }
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(const KnownProbe probe, knownProbe(engine, wish));
  FATHOM_TRY(asked.all, requestsOf(run, wish, probe, results));
  for (const AskedAnalysis& each : asked.all) {
    if (!each.path.empty()) continue;
    FATHOM_TRY(const auto known, storedResult(project, run, each.request));
    if (!known) asked.missing.push_back(each.request);
  }
  return asked;
}

// `requests` differ in nothing but the checkpoint.
EngineQuestion questionOf(const std::string& root, const RunRow& run,
                          const std::vector<AnalysisRequest>& requests, const AnalysisWish& wish) {
  const AnalysisRequest& request = requests.front();
  const std::string checkpoints =
      joined(requests, ",", [](const AnalysisRequest& each) { return each.checkpoint; });
  EngineQuestion question;
  question.seconds = kLongestSeconds;
  question.answers = requests.size();
  question.say = wish.say;
  question.arguments = {"probe",          "--run",        run.path,    "--analysis",
                        request.analysis, "--checkpoint", checkpoints, "--split",
                        request.split,    "--out",        root};
  for (const auto& [flag, list] :
       {std::pair{"--set", &wish.assignments}, std::pair{"--run-set", &wish.runAssignments}}) {
    for (const std::string& assignment : *list) {
      question.arguments.emplace_back(flag);
      question.arguments.push_back(assignment);
    }
  }
  return question;
}

}  // namespace

std::string analysesFolder(const std::string& project, const RunRow& run) {
  const std::string inside = RunFolder(run.path).analysesPath();
  const bool writable = ::access(inside.c_str(), W_OK) == 0 ||
                        (::access(inside.c_str(), F_OK) != 0 && ::access(run.path.c_str(), W_OK) == 0);
  return writable ? inside : projectFolder(project, run);
}

Result<std::vector<StoredRequest>> storedRequests(const std::string& project, const RunRow& run,
                                                  const std::string& analysis) {
  FATHOM_TRY(auto all, everStored(project, run, analysis));
  std::erase_if(all, [&](const StoredRequest& each) { return isReplaced(run, each.request); });
  return all;
}

Result<std::string> storedFolder(const std::string& project, const RunRow& run, const std::string& analysis,
                                 const std::string& key) {
  FATHOM_TRY(const auto all, everStored(project, run, analysis));
  for (const StoredRequest& stored : all)
    if (std::filesystem::path(stored.path).filename() == key) return stored.path;
  return std::string();
}

Result<std::size_t> missingAnalyses(const std::string& project, const RunRow& run, const AnalysisWish& wish,
                                    const StopToken& stop) {
  FATHOM_TRY(const AskedAnalyses asked, askedAnalyses(project, run, wish, stop));
  return asked.missing.size();
}

Result<std::vector<StoredAnalysis>> computeAnalyses(const std::string& project, const RunRow& run,
                                                    const AnalysisWish& wish, Progress& progress,
                                                    const StopToken& stop) {
  FATHOM_TRY(const AskedAnalyses asked, askedAnalyses(project, run, wish, stop));
  if (!asked.missing.empty()) {
    const std::string folder = analysesFolder(project, run);
    if (folder == projectFolder(project, run))
      FATHOM_CHECK(makeOneFolder(std::filesystem::path(folder).parent_path().string()));
    const EngineQuestion question = questionOf(folder, run, asked.missing, wish);
    FATHOM_TRY(const EngineAnswer answer, askEngine(question, progress, stop));
    if (answer.exitCode != 0) return engineError(answer);
    progress.finish();
  }
  std::vector<StoredAnalysis> results;
  for (const AskedAnalysis& each : asked.all) {
    if (!each.path.empty()) {
      FATHOM_TRY(StoredAnalysis given, readAnalysis(each.path));
      results.push_back(std::move(given));
      continue;
    }
    FATHOM_TRY(auto stored, storedResult(project, run, each.request));
    if (!stored) return internalError("the engine computed something else than was asked for");
    results.push_back(std::move(*stored));
  }
  return results;
}

}  // namespace fathom
