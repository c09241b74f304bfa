// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/options/entry_table.h"
#include "core/nn/models/model.h"
#include "core/nn/models/representation.h"

namespace fathom {

struct ModelEntry {
  std::string id, title, reference;
  std::vector<OptionField> (*fields)() = noOptionFields;  // of this model alone: model.<id>.<field>
  std::vector<OptionRule> (*rules)() = noOptionRules;
  std::vector<StackKind> stacks;  // which stack options apply
  std::vector<Representation> offers;
  std::string prefix;  // of the options that say how it reads text, and of its heads'; empty: it has none
  // Called with options that passed OptionValues::check. Throws Failure.
  std::unique_ptr<Model> (*make)(const OptionValues& options, const ModelInputs& inputs,
                                 const torch::TensorOptions& tensors);
  bool givenRelations = false;  // relations of its extra layers come with the data: no distances there

  bool gives(Representation one) const {
    return std::find(offers.begin(), offers.end(), one) != offers.end();
  }
  bool hasStack(StackKind kind) const {
    return std::find(stacks.begin(), stacks.end(), kind) != stacks.end();
  }
};
const std::vector<ModelEntry>& modelEntries();  // models.list
// Whether the model has the option "<prefix>.<name>".
bool hasOption(const ModelEntry& model, const std::string& name);

}  // namespace fathom
