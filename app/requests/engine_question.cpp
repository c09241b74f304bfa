// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/engine_question.h"

#include "app/runner/engine_description.h"
#include "app/runner/engine_progress.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/json_text.h"

namespace fathom {

namespace {

constexpr int kQuestionNice = 5;  // a training that goes on comes first

}  // namespace

Result<ChildSpec> engineSpec(std::vector<std::string> arguments) {
  ChildSpec spec;
  FATHOM_TRY(spec.program, findEngine());
  spec.arguments = std::move(arguments);
  return spec;
}

void showEngineStarts(Progress& progress) {
  progress.begin(Phrase::tr("starting the engine").english, "", -1);
}

Result<Json> EngineAnswer::json() const {
  return parseJson(answerLineOf(out), engine);
}

Result<EngineAnswer> askEngine(const EngineQuestion& question, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(ChildSpec spec, engineSpec(question.arguments));
  spec.arguments.insert(spec.arguments.begin() + 1, "--progress-lines");
  spec.nice = kQuestionNice;
  ChildLimits limits;
  limits.seconds = question.seconds;
  limits.maxOutputBytes *= question.answers;
  limits.watch = EngineProgress(progress, question.say);
  showEngineStarts(progress);
  EngineAnswer answer;
  answer.engine = spec.program;
  FATHOM_TRY(static_cast<ChildOutput&>(answer), runChild(spec, limits, stop));
  return answer;
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
