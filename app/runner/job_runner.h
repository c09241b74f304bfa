// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/errors/result.h"

namespace fathom {

// One attempt to start: a new run (configPath given) or the next attempt of one that exists.
struct JobRequest {
  std::string enginePath;
  std::string runPath;
  std::string uuid;        // of the run
  std::string configPath;  // "" = resume
  std::string stderrPath;  // messages of the engine before its run folder exists
  int threads = 1;
  int nice = 5;
};

// A started attempt. Destroying it does not end the engine.
class Job {
 public:
  virtual ~Job() = default;
  // Exit code (core/record/runs/exit_code.h) once it has ended; nothing while it runs. Never blocks.
  // kUnknownExit when it ended while nobody of ours could see how.
  virtual std::optional<int> poll() = 0;
  virtual std::int64_t pid() const = 0;
};
inline constexpr int kUnknownExit = -1;

// Starts engines somewhere. The runner knows only this interface; another host or a batch system is another
// class.
class JobRunner {
 public:
  virtual ~JobRunner() = default;
  virtual Result<std::unique_ptr<Job>> start(const JobRequest& request) = 0;
  // The engine that holds the run's lock now, started by somebody else (a runner that has died); null when
  // there is none.
  virtual std::unique_ptr<Job> adopt(const std::string& runPath) = 0;
};

// Engines as processes of this machine, each in its own session, so that they outlive the runner.
std::unique_ptr<JobRunner> makeLocalJobRunner();

}  // namespace fathom
