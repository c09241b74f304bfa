// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/objective.h"

#include <cmath>

namespace fathom {

NamedValues Objective::trainingValues(double lossSum, double units, const NamedValues& means) const {
  NamedValues values{{"loss", lossSum / units}};
  values.insert(values.end(), means.begin(), means.end());
  values.emplace_back("ppl", std::exp(means.front().second));
  return values;
}

const ObjectiveEntry* objectiveForTask(std::string_view task) {
  for (const ObjectiveEntry& entry : objectiveEntries())
    if (entry.task == task) return &entry;
  return nullptr;
}

std::vector<OptionField> objectiveOptionFields() {
  return entryFields(
      objectiveEntries(), "task", [](const ObjectiveEntry& entry) { return entry.fields(); },
      &ObjectiveEntry::task);
}

std::vector<OptionRule> objectiveOptionRules() {
  return entryRules(
      objectiveEntries(), "task", [](const ObjectiveEntry& entry) { return entry.rules(); },
      &ObjectiveEntry::task);
}

}  // namespace fathom
