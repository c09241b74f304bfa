// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/bert.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/options/field_builder.h"
#include "core/nn/device_upload.h"
#include "core/nn/dropout.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/pooled_head.h"
#include "core/nn/models/stack_options.h"
#include "core/nn/on_host.h"
#include "core/nn/row_packing.h"
#include "core/nn/sinusoid_positions.h"

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
    : Bert(ownedStore(tensors), configuration, options) {}

Bert::Bert(ParameterStore& store, const BertConfiguration& configuration, const OptionValues& options)
    : Bert(StoreOwnership{nullptr, store}, configuration, options) {}

Bert::Bert(StoreOwnership store, const BertConfiguration& configuration, const OptionValues& options)
    : m_configuration(configuration), m_ownStore(std::move(store.own)), m_store(store.store) {
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
  freezeEncoder(m_store, configuration.training, setup.layers(), configuration.trainedLayers);
  if (configuration.extra)
    m_extra = std::make_unique<TransformerStack>(m_store, *configuration.extra, options);
  const HeadEntry& head = fathom::headEntry(configuration.head);
  if (head.ofPreTraining || needsPooler(head, options, kBertPrefix))
    m_pooler = headMap(m_store, "pooler", setup.width, setup.width);
  putHead(head, {.store = m_store,
                 .options = options,
                 .prefix = kBertPrefix,
                 .facts = m_configuration.facts,
                 .tokenTable = m_tokens,
                 .width = setup.width,
                 .activation = configuration.encoder.activation,
                 .normEps = setup.normEps,
                 .dropout = configuration.dropout});
}

torch::Tensor Bert::addTable(const std::string& name, std::int64_t rows, ParameterRole role) {
  return m_store.add(outside(name, role), {rows, m_configuration.encoder.setup.width});
}

const std::string& Bert::id() const {
  static const std::string alone = "bert", extended = "extra_layers";
  return m_extra ? extended : alone;
}

std::vector<StackDescription> Bert::stacks() const {
  std::vector<StackDescription> stacks = {m_encoder->description()};
  if (m_extra) stacks.push_back(m_extra->description());
  return stacks;
}

ResidualScheme& Bert::residual(StackKind stack) {
  return stack == StackKind::Extra && m_extra ? m_extra->residual() : m_encoder->residual();
}

torch::Tensor Bert::embedded(const TextBatch& batch) const {
  const torch::Tensor words = at::embedding(m_tokens, batch.tokens);
  const torch::Tensor places = placeRows(batch.tokens);
  if (!batch.segments.defined() || m_configuration.segments == 1) return words + (places + m_segments[0]);
  return words + at::embedding(m_segments, batch.segments) + places;
}

// Rows of the position table that tokens read: int64 [T], or [B, T] where they depend on the padding.
torch::Tensor Bert::placeIds(const torch::Tensor& tokens) const {
  const PositionRule rule = m_configuration.positions;
  const std::int64_t length = tokens.size(1), first = rule == PositionRule::Row ? 0
                                                      : rule == PositionRule::RowFromTwo
                                                          ? 2
                                                          : m_configuration.padId + 1;
  if (first + length > m_configuration.maxPositions) {
    throw Failure(dataError(Phrase::tr("a text of %1 tokens does not fit the position table of %2 rows")(
                                length, m_configuration.maxPositions),
                            Phrase::tr("raise model.bert.max_positions or cut longer texts")));
  }
  if (rule == PositionRule::NonPad) return positionIds(tokens, m_configuration.padId);
  return at::arange(first, first + length, tokens.options());
}

// [T, d] or [B, T, d].
torch::Tensor Bert::placeRows(const torch::Tensor& tokens) const {
  const torch::Tensor places = placeIds(tokens);
  if (places.dim() == 2) return at::embedding(m_positions, places);
  return m_positions.narrow(0, m_configuration.positions == PositionRule::RowFromTwo ? 2 : 0, tokens.size(1));
}

namespace {

// A stack over rows without padding [N, d]; the first row of each text alone [B, d] if asked.
torch::Tensor packedForward(const TransformerStack& stack, const torch::Tensor& rows,
                            const RowPacking& packing, const StackRange& range, bool firstAlone,
                            const StepContext& context) {
  AttentionMask mask;
  mask.querySpans = mask.keySpans = packing.spans;
  mask.padded = true;
  torch::Tensor none, starts, ones;
  if (firstAlone) starts = packing.spans.select(1, 0).contiguous(), ones = wholeSpans(packing.batch, 1);
  return stack.forward(rows, {mask, none, mask, none, nullptr, starts, ones, range}, context);
}

// [B, T, d] of all rows, or [B, 1, d] of the first ones.
torch::Tensor unpackedStates(const torch::Tensor& rows, const RowPacking& packing, bool firstAlone) {
  return firstAlone ? rows.unsqueeze(1) : unpacked(rows, packing);
}

}  // namespace

torch::Tensor Bert::hidden(const TextBatch& batch, const StepContext& context) const {
  const bool grouped = m_configuration.rowGroups > 1 && batch.padding.defined();
  if (!grouped || watched(context)) return layers(batch, context);
  if (packs(*m_encoder, batch, context)) return packedStates(batch, context, false);
  return batch.tokens.size(0) > 1 ? inGroups(batch, context) : layers(batch, context);
}

torch::Tensor Bert::headStates(const TextBatch& batch, const StepContext& context) const {
  const TransformerStack& last = m_extra ? *m_extra : *m_encoder;
  if (!readsFirstAlone(last, batch) || !packs(*m_encoder, batch, context)) return hidden(batch, context);
  return packedStates(batch, context, true);
}

std::int64_t Bert::frozenLayers() const {
  const std::int64_t layers = m_configuration.encoder.setup.encoderLayers;
  if (m_configuration.training == EncoderTraining::Whole) return 0;
  return encoderLearns() ? std::max<std::int64_t>(0, layers - m_configuration.trainedLayers) : layers;
}

bool Bert::keepsStates() const {
  return !encoderLearns() || (frozenLayers() > 0 && m_encoder->canBeCut());
}

torch::Tensor Bert::frozenStates(const TextBatch& batch) const {
  const at::NoGradGuard noGrad;
  if (!encoderLearns()) return encoderStates(batch, {});
  return encoderLayers(encoderInput(embedded(batch), {}), batch.padding, {.end = frozenLayers()}, {});
}

torch::Tensor Bert::headStatesAbove(const torch::Tensor& frozen, const TextBatch& batch,
                                    const StepContext& context) const {
  const StackRange above{.first = frozenLayers()};
  if (!packs(*m_encoder, batch, context) || !packs(*m_extra, batch, context)) {
    const torch::Tensor states =
        encoderLearns() ? encoderLayers(frozen, batch.padding, above, inEncoder(context)) : frozen;
    return extraStates(states, batch, context);
  }
  const RowPacking packing = packingOf(batch);
  torch::Tensor rows = frozen.flatten(0, 1).index_select(0, packing.rows);
  if (encoderLearns()) rows = packedForward(*m_encoder, rows, packing, above, false, inEncoder(context));
  return packedExtra(rows, packing, batch, context, readsFirstAlone(*m_extra, batch));
}

// The encoder of a model whose inputs alone are looked at has nobody who watches its layers.
StepContext Bert::inEncoder(const StepContext& given) const {
  StepContext context = given;
  context.training = given.training && encoderLearns();
  if (!watched(given)) context.observer = nullptr;
  return context;
}

// No layers read the encoder's states, neither here nor in a larger model.
bool Bert::endsHere() const {
  return !m_extra && m_ownStore != nullptr;
}

// The input of layer 0: the sum of the tables, normalised, with dropout where they learn.
torch::Tensor Bert::encoderInput(torch::Tensor sum, const StepContext& context) const {
  if (m_configuration.embeddingLayerNorm) sum = m_embeddingNorm(sum);
  if (m_configuration.training != EncoderTraining::Whole) return sum;
  return dropout(sum, m_configuration.dropout, context, "embedding");
}

// Whoever looks at more than what enters the layers is shown the batch as it came.
bool Bert::watched(const StepContext& context) const {
  return context.observer != nullptr && !context.observer->layerInputsAlone();
}

// Where the layers take real rows alone, padding is not computed at all. Texts of one length have none.
bool Bert::packs(const TransformerStack& stack, const TextBatch& batch, const StepContext& context) const {
  return m_configuration.rowGroups > 1 && !watched(context) && isOnHost(m_store.options().device()) &&
         stack.takesPackedRows(m_store.options(), batch.tokens.size(1));
}

namespace {

bool startsPadded(const TextBatch& batch) {
  if (batch.onHost.lengths.defined()) return batch.onHost.lengths.min().item<std::int64_t>() <= 0;
  return batch.padding.select(1, 0).any().item<bool>();
}

// Real tokens of every row, where padding stands behind them; int64 [B] on the host.
torch::Tensor lengthsOf(const TextBatch& batch) {
  if (batch.onHost.lengths.defined()) return batch.onHost.lengths;
  const torch::Tensor places = at::arange(1, batch.tokens.size(1) + 1, batch.tokens.options());
  return (places * batch.padding.logical_not()).amax(1).to(torch::kCPU);
}

}  // namespace

bool Bert::readsFirstAlone(const TransformerStack& last, const TextBatch& batch) const {
  if (!readsPooledAlone(headEntry())) return false;
  const bool begins = !batch.padding.defined() || !startsPadded(batch);
  return begins && last.readsSomeRows();
}

RowPacking Bert::packingOf(const TextBatch& batch) const {
  return fathom::packingOf(batch.padding.defined() ? batch.padding
                                                   : at::zeros_like(batch.tokens, torch::kBool));
}

torch::Tensor Bert::packedEmbedded(const TextBatch& batch, const RowPacking& packing) const {
  const torch::Tensor places = placeIds(batch.tokens).expand_as(batch.tokens);
  const torch::Tensor words = at::embedding(m_tokens, packed(batch.tokens, packing)) +
                              at::embedding(m_positions, packed(places, packing));
  if (!batch.segments.defined() || m_configuration.segments == 1) return words + m_segments[0];
  return words + at::embedding(m_segments, packed(batch.segments, packing));
}

// hidden() with zeros at padded places, or the first tokens' states alone [B, 1, d]. Dropout masks are those
// of the packed rows.
torch::Tensor Bert::packedStates(const TextBatch& batch, const StepContext& context, bool firstAlone) const {
  const RowPacking packing = packingOf(batch);
  const bool last = firstAlone && !m_extra;
  const torch::Tensor rows = packedEncoder(batch, packing, context, last);
  if (!m_extra) return unpackedStates(rows, packing, last);
  if (packs(*m_extra, batch, context)) return packedExtra(rows, packing, batch, context, firstAlone);
  return extraStates(unpacked(rows, packing), batch, context);
}

// The encoder's rows [N, d]; [B, d] of the first tokens alone.
torch::Tensor Bert::packedEncoder(const TextBatch& batch, const RowPacking& packing, const StepContext& given,
                                  bool firstAlone) const {
  const at::AutoGradMode gradients(at::GradMode::is_enabled() && encoderLearns());
  const StepContext context = inEncoder(given);
  const torch::Tensor x = encoderInput(packedEmbedded(batch, packing), context);
  if (given.observer) {
    given.observer->layerInput(StackKind::Encoder, "", unpacked(x, packing), batch.padding);
    if (endsHere()) return firstAlone ? x.index_select(0, packing.spans.select(1, 0)) : x;
  }
  return packedForward(*m_encoder, x, packing, {.still = frozenLayers()}, firstAlone, context);
}

// The extra layers' states of the encoder's rows [N, d]: [B, T, d], or the first tokens' states [B, 1, d].
torch::Tensor Bert::packedExtra(const torch::Tensor& rows, const RowPacking& packing, const TextBatch& batch,
                                const StepContext& context, bool firstAlone) const {
  if (context.observer) {
    context.observer->layerInput(StackKind::Extra, "", unpacked(rows, packing), batch.padding);
    return unpacked(rows, packing);  // looks at layer inputs alone, see packs()
  }
  const torch::Tensor x = dropout(rows, m_configuration.extraInputDropout, context, "extra_input");
  return unpackedStates(packedForward(*m_extra, x, packing, {}, firstAlone, context), packing, firstAlone);
}

// Rows sorted by length and cut into groups; each group is as wide as its longest row, so that most of the
// padding is never computed. Padded places of the result are 0. Each group has dropout streams of its own.
torch::Tensor Bert::inGroups(const TextBatch& batch, const StepContext& context) const {
  const std::int64_t rows = batch.tokens.size(0), width = batch.tokens.size(1);
  const std::int64_t groups = std::min(m_configuration.rowGroups, rows);
  const torch::Tensor lengths = lengthsOf(batch), ordered = lengths.argsort(true, 0, true);
  const torch::Tensor sorted = lengths.index_select(0, ordered);
  DeviceUpload upload(batch.tokens.device());
  const torch::Tensor order = upload.add(ordered), back = upload.add(ordered.argsort());
  upload.send();
  std::vector<torch::Tensor> parts;
  for (std::int64_t g = 0; g < groups; ++g) {
    const std::int64_t first = g * rows / groups, count = (g + 1) * rows / groups - first;
    const std::int64_t longest = std::max<std::int64_t>(sorted[first].item<std::int64_t>(), 1);
    const torch::Tensor chosen = order.narrow(0, first, count);
    const auto cut = [&](const torch::Tensor& all) {
      return all.defined() ? all.index_select(0, chosen).narrow(1, 0, longest) : all;
    };
    torch::Tensor padding = cut(batch.padding);
    if (sorted[first + count - 1].item<std::int64_t>() >= longest) padding = torch::Tensor();
    StepContext own = context;
    own.seed = streamSeed(context.seed, "rows", {g});
    parts.push_back(at::constant_pad_nd(layers({cut(batch.tokens), cut(batch.segments), padding}, own),
                                        {0, 0, 0, width - longest}));
  }
  return at::cat(parts, 0).index_select(0, back);
}

torch::Tensor Bert::layers(const TextBatch& batch, const StepContext& context) const {
  const torch::Tensor states = encoderStates(batch, context);
  return m_extra ? extraStates(states, batch, context) : states;
}

torch::Tensor Bert::encoderStates(const TextBatch& batch, const StepContext& given) const {
  const at::AutoGradMode gradients(at::GradMode::is_enabled() && encoderLearns());
  const StepContext context = inEncoder(given);
  const torch::Tensor x = encoderInput(embedded(batch), context);
  if (given.observer) given.observer->layerInput(StackKind::Encoder, "", x, batch.padding);
  if (given.observer && given.observer->layerInputsAlone() && endsHere()) return x;
  return encoderLayers(x, batch.padding, {.still = frozenLayers()}, context);
}

torch::Tensor Bert::encoderLayers(const torch::Tensor& x, const torch::Tensor& padding,
                                  const StackRange& range, const StepContext& context) const {
  const AttentionMask mask =
      makeAttentionMask(padding, false, x.size(1), MaskStyle::AddMinus10000, m_store.options());
  const torch::Tensor none;
  return m_encoder->forward(x, {mask, none, mask, none, nullptr, none, none, range}, context);
}

torch::Tensor Bert::extraStates(const torch::Tensor& states, const TextBatch& batch,
                                const StepContext& context) const {
  const torch::Tensor none;
  if (context.observer) context.observer->layerInput(StackKind::Extra, "", states, batch.padding);
  if (context.observer && context.observer->layerInputsAlone()) return states;
  const torch::Tensor x = dropout(states, m_configuration.extraInputDropout, context, "extra_input");
  const AttentionMask pairs = batch.padding.defined()
                                  ? makePairMask(batch.padding, MaskStyle::SetMinus1e9, m_store.options())
                                  : AttentionMask();
  return m_extra->forward(x, {pairs, none, pairs, none}, context);
}

torch::Tensor Bert::pooled(const torch::Tensor& hidden) const {
  return at::tanh(m_pooler(hidden.select(1, 0)));
}

namespace {
constexpr EnumWord<PositionRule> kPositionRules[] = {
    {PositionRule::Row, "row", "From 0 (BERT)"},
    {PositionRule::NonPad, "non_pad", "Behind the padding id (RoBERTa)"},
    {PositionRule::RowFromTwo, "row_from_two", "From 2 over the whole row (DT-Fixup)"}};
}  // namespace

std::vector<OptionField> bertFields() {
  const std::vector<OptionField> own = {
      integerField("model.bert.max_positions", "Position rows",
                   "Rows of the learned position table; longer texts are refused.", 512)
          .unit("tokens")
          .between(1, 1 << 20)
          .reference("BERT §3"),
      integerField("model.bert.segments", "Segment kinds",
                   "Rows of the segment table; released configurations have 2.", 2)
          .between(1, 1024),
      flagField("model.bert.embedding_layer_norm", "Layer norm on the input",
                "Layer norm after the sum of the three tables; whether Pre-LN BERT keeps it is not "
                "stated in the paper.",
                true)
          .reference("RealFormer §4.1, footnote 1"),
      realField("model.bert.norm_eps", "ε of layer norms", "Added to the variance.", 1e-12).above(0),
      headChoice(kBertPrefix, kBertOffers, "Head", "What is put on top of the encoder.", "pretraining"),
      choiceField("model.bert.positions", "Rows of the position table",
                  "Which row a token reads: BERT counts from 0, RoBERTa counts tokens that are not padding.",
                  choicesOf(kPositionRules))
          .reference("BERT §3"),
      integerField(
          "model.bert.row_groups", "Groups by length",
          "Rows of a batch go through the layers in groups of similar length, so that less padding is "
          "computed; from 2 on, where attention takes real tokens alone (the processor, up to 512 tokens, no "
          "score chain), none is. Results differ by rounding, and by the dropout masks.",
          1)
          .between(1, 4096)
          .off(1),
      pathField(
          "model.bert.weights", "Pre-trained weights",
          "Folder of an imported encoder (import-encoder), of one as Hugging Face writes it, or of a run of "
          "bert or one of its checkpoints: its score chain may be kept or left off. Empty starts from the "
          "initialisation.")
          .off("")};
  return joinedFields({own, headFields(kBertPrefix, kBertOffers)});
}

BertConfiguration bertConfiguration(const OptionValues& options, const ModelInputs& inputs) {
  BertConfiguration configuration;
  configuration.encoder = stackConfiguration(options, StackKind::Encoder);
  configuration.encoder.setup.normEps = options.real("model.bert.norm_eps");
  configuration.vocabulary = inputs.at("vocabulary");
  configuration.maxPositions = options.integer("model.bert.max_positions");
  configuration.segments = options.integer("model.bert.segments");
  configuration.embeddingLayerNorm = options.flag("model.bert.embedding_layer_norm");
  configuration.dropout = options.real("model.dropout");
  configuration.head = options.text("model.bert.head");
  configuration.facts = inputs;
  configuration.positions = valueOf(kPositionRules, options.text("model.bert.positions"));
  configuration.padId = inputs.value("pad_id", 1);
  configuration.rowGroups = options.integer("model.bert.row_groups");
  return configuration;
}

namespace {
std::unique_ptr<Model> makeBert(const OptionValues& options, const ModelInputs& inputs,
                                const torch::TensorOptions& tensors) {
  return std::make_unique<Bert>(bertConfiguration(options, inputs), options, tensors);
}

}  // namespace

ModelEntry bertEntry() {
  return {.id = "bert",
          .title = "BERT",
          .reference = "Devlin et al. 2019",
          .fields = bertFields,
          .stacks = {StackKind::Encoder},
          .offers = kBertOffers,
          .prefix = kBertPrefix,
          .make = makeBert};
}

}  // namespace fathom
