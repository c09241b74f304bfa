// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/analysis_offers.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/recipes/library_source.h"
#include "core/analysis/norms/epoch_norm.h"
#include "core/analysis/training/over_training.h"
#include "core/analysis/training/stability_grid.h"
#include "core/base/json/json_members.h"
#include "core/library/runs/metric_catalogue.h"

namespace fathom {

namespace {

void offer(LoadedAnalysis* loaded, const char* key, const std::string& value) {
  std::vector<std::string>& offers = loaded->offers[key];
  if (std::find(offers.begin(), offers.end(), value) == offers.end()) offers.push_back(value);
}

// Options in which the runs differ, and their metrics, the one that is drawn where none is chosen first.
void offerGridOptions(LibrarySource& source, LoadedAnalysis* loaded) {
  std::map<std::string, std::set<std::string>> values;
  std::vector<RunFacts> runs;
  for (const std::string& run : loaded->runs) {
    auto facts = source.facts(run);
    if (!facts.ok()) continue;
    for (const auto& option : facts->options.items()) values[option.key()].insert(option.value().dump());
    runs.push_back(*std::move(facts));
  }
  const std::vector<std::string> metrics = stabilityMetrics(runs);
  if (!metrics.empty()) offer(loaded, "metric", MetricCatalogue().leading(metrics));
  for (const std::string& metric : metrics) offer(loaded, "metric", metric);
  for (const auto& [key, different] : values) {
    if (different.size() < 2) continue;
    offer(loaded, "x", key);
    offer(loaded, "y", key);
  }
}

// Offers the attentions or stacks that a figure of all states of a run follows.
void offerFollowedParts(LibrarySource& source, const AnalysisAsk& ask, LoadedAnalysis* loaded) {
  const bool norms = ask.recipe.figure == "epoch_norm";
  const std::string analysis =
      norms ? ask.recipe.figure : ask.recipe.options.value("analysis", std::string("attention_entropy"));
  for (const std::string& run : loaded->runs) {
    const auto probed = source.probed(run, analysis, "");
    if (!probed.ok()) continue;
    if (norms) {
      const auto epoch = epochNormsFromJson(probed->result);
      if (!epoch.ok()) continue;
      for (const MatrixNorm& norm : epoch->matrices)
        offer(loaded, "attention", norm.stack + "." + norm.sublayer);
    } else if (const auto courses = overTraining(analysis, {{0, probed->result}}, false); courses.ok()) {
      for (const LayerCourse& course : *courses) offer(loaded, "part", course.part);
    }
  }
}

}  // namespace

void offerProbedParts(LibrarySource& source, const AnalysisAsk& ask, const Json& wanted,
                      LoadedAnalysis* loaded) {
  const std::string checkpoint = checkpointWord(loaded->step, loaded->runs.size());
  std::vector<std::string>& beside = loaded->offers["beside"];
  for (const CheckpointPlace& place : loaded->places)
    if (place.complete && place.step != loaded->step)
      beside.push_back(checkpointWord(place.step, loaded->runs.size()));
  for (const std::string& run : loaded->runs) {
    if (std::find(loaded->missing.begin(), loaded->missing.end(), run) != loaded->missing.end()) continue;
    const auto probed = source.probedWith(run, ask.recipe.figure, checkpoint, wanted);
    if (!probed.ok() || !probed->result.is_object()) continue;
    for (const Json& attention : probed->result.value("attentions", Json::array())) {
      offer(loaded, "attention", memberText(attention, "stack") + "." + memberText(attention, "kind"));
      if (!attention.is_object()) continue;
      offer(loaded, "tokens", "all");
      if (attention.contains("linked")) offer(loaded, "tokens", "linked");
      const Json arrays = attention.value("arrays", Json::object());
      for (const auto& part : arrays.items()) offer(loaded, "part", part.key());
    }
    for (const Json& stack : probed->result.value("stacks", Json::array()))
      offer(loaded, "stack", memberText(stack, "stack"));
  }
}

void offerParts(LibrarySource& source, const AnalysisAsk& ask, LoadedAnalysis* loaded) {
  if (ask.recipe.figure == "stability_grid") offerGridOptions(source, loaded);
  if (ask.recipe.figure == "epoch_norm" || ask.recipe.figure == "over_training")
    offerFollowedParts(source, ask, loaded);
}

}  // namespace fathom
