// SPDX-License-Identifier: Apache-2.0
// Attention itself, for one example: the softmax and what enters it, content, relations and the residual
// chain apart, of every layer and head (RealFormer §3.2; DT-Fixup's relation-aware layers).
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/attention/attention_maps.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
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

class MapRecorder : public ForwardObserver {
 public:
  explicit MapRecorder(TokenMasks masks) : m_masks(std::move(masks)) {}
  std::vector<Recorded> recorded;
  std::int64_t bytes = 0;

  bool wantsAttention() const override { return true; }
  bool watchesFrozenParts() const override { return true; }
  void attention(const AttentionRecord& record) override {
    auto found = std::find_if(recorded.begin(), recorded.end(), [&](const Recorded& each) {
      return each.stack == record.site.stack && each.kind == record.site.kind;
    });
    if (found == recorded.end()) {
      recorded.push_back({record.site.stack, record.site.kind, {}, {}, {}, {}, {}});
      found = recorded.end() - 1;
    }
    const torch::Tensor logits = cut(record.maskedScores, record.site, -INFINITY);
    const torch::Tensor hidden = logits <= kHidden;
    const torch::Tensor chain = cut(record.chain, record.site);
    // The running mean divides the sum that is handed on.
    const torch::Tensor seen = hidden.logical_not();
    const bool divided =
        record.site.layer > 0 && !at::equal(logits.masked_select(seen), chain.masked_select(seen));
    const double divisor = divided ? static_cast<double>(record.site.layer + 1) : 1;
    const torch::Tensor own = cut(record.scores, record.site) / divisor;
    const auto shown = [&](const torch::Tensor& part) { return part.masked_fill(hidden, std::nan("")); };
    keep(found->probabilities, cut(record.probabilities, record.site));
    keep(found->scores, shown(logits));
    if (record.relationScores.defined()) {
      const torch::Tensor relation = cut(record.relationScores, record.site) / divisor;
      keep(found->relation, shown(relation));
      keep(found->content, shown(own - relation));
    } else {
      keep(found->content, shown(own));
    }
    keep(found->residual, shown(logits - own));
  }

 private:
  // Real queries and keys of the only row, [H, T, S] in double precision on the CPU.
  torch::Tensor cut(const torch::Tensor& all, const SublayerSite& site, double fill = 0) const {
    if (m_masks.global.defined()) return ofBothStreams(all, site, fill);
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
  // A long and a global stream (docs/long_inputs.md §2): keys in the order of the softmax become the long
  // tokens and then the global ones, `fill` outside of the window.
  torch::Tensor ofBothStreams(const torch::Tensor& all, const SublayerSite& site, double fill) const {
    torch::Tensor one = all.detach().select(0, 0).to(torch::kCPU);
    const std::int64_t globals = m_masks.global.size(1), queries = one.size(1);
    const bool isLong = site.stack == StackKind::Encoder;
    const std::int64_t longs = isLong ? queries : one.size(2) - globals;
    refuseLarge(one.size(0) * queries * (longs + globals) * 4);
    one = one.to(torch::kFloat64);
    if (isLong) {
      const std::int64_t window = one.size(2) - globals, radius = (window - 1) / 2;
      const torch::Tensor places = at::arange(longs).unsqueeze(1) + at::arange(window);
      const torch::Tensor near =
          at::full({one.size(0), longs, longs + 2 * radius}, fill, one.options())
              .scatter_(2, places.unsqueeze(0).expand({one.size(0), longs, window}), one.narrow(2, 0, window))
              .narrow(2, radius, longs);
      one = at::cat({near, one.narrow(2, window, globals)}, 2);
    } else {
      one = at::cat({one.narrow(2, globals, longs), one.narrow(2, 0, globals)}, 2);
    }
    const auto real = [](const torch::Tensor& mask, std::int64_t count) {
      return mask.defined() ? mask.select(0, 0).to(torch::kCPU, torch::kBool)
                            : at::ones({count}, torch::kBool);
    };
    const torch::Tensor longMask = real(m_masks.encoder, longs), globalMask = real(m_masks.global, globals);
    return one.index_select(1, (isLong ? longMask : globalMask).nonzero().flatten())
        .index_select(2, at::cat({longMask, globalMask}).nonzero().flatten());
  }
  static void refuseLarge(std::int64_t bytes) {
    if (bytes > kMostBytes)
      throw Failure(unavailableError(Phrase::tr("the attention of this example takes more than 1 GiB"),
                                     Phrase::tr("choose a shorter example with --set example=N")));
  }
  void keep(std::vector<torch::Tensor>& list, const torch::Tensor& map) {
    list.push_back(map.to(torch::kFloat32).contiguous());
    bytes += list.back().numel() * 4;
    refuseLarge(bytes);
  }
  TokenMasks m_masks;
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

// Global tokens have no text of their own: their numbers.
TokenRow globalTokens(std::int64_t count) {
  TokenRow row;
  for (std::int64_t i = 0; i < count; ++i) row.texts.push_back("<" + std::to_string(i + 1) + ">");
  return row;
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

// analysis_store makes a file of it.
Json arrayOf(const AttentionMatrix& matrix, const std::string& part, const std::vector<torch::Tensor>& maps) {
  const torch::Tensor all = at::stack(maps).contiguous();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(all.const_data_ptr<float>());
  return {{"file", matrix.name() + "." + part + ".npy"},
          {"shape", all.sizes().vec()},
          {"f4", Json::binary({bytes, bytes + all.nbytes()})}};
}

Json resultOf(const MapRecorder& recorder, const ProbeBatch& batch, std::int64_t example) {
  const TokenRows pieces = batch.pieces ? batch.pieces(0) : TokenRows();
  const auto tokens = [&](StackKind stack, std::int64_t length) {
    auto found = pieces.find(stackName(stack));
    if (found == pieces.end() && stack != StackKind::Decoder) found = pieces.find("encoder");
    return realTokens(found == pieces.end() ? TokenRow() : found->second, batch.realTokens.of(stack), length);
  };
  AttentionMatrices matrices;
  matrices.example = example;
  for (const Recorded& each : recorder.recorded) {
    const torch::Tensor& first = each.probabilities.front();
    AttentionMatrix matrix;
    matrix.stack = stackName(each.stack);
    matrix.kind = sublayerName(each.kind);
    matrix.layers = static_cast<int>(each.probabilities.size());
    matrix.heads = static_cast<int>(first.size(0));
    const bool cross = each.kind == SublayerKind::CrossAttention, both = batch.realTokens.global.defined();
    const TokenRow queries =
        each.stack == StackKind::Global ? globalTokens(first.size(1)) : tokens(each.stack, first.size(1));
    matrix.queries = queries.texts;
    matrix.keys = cross ? tokens(StackKind::Encoder, first.size(2)).texts : queries.texts;
    if (both) {
      const auto globals = static_cast<std::int64_t>(batch.realTokens.global[0].sum().item<std::int64_t>());
      matrix.keys = tokens(StackKind::Encoder, first.size(2) - globals).texts;
      for (std::string& text : globalTokens(globals).texts) matrix.keys.push_back(std::move(text));
    } else if (!cross) {
      addSorts(matrix, queries);
    }
    matrices.attentions.push_back(std::move(matrix));
  }
  Json json = attentionMatricesToJson(matrices);
  for (std::size_t i = 0; i < recorder.recorded.size(); ++i) {
    const Recorded& each = recorder.recorded[i];
    const AttentionMatrix& matrix = matrices.attentions[i];
    Json& arrays = json["attentions"][i]["arrays"];
    arrays["probabilities"] = arrayOf(matrix, "probabilities", each.probabilities);
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
  MapRecorder recorder(batch->realTokens);
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
