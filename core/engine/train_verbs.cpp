// SPDX-License-Identifier: Apache-2.0
// train and resume.
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>

#include "core/base/json/json_text.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/event_mirror.h"
#include "core/engine/execution_judge.h"
#include "core/engine/run_analyses.h"
#include "core/engine/training_line.h"
#include "core/machine/sampling_wish.h"
#include "core/machine/system_sampler.h"
#include "core/record/runs/run_folder.h"
#include "core/train/loop/control_queue.h"
#include "core/train/loop/training_run.h"
#include "core/train/parallel/process_meeting.h"
#include "core/train/parts/run_options.h"

namespace fathom {

namespace {

// The terminal's line plus, when asked for, the events on stdout.
class ShellWatcher final : public RunWatcher {
 public:
  explicit ShellWatcher(bool eventsToStdout) : m_mirrored(eventsToStdout) {}
  void attempt(const std::string& eventsPath) override {
    if (m_mirrored) m_mirror = std::make_unique<EventMirror>(eventsPath);
    if (const auto needed = wishedSampling()) sample(eventsPath, *needed);
  }
  void metrics(const Metrics& metrics) override { m_line.metrics(metrics); }
  void progress(const ProgressUpdate& update) override { m_line.progress(update); }
  void step(const StepReport& report) override { m_line.step(report); }
  void message(const std::string& text) override { m_line.message(text); }

 private:
  void sample(const std::string& eventsPath, std::int64_t neededBytes) {
    const std::filesystem::path attempt = std::filesystem::path(eventsPath).parent_path();
    const RunFolder run(attempt.parent_path().parent_path().string());
    m_sampler.watch({{run.path(), run.lastAttempt() - 1, "", neededBytes}});
  }
  bool m_mirrored;
  SystemSampler m_sampler;
  TrainingLine m_line;
  std::unique_ptr<EventMirror> m_mirror;
};

// Every other code than 0 is a failure to torchrun, after which it may start all ranks anew: what was stopped
// or has diverged is told by the outcome of the run alone.
ExitCode tell(const RunReport& report) {
  if (!report.error.message.empty()) std::cerr << "error: " << report.error.text() << std::endl;
  const bool ended = report.code == ExitCode::Stopped || report.code == ExitCode::Diverged;
  return ended && processEnvironment()("TORCHELASTIC_RUN_ID") ? ExitCode::Finished : report.code;
}

ExitCode dumpConfig(const TrainVerb& verb) {
  RunConfig config = readConfigOrPreset(verb.config).value();
  const OptionValues options = runOptions(config, verb.config, verb.assignments).value();
  config.options = verb.dump == "minimal" ? options.minimal() : options.effective();
  std::cout << jsonText(runConfigToJson(config), 2) << std::endl;
  return ExitCode::Finished;
}

}  // namespace

ExitCode trainVerb(const TrainVerb& verb) {
  if (!verb.dump.empty()) return dumpConfig(verb);
  ControlQueue::holdSignals();
  TrainRequest request;
  request.runPath = verb.run;
  request.config = readConfigOrPreset(verb.config).value();
  request.configFile = verb.config;
  request.assignments = verb.assignments;
  request.uuid = verb.uuid;
  RunReport report;
  {
    ProcessMeeting meeting(ranksOf(processEnvironment()).value());
    ShellWatcher watcher(verb.eventsToStdout);
    RunAnalyses analyses;
    ExecutionJudge judge;
    request.watcher = &watcher;
    request.analyst = &analyses;
    request.judge = &judge;
    request.meeting = &meeting;
    report = verb.orResume ? trainOrResumeRun(request) : trainRun(request);
  }
  return tell(report);
}

ExitCode resumeVerb(const ResumeVerb& verb) {
  ControlQueue::holdSignals();
  RunReport report;
  {
    ProcessMeeting meeting(ranksOf(processEnvironment()).value());
    ShellWatcher watcher(verb.eventsToStdout);
    RunAnalyses analyses;
    ExecutionJudge judge;
    ResumeRequest request;
    request.analyst = &analyses;
    request.judge = &judge;
    request.runPath = verb.run;
    request.checkpoint = verb.checkpoint;
    request.watcher = &watcher;
    request.meeting = &meeting;
    report = resumeRun(request);
  }
  return tell(report);
}

}  // namespace fathom
