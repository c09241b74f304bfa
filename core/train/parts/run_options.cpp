// SPDX-License-Identifier: Apache-2.0
#include "core/train/parts/run_options.h"

#include "core/base/options/field_builder.h"
#include "core/init/initialisation.h"
#include "core/nn/models/model.h"
#include "core/objectives/objective.h"
#include "core/optim/optimizer.h"
#include "core/tasks/task.h"
#include "core/train/parts/train_settings.h"

namespace fathom {

namespace {

OptionSchema makeSchema() {
  std::vector<OptionField> fields;
  std::vector<OptionRule> rules;
  const auto add = [&](std::vector<OptionField> moreFields, std::vector<OptionRule> moreRules) {
    addFields(fields, std::move(moreFields));
    rules.insert(rules.end(), std::make_move_iterator(moreRules.begin()),
                 std::make_move_iterator(moreRules.end()));
  };
  add(taskOptionFields(), taskOptionRules());
  add(nnOptionFields(), nnOptionRules());
  add(initOptionFields(), initOptionRules());
  add(objectiveOptionFields(), objectiveOptionRules());
  add(optimOptionFields(), optimOptionRules());
  add(trainOptionFields(), trainOptionRules());
  return OptionSchema(std::move(fields), std::move(rules));
}

Result<OptionValues> optionsOf(const OptionSchema& schema, const RunConfig& config, const std::string& file,
                               const std::vector<std::string>& assignments) {
  OptionValues options(schema);
  FATHOM_CHECK(options.merge(config.options, file));
  for (const std::string& assignment : assignments) FATHOM_CHECK(options.setText(assignment));
  FATHOM_CHECK(options.check());
  return options;
}

}  // namespace

const OptionSchema& runSchema() {
  static const OptionSchema schema = makeSchema();
  return schema;
}

Result<OptionValues> runOptions(const RunConfig& config, const std::string& file,
                                const std::vector<std::string>& assignments) {
  return optionsOf(runSchema(), config, file, assignments);
}

Result<OptionValues> networkOptions(const RunConfig& config, const std::string& file,
                                    const std::vector<std::string>& assignments) {
  std::vector<OptionRule> rules = nnOptionRules();
  for (OptionRule& rule : initOptionRules()) rules.push_back(std::move(rule));
  return optionsOf(OptionSchema(runSchema().fields(), std::move(rules)), config, file, assignments);
}

Result<OptionValues> recordedOptions(const Json& options, const std::string& file) {
  OptionValues values(runSchema());
  FATHOM_CHECK(values.merge(options, file, true));
  FATHOM_CHECK(values.check());
  return values;
}

}  // namespace fathom
