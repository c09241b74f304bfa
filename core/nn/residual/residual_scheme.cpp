// SPDX-License-Identifier: Apache-2.0
#include "core/nn/residual/residual_scheme.h"

#include "core/base/errors/error.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/field_builder.h"

namespace fathom {

ResidualSublayer& ResidualScheme::sublayer(std::int64_t layer, std::int64_t sublayer) const {
  const auto perLayer = static_cast<std::int64_t>(m_setup.sublayers.size());
  return *m_sublayers.at(static_cast<std::size_t>(layer * perLayer + sublayer));
}

SublayerSite ResidualScheme::site(std::int64_t layer, std::int64_t sublayer) const {
  const auto perLayer = static_cast<std::int64_t>(m_setup.sublayers.size());
  return {m_setup.kind, layer, sublayer, layer * perLayer + sublayer,
          m_setup.sublayers.at(static_cast<std::size_t>(sublayer))};
}

ParameterInfo ResidualScheme::parameterAt(std::int64_t layer, std::int64_t sublayer,
                                          ParameterRole role) const {
  const SublayerSite where = site(layer, sublayer);
  ParameterInfo info;
  info.name = where.name();
  info.role = role;
  info.stack = where.stack;
  info.layer = layer;
  info.sublayer = where.kind;
  return info;
}

ParameterInfo ResidualScheme::layerParameter(std::int64_t layer, const std::string& suffix) const {
  ParameterInfo info =
      parameterOfStack("layers." + std::to_string(layer) + "." + suffix, ParameterRole::Scheme);
  info.layer = layer;
  return info;
}

ParameterInfo ResidualScheme::parameterOfStack(const std::string& suffix, ParameterRole role) const {
  ParameterInfo info;
  info.name = std::string(stackName(m_setup.kind)) + "." + suffix;
  info.role = role;
  info.stack = m_setup.kind;
  return info;
}

LayerNorm ResidualScheme::sublayerNorm(ParameterStore& store, std::int64_t layer,
                                       std::int64_t sublayer) const {
  const ParameterInfo info = parameterAt(layer, sublayer, ParameterRole::NormWeight);
  return {store, info.name + ".layer_norm", info, m_setup.width, m_setup.normEps};
}

void ResidualScheme::addTopNorm(ParameterStore& store) {
  const ParameterInfo info = parameterOfStack("layer_norm", ParameterRole::NormWeight);
  m_top.emplace(store, info.name, info, m_setup.width, m_setup.normEps);
}

const ResidualEntry& residualEntry(std::string_view id) {
  if (const ResidualEntry* entry = findEntry(residualEntries(), id)) return *entry;
  throw Failure(usageError(Phrase::tr("unknown residual scheme '%1'")(std::string(id)),
                           Phrase::tr("known schemes: %1")(knownIds(residualEntries()))));
}

std::unique_ptr<ResidualScheme> makeResidual(ParameterStore& store, const StackSetup& setup,
                                             std::string_view id, const OptionValues& options) {
  std::unique_ptr<ResidualScheme> scheme = residualEntry(id).make(store, setup, options);
  scheme->m_id = id;
  return scheme;
}

std::vector<OptionField> residualOptionFields(const std::string& prefix, const std::string& title) {
  const std::string key = prefix + ".residual";
  return joinedFields(
      {{choiceField(key, title, "How a sub-layer's output joins the stream: norm place and factors.",
                    entryChoices(residualEntries()))
            .reference("Admin §2")
            .group("Model")},
       entryFields(residualEntries(), key,
                   [&](const ResidualEntry& entry) { return entry.fields(prefix); })});
}

}  // namespace fathom
