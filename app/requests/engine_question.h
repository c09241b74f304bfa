// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <string>
#include <vector>

#include "app/runner/child_process.h"
#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// The longest time that a question whose data may have to be read first waits.
inline constexpr double kLongestQuestionSeconds = 1800;

// Starts the engine for one question, behind everything else that wants the processor, and hands on its
// progress. What it printed and how it left, whatever that was; an interrupted error after a stop.
Result<ChildOutput> askEngine(const std::string& engine, const std::vector<std::string>& arguments,
                              double seconds, Progress& progress, const StopToken& stop);

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
