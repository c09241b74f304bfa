// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/trainability_request.h"

#include "app/requests/engine_question.h"
#include "app/runner/engine_progress.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/text/number_text.h"
#include "views/figures/sample_notes.h"

namespace fathom {

namespace {

std::string numberText(const Json& json) {
  return formatted("%.3g", realFromJson(json).value());
}

}  // namespace

Result<Json> checkTrainability(const RunConfig& config, Progress& progress, const StopToken& stop) {
  QuestionFiles files;
  FATHOM_TRY(const std::string file, files.write(config));
  FATHOM_TRY(const EngineAnswer output,
             askEngine({{"trainability", "--json", "--config", file}}, progress, stop));
  if (output.exitCode != 0) return engineError(output);
  FATHOM_TRY(Json report, output.json());
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
