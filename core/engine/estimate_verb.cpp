// SPDX-License-Identifier: Apache-2.0
// estimate: what a run, or each run of a grid, needs, and whether it can be had.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "core/analysis/training/dry_run_report.h"
#include "core/analysis/training/rank_scaling.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_progress.h"
#include "core/record/presets.h"
#include "core/train/dry/dry_run.h"
#include "core/train/dry/step_costs.h"
#include "core/train/loop/control_queue.h"
#include "core/train/loop/training_run.h"
#include "core/train/parallel/all_reduce_times.h"
#include "core/train/parallel/parallel_settings.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

constexpr double kGridSeconds = 12, kLeastSeconds = 0.3;
constexpr const char* kBatches = "training.accumulation";
constexpr std::size_t kMeasuredInCheck = 2;  // of a grid, those that need most

// Data that were read once serve all members of a grid that read the same.
class SharedData {
 public:
  Result<std::shared_ptr<const Task>> open(const OptionValues& options, const TaskSetup& setup) {
    const TaskEntry* entry = taskOf(options);
    Json key = {{"task", entry->id}};
    for (const OptionField& field : entry->fields) key[field.key] = options.value(field.key);
    const auto found = m_tasks.find(key.dump());
    if (found != m_tasks.end()) return found->second;
    FATHOM_TRY(auto task, entry->create(options, setup));
    return m_tasks[key.dump()] = std::shared_ptr<const Task>(std::move(task));
  }

 private:
  std::map<std::string, std::shared_ptr<const Task>> m_tasks;
};

struct Member {
  std::string name;
  OptionValues options;
  std::string alike;  // equal for members that need the same
};

std::int64_t vocabularyOfPreset(const std::string& id) {
  const auto preset = findPreset(id);
  return preset.ok() ? preset->vocabulary : 0;
}

// Bytes that a member asks for, as far as they are known without measuring.
double roughNeed(const OptionValues& options) {
  const auto bytes = modelBytes(options, ModelInputs::ofVocabulary(kUsualVocabulary));
  double layers = 0;
  for (const auto& [key, depth] : stackDepths(options)) layers += static_cast<double>(depth);
  const TaskEntry* entry = taskOf(options);
  const double tokens = entry == nullptr ? 0 : fullBatchTokens(options, *entry);
  return (bytes.ok() ? static_cast<double>(bytes->total()) : 0) +
         160 * layers * tokens * static_cast<double>(options.integer("model.width"));
}

// The same update in as many batches as the ranks share out evenly.
Json splitBatches(const OptionValues& options, std::int64_t ranks) {
  const std::int64_t batches = options.integer(kBatches), above = (batches / ranks + 1) * ranks;
  Json remedy = {{"options", {{kBatches, above}}}};
  const std::string key = batchKey(options, *taskOf(options));
  if (key.empty()) {
    writePhrase(remedy, "words", Phrase::tr("%1 batches")(above));
    return remedy;
  }
  const std::int64_t size = std::max<std::int64_t>(1, options.integer(key) * batches / above);
  remedy["options"][key] = size;
  writePhrase(
      remedy, "words",
      Phrase::tr("%1 batches of %2 %3")(above, size, Phrase::known(options.schema().find(key)->unit)));
  return remedy;
}

// Refused here as the run itself would be.
void judgeShares(const OptionValues& options, std::int64_t ranks, Json& json) {
  const Status even = checkShares(options.integer(kBatches), ranks);
  if (even.ok() || json.contains("refusal")) return;
  json["fits"] = false;
  writePhrase(json, "refusal", even.error().phrase());
  json["refusal_key"] = even.error().key;
  json["refusal_kind"] = errorKindName(even.error().kind);
  json["remedies"].push_back(splitBatches(options, ranks));
}

class Estimate {
 public:
  Estimate(const EstimateVerb& verb, Progress& progress, StopToken stop)
      : m_verb(verb), m_progress(progress), m_stop(std::move(stop)) {}

  Result<Json> run() {
    FATHOM_TRY(const RunConfig config, readConfigOrPreset(m_verb.config));
    m_vocabulary = vocabularyOfPreset(config.preset);
    if (m_verb.grid.empty()) {
      FATHOM_TRY(const OptionValues options, runOptions(config, m_verb.config, m_verb.assignments));
      return report(options, m_verb.seconds);
    }
    FATHOM_TRY(const std::vector<Member> members, readMembers(config));
    return ofGrid(members);
  }

 private:
  Result<Json> report(const OptionValues& options, double seconds) {
    DryRunRequest request{.options = options};
    request.vocabulary = m_vocabulary;
    request.seconds = m_verb.check ? 0 : seconds;
    request.mostDataBytes = m_verb.check ? 0 : m_verb.dataBytes;
    request.onlyWhetherItFits = m_verb.check;
    request.diskPath = m_verb.disk;
    request.open = [this](const OptionValues& values, const TaskSetup& setup) {
      return m_data.open(values, setup);
    };
    request.progress = &m_progress;
    request.stop = m_stop;
    FATHOM_TRY(const DryRun run, dryRun(request));
    Json json = dryRunToJson(run);
    const std::int64_t ranks = parallelSettings(options).ranks;
    if (ranks > 1 && run.updateSeconds) json["ranks"] = rankOutlook(run, options.integer(kBatches), ranks);
    if (ranks > 1) judgeShares(options, ranks, json);
    return json;
  }

  // A measured bandwidth comes first: elsewhere, by `fathom-engine all-reduce`, or between two processes
  // here.
  Json rankOutlook(const DryRun& run, std::int64_t batches, std::int64_t ranks) {
    std::vector<NamedLink> links = usualLinks();
    if (m_verb.bandwidth > 0) {
      links.insert(links.begin(), {Phrase::tr("As measured"), {m_verb.latency, m_verb.bandwidth}, true});
    } else if (run.device == "cpu") {  // cards talk in another way
      if (!m_here) m_here = timeAllReduceHere();
      if (const auto& times = *m_here; times.ok())
        links.insert(links.begin(), {Phrase::tr("On this machine"),
                                     linkOf(times->ranks, times->ofFew, times->bytes, times->ofMany), true});
    }
    const auto bytes = static_cast<double>(run.memory.gradients);
    const RankWork work{
        .seconds = *run.updateSeconds, .batches = batches, .gradientBytes = bytes, .step = run.stepSeconds};
    return rankOutlookToJson(work, ranks, links);
  }

  // [{"name": …, "options": {…}}, …], options on top of the configuration's.
  Result<std::vector<Member>> readMembers(const RunConfig& config) {
    FATHOM_TRY(const Json json, readJsonFile(m_verb.grid));
    if (!json.is_array() || json.empty())
      return dataErrorAt(m_verb.grid, 0, Phrase::tr("a grid is a list of {\"name\", \"options\"}"));
    std::vector<Member> members;
    for (const Json& item : json) {
      RunConfig one = config;
      if (!item.is_object() || !item.contains("options") || !item["options"].is_object())
        return dataErrorAt(m_verb.grid, 0, Phrase::tr("a grid is a list of {\"name\", \"options\"}"));
      for (const auto& [key, value] : item["options"].items()) one.options[key] = value;
      FATHOM_TRY(OptionValues options, runOptions(one, m_verb.grid, m_verb.assignments));
      Json alike = options.effective();
      alike.erase("seed");
      members.push_back({item.value("name", ""), std::move(options), alike.dump()});
    }
    return members;
  }

  Result<Json> ofGrid(const std::vector<Member>& members) {
    std::vector<std::pair<double, const Member*>> distinct;
    std::map<std::string, Json> known;
    for (const Member& member : members)
      if (known.emplace(member.alike, Json()).second) distinct.emplace_back(0, &member);
    if (m_verb.check && distinct.size() > kMeasuredInCheck) {
      for (auto& [need, member] : distinct) need = roughNeed(member->options);
      std::stable_sort(distinct.begin(), distinct.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      distinct.resize(kMeasuredInCheck);
    }
    const double seconds = std::clamp(kGridSeconds / static_cast<double>(distinct.size()), kLeastSeconds,
                                      std::max(kLeastSeconds, m_verb.seconds));
    for (const auto& [need, member] : distinct) {
      FATHOM_TRY(known[member->alike], report(member->options, seconds));
    }
    std::vector<Json> reports;
    std::vector<std::string> names;
    for (const Member& member : members) {
      reports.push_back(known[member.alike]);
      names.push_back(member.name);
    }
    return dryRunOfGrid(reports, names);
  }

  const EstimateVerb& m_verb;
  Progress& m_progress;
  StopToken m_stop;
  std::int64_t m_vocabulary = 0;
  SharedData m_data;
  std::optional<Result<AllReduceTimes>> m_here;  // between ranks, once it is asked for
};

}  // namespace

ExitCode estimateVerb(const EstimateVerb& verb) {
  const auto begin = std::chrono::steady_clock::now();
  const auto control = ControlQueue::open({"", "", false, true}).value();
  ProbeProgress shown(verb.progressLines);
  Json json = Estimate(verb, shown.progress, control->stop()).run().value();
  shown.clear();
  json["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (verb.json) {
    std::cout << jsonText(json) << std::endl;
  } else {
    std::cout << dryRunText(json) << std::flush;
  }
  const Error refusal = dryRunRefusal(json);
  return refusal.message.empty() ? ExitCode::Finished : runExitCode(refusal);
}

}  // namespace fathom
