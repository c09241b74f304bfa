// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/over_training.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/attention_distribution.h"
#include "core/analysis/stack_dependency.h"
#include "core/analysis/sublayer_norms.h"

namespace fathom {

namespace {

// One number of one layer of one state.
struct LayerValue {
  std::string part;
  int layer = 0;
  double value = 0;
};

// Mean of the heads' means, or median of their medians; heads without a number are left out.
double overHeads(const std::vector<HeadDistribution>& heads, bool median) {
  std::vector<double> values;
  for (const HeadDistribution& head : heads) {
    const double value = median ? head.values.median() : head.values.mean;
    if (head.values.count > 0 && std::isfinite(value)) values.push_back(value);
  }
  const SampleDistribution all = summariseSamples(values);
  return median ? all.median() : all.mean;
}

Result<std::vector<LayerValue>> attentionValues(const Json& result, bool median) {
  FATHOM_TRY(const AttentionDistributions distributions, distributionsFromJson(result));
  std::vector<LayerValue> values;
  for (const AttentionDistribution& attention : distributions.attentions)
    for (std::size_t layer = 0; layer < attention.heads.size(); ++layer)
      values.push_back({attention.stack + "." + attention.kind,
                        static_cast<int>(layer) + attention.firstLayer,
                        overHeads(attention.heads[layer], median)});
  return values;
}

// "encoder.layers.2.feed_forward" -> part "encoder.feed_forward", layer 2.
LayerValue ownBranch(const StackDependency& stack, std::size_t row) {
  const std::string& name = stack.sublayers[row];
  const std::string kind = name.substr(name.rfind('.') + 1);
  int before = 0;
  for (std::size_t i = 0; i < row; ++i) before += stack.sublayers[i].ends_with("." + kind) ? 1 : 0;
  const double beta = stack.beta.at(static_cast<std::int64_t>(row), static_cast<std::int64_t>(row) + 1);
  return {stack.stack + "." + kind, before, beta * beta};
}

Result<std::vector<LayerValue>> dependencyValues(const Json& result, bool) {
  FATHOM_TRY(const std::vector<StackDependency> stacks, dependenciesFromJson(result));
  std::vector<LayerValue> values;
  for (const StackDependency& stack : stacks)
    for (std::size_t row = 0; row < stack.sublayers.size(); ++row) values.push_back(ownBranch(stack, row));
  return values;
}

Result<std::vector<LayerValue>> gradientValues(const Json& result, bool) {
  FATHOM_TRY(const std::vector<SublayerNorm> norms, sublayerNormsFromJson(result));
  std::vector<LayerValue> values;
  for (const SublayerNorm& norm : norms)
    values.push_back({norm.stack + "." + norm.kind, norm.layer, norm.relative});
  return values;
}

using Reader = Result<std::vector<LayerValue>> (*)(const Json&, bool);

Result<Reader> readerOf(const std::string& analysis) {
  if (analysis == "attention_entropy" || analysis == "attention_jsd") return Reader(attentionValues);
  if (analysis == "beta_dependency") return Reader(dependencyValues);
  if (analysis == "gradient_norm") return Reader(gradientValues);
  std::string known;
  for (const std::string& id : followedAnalyses()) known += (known.empty() ? "" : ", ") + id;
  return usageError("'" + analysis + "' cannot be followed over training", "one of " + known);
}

// Where a layer's course is, or belongs: parts stay together in the order they were first met.
LayerCourse& courseOf(std::vector<LayerCourse>& courses, const LayerValue& value, std::size_t before) {
  auto at = courses.end();
  for (auto it = courses.begin(); it != courses.end(); ++it) {
    if (it->part == value.part && it->layer == value.layer) return *it;
    if (it->part == value.part && it->layer < value.layer) at = it + 1;
    if (it->part == value.part && it->layer > value.layer && at == courses.end()) at = it;
  }
  LayerCourse course{value.part, value.layer, {}, {}};
  course.values.assign(before, std::numeric_limits<double>::quiet_NaN());
  return *courses.insert(at, std::move(course));
}

}  // namespace

const std::vector<std::string>& followedAnalyses() {
  static const std::vector<std::string> ids = {"attention_entropy", "attention_jsd", "beta_dependency",
                                               "gradient_norm"};
  return ids;
}

Result<std::vector<LayerCourse>> overTraining(const std::string& analysis,
                                              const std::vector<AnalysedState>& states, bool median) {
  FATHOM_TRY(const Reader read, readerOf(analysis));
  std::vector<LayerCourse> courses;
  std::vector<double> steps;
  for (const AnalysedState& state : states) {
    FATHOM_TRY(const std::vector<LayerValue> values, read(state.result, median));
    for (const LayerValue& value : values)
      courseOf(courses, value, steps.size()).values.push_back(value.value);
    steps.push_back(static_cast<double>(state.step));
    for (LayerCourse& course : courses) course.values.resize(steps.size(), std::nan(""));
  }
  for (LayerCourse& course : courses) course.steps = steps;
  return courses;
}

}  // namespace fathom
