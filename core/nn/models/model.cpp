// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/model.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/nn/field_builder.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"

namespace fathom {

torch::Tensor SequenceModel::logits(const torch::Tensor& hidden) const {
  return at::linear(hidden, outputWeight());
}

ModelInputs ModelInputs::ofVocabulary(std::int64_t pieces) {
  ModelInputs inputs;
  inputs.m_pieces = pieces;
  return inputs;
}

// "joined_vocabulary" is a flag: whatever is not 0 says yes.
const std::int64_t* ModelInputs::find(std::string_view name) const {
  if (const auto found = m_facts.find(name); found != m_facts.end()) return &found->second;
  return m_pieces > 0 && name.ends_with("vocabulary") ? &m_pieces : nullptr;
}

std::int64_t ModelInputs::at(std::string_view name) const {
  if (const std::int64_t* fact = find(name)) return *fact;
  Error error = usageError(Phrase::tr("the model needs '%1', which the task does not give")(name),
                           Phrase::tr("choose another model for this task"));
  error.key = "model";
  throw Failure(std::move(error));
}

std::int64_t ModelInputs::value(std::string_view name, std::int64_t otherwise) const {
  const std::int64_t* fact = find(name);
  return fact == nullptr ? otherwise : *fact;
}

Result<std::unique_ptr<Model>> buildModel(const OptionValues& options, const ModelInputs& inputs,
                                          const torch::TensorOptions& tensors) {
  FATHOM_CHECK(options.check());
  const std::string id = options.text("model");
  for (const ModelEntry& entry : modelEntries()) {
    if (entry.id != id) continue;
    try {
      return entry.make(options, inputs, tensors);
    } catch (const Failure& failure) {
      return failure.error();
    }
  }
  return usageError(Phrase::tr("unknown model '%1'")(id));
}

Result<ParameterCount> parameterCount(const OptionValues& options, const ModelInputs& inputs) {
  FATHOM_TRY(const std::unique_ptr<Model> model,
             buildModel(options, inputs, torch::TensorOptions().device(torch::kMeta).dtype(torch::kFloat32)));
  const ParameterStore& store = model->parameters();
  const auto isTable = [](const ParameterInfo& info) {
    return info.role == ParameterRole::TokenEmbedding || info.role == ParameterRole::SegmentEmbedding ||
           info.role == ParameterRole::PositionEmbedding || info.role == ParameterRole::OutputProjection;
  };
  ParameterCount count;
  count.total = store.parameterCount();
  count.embeddings = store.parameterCount(isTable);
  const auto inStack = [&](StackKind stack) {
    return store.parameterCount(
        [&](const ParameterInfo& info) { return info.stack == stack && !isTable(info); });
  };
  count.encoder = inStack(StackKind::Encoder);
  count.decoder = inStack(StackKind::Decoder);
  count.extra = inStack(StackKind::Extra);
  return count;
}

namespace {
// Fields of one stack are active under the models that have it.
std::vector<Json> modelsWith(StackKind stack) {
  std::vector<Json> ids;
  for (const ModelEntry& entry : modelEntries()) {
    if (std::find(entry.stacks.begin(), entry.stacks.end(), stack) != entry.stacks.end())
      ids.emplace_back(entry.id);
  }
  return ids;
}
}  // namespace

std::vector<OptionField> nnOptionFields() {
  std::vector<OptionChoice> choices;
  for (const ModelEntry& entry : modelEntries()) choices.push_back({entry.id, entry.title});
  std::vector<OptionField> fields = {FieldBuilder("model", OptionType::Choice, choices[0].id)
                                         .title("Model")
                                         .help("Kind of network.")
                                         .choices(choices)
                                         .group("Model")};
  for (OptionField& field : sharedOptionFields()) fields.push_back(std::move(field));
  // A key that several models list is declared once and active under all of them.
  std::vector<OptionField> own;
  std::map<std::string, std::vector<Json>> users;
  for (const ModelEntry& entry : modelEntries()) {
    for (OptionField& field : entry.fields()) {
      field.group = "Model";
      std::vector<Json>& ids = users[field.key];
      ids.emplace_back(entry.id);
      if (ids.size() == 1) own.push_back(std::move(field));
    }
  }
  for (OptionField& field : own) {
    field.enabledWhen.push_back({"model", OptionClause::Test::In, users[field.key]});
    fields.push_back(std::move(field));
  }
  for (const StackKind stack : {StackKind::Encoder, StackKind::Decoder, StackKind::Extra}) {
    for (OptionField& field : stackOptionFields(stack)) {
      field.enabledWhen.insert(field.enabledWhen.begin(),
                               {"model", OptionClause::Test::In, modelsWith(stack)});
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

std::vector<OptionRule> nnOptionRules() {
  std::vector<OptionRule> rules = sharedOptionRules();
  for (const ModelEntry& entry : modelEntries()) {
    for (OptionRule& rule : entry.rules()) {
      rule.when.push_back({"model", OptionClause::Test::In, {Json(entry.id)}});
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace fathom
