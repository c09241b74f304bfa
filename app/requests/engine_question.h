// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <functional>
#include <string>
#include <vector>

#include "app/runner/child_process.h"
#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// This program's engine (findEngine), to be started with these words; the verb is the first.
Result<ChildSpec> engineSpec(std::vector<std::string> arguments);
// Until it says something itself.
void showEngineStarts(Progress& progress);

struct EngineQuestion {
  std::vector<std::string> arguments;           // but --progress-lines
  double seconds = 1800;                        // data may have to be read first
  std::function<void(const Phrase&)> say = {};  // EngineProgress
  std::size_t answers = 1;                      // it may print so many times as much as one answer is
};
struct EngineAnswer : ChildOutput {
  std::string engine;  // its path
  // The last line of output of a question that was asked with --json.
  Result<Json> json() const;
};
// Starts the engine for one question, behind everything else that wants the processor, and hands on its
// progress. What it printed and how it left, whatever that was (engineError says why it failed); an
// interrupted error after a stop.
Result<EngineAnswer> askEngine(const EngineQuestion& question, Progress& progress, const StopToken& stop);

// Files of a question, gone with this object.
class QuestionFiles {
 public:
  // Returns the path of what was written.
  Result<std::string> write(const std::string& name, const Json& json);
  Result<std::string> write(const RunConfig& config);

 private:
  QTemporaryDir m_folder;
};

}  // namespace fathom
