// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_probe_gallery.h"

#include <cmath>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/dependency/shift_sweep.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "tests/golden/support_attention_gallery.h"
#include "tests/golden/support_built_figure.h"

namespace fathom::gallery {

namespace {

constexpr int kHeads = 4;

// A bell around a median that falls with the layer and rises with the head; one head is constant.
HeadDistribution headOf(int layer, int head, int layers, double span, double shift) {
  HeadDistribution made;
  const double median = span * (0.15 + 0.7 * (head + layers - layer) / (kHeads + layers)) + shift;
  made.values.count = 500;
  made.values.fiveNumbers = {median - 0.2 * span, median - 0.05 * span, median, median + 0.05 * span,
                             median + 0.15 * span};
  made.values.mean = median;
  made.values.variance = 0.01 * span;
  if (layer == 3 && head == 0) {
    made.values.fiveNumbers.fill(median);
    return made;  // all samples alike: no density
  }
  for (int i = 0; i < 20; ++i) {
    const double x = made.values.fiveNumbers[0] + 0.35 * span * i / 19;
    made.violin.grid.push_back(x);
    made.violin.density.push_back(std::exp(-60 * std::pow((x - median) / span, 2)));
  }
  return made;
}

Json distributions(const std::string& quantity, bool second, int layers) {
  const bool entropy = quantity == "attention_entropy", logit = quantity == "attention_logit";
  AttentionDistributions made{quantity, logit ? "logit" : entropy ? "nats" : "bits", 30, 500, {}};
  AttentionDistribution attention{"encoder", "self_attention", entropy || logit ? 0 : 1, {}};
  for (int layer = attention.firstLayer; layer < layers; ++layer) {
    attention.heads.emplace_back();
    for (int head = kHeads; head-- > 0;)  // unsorted as they come
      attention.heads.back().push_back(headOf(layer, head, layers,
                                              logit     ? 70
                                              : entropy ? 6
                                                        : 1,
                                              second ? -0.05 : 0));
  }
  made.attentions.push_back(std::move(attention));
  return distributionsToJson(made);
}

Json dependencies(bool second, bool initial, int layers) {
  StackDependency stack;
  stack.stack = "encoder";
  stack.residual = "pre_ln";
  stack.tokens = 500;
  const std::size_t n = 2 * static_cast<std::size_t>(layers);
  stack.beta.sublayers = static_cast<std::int64_t>(n);
  for (std::size_t row = 0; row < n; ++row) {
    stack.sublayers.push_back("encoder." + std::to_string(row));
    for (std::size_t column = 0; column <= n; ++column) {
      const double equal = (second ? 1.1 : 1) / std::sqrt(static_cast<double>(row) + 2);
      const double shaped = initial ? equal : equal * (0.5 + 0.1 * static_cast<double>(column));
      stack.beta.meanTokenStd.push_back(column <= row + 1 ? shaped : 0);
    }
    stack.beta.biasShare.push_back(0);
  }
  stack.beta.globalStd = stack.beta.meanTokenStd;
  stack.beta.largestResidual = 2e-15;
  return dependenciesToJson({stack});
}

Json norms(bool second, int layers) {
  std::vector<SublayerNorm> made;
  for (const char* stack : {"encoder", "decoder"}) {
    const int sublayers = stack[0] == 'e' ? 2 : 3;
    for (int i = 0; i < sublayers * layers; ++i) {
      const double norm = second ? 1 : std::pow(10.0, 0.2 * (i - sublayers * layers + 1));
      made.push_back({std::string(stack) + "." + std::to_string(i), stack, "feed_forward", i / sublayers,
                      norm, i == 3 && second ? 0 : norm});
    }
  }
  made.back().relative = std::numeric_limits<double>::quiet_NaN();
  return sublayerNormsToJson(made);
}

// Two schemes at random, one of them also by Adam; a draw of the second overflows at one depth.
Json shifts() {
  ShiftSweep sweep{"encoder", 1e-4, 1e-6, 60, {6, 12, 24, 48}, {1, 2, 3}, {}};
  const auto seriesOf = [&](const char* name, const char* change, bool shared, double (*law)(double)) {
    ShiftSeries series{name, change, name, shared, {}};
    for (std::size_t draw = 0; draw < sweep.seeds.size(); ++draw) {
      series.draws.emplace_back();
      for (const double depth : sweep.depths) {
        const double value = law(depth) * (0.8 + 0.2 * static_cast<double>(draw));
        DepthShift shift;
        for (OutputShift* place : {&shift.afterTopNorm, &shift.stream})
          for (OutputShift::Sums* sums : {&place->raw, &place->normalised, &place->theorem2})
            *sums = {1.1 * value, value, value / 60};
        series.draws.back().push_back(shift);
      }
    }
    return series;
  };
  sweep.series = {seriesOf("Post-LN", "random", true, [](double n) { return 0.5 * n; }),
                  seriesOf("Admin", "random", true, [](double n) { return 1 + std::log(n); }),
                  seriesOf("Admin", "adam", false, [](double n) { return 1e-3 * std::sqrt(n); })};
  sweep.series[1].draws[0][2].afterTopNorm.raw.real = std::numeric_limits<double>::infinity();
  return shiftSweepToJson(sweep);
}

class MadeUpRuns : public AnalysisSource {
 public:
  MadeUpRuns(std::size_t runs, int layers) : m_layers(layers) {
    const char* const all[] = {"aaaa", "bbbb", "cccc", "dddd"};
    m_runs.assign(all, all + runs);
  }
  std::vector<std::string> runs() const override { return m_runs; }
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    return dataError("run " + run + " has no " + metric);
  }
  Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint) override {
    const bool second = run == "bbbb" || run == "dddd", initial = checkpoint == "init";
    const char* name = run == "aaaa"   ? "Post-LN"
                       : run == "bbbb" ? "RealFormer <2>"
                       : run == "cccc" ? "Admin"
                                       : "ReZero";
    if (analysis == "attention_maps") return madeUpAttention(second);
    ProbedResult result{run, name, initial ? "init" : "0001-00000300", {}, {}, "seeds"};
    result.result = analysis == "beta_dependency" ? dependencies(second, initial, m_layers)
                    : analysis == "gradient_norm" ? norms(second, m_layers)
                    : analysis == "output_shift"  ? shifts()
                                                  : distributions(analysis, second, m_layers);
    return result;
  }

 private:
  std::vector<std::string> m_runs;
  int m_layers;
};

}  // namespace

FigureSpec probeFigure(const std::string& figure, const std::vector<std::string>& assignments,
                       std::size_t runs, int layers) {
  MadeUpRuns source(runs, layers);
  return builtFigure(figure, assignments, source).value();
}

}  // namespace fathom::gallery
