// SPDX-License-Identifier: Apache-2.0
#include "core/init/initialisation.h"

#include "core/nn/field_builder.h"

namespace fathom {

bool InitTarget::takes(const ParameterInfo& info) const {
  return stacks.empty() || stacks.count(info.stack) != 0;
}

Result<Json> initialiseModel(Model& model, const OptionValues& options, std::uint64_t seed,
                             const ProfileForward& profileForward, std::int64_t trainingBatches,
                             const AfterFill& afterFill) {
  const std::string id = options.text("init");
  for (const InitEntry& entry : initEntries()) {
    if (entry.id != id) continue;
    Json tensors = Json::array(), calibration = Json::array();
    InitTarget target{model, options, seed, profileForward, {}, trainingBatches, &tensors};
    try {
      FATHOM_CHECK(entry.fill(target));
      if (afterFill) FATHOM_CHECK(afterFill(model));
      target.report = &calibration;
      if (entry.calibrate) FATHOM_CHECK(entry.calibrate(target));
    } catch (const Failure& failure) {
      return failure.error();
    }
    Json report;
    report["init"] = id;
    report["seed"] = seed;
    report["tensors"] = std::move(tensors);
    report["profile"] = std::move(calibration);
    return report;
  }
  return usageError(Phrase::tr("unknown initialisation '%1'")(id));
}

std::vector<OptionField> initOptionFields() {
  std::vector<OptionChoice> choices;
  for (const InitEntry& entry : initEntries()) choices.push_back({entry.id, entry.title});
  std::vector<OptionField> fields = {
      FieldBuilder("init", OptionType::Choice, choices[0].id)
          .title("Initialisation")
          .help("First values of the weights; every tensor has its own random stream.")
          .choices(choices)
          .group("Model")};
  for (const InitEntry& entry : initEntries()) {
    for (OptionField& field : entry.fields()) {
      field.group = "Model";
      field.enabledWhen.push_back({"init", OptionClause::Test::In, {Json(entry.id)}});
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

std::vector<OptionRule> initOptionRules() {
  std::vector<OptionRule> rules;
  for (const InitEntry& entry : initEntries()) {
    for (OptionRule& rule : entry.rules()) rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace fathom
