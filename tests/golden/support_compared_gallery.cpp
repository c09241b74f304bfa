// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_compared_gallery.h"

#include <cmath>

#include "tests/golden/support_built_figure.h"

namespace fathom::gallery {

namespace {

constexpr const char* kSchemes[] = {"post_ln", "pre_ln", "admin"};
constexpr const char* kTitles[] = {"Post-LN", "Pre-LN", "Admin <3>"};
constexpr double kRates[] = {0.001, 0.0005, 0.01};

class ComparedRuns : public AnalysisSource {
 public:
  ComparedRuns(std::size_t count, const ChangeFacts& change) : m_count(count), m_change(change) {}
  std::vector<std::string> runs() const override {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < m_count; ++i) ids.push_back("run-" + std::to_string(i));
    return ids;
  }
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    const auto number = static_cast<std::size_t>(std::stoi(run.substr(4)));
    if (metric != "loss" && metric != "valid.bleu") return dataError("run " + run + " has no " + metric);
    RunCurve curve;
    curve.run = run;
    curve.name = nameOf(number);
    curve.group = kSchemes[number / 2];
    curve.look = static_cast<int>(number);
    curve.outcome = number == 5 ? RunState::Diverged : RunState::Finished;
    for (int step = 50; step <= 500; step += 50) {
      curve.steps.push_back(step);
      curve.seconds.push_back(step * 0.1);
      curve.epochs.push_back(step / 100.0);
      const double setting = static_cast<double>(number / 2), seed = static_cast<double>(number % 2);
      const double falls = 4 * std::exp(-step / 200.0) * (1 - 0.1 * setting) + 0.05 * seed;
      curve.values.push_back(metric == "loss" ? falls : 30 - 5 * falls);
    }
    if (number == 5) curve.values.back() = std::nan("");
    return curve;
  }
  Result<RunFacts> facts(const std::string& run) override {
    const auto number = static_cast<std::size_t>(std::stoi(run.substr(4)));
    RunFacts facts;
    facts.run = run;
    facts.name = nameOf(number);
    facts.failed = number == 5;
    facts.outcome = facts.failed ? RunState::Diverged : RunState::Finished;
    const double setting = static_cast<double>(number / 2), seed = static_cast<double>(number % 2);
    facts.options = {{"encoder.residual", kSchemes[number / 2]},
                     {"encoder.layers", 6 * (number / 2 + 1)},
                     {"lr_schedule.rate", kRates[number / 2]},
                     {"model.width", 64},
                     {"seed", number % 2 + 1}};
    facts.last = {{"loss", 1 - 0.1 * setting}, {"valid.bleu", 20 + 3 * setting + seed}};
    facts.best = {{"valid.bleu", 21 + 3 * setting + seed}};
    if (m_change) m_change(number, facts);
    return facts;
  }

  // Weights that spread while they are trained, in buckets of different widths.
  Result<LoggedHistograms> histograms(const std::string& run, const std::string&) override {
    LoggedHistograms logged{{"layer/weight"}, "layer/weight", {}, 0};
    const int shift = std::stoi(run.substr(4)) % 3;
    for (const int step : {0, 100, 200, 300}) {
      LoggedHistogram state{double(step), {}, {}};
      for (int edge = -5; edge <= 5; ++edge)
        state.edges.push_back(0.1 * shift + edge * std::abs(edge) * (0.02 + 0.0001 * step));
      for (int bucket = 0; bucket < 10; ++bucket) state.counts.push_back(10 - std::abs(2 * bucket - 9));
      logged.states.push_back(std::move(state));
    }
    return logged;
  }

  // A tenth of a second an update: 4, 8 and 12 MB of gradients.
  Result<double> parameters(const std::string& run) override {
    return 1e6 * static_cast<double>(std::stoi(run.substr(4)) / 2 + 1);
  }

 private:
  static std::string nameOf(std::size_t number) {
    return std::string(kTitles[number / 2]) + " · seed " + std::to_string(number % 2 + 1);
  }
  std::size_t m_count;
  const ChangeFacts& m_change;
};

}  // namespace

bool comparesRuns(const std::string& figure) {
  return figure == "difference_curve" || figure == "option_scatter" || figure == "option_parallel" ||
         figure == "rank_scaling" || figure == "logged_histogram";
}

Result<FigureSpec> comparedFigure(const std::string& figure, const std::vector<std::string>& assignments,
                                  std::size_t runs, const ChangeFacts& change) {
  ComparedRuns source(runs, change);
  return builtFigure(figure, assignments, source);
}

}  // namespace fathom::gallery
