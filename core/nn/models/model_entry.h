// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/options/entry_table.h"
#include "core/nn/models/model.h"

namespace fathom {

struct ModelEntry {
  std::string id, title, reference;
  std::vector<OptionField> (*fields)() = noOptionFields;  // of this model alone: model.<id>.<field>
  std::vector<OptionRule> (*rules)() = noOptionRules;
  std::vector<StackKind> stacks;  // which stack options apply
  // Called with options that passed OptionValues::check. Throws Failure.
  std::unique_ptr<Model> (*make)(const OptionValues& options, const ModelInputs& inputs,
                                 const torch::TensorOptions& tensors);
  bool givenRelations = false;  // relations of its extra layers come with the data: no distances there
};
const std::vector<ModelEntry>& modelEntries();  // models.list

}  // namespace fathom
