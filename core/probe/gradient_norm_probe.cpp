// SPDX-License-Identifier: Apache-2.0
// Relative gradient norms of the sub-layers' outputs over a sample (Admin Fig 3; docs/analyses.md §5).
#include <cmath>

#include "core/analysis/norms/gradient_norm.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/probe/gradient_probe.h"
#include "core/probe/probe_entry.h"

namespace fathom {

namespace {

Result<Json> runGradientNorm(const ProbeSubject& subject, const OptionValues& options) {
  FATHOM_CHECK(checkProbeExamples(subject));
  StepContext context;
  context.seed = subject.seed;
  context.training = options.flag("dropout");
  std::vector<SublayerGradient> squares;  // the loss is a sum over examples: they add up
  forProbeBatches(subject, Phrase::tr("going backward").english, [&](const ProbeBatch& batch) {
    std::vector<SublayerGradient> found = probeGradients(batch.loss, context);
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i].norm = found[i].norm * found[i].norm + (squares.empty() ? 0 : squares.at(i).norm);
    squares = std::move(found);
    ++context.microBatch;  // each batch drops of its own
  });
  std::vector<SublayerNorm> norms;
  std::vector<double> values;
  for (const SublayerGradient& gradient : squares) {
    const SublayerSite& site = gradient.site;
    norms.push_back({site.name(), stackName(site.stack), sublayerName(site.kind),
                     static_cast<int>(site.layer), std::sqrt(gradient.norm), 0});
    values.push_back(norms.back().norm);
  }
  if (norms.empty()) return dataError(Phrase::tr("the model has no sub-layers to look at"));
  const std::vector<double> relative = relativeToLargest(values);
  for (std::size_t i = 0; i < norms.size(); ++i) norms[i].relative = relative[i];
  return sublayerNormsToJson(norms);
}

}  // namespace

ProbeEntry gradientNormProbeEntry() {
  std::vector<OptionField> fields = {
      flagField("dropout", "Dropout", "Drop as in training, as the released code does.", true)};
  addFields(fields, exampleFields(ProbeExamples::Batch));
  return {analysisOf("gradient_norm"), {.fields = std::move(fields), .run = runGradientNorm}};
}

}  // namespace fathom
