// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>
#include <string>
#include <vector>

#include "core/record/events/event_reader.h"
#include "core/record/runs/run_folder.h"
#include "core/tasks/made_sentences.h"
#include "core/train/loop/training_run.h"

namespace fathom::test {

// Small translation runs on the made data: a 1-layer model that trains in a second or two.
class TinyRuns {
 public:
  TinyRuns();
  std::string path(const std::string& name) const { return (m_folder.path() + "/").toStdString() + name; }
  std::string dataFile(const std::string& part) const { return path("data/" + part + ".tsv"); }
  // Trains into folder `name`; assignments come on top of the small defaults.
  RunReport train(const std::string& name, const std::vector<std::string>& assignments = {},
                  RunWatcher* watcher = nullptr, RunAnalyst* analyst = nullptr,
                  RankMeeting* meeting = nullptr) const;
  RunReport resume(const std::string& name, const std::string& checkpoint = {}, RunAnalyst* analyst = nullptr,
                   RankMeeting* meeting = nullptr) const;

 private:
  QTemporaryDir m_folder;
};

inline TinyRuns::TinyRuns() {
  writeMadeSentences(path("data"), 1, {400, 30, 30}).value();
}

inline RunReport TinyRuns::train(const std::string& name, const std::vector<std::string>& assignments,
                                 RunWatcher* watcher, RunAnalyst* analyst, RankMeeting* meeting) const {
  TrainRequest request;
  request.meeting = meeting;
  request.watcher = watcher;
  request.analyst = analyst;
  request.runPath = path(name);
  request.watchStandardInput = request.watchSignals = false;
  request.config.name = name;
  request.config.options = {{"data.train", dataFile("train")},
                            {"data.validation", dataFile("validation")},
                            {"data.test", dataFile("test")},
                            {"data.vocabulary.size", 120},
                            {"batch.max_tokens", 256},
                            {"model.width", 16},
                            {"model.feed_forward", 32},
                            {"model.heads", 2},
                            {"model.dropout", 0.1},
                            {"model.attention_dropout", 0.1},
                            {"encoder.layers", 1},
                            {"decoder.layers", 1},
                            {"lr_schedule.warmup", 5},
                            {"lr_schedule.rate", 0.003},
                            {"device", "cpu"},
                            {"threads", 1},
                            {"training.length", "20u"},
                            {"validation.interval", "10u"},
                            {"validation.score_interval", "never"},
                            {"validation.max_length_b", 20},
                            {"checkpoint.interval", "5u"},
                            {"checkpoint.keep_last", 10}};
  request.assignments = assignments;
  return trainRun(request);
}

inline RunReport TinyRuns::resume(const std::string& name, const std::string& checkpoint, RunAnalyst* analyst,
                                  RankMeeting* meeting) const {
  ResumeRequest request;
  request.meeting = meeting;
  request.analyst = analyst;
  request.runPath = path(name);
  request.checkpoint = checkpoint;
  request.watchStandardInput = request.watchSignals = false;
  return resumeRun(request);
}

// Members of the events of one kind.
inline std::vector<Json> eventsOfKind(const std::string& runPath, int attempt, const std::string& kind) {
  EventReader reader(RunFolder(runPath).attemptPath(attempt) + "/events.jsonl");
  std::vector<Json> found;
  const std::vector<Event> events = reader.poll().value();
  for (const Event& event : events) {
    if (event.kind == kind) found.push_back(event.members);
  }
  return found;
}

// Scalars of the run's first attempt that its run.json does not declare; "none at all" where it declares
// nothing or logs nothing.
inline std::string undeclaredScalars(const std::string& runPath) {
  const Metrics declared = RunFolder(runPath).identity().value().metrics;
  std::string undeclared;
  std::size_t seen = 0;
  for (const char* kind : {"step", "validation", "epoch"}) {
    for (const Json& event : eventsOfKind(runPath, 1, kind)) {
      if (!event.contains("m")) continue;
      for (const auto& [name, value] : event.at("m").items()) {
        ++seen;
        if (findMetric(declared, name) == nullptr) undeclared += " " + name;
      }
    }
  }
  return declared.empty() || seen == 0 ? "none at all" : undeclared;
}

// Losses and gradient norms of an attempt, one text for each step: equal texts are equal bits.
inline std::vector<std::string> stepLosses(const std::string& runPath, int attempt) {
  std::vector<std::string> losses;
  for (const Json& event : eventsOfKind(runPath, attempt, "step")) {
    losses.push_back(event.at("step").dump() + " " + event.at("m").at("loss").dump() + " " +
                     event.at("m").at("grad_norm").dump());
  }
  return losses;
}

}  // namespace fathom::test
