// SPDX-License-Identifier: Apache-2.0
// Attention itself, for one example: the softmax and what enters it, content, relations and the residual
// chain apart, of every layer and head (RealFormer §3.2; DT-Fixup's relation-aware layers).
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/analysis/attention/attention_maps.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/nn/attention/global_local.h"
#include "core/probe/probe_entry.h"

namespace fathom {

namespace {

constexpr double kHidden = -5000;             // masks add or set -10000, -1e9 or minus infinity
constexpr std::int64_t kMostBytes = 1 << 30;  // of all arrays

// The maps of one attention; every tensor [H, T, S], one per layer.
struct Recorded {
  StackKind stack;
  SublayerKind kind;
  std::vector<torch::Tensor> probabilities, scores, content, relation, residual;
};

// Shape of the maps of a model of two streams, by the room that there is. A long token has a window
// of 2 radius + 1 keys and the global ones, so that everything grows with n * r and nothing with n * n.
struct LongMaps {
  std::int64_t longs = 0, globals = 0, padded = 0, radius = 0;  // padded: global tokens and padding
  torch::Tensor globalPlaces;                                   // of the real ones in the padded stream
  std::vector<int> kept;                                        // layers
  bool scoresToo = true;
  LongPlaces places;
  bool keeps(std::int64_t layer) const {
    return std::find(kept.begin(), kept.end(), static_cast<int>(layer)) != kept.end();
  }
};

void refuseLarge() {
  throw Failure(unavailableError(Phrase::tr("the attention of this example takes more than 1 GiB"),
                                 Phrase::tr("choose a shorter example with --set example=N")));
}

// Chooses maps that fit: all; the probabilities of all layers; those of layers evenly spread over the stack.
void chooseKept(LongMaps& maps, std::int64_t layers, std::int64_t heads) {
  const std::int64_t ofLong = maps.longs * (2 * maps.radius + 1 + maps.globals);
  const std::int64_t ofGlobal = maps.globals * (maps.longs + maps.globals);
  constexpr std::int64_t kParts = 5, kBytes = 4;
  const std::int64_t each = heads * (ofLong + ofGlobal) * kBytes;
  maps.scoresToo = each * layers * kParts <= kMostBytes;
  const std::int64_t fits = std::min(layers, kMostBytes / std::max<std::int64_t>(each, 1));
  if (fits == 0) refuseLarge();
  for (std::int64_t i = 0; i < fits; ++i)
    maps.kept.push_back(static_cast<int>(fits == 1 ? layers - 1 : i * (layers - 1) / (fits - 1)));
}

std::vector<int> firstRow(const torch::Tensor& places, std::int64_t count) {
  const torch::Tensor row = places[0].narrow(0, 0, count).to(torch::kInt32).contiguous();
  const auto* values = row.const_data_ptr<std::int32_t>();
  return {values, values + count};
}

class MapRecorder : public ForwardObserver {
 public:
  MapRecorder(TokenMasks masks, std::int64_t layers) : m_masks(std::move(masks)), m_layers(layers) {}
  std::vector<Recorded> recorded;
  std::optional<LongMaps> both;  // of a model of two streams
  std::int64_t layers() const { return m_layers; }

  bool wantsAttention() const override { return true; }
  bool watchesFrozenParts() const override { return true; }
  void longStructure(const LongStructure& structure) override {
    const torch::Tensor longs = structure.context[0].gt(0).nonzero().flatten(),
                        globals = structure.globalContext[0].gt(0).nonzero().flatten();
    both.emplace();
    both->longs = longs.numel() > 0 ? longs.max().item<std::int64_t>() + 1 : 0;  // padding stands behind
    both->globals = globals.numel();
    both->padded = structure.globalLength();
    both->globalPlaces = globals;
    // Places among the real global tokens.
    std::vector<int> place(static_cast<std::size_t>(structure.globalLength()), -1);
    for (std::int64_t i = 0; i < globals.numel(); ++i)
      place[static_cast<std::size_t>(globals[i].item<std::int64_t>())] = static_cast<int>(i);
    const auto among = [&](const torch::Tensor& of) {
      std::vector<int> row = firstRow(of, both->longs);
      for (int& at : row)
        at = at < 0 || at >= static_cast<int>(place.size()) ? -1 : place[static_cast<std::size_t>(at)];
      return row;
    };
    both->places = {among(structure.sentence), among(structure.paragraph)};
  }
  void attention(const AttentionRecord& record) override {
    if (both && both->kept.empty()) {  // the first record is that of the long stream
      both->radius = (record.probabilities.size(3) - both->padded - 1) / 2;
      chooseKept(*both, m_layers, record.probabilities.size(1));
    }
    if (both && !both->keeps(record.site.layer)) return;
    auto found = std::find_if(recorded.begin(), recorded.end(), [&](const Recorded& each) {
      return each.stack == record.site.stack && each.kind == record.site.kind;
    });
    if (found == recorded.end()) {
      recorded.push_back({record.site.stack, record.site.kind, {}, {}, {}, {}, {}});
      found = recorded.end() - 1;
    }
    keep(found->probabilities, cut(record.probabilities, record.site));
    if (!both || both->scoresToo) keepScores(*found, record);
  }

 private:
  void keepScores(Recorded& into, const AttentionRecord& record) {
    const torch::Tensor logits = cut(record.maskedScores, record.site);
    const torch::Tensor hidden = logits <= kHidden;
    const torch::Tensor chain = cut(record.chain, record.site);
    // The running mean divides the sum that is handed on.
    const torch::Tensor seen = hidden.logical_not();
    const bool divided =
        record.site.layer > 0 && !at::equal(logits.masked_select(seen), chain.masked_select(seen));
    const double divisor = divided ? static_cast<double>(record.site.layer + 1) : 1;
    const torch::Tensor own = cut(record.scores, record.site) / divisor;
    const auto shown = [&](const torch::Tensor& part) { return part.masked_fill(hidden, std::nan("")); };
    keep(into.scores, shown(logits));
    if (record.relationScores.defined()) {
      const torch::Tensor relation = cut(record.relationScores, record.site) / divisor;
      keep(into.relation, shown(relation));
      keep(into.content, shown(own - relation));
    } else {
      keep(into.content, shown(own));
    }
    keep(into.residual, shown(logits - own));
  }
  // Real queries and keys of the only row, [H, T, S] on the CPU: in double precision, of two streams in
  // single.
  torch::Tensor cut(const torch::Tensor& all, const SublayerSite& site) const {
    if (both) return ofBothStreams(all, site);
    torch::Tensor one = all.detach().select(0, 0).to(torch::kCPU, torch::kFloat64);
    const bool cross = site.kind == SublayerKind::CrossAttention;
    const auto real = [](const torch::Tensor& mask) {
      return mask.select(0, 0).to(torch::kCPU, torch::kBool).nonzero().flatten();
    };
    const torch::Tensor& queries = m_masks.of(site.stack);
    const torch::Tensor& keys = cross ? m_masks.encoder : queries;
    if (queries.defined()) one = one.index_select(1, real(queries));
    if (keys.defined()) one = one.index_select(2, real(keys));
    return one;
  }
  // Keys in the order of the softmax (docs/long_inputs.md §2): of a long query window and global tokens, of a
  // global one global and long tokens, which change places here.
  torch::Tensor ofBothStreams(const torch::Tensor& all, const SublayerSite& site) const {
    const torch::Tensor one = all.detach().select(0, 0).to(torch::kCPU, torch::kFloat32);
    const std::int64_t padded = both->padded;
    if (site.stack == StackKind::Encoder) {
      const std::int64_t window = one.size(2) - padded;
      const torch::Tensor rows = one.narrow(1, 0, both->longs);
      return at::cat(
          {rows.narrow(2, 0, window), rows.narrow(2, window, padded).index_select(2, both->globalPlaces)}, 2);
    }
    const torch::Tensor rows = one.index_select(1, both->globalPlaces);
    return at::cat(
        {rows.narrow(2, padded, both->longs), rows.narrow(2, 0, padded).index_select(2, both->globalPlaces)},
        2);
  }
  void keep(std::vector<torch::Tensor>& list, const torch::Tensor& map) {
    list.push_back(map.to(torch::kFloat32).contiguous());
    m_bytes += list.back().numel() * 4;
    if (m_bytes > kMostBytes) refuseLarge();
  }
  TokenMasks m_masks;
  std::int64_t m_layers, m_bytes = 0;
};

// The real tokens of the only row.
TokenRow realTokens(const TokenRow& row, const torch::Tensor& mask, std::int64_t length) {
  TokenRow real;
  for (std::size_t i = 0; i < row.texts.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (mask.defined() && !(at < mask.size(1) && mask[0][at].item<bool>())) continue;
    real.texts.push_back(row.texts[i]);
    if (!row.sorts.empty()) real.sorts.push_back(row.sorts[i]);
    if (!row.linked.empty()) real.linked.push_back(row.linked[i]);
  }
  // A task without pieces: positions.
  for (auto i = static_cast<std::int64_t>(real.texts.size()); i < length; ++i)
    real.texts.push_back(std::to_string(i + 1));
  real.texts.resize(static_cast<std::size_t>(length));
  return real;
}

// Global tokens that a task gives no text: their numbers.
std::vector<std::string> globalTexts(const TokenRows& pieces, const LongMaps& maps) {
  const auto found = pieces.find(stackName(StackKind::Global));
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < maps.globals; ++i) {
    const auto place = static_cast<std::size_t>(maps.globalPlaces[i].item<std::int64_t>());
    const bool known = found != pieces.end() && place < found->second.texts.size();
    texts.push_back(known ? found->second.texts[place] : "<" + std::to_string(i + 1) + ">");
  }
  return texts;
}

void addSorts(AttentionMatrix& matrix, const TokenRow& tokens) {
  if (tokens.sorts.size() == tokens.texts.size()) {
    auto& groups = matrix.groups.emplace();
    for (std::size_t i = 0; i < tokens.sorts.size(); ++i) {
      if (groups.empty() || groups.back().sort != tokens.sorts[i])
        groups.push_back({tokens.sorts[i], static_cast<int>(i), 0});
      ++groups.back().count;
    }
  }
  if (tokens.linked.size() != tokens.texts.size()) return;
  matrix.linked.emplace();
  for (std::size_t i = 0; i < tokens.linked.size(); ++i)
    if (tokens.linked[i]) matrix.linked->push_back(static_cast<int>(i));
}

// analysis_store makes a file of it. The maps are gone afterwards: long inputs have a gigabyte of them.
Json arrayOf(const AttentionMatrix& matrix, const std::string& part, std::vector<torch::Tensor>& maps) {
  const torch::Tensor all = at::stack(maps).contiguous();
  maps.clear();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(all.const_data_ptr<float>());
  return {{"file", matrix.name() + "." + part + ".npy"},
          {"shape", all.sizes().vec()},
          {"f4", Json::binary({bytes, bytes + all.nbytes()})}};
}

void fillLong(AttentionMatrix& matrix, const LongMaps& maps, const std::vector<std::string>& longs,
              const std::vector<std::string>& globals) {
  const bool ofLong = matrix.stack == stackName(StackKind::Encoder);
  matrix.queries = ofLong ? longs : globals;
  matrix.keys = longs;
  matrix.keys.insert(matrix.keys.end(), globals.begin(), globals.end());
  if (ofLong) matrix.band = AttentionBand{static_cast<int>(maps.radius), static_cast<int>(maps.globals)};
}

Json resultOf(MapRecorder& recorder, const ProbeBatch& batch, std::int64_t example) {
  const TokenRows pieces = batch.pieces ? batch.pieces(0) : TokenRows();
  const auto tokens = [&](StackKind stack, std::int64_t length) {
    auto found = pieces.find(stackName(stack));
    if (found == pieces.end() && stack != StackKind::Decoder) found = pieces.find("encoder");
    return realTokens(found == pieces.end() ? TokenRow() : found->second, batch.realTokens.of(stack), length);
  };
  AttentionMatrices matrices;
  matrices.example = example;
  const std::optional<LongMaps>& both = recorder.both;
  if (both) matrices.places = both->places;
  for (const Recorded& each : recorder.recorded) {
    const torch::Tensor& first = each.probabilities.front();
    AttentionMatrix matrix;
    matrix.stack = stackName(each.stack);
    matrix.kind = sublayerName(each.kind);
    matrix.layers = static_cast<int>(each.probabilities.size());
    matrix.heads = static_cast<int>(first.size(0));
    if (both) {
      fillLong(matrix, *both, tokens(StackKind::Encoder, both->longs).texts, globalTexts(pieces, *both));
      const auto layers = static_cast<int>(recorder.layers());
      if (layers != matrix.layers) matrix.kept = both->kept;
      matrix.layers = layers;
      matrices.attentions.push_back(std::move(matrix));
      continue;
    }
    const bool cross = each.kind == SublayerKind::CrossAttention;
    const TokenRow queries = tokens(each.stack, first.size(1));
    matrix.queries = queries.texts;
    matrix.keys = cross ? tokens(StackKind::Encoder, first.size(2)).texts : queries.texts;
    if (!cross) addSorts(matrix, queries);
    matrices.attentions.push_back(std::move(matrix));
  }
  Json json = attentionMatricesToJson(matrices);
  for (std::size_t i = 0; i < recorder.recorded.size(); ++i) {
    Recorded& each = recorder.recorded[i];
    const AttentionMatrix& matrix = matrices.attentions[i];
    Json& arrays = json["attentions"][i]["arrays"];
    arrays["probabilities"] = arrayOf(matrix, "probabilities", each.probabilities);
    if (each.scores.empty()) continue;  // no room
    arrays["scores"] = arrayOf(matrix, "scores", each.scores);
    arrays["content"] = arrayOf(matrix, "content", each.content);
    if (!each.relation.empty()) arrays["relation"] = arrayOf(matrix, "relation", each.relation);
    const bool chained =
        std::any_of(each.residual.begin(), each.residual.end(),
                    [](const torch::Tensor& map) { return map.nan_to_num(0).abs().max().item<float>() > 0; });
    if (chained) arrays["residual"] = arrayOf(matrix, "residual", each.residual);
  }
  return json;
}

Result<Json> runAttentionMaps(const ProbeSubject& subject, const OptionValues& options) {
  const std::int64_t wanted = options.integer("example");
  const Result<ProbeBatch> batch = subject.only(wanted);
  if (!batch.ok()) {
    Error error = batch.error();
    if (error.kind == ErrorKind::Usage) error.key = "example";
    return error;
  }
  if (subject.progress != nullptr) subject.progress->begin(Phrase::tr("watching attention").english, "", -1);
  const torch::NoGradGuard noGradients;
  std::int64_t layers = 0;
  for (const StackDescription& stack : subject.model.stacks()) layers = std::max(layers, stack.layers);
  MapRecorder recorder(batch->realTokens, layers);
  StepContext context;
  context.seed = subject.seed;
  context.observer = &recorder;
  batch->forward(context);
  if (recorder.recorded.empty()) return dataError(Phrase::tr("the model has no attention to look at"));
  return resultOf(recorder, *batch, wanted);
}

}  // namespace

ProbeEntry attentionMapsProbeEntry() {
  return {analysisOf("attention_maps"),
          {.fields = {integerField("example", "Example",
                                   "Which example of the part of the data, counted from 0.", 0)
                          .between(0, 1e9)},
           .run = runAttentionMaps}};
}

}  // namespace fathom
