// SPDX-License-Identifier: Apache-2.0
// Relative gradient norms of the sub-layers' outputs for one batch (Admin Fig 3; transformers.md §3.6).
#include "core/analysis/gradient_norm.h"
#include "core/analysis/sublayer_norms.h"
#include "core/nn/field_builder.h"
#include "core/probe/gradient_probe.h"
#include "core/probe/probe_entry.h"

namespace fathom {

namespace {

Result<Json> run(const ProbeSubject& subject, const OptionValues& options) {
  FATHOM_TRY(const ProbeBatch batch, firstProbeBatch(subject, "going backward"));
  StepContext context;
  context.seed = subject.seed;
  context.training = options.flag("dropout");
  std::vector<SublayerNorm> norms;
  std::vector<double> values;
  for (const SublayerGradient& gradient : probeGradients(batch.loss, context)) {
    const SublayerSite& site = gradient.site;
    norms.push_back({site.name(), stackName(site.stack), sublayerName(site.kind),
                     static_cast<int>(site.layer), gradient.norm, 0});
    values.push_back(gradient.norm);
  }
  if (norms.empty()) return dataError("the model has no sub-layers to look at");
  const std::vector<double> relative = relativeToLargest(values);
  for (std::size_t i = 0; i < norms.size(); ++i) norms[i].relative = relative[i];
  return sublayerNormsToJson(norms);
}

}  // namespace

ProbeEntry gradientNormProbeEntry() {
  ProbeEntry entry;
  entry.id = "gradient_norm";
  entry.title = "Gradient norms of sub-layers";
  entry.reference = "Admin, Figure 3";
  entry.fields = {FieldBuilder("dropout", OptionType::Flag, true)
                      .title("Dropout")
                      .help("Drop as in training, as the released code does.")};
  entry.run = run;
  return entry;
}

}  // namespace fathom
