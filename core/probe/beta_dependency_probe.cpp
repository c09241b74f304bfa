// SPDX-License-Identifier: Apache-2.0
// β_ij of every stack by the exact recursion (Admin §4.1, Figs 7, 8; docs/analyses.md §3).
#include "core/analysis/dependency/stack_dependency.h"
#include "core/base/errors/phrase.h"
#include "core/probe/branch_probe.h"
#include "core/probe/probe_entry.h"

namespace fathom {

namespace {

std::string residualOf(const Model& model, StackKind kind) {
  for (const StackDescription& stack : model.stacks())
    if (stack.kind == kind) return stack.residual;
  return {};
}

// As many examples as a batch are enough: thousands of tokens, and the recursion is linear in them.
Result<Json> runBetaDependency(const ProbeSubject& subject, const OptionValues&) {
  FATHOM_CHECK(checkProbeExamples(subject));
  RealBranches real;
  forProbeBatches(subject, Phrase::tr("taking the stream apart").english, [&](const ProbeBatch& batch) {
    real.add(recordBranches(batch.forward, {.seed = subject.seed}, true), batch.realTokens);
  });
  std::vector<StackDependency> stacks;
  for (const StackBranches& recorded : real.joined()) {
    if (subject.stop.stopRequested()) return interruptedError();
    StackDependency stack;
    stack.stack = stackName(recorded.stack);
    stack.residual = residualOf(subject.model, recorded.stack);
    for (const SublayerSite& site : recorded.sites) stack.sublayers.push_back(site.name());
    stack.tokens = recorded.input.size(1);
    FATHOM_TRY(stack.beta, betaOfStack(recorded, subject.model.residual(recorded.stack), {}));
    stacks.push_back(std::move(stack));
  }
  if (stacks.empty()) return dataError(Phrase::tr("the model has no residual stream to take apart"));
  return dependenciesToJson(stacks);
}

}  // namespace

ProbeEntry betaDependencyProbeEntry() {
  return {analysisOf("beta_dependency"),
          {.fields = exampleFields(ProbeExamples::Batch), .run = runBetaDependency}};
}

}  // namespace fathom
