// SPDX-License-Identifier: Apache-2.0
#include "core/base/errors/error.h"
#include "core/nn/attention/attention_projections.h"
#include "core/nn/attention/chained_softmax.h"
#include "core/nn/attention/packed_relations.h"
#include "core/nn/attention/relative_positions.h"
#include "core/nn/attention/short_attention.h"
#include "core/nn/dropout.h"

namespace fathom {

namespace {

// scores_ij = (q_i k_j + q_i r^K_{rel(i,j)}) / sqrt(d_k), z_i = sum_j p_ij (v_j + r^V_{rel(i,j)}); both
// tables [types, d_k] are shared by the heads, one pair per layer (docs/attention.md §3). Relations enter by
// id: q r^K for every type [B, H, T, types], then a look-up; probabilities are summed per type before r^V.
// Nothing of size T x S x d_k exists, forward or backward. Packed streams [N, d] with their blocks of ids
// (short_attention.h) take one fused pass.
class RelationAware : public Attention {
 public:
  RelationAware(ParameterStore& store, const ParameterInfo& where, const AttentionSetup& setup)
      : m_maps(store, where, setup) {
    const std::int64_t headWidth = setup.width / setup.heads;
    const auto table = [&](const char* suffix, ParameterRole role) {
      ParameterInfo info = where;
      info.name += suffix;
      info.role = role;
      return store.add(info, {setup.relationTypes, headWidth});
    };
    m_keys = table(".relation_key.weight", ParameterRole::RelationKey);
    m_values = table(".relation_value.weight", ParameterRole::RelationValue);
  }

  KeyValueCache projectMemory(const torch::Tensor& memory) const override {
    return m_maps.projectMemory(memory);
  }

  bool takesPackedRows(const torch::TensorOptions& tensors, std::int64_t longest) const override {
    return packedRelationsWay(m_maps.setup(), tensors, longest) != KernelWay::Aten;
  }

  BranchOutputs forward(const BranchInputs& in) const override {
    if (in.query.dim() == 2) return {packed(in), {}};
    if (!in.relations.defined())
      throw Failure(internalError("relation-aware attention was given no relation ids"));
    const AttentionProjections::Projected p = m_maps.project(in);
    const torch::Tensor ids =
        in.relations.unsqueeze(1).expand({p.query.size(0), p.query.size(1), p.query.size(2), p.key.size(2)});
    const torch::Tensor content = m_maps.scores(p);
    const torch::Tensor byType =  // [B, H, T, types]
        at::matmul(p.query, m_keys.t()).to(content.scalar_type()).mul(m_maps.scale());
    const torch::Tensor relationScores = byType.gather(3, ids);
    const torch::Tensor scores = content + relationScores;
    BranchOutputs out;
    const torch::Tensor kept = keptOf(in, scores, relationScores, out.scores);
    const torch::Tensor perType = at::zeros_like(byType).scatter_add(3, ids, kept.to(byType.scalar_type()));
    out.value = m_maps.output(at::matmul(kept, p.value) + at::matmul(perType, m_values));
    return out;
  }

 private:
  // What meets the values; `chain`: S, to be handed on.
  torch::Tensor keptOf(const BranchInputs& in, const torch::Tensor& scores,
                       const torch::Tensor& relationScores, torch::Tensor& chain) const {
    const ScoreChain kind = m_maps.setup().chain;
    const double dropped = in.context.training ? m_maps.setup().dropout : 0;
    const bool observed = in.context.observer && in.context.observer->wantsAttention();
    if (!observed && chainedSoftmaxFits(scores, in.mask)) {
      const torch::Tensor sum = in.previousScores.defined() ? in.previousScores + scores : scores;
      const KeptProbabilities made =
          chainedSoftmax(sum, in.mask,
                         {chainDivisor(kind, in.site.layer), dropped,
                          dropoutSeed(in.context, in.site.name() + ".probabilities")});
      if (kind != ScoreChain::None) chain = made.chain;
      return made.kept;
    }
    const ChainedScores chained = chainScores(kind, scores, in.previousScores, in.site.layer);
    const torch::Tensor logits = AttentionProjections::applyMask(chained.logits, in.mask, false);
    const torch::Tensor probabilities = at::softmax(logits, -1);
    if (observed) {
      const torch::Tensor& handedOn = chained.chain.defined() ? chained.chain : scores;
      in.context.observer->attention({in.site, scores, relationScores, handedOn, logits, probabilities});
    }
    chain = chained.chain;
    return dropout(probabilities, m_maps.setup().dropout, in.context, in.site.name() + ".probabilities");
  }

  // Rows that takesPackedRows() has spoken for, by its way.
  torch::Tensor packed(const BranchInputs& in) const {
    const KernelWay way = packedRelationsWay(m_maps.setup(), m_keys.options(), 0);
    return way == KernelWay::Plugin ? fusedOnDevice(in) : fused(in);
  }

  torch::Tensor fused(const BranchInputs& in) const {
    ShortAttention how{in.mask.querySpans, in.mask.querySpans, m_maps.setup().heads};
    how.causal = in.mask.triangle;
    if (in.context.training) how.dropout = m_maps.setup().dropout;
    how.seed = dropoutSeed(in.context, in.site.name() + ".probabilities");
    const torch::Tensor rows =
        shortAttention(m_maps.projectRows(in).query, ShortRelations{m_keys, m_values, in.relations}, how);
    return m_maps.outputRows(rows, in.query);
  }

  torch::Tensor fusedOnDevice(const BranchInputs& in) const {
    PackedRelations how{m_keys, m_values, in.relations, in.mask.querySpans, m_maps.setup().heads};
    how.causal = in.mask.triangle;
    if (in.context.training) how.dropout = m_maps.setup().dropout;
    how.seed = dropoutSeed(in.context, in.site.name() + ".probabilities");
    return m_maps.outputRows(packedRelations(m_maps.projectRows(in).query, how), in.query);
  }

  AttentionProjections m_maps;
  torch::Tensor m_keys, m_values;  // [types, d/H]
};

}  // namespace

AttentionEntry relationAwareEntry() {
  return {
      .id = "relation_aware",
      .title = "Relation-aware",
      .reference = "Shaw et al. 2018; DT-Fixup §3.3",
      .relations = true,
      .fields =
          [](const std::string& prefix) { return std::vector<OptionField>{relativeDistanceField(prefix)}; },
      .make = makeAttention<RelationAware>};
}

}  // namespace fathom
