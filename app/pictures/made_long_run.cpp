// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/made_long_run.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/base/files/hash.h"
#include "core/base/json/json.h"
#include "core/base/text/text_list.h"
#include "core/record/events/event_log.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr int kLongLayers = 4, kLongHeads = 4, kLongRadius = 8, kLongUpdates = 400;
constexpr const char* kLongCheckpoint = "0001-00000400";

// Both streams of one question as the task of HotpotQA lays them out: every word of the question has a global
// token of its own, then come a paragraph and its sentences.
struct MadeStreams {
  std::vector<std::string> longs, globals;
  LongPlaces places;
  int question = 0;  // global tokens before those of paragraphs

  int add(const std::string& global) {
    globals.push_back(global);
    return static_cast<int>(globals.size()) - 1;
  }
  void addLong(const std::string& word, int sentence, int paragraph) {
    longs.push_back(word);
    places.sentence.push_back(sentence);
    places.paragraph.push_back(paragraph);
  }
};

void addParagraph(MadeStreams& streams, const std::string& title, const std::vector<std::string>& sentences) {
  const int paragraph = streams.add("¶ " + title);
  streams.addLong(title, -1, paragraph);
  for (const std::string& sentence : sentences) {
    const std::vector<std::string_view> words = splitAt(sentence, ' ');
    const int place = streams.add(joined(std::vector(words.begin(), words.begin() + 3), " "));
    for (const std::string_view word : words) streams.addLong(std::string(word), place, paragraph);
  }
}

MadeStreams madeStreams() {
  MadeStreams streams;
  for (const char* word : {"[CLS]", "where", "does", "the", "town", "of", "ann", "lie", "?"})
    streams.addLong(word, streams.add(word), -1);
  streams.question = static_cast<int>(streams.globals.size());
  const char* people[][3] = {{"ann", "sings", "arden"},  {"bob", "paints", "corvo"},
                             {"carl", "swims", "arden"}, {"dora", "reads", "borg"},
                             {"emil", "cooks", "delft"}, {"fay", "sings", "borg"}};
  for (const auto& [name, habit, town] : people)
    addParagraph(streams, name,
                 {name + std::string(" ") + habit + " .", name + std::string(" lives in ") + town + " ."});
  const char* towns[][2] = {
      {"arden", "norland"}, {"borg", "westland"}, {"corvo", "norland"}, {"delft", "ostland"}};
  for (const auto& [name, land] : towns)
    addParagraph(streams, name,
                 {name + std::string(" lies in ") + land + " .", name + std::string(" is old .")});
  return streams;
}

// The tokens that a head looks for: neighbours, the one before, its sentence and paragraph, or the question.
enum class Habit { Near, Before, Sentence, Question };
Habit habitOf(int layer, int head) {
  return static_cast<Habit>((layer + head) % 4);
}

float weightOfNear(Habit habit, int distance) {
  if (habit == Habit::Before) return distance == -1 ? 4.0F : 0.1F;
  if (habit == Habit::Near) return std::exp(-0.5F * static_cast<float>(std::abs(distance)));
  return 0.05F;
}

float weightOfGlobal(const MadeStreams& streams, Habit habit, std::size_t query, int global) {
  if (habit == Habit::Question && global < streams.question)
    return global == static_cast<int>(query) % streams.question ? 1.0F : 0.3F;
  if (habit == Habit::Sentence && streams.places.sentence[query] == global) return 3.0F;
  if (habit == Habit::Sentence && streams.places.paragraph[query] == global) return 1.5F;
  return 0.02F;
}

// A row of the softmax: its weights, divided by their sum.
void addWeights(std::vector<float>& values, const std::vector<float>& weights) {
  float sum = 0;
  for (const float weight : weights) sum += weight;
  for (const float weight : weights) values.push_back(weight / sum);
}

std::vector<float> mapOfLong(const MadeStreams& streams, Habit habit) {
  std::vector<float> values;
  const int count = static_cast<int>(streams.longs.size());
  for (int query = 0; query < count; ++query) {
    std::vector<float> row;
    for (int distance = -kLongRadius; distance <= kLongRadius; ++distance) {
      const int key = query + distance;
      row.push_back(key < 0 || key >= count ? 0 : weightOfNear(habit, distance));
    }
    for (int global = 0; global < static_cast<int>(streams.globals.size()); ++global)
      row.push_back(weightOfGlobal(streams, habit, static_cast<std::size_t>(query), global));
    addWeights(values, row);
  }
  return values;
}

std::vector<float> mapOfGlobal(const MadeStreams& streams, Habit habit) {
  std::vector<float> values;
  const int count = static_cast<int>(streams.globals.size());
  for (int query = 0; query < count; ++query) {
    std::vector<float> row;
    for (std::size_t key = 0; key < streams.longs.size(); ++key) {
      const bool own = streams.places.sentence[key] == query || streams.places.paragraph[key] == query;
      row.push_back(own && habit != Habit::Question ? 1.0F : 0.02F);
    }
    for (int key = 0; key < count; ++key) {
      const bool asked = habit == Habit::Question && key < streams.question;
      row.push_back(asked ? 1.0F : 0.5F * weightOfNear(Habit::Near, key - query));
    }
    addWeights(values, row);
  }
  return values;
}

Json arraysOf(const AttentionMatrix& matrix, const MadeStreams& streams) {
  std::vector<float> values;
  for (int layer = 0; layer < matrix.layers; ++layer)
    for (int head = 0; head < matrix.heads; ++head) {
      const Habit habit = habitOf(layer, head);
      const auto map = matrix.band ? mapOfLong(streams, habit) : mapOfGlobal(streams, habit);
      values.insert(values.end(), map.begin(), map.end());
    }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return {{"probabilities",
           {{"file", matrix.name() + ".probabilities.npy"},
            {"shape", {matrix.layers, matrix.heads, matrix.queries.size(), matrix.columns()}},
            {"f4", Json::binary({bytes, bytes + values.size() * sizeof(float)})}}}};
}

Json madeLongMaps() {
  const MadeStreams streams = madeStreams();
  AttentionMatrices matrices;
  matrices.places = streams.places;
  AttentionMatrix matrix;
  matrix.kind = "self_attention";
  matrix.layers = kLongLayers;
  matrix.heads = kLongHeads;
  matrix.keys = streams.longs;
  matrix.keys.insert(matrix.keys.end(), streams.globals.begin(), streams.globals.end());
  for (const bool ofLong : {true, false}) {
    matrix.stack = ofLong ? "encoder" : "global";
    matrix.queries = ofLong ? streams.longs : streams.globals;
    matrix.band.reset();
    if (ofLong) matrix.band = AttentionBand{kLongRadius, static_cast<int>(streams.globals.size())};
    matrices.attentions.push_back(matrix);
  }
  Json json = attentionMatricesToJson(matrices);
  for (std::size_t i = 0; i < matrices.attentions.size(); ++i)
    json["attentions"][i]["arrays"] = arraysOf(matrices.attentions[i], streams);
  return json;
}

Status writeLongCurve(const std::string& file) {
  FATHOM_TRY(const auto log, EventLog::create(file));
  FATHOM_CHECK(log->append(
      "run_started",
      Json{{"attempt", 1}, {"resumed_from", ""}, {"device", "cpu"}, {"total_updates", kLongUpdates}}));
  for (int step = 10; step <= kLongUpdates; step += 10)
    FATHOM_CHECK(log->appendStep(step, 0.01 * step, 200 * step, 1e-4,
                                 {{"loss", 0.8 + 5 * std::exp(-step / 90.0)}, {"grad_norm", 1.5}}));
  return log->append("run_finished", Json{{"step", kLongUpdates}, {"m", Json::object()}});
}

}  // namespace

Status makeLongRun(const std::string& project) {
  RunIdentity identity;
  identity.uuid = makeUuid();
  identity.name = "HotpotQA, two streams";
  identity.created = isoTimeNow();
  FATHOM_TRY(const RunFolder run,
             RunFolder::create(ProjectFolder(project).runsPath() + "/" + identity.uuid, identity));
  RunConfig config{identity.name, "", Json::object()};
  config.options = {{"model", "etc"},
                    {"encoder.layers", kLongLayers},
                    {"model.heads", kLongHeads},
                    {"encoder.attention", "global_local"},
                    {"encoder.attention.global_local.radius", kLongRadius},
                    {"seed", 1}};
  FATHOM_TRY(const int attempt, run.beginAttempt(runConfigToJson(config)));
  FATHOM_CHECK(writeLongCurve(run.eventsPath(attempt)));
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = kLongUpdates;
  outcome.finishedAt = isoTimeNow();
  FATHOM_CHECK(run.writeOutcome(attempt, outcome));
  AnalysisRequest request;
  request.analysis = "attention_maps";
  request.checkpoint = kLongCheckpoint;
  request.version = probeVersion(request.analysis);
  request.options["example"] = 0;
  FATHOM_TRY(const std::string stored, storeAnalysis(run.analysesPath(), request, madeLongMaps()));
  return stored.empty() ? internalError("the made attention was not stored") : Status();
}

}  // namespace fathom
