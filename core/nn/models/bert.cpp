// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/bert.h"

#include "core/base/error.h"
#include "core/nn/dropout.h"
#include "core/nn/field_builder.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"

namespace fathom {

namespace {
ParameterInfo outside(const std::string& name, ParameterRole role) {
  ParameterInfo info;
  info.name = name;
  info.role = role;
  return info;
}
}  // namespace

Bert::Bert(const BertConfiguration& configuration, const OptionValues& options,
           const torch::TensorOptions& tensors)
    : m_configuration(configuration), m_store(tensors) {
  const StackSetup& setup = configuration.encoder.setup;
  m_tokens = addTable("embedding.token.weight", configuration.vocabulary, ParameterRole::TokenEmbedding);
  m_segments = addTable("embedding.segment.weight", configuration.segments, ParameterRole::SegmentEmbedding);
  m_positions =
      addTable("embedding.position.weight", configuration.maxPositions, ParameterRole::PositionEmbedding);
  if (configuration.embeddingLayerNorm) {
    m_embeddingNorm = {m_store, "embedding.layer_norm", outside("", ParameterRole::NormWeight), setup.width,
                       setup.normEps};
  }
  m_encoder = std::make_unique<TransformerStack>(m_store, configuration.encoder, options);
  addHeads();
}

void Bert::addHeads() {
  const StackSetup& setup = m_configuration.encoder.setup;
  const BertHead head = m_configuration.head;
  if (head != BertHead::Span) m_pooler = addLinear("pooler", setup.width);
  if (head == BertHead::PreTraining) {
    m_maskedTransform = addLinear("mlm.transform", setup.width);
    m_maskedNorm = {m_store, "mlm.layer_norm", outside("", ParameterRole::NormWeight), setup.width,
                    setup.normEps};
    m_maskedBias = m_store.add(outside("mlm.bias", ParameterRole::Bias), {m_configuration.vocabulary});
    m_nextSentence = addLinear("nsp", 2);
  }
  if (head == BertHead::Classification) m_task = addLinear("classification", m_configuration.classes);
  if (head == BertHead::MultipleChoice) m_task = addLinear("multiple_choice", 1);
  if (head == BertHead::Span) m_task = addLinear("span", 2);
}

torch::Tensor Bert::addTable(const std::string& name, std::int64_t rows, ParameterRole role) {
  return m_store.add(outside(name, role), {rows, m_configuration.encoder.setup.width});
}

Bert::Linear Bert::addLinear(const std::string& name, std::int64_t out) {
  return {m_store.add(outside(name + ".weight", ParameterRole::Dense),
                      {out, m_configuration.encoder.setup.width}),
          m_store.add(outside(name + ".bias", ParameterRole::Bias), {out})};
}

const std::string& Bert::id() const {
  static const std::string name = "bert";
  return name;
}

torch::Tensor Bert::embedded(const TextBatch& batch) const {
  const std::int64_t length = batch.tokens.size(1);
  if (length > m_configuration.maxPositions) {
    throw Failure(dataError("a text of " + std::to_string(length) +
                                " tokens does not fit the position table of " +
                                std::to_string(m_configuration.maxPositions),
                            "raise model.bert.max_positions or cut longer texts"));
  }
  const torch::Tensor words = at::embedding(m_tokens, batch.tokens);
  const torch::Tensor places = m_positions.narrow(0, 0, length);
  if (!batch.segments.defined()) return words + (places + m_segments[0]);
  return words + at::embedding(m_segments, batch.segments) + places;
}

torch::Tensor Bert::hidden(const TextBatch& batch, const StepContext& context) const {
  torch::Tensor x = embedded(batch);
  if (m_configuration.embeddingLayerNorm) x = m_embeddingNorm(x);
  x = dropout(x, m_configuration.dropout, context, "embedding");
  const AttentionMask mask = makeAttentionMask(batch.padding, false, batch.tokens.size(1),
                                               MaskStyle::AddMinus10000, m_store.options());
  const torch::Tensor none;
  return m_encoder->forward(x, {mask, none, mask, none}, context);
}

torch::Tensor Bert::pooled(const torch::Tensor& hidden) const {
  return at::tanh(at::linear(hidden.select(1, 0), m_pooler.weight, m_pooler.bias));
}

torch::Tensor Bert::maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const {
  const torch::Tensor rows = hidden.reshape({-1, hidden.size(-1)}).index_select(0, positions);
  const torch::Tensor x = at::linear(rows, m_maskedTransform.weight, m_maskedTransform.bias);
  return m_maskedNorm(activate(x, m_configuration.encoder.activation));
}

torch::Tensor Bert::nextSentenceLogits(const torch::Tensor& pooled) const {
  return at::linear(pooled, m_nextSentence.weight, m_nextSentence.bias);
}

torch::Tensor Bert::taskLogits(const torch::Tensor& hidden, const StepContext& context) const {
  const bool span = m_configuration.head == BertHead::Span;
  const torch::Tensor x =
      span ? hidden : dropout(pooled(hidden), m_configuration.dropout, context, "task_head");
  return at::linear(x, m_task.weight, m_task.bias);
}

namespace {

std::vector<OptionField> bertFields() {
  return {FieldBuilder("model.bert.max_positions", OptionType::Integer, 512)
              .title("Position rows")
              .help("Rows of the learned position table; longer texts are refused.")
              .unit("tokens")
              .atLeast(1)
              .atMost(1 << 20)
              .reference("transformers.md §1.10"),
          FieldBuilder("model.bert.segments", OptionType::Integer, 2)
              .title("Segment kinds")
              .help("Rows of the segment table; released configurations have 2.")
              .atLeast(1)
              .atMost(1024),
          FieldBuilder("model.bert.embedding_layer_norm", OptionType::Flag, true)
              .title("Layer norm on the input")
              .help("Layer norm after the sum of the three tables; whether Pre-LN BERT keeps it is not "
                    "stated in the paper.")
              .reference("transformers.md §10.3"),
          FieldBuilder("model.bert.norm_eps", OptionType::Real, 1e-12)
              .title("ε of layer norms")
              .help("Added to the variance.")
              .above(0),
          FieldBuilder("model.bert.head", OptionType::Choice, "pretraining")
              .title("Head")
              .help("What is put on top of the encoder.")
              .choices({{"none", "Pooler only"},
                        {"pretraining", "Masked words and next sentence"},
                        {"classification", "Classification"},
                        {"multiple_choice", "Multiple choice"},
                        {"span", "Span"}}),
          FieldBuilder("model.bert.classes", OptionType::Integer, 2)
              .title("Classes")
              .help("Outputs of the classification head; 1 for regression.")
              .atLeast(1)
              .atMost(100000)
              .when("model.bert.head", {"classification"})};
}

BertHead headFromId(const std::string& id) {
  if (id == "pretraining") return BertHead::PreTraining;
  if (id == "classification") return BertHead::Classification;
  if (id == "multiple_choice") return BertHead::MultipleChoice;
  return id == "span" ? BertHead::Span : BertHead::None;
}

std::unique_ptr<Model> makeBert(const OptionValues& options, const ModelInputs& inputs,
                                const torch::TensorOptions& tensors) {
  BertConfiguration configuration;
  configuration.encoder = stackConfiguration(options, StackKind::Encoder);
  configuration.encoder.setup.normEps = options.real("model.bert.norm_eps");
  configuration.vocabulary = inputs.sourceVocabulary;
  configuration.maxPositions = options.integer("model.bert.max_positions");
  configuration.segments = options.integer("model.bert.segments");
  configuration.classes = options.integer("model.bert.classes");
  configuration.embeddingLayerNorm = options.flag("model.bert.embedding_layer_norm");
  configuration.dropout = options.real("model.dropout");
  configuration.head = headFromId(options.text("model.bert.head"));
  return std::make_unique<Bert>(configuration, options, tensors);
}

}  // namespace

ModelEntry bertEntry() {
  return {"bert",
          "BERT",
          "Devlin et al. 2019",
          bertFields,
          [] { return std::vector<OptionRule>(); },
          {StackKind::Encoder},
          false,
          makeBert};
}

}  // namespace fathom
