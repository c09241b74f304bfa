// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_states_gallery.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/epoch_norm.h"
#include "core/analysis/norms/input_norm.h"
#include "tests/golden/support_built_figure.h"

namespace fathom::gallery {

namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kClassifiers = 20;  // number of the first one
const std::vector<std::string> kStates = {"init", "0001-00000100", "0001-00000200", "0002-00000200",
                                          "0002-00000300"};

// Entropy falls with the updates, faster in higher layers; the superseded state of update 200 is far off.
Json entropyAt(std::size_t state, bool second) {
  AttentionDistributions made{"attention_entropy", "nats", 20, 100, {}};
  for (const char* stack : {"encoder", "decoder"}) {
    AttentionDistribution attention{stack, "self_attention", 0, {}};
    for (int layer = 0; layer < 8; ++layer) {
      HeadDistribution head;
      head.values.count = 100;
      const double update = state == 0 ? 0 : state == 1 ? 1 : state == 4 ? 3 : 2;
      head.values.mean = 4 - 0.1 * (layer + 1) * update - (second ? 0.5 : 0) + (state == 2 ? 9 : 0);
      head.values.fiveNumbers.fill(head.values.mean - 0.1);
      attention.heads.push_back({head, head});
      if (layer == 3 && state == 1) attention.heads.back() = {HeadDistribution{}};  // no number at all
    }
    made.attentions.push_back(std::move(attention));
  }
  return distributionsToJson(made);
}

Json dependencyAt(std::size_t state) {
  StackDependency stack;
  stack.stack = "encoder";
  stack.residual = "post_ln";
  stack.tokens = 50;
  stack.sublayers = {"encoder.layers.0.self_attention", "encoder.layers.0.feed_forward",
                     "encoder.layers.1.self_attention", "encoder.layers.1.feed_forward"};
  stack.beta.sublayers = 4;
  stack.beta.meanTokenStd.assign(20, 0.1 * static_cast<double>(state + 1));
  stack.beta.globalStd = stack.beta.meanTokenStd;
  stack.beta.biasShare.assign(4, 0);
  return dependenciesToJson({stack});
}

Json epochAt(std::size_t epoch) {
  EpochNorms norms;
  norms.epoch = static_cast<std::int64_t>(epoch);
  for (const char* matrix : {"query", "key", "value", "output"})
    for (std::int64_t layer = 0; layer < 3; ++layer)
      norms.matrices.push_back({"encoder", "self_attention", matrix, layer,
                                std::pow(10.0, -static_cast<double>(layer)) / static_cast<double>(epoch + 1),
                                epoch == 0 ? kNotMeasured : 1 - 0.1 * static_cast<double>(layer)});
  return epochNormsToJson(norms);
}

Json inputsOf(bool second) {
  InputNorms norms;
  norms.examples = 40;
  NormHistogram histogram;
  for (int i = 0; i < 600; ++i) histogram.add(4 + 3 * std::sin(0.37 * i) + (second ? 2 : 0));
  for (const char* part : {"", "question"})
    norms.parts.push_back({"extra", part, 4, second ? "post_ln" : "unnormalised", histogram.summary(),
                           histogram.width(), histogram.counts(), part[0] == 0 ? 0 : 3});
  if (!second) norms.used.push_back({"extra", 7, 0.033});
  for (int layer = 0; layer < 4; ++layer)
    for (const char* name : {"self_attention.query", "self_attention.value", "feed_forward.input"}) {
      if (layer == 2 && name[0] == 'f') continue;  // a cell without a matrix
      norms.tensors.push_back({"extra.layers." + std::to_string(layer) + "." + name + ".weight",
                               "normal",
                               {16, 16},
                               0.25,
                               name[15] == 'q' ? 1.0 : 0.033,
                               0.25 * (layer + 1),
                               0});
    }
  norms.tensors.push_back({"embedding.token.weight", "normal", {100, 16}, 0.25, 1, 0.25, 0});
  return inputNormsToJson(norms);
}

class MadeUpStates : public AnalysisSource {
 public:
  explicit MadeUpStates(std::vector<std::string> chosen) : m_chosen(std::move(chosen)) {}
  std::vector<std::string> runs() const override { return m_chosen; }
  // A loss every ten updates, and a score every hundred.
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    const bool score = metric == "valid.bleu";
    if (!score && metric != "loss") return dataError("run " + run + " has no " + metric);
    RunCurve curve;
    curve.run = run;
    curve.metric = {.id = metric, .title = score ? "validation BLEU" : "loss"};
    const int every = score ? 100 : 10, speed = run == "bbbb" ? 2 : 1;
    for (int step = every; step <= 300; step += every) {
      curve.steps.push_back(step);
      curve.seconds.push_back(2 * speed * step);
      curve.epochs.push_back(step / 100.0);
      curve.tokens.push_back(1000 * speed * step);
      curve.clock.push_back(1760000000 + curve.seconds.back());
      curve.values.push_back(step / 10.0);
    }
    return curve;
  }
  std::vector<std::string> probedCheckpoints(const std::string& run, const std::string& analysis) override {
    if (run == "lone" || analysis == "attention_jsd") return {"init"};
    if (analysis == "epoch_norm") return {"init", "0001-00000010", "0001-00000020", "0001-00000030"};
    return kStates;
  }
  Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint) override {
    const auto names = probedCheckpoints(run, analysis);
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), checkpoint) - names.begin());
    ProbedResult result;
    result.run = run;
    result.name = run == "bbbb" ? "RealFormer <2>" : "Post-LN";
    result.checkpoint = checkpoint;
    result.result = analysis == "input_norm"        ? inputsOf(run == "bbbb")
                    : analysis == "epoch_norm"      ? epochAt(at)
                    : analysis == "beta_dependency" ? dependencyAt(at)
                                                    : entropyAt(at, run == "bbbb");
    return result;
  }
  // Three rates × two β2, two seeds each: one column diverges, one cell half; one run is still at work. Runs
  // from kClassifiers on have an accuracy instead of BLEU.
  Result<RunFacts> facts(const std::string& run) override {
    if (run.find_first_not_of("0123456789") != std::string::npos) return AnalysisSource::facts(run);
    const std::size_t told = static_cast<std::size_t>(std::stoi(run)), number = told % kClassifiers;
    const std::size_t rate = number / 4, beta = number / 2 % 2, seed = number % 2;
    RunFacts facts;
    facts.run = run;
    facts.name = "run " + run;
    facts.failed = rate == 2 || (rate == 1 && beta == 0 && seed == 1);
    facts.open = number == 7;
    facts.outcome = facts.open ? RunState::Running : facts.failed ? RunState::Diverged : RunState::Finished;
    const std::vector<double> rates = {0.0005, 0.001, 0.01};
    facts.options = {{"lr_schedule.rate", rates[rate]},
                     {"optimizer.beta2", beta == 0 ? 0.98 : 0.999},
                     {"seed", seed + 1},
                     {"model.width", 64}};
    const char* score = told < kClassifiers ? "valid.bleu" : "valid.accuracy";
    facts.last = {{"loss", 1.0}, {score, 20.0 + static_cast<double>(rate + seed)}};
    facts.best = {{"valid.loss", 0.5}, {score, 21.0 + static_cast<double>(rate + seed)}};
    return facts;
  }

 private:
  std::vector<std::string> m_chosen;
};

std::vector<std::string> twelveRuns() {
  std::vector<std::string> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(std::to_string(i));
  return runs;
}

}  // namespace

Result<FigureSpec> followedFigure(const std::string& figure, const std::vector<std::string>& assignments,
                                  const std::vector<std::string>& runs) {
  std::vector<std::string> chosen = runs;
  if (chosen.empty())
    chosen = figure == "stability_grid" ? twelveRuns() : std::vector<std::string>{"aaaa", "bbbb"};
  MadeUpStates source(std::move(chosen));
  return builtFigure(figure, assignments, source);
}

}  // namespace fathom::gallery
