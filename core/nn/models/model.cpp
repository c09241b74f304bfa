// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/model.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/nn/attention/relative_positions.h"
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
  throw Failure(
      aboutKey("model", usageError(Phrase::tr("the model needs '%1', which the task does not give")(name),
                                   Phrase::tr("choose another model for this task"))));
}

std::int64_t ModelInputs::value(std::string_view name, std::int64_t otherwise) const {
  const std::int64_t* fact = find(name);
  return fact == nullptr ? otherwise : *fact;
}

Result<std::unique_ptr<Model>> buildModel(const OptionValues& options, const ModelInputs& inputs,
                                          const torch::TensorOptions& tensors) {
  FATHOM_CHECK(options.check());
  const std::string id = options.text("model");
  const ModelEntry* entry = findEntry(modelEntries(), id);
  if (entry == nullptr) return usageError(Phrase::tr("unknown model '%1'")(id));
  try {
    return entry->make(options, inputs, tensors);
  } catch (const Failure& failure) {
    return failure.error();
  }
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
    return store.parameterCount([&](const ParameterInfo& info) {
      const bool beside = stack == StackKind::Encoder && info.stack == StackKind::Global;
      return (info.stack == stack || beside) && !isTable(info);
    });
  };
  count.encoder = inStack(StackKind::Encoder);
  count.decoder = inStack(StackKind::Decoder);
  count.extra = inStack(StackKind::Extra);
  return count;
}

namespace {
// A field of one stack is active under the models that have it.
std::vector<Json> modelsWith(StackKind stack, const std::string& key) {
  const bool distance = stack == StackKind::Extra && key == relativeDistanceField(stackName(stack)).key;
  // Of what is read beside the stream: an encoder's states.
  const bool memory = key.starts_with(std::string(stackName(StackKind::Decoder)) + ".cross_attention");
  std::vector<Json> ids;
  for (const ModelEntry& entry : modelEntries()) {
    if (distance && entry.givenRelations) continue;
    if (memory && !entry.hasStack(StackKind::Encoder)) continue;
    if (std::find(entry.stacks.begin(), entry.stacks.end(), stack) != entry.stacks.end())
      ids.emplace_back(entry.id);
  }
  return ids;
}
}  // namespace

std::vector<OptionField> nnOptionFields() {
  std::vector<OptionField> fields = joinedFields(
      {{choiceField("model", "Model", "Kind of network.", entryChoices(modelEntries())).group("Model")},
       sharedOptionFields(),
       inGroup("Model", entryFields(modelEntries(), "model",
                                    [](const ModelEntry& entry) { return entry.fields(); }))});
  for (const StackKind stack : {StackKind::Encoder, StackKind::Decoder, StackKind::Extra}) {
    for (OptionField& field : stackOptionFields(stack)) {
      field.enabledWhen.insert(field.enabledWhen.begin(),
                               {"model", OptionClause::Test::In, modelsWith(stack, field.key)});
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

std::vector<OptionRule> nnOptionRules() {
  std::vector<OptionRule> rules = sharedOptionRules();
  for (OptionRule& rule :
       entryRules(modelEntries(), "model", [](const ModelEntry& entry) { return entry.rules(); }))
    rules.push_back(std::move(rule));
  return rules;
}

}  // namespace fathom
