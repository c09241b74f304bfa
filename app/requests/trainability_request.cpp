// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/trainability_request.h"

#include <QTemporaryDir>
#include <cstdio>

#include "app/runner/child_process.h"
#include "app/runner/engine_description.h"
#include "app/runner/engine_progress.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/json/json_text.h"
#include "views/figures/sample_notes.h"

namespace fathom {

namespace {

constexpr double kLongestCheckSeconds = 1800;  // data may have to be read
constexpr int kCheckNice = 5;

std::string numberText(const Json& json) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", realFromJson(json).value());
  return text;
}

}  // namespace

Result<Json> checkTrainability(const RunConfig& config, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const std::string engine, findEngine());
  const QTemporaryDir folder;
  if (!folder.isValid())
    return diskError(Phrase::tr("cannot make a temporary folder: %1")(folder.errorString().toStdString()));
  const std::string file = folder.path().toStdString() + "/config.json";
  FATHOM_CHECK(writeFileAtomically(file, jsonText(runConfigToJson(config))));
  progress.begin(Phrase::tr("starting the engine").english, "", -1);
  ChildSpec spec;
  spec.program = engine;
  spec.arguments = {"trainability", "--json", "--progress-lines", "--config", file};
  spec.nice = kCheckNice;
  ChildLimits limits;
  limits.seconds = kLongestCheckSeconds;
  limits.watch = EngineProgress(progress);
  FATHOM_TRY(const ChildOutput output, runChild(spec, limits, stop));
  if (stop.stopRequested()) return interruptedError();
  if (output.exitCode != 0) return engineError(output);
  FATHOM_TRY(Json report, parseJson(answerLineOf(output.out), engine));
  if (!report.is_object() || !report.contains("verdict") || !report.contains("checks"))
    return dataError(Phrase::tr("the engine's answer about trainability has no verdict"));
  progress.finish();
  return report;
}

std::string trainabilityText(const Json& report) {
  std::string text = "verdict: " + report.at("verdict").get<std::string>() + "\n\n";
  TextTable checks({"verdict", "reason"});
  for (const Json& check : report.at("checks")) {
    checks.addRow({check.at("verdict").get<std::string>(), check.at("reason").get<std::string>()});
    if (const std::string change = check.at("change").get<std::string>(); !change.empty())
      checks.addRow({"", "would help: " + change});
  }
  TextTable scales(
      {"stack", "scheme", "layers", "mu", "input", "last sum", "predicted", "shift at peak rate"});
  for (const Json& stack : report.at("stacks")) {
    scales.addRow({stack.at("stack").get<std::string>(), stack.at("residual").get<std::string>(),
                   std::to_string(stack.at("layers").get<std::int64_t>()), numberText(stack.at("mu")),
                   numberText(stack.at("input_scale")), numberText(stack.at("measured_scale").back()),
                   numberText(stack.at("predicted_scale").back()),
                   numberText(stack.at("output_shift").at("at_peak_rate"))});
  }
  text += checks.text() + "\n" + scales.text();
  if (const std::string note = report.value("note", ""); !note.empty()) text += "\n" + note + "\n";
  if (const Json sample = report.value("sample", Json()); sample.is_object())
    text += "\n" + samplePhrase(sample).english() + "\n";
  return text;
}

}  // namespace fathom
