// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/probe_fields.h"

#include <utility>

#include "core/base/options/field_builder.h"
#include "core/record/results/analysis_variant.h"
#include "core/record/runs/checkpoint_choice.h"
#include "views/figures/sample_notes.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

Result<Json> wantedOf(const OptionValues& options) {
  FATHOM_TRY(Json wanted, wantedVariant(options.text("computed")));
  if (options.schema().find("example") != nullptr) wanted["example"] = options.integer("example");
  return wanted;
}

}  // namespace

OptionField computedField() {
  return typedField("computed", "Computed with",
                    "Which result where there are several, such as examples=200; change=adam. Empty: the one "
                    "computed last.");
}

OptionField scaleField() {
  return choiceField(
      "scale", "Scale",
      "One scale for all computed checkpoints of the runs, so that they compare, or one for what is shown.",
      {{"all", "of all checkpoints"}, {"shown", "of what is shown"}});
}

Result<ProbedResult> probedAs(AnalysisSource& source, const std::string& run, const std::string& analysis,
                              const std::string& checkpoint, const OptionValues& options) {
  FATHOM_TRY(const Json wanted, wantedOf(options));
  return wanted.empty() ? source.probed(run, analysis, checkpoint)
                        : source.probedWith(run, analysis, checkpoint, wanted);
}

Result<ProbedResult> probedWithMoment(AnalysisSource& source, const std::string& run,
                                      const std::string& analysis, const std::string& checkpoint,
                                      const OptionValues& options) {
  FATHOM_TRY(ProbedResult probed, probedAs(source, run, analysis, checkpoint, options));
  const auto step = checkpointStep(probed.checkpoint);
  if (!checkpoint.starts_with("<=") || !step || checkpoint == "<=" + std::to_string(*step)) return probed;
  // Short, and the same in every language: it must fit above a narrow panel.
  probed.name += *step == 0 ? " @init" : " @" + std::to_string(*step);
  return probed;
}

std::vector<ProbedResult> probedStates(AnalysisSource& source, const std::string& run,
                                       const std::string& analysis, const OptionValues& options) {
  std::vector<ProbedResult> states;
  for (const std::string& name : source.probedCheckpoints(run, analysis))
    if (auto probed = probedAs(source, run, analysis, name, options); probed.ok())
      states.push_back(std::move(*probed));
  return states;
}

std::vector<ProbedResult> scaleStates(AnalysisSource& source, const std::string& analysis,
                                      const OptionValues& options) {
  std::vector<ProbedResult> all;
  if (options.text("scale") != "all") return all;
  if (const auto* sampled = dynamic_cast<const SampledSource*>(&source))  // they are not shown
    return scaleStates(sampled->unnoted(), analysis, options);
  for (const std::string& run : source.runs())
    for (ProbedResult& state : probedStates(source, run, analysis, options)) all.push_back(std::move(state));
  return all;
}

}  // namespace fathom
