// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/engine_question.h"

#include "app/runner/engine_progress.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/json_text.h"

namespace fathom {

namespace {

constexpr int kQuestionNice = 5;

}  // namespace

Result<ChildOutput> askEngine(const std::string& engine, const std::vector<std::string>& arguments,
                              double seconds, Progress& progress, const StopToken& stop) {
  ChildSpec spec;
  spec.program = engine;
  spec.arguments = arguments;
  spec.nice = kQuestionNice;
  ChildLimits limits;
  limits.seconds = seconds;
  limits.watch = EngineProgress(progress);
  progress.begin(Phrase::tr("starting the engine").english, "", -1);
  FATHOM_TRY(ChildOutput output, runChild(spec, limits, stop));
  if (stop.stopRequested()) return interruptedError();
  return output;
}

Result<std::string> QuestionFiles::write(const std::string& name, const Json& json) {
  if (!m_folder.isValid())
    return diskError(Phrase::tr("cannot make a temporary folder: %1")(m_folder.errorString().toStdString()));
  std::string path = m_folder.path().toStdString() + "/" + name;
  FATHOM_CHECK(writeFileAtomically(path, jsonText(json)));
  return path;
}

Result<std::string> QuestionFiles::write(const RunConfig& config) {
  return write("config.json", runConfigToJson(config));
}

}  // namespace fathom
