// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/norms/epoch_norm.h"

#include <algorithm>
#include <array>

#include "core/base/json/json_fields.h"
#include "core/base/numbers/not_a_number.h"

#include "core/analysis/analysis_entry.h"

namespace fathom {

namespace {

constexpr std::array<const char*, 4> kMatrices = {"query", "key", "value", "output"};

// [epochs, layers, kinds] of one attention; NaN where nothing was measured.
struct NormTable {
  std::size_t epochs = 0, layers = 0;
  std::vector<double> gradient, update;
  std::size_t at(std::size_t epoch, std::size_t layer, std::size_t kind) const {
    return (epoch * layers + layer) * kMatrices.size() + kind;
  }
};

NormTable tableOf(const std::vector<EpochNorms>& epochs, const std::string& stack,
                  const std::string& sublayer) {
  NormTable table;
  table.epochs = epochs.size();
  for (const EpochNorms& epoch : epochs)
    for (const MatrixNorm& norm : epoch.matrices)
      if (norm.stack == stack && norm.sublayer == sublayer)
        table.layers = std::max(table.layers, static_cast<std::size_t>(norm.layer) + 1);
  table.gradient.assign(table.epochs * table.layers * kMatrices.size(), kNaN);
  table.update = table.gradient;
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    for (const MatrixNorm& norm : epochs[i].matrices) {
      const auto kind = std::find(kMatrices.begin(), kMatrices.end(), norm.matrix);
      if (norm.stack != stack || norm.sublayer != sublayer || kind == kMatrices.end()) continue;
      const auto column = static_cast<std::size_t>(kind - kMatrices.begin());
      const auto layer = static_cast<std::size_t>(norm.layer);
      table.gradient[table.at(i, layer, column)] = norm.gradient;
      // Only between neighbours: a missing epoch leaves a gap.
      if (i > 0 && epochs[i - 1].epoch + 1 == epochs[i].epoch)
        table.update[table.at(i - 1, layer, column)] = norm.update;
    }
  }
  return table;
}

}  // namespace

template <typename Io>
void jsonMembers(Io& io, MatrixNorm& norm) {
  io("stack", norm.stack)("sublayer", norm.sublayer)("matrix", norm.matrix)("layer", norm.layer);
  io("gradient", norm.gradient)("update", norm.update);
}

template <typename Io>
void jsonMembers(Io& io, EpochNorms& norms) {
  io.derived("quantity", std::string("epoch_norm"));
  io("epoch", norms.epoch)("matrices", norms.matrices);
}

Json epochNormsToJson(const EpochNorms& norms) {
  return jsonOf(norms);
}

Result<EpochNorms> epochNormsFromJson(const Json& json) {
  constexpr Phrase::Text kDamaged = Phrase::tr("the stored norms of an epoch cannot be read: %1");
  const Phrase hint = Phrase::tr("train the run again with analysis.epoch_norms");
  FATHOM_TRY(EpochNorms norms, storedFromJson<EpochNorms>(json, kDamaged, hint));
  for (const MatrixNorm& norm : norms.matrices)
    if (norm.layer < 0 || norm.layer > 100000)
      return dataError(kDamaged(Phrase(Phrase::tr("a layer number out of range"))), hint);
  return norms;
}

std::vector<EpochNormCurves> epochNormCurves(const std::vector<EpochNorms>& epochs, const std::string& stack,
                                             const std::string& sublayer, NormReference reference) {
  NormTable table = tableOf(epochs, stack, sublayer);
  const auto kinds = static_cast<std::int64_t>(kMatrices.size());
  table.gradient = relativeEpochNorms(table.gradient, kinds, reference);
  table.update = relativeEpochNorms(table.update, kinds, reference);
  std::vector<EpochNormCurves> all;
  for (std::size_t kind = 0; kind < kMatrices.size(); ++kind) {
    EpochNormCurves curves;
    curves.matrix = kMatrices[kind];
    for (const EpochNorms& epoch : epochs) curves.epochs.push_back(static_cast<double>(epoch.epoch));
    bool any = false;
    for (std::size_t layer = 0; layer < table.layers; ++layer) {
      std::vector<double> gradient, update;
      for (std::size_t i = 0; i < table.epochs; ++i) {
        gradient.push_back(table.gradient[table.at(i, layer, kind)]);
        update.push_back(table.update[table.at(i, layer, kind)]);
        any = any || gradient.back() == gradient.back();
      }
      curves.gradient.push_back(std::move(gradient));
      curves.update.push_back(std::move(update));
    }
    if (any) all.push_back(std::move(curves));
  }
  return all;
}

AnalysisEntry epochNormEntry() {
  return {.id = "epoch_norm",
          .title = "Gradient and update norms of each epoch",
          .reference = "Admin, Figures 5 and 11",
          .version = 2,
          .whileTraining = true};
}

}  // namespace fathom
