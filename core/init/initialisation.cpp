// SPDX-License-Identifier: Apache-2.0
#include "core/init/initialisation.h"

#include "core/base/options/field_builder.h"

namespace fathom {

bool InitTarget::takes(const ParameterInfo& info) const {
  return stacks.empty() || stacks.count(info.stack) != 0;
}

Result<Json> initialiseModel(Model& model, const OptionValues& options, std::uint64_t seed,
                             const ProfileForward& profileForward, std::int64_t trainingBatches,
                             const AfterFill& afterFill) {
  const std::string id = options.text("init");
  const InitEntry* entry = findEntry(initEntries(), id);
  if (entry == nullptr) return usageError(Phrase::tr("unknown initialisation '%1'")(id));
  Json tensors = Json::array(), calibration = Json::array();
  InitTarget target{model, options, seed, profileForward, {}, trainingBatches, &tensors};
  try {
    FATHOM_CHECK(entry->fill(target));
    if (afterFill) FATHOM_CHECK(afterFill(target));
    target.report = &calibration;
    if (entry->calibrate) FATHOM_CHECK(entry->calibrate(target));
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

std::vector<OptionField> initOptionFields() {
  return inGroup(
      "Model",
      joinedFields(
          {{choiceField("init", "Initialisation",
                        "First values of the weights; every tensor has its own random stream.",
                        entryChoices(initEntries()))},
           entryFields(initEntries(), "init", [](const InitEntry& entry) { return entry.fields(); })}));
}

std::vector<OptionRule> initOptionRules() {
  std::vector<OptionRule> rules;
  for (const InitEntry& entry : initEntries()) {
    for (OptionRule& rule : entry.rules()) rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace fathom
