// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/sql_sp.h"

#include "core/base/options/field_builder.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"

namespace fathom {

SqlSp::SqlSp(const SqlSpConfiguration& configuration, const OptionValues& options,
             const torch::TensorOptions& tensors)
    : m_configuration(configuration), m_store(tensors) {
  m_encoder = std::make_unique<Bert>(m_store, configuration.encoder, options);
  freezeEncoder(m_store, configuration.training, configuration.encoder.encoder.setup.layers(),
                configuration.trainedLayers);
  SqlNetworkSetup network = configuration.network;
  network.inputs = configuration.encoder.encoder.setup.width;
  m_network = std::make_unique<SqlNetwork>(m_store, network, options);
}

const std::string& SqlSp::id() const {
  static const std::string name = "sql_sp";
  return name;
}

std::vector<StackDescription> SqlSp::stacks() const {
  std::vector<StackDescription> stacks = m_encoder->stacks();
  stacks.push_back(m_network->layers());
  return stacks;
}

ResidualScheme& SqlSp::residual(StackKind stack) {
  return stack == StackKind::Extra ? m_network->residual() : m_encoder->residual(stack);
}

torch::Tensor SqlSp::pieceStates(const TextBatch& rows, const StepContext& context) const {
  const at::AutoGradMode gradients(at::GradMode::is_enabled() && encoderLearns());
  return m_encoder->hidden(rows, context).flatten(0, 1);
}

std::vector<std::int64_t> QueryModel::firstPieces(const TextBatch& rows) {
  std::vector<std::int64_t> first;
  for (std::int64_t b = 0; b < rows.tokens.size(0); ++b) first.push_back(b * rows.tokens.size(1));
  return first;
}

namespace {

constexpr EnumWord<EmptySpan> kEmptySpans[] = {
    {EmptySpan::Zero, "zero", "Zero"},
    {EmptySpan::NotANumber, "not_a_number", "Not a number (released code)"}};

}  // namespace

SqlSpConfiguration sqlSpConfiguration(const OptionValues& options, const ModelInputs& inputs) {
  const std::string key = "model.sql_sp.";
  SqlSpConfiguration configuration;
  configuration.encoder = bertConfiguration(options, inputs);
  configuration.encoder.head = "none";
  configuration.training = valueOf(kEncoderTrainings, options.text(key + "encoder"));
  configuration.trainedLayers = options.integer(key + "trained_layers");
  SqlNetworkSetup& network = configuration.network;
  network.layers = extraStackConfiguration(options);
  network.layers.setup.width = options.integer(key + "width");
  network.layers.selfAttention.relationTypes =
      inputs.value("relation_types", network.layers.selfAttention.relationTypes);
  network.questionDropout = options.real(key + "question_dropout");
  network.schemaDropout = options.real(key + "schema_dropout");
  network.emptyWords = valueOf(kEmptySpans, options.text(key + "empty_words"));
  GrammarDecoderSetup& decoder = network.decoder;
  decoder.heads = options.integer(key + "decoder_heads");
  decoder.action = options.integer(key + "action_width");
  decoder.type = options.integer(key + "type_width");
  decoder.hidden = options.integer(key + "hidden");
  decoder.vector = options.integer(key + "vector");
  decoder.dropout = options.real(key + "vector_dropout");
  decoder.smoothing = options.real(key + "column_smoothing");
  return configuration;
}

namespace {

constexpr const char* kAppendix = "DT-Fixup App. C";

FieldBuilder sizeField(const char* key, std::int64_t value, const char* title, const char* help) {
  return integerField(key, title, help, value).between(1, 65536).reference(kAppendix);
}

FieldBuilder shareField(const char* key, double value, const char* title, const char* help) {
  return realField(key, title, help, value).atLeast(0).below(1).off(0.0).reference(kAppendix);
}

std::vector<OptionField> parserFields() {
  return {
      choiceField(
          "model.sql_sp.encoder", "Encoder",
          "Whether the pre-trained encoder learns with the rest; a frozen one is run once, before the "
          "training, and its states are kept.",
          choicesOf(kEncoderTrainings)),
      integerField("model.sql_sp.trained_layers", "Trained layers of the encoder",
                   "Counted from the top; tables and layers below stay as they are.", 2)
          .unit("layers")
          .between(1, 1000)
          .when("model.sql_sp.encoder", {"top"}),
      sizeField("model.sql_sp.width", 256, "Width above the encoder",
                "Entries of the vectors of schema items, of the extra layers and of the attention of the "
                "decoder."),
      shareField("model.sql_sp.question_dropout", 0.6, "Dropout of words",
                 "On the vectors of words before their projection."),
      shareField("model.sql_sp.schema_dropout", 0.6, "Dropout of schema items",
                 "On the vectors of columns and tables before their projection."),
      choiceField(
          "model.sql_sp.empty_words", "Words without pieces",
          "Their vector: zero, or not a number as in the released code, where the example then counts "
          "for nothing in the measured µ.",
          choicesOf(kEmptySpans))
          .reference("DT-Fixup's released code, rat_encoders"),
      sizeField("model.sql_sp.hidden", 512, "Width of the decoder",
                "Entries of the state of the decoder's LSTM."),
      sizeField("model.sql_sp.vector", 256, "Width of the attentional vector",
                "Entries of what is made of state and context; readouts and the next step read it."),
      sizeField("model.sql_sp.decoder_heads", 8, "Heads of the decoder",
                "Of its attention over question and schema; the width above the encoder must be a multiple."),
      sizeField("model.sql_sp.action_width", 128, "Width of actions", "Entries of the vector of an action."),
      sizeField("model.sql_sp.type_width", 64, "Width of types",
                "Entries of the vector of a grammar type; the released configuration has 128."),
      shareField("model.sql_sp.vector_dropout", 0.6, "Dropout of the attentional vector",
                 "On it, before readouts and the next step read it."),
      shareField(
          "model.sql_sp.column_smoothing", 0.2, "Label smoothing of columns",
          "Share of a column's target that is spread over all columns of the example; rules have none.")};
}

// Of the parts' own options those that are not decided here.
std::vector<OptionField> sqlSpFields() {
  std::vector<OptionField> fields = parserFields();
  for (OptionField& field : extraLayersFields()) {
    if (field.key != "model.extra_layers.relation_types") fields.push_back(std::move(field));
  }
  for (OptionField& field : bertFields()) {
    if (field.key != "model.bert.head" && field.key != "model.bert.classes")
      fields.push_back(std::move(field));
  }
  return fields;
}

OptionRule notMultiple(Json of, const char* reason, std::vector<std::string> keys) {
  OptionRule rule;
  rule.when = {{"model.sql_sp.width", OptionClause::Test::NotMultiple, {std::move(of)}}};
  rule.reason = reason;
  rule.keys = std::move(keys);
  return rule;
}

std::vector<OptionRule> sqlSpRules() {
  OptionRule tooMany;
  tooMany.when = {{"model.sql_sp.encoder", OptionClause::Test::In, {"top"}},
                  {"encoder.layers",
                   OptionClause::Test::AtMost,
                   {Json{{"key", "model.sql_sp.trained_layers"}, {"plus", -1}}}}};
  tooMany.reason = "the encoder has fewer layers than are to be trained";
  tooMany.keys = {"model.sql_sp.trained_layers", "encoder.layers"};
  return {
      notMultiple(Json{{"key", "model.extra_layers.heads"}},
                  "the width above the encoder must be a multiple of the number of heads of the extra layers",
                  {"model.sql_sp.width", "model.extra_layers.heads"}),
      notMultiple(Json{{"key", "model.sql_sp.decoder_heads"}},
                  "the width above the encoder must be a multiple of the number of heads of the decoder",
                  {"model.sql_sp.width", "model.sql_sp.decoder_heads"}),
      notMultiple(2, "both directions over schema items have half the width: it must be even",
                  {"model.sql_sp.width"}),
      tooMany};
}

std::unique_ptr<Model> makeSqlSp(const OptionValues& options, const ModelInputs& inputs,
                                 const torch::TensorOptions& tensors) {
  return std::make_unique<SqlSp>(sqlSpConfiguration(options, inputs), options, tensors);
}

}  // namespace

ModelEntry sqlSpEntry() {
  return {.id = "sql_sp",
          .title = "SQL-SP (questions to SQL)",
          .reference = "DT-Fixup §4",
          .fields = sqlSpFields,
          .rules = sqlSpRules,
          .stacks = {StackKind::Encoder, StackKind::Extra},
          .offers = {Representation::Queries},
          .prefix = kBertPrefix,
          .make = makeSqlSp,
          .givenRelations = true};
}

}  // namespace fathom
