// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/objective.h"

#include <cmath>
#include <map>

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
  std::vector<OptionField> fields;
  std::map<std::string, std::size_t> position;
  std::map<std::string, std::vector<Json>> users;
  for (const ObjectiveEntry& entry : objectiveEntries()) {
    for (const OptionField& field : entry.fields()) {
      if (position.try_emplace(field.key, fields.size()).second) fields.push_back(field);
      users[field.key].push_back(entry.task);
    }
  }
  for (const auto& [key, index] : position)
    fields[index].enabledWhen.push_back({"task", OptionClause::Test::In, users[key]});
  return fields;
}

std::vector<OptionRule> objectiveOptionRules() {
  std::vector<OptionRule> rules;
  for (const ObjectiveEntry& entry : objectiveEntries()) {
    for (OptionRule rule : entry.rules()) {
      rule.when.push_back({"task", OptionClause::Test::In, {Json(entry.task)}});
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace fathom
