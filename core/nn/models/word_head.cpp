// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/word_head.h"

namespace fathom {

WordHead::WordHead(const HeadSite& site, bool next)
    : m_activation(site.activation), m_table(site.tokenTable) {
  m_transform = headMap(site.store, "mlm.transform", site.width, site.width);
  m_norm = headNorm(site.store, "mlm.layer_norm", site.width, site.normEps);
  ParameterInfo bias;
  bias.name = "mlm.bias";
  bias.role = ParameterRole::Bias;
  m_bias = site.store.add(bias, {site.tokenTable.size(0)});
  if (next) m_next = headMap(site.store, "nsp", 2, site.width);
}

torch::Tensor WordHead::hidden(const torch::Tensor& states, const torch::Tensor& positions) const {
  const torch::Tensor rows = states.reshape({-1, states.size(-1)}).index_select(0, positions);
  return m_norm(activate(m_transform(rows), m_activation));
}

}  // namespace fathom
