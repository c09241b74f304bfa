// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/branch_join.h"

#include "core/nn/dropout.h"
#include "core/nn/joined_norm.h"

namespace fathom {

torch::Tensor joinBranch(const ResidualScheme& residual, const SublayerSite& site, const torch::Tensor& x,
                         const torch::Tensor& branchInput, const torch::Tensor& branchOutput,
                         const StepContext& context) {
  if (branchOutput.scalar_type() != x.scalar_type())  // mixed precision: the stream stays wide
    return joinBranch(residual, site, x, branchInput, branchOutput.to(x.scalar_type()), context);
  const ResidualSublayer& scheme = residual.sublayer(site.layer, site.sublayer);
  const StackSetup& setup = residual.setup();
  // Without dropout both places are the same.
  const bool dropped = context.training && setup.dropout > 0;
  const bool onStream = setup.dropoutPlace == DropoutPlace::Stream && dropped;
  const ResidualTerms terms = scheme.terms();
  const bool wholeShortcut = !terms.shortcut.defined() || terms.shortcut.numel() == setup.width;
  if (!context.observer && !onStream && terms.norm && !terms.branchScale.defined() && wholeShortcut &&
      joinedNormFits(x, *terms.norm)) {
    const double p = context.training ? setup.dropout : 0;
    return joinedNorm({x, terms.shortcut, branchOutput, p, dropoutSeed(context, site.name())}, *terms.norm);
  }
  if (!context.observer && !onStream && scheme.plainSum()) {
    return scheme.finish(addDropout(x, branchOutput, setup.dropout, context, site.name()));
  }
  const torch::Tensor branch =
      onStream ? branchOutput : dropout(branchOutput, setup.dropout, context, site.name());
  if (context.observer) context.observer->beforeJoin(site, x, branch);
  torch::Tensor y = scheme.join(x, branch);
  if (onStream) y = dropout(y, setup.dropout, context, site.name());
  if (context.observer) context.observer->sublayer({site, x, branchInput, branch, y});
  return y;
}

}  // namespace fathom
